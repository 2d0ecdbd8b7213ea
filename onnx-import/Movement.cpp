//===- Movement.cpp - operators that move elements ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;

namespace kernelzero::onnx {

using Results = SmallVectorImpl<Value>;

static LogicalResult buildTransposeNode(const NodeContext &context,
                                        Results &results) {
  int64_t rank = context.inputType(0).getRank();
  SmallVector<int64_t> permutation;
  if (const Attribute *given = context.findAttribute("perm"))
    permutation.assign(given->ints.begin(), given->ints.end());
  else
    for (int64_t dim = rank - 1; dim >= 0; --dim)
      permutation.push_back(dim);
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  bool fits = int64_t(sorted.size()) == rank;
  for (auto [k, dim] : llvm::enumerate(sorted))
    fits &= dim == int64_t(k);
  if (!fits)
    return context.fail("attribute 'perm' is no order of the " + Twine(rank) +
                        " dimensions of " + context.inputText(0));
  results.push_back(buildTranspose(context, context.input(0), permutation));
  return success();
}

//===----------------------------------------------------------------------===//
// Concat, Split
//===----------------------------------------------------------------------===//

static LogicalResult buildConcat(const NodeContext &context, Results &results) {
  if (context.opset >= 4 && !context.findAttribute("axis"))
    return context.fail("attribute 'axis' is missing, it is required");
  RankedTensorType first = context.inputType(0);
  FailureOr<int64_t> axis =
      context.checkAxis(context.intAttribute("axis", 1), first.getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[*axis] = 0;
  bool known = true;
  for (size_t k = 0; k < context.numInputs(); ++k) {
    if (!context.input(k))
      return context.fail("input " + Twine(k) + " is left out, it is required");
    SmallVector<int64_t> other(context.inputType(k).getShape());
    bool fits = other.size() == shape.size();
    for (size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = int64_t(dim) == *axis || other[dim] == shape[dim];
    if (!fits)
      return context.fail(context.inputText(k) + " has shape " +
                          shapeText({other.begin(), other.end()}) +
                          ", accepted is " + shapeText(first.getShape().vec()) +
                          " but for axis " + Twine(*axis));
    shape[*axis] += other[*axis];
    known &= bool(context.constantInput(k));
  }
  Type element = first.getElementType();
  auto type = RankedTensorType::get(shape, element);
  if (known && isFoldable(type)) {
    SmallVector<mlir::Attribute> elements;
    int64_t outer = countElements(ArrayRef(shape).take_front(*axis));
    for (int64_t row = 0; row < outer; ++row)
      for (size_t k = 0; k < context.numInputs(); ++k) {
        auto values = context.constantInput(k).getValues<mlir::Attribute>();
        int64_t run = context.inputType(k).getNumElements() / outer;
        for (int64_t at = 0; at < run; ++at)
          elements.push_back(values[row * run + at]);
      }
    results.push_back(
        createConstant(context, DenseElementsAttr::get(type, elements)));
    return success();
  }
  if (failed(context.resultType(shape, element)))
    return failure();
  if (context.numInputs() == 1) {
    results.push_back(context.input(0));
    return success();
  }
  Value value = createEmpty(context, type);
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(context.builder.getContext(), values);
  };
  SmallVector<int64_t> offsets(shape.size(), 0), steps(shape.size(), 1);
  for (size_t k = 0; k < context.numInputs(); ++k) {
    ArrayRef<int64_t> sizes = context.inputType(k).getShape();
    if (sizes[*axis] == 0)
      continue;
    value = tensor::InsertSliceOp::create(
        context.builder, context.loc, context.input(k), value,
        attributes(offsets), attributes(sizes), attributes(steps));
    offsets[*axis] += sizes[*axis];
  }
  results.push_back(value);
  return success();
}

static LogicalResult buildSplit(const NodeContext &context, Results &results) {
  RankedTensorType type = context.inputType(0);
  FailureOr<int64_t> axis =
      context.checkAxis(context.intAttribute("axis", 0), type.getRank());
  if (failed(axis))
    return failure();
  int64_t size = type.getDimSize(*axis), count = context.node.outputs.size();
  SmallVector<int64_t> sizes;
  if (context.input(1)) {
    FailureOr<SmallVector<int64_t>> given = context.constantInts(1);
    if (failed(given))
      return failure();
    sizes = *given;
  } else if (const Attribute *given = context.findAttribute("split")) {
    sizes.assign(given->ints.begin(), given->ints.end());
  }
  if (context.findAttribute("num_outputs")) {
    if (!sizes.empty())
      return context.fail("sizes and num_outputs are given, one of them is "
                          "accepted");
    if (context.intAttribute("num_outputs", 0) != count)
      return context.fail("num_outputs is " +
                          Twine(context.intAttribute("num_outputs", 0)) +
                          ", the node has " + Twine(count) + " outputs");
  }
  if (sizes.empty()) {
    // Before opset 18 parts had to be equal; now the last may be smaller.
    if (context.opset < 18 && size % count)
      return context.fail("axis of size " + Twine(size) +
                          " does not divide into " + Twine(count) +
                          " equal parts");
    int64_t part = llvm::divideCeil(size, count);
    for (int64_t at = 0; at < count; ++at)
      sizes.push_back(std::min(part, size - at * part));
  }
  int64_t sum = 0;
  std::string text;
  for (int64_t part : sizes) {
    if (part < 1 || part > size)
      return context.fail("a part has size " + Twine(part) + ", 1 to " +
                          Twine(size) + " are accepted");
    sum += part;
  }
  if (sum != size || int64_t(sizes.size()) != count)
    return context.fail("the sizes of " + Twine(sizes.size()) +
                        " parts sum to " + Twine(sum) + ", " + Twine(count) +
                        " parts and a sum of " + Twine(size) + " are accepted");
  SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t part : sizes) {
    shape[*axis] = part;
    results.push_back(
        buildSlice(context, context.input(0), offsets, shape, steps));
    offsets[*axis] += part;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gathers: reads at computed coordinates
//===----------------------------------------------------------------------===//

/// One generic over the elements of `type` that reads `data` at the coordinates
/// that `coordinates` makes of `operands`.
static Value buildRead(
    const NodeContext &context, Value data, RankedTensorType type,
    ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>
        coordinates) {
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(context.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      context.builder, context.loc, TypeRange(type), operands,
      createEmpty(context, type), allMaps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value element = tensor::ExtractOp::create(
            builder, loc, data, coordinates(builder, loc, arguments));
        linalg::YieldOp::create(builder, loc, element);
      });
  return generic.getResult(0);
}

/// An index of the file as a coordinate: negative ones count from the end, and
/// what lies outside reads the nearest element, so that no value of an input
/// reaches beyond the tensor.
static Value buildCoordinate(OpBuilder &builder, Location loc, Value index,
                             int64_t size) {
  Type type = index.getType();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value zero = number(0);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, index, zero);
  Value wrapped = arith::AddIOp::create(builder, loc, index, number(size));
  Value at = arith::SelectOp::create(builder, loc, isNegative, wrapped, index);
  at = arith::MaxSIOp::create(builder, loc, at, zero);
  at = arith::MinSIOp::create(builder, loc, at, number(size - 1));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), at);
}

/// Constant indices, all of them inside, or an error; none where unknown.
static FailureOr<SmallVector<int64_t>> knownIndices(const NodeContext &context,
                                                    int64_t size) {
  SmallVector<int64_t> indices;
  DenseElementsAttr constant = context.constantInput(1);
  if (!constant)
    return indices;
  for (const APInt &value : constant.getValues<APInt>()) {
    int64_t index = value.getSExtValue();
    if (index < -size || index >= size)
      return context.fail("index " + Twine(index) +
                          " is outside of an axis of size " + Twine(size));
    indices.push_back(index < 0 ? index + size : index);
  }
  return indices;
}

static LogicalResult buildGather(const NodeContext &context, Results &results) {
  RankedTensorType data = context.inputType(0);
  RankedTensorType indices = context.inputType(1);
  FailureOr<int64_t> axis =
      context.checkAxis(context.intAttribute("axis", 0), data.getRank());
  if (failed(axis))
    return failure();
  ArrayRef<int64_t> from = data.getShape(), at = indices.getShape();
  SmallVector<int64_t> shape(from.take_front(*axis));
  shape.append(at.begin(), at.end());
  shape.append(from.begin() + *axis + 1, from.end());
  int64_t size = from[*axis];
  FailureOr<SmallVector<int64_t>> known = knownIndices(context, size);
  if (failed(known))
    return failure();
  auto type = RankedTensorType::get(shape, data.getElementType());
  DenseElementsAttr constant = context.constantInput(0);
  bool isKnown = bool(context.constantInput(1));
  if (constant && isKnown && isFoldable(type)) {
    int64_t inner = countElements(from.drop_front(*axis + 1));
    int64_t count = known->size();
    results.push_back(pickElements(context, type, constant, [&](int64_t k) {
      int64_t row = k / inner / std::max<int64_t>(count, 1);
      return (row * size + (*known)[k / inner % count]) * inner + k % inner;
    }));
    return success();
  }
  if (failed(context.resultType(shape, data.getElementType())))
    return failure();
  if (isKnown && known->size() == 1) {
    SmallVector<int64_t> offsets(from.size(), 0), steps(from.size(), 1);
    SmallVector<int64_t> sizes(from);
    offsets[*axis] = known->front();
    sizes[*axis] = 1;
    Value row = buildSlice(context, context.input(0), offsets, sizes, steps);
    results.push_back(buildReshape(context, row, shape));
    return success();
  }
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < indices.getRank(); ++dim)
    exprs.push_back(context.builder.getAffineDimExpr(*axis + dim));
  AffineMap map =
      AffineMap::get(shape.size(), 0, exprs, context.builder.getContext());
  results.push_back(buildRead(
      context, context.input(0), type, context.input(1), map,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        SmallVector<Value> coordinates;
        for (int64_t dim = 0; dim < data.getRank(); ++dim)
          if (dim == *axis)
            coordinates.push_back(
                buildCoordinate(builder, loc, values[0], size));
          else
            coordinates.push_back(linalg::IndexOp::create(
                builder, loc, dim < *axis ? dim : dim + indices.getRank() - 1));
        return coordinates;
      }));
  return success();
}

static LogicalResult buildGatherElements(const NodeContext &context,
                                         Results &results) {
  RankedTensorType data = context.inputType(0);
  RankedTensorType indices = context.inputType(1);
  int64_t rank = data.getRank();
  FailureOr<int64_t> axis =
      context.checkAxis(context.intAttribute("axis", 0), rank);
  if (failed(axis))
    return failure();
  bool fits = indices.getRank() == rank;
  for (int64_t dim = 0; fits && dim < rank; ++dim)
    fits = dim == *axis || indices.getDimSize(dim) <= data.getDimSize(dim);
  if (!fits)
    return context.fail(
        context.inputText(1) + " has shape " +
        shapeText(indices.getShape().vec()) + ", accepted is at most " +
        shapeText(data.getShape().vec()) + " but for axis " + Twine(*axis));
  FailureOr<SmallVector<int64_t>> known =
      knownIndices(context, data.getDimSize(*axis));
  if (failed(known))
    return failure();
  FailureOr<RankedTensorType> type =
      context.resultType(indices.getShape(), data.getElementType());
  if (failed(type))
    return failure();
  DenseElementsAttr constant = context.constantInput(0);
  if (constant && context.constantInput(1) && isFoldable(*type)) {
    results.push_back(pickElements(context, *type, constant, [&](int64_t k) {
      int64_t from = 0, step = 1, index = (*known)[k];
      for (int64_t dim = rank - 1; dim >= 0; --dim) {
        int64_t size = indices.getDimSize(dim);
        from += step * (dim == *axis ? index : k % size);
        k /= size;
        step *= data.getDimSize(dim);
      }
      return from;
    }));
    return success();
  }
  results.push_back(buildRead(
      context, context.input(0), *type, context.input(1),
      context.builder.getMultiDimIdentityMap(rank),
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        SmallVector<Value> coordinates;
        for (int64_t dim = 0; dim < rank; ++dim)
          if (dim == *axis)
            coordinates.push_back(
                buildCoordinate(builder, loc, values[0], data.getDimSize(dim)));
          else
            coordinates.push_back(linalg::IndexOp::create(builder, loc, dim));
        return coordinates;
      }));
  return success();
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

static LogicalResult buildSliceNode(const NodeContext &context,
                                    Results &results) {
  RankedTensorType type = context.inputType(0);
  int64_t rank = type.getRank();
  SmallVector<int64_t> lists[4];
  static const char *const names[] = {"starts", "ends", "axes", "steps"};
  for (size_t k = 0; k < 4; ++k) {
    if (context.opset >= 10) {
      if (!context.input(k + 1))
        continue;
      FailureOr<SmallVector<int64_t>> known = context.constantInts(k + 1);
      if (failed(known))
        return failure();
      lists[k] = *known;
    } else if (const Attribute *given = context.findAttribute(names[k])) {
      lists[k].assign(given->ints.begin(), given->ints.end());
    } else if (k < 2) {
      return context.fail("attribute '" + Twine(names[k]) +
                          "' is missing, it is required");
    }
  }
  auto &[starts, ends, axes, steps] = lists;
  if (axes.empty())
    for (size_t k = 0; k < starts.size(); ++k)
      axes.push_back(k);
  if (steps.empty())
    steps.assign(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      steps.size() != starts.size())
    return context.fail("has " + Twine(starts.size()) + " starts, " +
                        Twine(ends.size()) + " ends, " + Twine(axes.size()) +
                        " axes and " + Twine(steps.size()) +
                        " steps, as many of each are accepted");
  SmallVector<int64_t> offsets(rank, 0), by(rank, 1), sizes(type.getShape());
  SmallVector<bool> seen(rank, false);
  bool isForward = true;
  for (auto [start, end, given, step] : llvm::zip(starts, ends, axes, steps)) {
    FailureOr<int64_t> axis = context.checkAxis(given, rank);
    if (failed(axis))
      return failure();
    if (seen[*axis])
      return context.fail("axis " + Twine(*axis) +
                          " is given more than once, each once is accepted");
    seen[*axis] = true;
    if (step == 0)
      return context.fail("step 0 of axis " + Twine(*axis) +
                          ", other ones are accepted");
    int64_t size = type.getDimSize(*axis);
    if (size == 0)
      continue;
    // Bounds beyond the ends, the extreme numbers included, mean the ends.
    auto bound = [&](int64_t at, int64_t low, int64_t high) {
      return std::clamp(at < 0 ? at + size : at, low, high);
    };
    int64_t first =
        step > 0 ? bound(start, 0, size) : bound(start, 0, size - 1);
    int64_t last = step > 0 ? bound(end, 0, size) : bound(end, -1, size - 1);
    int64_t reach = std::clamp(step, -size - 1, size + 1);
    int64_t count = reach > 0 ? (last - first + reach - 1) / reach
                              : (first - last - reach - 1) / -reach;
    offsets[*axis] = first;
    by[*axis] = reach;
    sizes[*axis] = std::max<int64_t>(count, 0);
    isForward &= reach > 0;
  }
  auto to = RankedTensorType::get(sizes, type.getElementType());
  if (!(context.constantInput(0) && isFoldable(to)) &&
      failed(context.resultType(sizes, type.getElementType())))
    return failure();
  if (isForward || context.constantInput(0)) {
    results.push_back(
        buildSlice(context, context.input(0), offsets, sizes, by));
    return success();
  }
  results.push_back(buildRead(
      context, context.input(0), to, {}, {},
      [&](OpBuilder &builder, Location loc, ValueRange) {
        SmallVector<Value> coordinates;
        for (int64_t dim = 0; dim < rank; ++dim) {
          Value at = linalg::IndexOp::create(builder, loc, dim);
          if (by[dim] != 1) {
            Value step = arith::ConstantIndexOp::create(builder, loc, by[dim]);
            at = arith::MulIOp::create(builder, loc, at, step);
          }
          if (offsets[dim] != 0) {
            Value first =
                arith::ConstantIndexOp::create(builder, loc, offsets[dim]);
            at = arith::AddIOp::create(builder, loc, at, first);
          }
          coordinates.push_back(at);
        }
        return coordinates;
      }));
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

ArrayRef<OperatorRow> movementOperators() {
  constexpr auto I = Attribute::Int, Is = Attribute::Ints;
  static const AttributeRow axis[] = {{"axis", I}};
  static const AttributeRow perm[] = {{"perm", Is}};
  static const AttributeRow splits[] = {{"axis", I}, {"split", Is}};
  static const AttributeRow parts[] = {{"axis", I}, {"num_outputs", I}};
  static const AttributeRow ranges[] = {
      {"starts", Is}, {"ends", Is}, {"axes", Is}};
  constexpr size_t many = std::numeric_limits<int32_t>::max();
  const int64_t last = newestOpset;
  static const OperatorRow rows[] = {
      {"", "Concat", 1, last, 1, many, 1, axis, allTypes, buildConcat},
      {"", "Gather", 1, last, 2, 2, 1, axis, allTypes, buildGather, 2,
       indexTypes},
      {"", "GatherElements", 11, last, 2, 2, 1, axis, allTypes,
       buildGatherElements, 2, indexTypes},
      {"", "Slice", 1, 9, 1, 1, 1, ranges, allTypes, buildSliceNode},
      {"",
       "Slice",
       10,
       last,
       3,
       5,
       1,
       {},
       allTypes,
       buildSliceNode,
       30,
       indexTypes},
      {"", "Split", 1, 1, 1, 2, 1, splits, floatTypes, buildSplit, 2, int64Type,
       many},
      {"", "Split", 2, 12, 1, 1, 1, splits, allTypes, buildSplit, 0, {}, many},
      {"", "Split", 13, 17, 1, 2, 1, axis, allTypes, buildSplit, 2, int64Type,
       many},
      {"", "Split", 18, last, 1, 2, 1, parts, allTypes, buildSplit, 2,
       int64Type, many},
      {"", "Transpose", 1, last, 1, 1, 1, perm, allTypes, buildTransposeNode},
  };
  return rows;
}

} // namespace kernelzero::onnx
