//===- Building.h - pieces that operators are built from --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One rule each for what many operators share: broadcasting, scalar bodies over
// elements, constants that are computed during the import, reshapes.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_ONNXIMPORT_BUILDING_H
#define KERNELZERO_ONNXIMPORT_BUILDING_H

#include "Operators.h"
#include "mlir/IR/AffineMap.h"

namespace kernelzero::onnx {

/// The value of a small constant, or null.
mlir::DenseElementsAttr getConstant(mlir::Value value);

/// The attribute of a tensor of the file: dense up to `denseConstantLimit`
/// bytes, a resource beyond, which takes the bytes away. `what` names the
/// tensor in `error`.
mlir::FailureOr<mlir::TypedAttr> convertTensor(mlir::MLIRContext *context,
                                               Tensor &tensor,
                                               const llvm::Twine &what,
                                               std::string &error);

mlir::Value createConstant(const NodeContext &context, mlir::TypedAttr value);

/// A constant tensor of i64 of rank 1, or of rank 0 for `scalar`.
mlir::Value createInts(const NodeContext &context,
                       llvm::ArrayRef<int64_t> values, bool scalar = false);

/// Whether the bytes of a tensor are few enough to compute it now.
bool isFoldable(mlir::RankedTensorType type);

/// A constant of `type` whose element i is element `source(i)` of `from`.
mlir::Value pickElements(const NodeContext &context,
                         mlir::RankedTensorType type,
                         mlir::DenseElementsAttr from,
                         llvm::function_ref<int64_t(int64_t)> source);

/// `tensor.empty` of a type.
mlir::Value createEmpty(const NodeContext &context,
                        mlir::RankedTensorType type);

/// `tensor.empty` filled with a number.
mlir::Value createFilled(const NodeContext &context,
                         mlir::RankedTensorType type, double value);

/// A scalar constant of a float or integer type.
mlir::Value createScalar(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type, double value);

/// Where arithmetic on `type` is done that must not round every step: 16-bit
/// floats in f32.
mlir::Type wideType(mlir::Type type);

/// Widens or rounds a float; other values only where the types are the same.
mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

/// The shape that all shapes broadcast to, by the rule of NumPy.
mlir::FailureOr<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// How a tensor of shape `from` is read for the elements of a result of shape
/// `to`, its first dimension at dimension `lead`; a size of 1 that stretches is
/// read at 0. Null where it does not broadcast.
mlir::AffineMap broadcastMap(mlir::MLIRContext *context,
                             llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to, size_t lead);
mlir::AffineMap broadcastMap(mlir::MLIRContext *context,
                             llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to);

using ScalarBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// One generic that computes each element of a tensor of `type` from the
/// operands read through `maps`. Operands that are one number throughout become
/// constants of the body, and where all operands are small constants the body
/// is evaluated now.
mlir::Value buildPointwise(const NodeContext &context,
                           llvm::ArrayRef<mlir::Value> operands,
                           llvm::ArrayRef<mlir::AffineMap> maps,
                           mlir::RankedTensorType type, ScalarBody body);

/// One generic that combines the elements of `operands`, read through `maps`
/// over loops of `sizes`, along the loops that `reduced` names. The body gets
/// what was combined so far last.
mlir::Value buildReduction(const NodeContext &context,
                           llvm::ArrayRef<mlir::Value> operands,
                           llvm::ArrayRef<mlir::AffineMap> maps,
                           llvm::ArrayRef<int64_t> sizes,
                           llvm::ArrayRef<bool> reduced, mlir::Type elementType,
                           double init, ScalarBody body);

/// The same elements in row-major order with another shape: constants anew,
/// others by at most one `tensor.collapse_shape` and one `tensor.expand_shape`.
mlir::Value buildReshape(const NodeContext &context, mlir::Value value,
                         llvm::ArrayRef<int64_t> shape);

/// Dimensions in the order of `permutation`.
mlir::Value buildTranspose(const NodeContext &context, mlir::Value value,
                           llvm::ArrayRef<int64_t> permutation);

/// A box of a tensor with steps of 1 and more; of a constant, any steps.
mlir::Value buildSlice(const NodeContext &context, mlir::Value value,
                       llvm::ArrayRef<int64_t> offsets,
                       llvm::ArrayRef<int64_t> sizes,
                       llvm::ArrayRef<int64_t> steps);

/// The product of sizes.
int64_t countElements(llvm::ArrayRef<int64_t> shape);

} // namespace kernelzero::onnx

#endif // KERNELZERO_ONNXIMPORT_BUILDING_H
