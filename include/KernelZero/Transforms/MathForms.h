//===- MathForms.h - our own transcendental functions ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_MATHFORMS_H
#define KERNELZERO_TRANSFORMS_MATHFORMS_H

#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
#include "mlir/IR/Value.h"

namespace mlir {
class Location;
class OpBuilder;
class Operation;
} // namespace mlir

namespace kernelzero {

/// Whose instructions a form may use.
enum class MathTarget { Host, NVIDIA };

/// Evaluates `function` of `x`, an f32 or a vector of f32, by the form of
/// `ulp`, as operations of arith and math (on NVIDIA also LLVM intrinsics, on
/// scalars). A null value where there is no such form; `explainUnknownForm`
/// says which there are. NaN stays NaN, infinities and signed zeros are exact
/// limits. Of "div" the value is the reciprocal of `x`.
mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::StringRef function, int64_t ulp, mlir::Value x,
                     MathTarget target);

/// Replaces math.exp, exp2, erf, tanh and, where a form other than the
/// correctly rounded one is chosen, arith.divf on f32, f16 and bf16 (computed
/// in f32) under `root` by the forms that the `kz.math` attributes around them
/// choose, the default form elsewhere. f64 stays. An error where an attribute
/// names a form that does not exist.
mlir::LogicalResult expandMath(mlir::Operation *root, MathTarget target);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_MATHFORMS_H
