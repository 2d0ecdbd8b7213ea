//===- HostCode.h - code for the host -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_HOSTCODE_H
#define KERNELZERO_LIB_JUDGE_HOSTCODE_H

#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/HostLowering.h"

#include <optional>

namespace kernelzero {

/// Brings `scheduled` (level L1) to code for this processor, in place. Nothing,
/// and `tier` of the record fails, where it does not compile.
std::optional<HostObject>
buildForHost(mlir::ModuleOp scheduled, const HostLoweringOptions &options,
             int tier, const std::function<void(Stage)> &enter, Record &record);

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_HOSTCODE_H
