//===- Elementwise.cpp - operators that work element by element -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

namespace kernelzero::onnx {

using ElementBody = llvm::function_ref<Value(OpBuilder &, Location, Value)>;

/// One generic that applies `body` to each element of the only input.
static LogicalResult buildUnary(const NodeContext &context,
                                SmallVectorImpl<Value> &results,
                                ElementBody body) {
  RankedTensorType type = context.inputType(0);
  AffineMap identity = context.builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      context.builder, context.loc, TypeRange(type), context.input(0),
      createEmpty(context, type), ArrayRef<AffineMap>{identity, identity},
      loops, [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc,
                                body(builder, loc, arguments.front()));
      });
  results.push_back(generic.getResult(0));
  return success();
}

/// The larger of x and +0: NaN stays NaN, -0 becomes +0.
static LogicalResult buildRelu(const NodeContext &context,
                               SmallVectorImpl<Value> &results) {
  return buildUnary(context, results,
                    [](OpBuilder &builder, Location loc, Value x) -> Value {
                      auto type = cast<FloatType>(x.getType());
                      Value zero = arith::ConstantOp::create(
                          builder, loc, builder.getFloatAttr(type, 0.0));
                      return arith::MaximumFOp::create(builder, loc, x, zero);
                    });
}

// Opset 1 had a hint for storage that later ones dropped; it has no meaning.
static const AttributeRow reluOne[] = {{"consumed_inputs", Attribute::Ints}};
static const ElementType floats[] = {Float16, Float32, Float64};
static const ElementType floatsBf16[] = {BFloat16, Float16, Float32, Float64};

ArrayRef<OperatorRow> elementwiseOperators() {
  static const OperatorRow rows[] = {
      {"", "Relu", 1, 5, 1, 1, 1, reluOne, floats, buildRelu},
      {"", "Relu", 6, 12, 1, 1, 1, {}, floats, buildRelu},
      {"", "Relu", 13, newestOpset, 1, 1, 1, {}, floatsBf16, buildRelu},
  };
  return rows;
}

} // namespace kernelzero::onnx
