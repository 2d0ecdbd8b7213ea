//===- HostRegion.cpp - the region of an operation, in lanes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace kernelzero::host;

/// The same operation on vectors of `lanes` elements.
Value Emitter::vectorized(Operation *op, IRMapping &mapping, int64_t lanes) {
  if (!lanes)
    return b.clone(*op, mapping)->getResult(0);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(mapping.lookup(operand));
  OperationState made(op->getLoc(), op->getName());
  made.addOperands(operands);
  made.addTypes(VectorType::get(lanes, op->getResult(0).getType()));
  made.attributes = op->getDiscardableAttrDictionary();
  made.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(made)->getResult(0);
}

/// A value of the region at `ivs` as a scalar: what the first lane has.
Value Emitter::firstLane(LinalgState &state, Value value, ValueRange ivs,
                         IRMapping &known) {
  if (Value ready = state.still.lookup(value))
    return ready;
  if (Value ready = known.lookupOrNull(value))
    return ready;
  Block &block = *state.op.getBlock();
  Value result;
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == &block) {
    OpOperand &operand = state.op->getOpOperand(argument.getArgNumber());
    result = isa<MemRefType>(operand.get().getType())
                 ? loadOperand(state, argument.getArgNumber(),
                               llvm::to_vector(ivs), 0, {})
                 : scalar(operand.get());
  } else if (value.getParentBlock() != &block) {
    result = scalar(value);
    if (isa<IndexType>(value.getType()))
      result = arith::IndexCastOp::create(b, loc, b.getIndexType(), result);
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    result = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                        ivs[index.getDim()]);
  } else {
    SmallVector<Value> operands;
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      operands.push_back(firstLane(state, operand, ivs, known));
      mapping.map(operand, operands.back());
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      result = evaluateIndex(apply.getAffineMap().getResult(0), operands,
                             apply.getAffineMap().getNumDims(), 0);
    else if (auto read = dyn_cast<memref::LoadOp>(op))
      result = emitRead(state, read, ivs, mapping, 0, {});
    else
      result = b.clone(*op, mapping)->getResult(0);
  }
  known.map(value, result);
  return result;
}

/// How far `value` of the region moves from one lane to the next; nothing where
/// that differs or is not known.
std::optional<int64_t> Emitter::getStep(LinalgState &state, Value value) {
  Block &block = *state.op.getBlock();
  if (value.getParentBlock() != &block || state.still.contains(value))
    return 0;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument)
    return state.maps[argument.getArgNumber()].isFunctionOfDim(state.dim)
               ? std::nullopt
               : std::optional<int64_t>(0);
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return int64_t(index.getDim()) == state.dim;
  SmallVector<std::optional<int64_t>> steps;
  for (Value operand : op->getOperands())
    steps.push_back(getStep(state, operand));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    unsigned numDims = apply.getAffineMap().getNumDims();
    std::function<std::optional<int64_t>(AffineExpr)> getStepOf =
        [&](AffineExpr expr) -> std::optional<int64_t> {
      if (isa<AffineConstantExpr>(expr))
        return 0;
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        return steps[dim.getPosition()];
      if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
        return steps[numDims + symbol.getPosition()];
      auto binary = cast<AffineBinaryOpExpr>(expr);
      std::optional<int64_t> x = getStepOf(binary.getLHS());
      std::optional<int64_t> y = getStepOf(binary.getRHS());
      if (!x || !y)
        return std::nullopt;
      if (expr.getKind() == AffineExprKind::Add)
        return *x + *y;
      auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      if (expr.getKind() == AffineExprKind::Mul && factor)
        return *x * factor.getValue();
      return *x == 0 && *y == 0 ? std::optional<int64_t>(0) : std::nullopt;
    };
    return getStepOf(apply.getAffineMap().getResult(0));
  }
  if (llvm::is_contained(steps, std::nullopt))
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *steps[0] + *steps[1];
  if (isa<arith::SubIOp>(op))
    return *steps[0] - *steps[1];
  if (isa<arith::MulIOp>(op))
    for (unsigned side : {0, 1})
      if (APInt factor;
          matchPattern(op->getOperand(side), m_ConstantInt(&factor)))
        return *steps[1 - side] * factor.getSExtValue();
  if (isa<arith::IndexCastOp>(op))
    return steps[0];
  bool isStill = llvm::all_of(
      steps, [](std::optional<int64_t> step) { return *step == 0; });
  return isStill && isMemoryEffectFree(op) ? std::optional<int64_t>(0)
                                           : std::nullopt;
}

/// `expr` over values of type index, or vectors of them.
Value Emitter::evaluateIndex(AffineExpr expr, ValueRange operands,
                             unsigned numDims, int64_t lanes) {
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    return splat(arith::ConstantIndexOp::create(b, loc, known.getValue()),
                 lanes);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = evaluateIndex(binary.getLHS(), operands, numDims, lanes);
  Value y = evaluateIndex(binary.getRHS(), operands, numDims, lanes);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, loc, x, y);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, loc, x, y);
  case AffineExprKind::FloorDiv:
    return arith::FloorDivSIOp::create(b, loc, x, y);
  case AffineExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(b, loc, x, y);
  default: {
    // The affine remainder is never negative.
    Value down = arith::FloorDivSIOp::create(b, loc, x, y);
    return arith::SubIOp::create(b, loc, x,
                                 arith::MulIOp::create(b, loc, down, y));
  }
  }
}

/// A read at coordinates: one element for all lanes, a vector of neighbours, or
/// lane by lane.
Value Emitter::emitRead(LinalgState &state, memref::LoadOp read, ValueRange ivs,
                        const IRMapping &mapping, int64_t lanes, Value mask) {
  View from = view(read.getMemref());
  Type element = read.getMemRefType().getElementType();
  auto at = [&](llvm::function_ref<Value(Value)> pick) {
    SmallVector<Value> indices;
    for (Value index : read.getIndices())
      indices.push_back(
          arith::IndexCastOp::create(b, loc, b.getI64Type(), pick(index)));
    return address(from, indices);
  };
  if (!lanes)
    return load(at([&](Value index) { return mapping.lookup(index); }), element,
                0);
  std::optional<int64_t> step = 0;
  for (auto [dim, index] : llvm::enumerate(read.getIndices())) {
    std::optional<int64_t> moves = getStep(state, index);
    std::optional<int64_t> stride = constant(from.strides[dim]);
    if (moves == 0)
      continue;
    step = step && moves && stride ? std::optional(*step + *moves * *stride)
                                   : std::nullopt;
  }
  if (from.panelDim < 0 && (step == 0 || step == 1)) {
    IRMapping known;
    Value start =
        at([&](Value index) { return firstLane(state, index, ivs, known); });
    if (step == 1)
      return load(start, element, lanes, mask);
    return splat(load(start, element, 0), lanes);
  }
  Value vector = zero(VectorType::get(lanes, element));
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value one = load(at([&](Value index) -> Value {
                       return vector::ExtractOp::create(
                           b, loc, mapping.lookup(index), lane);
                     }),
                     element, 0);
    vector = vector::InsertOp::create(b, loc, one, vector, lane);
  }
  return vector;
}

LogicalResult Emitter::emitRegion(LinalgState &state, ValueRange arguments,
                                  ValueRange ivs, int64_t lanes, Value mask,
                                  SmallVectorImpl<Value> &results) {
  Block &block = *state.op.getBlock();
  IRMapping mapping;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  for (auto [value, ready] : lanes ? state.stillVectors : state.still)
    mapping.map(value, ready);
  auto captured = [&](Value value) {
    if (mapping.contains(value) || value.getParentBlock() == &block)
      return;
    if (isa<MemRefType>(value.getType()))
      return;
    Value here = scalar(value);
    // Numbers are i64 in emitted code, and index in the region.
    if (isa<IndexType>(value.getType()))
      here = arith::IndexCastOp::create(b, loc, b.getIndexType(), here);
    mapping.map(value, splat(here, lanes));
  };
  for (Operation &op : block) {
    if (op.getNumResults() && state.still.contains(op.getResult(0)))
      continue;
    for (Value operand : op.getOperands())
      captured(operand);
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      for (Value operand : op.getOperands())
        results.push_back(mapping.lookup(operand));
      return success();
    }
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      Value iv = ivs[index.getDim()];
      Value value = splat(iv, lanes);
      if (lanes && static_cast<int64_t>(index.getDim()) == state.dim) {
        SmallVector<int64_t> numbers(lanes);
        std::iota(numbers.begin(), numbers.end(), 0);
        auto type = VectorType::get(lanes, b.getI64Type());
        Value lane = arith::ConstantOp::create(
            b, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
        value = arith::AddIOp::create(b, loc, value, lane);
        // Lanes beyond the end read what the last one inside reads.
        if (mask)
          value = arith::MinSIOp::create(
              b, loc, value,
              splat(sub(state.extents[state.dim], number(1)), lanes));
      }
      Type type = b.getIndexType();
      if (lanes)
        type = VectorType::get(lanes, type);
      mapping.map(index.getResult(),
                  arith::IndexCastOp::create(b, loc, type, value));
      continue;
    }
    if (auto known = dyn_cast<arith::ConstantOp>(op)) {
      mapping.map(known.getResult(), splat(b.clone(op)->getResult(0), lanes));
      continue;
    }
    if (auto read = dyn_cast<memref::LoadOp>(op)) {
      mapping.map(read.getResult(),
                  emitRead(state, read, ivs, mapping, lanes, mask));
      continue;
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      SmallVector<Value> operands;
      for (Value operand : apply.getMapOperands())
        operands.push_back(mapping.lookup(operand));
      AffineMap map = apply.getAffineMap();
      mapping.map(apply.getResult(), evaluateIndex(map.getResult(0), operands,
                                                   map.getNumDims(), lanes));
      continue;
    }
    bool elementwise =
        OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1;
    if (op.getNumRegions() ||
        (!elementwise && !(lanes == 0 && isMemoryEffectFree(&op))))
      return op.emitError() << "'" << op.getName()
                            << "' in the region has no lowering to the host";
    if (op.getNumResults() == 1) {
      mapping.map(op.getResult(0), vectorized(&op, mapping, lanes));
      continue;
    }
    b.clone(op, mapping);
  }
  return success();
}
