//===- Shapes.cpp - operators about shapes, and constants -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include <cmath>

using namespace mlir;

namespace kernelzero::onnx {

using Results = SmallVectorImpl<Value>;

/// Axes from an attribute or from an operand, in order and each once.
static FailureOr<SmallVector<int64_t>> readAxes(const NodeContext &context,
                                                int64_t rank, bool fromInput) {
  SmallVector<int64_t> given;
  if (!fromInput) {
    ArrayRef<int64_t> ints = context.findAttribute("axes")->ints;
    given.assign(ints.begin(), ints.end());
  } else {
    FailureOr<SmallVector<int64_t>> known = context.constantInts(1);
    if (failed(known))
      return failure();
    given = *known;
  }
  for (int64_t &axis : given) {
    FailureOr<int64_t> checked = context.checkAxis(axis, rank);
    if (failed(checked))
      return failure();
    axis = *checked;
  }
  llvm::sort(given);
  if (std::adjacent_find(given.begin(), given.end()) != given.end())
    return context.fail("an axis is given more than once, each once is "
                        "accepted");
  return given;
}

/// A reshape of the first operand, with a check of the number of elements.
static LogicalResult finishReshape(const NodeContext &context,
                                   ArrayRef<int64_t> shape, Results &results) {
  RankedTensorType type = context.inputType(0);
  // Products of a file may be beyond 64 bits.
  int64_t count = 1;
  bool fits = true;
  for (int64_t size : shape)
    fits &= !__builtin_mul_overflow(count, size, &count);
  if (!fits || count != type.getNumElements())
    return context.fail("shape " + shapeText(type.getShape().vec()) +
                        " does not reshape to " +
                        shapeText({shape.begin(), shape.end()}) +
                        ", the same number of elements is accepted");
  results.push_back(buildReshape(context, context.input(0), shape));
  return success();
}

static LogicalResult buildReshapeNode(const NodeContext &context,
                                      Results &results) {
  SmallVector<int64_t> shape;
  if (context.opset >= 5) {
    FailureOr<SmallVector<int64_t>> known = context.constantInts(1);
    if (failed(known))
      return failure();
    shape = *known;
  } else if (const Attribute *given = context.findAttribute("shape")) {
    shape.assign(given->ints.begin(), given->ints.end());
  }
  ArrayRef<int64_t> from = context.inputType(0).getShape();
  bool allowZero = context.intAttribute("allowzero", 0);
  int64_t rest = -1, count = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == 0 && !allowZero) {
      if (dim >= from.size())
        return context.fail("size 0 of the new shape copies dimension " +
                            Twine(dim) + " of " + shapeText(from.vec()) +
                            ", which has none");
      shape[dim] = from[dim];
    }
    if (shape[dim] == -1 && rest < 0)
      rest = dim;
    else if (shape[dim] < 0)
      return context.fail("the new shape has size " + Twine(shape[dim]) +
                          " at dimension " + Twine(dim) +
                          ", sizes and one -1 are accepted");
    else if (__builtin_mul_overflow(count, shape[dim], &count))
      return context.fail("the new shape has over 2^63 elements");
  }
  if (rest >= 0) {
    int64_t all = context.inputType(0).getNumElements();
    if (count == 0 || all % count)
      return context.fail("shape " + shapeText(from.vec()) +
                          " does not divide by the sizes of the new one, " +
                          Twine(count) + " in all");
    shape[rest] = all / count;
  }
  return finishReshape(context, shape, results);
}

static LogicalResult buildFlatten(const NodeContext &context,
                                  Results &results) {
  ArrayRef<int64_t> from = context.inputType(0).getShape();
  int64_t rank = from.size(), axis = context.intAttribute("axis", 1);
  if (axis < -rank || axis > rank)
    return context.fail("axis " + Twine(axis) + " is outside of rank " +
                        Twine(rank) + ", " + Twine(-rank) + " to " +
                        Twine(rank) + " are accepted");
  if (axis < 0)
    axis += rank;
  return finishReshape(context,
                       {countElements(from.take_front(axis)),
                        countElements(from.drop_front(axis))},
                       results);
}

static LogicalResult buildSqueeze(const NodeContext &context,
                                  Results &results) {
  ArrayRef<int64_t> from = context.inputType(0).getShape();
  bool fromInput = context.opset >= 13;
  bool given = fromInput ? bool(context.input(1))
                         : context.findAttribute("axes") != nullptr;
  SmallVector<int64_t> axes;
  if (given) {
    FailureOr<SmallVector<int64_t>> read =
        readAxes(context, from.size(), fromInput);
    if (failed(read))
      return failure();
    axes = *read;
  }
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(from)) {
    bool named = llvm::is_contained(axes, int64_t(dim));
    if (named && size != 1)
      return context.fail("axis " + Twine(dim) + " of " +
                          shapeText(from.vec()) + " has size " + Twine(size) +
                          ", 1 is accepted");
    if (!named && (given || size != 1))
      shape.push_back(size);
  }
  return finishReshape(context, shape, results);
}

static LogicalResult buildUnsqueeze(const NodeContext &context,
                                    Results &results) {
  ArrayRef<int64_t> from = context.inputType(0).getShape();
  bool fromInput = context.opset >= 13;
  size_t added = 0;
  if (fromInput) {
    FailureOr<SmallVector<int64_t>> known = context.constantInts(1);
    if (failed(known))
      return failure();
    added = known->size();
  } else if (const Attribute *axes = context.findAttribute("axes")) {
    added = axes->ints.size();
  } else {
    return context.fail("attribute 'axes' is missing, it is required");
  }
  FailureOr<SmallVector<int64_t>> axes =
      readAxes(context, from.size() + added, fromInput);
  if (failed(axes))
    return failure();
  SmallVector<int64_t> shape(from);
  for (int64_t axis : *axes)
    shape.insert(shape.begin() + axis, 1);
  return finishReshape(context, shape, results);
}

/// Copies along dimensions of size 1.
static Value buildBroadcast(const NodeContext &context, Value value,
                            RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from.getNumElements() == type.getNumElements())
    return buildReshape(context, value, type.getShape());
  DenseElementsAttr constant = getConstant(value);
  if (constant && constant.isSplat())
    return createConstant(context,
                          DenseElementsAttr::get(
                              type, constant.getSplatValue<mlir::Attribute>()));
  return buildPointwise(
      context, value,
      broadcastMap(type.getContext(), from.getShape(), type.getShape()), type,
      [](OpBuilder &, Location, ValueRange values) { return values[0]; });
}

static LogicalResult buildExpand(const NodeContext &context, Results &results) {
  FailureOr<SmallVector<int64_t>> given = context.constantInts(1);
  if (failed(given))
    return failure();
  RankedTensorType from = context.inputType(0);
  for (int64_t size : *given)
    if (size < 1)
      return context.fail("the new shape has size " + Twine(size) +
                          ", 1 and more are accepted");
  FailureOr<SmallVector<int64_t>> shape =
      broadcastShapes({from.getShape(), ArrayRef<int64_t>(*given)});
  if (failed(shape))
    return context.fail("shapes " + shapeText(from.getShape().vec()) + " and " +
                        shapeText({given->begin(), given->end()}) +
                        " do not broadcast");
  FailureOr<RankedTensorType> type =
      context.resultType(*shape, from.getElementType());
  if (failed(type))
    return failure();
  results.push_back(buildBroadcast(context, context.input(0), *type));
  return success();
}

/// Copies of a tensor side by side: a broadcast along a new dimension in front
/// of each.
static LogicalResult buildTile(const NodeContext &context, Results &results) {
  FailureOr<SmallVector<int64_t>> repeats = context.constantInts(1);
  if (failed(repeats))
    return failure();
  RankedTensorType from = context.inputType(0);
  if (int64_t(repeats->size()) != from.getRank())
    return context.fail(context.inputText(1) + " has " +
                        Twine(repeats->size()) + " entries, " +
                        Twine(from.getRank()) + " are accepted");
  SmallVector<int64_t> split, copied, shape;
  for (auto [size, times] : llvm::zip(from.getShape(), *repeats)) {
    if (times < 1 || times > tensorBytesLimit)
      return context.fail(context.inputText(1) + " has entry " + Twine(times) +
                          ", 1 to 2^40 are accepted");
    int64_t all;
    if (__builtin_mul_overflow(size, times, &all))
      all = std::numeric_limits<int64_t>::max();
    split.append({1, size});
    copied.append({times, size});
    shape.push_back(all);
  }
  FailureOr<RankedTensorType> type =
      context.resultType(shape, from.getElementType());
  if (failed(type))
    return failure();
  Value value = buildReshape(context, context.input(0), split);
  value = buildBroadcast(context, value,
                         RankedTensorType::get(copied, from.getElementType()));
  results.push_back(buildReshape(context, value, shape));
  return success();
}

static LogicalResult buildShape(const NodeContext &context, Results &results) {
  ArrayRef<int64_t> shape = context.inputType(0).getShape();
  int64_t rank = shape.size();
  auto limit = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  int64_t start = limit(context.intAttribute("start", 0));
  int64_t end = limit(context.intAttribute("end", rank));
  results.push_back(createInts(
      context, shape.slice(start, std::max<int64_t>(end - start, 0))));
  return success();
}

static LogicalResult buildSize(const NodeContext &context, Results &results) {
  results.push_back(createInts(context, context.inputType(0).getNumElements(),
                               /*scalar=*/true));
  return success();
}

static LogicalResult buildIdentity(const NodeContext &context,
                                   Results &results) {
  results.push_back(context.input(0));
  return success();
}

/// Outside of training the data pass unchanged.
static LogicalResult buildDropout(const NodeContext &context,
                                  Results &results) {
  if (context.opset >= 12 && context.input(2)) {
    DenseElementsAttr training = context.constantInput(2);
    if (!training || training.getNumElements() != 1 ||
        training.getValues<bool>()[0])
      return context.fail(
          context.inputText(2) +
          " may ask for training, a constant false is accepted");
  }
  return buildIdentity(context, results);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult buildConstant(const NodeContext &context,
                                   Results &results) {
  OpBuilder &builder = context.builder;
  if (context.node.attributes.size() != 1)
    return context.fail("has " + Twine(context.node.attributes.size()) +
                        " attributes, one value is accepted");
  const Attribute &given = context.node.attributes.front();
  auto tensorOf = [&](ArrayRef<int64_t> shape, Type type) {
    return RankedTensorType::get(shape, type);
  };
  Type f32 = builder.getF32Type(), i64 = builder.getI64Type();
  int64_t length =
      given.kind == Attribute::Ints ? given.ints.size() : given.floats.size();
  TypedAttr value;
  switch (given.kind) {
  case Attribute::Tensor: {
    std::string sentence;
    FailureOr<TypedAttr> converted = convertTensor(
        builder.getContext(), *given.tensor, "attribute 'value'", sentence);
    if (failed(converted))
      return context.fail(sentence);
    value = *converted;
    break;
  }
  case Attribute::Float:
    value = DenseElementsAttr::get(tensorOf({}, f32), given.f);
    break;
  case Attribute::Int:
    value = DenseElementsAttr::get(tensorOf({}, i64), given.i);
    break;
  case Attribute::Floats:
    value = DenseElementsAttr::get(tensorOf({length}, f32),
                                   ArrayRef<float>(given.floats));
    break;
  default:
    value = DenseElementsAttr::get(tensorOf({length}, i64),
                                   ArrayRef<int64_t>(given.ints));
  }
  results.push_back(createConstant(context, value));
  return success();
}

static LogicalResult buildConstantOfShape(const NodeContext &context,
                                          Results &results) {
  FailureOr<SmallVector<int64_t>> shape = context.constantInts(0);
  if (failed(shape))
    return failure();
  mlir::Attribute element = context.builder.getF32FloatAttr(0);
  if (const Attribute *given = context.findAttribute("value")) {
    std::string sentence;
    FailureOr<TypedAttr> converted =
        convertTensor(context.builder.getContext(), *given->tensor,
                      "attribute 'value'", sentence);
    if (failed(converted))
      return context.fail(sentence);
    auto dense = dyn_cast<DenseElementsAttr>(*converted);
    if (!dense || dense.getNumElements() != 1)
      return context.fail("attribute 'value' has shape " +
                          shapeText(given->tensor->dims) +
                          ", one element is accepted");
    element = *dense.getValues<mlir::Attribute>().begin();
  }
  for (int64_t size : *shape)
    if (size < 0)
      return context.fail("the shape has size " + Twine(size) +
                          ", 0 and more are accepted");
  Type elementType = cast<TypedAttr>(element).getType();
  // An empty list is a constant of shape arithmetic; others must not be empty.
  if (shape->size() == 1 && (*shape)[0] == 0) {
    results.push_back(createConstant(
        context, DenseElementsAttr::get(RankedTensorType::get({0}, elementType),
                                        ArrayRef<mlir::Attribute>())));
    return success();
  }
  FailureOr<RankedTensorType> type = context.resultType(*shape, elementType);
  if (failed(type))
    return failure();
  results.push_back(
      createConstant(context, DenseElementsAttr::get(*type, element)));
  return success();
}

/// One operand of Range as a number.
static FailureOr<double> rangeNumber(const NodeContext &context, size_t index) {
  DenseElementsAttr constant = context.constantInput(index);
  if (!constant || constant.getNumElements() != 1)
    return context.fail(context.inputText(index) +
                        " decides about shapes, a constant scalar is accepted");
  if (isa<FloatType>(constant.getElementType()))
    return (*constant.getValues<APFloat>().begin()).convertToDouble();
  int64_t value = (*constant.getValues<APInt>().begin()).getSExtValue();
  if (std::abs(double(value)) > double(int64_t(1) << 53))
    return context.fail(context.inputText(index) + " is " + Twine(value) +
                        ", -2^53 to 2^53 are accepted");
  return double(value);
}

static LogicalResult buildRange(const NodeContext &context, Results &results) {
  double numbers[3];
  for (size_t k = 0; k < 3; ++k) {
    FailureOr<double> number = rangeNumber(context, k);
    if (failed(number))
      return failure();
    numbers[k] = *number;
  }
  double start = numbers[0], step = numbers[2];
  double count = std::ceil((numbers[1] - start) / step);
  if (!std::isfinite(count))
    return context.fail("start, limit and step do not give a length, a finite "
                        "range with a step other than 0 is accepted");
  Type element = context.inputType(0).getElementType();
  FailureOr<RankedTensorType> type =
      context.resultType({count < 1        ? 0
                          : count > 0x1p62 ? int64_t(1) << 62
                                           : int64_t(count)},
                         element);
  if (failed(type))
    return failure();
  OpBuilder &builder = context.builder;
  if (isFoldable(*type)) {
    SmallVector<mlir::Attribute> elements;
    for (int64_t k = 0; k < type->getNumElements(); ++k) {
      double value = start + double(k) * step;
      if (isa<FloatType>(element))
        elements.push_back(builder.getFloatAttr(element, value));
      else
        elements.push_back(builder.getIntegerAttr(element, int64_t(value)));
    }
    results.push_back(
        createConstant(context, DenseElementsAttr::get(*type, elements)));
    return success();
  }
  auto generic = linalg::GenericOp::create(
      builder, context.loc, TypeRange(*type), ValueRange(),
      createEmpty(context, *type), builder.getMultiDimIdentityMap(1),
      utils::IteratorType::parallel,
      [&](OpBuilder &body, Location loc, ValueRange) {
        Value index = linalg::IndexOp::create(body, loc, 0);
        Value first = createScalar(body, loc, element, start);
        Value by = createScalar(body, loc, element, step);
        Value value = arith::IndexCastOp::create(
            body, loc, isa<FloatType>(element) ? body.getI64Type() : element,
            index);
        if (isa<FloatType>(element)) {
          value = arith::SIToFPOp::create(body, loc, element, value);
          value = arith::MulFOp::create(body, loc, value, by);
          value = arith::AddFOp::create(body, loc, first, value);
        } else {
          value = arith::MulIOp::create(body, loc, value, by);
          value = arith::AddIOp::create(body, loc, first, value);
        }
        linalg::YieldOp::create(body, loc, value);
      });
  results.push_back(generic.getResult(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

ArrayRef<OperatorRow> shapeOperators() {
  constexpr auto I = Attribute::Int, Is = Attribute::Ints, F = Attribute::Float;
  static const AttributeRow reshapeOne[] = {{"shape", Is},
                                            {"consumed_inputs", Is}};
  static const AttributeRow allowZero[] = {{"allowzero", I}};
  static const AttributeRow axis[] = {{"axis", I}};
  static const AttributeRow axes[] = {{"axes", Is}};
  static const AttributeRow startEnd[] = {{"start", I}, {"end", I}};
  static const AttributeRow ratio[] = {{"ratio", F}};
  static const AttributeRow seed[] = {{"seed", I}};
  static const AttributeRow value[] = {{"value", Attribute::Tensor}};
  static const AttributeRow values[] = {{"value", Attribute::Tensor},
                                        {"value_float", F},
                                        {"value_floats", Attribute::Floats},
                                        {"value_int", I},
                                        {"value_ints", Is}};
  static const ElementType rangeTypes[] = {Float32, Float64, Int16, Int32,
                                           Int64};
  static const ElementType dropoutTypes[] = {Bool};
  const int64_t last = newestOpset;
  static const OperatorRow rows[] = {
      {"", "Constant", 1, 11, 0, 0, 1, value, {}, buildConstant},
      {"", "Constant", 12, last, 0, 0, 1, values, {}, buildConstant},
      {"", "ConstantOfShape", 9, last, 1, 1, 1, value, int64Type,
       buildConstantOfShape},
      {"", "Dropout", 7, 11, 1, 1, 1, ratio, floatTypes, buildDropout},
      {"", "Dropout", 12, last, 1, 3, 1, seed, floatBf16Types, buildDropout, 4,
       dropoutTypes},
      {"", "Expand", 8, last, 2, 2, 1, {}, allTypes, buildExpand, 2, int64Type},
      {"", "Flatten", 1, last, 1, 1, 1, axis, allTypes, buildFlatten},
      {"", "Identity", 1, last, 1, 1, 1, {}, allTypes, buildIdentity},
      {"", "Range", 11, last, 3, 3, 1, {}, rangeTypes, buildRange},
      {"", "Reshape", 1, 4, 1, 1, 1, reshapeOne, allTypes, buildReshapeNode},
      {"",
       "Reshape",
       5,
       13,
       2,
       2,
       1,
       {},
       allTypes,
       buildReshapeNode,
       2,
       int64Type},
      {"", "Reshape", 14, last, 2, 2, 1, allowZero, allTypes, buildReshapeNode,
       2, int64Type},
      {"", "Shape", 1, 14, 1, 1, 1, {}, allTypes, buildShape},
      {"", "Shape", 15, last, 1, 1, 1, startEnd, allTypes, buildShape},
      {"", "Size", 1, last, 1, 1, 1, {}, allTypes, buildSize},
      {"", "Squeeze", 1, 12, 1, 1, 1, axes, allTypes, buildSqueeze},
      {"",
       "Squeeze",
       13,
       last,
       1,
       2,
       1,
       {},
       allTypes,
       buildSqueeze,
       2,
       int64Type},
      {"", "Tile", 6, last, 2, 2, 1, {}, allTypes, buildTile, 2, int64Type},
      {"", "Unsqueeze", 1, 12, 1, 1, 1, axes, allTypes, buildUnsqueeze},
      {"",
       "Unsqueeze",
       13,
       last,
       2,
       2,
       1,
       {},
       allTypes,
       buildUnsqueeze,
       2,
       int64Type},
  };
  return rows;
}

} // namespace kernelzero::onnx
