//===- Contraction.cpp - operators that multiply and sum ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

namespace kernelzero::onnx {

/// Where sums of products of `type` are held: 16-bit floats in f32.
static FloatType accumulatorType(FloatType type) {
  return type.getWidth() == 16 ? Float32Type::get(type.getContext()) : type;
}

static Value extend(OpBuilder &builder, Location loc, Value value,
                    FloatType type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(builder, loc, type, value);
}

/// `factor` * `value`; the factor is an f32 attribute, exact in f64 too.
static Value scale(OpBuilder &builder, Location loc, float factor,
                   Value value) {
  if (factor == 1.0f)
    return value;
  auto type = cast<FloatType>(value.getType());
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(type, double(factor)));
  return arith::MulFOp::create(builder, loc, value, constant);
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

/// How C of shape `from` is read for element (m, n) of a result of shape `to`,
/// or a null map where it does not broadcast. A size of 1 that stretches is
/// read at 0.
static AffineMap broadcastMap(MLIRContext *context, ArrayRef<int64_t> from,
                              ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return {};
  SmallVector<AffineExpr> exprs;
  size_t lead = to.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k) {
    if (from[k] == to[lead + k])
      exprs.push_back(getAffineDimExpr(lead + k, context));
    else if (from[k] == 1)
      exprs.push_back(getAffineConstantExpr(0, context));
    else
      return {};
  }
  return AffineMap::get(to.size(), 0, exprs, context);
}

/// alpha * A' * B' + beta * C. The product is a fill and a `linalg.matmul`
/// whose maps hold the transposes; one generic behind it does the rest, in the
/// type of the sums, and is left out where there is nothing to do. With a beta
/// of 0 C is not read at all.
static LogicalResult buildGemm(const NodeContext &context,
                               SmallVectorImpl<Value> &results) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  MLIRContext *mlir = builder.getContext();
  for (size_t k = 0; k < 2; ++k) {
    RankedTensorType type = context.inputType(k);
    if (type.getRank() != 2)
      return context.fail(context.inputText(k) + " has shape " +
                          shapeText(type.getShape().vec()) + " of rank " +
                          Twine(type.getRank()) + ", rank 2 is accepted");
  }
  bool transA = context.intAttribute("transA", 0) != 0;
  bool transB = context.intAttribute("transB", 0) != 0;
  float alpha = context.floatAttribute("alpha", 1.0f);
  float beta = context.floatAttribute("beta", 1.0f);

  ArrayRef<int64_t> shapeA = context.inputType(0).getShape();
  ArrayRef<int64_t> shapeB = context.inputType(1).getShape();
  int64_t m = shapeA[transA], k = shapeA[!transA];
  int64_t n = shapeB[!transB];
  if (k != shapeB[transB])
    return context.fail(
        "inner sizes differ, A is " + shapeText(shapeA.vec()) +
        (transA ? " transposed" : "") + " and B is " + shapeText(shapeB.vec()) +
        (transB ? " transposed" : "") + "; equal ones are accepted");

  auto element = cast<FloatType>(context.inputType(0).getElementType());
  FloatType sumElement = accumulatorType(element);
  FailureOr<RankedTensorType> type = context.resultType({m, n}, element);
  FailureOr<RankedTensorType> sumType = context.resultType({m, n}, sumElement);
  if (failed(type) || failed(sumType))
    return failure();

  AffineMap mapC;
  if (Value c = context.input(2)) {
    ArrayRef<int64_t> shapeC = context.inputType(2).getShape();
    // Until opset 6 stretching had to be asked for.
    bool stretch =
        context.opset >= 7 || context.intAttribute("broadcast", 0) != 0;
    mapC = broadcastMap(mlir, shapeC, {m, n});
    if (!stretch && shapeC != ArrayRef<int64_t>({m, n}))
      return context.fail(context.inputText(2) + " has shape " +
                          shapeText(shapeC.vec()) + ", without broadcast " +
                          shapeText({m, n}) + " is accepted");
    if (!mapC)
      return context.fail(
          context.inputText(2) + " has shape " + shapeText(shapeC.vec()) +
          ", accepted is what broadcasts to " + shapeText({m, n}));
  }
  bool addC = mapC && beta != 0.0f;

  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getFloatAttr(sumElement, 0.0));
  Value init =
      linalg::FillOp::create(builder, loc, zero, createEmpty(context, *sumType))
          .getResult(0);
  AffineExpr dm, dn, dk;
  bindDims(mlir, dm, dn, dk);
  auto matmul = linalg::MatmulOp::create(
      builder, loc, TypeRange(*sumType),
      ValueRange{context.input(0), context.input(1)}, ValueRange{init});
  if (transA || transB) {
    auto map = [&](AffineExpr row, AffineExpr column, bool transposed) {
      return transposed ? AffineMap::get(3, 0, {column, row}, mlir)
                        : AffineMap::get(3, 0, {row, column}, mlir);
    };
    matmul.setIndexingMapsAttr(builder.getAffineMapArrayAttr(
        {map(dm, dk, transA), map(dk, dn, transB), map(dm, dn, false)}));
  }
  Value result = matmul.getResult(0);
  if (alpha == 1.0f && !addC && sumElement == element) {
    results.push_back(result);
    return success();
  }

  SmallVector<Value> operands = {result};
  AffineMap identity = builder.getMultiDimIdentityMap(2);
  SmallVector<AffineMap> maps = {identity};
  if (addC) {
    operands.push_back(context.input(2));
    maps.push_back(mapC);
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  auto epilogue = linalg::GenericOp::create(
      builder, loc, TypeRange(*type), operands, createEmpty(context, *type),
      maps, loops, [&](OpBuilder &body, Location bodyLoc, ValueRange values) {
        Value sum = scale(body, bodyLoc, alpha, values[0]);
        if (addC) {
          Value c = extend(body, bodyLoc, values[1], sumElement);
          sum = arith::AddFOp::create(body, bodyLoc, sum,
                                      scale(body, bodyLoc, beta, c));
        }
        if (sumElement != element)
          sum = arith::TruncFOp::create(body, bodyLoc, element, sum);
        linalg::YieldOp::create(body, bodyLoc, sum);
      });
  results.push_back(epilogue.getResult(0));
  return success();
}

static const AttributeRow gemm[] = {{"alpha", Attribute::Float},
                                    {"beta", Attribute::Float},
                                    {"transA", Attribute::Int},
                                    {"transB", Attribute::Int}};
static const AttributeRow gemmBroadcast[] = {{"alpha", Attribute::Float},
                                             {"beta", Attribute::Float},
                                             {"transA", Attribute::Int},
                                             {"transB", Attribute::Int},
                                             {"broadcast", Attribute::Int}};
static const ElementType floats[] = {Float16, Float32, Float64};
static const ElementType floatsBf16[] = {BFloat16, Float16, Float32, Float64};

ArrayRef<OperatorRow> contractionOperators() {
  static const OperatorRow rows[] = {
      {"", "Gemm", 1, 6, 3, 3, 1, gemmBroadcast, floats, buildGemm},
      {"", "Gemm", 7, 10, 3, 3, 1, gemm, floats, buildGemm},
      {"", "Gemm", 11, 12, 2, 3, 1, gemm, floats, buildGemm},
      {"", "Gemm", 13, newestOpset, 2, 3, 1, gemm, floatsBf16, buildGemm},
  };
  return rows;
}

} // namespace kernelzero::onnx
