//===- Reduction.cpp - operators that combine along dimensions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All of them are generics that reduce in f32 (f64 for f64) and drop the
// reduced dimensions, and generics that read those results along the dimensions
// that are left.
//
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>
#include <optional>

using namespace mlir;

namespace kernelzero::onnx {

using Results = SmallVectorImpl<Value>;

namespace {

/// A tensor, what of its dimensions is reduced, and how tensors are read in
/// loops over all of them.
struct Rows {
  Rows(const NodeContext &context, ArrayRef<bool> reduced)
      : context(context), type(context.inputType(0)),
        reduced(reduced.begin(), reduced.end()),
        wide(wideType(type.getElementType())) {
    MLIRContext *mlir = context.builder.getContext();
    all = AffineMap::getMultiDimIdentityMap(type.getRank(), mlir);
    SmallVector<AffineExpr> left;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (reduced[dim]) {
        length *= size;
        continue;
      }
      left.push_back(getAffineDimExpr(dim, mlir));
      keptShape.push_back(size);
    }
    kept = AffineMap::get(type.getRank(), 0, left, mlir);
  }

  Value reduce(ArrayRef<Value> operands, ArrayRef<AffineMap> maps, double init,
               ScalarBody body) const {
    return buildReduction(context, operands, maps, type.getShape(), reduced,
                          wide, init, body);
  }

  /// A generic over what is left, from a reduced tensor.
  Value finish(Value value, Type element, ScalarBody body) const {
    return buildPointwise(
        context, value,
        AffineMap::getMultiDimIdentityMap(keptShape.size(), all.getContext()),
        RankedTensorType::get(keptShape, element), body);
  }

  Value overAll(ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                Type element, ScalarBody body) const {
    return buildPointwise(context, operands, maps,
                          RankedTensorType::get(type.getShape(), element),
                          body);
  }

  const NodeContext &context;
  RankedTensorType type;
  SmallVector<bool> reduced;
  Type wide;
  AffineMap all, kept;
  SmallVector<int64_t> keptShape;
  int64_t length = 1;
};

} // namespace

static Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}
static Value multiply(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::MulFOp::create(builder, loc, a, b);
  return arith::MulIOp::create(builder, loc, a, b);
}
static Value magnitude(OpBuilder &builder, Location loc, Value a) {
  if (isa<FloatType>(a.getType()))
    return math::AbsFOp::create(builder, loc, a);
  return math::AbsIOp::create(builder, loc, a);
}
static Value divide(OpBuilder &builder, Location loc, Value a, int64_t by) {
  Value divisor = createScalar(builder, loc, a.getType(), by);
  if (isa<FloatType>(a.getType()))
    return arith::DivFOp::create(builder, loc, a, divisor);
  return arith::DivSIOp::create(builder, loc, a, divisor);
}
static Value larger(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::MaximumFOp::create(builder, loc, a, b);
  return arith::MaxSIOp::create(builder, loc, a, b);
}
static Value smaller(OpBuilder &builder, Location loc, Value a, Value b) {
  if (isa<FloatType>(a.getType()))
    return arith::MinimumFOp::create(builder, loc, a, b);
  return arith::MinSIOp::create(builder, loc, a, b);
}
static Value widen(OpBuilder &builder, Location loc, Value a) {
  return isa<FloatType>(a.getType())
             ? convertFloat(builder, loc, a, wideType(a.getType()))
             : a;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static Value buildMax(const Rows &rows) {
  return rows.reduce(rows.context.input(0), rows.all,
                     -std::numeric_limits<double>::infinity(),
                     [](OpBuilder &b, Location loc, ValueRange v) {
                       return larger(b, loc, widen(b, loc, v[0]), v[1]);
                     });
}

static Value buildSum(const Rows &rows, Value value) {
  return rows.reduce(value, rows.all, 0,
                     [](OpBuilder &b, Location loc, ValueRange v) {
                       return add(b, loc, widen(b, loc, v[0]), v[1]);
                     });
}

/// The difference of the input to a reduced tensor.
static Value difference(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::SubFOp::create(b, loc, widen(b, loc, x), y);
}

/// Maximum, exponential of the difference, sum, quotient. Until opset 12 all
/// dimensions from `axis` on count as one.
static LogicalResult buildSoftmax(const NodeContext &context,
                                  Results &results) {
  RankedTensorType type = context.inputType(0);
  bool flattens = context.opset < 13;
  int64_t given = context.intAttribute("axis", flattens ? 1 : -1);
  SmallVector<bool> reduced(type.getRank(), false);
  if (!(flattens && given == type.getRank())) {
    FailureOr<int64_t> axis = context.checkAxis(given, type.getRank());
    if (failed(axis))
      return failure();
    reduced[*axis] = true;
    if (flattens)
      std::fill(reduced.begin() + *axis, reduced.end(), true);
  }
  Rows rows(context, reduced);
  Value x = context.input(0), max = buildMax(rows);
  Value exponentials = rows.overAll(
      {x, max}, {rows.all, rows.kept}, rows.wide,
      [](OpBuilder &b, Location loc, ValueRange v) -> Value {
        return math::ExpOp::create(b, loc, difference(b, loc, v[0], v[1]));
      });
  Value sum = buildSum(rows, exponentials);
  Type element = type.getElementType();
  if (context.node.opType == "Softmax") {
    results.push_back(
        rows.overAll({exponentials, sum}, {rows.all, rows.kept}, element,
                     [&](OpBuilder &b, Location loc, ValueRange v) {
                       Value y = arith::DivFOp::create(b, loc, v[0], v[1]);
                       return convertFloat(b, loc, y, element);
                     }));
    return success();
  }
  Value logarithm = rows.finish(
      sum, rows.wide, [](OpBuilder &b, Location loc, ValueRange v) -> Value {
        return math::LogOp::create(b, loc, v[0]);
      });
  results.push_back(rows.overAll({x, max, logarithm},
                                 {rows.all, rows.kept, rows.kept}, element,
                                 [&](OpBuilder &b, Location loc, ValueRange v) {
                                   Value y = difference(b, loc, v[0], v[1]);
                                   y = arith::SubFOp::create(b, loc, y, v[2]);
                                   return convertFloat(b, loc, y, element);
                                 }));
  return success();
}

//===----------------------------------------------------------------------===//
// Norms of rows
//===----------------------------------------------------------------------===//

/// Mean, variance about it, reciprocal root, and one generic for the rest; RMS
/// norms have no mean. Mean and reciprocal root are results too.
static LogicalResult buildNorm(const NodeContext &context, Results &results) {
  OpBuilder &builder = context.builder;
  RankedTensorType type = context.inputType(0);
  bool centred = context.node.opType == "LayerNormalization";
  FailureOr<int64_t> axis =
      context.checkAxis(context.intAttribute("axis", -1), type.getRank());
  if (failed(axis))
    return failure();
  if (int64_t stash = context.intAttribute("stash_type", Float32);
      stash != Float32)
    return context.fail("attribute 'stash_type' is " + Twine(stash) +
                        ", 1 (float32) is accepted");
  SmallVector<bool> reduced(type.getRank(), false);
  std::fill(reduced.begin() + *axis, reduced.end(), true);
  Rows rows(context, reduced);
  SmallVector<Value> operands = {context.input(0)};
  SmallVector<AffineMap> maps = {rows.all};
  for (size_t k : {1, 2}) {
    if (!context.input(k))
      continue;
    ArrayRef<int64_t> shape = context.inputType(k).getShape();
    AffineMap map = broadcastMap(builder.getContext(), shape, type.getShape());
    if (!map)
      return context.fail(context.inputText(k) + " has shape " +
                          shapeText(shape.vec()) +
                          ", accepted is what broadcasts to " +
                          shapeText(type.getShape().vec()));
    operands.push_back(context.input(k));
    maps.push_back(map);
  }

  Value x = context.input(0), mean;
  if (centred) {
    mean = rows.finish(buildSum(rows, x), rows.wide,
                       [&](OpBuilder &b, Location loc, ValueRange v) {
                         return divide(b, loc, v[0], rows.length);
                       });
    operands.insert(operands.begin() + 1, mean);
    maps.insert(maps.begin() + 1, rows.kept);
  }
  size_t used = centred ? 2 : 1;
  Value squares = rows.reduce(
      ArrayRef(operands).take_front(used), ArrayRef(maps).take_front(used), 0,
      [&](OpBuilder &b, Location loc, ValueRange v) {
        Value d =
            centred ? difference(b, loc, v[0], v[1]) : widen(b, loc, v[0]);
        return add(b, loc, multiply(b, loc, d, d), v[used]);
      });
  double epsilon = context.floatAttribute("epsilon", 1e-5f);
  Value root = rows.finish(
      squares, rows.wide,
      [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
        Value variance = divide(b, loc, v[0], rows.length);
        Value shift = createScalar(b, loc, rows.wide, epsilon);
        return math::RsqrtOp::create(b, loc, add(b, loc, variance, shift));
      });
  operands.insert(operands.begin() + used, root);
  maps.insert(maps.begin() + used, rows.kept);
  Type element = type.getElementType();
  bool shifts = bool(context.input(2));
  results.push_back(rows.overAll(
      operands, maps, element, [&](OpBuilder &b, Location loc, ValueRange v) {
        Value d =
            centred ? difference(b, loc, v[0], v[1]) : widen(b, loc, v[0]);
        Value y = multiply(b, loc, d, v[used]);
        y = multiply(b, loc, y, widen(b, loc, v[used + 1]));
        if (shifts)
          y = add(b, loc, y, widen(b, loc, v[used + 2]));
        return convertFloat(b, loc, y, element);
      }));
  SmallVector<int64_t> statistics(type.getShape());
  std::fill(statistics.begin() + *axis, statistics.end(), 1);
  for (size_t k = 1; k < context.node.outputs.size(); ++k)
    results.push_back(buildReshape(context, k == 1 ? mean : root, statistics));
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {

struct ReduceRow {
  const char *name;
  double init;
  Value (*combine)(OpBuilder &, Location, Value, Value);
  /// Applied to each element and to the result; null for nothing.
  Value (*before)(OpBuilder &, Location, Value);
  Value (*after)(OpBuilder &, Location, Value, int64_t length);
  /// First opset with bool; max and min also have small integers.
  int64_t booleans = newestOpset + 1;
};

Value square(OpBuilder &b, Location loc, Value x) {
  return multiply(b, loc, x, x);
}
Value root(OpBuilder &b, Location loc, Value x, int64_t) {
  return math::SqrtOp::create(b, loc, x);
}
Value logarithm(OpBuilder &b, Location loc, Value x, int64_t) {
  return math::LogOp::create(b, loc, x);
}

constexpr double infinity = std::numeric_limits<double>::infinity();
const ReduceRow reductions[] = {
    {"ReduceL1", 0, add, magnitude, nullptr},
    {"ReduceL2", 0, add, square, root},
    {"ReduceLogSum", 0, add, nullptr, logarithm},
    {"ReduceLogSumExp", 0, add, nullptr, nullptr},
    {"ReduceMax", -infinity, larger, nullptr, nullptr},
    {"ReduceMean", 0, add, nullptr, divide},
    {"ReduceMin", infinity, smaller, nullptr, nullptr},
    {"ReduceProd", 1, multiply, nullptr, nullptr},
    {"ReduceSum", 0, add, nullptr, nullptr},
    {"ReduceSumSquare", 0, add, square, nullptr},
};

} // namespace

/// The first operand's elements combined, for constants of integers.
static Value foldReduction(const Rows &rows, const ReduceRow &row) {
  DenseElementsAttr constant = rows.context.constantInput(0);
  bool isWhole = llvm::all_of(rows.reduced, [](bool value) { return value; });
  StringRef name = row.name;
  if (!constant || !isWhole || !rows.wide.isInteger(64) || row.before ||
      row.after || name == "ReduceLogSumExp")
    return {};
  std::optional<APInt> result;
  if (name == "ReduceSum" || name == "ReduceProd")
    result = APInt(64, name == "ReduceProd");
  for (const APInt &value : constant.getValues<APInt>()) {
    if (!result)
      result = value;
    else if (name == "ReduceSum")
      *result += value;
    else if (name == "ReduceProd")
      *result *= value;
    else
      result = (name == "ReduceMax") == result->sgt(value) ? *result : value;
  }
  return createConstant(
      rows.context,
      DenseElementsAttr::get(RankedTensorType::get({}, rows.wide), *result));
}

static LogicalResult buildReduce(const NodeContext &context, Results &results) {
  const ReduceRow &row =
      *llvm::find_if(reductions, [&](const ReduceRow &other) {
        return context.node.opType == other.name;
      });
  RankedTensorType type = context.inputType(0);
  Type element = type.getElementType();
  int64_t rank = type.getRank();
  SmallVector<int64_t> axes;
  if (context.input(1)) {
    FailureOr<SmallVector<int64_t>> known = context.constantInts(1);
    if (failed(known))
      return failure();
    axes = *known;
  } else if (const Attribute *given = context.findAttribute("axes")) {
    axes.assign(given->ints.begin(), given->ints.end());
  }
  if (axes.empty() && context.intAttribute("noop_with_empty_axes", 0)) {
    results.push_back(context.input(0));
    return success();
  }
  SmallVector<bool> reduced(rank, axes.empty());
  for (int64_t axis : axes) {
    FailureOr<int64_t> checked = context.checkAxis(axis, rank);
    if (failed(checked))
      return failure();
    if (reduced[*checked])
      return context.fail("axis " + Twine(*checked) +
                          " is given more than once, each once is accepted");
    reduced[*checked] = true;
  }
  Rows rows(context, reduced);
  // Lists of shape arithmetic may be empty.
  bool isEmpty = type.getNumElements() == 0;
  bool hasNeutral =
      context.node.opType == "ReduceSum" || context.node.opType == "ReduceProd";
  if (isEmpty && !(hasNeutral && element.isInteger(64)))
    return context.fail(context.inputText(0) +
                        " is empty, sizes of 1 and more are accepted");
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!reduced[dim] || context.intAttribute("keepdims", 1))
      shape.push_back(reduced[dim] ? 1 : size);
  if (Value folded = foldReduction(rows, row)) {
    results.push_back(buildReshape(context, folded, shape));
    return success();
  }

  Value value;
  bool isLogSumExp = context.node.opType == "ReduceLogSumExp";
  if (isLogSumExp) {
    if (!isa<FloatType>(element))
      return context.fail(context.inputText(0) +
                          " has integers, floats are accepted");
    Value max = buildMax(rows);
    // Rows with an infinity are not shifted by it: the difference is no number.
    AffineMap kept = AffineMap::getMultiDimIdentityMap(
        rows.keptShape.size(), context.builder.getContext());
    max = buildPointwise(
        context, {max}, {kept}, cast<RankedTensorType>(max.getType()),
        [&](OpBuilder &b, Location loc, ValueRange v) -> Value {
          Value size = math::AbsFOp::create(b, loc, v[0]);
          auto type = cast<FloatType>(v[0].getType());
          Value infinity = arith::ConstantOp::create(
              b, loc,
              b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
          Value zero =
              arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
          Value isFinite = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OLT, size, infinity);
          return arith::SelectOp::create(b, loc, isFinite, v[0], zero);
        });
    Value sum = rows.reduce({context.input(0), max}, {rows.all, rows.kept}, 0,
                            [](OpBuilder &b, Location loc, ValueRange v) {
                              Value e = math::ExpOp::create(
                                  b, loc, difference(b, loc, v[0], v[1]));
                              return add(b, loc, e, v[2]);
                            });
    value = buildPointwise(context, {sum, max}, {kept, kept},
                           RankedTensorType::get(rows.keptShape, element),
                           [&](OpBuilder &b, Location loc, ValueRange v) {
                             Value y = math::LogOp::create(b, loc, v[0]);
                             return convertFloat(b, loc, add(b, loc, y, v[1]),
                                                 element);
                           });
  } else {
    double init = row.init;
    if (!isa<FloatType>(element) && std::isinf(init)) {
      int64_t bits = element.getIntOrFloatBitWidth();
      // Exact in a double: a power of two, and for minima what saturates.
      init =
          init < 0 ? double(llvm::minIntN(bits)) : double(llvm::maxIntN(bits));
    }
    value = rows.reduce(context.input(0), rows.all, init,
                        [&](OpBuilder &b, Location loc, ValueRange v) {
                          Value x = widen(b, loc, v[0]);
                          if (row.before)
                            x = row.before(b, loc, x);
                          return row.combine(b, loc, x, v[1]);
                        });
    if (row.after && !isa<FloatType>(element) && row.after != divide)
      return context.fail(context.inputText(0) +
                          " has integers, floats are accepted");
    if (row.after || rows.wide != element)
      value = rows.finish(
          value, element, [&](OpBuilder &b, Location loc, ValueRange v) {
            Value y = v[0];
            if (row.after)
              y = row.after(b, loc, y, rows.length);
            return isa<FloatType>(element) ? convertFloat(b, loc, y, element)
                                           : y;
          });
  }
  results.push_back(buildReshape(context, value, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

ArrayRef<OperatorRow> reductionOperators() {
  constexpr auto I = Attribute::Int, F = Attribute::Float;
  static const AttributeRow axis[] = {{"axis", I}};
  static const AttributeRow axes[] = {{"axes", Attribute::Ints},
                                      {"keepdims", I}};
  static const AttributeRow noop[] = {{"noop_with_empty_axes", I},
                                      {"keepdims", I}};
  static const AttributeRow norm[] = {
      {"axis", I}, {"epsilon", F}, {"stash_type", I}};
  static const ElementType early[] = {Float16, Float32, Float64, Int32, Int64};
  static const ElementType late[] = {BFloat16, Float16, Float32,
                                     Float64,  Int32,   Int64};
  static const ElementType small[] = {BFloat16, Float16, Float32, Float64,
                                      Int8,     Int32,   Int64};
  static const std::vector<OperatorRow> rows = [] {
    const int64_t last = newestOpset;
    std::vector<OperatorRow> made = {
        {"",
         "LayerNormalization",
         17,
         last,
         2,
         3,
         1,
         norm,
         floatBf16Types,
         buildNorm,
         0,
         {},
         3},
        {"", "LogSoftmax", 1, 12, 1, 1, 1, axis, floatTypes, buildSoftmax},
        {"", "LogSoftmax", 13, last, 1, 1, 1, axis, floatBf16Types,
         buildSoftmax},
        {"", "RMSNormalization", 23, last, 2, 2, 1, norm, floatBf16Types,
         buildNorm},
        {"", "Softmax", 1, 12, 1, 1, 1, axis, floatTypes, buildSoftmax},
        {"", "Softmax", 13, last, 1, 1, 1, axis, floatBf16Types, buildSoftmax},
    };
    for (const ReduceRow &row : reductions) {
      // Axes became an operand at opset 13 for sums, at 18 for all others.
      bool isSum = StringRef(row.name) == "ReduceSum";
      bool isExtreme = row.combine == larger || row.combine == smaller;
      ArrayRef<ElementType> types = late;
      if (isExtreme)
        types = small;
      made.push_back({"", row.name, 1, 12, 1, 1, 1, axes, early, buildReduce});
      if (!isSum)
        made.push_back(
            {"", row.name, 13, 17, 1, 1, 1, axes, types, buildReduce});
      made.push_back({"", row.name, isSum ? 13 : 18, last, 1, 2, 1, noop, types,
                      buildReduce, 2, int64Type});
    }
    return made;
  }();
  return rows;
}

} // namespace kernelzero::onnx
