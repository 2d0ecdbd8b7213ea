//===- Grouping.h - which operations are one task -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_GROUPING_H
#define KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_GROUPING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace kernelzero {

/// Operations of one task, in order.
using Group = llvm::SetVector<mlir::Operation *>;

/// The groups of `function`, in order.
mlir::SmallVector<Group> findGroups(mlir::func::FuncOp function);

/// Values of the first `count` operations of `group` that something outside of
/// them reads.
mlir::SmallVector<mlir::Value> getEscaping(const Group &group, size_t count);

} // namespace kernelzero

#endif // KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_GROUPING_H
