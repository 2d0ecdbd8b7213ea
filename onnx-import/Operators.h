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
#include "mlir/IR/BuiltinAttributes.h"
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

  /// How many operands the node names, left out ones included.
  size_t numInputs() const { return inputs.size(); }

  /// The attribute of a name, or null.
  const Attribute *findAttribute(llvm::StringRef name) const;
  float floatAttribute(llvm::StringRef name, float byDefault) const;
  int64_t intAttribute(llvm::StringRef name, int64_t byDefault) const;
  std::string stringAttribute(llvm::StringRef name,
                              llvm::StringRef byDefault) const;

  /// The value of an operand that is a small constant, or null.
  mlir::DenseElementsAttr constantInput(size_t index) const;
  /// The integers of an operand of rank 0 or 1 that must be known now.
  mlir::FailureOr<llvm::SmallVector<int64_t>> constantInts(size_t index) const;
  /// An axis of a tensor of that rank, negative ones counted from the end.
  mlir::FailureOr<int64_t> checkAxis(int64_t axis, int64_t rank) const;

  /// Sets the error to "node 'n' (Gemm, opset 13): `sentence`".
  mlir::LogicalResult fail(const llvm::Twine &sentence) const;

  /// The type of a result, or an error where it is empty or larger than the
  /// limit.
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
  /// Accepted element types of the inputs, which are the same.
  llvm::ArrayRef<ElementType> types;
  /// Builds the node and appends one value per output.
  mlir::LogicalResult (*build)(const NodeContext &context,
                               llvm::SmallVectorImpl<mlir::Value> &results);
  /// Inputs, by bits, that have a type of their own: the same of `otherTypes`.
  uint32_t otherInputs = 0;
  llvm::ArrayRef<ElementType> otherTypes = {};
  /// The most outputs where that is more than `outputs`.
  size_t maxOutputs = 0;
};

/// The row for an operator at an opset, or null.
const OperatorRow *findOperator(llvm::StringRef domain, llvm::StringRef opType,
                                int64_t opset);

/// "7 to 25": the opsets of an operator that have rows, empty where none has.
std::string supportedOpsets(llvm::StringRef domain, llvm::StringRef opType);

/// The MLIR type of an element type, or null where the importer takes none.
mlir::Type convertElementType(mlir::MLIRContext *context, int32_t type);

/// The ONNX name of a converted element type.
std::string elementTypeName(mlir::Type type);

// Sets of element types for rows.
inline constexpr ElementType floatTypes[] = {Float16, Float32, Float64};
inline constexpr ElementType floatBf16Types[] = {BFloat16, Float16, Float32,
                                                 Float64};
inline constexpr ElementType indexTypes[] = {Int32, Int64};
inline constexpr ElementType int64Type[] = {Int64};
inline constexpr ElementType allTypes[] = {
    Float16, BFloat16, Float32, Float64, Bool, Int8, Int16, Int32, Int64};

// The families.
llvm::ArrayRef<OperatorRow> contractionOperators();
llvm::ArrayRef<OperatorRow> elementwiseOperators();
llvm::ArrayRef<OperatorRow> movementOperators();
llvm::ArrayRef<OperatorRow> reductionOperators();
llvm::ArrayRef<OperatorRow> shapeOperators();

} // namespace kernelzero::onnx

#endif // KERNELZERO_ONNXIMPORT_OPERATORS_H
