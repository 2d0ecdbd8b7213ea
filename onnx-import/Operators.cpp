//===- Operators.cpp - what the importer knows of operators ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "Building.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace kernelzero::onnx {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Calls `visit` with every row until it returns true.
static void visitRows(llvm::function_ref<bool(const OperatorRow &)> visit) {
  for (auto family : {contractionOperators, elementwiseOperators,
                      movementOperators, reductionOperators, shapeOperators})
    for (const OperatorRow &row : family())
      if (visit(row))
        return;
}

const OperatorRow *findOperator(StringRef domain, StringRef opType,
                                int64_t opset) {
  const OperatorRow *found = nullptr;
  visitRows([&](const OperatorRow &row) {
    if (domain == row.domain && opType == row.opType && opset >= row.since &&
        opset <= row.until)
      found = &row;
    return found != nullptr;
  });
  return found;
}

std::string supportedOpsets(StringRef domain, StringRef opType) {
  int64_t first = newestOpset + 1, last = 0;
  visitRows([&](const OperatorRow &row) {
    if (domain == row.domain && opType == row.opType) {
      first = std::min(first, row.since);
      last = std::max(last, row.until);
    }
    return false;
  });
  return last ? (Twine(first) + " to " + Twine(last)).str() : "";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type convertElementType(MLIRContext *context, int32_t type) {
  switch (type) {
  case Float32:
    return Float32Type::get(context);
  case Float64:
    return Float64Type::get(context);
  case Float16:
    return Float16Type::get(context);
  case BFloat16:
    return BFloat16Type::get(context);
  case Bool:
    return IntegerType::get(context, 1);
  case Int8:
    return IntegerType::get(context, 8);
  case Int16:
    return IntegerType::get(context, 16);
  case Int32:
    return IntegerType::get(context, 32);
  case Int64:
    return IntegerType::get(context, 64);
  default:
    return {};
  }
}

std::string elementTypeName(Type type) {
  for (int32_t k = 0; k <= Int2; ++k)
    if (convertElementType(type.getContext(), k) == type)
      return elementTypeName(k);
  llvm_unreachable("a type that no element type converts to");
}

//===----------------------------------------------------------------------===//
// NodeContext
//===----------------------------------------------------------------------===//

std::string NodeContext::inputText(size_t index) const {
  return ("input " + Twine(index) + " ('" + node.inputs[index] + "')").str();
}

const Attribute *NodeContext::findAttribute(StringRef name) const {
  for (const Attribute &attribute : node.attributes)
    if (name == attribute.name)
      return &attribute;
  return nullptr;
}

float NodeContext::floatAttribute(StringRef name, float byDefault) const {
  const Attribute *attribute = findAttribute(name);
  return attribute ? attribute->f : byDefault;
}

int64_t NodeContext::intAttribute(StringRef name, int64_t byDefault) const {
  const Attribute *attribute = findAttribute(name);
  return attribute ? attribute->i : byDefault;
}

std::string NodeContext::stringAttribute(StringRef name,
                                         StringRef byDefault) const {
  const Attribute *attribute = findAttribute(name);
  return attribute ? attribute->s : byDefault.str();
}

DenseElementsAttr NodeContext::constantInput(size_t index) const {
  return getConstant(input(index));
}

FailureOr<SmallVector<int64_t>> NodeContext::constantInts(size_t index) const {
  DenseElementsAttr constant = constantInput(index);
  RankedTensorType type = inputType(index);
  if (type.getRank() > 1)
    return fail(inputText(index) + " has shape " +
                shapeText(type.getShape().vec()) +
                ", a scalar or a list is accepted");
  if (!constant)
    return fail(inputText(index) +
                " decides about shapes and depends on values that are not "
                "known now, at most " +
                Twine(denseConstantLimit) + " bytes of constants are accepted");
  SmallVector<int64_t> values;
  for (const APInt &value : constant.getValues<APInt>())
    values.push_back(value.getSExtValue());
  return values;
}

FailureOr<int64_t> NodeContext::checkAxis(int64_t axis, int64_t rank) const {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  return fail(
      "axis " + Twine(axis) + " is outside of rank " + Twine(rank) +
      (rank ? ", " + Twine(-rank) + " to " + Twine(rank - 1) + " are accepted"
            : Twine(", which has none")));
}

LogicalResult NodeContext::fail(const Twine &sentence) const {
  std::string name =
      node.name.empty() ? std::to_string(node.index) : "'" + node.name + "'";
  error = ("node " + name + " (" + node.opType + ", opset " + Twine(opset) +
           "): " + sentence)
              .str();
  return failure();
}

FailureOr<RankedTensorType> NodeContext::resultType(ArrayRef<int64_t> shape,
                                                    Type elementType) const {
  if (llvm::is_contained(shape, 0))
    return fail("the result of shape " +
                shapeText({shape.begin(), shape.end()}) +
                " is empty, sizes of 1 and more are accepted");
  int64_t bytes = llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > tensorBytesLimit)
      return fail("the result of shape " +
                  shapeText({shape.begin(), shape.end()}) + " and type " +
                  elementTypeName(elementType) + " is over 2^40 bytes");
  return RankedTensorType::get(shape, elementType);
}

LogicalResult NodeContext::checkRow() const {
  size_t present = node.inputs.size();
  if (present < row.minInputs || present > row.maxInputs) {
    std::string accepted = std::to_string(row.minInputs);
    if (row.maxInputs != row.minInputs)
      accepted += " to " + std::to_string(row.maxInputs);
    return fail("has " + Twine(present) + " inputs, " + accepted +
                " are accepted");
  }
  for (size_t k = 0; k < row.minInputs; ++k)
    if (node.inputs[k].empty())
      return fail("input " + Twine(k) + " is left out, it is required");
  size_t maxOutputs = std::max(row.outputs, row.maxOutputs);
  if (node.outputs.size() < row.outputs || node.outputs.size() > maxOutputs)
    return fail("has " + Twine(node.outputs.size()) + " outputs, " +
                Twine(row.outputs) +
                (maxOutputs > row.outputs
                     ? " to " + Twine(maxOutputs) + " are accepted"
                     : Twine(" is accepted")));

  for (const Attribute &attribute : node.attributes) {
    const AttributeRow *known =
        llvm::find_if(row.attributes, [&](const AttributeRow &other) {
          return attribute.name == other.name;
        });
    if (known == row.attributes.end()) {
      std::string names;
      for (const AttributeRow &other : row.attributes)
        names += (names.empty() ? "" : ", ") + std::string(other.name);
      return fail("attribute '" + attribute.name + "' is unknown, accepted: " +
                  (names.empty() ? "none" : names));
    }
    if (attribute.kind != known->kind)
      return fail("attribute '" + attribute.name + "' has kind " +
                  attributeKindName(attribute.kind) + ", " +
                  attributeKindName(known->kind) + " is accepted");
    if (llvm::count_if(node.attributes, [&](const Attribute &other) {
          return other.name == attribute.name;
        }) > 1)
      return fail("attribute '" + attribute.name + "' is given more than once");
  }

  // Two groups of inputs; in each the element types are the same.
  for (bool others : {false, true}) {
    ArrayRef<ElementType> accepted = others ? row.otherTypes : row.types;
    Type first;
    size_t firstIndex = 0;
    for (size_t k = 0; k < inputs.size(); ++k) {
      if (!inputs[k] || (k < 32 && ((row.otherInputs >> k) & 1)) != others)
        continue;
      Type type = inputType(k).getElementType();
      if (!llvm::any_of(accepted, [&](ElementType other) {
            return convertElementType(type.getContext(), other) == type;
          })) {
        std::string names;
        for (ElementType other : accepted)
          names += (names.empty() ? "" : ", ") +
                   elementTypeName(static_cast<int32_t>(other));
        return fail(inputText(k) + " has element type " +
                    elementTypeName(type) + ", accepted: " + names);
      }
      if (first && type != first)
        return fail(inputText(firstIndex) + " has element type " +
                    elementTypeName(first) + " and " + inputText(k) + " " +
                    elementTypeName(type) + ", the same is accepted");
      if (!first) {
        first = type;
        firstIndex = k;
      }
    }
  }
  return success();
}

} // namespace kernelzero::onnx
