//===- HostLinalg.cpp - any Linalg operation as vector loops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// One dimension is walked in vectors (or element by element where the schedule
// named no vectors), the others by plain loops around it. It is
// - the dimension that is innermost in memory in every result, if an input of
//   the highest rank is contiguous along it; then every lane has its own
//   element of the result;
// - else the summed dimension that is innermost in memory in such an input;
// then
//   lanes hold partial results, combined at the end.
#include "HostEmitter.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace kernelzero::host;

struct Emitter::LinalgState {
  linalg::LinalgOp op;
  SmallVector<View> views;
  SmallVector<AffineMap> maps;
  SmallVector<Value> extents;
  /// The dimension walked in vectors, -1 for an operation without loops.
  int64_t dim = -1;
  bool reduces = false;
  int64_t lanes = 0, interleave = 1;
  /// Values of the region that do not move along `dim`, computed in front of
  /// the innermost loop: as scalars, and as vectors of `lanes`.
  llvm::MapVector<Value, Value> still, stillVectors;
  bool failed = false;
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// How one operand moves along `dim`: not at all, by neighbouring elements, or
/// somehow else.
enum class Walk { Still, Contiguous, Other };

static Walk getWalk(AffineMap map, int64_t dim, bool lastIsUnit) {
  if (dim < 0 || !map.isFunctionOfDim(dim))
    return Walk::Still;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    MLIRContext *context = map.getContext();
    AffineExpr rest = simplifyAffineExpr(expr - getAffineDimExpr(dim, context),
                                         map.getNumDims(), 0);
    if (position + 1 != map.getNumResults() || rest.isFunctionOfDim(dim) ||
        !lastIsUnit)
      return Walk::Other;
  }
  return Walk::Contiguous;
}

Value Emitter::loadOperand(LinalgState &state, unsigned operand,
                           ArrayRef<Value> ivs, int64_t lanes, Value mask) {
  View &view = state.views[operand];
  AffineMap map = state.maps[operand];
  Type element = getElementTypeOrSelf(state.op->getOperand(operand).getType());
  bool unit = !view.strides.empty() && constant(view.strides.back()) == 1;
  Walk walk = lanes ? getWalk(map, state.dim, unit) : Walk::Still;
  auto indices = [&](ArrayRef<Value> at) {
    SmallVector<Value> result;
    for (AffineExpr expr : map.getResults())
      result.push_back(evaluate(expr, at, {}));
    return result;
  };
  // Panels are contiguous only inside of one panel.
  if (walk == Walk::Contiguous && view.panelDim >= 0 &&
      (view.panelDim + 1 != static_cast<int64_t>(view.sizes.size()) ||
       view.panelOffset || view.panelWidth % lanes ||
       divisor(indices(ivs).back()) % lanes))
    walk = Walk::Other;
  // What panels hold may be wider than the value; narrowing it is exact.
  auto narrow = [&](Value value) -> Value {
    if (view.element == element)
      return value;
    Type type = element;
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(element);
    return arith::TruncFOp::create(b, loc, type, value);
  };
  if (walk == Walk::Still)
    return splat(narrow(load(address(view, indices(ivs)), view.element, 0)),
                 lanes);
  if (walk == Walk::Contiguous)
    return narrow(load(address(view, indices(ivs)), view.element, lanes, mask));
  // Lane by lane. Lanes beyond the mask read the last element inside.
  Value vector = zero(VectorType::get(lanes, element));
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> at(ivs);
    at[state.dim] = add(ivs[state.dim], number(lane));
    if (mask)
      at[state.dim] =
          minimum(at[state.dim], sub(state.extents[state.dim], number(1)));
    Value value = narrow(load(address(view, indices(at)), view.element, 0));
    vector = vector::InsertOp::create(b, loc, value, vector, lane);
  }
  return vector;
}

void Emitter::storeOperand(LinalgState &state, unsigned operand, Value value,
                           ArrayRef<Value> ivs, int64_t lanes, Value mask) {
  View &view = state.views[operand];
  AffineMap map = state.maps[operand];
  bool unit = !view.strides.empty() && constant(view.strides.back()) == 1;
  Walk walk = lanes ? getWalk(map, state.dim, unit) : Walk::Contiguous;
  auto indices = [&](ArrayRef<Value> at) {
    SmallVector<Value> result;
    for (AffineExpr expr : map.getResults())
      result.push_back(evaluate(expr, at, {}));
    return result;
  };
  if (walk == Walk::Contiguous)
    return store(value, address(view, indices(ivs)), mask);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> at(ivs);
    at[state.dim] = add(ivs[state.dim], number(lane));
    Value part = vector::ExtractOp::create(b, loc, value, lane);
    auto one = [&] { store(part, address(view, indices(at))); };
    if (!mask) {
      one();
      continue;
    }
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at[state.dim],
                              state.extents[state.dim]);
    when(inside, one);
  }
}

//===----------------------------------------------------------------------===//
// Region
//===----------------------------------------------------------------------===//

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

/// Whether vectors of the region's operations exist.
static bool isVectorizable(linalg::LinalgOp op) {
  return llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return inner.hasTrait<OpTrait::IsTerminator>() ||
           isa<linalg::IndexOp, memref::LoadOp, arith::ConstantOp,
               affine::AffineApplyOp>(inner) ||
           (OpTrait::hasElementwiseMappableTraits(&inner) &&
            inner.getNumResults() == 1);
  });
}

/// Whether the region divides integers: lanes beyond the end would divide by
/// zero, so the end is walked element by element.
static bool divides(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
               arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(
        inner);
  });
}

/// Computes what stays the same along the innermost loop. Stores in the loop
/// might write what it reads, as far as LLVM knows, so LLVM cannot.
void Emitter::emitStill(LinalgState &state, SmallVector<Value> ivs) {
  linalg::LinalgOp op = state.op;
  state.still.clear();
  state.stillVectors.clear();
  if (state.dim < 0 || divides(op))
    return;
  ivs[state.dim] = number(0);
  Block &block = *op.getBlock();
  IRMapping mapping;
  auto keep = [&](Value value, Value scalar) {
    mapping.map(value, scalar);
    state.still[value] = scalar;
    if (state.lanes)
      state.stillVectors[value] = splat(scalar, state.lanes);
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned index = input->getOperandNumber();
    if (!op.payloadUsesValueFromOperand(input) ||
        state.maps[index].isFunctionOfDim(state.dim))
      continue;
    Value value = isa<MemRefType>(input->get().getType())
                      ? loadOperand(state, index, ivs, 0, {})
                      : scalar(input->get());
    keep(op.getMatchingBlockArgument(input), value);
  }
  for (Operation &inner : block.without_terminator()) {
    if (inner.getNumRegions() || inner.getNumResults() != 1 ||
        inner.getNumOperands() == 0 ||
        !OpTrait::hasElementwiseMappableTraits(&inner))
      continue;
    bool ready = llvm::all_of(inner.getOperands(), [&](Value operand) {
      if (isa<IndexType>(operand.getType()))
        return false;
      return mapping.contains(operand) || operand.getParentBlock() != &block ||
             operand.getDefiningOp<arith::ConstantOp>();
    });
    if (!ready)
      continue;
    for (Value operand : inner.getOperands())
      if (!mapping.contains(operand)) {
        Operation *known = operand.getDefiningOp<arith::ConstantOp>();
        mapping.map(operand,
                    known ? b.clone(*known)->getResult(0) : scalar(operand));
      }
    keep(inner.getResult(0), b.clone(inner, mapping)->getResult(0));
  }
}

LogicalResult Emitter::emitPoint(LinalgState &state, SmallVector<Value> ivs,
                                 int64_t lanes, Value mask) {
  linalg::LinalgOp op = state.op;
  SmallVector<Value> arguments, results;
  for (OpOperand &operand : op->getOpOperands())
    arguments.push_back(op.payloadUsesValueFromOperand(&operand)
                            ? isa<MemRefType>(operand.get().getType())
                                  ? loadOperand(state,
                                                operand.getOperandNumber(), ivs,
                                                lanes, mask)
                                  : splat(scalar(operand.get()), lanes)
                            : Value());
  if (failed(emitRegion(state, arguments, ivs, lanes, mask, results)))
    return failure();
  for (auto [result, init] : llvm::zip_equal(results, op.getDpsInitsMutable()))
    storeOperand(state, init.getOperandNumber(), result, ivs, lanes, mask);
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions over lanes
//===----------------------------------------------------------------------===//

/// The operations that combine the region's values with each result, where
/// each is one associative operation; empty otherwise.
static SmallVector<Operation *> matchCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  for (int64_t init = 0; init < op.getNumDpsInits(); ++init) {
    SmallVector<Operation *> chain;
    Value reduced = matchReduction(op.getRegionOutputArgs(), init, chain);
    if (!reduced || chain.size() != 1 ||
        !isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp>(chain.front()))
      return {};
    combiners.push_back(chain.front());
  }
  return combiners;
}

Value Emitter::reduceLanes(Operation *combiner, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  while (lanes > 1) {
    lanes /= 2;
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      low.push_back(lane);
      high.push_back(lanes + lane);
    }
    Value x = vector::ShuffleOp::create(b, loc, vector, vector, low);
    Value y = vector::ShuffleOp::create(b, loc, vector, vector, high);
    IRMapping mapping;
    mapping.map(combiner->getOperand(0), x);
    mapping.map(combiner->getOperand(1), y);
    vector = vectorized(combiner, mapping, lanes);
  }
  return vector::ExtractOp::create(b, loc, vector, 0);
}

/// The innermost loop over a summed dimension: sums stay in registers, one
/// scalar, or `interleave` vectors of partial sums.
void Emitter::emitReduction(LinalgState &state, SmallVector<Value> ivs) {
  linalg::LinalgOp op = state.op;
  int64_t numInits = op.getNumDpsInits(), lanes = state.lanes;
  Value extent = state.extents[state.dim];
  SmallVector<Operation *> combiners = matchCombiners(op);
  ivs[state.dim] = number(0);
  SmallVector<Value> sums;
  for (OpOperand &init : op.getDpsInitsMutable())
    sums.push_back(loadOperand(state, init.getOperandNumber(), ivs, 0, {}));

  auto step = [&](Value iv, int64_t width, Value mask, ValueRange carried) {
    SmallVector<Value> at(ivs), arguments, results;
    at[state.dim] = iv;
    for (OpOperand *operand : op.getDpsInputOperands())
      arguments.push_back(
          !op.payloadUsesValueFromOperand(operand) ||
                  state.still.contains(op.getMatchingBlockArgument(operand))
              ? Value()
          : isa<MemRefType>(operand->get().getType())
              ? loadOperand(state, operand->getOperandNumber(), at, width, mask)
              : splat(scalar(operand->get()), width));
    llvm::append_range(arguments, carried);
    if (failed(emitRegion(state, arguments, at, width, mask, results))) {
      state.failed = true;
      return SmallVector<Value>(carried);
    }
    // Lanes beyond the end keep what they had.
    if (mask)
      for (auto [result, before] : llvm::zip_equal(results, carried))
        result = arith::SelectOp::create(b, loc, mask, result, before);
    return results;
  };

  if (!lanes) {
    sums = loop(number(0), extent, 1, sums, [&](Value iv, ValueRange carried) {
      return step(iv, 0, {}, carried);
    });
  } else {
    SmallVector<Value> partial;
    for (int64_t copy = 0; copy < state.interleave; ++copy)
      for (Operation *combiner : combiners)
        partial.push_back(
            splat(arith::ConstantOp::create(
                      b, loc, *arith::getNeutralElement(combiner)),
                  lanes));
    int64_t stride = lanes * state.interleave;
    Value whole = mul(floorDiv(extent, stride), number(stride));
    partial = loop(
        number(0), whole, stride, partial, [&](Value iv, ValueRange carried) {
          SmallVector<Value> results;
          for (int64_t copy = 0; copy < state.interleave; ++copy) {
            Value at = add(iv, number(copy * lanes));
            divisors[at] = std::gcd(divisor(iv), lanes);
            llvm::append_range(
                results,
                step(at, lanes, {}, carried.slice(copy * numInits, numInits)));
          }
          return results;
        });
    // The rest, the last vector under a mask.
    SmallVector<Value> first(ArrayRef(partial).take_front(numInits));
    Value full = mul(floorDiv(extent, lanes), number(lanes));
    first = loop(whole, full, lanes, first, [&](Value iv, ValueRange carried) {
      return step(iv, lanes, {}, carried);
    });
    first = loop(full, extent, lanes, first, [&](Value iv, ValueRange carried) {
      return step(iv, lanes, maskBelow(sub(extent, iv), lanes), carried);
    });
    for (int64_t init = 0; init < numInits; ++init) {
      Operation *combiner = combiners[init];
      auto combine = [&](Value x, Value y, int64_t width) {
        IRMapping mapping;
        mapping.map(combiner->getOperand(0), x);
        mapping.map(combiner->getOperand(1), y);
        return vectorized(combiner, mapping, width);
      };
      Value sum = first[init];
      for (int64_t copy = 1; copy < state.interleave; ++copy)
        sum = combine(sum, partial[copy * numInits + init], lanes);
      sums[init] = combine(sums[init], reduceLanes(combiner, sum), 0);
    }
  }
  for (auto [sum, init] : llvm::zip_equal(sums, op.getDpsInitsMutable()))
    storeOperand(state, init.getOperandNumber(), sum, ivs, 0, {});
}

//===----------------------------------------------------------------------===//
// The nest
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitLinalg(linalg::LinalgOp op) {
  LinalgState state;
  state.op = op;
  SmallVector<Value> sizes;
  for (OpOperand &operand : op->getOpOperands()) {
    state.maps.push_back(op.getMatchingIndexingMap(&operand));
    if (!isa<MemRefType>(operand.get().getType())) {
      state.views.emplace_back();
      continue;
    }
    state.views.push_back(view(operand.get()));
    llvm::append_range(sizes, state.views.back().sizes);
  }
  AffineMap extents = op.getShapesToLoopsMap();
  if (!extents)
    return op.emitError(
        "the extents of the loops do not follow from the shapes");
  for (AffineExpr expr : extents.getResults())
    state.extents.push_back(evaluate(expr, sizes, {}));

  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  int64_t rank = iterators.size();
  auto unit = [&](unsigned operand) {
    View &view = state.views[operand];
    return !view.strides.empty() && constant(view.strides.back()) == 1;
  };
  auto isWalked = [&](int64_t dim, OpOperand &operand) {
    return isa<MemRefType>(operand.get().getType()) &&
           getWalk(state.maps[operand.getOperandNumber()], dim,
                   unit(operand.getOperandNumber())) == Walk::Contiguous;
  };
  // Only inputs of the highest rank count: what is read most.
  unsigned rankRead = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    rankRead = std::max(rankRead,
                        state.maps[input->getOperandNumber()].getNumResults());
  auto largest = [&](OpOperand &input) {
    return state.maps[input.getOperandNumber()].getNumResults() == rankRead;
  };
  bool allParallel = op.getNumParallelLoops() == op.getNumLoops();
  for (int64_t dim = rank; dim-- > 0 && state.dim < 0;) {
    if (!linalg::isParallelIterator(iterators[dim]))
      continue;
    bool everyResult =
        llvm::all_of(op.getDpsInitsMutable(),
                     [&](OpOperand &init) { return isWalked(dim, init); });
    bool anyInput =
        allParallel ||
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return largest(*input) && isWalked(dim, *input);
        });
    if (everyResult && anyInput)
      state.dim = dim;
  }
  for (int64_t dim = rank; dim-- > 0 && state.dim < 0;)
    if (linalg::isReductionIterator(iterators[dim]) &&
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          return largest(*input) && isWalked(dim, *input);
        })) {
      state.dim = dim;
      state.reduces = true;
    }
  if (state.dim < 0 && rank) {
    state.dim = rank - 1;
    state.reduces = linalg::isReductionIterator(iterators[rank - 1]);
  }
  auto vectorize = op->getAttrOfType<kz::VectorizeAttr>(kz::kVectorize);
  if (vectorize && rank && vectorize.getLanes() > 1) {
    // Legal all the same: markers do not change what is computed.
    if (!isVectorizable(op))
      op.emitWarning("the region has operations without a vector form; it is "
                     "computed element by element");
    else if (state.reduces && (matchCombiners(op).empty() || divides(op)))
      op.emitWarning("partial results of this reduction cannot be combined; "
                     "it is computed element by element");
    else
      state.lanes = vectorize.getLanes();
    state.interleave = vectorize.getInterleave();
  } else if (isa<linalg::FillOp>(op) && rank) {
    // Moving memory is no choice of the schedule.
    state.lanes = kVectorBytes / bytes(state.views.back().element);
  }

  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != state.dim)
      order.push_back(dim);
  // Summed dimensions go inside of the parallel ones, so that a row of results
  // is finished while it is near.
  llvm::stable_sort(order, [&](int64_t x, int64_t y) {
    return linalg::isParallelIterator(iterators[x]) &&
           !linalg::isParallelIterator(iterators[y]);
  });
  SmallVector<Value> ivs(rank);
  auto point = [&](Value iv, int64_t lanes, Value mask) {
    SmallVector<Value> at(ivs);
    if (state.dim >= 0)
      at[state.dim] = iv;
    if (failed(emitPoint(state, at, lanes, mask)))
      state.failed = true;
  };
  auto innermost = [&] {
    if (state.dim < 0)
      return point(Value(), 0, {});
    emitStill(state, ivs);
    if (state.reduces)
      return emitReduction(state, ivs);
    Value extent = state.extents[state.dim];
    int64_t lanes = state.lanes;
    if (!lanes)
      return loop(number(0), extent, 1, [&](Value iv) { point(iv, 0, {}); });
    int64_t stride = lanes * state.interleave;
    Value whole = mul(floorDiv(extent, stride), number(stride));
    Value full = mul(floorDiv(extent, lanes), number(lanes));
    loop(number(0), whole, stride, [&](Value iv) {
      for (int64_t copy = 0; copy < state.interleave; ++copy) {
        Value at = add(iv, number(copy * lanes));
        divisors[at] = std::gcd(divisor(iv), lanes);
        point(at, lanes, {});
      }
    });
    loop(whole, full, lanes, [&](Value iv) { point(iv, lanes, {}); });
    if (divides(op))
      return loop(full, extent, 1, [&](Value iv) { point(iv, 0, {}); });
    loop(full, extent, lanes, [&](Value iv) {
      point(iv, lanes, maskBelow(sub(extent, iv), lanes));
    });
  };
  std::function<void(unsigned)> nest = [&](unsigned index) {
    if (index == order.size())
      return innermost();
    loop(number(0), state.extents[order[index]], 1, [&](Value iv) {
      ivs[order[index]] = iv;
      nest(index + 1);
    });
  };
  nest(0);
  return failure(state.failed);
}
