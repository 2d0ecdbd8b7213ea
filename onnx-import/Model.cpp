//===- Model.cpp - names of what a model holds ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Model.h"

namespace kernelzero::onnx {

namespace {
struct ElementRow {
  const char *name;
  int bits;
};
constexpr ElementRow elementRows[] = {
    {"undefined", 0},      {"float32", 32},   {"uint8", 8},
    {"int8", 8},           {"uint16", 16},    {"int16", 16},
    {"int32", 32},         {"int64", 64},     {"string", 0},
    {"bool", 8},           {"float16", 16},   {"float64", 64},
    {"uint32", 32},        {"uint64", 64},    {"complex64", 0},
    {"complex128", 0},     {"bfloat16", 16},  {"float8e4m3fn", 8},
    {"float8e4m3fnuz", 8}, {"float8e5m2", 8}, {"float8e5m2fnuz", 8},
    {"uint4", 4},          {"int4", 4},       {"float4e2m1", 4},
    {"float8e8m0", 8},     {"uint2", 2},      {"int2", 2},
};
constexpr int32_t numElementRows = sizeof(elementRows) / sizeof(elementRows[0]);
} // namespace

std::string elementTypeName(int32_t type) {
  if (type < 0 || type >= numElementRows)
    return "number " + std::to_string(type);
  return elementRows[type].name;
}

int elementTypeBits(int32_t type) {
  return type < 0 || type >= numElementRows ? 0 : elementRows[type].bits;
}

std::string shapeText(const std::vector<int64_t> &dims) {
  if (dims.empty())
    return "a scalar";
  std::string text;
  for (int64_t dim : dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

const char *attributeKindName(Attribute::Kind kind) {
  switch (kind) {
  case Attribute::Undefined:
    return "UNDEFINED";
  case Attribute::Float:
    return "FLOAT";
  case Attribute::Int:
    return "INT";
  case Attribute::String:
    return "STRING";
  case Attribute::Tensor:
    return "TENSOR";
  case Attribute::Graph:
    return "GRAPH";
  case Attribute::Floats:
    return "FLOATS";
  case Attribute::Ints:
    return "INTS";
  case Attribute::Strings:
    return "STRINGS";
  case Attribute::Other:
    break;
  }
  return "another kind";
}

} // namespace kernelzero::onnx
