//===- Scalar.h - what elementwise operators compute ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One row an operator: the arithmetic of one element, and a rule for its types.
// All that has to do with tensors is the same for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_ONNXIMPORT_SCALAR_H
#define KERNELZERO_ONNXIMPORT_SCALAR_H

#include "Operators.h"

namespace kernelzero::onnx {

struct ScalarRow;

/// One element on its way to arithmetic.
struct ScalarContext {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const NodeContext &node;
  /// What the element of the result is.
  mlir::Type resultType;

  mlir::Value constant(mlir::Type type, double value) const;
  /// A number of the type of another value.
  mlir::Value like(mlir::Value other, double value) const {
    return constant(other.getType(), value);
  }
};

/// The element of the result; values that the node leaves out are null.
using ScalarFunction = mlir::Value (*)(const ScalarContext &context,
                                       llvm::ArrayRef<mlir::Value> values);

/// The opset from which on something is accepted; `never` for not at all.
inline constexpr int64_t never = newestOpset + 1;

struct ScalarAttribute {
  const char *name;
  Attribute::Kind kind;
  int64_t since = 1, until = newestOpset;
};

struct ScalarRow {
  const char *name;
  ScalarFunction body;
  size_t minInputs, maxInputs;
  int64_t since;
  /// First opsets of element types: float16 to float64, bfloat16, integers,
  /// bool.
  int64_t floats, bfloat16, integers, booleans;
  /// `Result`: the type of the inputs. `Wide`: also computed in f32 where it is
  /// a 16-bit float, and rounded once. `Truth`: bool.
  enum Rule { Result, Wide, Truth, CastTo } rule;
  llvm::ArrayRef<ScalarAttribute> attributes = {};
  /// Inputs with a type of their own, as in `OperatorRow`.
  uint32_t otherInputs = 0;
  llvm::ArrayRef<ElementType> otherTypes = {};
  /// Checks attributes and types that the columns do not say.
  mlir::LogicalResult (*check)(const NodeContext &context) = nullptr;
};

/// All of them.
llvm::ArrayRef<ScalarRow> scalarRows();

} // namespace kernelzero::onnx

#endif // KERNELZERO_ONNXIMPORT_SCALAR_H
