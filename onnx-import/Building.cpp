//===- Building.cpp - pieces that operators are built from ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace kernelzero::onnx {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

DenseElementsAttr getConstant(Value value) {
  DenseElementsAttr attribute;
  if (value && matchPattern(value, m_Constant(&attribute)))
    return attribute;
  return {};
}

FailureOr<TypedAttr> convertTensor(MLIRContext *context, Tensor &tensor,
                                   const Twine &what, std::string &error) {
  Type element = convertElementType(context, tensor.type);
  if (!element) {
    error = (what + " has element type " + elementTypeName(tensor.type) +
             ", accepted are float16, bfloat16, float32, float64, bool and "
             "signed integers of 8 to 64 bits")
                .str();
    return failure();
  }
  // Lists may be empty: a shape of rank 0 is one.
  if (tensor.dims.size() != 1 && llvm::is_contained(tensor.dims, 0)) {
    error = (what + " has shape " + shapeText(tensor.dims) +
             ", sizes of 1 and more are accepted")
                .str();
    return failure();
  }
  auto type = RankedTensorType::get(tensor.dims, element);
  ArrayRef<char> bytes(tensor.bytes.data(), tensor.bytes.size());
  if (bytes.empty())
    return TypedAttr(DenseElementsAttr::get(type, ArrayRef<mlir::Attribute>()));
  if (tensor.type == Bool) {
    // A byte each there, packed bits here.
    SmallVector<bool> bits(bytes.begin(), bytes.end());
    return TypedAttr(DenseElementsAttr::get(type, bits));
  }
  if (int64_t(bytes.size()) <= denseConstantLimit)
    return TypedAttr(DenseElementsAttr::getFromRawBuffer(type, bytes));
  auto resource = DenseResourceElementsAttr::get(
      type, tensor.name.empty() ? "constant" : tensor.name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64,
                                                    /*dataIsMutable=*/false));
  std::string().swap(tensor.bytes);
  return TypedAttr(resource);
}

Value createConstant(const NodeContext &context, TypedAttr value) {
  return arith::ConstantOp::create(context.builder, context.loc, value);
}

Value createInts(const NodeContext &context, ArrayRef<int64_t> values,
                 bool scalar) {
  SmallVector<int64_t, 1> shape;
  if (!scalar)
    shape.push_back(values.size());
  auto type = RankedTensorType::get(shape, context.builder.getI64Type());
  return createConstant(context, DenseElementsAttr::get(type, values));
}

bool isFoldable(RankedTensorType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return type.getNumElements() <= denseConstantLimit / bytes;
}

Value pickElements(const NodeContext &context, RankedTensorType type,
                   DenseElementsAttr from,
                   llvm::function_ref<int64_t(int64_t)> source) {
  SmallVector<mlir::Attribute> elements;
  auto values = from.getValues<mlir::Attribute>();
  for (int64_t k = 0, end = type.getNumElements(); k < end; ++k)
    elements.push_back(values[source(k)]);
  return createConstant(context, DenseElementsAttr::get(type, elements));
}

Value createEmpty(const NodeContext &context, RankedTensorType type) {
  return tensor::EmptyOp::create(context.builder, context.loc, type.getShape(),
                                 type.getElementType());
}

Value createScalar(OpBuilder &builder, Location loc, Type type, double value) {
  TypedAttr attribute;
  if (isa<FloatType>(type))
    attribute = builder.getFloatAttr(type, value);
  else
    // The largest 64-bit integer is no double; what is above means it.
    attribute = builder.getIntegerAttr(
        type, value >= 0x1p63 ? std::numeric_limits<int64_t>::max()
                              : static_cast<int64_t>(value));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value createFilled(const NodeContext &context, RankedTensorType type,
                   double value) {
  Value scalar =
      createScalar(context.builder, context.loc, type.getElementType(), value);
  return linalg::FillOp::create(context.builder, context.loc, scalar,
                                createEmpty(context, type))
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type wideType(Type type) {
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 16)
    return Float32Type::get(type.getContext());
  return type;
}

Value convertFloat(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  // Constants are converted now, bodies look at them.
  if (from < to)
    return builder.createOrFold<arith::ExtFOp>(loc, type, value);
  if (from == to) // float16 and bfloat16 are no part of each other.
    value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  SmallVector<int64_t> result;
  for (ArrayRef<int64_t> shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    size_t lead = result.size() - shape.size();
    for (auto [k, size] : llvm::enumerate(shape)) {
      int64_t &other = result[lead + k];
      if (other == 1)
        other = size;
      else if (size != 1 && size != other)
        return failure();
    }
  }
  return result;
}

AffineMap broadcastMap(MLIRContext *context, ArrayRef<int64_t> from,
                       ArrayRef<int64_t> to, size_t lead) {
  SmallVector<AffineExpr> exprs;
  if (lead + from.size() > to.size())
    return {};
  for (size_t k = 0; k < from.size(); ++k) {
    if (from[k] == to[lead + k])
      exprs.push_back(getAffineDimExpr(lead + k, context));
    else if (from[k] == 1)
      exprs.push_back(getAffineConstantExpr(0, context));
    else
      return {};
  }
  return AffineMap::get(to.size(), 0, exprs, context);
}

AffineMap broadcastMap(MLIRContext *context, ArrayRef<int64_t> from,
                       ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return {};
  return broadcastMap(context, from, to, to.size() - from.size());
}

//===----------------------------------------------------------------------===//
// Scalar bodies
//===----------------------------------------------------------------------===//

/// The value of `result` for values of the arguments of `block`, by the folders
/// of its operations; null where one of them cannot be folded.
static mlir::Attribute evaluate(Block &block, Value result,
                                ArrayRef<mlir::Attribute> arguments) {
  llvm::DenseMap<Value, mlir::Attribute> known;
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    known[argument] = value;
  for (Operation &op : block) {
    mlir::Attribute constant;
    if (matchPattern(&op, m_Constant(&constant))) {
      known[op.getResult(0)] = constant;
      continue;
    }
    SmallVector<mlir::Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    SmallVector<OpFoldResult> folded;
    if (failed(op.fold(operands, folded)) || folded.size() != 1)
      return {};
    auto value = dyn_cast<mlir::Attribute>(folded[0]);
    known[op.getResult(0)] =
        value ? value : known.lookup(cast<Value>(folded[0]));
    if (!known[op.getResult(0)])
      return {};
  }
  return known.lookup(result);
}

/// The result where all operands are small constants, or null.
static Value foldPointwise(const NodeContext &context,
                           ArrayRef<DenseElementsAttr> constants,
                           ArrayRef<AffineMap> maps, RankedTensorType type,
                           ScalarBody body) {
  if (!isFoldable(type))
    return {};
  Block block;
  for (DenseElementsAttr constant : constants) {
    if (!constant)
      return {};
    block.addArgument(constant.getElementType(), context.loc);
  }
  // The block is in no region, so its builder needs the context said.
  OpBuilder builder(context.builder.getContext());
  builder.setInsertionPointToEnd(&block);
  Value result = body(builder, context.loc, block.getArguments());
  SmallVector<mlir::Attribute> elements, arguments(constants.size());
  SmallVector<int64_t> at(type.getRank(), 0);
  for (int64_t left = type.getNumElements(); left > 0; --left) {
    for (auto [argument, constant, map] :
         llvm::zip(arguments, constants, maps)) {
      SmallVector<uint64_t> index;
      for (int64_t k : map.compose(at))
        index.push_back(k);
      argument = constant.isSplat()
                     ? constant.getSplatValue<mlir::Attribute>()
                     : constant.getValues<mlir::Attribute>()[index];
    }
    mlir::Attribute element = evaluate(block, result, arguments);
    if (!element)
      return {};
    elements.push_back(element);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      if (++at[dim] < type.getDimSize(dim))
        break;
      at[dim] = 0;
    }
  }
  return createConstant(context, DenseElementsAttr::get(type, elements));
}

Value buildPointwise(const NodeContext &context, ArrayRef<Value> operands,
                     ArrayRef<AffineMap> maps, RankedTensorType type,
                     ScalarBody body) {
  SmallVector<DenseElementsAttr> constants;
  for (Value operand : operands)
    constants.push_back(getConstant(operand));
  if (Value folded = foldPointwise(context, constants, maps, type, body))
    return folded;

  // What is read of each element; where all is one number, that number.
  SmallVector<Value> read;
  SmallVector<AffineMap> readMaps;
  for (auto [operand, constant, map] : llvm::zip(operands, constants, maps))
    if (!constant || !constant.isSplat()) {
      read.push_back(operand);
      readMaps.push_back(map);
    }
  readMaps.push_back(context.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      context.builder, context.loc, TypeRange(type), read,
      createEmpty(context, type), readMaps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        SmallVector<Value> values;
        size_t next = 0;
        for (DenseElementsAttr constant : constants)
          if (constant && constant.isSplat())
            values.push_back(arith::ConstantOp::create(
                builder, loc,
                cast<TypedAttr>(constant.getSplatValue<mlir::Attribute>())));
          else
            values.push_back(arguments[next++]);
        linalg::YieldOp::create(builder, loc, body(builder, loc, values));
      });
  return generic.getResult(0);
}

Value buildReduction(const NodeContext &context, ArrayRef<Value> operands,
                     ArrayRef<AffineMap> maps, ArrayRef<int64_t> sizes,
                     ArrayRef<bool> reduced, Type elementType, double init,
                     ScalarBody body) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> loops;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    loops.push_back(reduced[dim] ? utils::IteratorType::reduction
                                 : utils::IteratorType::parallel);
    if (reduced[dim])
      continue;
    shape.push_back(size);
    kept.push_back(context.builder.getAffineDimExpr(dim));
  }
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(
      AffineMap::get(sizes.size(), 0, kept, context.builder.getContext()));
  auto type = RankedTensorType::get(shape, elementType);
  auto generic = linalg::GenericOp::create(
      context.builder, context.loc, TypeRange(type), operands,
      createFilled(context, type, init), allMaps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, body(builder, loc, arguments));
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

Value buildReshape(const NodeContext &context, Value value,
                   ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> from = type.getShape();
  if (from == shape)
    return value;
  auto to = RankedTensorType::get(shape, type.getElementType());
  if (DenseElementsAttr constant = getConstant(value))
    return createConstant(context, constant.reshape(to));

  // Groups of neighbours that hold as many elements here as there.
  SmallVector<ReassociationIndices> groupsFrom, groupsTo;
  SmallVector<int64_t> middle;
  size_t i = 0, j = 0;
  while (i < from.size() && j < shape.size()) {
    ReassociationIndices inFrom = {int64_t(i)}, inTo = {int64_t(j)};
    int64_t countFrom = from[i++], countTo = shape[j++];
    while (countFrom != countTo) {
      if (countFrom < countTo) {
        inFrom.push_back(i);
        countFrom *= from[i++];
      } else {
        inTo.push_back(j);
        countTo *= shape[j++];
      }
    }
    groupsFrom.push_back(inFrom);
    groupsTo.push_back(inTo);
    middle.push_back(countFrom);
  }
  // Sizes of 1 behind; where the other side has no dimension, all are 1.
  for (; i < from.size(); ++i)
    if (!groupsFrom.empty())
      groupsFrom.back().push_back(i);
  for (; j < shape.size(); ++j)
    if (!groupsTo.empty())
      groupsTo.back().push_back(j);
  auto middleType = RankedTensorType::get(middle, type.getElementType());
  if (middleType != type)
    value = tensor::CollapseShapeOp::create(context.builder, context.loc,
                                            middleType, value, groupsFrom);
  if (middleType != to)
    value = tensor::ExpandShapeOp::create(context.builder, context.loc, to,
                                          value, groupsTo);
  return value;
}

/// Steps of the dimensions of a row-major tensor.
static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// A constant read from `constant` at `base` and `steps` a dimension.
static Value pickStrided(const NodeContext &context, RankedTensorType type,
                         DenseElementsAttr constant, int64_t base,
                         ArrayRef<int64_t> steps) {
  SmallVector<int64_t> strides = getStrides(type.getShape());
  return pickElements(context, type, constant, [&](int64_t k) {
    int64_t at = base;
    for (auto [stride, step] : llvm::zip(strides, steps)) {
      at += k / stride * step;
      k %= stride;
    }
    return at;
  });
}

Value buildTranspose(const NodeContext &context, Value value,
                     ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape, moving, movingTo;
  SmallVector<int64_t> strides = getStrides(type.getShape()), steps;
  for (int64_t dim : permutation) {
    shape.push_back(type.getDimSize(dim));
    steps.push_back(strides[dim]);
    if (type.getDimSize(dim) != 1)
      moving.push_back(dim);
  }
  // Where only sizes of 1 change places, nothing moves.
  if (llvm::is_sorted(moving))
    return buildReshape(context, value, shape);
  auto to = RankedTensorType::get(shape, type.getElementType());
  if (DenseElementsAttr constant = getConstant(value))
    return pickStrided(context, to, constant, 0, steps);
  return linalg::TransposeOp::create(context.builder, context.loc, value,
                                     createEmpty(context, to), permutation)
      ->getResult(0);
}

Value buildSlice(const NodeContext &context, Value value,
                 ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                 ArrayRef<int64_t> steps) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == sizes &&
      llvm::all_of(steps, [](int64_t step) { return step > 0; }))
    return value;
  auto to = RankedTensorType::get(sizes, type.getElementType());
  if (DenseElementsAttr constant = getConstant(value)) {
    SmallVector<int64_t> strides = getStrides(type.getShape());
    int64_t base = 0;
    for (auto [dim, offset] : llvm::enumerate(offsets)) {
      base += offset * strides[dim];
      strides[dim] *= steps[dim];
    }
    return pickStrided(context, to, constant, base, strides);
  }
  auto attributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(context.builder.getContext(), values);
  };
  return tensor::ExtractSliceOp::create(context.builder, context.loc, to, value,
                                        attributes(offsets), attributes(sizes),
                                        attributes(steps));
}

} // namespace kernelzero::onnx
