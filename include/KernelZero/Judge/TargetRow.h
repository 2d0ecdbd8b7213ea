//===- TargetRow.h - rows of the target table as plain data ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_TARGETROW_H
#define KERNELZERO_JUDGE_TARGETROW_H

#include "KernelZero/Record/Protocol.h"
#include "KernelZero/Target/TargetTable.h"

namespace kernelzero {

/// Every fact of `target` by the name of its field.
TargetRow toRow(const Target &target);

/// The target that `row` describes; it lives as long as the process. Null and a
/// sentence where the row names a fact that this program does not know, or
/// lacks one: the other end is of another version.
const Target *fromRow(const TargetRow &row, std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_TARGETROW_H
