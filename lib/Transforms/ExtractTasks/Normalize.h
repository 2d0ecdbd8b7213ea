//===- Normalize.h - the one form in which models are cut -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_NORMALIZE_H
#define KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_NORMALIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace kernelzero {

/// Whether `op` is computing work of static shape that a schedule can place.
bool isWork(mlir::Operation *op);

/// Whether `op` has parallel loops only and reads whole tensors by them.
bool isPointwise(mlir::linalg::LinalgOp op);

/// Whether `op` reads a tensor at coordinates that its region computes, or asks
/// for loop indices in another way.
bool usesIndices(mlir::linalg::LinalgOp op);

/// Whether `slice` is a view that a task may begin with: static, steps of 1.
bool isView(mlir::tensor::ExtractSliceOp slice);

/// Brings `function` into the form that grouping looks for: everything that
/// moves elements is a generic or a slice that generics read, dimensions of
/// size 1 are gone, reshapes have moved out of chains of operations.
mlir::LogicalResult normalizeModel(mlir::func::FuncOp function);

/// Makes one operation of pointwise ones of `task` that only the next one
/// reads, over the same loops.
void mergePointwise(mlir::func::FuncOp task);

} // namespace kernelzero

#endif // KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_NORMALIZE_H
