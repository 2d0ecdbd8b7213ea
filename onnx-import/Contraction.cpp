//===- Contraction.cpp - operators that multiply and sum ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

namespace kernelzero::onnx {

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
  auto sumElement = cast<FloatType>(wideType(element));
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
          Value c = convertFloat(body, bodyLoc, values[1], sumElement);
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

//===----------------------------------------------------------------------===//
// MatMul
//===----------------------------------------------------------------------===//

/// Replaces the result of a transpose of the two innermost dimensions by what
/// is transposed.
static bool takeTranspose(Value &value) {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose)
    return false;
  SmallVector<int64_t> permutation(transpose.getPermutation());
  size_t rank = permutation.size();
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  if (!llvm::is_sorted(permutation))
    return false;
  value = transpose.getInput();
  return true;
}

/// A product as NumPy's `matmul`. Dimensions before the last two are batches;
/// one that only the left operand has counts as its rows, so a product with one
/// matrix for all batches is a `linalg.matmul`, one with as many is a
/// `linalg.batch_matmul`, and where sizes of 1 stretch in between, a generic
/// that reads each operand without them.
static LogicalResult buildMatMul(const NodeContext &context,
                                 SmallVectorImpl<Value> &results) {
  OpBuilder &builder = context.builder;
  MLIRContext *mlir = builder.getContext();
  SmallVector<int64_t> shapes[2];
  for (size_t side = 0; side < 2; ++side) {
    shapes[side] = llvm::to_vector(context.inputType(side).getShape());
    if (shapes[side].empty())
      return context.fail(context.inputText(side) +
                          " is a scalar, rank 1 and more are accepted");
  }
  std::string text = shapeText({shapes[0].begin(), shapes[0].end()}) + " and " +
                     shapeText({shapes[1].begin(), shapes[1].end()});
  // A vector is a row on the left and a column on the right.
  bool isRow = shapes[0].size() == 1, isColumn = shapes[1].size() == 1;
  if (isRow)
    shapes[0].insert(shapes[0].begin(), 1);
  if (isColumn)
    shapes[1].push_back(1);
  ArrayRef<int64_t> matrixA = ArrayRef(shapes[0]).take_back(2);
  ArrayRef<int64_t> matrixB = ArrayRef(shapes[1]).take_back(2);
  int64_t m = matrixA[0], k = matrixA[1], n = matrixB[1];
  if (k != matrixB[0])
    return context.fail("inner sizes differ, the operands are " + text +
                        "; equal ones are accepted");
  SmallVector<int64_t> batchA(ArrayRef(shapes[0]).drop_back(2));
  SmallVector<int64_t> batchB(ArrayRef(shapes[1]).drop_back(2));
  FailureOr<SmallVector<int64_t>> batches =
      broadcastShapes({ArrayRef<int64_t>(batchA), ArrayRef<int64_t>(batchB)});
  if (failed(batches))
    return context.fail("the batches of " + text + " do not broadcast");
  batchA.insert(batchA.begin(), batches->size() - batchA.size(), 1);
  batchB.insert(batchB.begin(), batches->size() - batchB.size(), 1);

  SmallVector<int64_t> shape(*batches);
  if (!isRow)
    shape.push_back(m);
  if (!isColumn)
    shape.push_back(n);
  Type element = context.inputType(0).getElementType();
  Type sumElement = wideType(element);
  FailureOr<RankedTensorType> type = context.resultType(shape, sumElement);
  if (failed(type))
    return failure();

  // Batches of more than one, and which operand has them.
  SmallVector<int64_t> sizes, ofA, ofB;
  for (auto [dim, size] : llvm::enumerate(*batches)) {
    if (size == 1)
      continue;
    if (batchA[dim] != 1)
      ofA.push_back(sizes.size());
    if (batchB[dim] != 1)
      ofB.push_back(sizes.size());
    sizes.push_back(size);
  }
  int64_t numBatches = sizes.size();
  // A transpose of the two inner dimensions becomes a map of the product.
  auto create = [&](auto op, ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                    ArrayRef<int64_t> result) -> Value {
    auto resultType = RankedTensorType::get(result, sumElement);
    Value left = buildReshape(context, context.input(0), a);
    Value right = buildReshape(context, context.input(1), b);
    bool swapsLeft = takeTranspose(left), swapsRight = takeTranspose(right);
    auto created = decltype(op)::create(
        builder, context.loc, TypeRange(resultType), ValueRange{left, right},
        ValueRange{createFilled(context, resultType, 0)});
    if (swapsLeft || swapsRight) {
      unsigned outer = result.size() - 2;
      auto map = [&](unsigned row, unsigned column, bool swaps) {
        SmallVector<AffineExpr> exprs;
        for (unsigned dim = 0; dim < outer; ++dim)
          exprs.push_back(builder.getAffineDimExpr(dim));
        exprs.push_back(builder.getAffineDimExpr(outer + row));
        exprs.push_back(builder.getAffineDimExpr(outer + column));
        if (swaps)
          std::swap(exprs[outer], exprs[outer + 1]);
        return AffineMap::get(outer + 3, 0, exprs, mlir);
      };
      created.setIndexingMapsAttr(builder.getAffineMapArrayAttr(
          {map(0, 2, swapsLeft), map(2, 1, swapsRight), map(0, 1, false)}));
    }
    return created->getResult(0);
  };
  Value product;
  int64_t count = countElements(sizes);
  if (ofB.empty()) {
    product =
        create(linalg::MatmulOp(), {count * m, k}, {k, n}, {count * m, n});
  } else if (ofA.size() == sizes.size() && ofB.size() == sizes.size()) {
    product = create(linalg::BatchMatmulOp(), {count, m, k}, {count, k, n},
                     {count, m, n});
  } else {
    AffineExpr row = getAffineDimExpr(numBatches, mlir);
    AffineExpr column = getAffineDimExpr(numBatches + 1, mlir);
    AffineExpr inner = getAffineDimExpr(numBatches + 2, mlir);
    SmallVector<int64_t> resultShape(sizes), all;
    resultShape.append({m, n});
    for (int64_t dim = 0; dim < numBatches; ++dim)
      all.push_back(dim);
    SmallVector<AffineMap> maps;
    SmallVector<Value> operands;
    auto addMap = [&](ArrayRef<int64_t> dims, AffineExpr first,
                      AffineExpr second) {
      SmallVector<AffineExpr> exprs;
      for (int64_t dim : dims)
        exprs.push_back(getAffineDimExpr(dim, mlir));
      exprs.append({first, second});
      maps.push_back(AffineMap::get(numBatches + 3, 0, exprs, mlir));
    };
    auto addOperand = [&](size_t index, ArrayRef<int64_t> dims,
                          ArrayRef<int64_t> matrix) {
      SmallVector<int64_t> operandShape;
      for (int64_t dim : dims)
        operandShape.push_back(sizes[dim]);
      operandShape.append(matrix.begin(), matrix.end());
      operands.push_back(
          buildReshape(context, context.input(index), operandShape));
    };
    addOperand(0, ofA, {m, k});
    addOperand(1, ofB, {k, n});
    addMap(ofA, row, inner);
    addMap(ofB, inner, column);
    addMap(all, row, column);
    SmallVector<utils::IteratorType> loops(numBatches + 2,
                                           utils::IteratorType::parallel);
    loops.push_back(utils::IteratorType::reduction);
    auto resultType = RankedTensorType::get(resultShape, sumElement);
    product = linalg::GenericOp::create(
                  builder, context.loc, TypeRange(resultType), operands,
                  createFilled(context, resultType, 0), maps, loops,
                  [&](OpBuilder &body, Location loc, ValueRange values) {
                    Value sum;
                    if (isa<FloatType>(element)) {
                      Value a = convertFloat(body, loc, values[0], sumElement);
                      Value b = convertFloat(body, loc, values[1], sumElement);
                      Value ab = arith::MulFOp::create(body, loc, a, b);
                      sum = arith::AddFOp::create(body, loc, values[2], ab);
                    } else {
                      Value ab = arith::MulIOp::create(body, loc, values[0],
                                                       values[1]);
                      sum = arith::AddIOp::create(body, loc, values[2], ab);
                    }
                    linalg::YieldOp::create(body, loc, sum);
                  })
                  .getResult(0);
  }
  if (sumElement != element) {
    auto sums = cast<RankedTensorType>(product.getType());
    product = buildPointwise(
        context, product, builder.getMultiDimIdentityMap(sums.getRank()),
        RankedTensorType::get(sums.getShape(), element),
        [&](OpBuilder &body, Location loc, ValueRange values) {
          return convertFloat(body, loc, values[0], element);
        });
  }
  results.push_back(buildReshape(context, product, shape));
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
// Products of integers came with opset 9.
static const ElementType matmulNine[] = {Float16, Float32, Float64, Int32,
                                         Int64};
static const ElementType matmulThirteen[] = {BFloat16, Float16, Float32,
                                             Float64,  Int32,   Int64};

ArrayRef<OperatorRow> contractionOperators() {
  static const OperatorRow rows[] = {
      {"", "Gemm", 1, 6, 3, 3, 1, gemmBroadcast, floatTypes, buildGemm},
      {"", "Gemm", 7, 10, 3, 3, 1, gemm, floatTypes, buildGemm},
      {"", "Gemm", 11, 12, 2, 3, 1, gemm, floatTypes, buildGemm},
      {"", "Gemm", 13, newestOpset, 2, 3, 1, gemm, floatBf16Types, buildGemm},
      {"", "MatMul", 1, 8, 2, 2, 1, {}, floatTypes, buildMatMul},
      {"", "MatMul", 9, 12, 2, 2, 1, {}, matmulNine, buildMatMul},
      {"", "MatMul", 13, newestOpset, 2, 2, 1, {}, matmulThirteen, buildMatMul},
  };
  return rows;
}

} // namespace kernelzero::onnx
