//===- Model.h - an ONNX model as plain structs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What separates the file format (protobuf, which throws) from the code that
// builds MLIR (which does not). Structs here are as the file says; that the
// graph makes sense is checked by who builds from it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_ONNXIMPORT_MODEL_H
#define KERNELZERO_ONNXIMPORT_MODEL_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kernelzero::onnx {

/// Element types by their number in the file format (`TensorProto.DataType`).
enum ElementType : int32_t {
  Undefined = 0,
  Float32 = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Float64 = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
};

/// The name of an element type for messages, for example "float16"; of a number
/// that is none, "number 99".
std::string elementTypeName(int32_t type);

/// The bits of one element; 0 for strings and for what is no element type.
int elementTypeBits(int32_t type);

/// "2x3x4", or "a scalar" for no dimensions.
std::string shapeText(const std::vector<int64_t> &dims);

/// A tensor with its elements as `raw_data` lays them out: little-endian,
/// dense, booleans a byte each, types under 8 bits packed from the low bits up.
struct Tensor {
  std::string name;
  int32_t type = Undefined;
  std::vector<int64_t> dims;
  std::string bytes;
};

struct Attribute {
  enum Kind {
    Undefined,
    Float,
    Int,
    String,
    Tensor,
    Graph,
    Floats,
    Ints,
    Strings,
    Other
  };
  std::string name;
  Kind kind = Undefined;
  float f = 0;
  int64_t i = 0;
  std::string s;
  std::shared_ptr<onnx::Tensor> tensor;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
};

/// The name of a kind for messages, for example "FLOAT".
const char *attributeKindName(Attribute::Kind kind);

/// One dimension: a size (0 or more), or -1 with or without a name.
struct Dim {
  int64_t size = -1;
  std::string name;
};

struct ValueInfo {
  std::string name;
  /// Undefined where the file gives no type.
  int32_t type = Undefined;
  /// What the value is if it is no tensor, for example "sequence".
  std::string otherKind;
  bool hasShape = false;
  std::vector<Dim> dims;
};

struct Node {
  std::string name, opType;
  /// Empty for the default domain, also where the file says "ai.onnx".
  std::string domain;
  std::vector<std::string> inputs, outputs;
  std::vector<Attribute> attributes;
  /// Position in the file, for messages about nodes without a name.
  size_t index = 0;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs, outputs;
};

struct Model {
  int64_t irVersion = 0;
  /// Domain and version; the default domain is the empty string.
  std::vector<std::pair<std::string, int64_t>> opsets;
  /// Domain and name of the functions that the model defines.
  std::vector<std::pair<std::string, std::string>> functions;
  Graph graph;
};

/// Reads the model at `path` with its external data. False on failure, with one
/// sentence in `error`; never throws.
bool readModel(const std::string &path, Model &model, std::string &error);

} // namespace kernelzero::onnx

#endif // KERNELZERO_ONNXIMPORT_MODEL_H
