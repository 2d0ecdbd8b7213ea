//===- Operators.h - what the importer knows of operators -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An operator is one or more rows of a table, one per range of opsets in which
// its inputs, attributes and element types are the same. What a row says is
// checked before its function builds anything. A new operator is a function in
// the file of its family, and rows in that file's table.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_ONNXIMPORT_OPERATORS_H
#define KERNELZERO_ONNXIMPORT_OPERATORS_H

#include "Model.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace kernelzero::onnx {

struct OperatorRow;

/// The newest opset of the default domain that the rows were written from.
inline constexpr int64_t newestOpset = 25;

/// The most bytes of one tensor; sizes below stay exact in 64 bits.
inline constexpr int64_t tensorBytesLimit = int64_t(1) << 40;

/// One node on its way to MLIR: its operands, its attributes with defaults, and
/// errors that name it.
class NodeContext {
public:
  NodeContext(mlir::OpBuilder &builder, mlir::Location loc, const Node &node,
              const OperatorRow &row, int64_t opset,
              llvm::ArrayRef<mlir::Value> inputs, std::string &error)
      : builder(builder), loc(loc), node(node), row(row), opset(opset),
        inputs(inputs), error(error) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Node &node;
  const OperatorRow &row;
  int64_t opset;

  /// The operand at a position, null where the node leaves it out.
  mlir::Value input(size_t index) const {
    return index < inputs.size() ? inputs[index] : mlir::Value();
  }
  mlir::RankedTensorType inputType(size_t index) const {
    return llvm::cast<mlir::RankedTensorType>(inputs[index].getType());
  }
  /// "input 2 ('bias')".
  std::string inputText(size_t index) const;

  float floatAttribute(llvm::StringRef name, float byDefault) const;
  int64_t intAttribute(llvm::StringRef name, int64_t byDefault) const;

  /// Sets the error to "node 'n' (Gemm, opset 13): `sentence`".
  mlir::LogicalResult fail(const llvm::Twine &sentence) const;

  /// The type of a result, or an error where it is larger than the limit.
  mlir::FailureOr<mlir::RankedTensorType>
  resultType(llvm::ArrayRef<int64_t> shape, mlir::Type elementType) const;

  /// Checks what the row says: number of inputs and outputs, names and kinds of
  /// attributes, and that all present inputs have one of its element types.
  mlir::LogicalResult checkRow() const;

private:
  llvm::ArrayRef<mlir::Value> inputs;
  std::string &error;
};

/// The name and the kind of an attribute that a row accepts.
struct AttributeRow {
  const char *name;
  Attribute::Kind kind;
};

struct OperatorRow {
  const char *domain, *opType;
  /// First and last opset of the row.
  int64_t since, until;
  size_t minInputs, maxInputs, outputs;
  llvm::ArrayRef<AttributeRow> attributes;
  /// Accepted element types of all inputs, which are the same.
  llvm::ArrayRef<ElementType> types;
  /// Builds the node and appends one value per output.
  mlir::LogicalResult (*build)(const NodeContext &context,
                               llvm::SmallVectorImpl<mlir::Value> &results);
};

/// The row for an operator at an opset, or null.
const OperatorRow *findOperator(llvm::StringRef domain, llvm::StringRef opType,
                                int64_t opset);

/// "Gemm, Relu": all operators of the default domain.
std::string supportedOperators();

/// The MLIR type of an element type, or null where the importer takes none.
mlir::Type convertElementType(mlir::MLIRContext *context, int32_t type);

/// The ONNX name of a converted element type.
std::string elementTypeName(mlir::Type type);

/// `tensor.empty` of a type.
mlir::Value createEmpty(const NodeContext &context,
                        mlir::RankedTensorType type);

// The families.
llvm::ArrayRef<OperatorRow> elementwiseOperators();
llvm::ArrayRef<OperatorRow> contractionOperators();

} // namespace kernelzero::onnx

#endif // KERNELZERO_ONNXIMPORT_OPERATORS_H
