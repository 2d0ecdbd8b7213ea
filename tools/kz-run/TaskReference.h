//===- TaskReference.h - what a task of level L0 should give --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TOOLS_KZ_RUN_TASKREFERENCE_H
#define KERNELZERO_TOOLS_KZ_RUN_TASKREFERENCE_H

#include "gpu_case.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelzero::bench {

/// A copy of `module` where it holds one task of level L0, to be evaluated
/// later; null otherwise.
mlir::OwningOpRef<mlir::ModuleOp> cloneTask(mlir::ModuleOp module);

/// Evaluates the task of `module` in double precision and compares every
/// element of its results. `buffers` are its arguments, then its results. False
/// and a sentence in `error` where the reference does not know the task.
bool compareWithTask(mlir::ModuleOp module, llvm::ArrayRef<HostBuffer> buffers,
                     Comparison &result, std::string &error);

} // namespace kernelzero::bench

#endif // KERNELZERO_TOOLS_KZ_RUN_TASKREFERENCE_H
