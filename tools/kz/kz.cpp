//===- kz.cpp - All programs in one ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Runs the program that argv[0] names (a link such as kz-opt), or else the one
// that the first argument names: `kz kz-opt …` and `kz opt …` are the same.
#include "KernelZero/Version.h"
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace kernelzero {
#define KZ_TOOL(NAME, ENTRY) int ENTRY(int argc, char **argv);
#include "KZTools.def"
#undef KZ_TOOL
} // namespace kernelzero

namespace {
struct Tool {
  const char *name;
  int (*entry)(int argc, char **argv);
};
const Tool tools[] = {
#define KZ_TOOL(NAME, ENTRY) {NAME, kernelzero::ENTRY},
#include "KZTools.def"
#undef KZ_TOOL
};

const Tool *findTool(const std::string &name) {
  for (const Tool &tool : tools)
    if (name == tool.name || "kz-" + name == tool.name)
      return &tool;
  return nullptr;
}

std::string listTools() {
  std::string list;
  for (const Tool &tool : tools)
    list += (list.empty() ? "" : ", ") + std::string(tool.name);
  return list;
}
} // namespace

int main(int argc, char **argv) {
  std::string self = argc ? argv[0] : "kz";
  self = self.substr(self.rfind('/') + 1);
  if (self != "kz")
    if (const Tool *tool = findTool(self))
      return tool->entry(argc, argv);

  std::string first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "--version") {
    std::printf("kz, all programs of KernelZero %s in one\n\n"
                "usage: kz PROGRAM ARGUMENTS..., or a link to kz named as the "
                "program\nprograms: %s\n",
                KERNELZERO_VERSION, listTools().c_str());
    return 0;
  }
  const Tool *tool = findTool(first);
  if (!tool) {
    std::fprintf(stderr, "kz: %s; expected one of %s\n",
                 first.empty() ? "no program is named"
                               : ("unknown program '" + first + "'").c_str(),
                 listTools().c_str());
    return 1;
  }
  // A program that starts itself again (a worker) must find its own name.
  std::vector<char *> args(argv + 1, argv + argc);
  std::string name = tool->name;
  args[0] = name.data();
  args.push_back(nullptr);
  return tool->entry(argc - 1, args.data());
}
