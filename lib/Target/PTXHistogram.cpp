//===- PTXHistogram.cpp - which instructions PTX holds --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace kernelzero;

/// `opcode` without its types, cache operators and shapes where only the kind
/// of an instruction is asked for; empty where the kind says little.
static std::string getKind(StringRef opcode) {
  static constexpr StringLiteral kinds[] = {
      "mma.sync",      "wgmma.mma_async", "ldmatrix",
      "stmatrix",      "cp.async.bulk",   "cp.async.commit_group",
      "cp.async.wait", "cp.async",        "bar.sync",
      "barrier.sync",  "mbarrier",        "shfl.sync",
      "setmaxnreg",    "ex2.approx",      "tanh.approx",
      "fma.rn.f32",    "fma.rn.f64"};
  for (StringRef kind : kinds)
    if (opcode.starts_with(kind))
      return kind.str();
  for (StringRef access : {"ld.global", "st.global", "ld.shared", "st.shared",
                           "ld.local", "st.local"}) {
    if (!opcode.starts_with(access))
      continue;
    for (StringRef vector : {".v2", ".v4", ".v8"})
      if (opcode.contains(vector))
        return (access + vector).str();
    return access.str();
  }
  return "";
}

std::map<std::string, int64_t> kernelzero::countInstructions(StringRef ptx,
                                                             bool brief) {
  std::map<std::string, int64_t> counts;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  bool inBody = false;
  for (StringRef line : lines) {
    line = line.trim();
    if (line == "{" || line == "}") {
      inBody = line == "{";
      continue;
    }
    // Labels, directives and comments.
    if (!inBody || line.empty() || line.starts_with("//") ||
        line.starts_with(".") || line.starts_with("$") || line.ends_with(":"))
      continue;
    if (line.starts_with("@")) // A predicate.
      line = line.split(' ').second.ltrim();
    if (!isAlpha(line.front()))
      continue;
    StringRef opcode =
        line.take_while([](char c) { return !isSpace(c) && c != ';'; });
    std::string key = brief ? getKind(opcode) : opcode.str();
    if (!key.empty())
      ++counts[key];
  }
  return counts;
}
