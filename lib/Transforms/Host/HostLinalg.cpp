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
#include "HostLinalg.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace kernelzero::host;

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
  if (Value ready = lanes ? state.ready.lookup(operand) : Value())
    return ready;
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
// What stays the same
//===----------------------------------------------------------------------===//

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
// Blocks that are transposed
//===----------------------------------------------------------------------===//

/// Finds the operands that lie across the vectors of results.
void Emitter::findAcross(LinalgState &state) {
  linalg::LinalgOp op = state.op;
  if (state.reduces || state.lanes < 4 || !llvm::isPowerOf2_64(state.lanes))
    return;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned index = input->getOperandNumber();
    View &view = state.views[index];
    AffineMap map = state.maps[index];
    if (!isa<MemRefType>(input->get().getType()) || view.panelDim >= 0 ||
        bytes(view.element) * 8 != view.element.getIntOrFloatBitWidth() ||
        !map.isProjectedPermutation() || map.getNumResults() == 0 ||
        !map.isFunctionOfDim(state.dim) || constant(view.strides.back()) != 1)
      continue;
    int64_t last = map.getDimPosition(map.getNumResults() - 1);
    if (last == state.dim || !linalg::isParallelIterator(kinds[last]) ||
        (state.acrossDim >= 0 && state.acrossDim != last))
      continue;
    state.acrossDim = last;
    state.across.push_back(index);
  }
}

/// As many vectors as each has lanes, transposed. A perfect shuffle moves the
/// highest bit of the row number below the lane number.
SmallVector<Value> Emitter::transpose(SmallVector<Value> vectors) {
  int64_t lanes = vectors.size();
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < lanes / 2; ++lane) {
    low.append({lane, lanes + lane});
    high.append({lanes / 2 + lane, lanes + lanes / 2 + lane});
  }
  for (int64_t stage = 1; stage < lanes; stage *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < lanes / 2; ++i)
      for (ArrayRef<int64_t> order : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(
            b, loc, vectors[i], vectors[i + lanes / 2], order));
    vectors = std::move(next);
  }
  return vectors;
}

/// All points of a block of `lanes` x `lanes` that starts at `ivs`.
void Emitter::emitBlock(LinalgState &state, SmallVector<Value> ivs) {
  int64_t lanes = state.lanes;
  SmallVector<SmallVector<Value>> columns;
  for (unsigned operand : state.across) {
    SmallVector<Value> rows;
    for (int64_t row = 0; row < lanes; ++row) {
      SmallVector<Value> at(ivs), indices;
      at[state.dim] = add(ivs[state.dim], number(row));
      for (AffineExpr expr : state.maps[operand].getResults())
        indices.push_back(evaluate(expr, at, {}));
      View &view = state.views[operand];
      rows.push_back(load(address(view, indices), view.element, lanes));
    }
    columns.push_back(transpose(std::move(rows)));
  }
  for (int64_t column = 0; column < lanes; ++column) {
    SmallVector<Value> at(ivs);
    at[state.acrossDim] = add(ivs[state.acrossDim], number(column));
    emitStill(state, at);
    for (auto [operand, vectors] : llvm::zip_equal(state.across, columns))
      state.ready[operand] = vectors[column];
    if (failed(emitPoint(state, at, lanes, {})))
      state.failed = true;
  }
  state.ready.clear();
}

//===----------------------------------------------------------------------===//
// Reductions over lanes
//===----------------------------------------------------------------------===//

/// The operations that combine the region's values with each result that is
/// summed over `dim`, where each is one associative operation; empty otherwise.
static SmallVector<Operation *> matchCombiners(linalg::LinalgOp op,
                                               int64_t dim) {
  SmallVector<Operation *> combiners;
  for (int64_t init = 0; init < op.getNumDpsInits(); ++init) {
    if (op.getMatchingIndexingMap(op.getDpsInitOperand(init))
            .isFunctionOfDim(dim))
      continue;
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

/// `x` and `y` combined, scalars or vectors.
static Value combine(OpBuilder &b, Operation *combiner, Value x, Value y) {
  OperationState made(combiner->getLoc(), combiner->getName());
  made.addOperands({x, y});
  made.addTypes(x.getType());
  made.attributes = combiner->getDiscardableAttrDictionary();
  made.propertiesAttr = combiner->getPropertiesAsAttribute();
  return b.create(made)->getResult(0);
}

Value Emitter::reduceLanes(Operation *combiner, Value vector) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  auto extract = [&](int64_t lane) -> Value {
    return vector::ExtractOp::create(b, loc, vector, lane);
  };
  if (lanes == 1)
    return extract(0);
  for (lanes /= 2; lanes > 1; lanes /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      low.push_back(lane);
      high.push_back(lanes + lane);
    }
    vector = combine(b, combiner,
                     vector::ShuffleOp::create(b, loc, vector, vector, low),
                     vector::ShuffleOp::create(b, loc, vector, vector, high));
  }
  // Scalars, since vectors of one element lose what the operation leaves open.
  return combine(b, combiner, extract(0), extract(1));
}

/// The innermost loop over a summed dimension: sums stay in registers, one
/// scalar, or `interleave` vectors of partial sums. Results that have an
/// element for every step are written on the way.
void Emitter::emitReduction(LinalgState &state, SmallVector<Value> ivs) {
  linalg::LinalgOp op = state.op;
  int64_t lanes = state.lanes;
  Value extent = state.extents[state.dim];
  SmallVector<Operation *> combiners = matchCombiners(op, state.dim);
  ivs[state.dim] = number(0);
  auto isSummed = [&](OpOperand &init) {
    return !state.maps[init.getOperandNumber()].isFunctionOfDim(state.dim);
  };
  SmallVector<Value> sums;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isSummed(init))
      sums.push_back(loadOperand(state, init.getOperandNumber(), ivs, 0, {}));
  int64_t numSums = sums.size();

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
    unsigned taken = 0;
    for (OpOperand &init : op.getDpsInitsMutable())
      arguments.push_back(
          isSummed(init) ? carried[taken++]
          : op.payloadUsesValueFromOperand(&init)
              ? loadOperand(state, init.getOperandNumber(), at, width, mask)
              : Value());
    if (failed(emitRegion(state, arguments, at, width, mask, results))) {
      state.failed = true;
      return SmallVector<Value>(carried);
    }
    SmallVector<Value> next;
    for (auto [result, init] :
         llvm::zip_equal(results, op.getDpsInitsMutable())) {
      if (isSummed(init))
        next.push_back(result);
      else
        storeOperand(state, init.getOperandNumber(), result, at, width, mask);
    }
    // Lanes beyond the end keep what they had.
    if (mask)
      for (auto [result, before] : llvm::zip_equal(next, carried))
        result = arith::SelectOp::create(b, loc, mask, result, before);
    return next;
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
                step(at, lanes, {}, carried.slice(copy * numSums, numSums)));
          }
          return results;
        });
    // The rest, the last vector under a mask.
    SmallVector<Value> first(ArrayRef(partial).take_front(numSums));
    Value full = mul(floorDiv(extent, lanes), number(lanes));
    first = loop(whole, full, lanes, first, [&](Value iv, ValueRange carried) {
      return step(iv, lanes, {}, carried);
    });
    first = loop(full, extent, lanes, first, [&](Value iv, ValueRange carried) {
      return step(iv, lanes, maskBelow(sub(extent, iv), lanes), carried);
    });
    for (int64_t index = 0; index < numSums; ++index) {
      Operation *combiner = combiners[index];
      SmallVector<Value> parts = {first[index]};
      for (int64_t copy = 1; copy < state.interleave; ++copy)
        parts.push_back(partial[copy * numSums + index]);
      // In pairs, so that they wait for each other least.
      while (parts.size() > 1) {
        SmallVector<Value> next;
        for (size_t part = 0; part + 1 < parts.size(); part += 2)
          next.push_back(combine(b, combiner, parts[part], parts[part + 1]));
        if (parts.size() % 2)
          next.push_back(parts.back());
        parts = std::move(next);
      }
      sums[index] = combine(b, combiner, sums[index],
                            reduceLanes(combiner, parts.front()));
    }
  }
  unsigned taken = 0;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isSummed(init))
      storeOperand(state, init.getOperandNumber(), sums[taken++], ivs, 0, {});
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
    else if (state.reduces &&
             (matchCombiners(op, state.dim).empty() || divides(op)))
      op.emitWarning("partial results of this reduction cannot be combined; "
                     "it is computed element by element");
    else
      state.lanes = vectorize.getLanes();
    state.interleave = vectorize.getInterleave();
  } else if (isa<linalg::FillOp>(op) && rank) {
    // Moving memory is no choice of the schedule.
    state.lanes = kVectorBytes / bytes(state.views.back().element);
  }

  findAcross(state);
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != state.dim && dim != state.acrossDim)
      order.push_back(dim);
  // Blocks run along both.
  if (state.acrossDim >= 0)
    order.push_back(state.acrossDim);
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
  auto innermost = [&](Value begin) {
    if (state.dim < 0)
      return point(Value(), 0, {});
    emitStill(state, ivs);
    if (state.reduces)
      return emitReduction(state, ivs);
    Value extent = state.extents[state.dim];
    int64_t lanes = state.lanes;
    if (!lanes)
      return loop(begin, extent, 1, [&](Value iv) { point(iv, 0, {}); });
    int64_t stride = lanes * state.interleave;
    Value whole = mul(floorDiv(extent, stride), number(stride));
    Value full = mul(floorDiv(extent, lanes), number(lanes));
    // Behind blocks only the rest of a vector is left.
    if (constant(begin) != 0)
      whole = begin;
    loop(begin, whole, stride, [&](Value iv) {
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
      return innermost(number(0));
    int64_t dim = order[index];
    Value extent = state.extents[dim], begin = number(0);
    if (dim == state.acrossDim) {
      int64_t lanes = state.lanes;
      begin = mul(floorDiv(extent, lanes), number(lanes));
      Value full =
          mul(floorDiv(state.extents[state.dim], lanes), number(lanes));
      loop(number(0), begin, lanes, [&](Value first) {
        loop(number(0), full, lanes, [&](Value iv) {
          SmallVector<Value> at(ivs);
          at[dim] = first;
          at[state.dim] = iv;
          emitBlock(state, at);
        });
        std::optional<int64_t> rest =
            constant(sub(state.extents[state.dim], full));
        if (rest == 0)
          return;
        loop(first, add(first, number(lanes)), 1, [&](Value iv) {
          ivs[dim] = iv;
          innermost(full);
        });
      });
    }
    loop(begin, extent, 1, [&](Value iv) {
      ivs[dim] = iv;
      nest(index + 1);
    });
  };
  nest(0);
  return failure(state.failed);
}
