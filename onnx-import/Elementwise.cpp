//===- Elementwise.cpp - operators that work element by element -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "Scalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <deque>

using namespace mlir;

namespace kernelzero::onnx {

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

/// The type that a Cast goes to, or an error.
static FailureOr<Type> castType(const NodeContext &context) {
  const Attribute *to = context.findAttribute("to");
  if (!to)
    return context.fail("attribute 'to' is missing, it is required");
  int32_t number = Undefined;
  if (to->kind == Attribute::Int) {
    number = to->i >= 0 && to->i <= Int2 ? int32_t(to->i) : -1;
  } else {
    // As TensorProto.DataType spells it.
    static const std::pair<const char *, int32_t> names[] = {
        {"FLOAT", Float32}, {"FLOAT16", Float16}, {"DOUBLE", Float64},
        {"BOOL", Bool},     {"INT8", Int8},       {"INT16", Int16},
        {"INT32", Int32},   {"INT64", Int64}};
    for (auto [name, type] : names)
      if (to->s == name)
        number = type;
  }
  if (Type type = convertElementType(context.builder.getContext(), number))
    return type;
  std::string given = to->kind != Attribute::Int ? "'" + to->s + "'"
                      : number < 0               ? std::to_string(to->i)
                                                 : elementTypeName(number);
  return context.fail("attribute 'to' is " + given +
                      ", accepted are float16, bfloat16, float32, float64, "
                      "bool and signed integers of 8 to 64 bits");
}

/// How each operand is read for the result of `shape`, or an error. By the rule
/// of NumPy from opset 7 on; before, only the second of two operands stretches,
/// with `broadcast`, and `axis` says where its first dimension lies.
static FailureOr<SmallVector<AffineMap>>
operandMaps(const NodeContext &context, SmallVectorImpl<int64_t> &shape) {
  MLIRContext *mlir = context.builder.getContext();
  SmallVector<ArrayRef<int64_t>> shapes;
  std::string text;
  for (size_t k = 0; k < context.numInputs(); ++k) {
    if (!context.input(k))
      continue;
    shapes.push_back(context.inputType(k).getShape());
    text += (text.empty() ? "" : " and ") + shapeText(shapes.back().vec());
  }
  SmallVector<AffineMap> maps;
  bool isPRelu = context.node.opType == "PRelu";
  if (context.opset >= 7 && !isPRelu) {
    FailureOr<SmallVector<int64_t>> common = broadcastShapes(shapes);
    if (failed(common))
      return context.fail("shapes " + text + " do not broadcast");
    shape = *common;
    for (ArrayRef<int64_t> from : shapes)
      maps.push_back(broadcastMap(mlir, from, shape));
    return maps;
  }

  shape.assign(shapes[0].begin(), shapes[0].end());
  bool stretch = isPRelu || context.intAttribute("broadcast", 0);
  for (ArrayRef<int64_t> from : shapes) {
    size_t lead = shape.size() - std::min(shape.size(), from.size());
    // One slope a channel, which is dimension 1.
    if (isPRelu && context.opset < 7 && from.size() == 1 && shape.size() > 1)
      lead = from[0] == 1 ? lead : 1;
    if (context.findAttribute("axis")) {
      FailureOr<int64_t> axis =
          context.checkAxis(context.intAttribute("axis", 0), shape.size());
      if (failed(axis))
        return failure();
      if (from.data() != shapes[0].data())
        lead = *axis;
    }
    AffineMap map = broadcastMap(mlir, from, shape, lead);
    if (!map || (!stretch && from != ArrayRef<int64_t>(shape)))
      return context.fail("shapes " + text + " do not broadcast" +
                          (stretch ? "" : " without the attribute"));
    maps.push_back(map);
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// The builder of all of them
//===----------------------------------------------------------------------===//

static LogicalResult buildElementwise(const NodeContext &context,
                                      SmallVectorImpl<Value> &results) {
  const ScalarRow &row =
      *llvm::find_if(scalarRows(), [&](const ScalarRow &other) {
        return context.node.opType == other.name;
      });
  if (row.check && failed(row.check(context)))
    return failure();
  // The first input of the group that decides about the type.
  Type element;
  SmallVector<Value> operands;
  for (size_t k = 0; k < context.numInputs(); ++k) {
    if (!context.input(k)) {
      if (context.node.opType != "Clip")
        return context.fail("input " + Twine(k) +
                            " is left out, it is required");
      continue;
    }
    operands.push_back(context.input(k));
    if (!element && (k >= 32 || !((row.otherInputs >> k) & 1)))
      element = context.inputType(k).getElementType();
  }
  if (row.rule == ScalarRow::Truth)
    element = context.builder.getI1Type();
  if (row.rule == ScalarRow::CastTo) {
    FailureOr<Type> to = castType(context);
    if (failed(to))
      return failure();
    element = *to;
  }
  SmallVector<int64_t> shape;
  FailureOr<SmallVector<AffineMap>> maps = operandMaps(context, shape);
  if (failed(maps))
    return failure();
  RankedTensorType type = RankedTensorType::get(shape, element);
  if (type.getNumElements() != 0 || !llvm::all_of(operands, getConstant)) {
    FailureOr<RankedTensorType> checked = context.resultType(shape, element);
    if (failed(checked))
      return failure();
  }

  bool wide = row.rule == ScalarRow::Wide;
  Value result = buildPointwise(
      context, operands, *maps, type,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        ScalarContext scalar{builder, loc, context, element};
        SmallVector<Value> values;
        for (size_t k = 0, next = 0; k < context.numInputs(); ++k) {
          Value value = context.input(k) ? arguments[next++] : Value();
          if (value && wide && isa<FloatType>(value.getType()))
            value =
                convertFloat(builder, loc, value, wideType(value.getType()));
          values.push_back(value);
        }
        Value value = row.body(scalar, values);
        if (wide && isa<FloatType>(element))
          value = convertFloat(builder, loc, value, element);
        return value;
      });
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Rows, one for every range of opsets in which all is the same
//===----------------------------------------------------------------------===//

static ArrayRef<ElementType> typeSet(const ScalarRow &row, int64_t opset) {
  static std::deque<SmallVector<ElementType>> sets;
  SmallVector<ElementType> types;
  if (opset >= row.bfloat16)
    types.push_back(BFloat16);
  if (opset >= row.floats)
    types.append({Float16, Float32, Float64});
  if (opset >= row.integers)
    types.append({Int8, Int16, Int32, Int64});
  if (opset >= row.booleans)
    types.push_back(Bool);
  for (ArrayRef<ElementType> set : sets)
    if (set == ArrayRef<ElementType>(types))
      return set;
  return sets.emplace_back(std::move(types));
}

static ArrayRef<AttributeRow> attributeSet(const ScalarRow &row,
                                           int64_t opset) {
  static std::deque<SmallVector<AttributeRow>> sets;
  SmallVector<AttributeRow> attributes;
  for (const ScalarAttribute &attribute : row.attributes)
    if (opset >= attribute.since && opset <= attribute.until)
      attributes.push_back({attribute.name, attribute.kind});
  // A hint for storage that later opsets dropped; it has no meaning.
  if (row.since == 1 && opset <= 5 && row.rule != ScalarRow::Truth &&
      row.rule != ScalarRow::CastTo)
    attributes.push_back({"consumed_inputs", Attribute::Ints});
  if (row.since == 1 && row.minInputs == 2 && opset <= 6 &&
      StringRef(row.name) != "PRelu") {
    attributes.push_back({"broadcast", Attribute::Int});
    attributes.push_back({"axis", Attribute::Int});
  }
  for (ArrayRef<AttributeRow> set : sets)
    if (llvm::equal(set, attributes,
                    [](const AttributeRow &a, const AttributeRow &b) {
                      return StringRef(a.name) == b.name && a.kind == b.kind;
                    }))
      return set;
  return sets.emplace_back(std::move(attributes));
}

ArrayRef<OperatorRow> elementwiseOperators() {
  static const std::vector<OperatorRow> rows = [] {
    std::vector<OperatorRow> made;
    for (const ScalarRow &row : scalarRows()) {
      size_t first = made.size();
      for (int64_t opset = row.since; opset <= newestOpset; ++opset) {
        OperatorRow next = {"",
                            row.name,
                            opset,
                            opset,
                            row.minInputs,
                            row.maxInputs,
                            1,
                            attributeSet(row, opset),
                            typeSet(row, opset),
                            buildElementwise,
                            row.otherInputs,
                            row.otherTypes};
        StringRef name = row.name;
        if (name == "Clip" && opset < 11)
          next.maxInputs = 1;
        if (name == "Pow" && opset < 12)
          next.otherInputs = 0;
        if (made.size() > first &&
            made.back().attributes.data() == next.attributes.data() &&
            made.back().types.data() == next.types.data() &&
            made.back().maxInputs == next.maxInputs &&
            made.back().otherInputs == next.otherInputs)
          made.back().until = opset;
        else
          made.push_back(next);
      }
    }
    return made;
  }();
  return rows;
}

} // namespace kernelzero::onnx
