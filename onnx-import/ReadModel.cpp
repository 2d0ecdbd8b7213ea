//===- ReadModel.cpp - an ONNX file into plain structs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only file that knows protobuf. It is compiled with exceptions, and none
// leaves it. Everything a file says about sizes is checked before it is used;
// hosts are little-endian, as the format is.
//
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "Onnx.pb.h"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace kernelzero::onnx {
namespace {

namespace fs = std::filesystem;

/// One sentence, on its way to readModel.
struct ReadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const std::string &sentence) {
  throw ReadError(sentence);
}

std::string quote(const std::string &text) { return "'" + text + "'"; }

/// A regular file's size; anything else is refused.
uintmax_t regularFileSize(const fs::path &path, const std::string &what) {
  std::error_code code;
  fs::file_status status = fs::status(path, code);
  if (!fs::exists(status))
    fail(what + " does not exist or cannot be reached");
  if (fs::is_directory(status))
    fail(what + " is a directory, a regular file is needed");
  if (!fs::is_regular_file(status))
    fail(what + " is no regular file");
  uintmax_t size = fs::file_size(path, code);
  if (code)
    fail("the size of " + what + " cannot be read: " + code.message());
  return size;
}

std::string readBytes(const fs::path &path, uintmax_t offset, uintmax_t length,
                      const std::string &what) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail(what + " cannot be opened for reading");
  std::string bytes(length, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(length));
  if (static_cast<uintmax_t>(file.gcount()) != length)
    fail("reading " + what + " ended after " + std::to_string(file.gcount()) +
         " of " + std::to_string(length) + " bytes");
  return bytes;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Appends the entries of a typed field, `width` bytes of each. Entries that
/// stand for narrower elements must fit them, read as signed or as unsigned.
template <typename Field>
void takeTyped(const Field &field, unsigned width, uintmax_t size,
               const std::string &what, const char *fieldName,
               std::string &bytes) {
  uintmax_t wanted = size / width;
  if (static_cast<uintmax_t>(field.size()) != wanted)
    fail(what + " has " + std::to_string(field.size()) + " entries in " +
         fieldName + ", its shape and type need " + std::to_string(wanted));
  bytes.resize(size);
  for (int k = 0; k < field.size(); ++k) {
    auto value = field.Get(k);
    if constexpr (std::is_integral_v<decltype(value)>) {
      if (width < sizeof(value)) {
        int64_t limit = int64_t(1) << (8 * width);
        int64_t wide = static_cast<int64_t>(value);
        bool negative = std::is_signed_v<decltype(value)> && wide < 0;
        if (negative ? wide < -limit / 2 : uint64_t(value) >= uint64_t(limit))
          fail("entry " + std::to_string(k) + " of " + what + " is " +
               std::to_string(value) + ", which does not fit " +
               std::to_string(8 * width) + " bits");
      }
    }
    std::memcpy(bytes.data() + uintmax_t(k) * width, &value, width);
  }
}

/// A byte count written as decimal text.
uintmax_t parseByteCount(const std::string &text, const std::string &what,
                         const std::string &key) {
  bool digits = !text.empty() && text.size() <= 18 &&
                text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits)
    fail(what + " has external " + key + " " + quote(text) +
         ", a decimal number of bytes below 10^18 is needed");
  return std::stoull(text);
}

std::string readExternal(const kzonnx::TensorProto &proto, uintmax_t size,
                         const fs::path &folder, const std::string &what) {
  std::string location, offsetText, lengthText;
  for (const auto &entry : proto.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    else if (entry.key() == "offset")
      offsetText = entry.value();
    else if (entry.key() == "length")
      lengthText = entry.value();
  }
  if (location.empty())
    fail(what + " is external data without a location");
  fs::path relative(location);
  bool climbs = false;
  for (const fs::path &part : relative)
    climbs |= part == "..";
  if (relative.is_absolute() || climbs ||
      location.find('\0') != std::string::npos)
    fail(what + " has external location " + quote(location) +
         ", only a relative path without '..' inside of the model's folder is "
         "accepted");
  fs::path path = folder / relative;
  std::string file = "external file " + quote(path.string()) + " of " + what;
  uintmax_t fileSize = regularFileSize(path, file);
  // A link may leave the folder without any '..'.
  fs::path real = fs::canonical(path), root = fs::canonical(folder);
  auto mismatch =
      std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (mismatch.first != root.end())
    fail(file + " is a link that leaves the model's folder, only files inside "
                "of it are accepted");

  uintmax_t offset =
      offsetText.empty() ? 0 : parseByteCount(offsetText, what, "offset");
  if (!lengthText.empty()) {
    uintmax_t length = parseByteCount(lengthText, what, "length");
    if (length != size)
      fail(what + " has external length " + lengthText +
           ", its shape and type need " + std::to_string(size) + " bytes");
  }
  if (offset > fileSize || fileSize - offset < size)
    fail(file + " has " + std::to_string(fileSize) + " bytes, offset " +
         std::to_string(offset) + " and length " + std::to_string(size) +
         " need " + std::to_string(offset + size));
  return readBytes(path, offset, size, file);
}

Tensor readTensor(kzonnx::TensorProto &proto, const fs::path &folder,
                  std::string what) {
  Tensor tensor;
  tensor.name = proto.name();
  tensor.type = proto.data_type();
  what += " " + quote(tensor.name);
  unsigned bits = elementTypeBits(tensor.type);
  if (!bits)
    fail(what + " has element type " + elementTypeName(tensor.type) +
         ", accepted are floats, integers and booleans");
  if (proto.has_segment())
    fail(what + " is stored in segments, only whole tensors are accepted");

  // At most 2^50 bytes: far above any file, and products stay exact.
  uintmax_t count = 1;
  bool empty = false;
  for (int64_t dim : proto.dims()) {
    if (dim < 0)
      fail(what + " has size " + std::to_string(dim) +
           " in its shape, 0 and more are accepted");
    empty |= dim == 0;
    tensor.dims.push_back(dim);
  }
  for (int64_t dim : proto.dims()) {
    if (empty)
      count = 0;
    else if (__builtin_mul_overflow(count, uintmax_t(dim), &count) ||
             count > (uintmax_t(1) << 47))
      fail(what + " has shape " + shapeText(tensor.dims) +
           ", at most 2^47 elements are accepted");
  }
  uintmax_t size = (count * bits + 7) / 8;

  bool typed = proto.float_data_size() || proto.int32_data_size() ||
               proto.int64_data_size() || proto.double_data_size() ||
               proto.uint64_data_size();
  if (proto.data_location() == kzonnx::TensorProto::EXTERNAL) {
    if (typed || proto.has_raw_data())
      fail(what + " has data in the file and an external location, one of them "
                  "is accepted");
    tensor.bytes = readExternal(proto, size, folder, what);
  } else if (proto.has_raw_data()) {
    if (typed)
      fail(what + " has raw_data and a typed field, one of them is accepted");
    if (proto.raw_data().size() != size)
      fail(what + " has " + std::to_string(proto.raw_data().size()) +
           " bytes of raw_data, shape " + shapeText(tensor.dims) + " of " +
           elementTypeName(tensor.type) + " needs " + std::to_string(size));
    tensor.bytes = std::move(*proto.mutable_raw_data());
  } else {
    switch (tensor.type) {
    case Float32:
      takeTyped(proto.float_data(), 4, size, what, "float_data", tensor.bytes);
      break;
    case Float64:
      takeTyped(proto.double_data(), 8, size, what, "double_data",
                tensor.bytes);
      break;
    case Int64:
      takeTyped(proto.int64_data(), 8, size, what, "int64_data", tensor.bytes);
      break;
    case UInt32:
    case UInt64:
      takeTyped(proto.uint64_data(), bits / 8, size, what, "uint64_data",
                tensor.bytes);
      break;
    default:
      // All that is narrower: one element an entry, or one byte of packed ones.
      takeTyped(proto.int32_data(), bits < 8 ? 1 : bits / 8, size, what,
                "int32_data", tensor.bytes);
    }
  }
  if (tensor.type == Bool)
    for (size_t k = 0; k < tensor.bytes.size(); ++k)
      if (static_cast<unsigned char>(tensor.bytes[k]) > 1)
        fail("entry " + std::to_string(k) + " of " + what + " is " +
             std::to_string(static_cast<unsigned char>(tensor.bytes[k])) +
             ", a boolean is 0 or 1");
  return tensor;
}

//===----------------------------------------------------------------------===//
// Nodes and values
//===----------------------------------------------------------------------===//

Attribute::Kind attributeKind(const kzonnx::AttributeProto &proto) {
  using Proto = kzonnx::AttributeProto;
  switch (proto.type()) {
  case Proto::FLOAT:
    return Attribute::Float;
  case Proto::INT:
    return Attribute::Int;
  case Proto::STRING:
    return Attribute::String;
  case Proto::TENSOR:
    return Attribute::Tensor;
  case Proto::GRAPH:
  case Proto::GRAPHS:
    return Attribute::Graph;
  case Proto::FLOATS:
    return Attribute::Floats;
  case Proto::INTS:
    return Attribute::Ints;
  case Proto::STRINGS:
    return Attribute::Strings;
  case Proto::UNDEFINED:
    // IR version 1 had no types: the field that is set tells.
    return proto.has_f()          ? Attribute::Float
           : proto.has_i()        ? Attribute::Int
           : proto.has_s()        ? Attribute::String
           : proto.has_t()        ? Attribute::Tensor
           : proto.has_g()        ? Attribute::Graph
           : proto.graphs_size()  ? Attribute::Graph
           : proto.floats_size()  ? Attribute::Floats
           : proto.ints_size()    ? Attribute::Ints
           : proto.strings_size() ? Attribute::Strings
                                  : Attribute::Undefined;
  default:
    return Attribute::Other;
  }
}

Attribute readAttribute(kzonnx::AttributeProto &proto, const fs::path &folder,
                        const std::string &node) {
  std::string what = "attribute " + quote(proto.name()) + " of " + node;
  if (!proto.ref_attr_name().empty())
    fail(what + " refers to attribute " + quote(proto.ref_attr_name()) +
         " of a function, outside of functions only values are accepted");
  Attribute attribute;
  attribute.name = proto.name();
  attribute.kind = attributeKind(proto);
  attribute.f = proto.f();
  attribute.i = proto.i();
  attribute.s = proto.s();
  attribute.floats.assign(proto.floats().begin(), proto.floats().end());
  attribute.ints.assign(proto.ints().begin(), proto.ints().end());
  attribute.strings.assign(proto.strings().begin(), proto.strings().end());
  if (attribute.kind == Attribute::Tensor)
    attribute.tensor = std::make_shared<Tensor>(
        readTensor(*proto.mutable_t(), folder, what + ": tensor"));
  return attribute;
}

/// "" and "ai.onnx" are the same domain.
std::string canonicalDomain(const std::string &domain) {
  return domain == "ai.onnx" ? std::string() : domain;
}

Node readNode(kzonnx::NodeProto &proto, size_t index, const fs::path &folder) {
  Node node;
  node.index = index;
  node.name = proto.name();
  node.opType = proto.op_type();
  node.domain = canonicalDomain(proto.domain());
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  std::string what =
      "node " + (node.name.empty() ? std::to_string(index) : quote(node.name)) +
      " (" + node.opType + ")";
  for (kzonnx::AttributeProto &attribute : *proto.mutable_attribute())
    node.attributes.push_back(readAttribute(attribute, folder, what));
  return node;
}

ValueInfo readValueInfo(const kzonnx::ValueInfoProto &proto) {
  ValueInfo info;
  info.name = proto.name();
  const kzonnx::TypeProto &type = proto.type();
  switch (type.value_case()) {
  case kzonnx::TypeProto::kTensorType:
    info.type = type.tensor_type().elem_type();
    info.hasShape = type.tensor_type().has_shape();
    for (const auto &dim : type.tensor_type().shape().dim()) {
      Dim &out = info.dims.emplace_back();
      // Some exporters write -1 for what they do not know.
      if (dim.has_dim_value() && dim.dim_value() >= 0)
        out.size = dim.dim_value();
      out.name = dim.dim_param();
    }
    break;
  case kzonnx::TypeProto::kSequenceType:
    info.otherKind = "sequence";
    break;
  case kzonnx::TypeProto::kMapType:
    info.otherKind = "map";
    break;
  case kzonnx::TypeProto::kSparseTensorType:
    info.otherKind = "sparse tensor";
    break;
  case kzonnx::TypeProto::kOptionalType:
    info.otherKind = "optional";
    break;
  case kzonnx::TypeProto::VALUE_NOT_SET:
    break;
  }
  return info;
}

void readChecked(const fs::path &path, Model &model) {
  uintmax_t size = regularFileSize(path, "the file");
  if (size == 0)
    fail("the file is empty, an ONNX model is needed");
  if (size > INT32_MAX)
    fail("the file has " + std::to_string(size) +
         " bytes, a protobuf holds at most 2147483647; larger models keep "
         "their weights as external data");
  kzonnx::ModelProto proto;
  {
    std::string bytes = readBytes(path, 0, size, "the file");
    if (!proto.ParseFromString(bytes))
      fail("the " + std::to_string(size) +
           " bytes of the file are no complete ONNX protobuf; it is cut off, "
           "damaged or of another format");
  }
  if (!proto.has_graph())
    fail("the model has no graph, one is needed");
  if (proto.ir_version() < 1)
    fail("the model has IR version " + std::to_string(proto.ir_version()) +
         ", 1 and more are accepted");
  model.irVersion = proto.ir_version();
  for (const auto &opset : proto.opset_import())
    model.opsets.emplace_back(canonicalDomain(opset.domain()), opset.version());
  for (const auto &function : proto.functions())
    model.functions.emplace_back(canonicalDomain(function.domain()),
                                 function.name());

  kzonnx::GraphProto &graph = *proto.mutable_graph();
  fs::path folder = path.parent_path().empty() ? "." : path.parent_path();
  model.graph.name = graph.name();
  for (const kzonnx::SparseTensorProto &sparse : graph.sparse_initializer())
    fail("initialiser " + quote(sparse.values().name()) +
         " is sparse, only dense ones are accepted");
  for (kzonnx::TensorProto &tensor : *graph.mutable_initializer())
    model.graph.initializers.push_back(
        readTensor(tensor, folder, "initialiser"));
  for (const kzonnx::ValueInfoProto &info : graph.input())
    model.graph.inputs.push_back(readValueInfo(info));
  for (const kzonnx::ValueInfoProto &info : graph.output())
    model.graph.outputs.push_back(readValueInfo(info));
  for (kzonnx::NodeProto &node : *graph.mutable_node())
    model.graph.nodes.push_back(
        readNode(node, model.graph.nodes.size(), folder));
}

} // namespace

bool readModel(const std::string &path, Model &model, std::string &error) {
  try {
    // Protobuf prints what it dislikes; our sentence says it.
    google::protobuf::LogSilencer silencer;
    readChecked(path, model);
    return true;
  } catch (const ReadError &exception) {
    error = exception.what();
  } catch (const std::bad_alloc &) {
    error = "there is not enough memory to read the model";
  } catch (const std::exception &exception) {
    error = std::string("the model cannot be read: ") + exception.what();
  }
  return false;
}

} // namespace kernelzero::onnx
