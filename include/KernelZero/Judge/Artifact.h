//===- Artifact.h - code of a candidate as plain data ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_ARTIFACT_H
#define KERNELZERO_JUDGE_ARTIFACT_H

#include <cstdint>
#include <string>

namespace kernelzero {

/// What a slot makes of a schedule, for the process that measures it.
struct Artifact {
  std::string kind;     ///< `object`, `cubin`, `ptx`; empty: nothing to run.
  std::string code;     ///< Bytes.
  std::string launches; ///< A launch list as JSON; empty on the host.
  std::string hash;     ///< `Evidence::code`
  int64_t inputs = 0, outputs = 0;
  int64_t sharedBytes = 0, privateBytes = 0; ///< Workspace on the host.
};

/// One line of text, and back.
std::string toLine(const Artifact &artifact);
bool fromLine(const std::string &line, Artifact &artifact);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_ARTIFACT_H
