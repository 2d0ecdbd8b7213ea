//===- HostEmitter.cpp - loops, views and grids of the emitter ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostEmitter.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kernelzero::host;

Emitter::Emitter(func::FuncOp source, ModuleOp module)
    : source(source), module(module), b(module.getContext()),
      loc(source.getLoc()) {}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::loop(Value low, Value high, int64_t step,
                                 ValueRange inits, Body body) {
  std::optional<int64_t> from = constant(low), to = constant(high);
  if (from && to && *from >= *to)
    return SmallVector<Value>(inits);
  if (from && to && *from + step >= *to)
    return body(low, inits);
  auto op = scf::ForOp::create(b, loc, low, high, number(step), inits);
  Value iv = op.getInductionVar();
  divisors[iv] = std::gcd(divisor(low), step);
  Range lows = range(low), highs = range(high);
  Range span{lows.low, std::nullopt};
  if (highs.high) {
    // The last trip starts a multiple of the step behind the first.
    span.high = *highs.high - 1;
    if (from)
      span.high = *from + (*highs.high - 1 - *from) / step * step;
  }
  ranges[iv] = span;
  OpBuilder::InsertionGuard guard(b);
  // Without carried values the builder has put a terminator already.
  if (!op.getBody()->empty())
    op.getBody()->back().erase();
  b.setInsertionPointToStart(op.getBody());
  SmallVector<Value> results = body(iv, ValueRange(op.getRegionIterArgs()));
  scf::YieldOp::create(b, loc, results);
  return SmallVector<Value>(op.getResults());
}

void Emitter::loop(Value low, Value high, int64_t step,
                   llvm::function_ref<void(Value)> body) {
  loop(low, high, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

void Emitter::when(Value condition, llvm::function_ref<void()> then,
                   llvm::function_ref<void()> otherwise) {
  if (std::optional<int64_t> known = constant(condition)) {
    if (*known)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto op =
      scf::IfOp::create(b, loc, condition, /*withElseRegion=*/!!otherwise);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  then();
  if (otherwise) {
    b.setInsertionPointToStart(op.elseBlock());
    otherwise();
  }
}

//===----------------------------------------------------------------------===//
// Scalars and views
//===----------------------------------------------------------------------===//

Value Emitter::number(OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return number(cast<IntegerAttr>(attr).getInt());
  return scalar(cast<Value>(value));
}

/// The value in the function under construction; `index` becomes i64.
Value Emitter::scalar(Value value) {
  if (Value known = scope->scalars.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  assert(op && "every block argument is mapped when its block is entered");
  // Values from outside of the grid are made again at the start of the grid's
  // function; others where they are needed, and only there.
  OpBuilder::InsertionGuard guard(b);
  bool outer = inGrid && !op->getParentOfType<scf::ForallOp>();
  if (outer)
    b.setInsertionPoint(scope->start);
  Value result;
  if (auto known = dyn_cast<arith::ConstantOp>(op);
      known && isa<IndexType>(known.getType())) {
    result = number(cast<IntegerAttr>(known.getValue()).getInt());
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(scalar(operand));
    ValueRange all(operands);
    result = evaluate(apply.getAffineMap().getResult(0),
                      all.take_front(apply.getAffineMap().getNumDims()),
                      all.drop_front(apply.getAffineMap().getNumDims()));
  } else if (isa<affine::AffineMinOp, affine::AffineMaxOp>(op)) {
    bool least = isa<affine::AffineMinOp>(op);
    AffineMap map = least ? cast<affine::AffineMinOp>(op).getAffineMap()
                          : cast<affine::AffineMaxOp>(op).getAffineMap();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalar(operand));
    ValueRange all(operands);
    for (AffineExpr expr : map.getResults()) {
      Value part = evaluate(expr, all.take_front(map.getNumDims()),
                            all.drop_front(map.getNumDims()));
      result = !result ? part
               : least ? minimum(result, part)
                       : maximum(result, part);
    }
  } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
    result = view(dim.getSource()).sizes[*dim.getConstantIndex()];
  } else if (isa<IndexType>(value.getType()) &&
             isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
                 arith::MaxSIOp>(op)) {
    Value x = scalar(op->getOperand(0)), y = scalar(op->getOperand(1));
    result = isa<arith::AddIOp>(op)    ? add(x, y)
             : isa<arith::SubIOp>(op)  ? sub(x, y)
             : isa<arith::MulIOp>(op)  ? mul(x, y)
             : isa<arith::MinSIOp>(op) ? minimum(x, y)
                                       : maximum(x, y);
  } else {
    // Pure arithmetic on scalars of the payload.
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, scalar(operand));
    result = b.clone(*op, operands)
                 ->getResult(cast<OpResult>(value).getResultNumber());
  }
  // Constants are cheap, and a cached one may not dominate its next use.
  if (outer || !op->hasTrait<OpTrait::ConstantLike>())
    scope->scalars.map(value, result);
  return result;
}

View Emitter::subview(memref::SubViewOp op) {
  View from = view(op.getSource());
  View result = from;
  result.sizes.clear();
  result.strides.clear();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  Value sum = number(0);
  int64_t position = 0;
  for (auto [dim, at, size, step] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    Value index = number(at);
    if (static_cast<int64_t>(dim) == from.panelDim) {
      if (from.panelOffset)
        index = add(from.panelOffset, index);
      result.panelOffset = nullptr;
      if (divisor(index) % from.panelWidth == 0)
        sum = add(sum, mul(floorDiv(index, from.panelWidth), from.panelStride));
      else
        result.panelOffset = index;
      result.panelDim = position;
    } else {
      sum = add(sum, mul(index, from.strides[dim]));
    }
    if (dropped.test(dim))
      continue;
    result.sizes.push_back(number(size));
    result.strides.push_back(mul(from.strides[dim], number(step)));
    ++position;
  }
  result.base = offset(from.base, from.element, sum);
  return result;
}

/// The view that a pure operation on buffers makes.
FailureOr<View> Emitter::makeView(Operation *op) {
  if (auto part = dyn_cast<memref::SubViewOp>(op))
    return subview(part);
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return view(cast.getSource());
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op)) {
    View from = view(op->getOperand(0));
    auto fromType = cast<MemRefType>(op->getOperand(0).getType());
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (fromType.getLayout().isIdentity() && type.hasStaticShape()) {
      from.sizes.clear();
      from.strides.clear();
      int64_t stride = type.getNumElements();
      for (int64_t size : type.getShape()) {
        stride = size ? stride / size : 0;
        from.sizes.push_back(number(size));
        from.strides.push_back(number(stride));
      }
      return from;
    }
  }
  return op->emitError() << "'" << op->getName()
                         << "' has no lowering to the host";
}

Value Emitter::argument(int64_t index) {
  Value &known = scope->arguments[index];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(scope->start);
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  Value slot = offset(scope->func.getArgument(0), type, index);
  return known = LLVM::LoadOp::create(b, loc, type, slot, 8);
}

View Emitter::view(Value memref) {
  auto found = scope->views.find(memref);
  if (found != scope->views.end())
    return found->second;
  OpBuilder::InsertionGuard guard(b);
  Operation *op = memref.getDefiningOp();
  bool outer =
      inGrid && !memref.getParentRegion()->getParentOfType<scf::ForallOp>();
  if (outer || !op)
    b.setInsertionPoint(scope->start);
  View result;
  auto type = cast<MemRefType>(memref.getType());
  auto allocation = dyn_cast_or_null<memref::AllocOp>(op);
  if (!op || allocation) {
    result.element = type.getElementType();
    unsigned dynamic = 0;
    for (int64_t size : type.getShape())
      result.sizes.push_back(
          ShapedType::isDynamic(size)
              ? scalar(allocation.getDynamicSizes()[dynamic++])
              : number(size));
    if (allocation) {
      bool isPrivate = allocation->getParentOfType<scf::ForallOp>() != nullptr;
      result.base = offset(argument(numArguments + isPrivate), b.getI8Type(),
                           places.lookup(allocation));
    } else {
      result.base = argument(cast<BlockArgument>(memref).getArgNumber());
    }
    auto panelDim = allocation
                        ? allocation->getAttrOfType<IntegerAttr>(kPanelDim)
                        : IntegerAttr();
    if (panelDim) {
      result.panelDim = panelDim.getInt();
      result.panelWidth =
          allocation->getAttrOfType<IntegerAttr>(kPanelWidth).getInt();
      if (auto wide = allocation->getAttrOfType<TypeAttr>(kPanelType))
        result.element = wide.getValue();
      int64_t batch =
          allocation->getAttrOfType<IntegerAttr>(kPanelBatch).getInt();
      Value stride = number(result.panelWidth);
      result.strides.assign(type.getRank(), number(1));
      for (int64_t dim = type.getRank() - 1; dim >= batch; --dim) {
        if (dim == result.panelDim)
          continue;
        result.strides[dim] = stride;
        stride = mul(stride, result.sizes[dim]);
      }
      result.panelStride = stride;
      stride = mul(stride,
                   ceilDiv(result.sizes[result.panelDim], result.panelWidth));
      for (int64_t dim = batch - 1; dim >= 0; --dim) {
        result.strides[dim] = stride;
        stride = mul(stride, result.sizes[dim]);
      }
    } else {
      Value stride = number(1);
      result.strides.assign(type.getRank(), stride);
      for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
        result.strides[dim] = stride;
        stride = mul(stride, result.sizes[dim]);
      }
    }
  } else {
    FailureOr<View> made = makeView(op);
    if (succeeded(made))
      result = *made;
  }
  scope->views[memref] = result;
  return result;
}

/// Whether two views are known to be the same part of the same buffer.
bool Emitter::isSameView(Value x, Value y) {
  auto strip = [&](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (auto cast = dyn_cast<memref::CastOp>(op)) {
        value = cast.getSource();
        continue;
      }
      auto part = dyn_cast<memref::SubViewOp>(op);
      if (!part || part.getDroppedDims().any() ||
          !llvm::all_of(part.getMixedOffsets(), isZeroInteger) ||
          !llvm::all_of(part.getMixedStrides(), isOneInteger))
        break;
      // Whole: the sizes are those of the source.
      View whole = view(part.getSource());
      bool same = true;
      for (auto [size, full] :
           llvm::zip_equal(part.getMixedSizes(), whole.sizes)) {
        Value mine = number(size);
        std::optional<int64_t> a = constant(mine), c = constant(full);
        same &= mine == full || (a && c && *a == *c);
      }
      if (!same)
        break;
      value = part.getSource();
    }
    return value;
  };
  return strip(x) == strip(y);
}

//===----------------------------------------------------------------------===//
// Payload
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitAlloc(memref::AllocOp op) {
  auto type = op.getType();
  Type element = type.getElementType();
  if (auto wide = op->getAttrOfType<TypeAttr>(kPanelType))
    element = wide.getValue();
  auto panelDim = op->getAttrOfType<IntegerAttr>(kPanelDim);
  int64_t total = bytes(element);
  unsigned dynamic = 0;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    int64_t limit = size;
    if (ShapedType::isDynamic(size)) {
      Range known = range(scalar(op.getDynamicSizes()[dynamic++]));
      if (!known.high)
        return op.emitError() << "dimension " << dim
                              << " of a buffer of the task has no known limit";
      limit = *known.high;
    }
    if (panelDim && panelDim.getInt() == static_cast<int64_t>(dim))
      limit = llvm::alignTo(
          limit, op->getAttrOfType<IntegerAttr>(kPanelWidth).getInt());
    total *= limit;
  }
  bool isPrivate = op->getParentOfType<scf::ForallOp>() != nullptr;
  int64_t &top = isPrivate ? privateTop : sharedBytes;
  places[op] = top;
  top += llvm::alignTo(std::max<int64_t>(total, 1), kVectorBytes);
  privateBytes = std::max(privateBytes, privateTop);
  view(op.getMemref());
  return success();
}

LogicalResult Emitter::emitCopy(Operation *op, Value from, Value to) {
  if (isSameView(from, to))
    return success();
  View source = view(from), target = view(to);
  if (target.panelDim >= 0) {
    emitPack(source, cast<MemRefType>(from.getType()).getElementType(), target);
    return success();
  }
  // Rows by vectors: the width is the machine's, not a choice of the schedule.
  int64_t rank = source.sizes.size();
  int64_t lanes = kVectorBytes / bytes(source.element);
  Type element = source.element;
  SmallVector<Value> indices;
  std::function<void(int64_t)> nest = [&](int64_t dim) {
    if (rank == 0 || dim < rank - 1) {
      if (rank == 0) {
        store(load(source.base, element, 0), target.base);
        return;
      }
      loop(number(0), source.sizes[dim], 1, [&](Value iv) {
        indices.push_back(iv);
        nest(dim + 1);
        indices.pop_back();
      });
      return;
    }
    auto move = [&](Value iv, int64_t width) {
      indices.push_back(iv);
      store(load(address(source, indices), element, width),
            address(target, indices));
      indices.pop_back();
    };
    Value size = source.sizes[dim], start = number(0);
    if (constant(source.strides[dim]) == 1 &&
        constant(target.strides[dim]) == 1 && source.panelDim < 0) {
      Value whole = mul(floorDiv(size, lanes), number(lanes));
      loop(start, whole, lanes, [&](Value iv) { move(iv, lanes); });
      start = whole;
    }
    loop(start, size, 1, [&](Value iv) { move(iv, 0); });
  };
  nest(0);
  return success();
}

LogicalResult Emitter::emitFor(scf::ForOp op) {
  if (op.getNumResults())
    return op.emitError(
        "a loop that carries scalars has no lowering to the host");
  if (linalg::LinalgOp contraction = matchSummingLoop(op))
    return emitContraction(contraction, op);
  Value low = scalar(op.getLowerBound()), high = scalar(op.getUpperBound());
  std::optional<int64_t> step = constant(scalar(op.getStep()));
  if (!step || *step < 1)
    return op.emitError("the step of a loop is not a positive constant");
  int64_t factor = 1;
  if (auto unroll = op->getAttrOfType<IntegerAttr>(kz::kUnroll))
    factor = unroll.getInt();
  LogicalResult result = success();
  auto trip = [&](Value iv) {
    // What an earlier copy of the body made is not what this one needs.
    Scope saved = *scope;
    scope->scalars.map(op.getInductionVar(), iv);
    if (failed(emitBlock(*op.getBody())))
      result = failure();
    Scope used = std::move(*scope);
    *scope = std::move(saved);
  };
  if (factor > 1) {
    int64_t stride = factor * *step;
    Value whole =
        add(low, mul(floorDiv(maximum(sub(high, low), number(0)), stride),
                     number(stride)));
    loop(low, whole, stride, [&](Value iv) {
      for (int64_t copy = 0; copy < factor; ++copy) {
        Value at = add(iv, number(copy * *step));
        divisors[at] = std::gcd(divisor(iv), *step);
        trip(at);
      }
    });
    low = whole;
  }
  loop(low, high, *step, trip);
  return result;
}

LogicalResult Emitter::emitGrid(scf::ForallOp op) {
  if (inGrid)
    return op.emitError("a grid inside of a grid has no lowering to the host");
  if (op.getNumResults())
    return op.emitError("the grid was not bufferized");
  SmallVector<Value> lows, counts;
  SmallVector<int64_t> steps;
  for (auto [low, high, step] :
       llvm::zip_equal(op.getMixedLowerBound(), op.getMixedUpperBound(),
                       op.getMixedStep())) {
    std::optional<int64_t> by = getConstantIntValue(step);
    std::optional<int64_t> from = getConstantIntValue(low),
                           to = getConstantIntValue(high);
    if (!by || !from || !to)
      return op.emitError("the extent of a grid is not constant");
    lows.push_back(number(*from));
    counts.push_back(
        number(llvm::divideCeil(std::max<int64_t>(*to - *from, 0), *by)));
    steps.push_back(*by);
  }
  int64_t total = 1;
  SmallVector<int64_t> extents;
  for (Value count : counts) {
    extents.push_back(*constant(count));
    total *= extents.back();
  }
  std::string name = "entry_grid" + std::to_string(numGrids++);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  func::FuncOp func;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(scope->func);
    func = func::FuncOp::create(b, loc, name,
                                b.getFunctionType({pointer, i64, i64}, {}));
  }
  func::CallOp::create(
      b, loc, func,
      ValueRange{scope->func.getArgument(0), number(0), number(total)});

  OpBuilder::InsertionGuard guard(b);
  Scope inner;
  inner.func = func;
  Block *block = func.addEntryBlock();
  b.setInsertionPointToStart(block);
  // What the grid needs from outside goes in front of this.
  inner.start = number(0).getDefiningOp();
  Scope *outer = scope;
  scope = &inner;
  inGrid = true;
  privateTop = 0;
  Value begin = func.getArgument(1), end = func.getArgument(2);
  ranges[begin] = Range{0, total};
  ranges[end] = Range{0, total};
  int64_t groupM = 0;
  if (auto grid = op->getAttrOfType<kz::GridAttr>(kz::kGrid))
    groupM = grid.getGroupM();
  LogicalResult result = success();
  loop(begin, end, 1, [&](Value tile) {
    // Tiles in order, or in groups of rows of tiles: rows of a group vary
    // fastest, then columns.
    SmallVector<Value> ids(extents.size());
    Value rest = tile;
    unsigned rank = extents.size();
    if (groupM > 1 && rank >= 2) {
      int64_t rows = extents[rank - 2], columns = extents[rank - 1];
      Value plane = remainder(rest, rows * columns);
      rest = floorDiv(rest, rows * columns);
      Value first = mul(floorDiv(plane, groupM * columns), number(groupM));
      Value inGroup = remainder(plane, groupM * columns);
      Value height = minimum(sub(number(rows), first), number(groupM));
      Value row = b.createOrFold<arith::RemUIOp>(loc, inGroup, height);
      Value column = b.createOrFold<arith::DivUIOp>(loc, inGroup, height);
      ids[rank - 2] = add(first, row);
      ids[rank - 1] = column;
      ranges[ids[rank - 2]] = Range{0, rows - 1};
      ranges[ids[rank - 1]] = Range{0, columns - 1};
      rank -= 2;
    }
    for (unsigned dim = rank; dim-- > 0;) {
      ids[dim] = dim == 0 ? rest : remainder(rest, extents[dim]);
      rest = floorDiv(rest, extents[dim]);
      if (!constant(ids[dim]))
        ranges[ids[dim]] = Range{0, extents[dim] - 1};
    }
    for (auto [dim, iv] : llvm::enumerate(op.getInductionVars())) {
      // One tile: its place is known.
      Value id = extents[dim] == 1 ? number(0) : ids[dim];
      scope->scalars.map(iv, add(lows[dim] = number(*constant(lows[dim])),
                                 mul(id, number(steps[dim]))));
    }
    if (failed(emitBlock(*op.getBody())))
      result = failure();
  });
  func::ReturnOp::create(b, loc);
  inGrid = false;
  scope = outer;
  return result;
}

LogicalResult Emitter::emitOperation(Operation *op) {
  loc = op->getLoc();
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return emitAlloc(alloc);
  if (isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
          memref::ExpandShapeOp>(op)) {
    // Checked here, where the error has a place to go.
    FailureOr<View> made = makeView(op);
    if (failed(made))
      return failure();
    scope->views[op->getResult(0)] = *made;
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return emitCopy(op, copy.getSource(), copy.getTarget());
  if (auto copy = dyn_cast<linalg::CopyOp>(op))
    return emitCopy(op, copy.getInputs()[0], copy.getOutputs()[0]);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto grid = dyn_cast<scf::ForallOp>(op))
    return emitGrid(grid);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    auto vectorize = op->getAttrOfType<kz::VectorizeAttr>(kz::kVectorize);
    if (vectorize && vectorize.getRegisters() &&
        linalg::isaContractionOpInterface(linalgOp))
      return emitContraction(linalgOp, nullptr);
    return emitLinalg(linalgOp);
  }
  if (isa<func::ReturnOp, scf::YieldOp, scf::InParallelOp, memref::DeallocOp>(
          op))
    return success();
  bool makesBuffer = llvm::any_of(
      op->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  if (isMemoryEffectFree(op) && op->getNumRegions() == 0 && !makesBuffer) {
    // Made here, where it dominates all its uses. Constants are made anew at
    // each of them.
    if (!op->hasTrait<OpTrait::ConstantLike>())
      for (Value result : op->getResults())
        scalar(result);
    return success();
  }
  return op->emitError() << "'" << op->getName()
                         << "' has no lowering to the host";
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block) {
    // A fill right before the sums that start from it is their initial value.
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      Operation *next = op.getNextNode();
      while (next && isMemoryEffectFree(next) && next->getNumRegions() == 0)
        next = next->getNextNode();
      linalg::LinalgOp contraction;
      if (auto loop = dyn_cast_or_null<scf::ForOp>(next)) {
        contraction = matchSummingLoop(loop);
      } else if (auto direct = dyn_cast_or_null<linalg::LinalgOp>(next)) {
        auto vectorize =
            direct->getAttrOfType<kz::VectorizeAttr>(kz::kVectorize);
        if (vectorize && vectorize.getRegisters() &&
            linalg::isaContractionOpInterface(direct))
          contraction = direct;
      }
      if (contraction) {
        pendingFill = fill;
        continue;
      }
    }
    if (failed(emitOperation(&op)))
      return failure();
  }
  return success();
}

LogicalResult Emitter::emit() {
  numArguments = source.getNumArguments();
  b.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto func =
      func::FuncOp::create(b, loc, "entry", b.getFunctionType({pointer}, {}));
  Scope outer;
  outer.func = func;
  scope = &outer;
  b.setInsertionPointToStart(func.addEntryBlock());
  outer.start = number(0).getDefiningOp();
  if (failed(emitBlock(source.getBody().front())))
    return failure();
  func::ReturnOp::create(b, loc);
  return success();
}
