//===- LaunchList.cpp - what to launch, as plain data ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/LaunchList.h"
#include <nlohmann/json.hpp>

using namespace kernelzero;
using nlohmann::json;

namespace {
struct ElementRow {
  ElementType type;
  const char *name;
  int64_t bytes;
};
constexpr ElementRow elements[] = {
    {ElementType::f16, "f16", 2}, {ElementType::bf16, "bf16", 2},
    {ElementType::f32, "f32", 4}, {ElementType::f64, "f64", 8},
    {ElementType::i1, "i1", 1},   {ElementType::i8, "i8", 1},
    {ElementType::i16, "i16", 2}, {ElementType::i32, "i32", 4},
    {ElementType::i64, "i64", 8}};

constexpr int schemaVersion = 1;
} // namespace

int64_t kernelzero::elementBytes(ElementType type) {
  for (const ElementRow &row : elements)
    if (row.type == type)
      return row.bytes;
  return 0;
}

const char *kernelzero::elementName(ElementType type) {
  for (const ElementRow &row : elements)
    if (row.type == type)
      return row.name;
  return "";
}

std::string kernelzero::elementNames() {
  std::string text;
  for (const ElementRow &row : elements) {
    if (&row != elements)
      text += &row == std::end(elements) - 1 ? " and " : ", ";
    text += row.name;
  }
  return text;
}

bool kernelzero::elementFromName(const std::string &name, ElementType &type) {
  for (const ElementRow &row : elements) {
    if (name != row.name)
      continue;
    type = row.type;
    return true;
  }
  return false;
}

int64_t BufferType::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::vector<LaunchList::Buffer> LaunchList::buffers() const {
  std::vector<Buffer> result;
  for (const KernelLaunch &kernel : kernels)
    for (const LaunchArgument &argument : kernel.arguments) {
      if (argument.isWorkspace)
        continue;
      if (size_t(argument.index) >= result.size())
        result.resize(argument.index + 1);
      result[argument.index].type = argument.type;
      result[argument.index].written |= argument.written;
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string checkMap(const LaunchArgument &argument) {
  const TensorMap &map = argument.map;
  size_t rank = map.dims.size();
  int64_t bytes = elementBytes(argument.type.element);
  auto str = [](int64_t v) { return std::to_string(v); };
  if (rank < 1 || rank > 5)
    return "a tensor map has " + str(rank) + " dimensions; 1 to 5 are possible";
  if (map.box.size() != rank || map.byteStrides.size() != rank - 1)
    return "a tensor map of " + str(rank) + " dimensions has " +
           str(map.box.size()) + " box extents and " +
           str(map.byteStrides.size()) + " pitches; it needs " + str(rank) +
           " and " + str(rank - 1);
  for (int64_t extent : map.box)
    if (extent < 1 || extent > 256)
      return "a tensor map's box has a side of " + str(extent) +
             " elements; 1 to 256 are possible";
  for (int64_t pitch : map.byteStrides)
    if (pitch % 16 != 0)
      return "a tensor map's pitch is " + str(pitch) +
             " bytes; it must be a multiple of 16";
  int64_t row = map.box[0] * bytes;
  if (row % 16 != 0)
    return "a tensor map's box row is " + str(row) +
           " bytes; it must be a multiple of 16";
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 &&
      map.swizzle != 128)
    return "a tensor map's swizzle is " + str(map.swizzle) +
           "; 0, 32, 64 and 128 are possible";
  if (map.swizzle != 0 && row > map.swizzle)
    return "a tensor map's box row is " + str(row) + " bytes, its swizzle " +
           str(map.swizzle) + "; the row must fit the swizzle";
  return "";
}

bool kernelzero::checkLaunchList(const LaunchList &list, std::string &error) {
  std::vector<const BufferType *> known;
  for (const KernelLaunch &kernel : list.kernels) {
    auto fail = [&](const std::string &what) {
      error = "kernel " + kernel.name + ": " + what;
      return false;
    };
    for (const auto &sizes : {kernel.grid, kernel.block, kernel.cluster})
      for (int64_t size : sizes)
        if (size < 1)
          return fail("a launch extent is " + std::to_string(size) +
                      "; at least 1 is needed");
    for (int d = 0; d < 3; ++d)
      if (kernel.grid[d] % kernel.cluster[d] != 0)
        return fail("a grid of " + std::to_string(kernel.grid[d]) +
                    " blocks does not divide into clusters of " +
                    std::to_string(kernel.cluster[d]));
    if (kernel.sharedBytes < 0)
      return fail("dynamic shared memory of " +
                  std::to_string(kernel.sharedBytes) + " bytes");
    for (const LaunchArgument &argument : kernel.arguments) {
      if (argument.index < 0)
        return fail("argument index " + std::to_string(argument.index));
      for (int64_t extent : argument.type.shape)
        if (extent < 1)
          return fail("a buffer extent is " + std::to_string(extent) +
                      "; at least 1 is needed");
      if (argument.isWorkspace) {
        int64_t count = list.workspaceBytes.size();
        if (argument.index >= count)
          return fail("workspace " + std::to_string(argument.index) +
                      " is not among the " + std::to_string(count) +
                      " workspaces");
        if (argument.type.bytes() > list.workspaceBytes[argument.index])
          return fail("workspace " + std::to_string(argument.index) +
                      " is used as " + std::to_string(argument.type.bytes()) +
                      " bytes and has " +
                      std::to_string(list.workspaceBytes[argument.index]));
      } else {
        if (size_t(argument.index) >= known.size())
          known.resize(argument.index + 1, nullptr);
        const BufferType *&first = known[argument.index];
        if (first && !(*first == argument.type))
          return fail("buffer " + std::to_string(argument.index) +
                      " has two types");
        first = &argument.type;
      }
      if (argument.isMap) {
        std::string what = checkMap(argument);
        if (!what.empty())
          return fail(what);
      }
    }
  }
  for (size_t i = 0; i < known.size(); ++i)
    if (!known[i]) {
      error = "no kernel mentions buffer " + std::to_string(i);
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

std::string kernelzero::toJSON(const LaunchList &list) {
  json kernels = json::array();
  for (const KernelLaunch &kernel : list.kernels) {
    json arguments = json::array();
    for (const LaunchArgument &a : kernel.arguments) {
      json argument = {{a.isWorkspace ? "workspace" : "buffer", a.index},
                       {"element", elementName(a.type.element)},
                       {"shape", a.type.shape},
                       {"written", a.written}};
      if (a.isMap)
        argument["map"] = {{"dims", a.map.dims},
                           {"byte_strides", a.map.byteStrides},
                           {"box", a.map.box},
                           {"swizzle", a.map.swizzle}};
      arguments.push_back(std::move(argument));
    }
    kernels.push_back({{"name", kernel.name},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"cluster", kernel.cluster},
                       {"shared_bytes", kernel.sharedBytes},
                       {"arguments", std::move(arguments)}});
  }
  return json{{"version", schemaVersion},
              {"workspace_bytes", list.workspaceBytes},
              {"kernels", std::move(kernels)}}
      .dump(2);
}

bool kernelzero::fromJSON(const std::string &text, LaunchList &list,
                          std::string &error) {
  list = LaunchList();
  try {
    json document = json::parse(text);
    int version = document.at("version");
    if (version != schemaVersion) {
      error = "launch list of version " + std::to_string(version) +
              "; this program reads version " + std::to_string(schemaVersion);
      return false;
    }
    document.at("workspace_bytes").get_to(list.workspaceBytes);
    for (const json &k : document.at("kernels")) {
      KernelLaunch &kernel = list.kernels.emplace_back();
      k.at("name").get_to(kernel.name);
      k.at("grid").get_to(kernel.grid);
      k.at("block").get_to(kernel.block);
      k.at("cluster").get_to(kernel.cluster);
      k.at("shared_bytes").get_to(kernel.sharedBytes);
      for (const json &a : k.at("arguments")) {
        LaunchArgument &argument = kernel.arguments.emplace_back();
        argument.isWorkspace = a.contains("workspace");
        a.at(argument.isWorkspace ? "workspace" : "buffer")
            .get_to(argument.index);
        std::string element = a.at("element");
        if (!elementFromName(element, argument.type.element)) {
          error = "launch list has elements '" + element + "'; " +
                  elementNames() + " are known";
          return false;
        }
        a.at("shape").get_to(argument.type.shape);
        a.at("written").get_to(argument.written);
        argument.isMap = a.contains("map");
        if (argument.isMap) {
          const json &map = a.at("map");
          map.at("dims").get_to(argument.map.dims);
          map.at("byte_strides").get_to(argument.map.byteStrides);
          map.at("box").get_to(argument.map.box);
          map.at("swizzle").get_to(argument.map.swizzle);
        }
      }
    }
  } catch (const json::exception &e) {
    error = std::string("not a launch list: ") + e.what();
    return false;
  }
  return checkLaunchList(list, error);
}
