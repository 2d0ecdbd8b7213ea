//===- Movement.h - what moves elements, in the forms of L0 ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_MOVEMENT_H
#define KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_MOVEMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace kernelzero {

/// Makes generics of concatenations, insertions, paddings, and of slices with
/// other steps than 1.
void rewriteMovement(mlir::func::FuncOp function);

/// A generic that copies `value`.
mlir::Value createCopy(mlir::OpBuilder &builder, mlir::Value value);

/// A generic that reads what `slice` holds.
mlir::Value createGather(mlir::OpBuilder &builder,
                         mlir::tensor::ExtractSliceOp slice);

} // namespace kernelzero

#endif // KERNELZERO_LIB_TRANSFORMS_EXTRACTTASKS_MOVEMENT_H
