//===- Operators.cpp - what the importer knows of operators ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace kernelzero::onnx {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static ArrayRef<OperatorRow> families(size_t index) {
  switch (index) {
  case 0:
    return contractionOperators();
  case 1:
    return elementwiseOperators();
  default:
    return {};
  }
}

const OperatorRow *findOperator(StringRef domain, StringRef opType,
                                int64_t opset) {
  for (size_t k = 0; !families(k).empty(); ++k)
    for (const OperatorRow &row : families(k))
      if (domain == row.domain && opType == row.opType && opset >= row.since &&
          opset <= row.until)
        return &row;
  return nullptr;
}

std::string supportedOperators() {
  SmallVector<StringRef> names;
  for (size_t k = 0; !families(k).empty(); ++k)
    for (const OperatorRow &row : families(k))
      if (!llvm::is_contained(names, row.opType))
        names.push_back(row.opType);
  llvm::sort(names);
  return llvm::join(names, ", ");
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

static const Attribute *findAttribute(const Node &node, StringRef name) {
  for (const Attribute &attribute : node.attributes)
    if (name == attribute.name)
      return &attribute;
  return nullptr;
}

float NodeContext::floatAttribute(StringRef name, float byDefault) const {
  const Attribute *attribute = findAttribute(node, name);
  return attribute ? attribute->f : byDefault;
}

int64_t NodeContext::intAttribute(StringRef name, int64_t byDefault) const {
  const Attribute *attribute = findAttribute(node, name);
  return attribute ? attribute->i : byDefault;
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
  if (node.outputs.size() != row.outputs)
    return fail("has " + Twine(node.outputs.size()) + " outputs, " +
                Twine(row.outputs) + " is accepted");

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

  Type first;
  size_t firstIndex = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k])
      continue;
    Type type = inputType(k).getElementType();
    if (!llvm::any_of(row.types, [&](ElementType accepted) {
          return convertElementType(type.getContext(), accepted) == type;
        })) {
      std::string names;
      for (ElementType accepted : row.types)
        names += (names.empty() ? "" : ", ") +
                 elementTypeName(static_cast<int32_t>(accepted));
      return fail(inputText(k) + " has element type " + elementTypeName(type) +
                  ", accepted: " + names);
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
  return success();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value createEmpty(const NodeContext &context, RankedTensorType type) {
  return tensor::EmptyOp::create(context.builder, context.loc, type.getShape(),
                                 type.getElementType());
}

} // namespace kernelzero::onnx
