//===- KernelEmitter.cpp - one grid of L1 as a kernel of L2 ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::l1;

//===----------------------------------------------------------------------===//
// Scalars and buffers
//===----------------------------------------------------------------------===//

Value KernelEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, grid.getLoc(), value);
}

/// The L2 form of an index value of L1, computed where it is used: what is the
/// same twice is merged later.
Value KernelEmitter::scalar(Value value) {
  if (Value mapped = scalars.lookupOrNull(value))
    return mapped;
  Operation *op = value.getDefiningOp();
  Location loc = op->getLoc();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(scalar(operand));
    return (*affine::expandAffineMap(b, loc, apply.getAffineMap(), operands))
        .front();
  }
  if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : min.getOperands())
      operands.push_back(scalar(operand));
    SmallVector<Value, 8> values =
        *affine::expandAffineMap(b, loc, min.getMap(), operands);
    Value result = values.front();
    for (Value next : ArrayRef<Value>(values).drop_front())
      result = arith::MinSIOp::create(b, loc, result, next);
    return result;
  }
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, scalar(operand));
  return b.clone(*op, operands)->getResult(0);
}

Value KernelEmitter::coordinate(const View::Offset &offset) {
  Value sum;
  for (Value term : offset.terms) {
    Value value = scalar(term);
    sum = sum ? arith::AddIOp::create(b, grid.getLoc(), sum, value).getResult()
              : value;
  }
  if (!sum)
    return index(offset.constant);
  if (offset.constant == 0)
    return sum;
  return arith::AddIOp::create(b, grid.getLoc(), sum, index(offset.constant));
}

SmallVector<Value> KernelEmitter::coordinates(const View &view) {
  SmallVector<Value> result;
  for (const View::Offset &offset : view.offsets)
    result.push_back(coordinate(offset));
  return result;
}

Value KernelEmitter::buffer(Value root) {
  // The destination of the grid stands for its result.
  if (auto argument = dyn_cast<BlockArgument>(root))
    if (argument.getOwner() == grid.getBody())
      root = grid->getResult(argument.getArgNumber() - grid.getRank());
  return arguments.lookup(root);
}

DenseI64ArrayAttr KernelEmitter::getDimsAttr(Value buffer,
                                             ArrayRef<int64_t> dims) {
  int64_t first = cast<MemRefType>(buffer.getType()).getRank() - dims.size();
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim != first + static_cast<int64_t>(position))
      return b.getDenseI64ArrayAttr(dims);
  return {};
}

SmallVector<Value> KernelEmitter::getExtents(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> dealt = getLayout(dims).getShape();
  bool larger = false;
  SmallVector<Value> extents;
  for (auto [position, dim] : llvm::enumerate(dims)) {
    larger |= dealt[position] > space.shape[dim];
    extents.push_back(index(space.shape[dim]));
  }
  if (!larger)
    extents.clear();
  return extents;
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

FailureOr<Value> KernelEmitter::load(Value value, View view) {
  ArrayRef<int64_t> valueDims = space.placed.find(value)->second;
  Value source = buffer(view.root);
  if (!source)
    return grid.emitError()
           << "the grid reads a value that is neither an input of the task nor "
              "the result of another grid; fuse its producer";
  // Tile dimensions in reference order, each with the buffer dimension it
  // runs along.
  SmallVector<int64_t> dims, bufferDims;
  for (auto [position, dim] : llvm::enumerate(valueDims)) {
    if (dim < 0 || space.squeezed[dim])
      continue;
    if (llvm::is_contained(dims, dim))
      return grid.emitError()
             << "a diagonal is read; accepted is one loop a dimension";
    dims.push_back(dim);
    bufferDims.push_back(view.dims[position]);
  }
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [dim, bufferDim] : llvm::zip_equal(dims, bufferDims))
    pairs.push_back({dim, bufferDim});
  llvm::sort(pairs);
  dims.clear();
  bufferDims.clear();
  for (auto [dim, bufferDim] : pairs) {
    dims.push_back(dim);
    bufferDims.push_back(bufferDim);
  }
  kz::TileType type = getTileType(dims, getElementTypeOrSelf(value.getType()));
  SmallVector<Value> at = coordinates(view);
  return kz::tile::LoadOp::create(
             b, value.getLoc(), type, source, at, getExtents(dims),
             getDimsAttr(source, bufferDims), TypedAttr(), kz::CacheHintAttr())
      .getResult();
}

FailureOr<Value> KernelEmitter::getTile(Value value) {
  if (Value tile = tiles.lookup(value))
    return tile;
  if (auto staged = value.getDefiningOp<kz::StagedOp>();
      staged && staged.getStage().getSpace() != kz::Space::Registers)
    return staged.emitError()
           << "a value of row work is staged in "
           << kz::stringifySpace(staged.getStage().getSpace())
           << "; accepted is registers";
  auto found = space.placed.find(value);
  if (std::optional<TypedAttr> constant = getFillConstant(value)) {
    Value filled = arith::ConstantOp::create(b, value.getLoc(), *constant);
    SmallVector<int64_t> dims;
    for (int64_t dim : sorted(found->second))
      if (!space.squeezed[dim])
        dims.push_back(dim);
    return kz::tile::SplatOp::create(
               b, value.getLoc(), getTileType(dims, filled.getType()), filled)
        .getResult();
  }
  Value bare = skipMarkers(value);
  if (Value tile = tiles.lookup(bare))
    return tile;
  // A slice of a tile in registers that is all of it.
  if (auto slice = bare.getDefiningOp<tensor::ExtractSliceOp>()) {
    Value source = skipMarkers(slice.getSource());
    if (Value tile = tiles.lookup(source);
        tile && slice.getDroppedDims().none() &&
        llvm::all_of(slice.getMixedOffsets(), [](OpFoldResult offset) {
          return isConstantIntValue(offset, 0);
        }))
      return tile;
  }
  std::optional<View> view = getView(bare);
  if (!view)
    return grid.emitError() << "the grid reads a value with strides; accepted "
                               "are unit strides";
  auto staged = value.getDefiningOp<kz::StagedOp>();
  if (!staged && !readOnce.insert(bare).second)
    return grid.emitError() << "several operations of the grid read one tile; "
                               "keep it by transform.kz.stage in registers";
  FailureOr<Value> tile = load(value, *view);
  if (failed(tile) || !staged)
    return tile;
  tiles[value] = *tile;
  // The width is a claim: it is the threads' vector that decides.
  auto step = grid->getAttrOfType<kz::ThreadsAttr>(kz::kThreads);
  int64_t bytes =
      step ? step.getVector() *
                 getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() /
                 8
           : 0;
  if (int64_t width = staged.getStage().getWidth();
      step && width && width != bytes)
    return staged.emitError()
           << "a thread reads " << bytes << " bytes at a time, vector("
           << step.getVector() << "); width(" << width << ") says otherwise";
  return tile;
}

FailureOr<Value> KernelEmitter::getOperand(linalg::LinalgOp op,
                                           OpOperand *operand,
                                           ArrayRef<int64_t> opDims) {
  Value value = operand->get();
  if (!isa<RankedTensorType>(value.getType()))
    return scalar(value);
  FailureOr<Value> tile = getTile(value);
  if (failed(tile))
    return failure();
  SmallVector<int64_t> valueDims;
  for (int64_t dim : sorted(space.placed.find(value)->second))
    if (!space.squeezed[dim])
      valueDims.push_back(dim);
  SmallVector<int64_t> missing;
  for (auto [position, dim] : llvm::enumerate(opDims))
    if (!llvm::is_contained(valueDims, dim))
      missing.push_back(position);
  if (missing.empty())
    return tile;
  return kz::tile::BroadcastOp::create(
             b, op.getLoc(),
             getTileType(opDims, getElementTypeOrSelf(value.getType())), *tile,
             missing)
      .getResult();
}

/// What a body reads at coordinates of its own.
FailureOr<Value> KernelEmitter::fetch(tensor::ExtractOp extract,
                                      IRMapping &mapping) {
  std::optional<View> view = getView(extract.getTensor());
  Value source = view ? buffer(view->root) : Value();
  if (!source)
    return extract.emitError()
           << "reads a tensor that is neither an input of the task nor the "
              "result of another grid; give its producer a grid of its own";
  Location loc = extract.getLoc();
  SmallVector<Value> at;
  for (const View::Offset &offset : view->offsets)
    at.push_back(coordinate(offset));
  for (auto [dim, index] : llvm::zip_equal(view->dims, extract.getIndices())) {
    Value own = mapping.lookupOrDefault(index);
    if (matchPattern(at[dim], m_Zero()))
      at[dim] = own;
    else
      at[dim] = arith::AddIOp::create(b, loc, at[dim], own);
  }
  return kz::tile::FetchOp::create(b, loc, extract.getType(), source, at)
      .getResult();
}

FailureOr<SmallVector<Value>> KernelEmitter::mapBody(linalg::LinalgOp op,
                                                     Value onlyResult,
                                                     ArrayRef<int64_t> opDims) {
  Location loc = op.getLoc();
  Block *body = op.getBlock();
  SmallVector<Value> inputs;
  SmallVector<Value> arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    bool isInit = op.isDpsInit(&operand);
    // A reduction's own accumulator is combined elsewhere.
    if (argument.use_empty() || (isInit && onlyResult))
      continue;
    FailureOr<Value> input = getOperand(op, &operand, opDims);
    if (failed(input))
      return failure();
    inputs.push_back(*input);
    arguments.push_back(argument);
  }
  // Index values from outside enter as scalar operands; the coordinate that
  // tiling added to linalg.index is one of them.
  llvm::SetVector<Value> captured;
  op->getRegion(0).walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->getRegion(0).isAncestor(operand.getParentRegion()) &&
          !isa<RankedTensorType>(operand.getType()))
        captured.insert(operand);
  });
  for (Value value : captured) {
    if (value.getDefiningOp<arith::ConstantOp>())
      continue;
    inputs.push_back(scalar(value));
    arguments.push_back(value);
  }
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  SmallVector<Value> yielded(yield.getOperands());
  if (onlyResult)
    yielded = {onlyResult};
  // An element as it is needs no map.
  if (inputs.size() == 1 && yielded.size() == 1 && yielded[0] == arguments[0])
    return inputs;
  SmallVector<Type> types;
  for (Value value : yielded)
    types.push_back(getTileType(opDims, value.getType()));
  auto map = kz::tile::MapOp::create(b, loc, types, inputs);
  if (Attribute math = op->getAttr(kz::kMath))
    map->setAttr(kz::kMath, math);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> argumentTypes;
  for (Value input : inputs)
    argumentTypes.push_back(getElementTypeOrSelf(
        isa<kz::TileType>(input.getType())
            ? cast<kz::TileType>(input.getType()).getElementType()
            : input.getType()));
  Block *block = b.createBlock(&map.getBody(), {}, argumentTypes,
                               SmallVector<Location>(inputs.size(), loc));
  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(arguments, block->getArguments()))
    mapping.map(from, to);
  for (Value value : captured)
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      mapping.map(value, b.clone(*constant)->getResult(0));
  // Only what the results need.
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> work(yielded);
  while (!work.empty()) {
    Operation *definition = work.pop_back_val().getDefiningOp();
    if (!definition || definition->getBlock() != body ||
        !needed.insert(definition))
      continue;
    work.append(definition->operand_begin(), definition->operand_end());
  }
  SmallVector<int64_t> loops = getLoopDims(op);
  for (Operation &inner : body->without_terminator()) {
    if (!needed.contains(&inner))
      continue;
    if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
      int64_t dim = loops[indexOp.getDim()];
      auto position = llvm::find(opDims, dim);
      Value at =
          position == opDims.end()
              ? index(0)
              : kz::tile::IndexOp::create(b, loc, b.getIndexType(),
                                          b.getI64IntegerAttr(std::distance(
                                              opDims.begin(), position)))
                    .getResult();
      mapping.map(indexOp.getResult(), at);
      continue;
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(inner)) {
      SmallVector<Value> operands;
      for (Value operand : apply.getMapOperands())
        operands.push_back(mapping.lookup(operand));
      mapping.map(
          apply.getResult(),
          (*affine::expandAffineMap(b, loc, apply.getAffineMap(), operands))
              .front());
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      FailureOr<Value> element = fetch(extract, mapping);
      if (failed(element))
        return failure();
      mapping.map(extract.getResult(), *element);
      continue;
    }
    b.clone(inner, mapping);
  }
  SmallVector<Value> results;
  for (Value value : yielded)
    results.push_back(mapping.lookupOrDefault(value));
  kz::tile::YieldOp::create(b, loc, results);
  return SmallVector<Value>(map.getResults());
}

LogicalResult KernelEmitter::emitMap(linalg::LinalgOp op) {
  SmallVector<int64_t> opDims;
  for (int64_t dim : sorted(getLoopDims(op)))
    if (!space.squeezed[dim])
      opDims.push_back(dim);
  FailureOr<SmallVector<Value>> results = mapBody(op, Value(), opDims);
  if (failed(results))
    return failure();
  for (auto [value, tile] : llvm::zip_equal(op->getResults(), *results))
    tiles[value] = tile;
  return success();
}

LogicalResult KernelEmitter::emitReduction(linalg::LinalgOp op) {
  std::optional<Combiner> combiner = getCombiner(op);
  std::optional<kz::ReduceKind> kind;
  if (combiner) {
    using vector::CombiningKind;
    if (combiner->kind == CombiningKind::ADD)
      kind = kz::ReduceKind::Add;
    else if (combiner->kind == CombiningKind::MUL)
      kind = kz::ReduceKind::Mul;
    else if (combiner->kind == CombiningKind::MAXIMUMF ||
             combiner->kind == CombiningKind::MAXSI)
      kind = kz::ReduceKind::Max;
    else if (combiner->kind == CombiningKind::MINIMUMF ||
             combiner->kind == CombiningKind::MINSI)
      kind = kz::ReduceKind::Min;
  }
  if (!kind)
    return op.emitError() << "the reduction combines by something else than "
                             "addition, multiplication, maximum and minimum";
  auto combine = op->getAttrOfType<kz::ReduceAttr>(kz::kReduce);
  if (!combine)
    return op.emitError() << "the partial results of threads are not combined; "
                             "add transform.kz.reduce";
  SmallVector<int64_t> loops = getLoopDims(op), opDims, reduced, kept;
  for (int64_t dim : sorted(loops))
    if (!space.squeezed[dim])
      opDims.push_back(dim);
  for (auto [loopDim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(iterator))
      reduced.push_back(
          std::distance(opDims.begin(), llvm::find(opDims, loops[loopDim])));
    else
      kept.push_back(loops[loopDim]);
  llvm::sort(kept);
  llvm::sort(reduced);
  FailureOr<SmallVector<Value>> elements =
      mapBody(op, combiner->element, opDims);
  if (failed(elements))
    return failure();
  Location loc = op.getLoc();
  Value tile = elements->front();
  if (SmallVector<Value> extents = getExtents(opDims); !extents.empty())
    tile = kz::tile::ClipOp::create(b, loc, tile.getType(), tile, extents,
                                    combiner->neutral);
  Value result = kz::tile::ReduceOp::create(
      b, loc, getTileType(kept, combiner->element.getType()), *kind, tile,
      b.getDenseI64ArrayAttr(reduced), combine);
  // What the sum starts from, unless it changes nothing.
  Value init = op.getDpsInits().front();
  std::optional<TypedAttr> start = getFillConstant(init);
  bool neutral = start && (*start == combiner->neutral ||
                           (*kind == kz::ReduceKind::Add &&
                            matchPattern(*start, m_AnyZeroFloat())));
  if (!neutral) {
    FailureOr<Value> initial = getTile(init);
    if (failed(initial))
      return failure();
    Type element = combiner->element.getType();
    auto map = kz::tile::MapOp::create(b, loc, TypeRange(result.getType()),
                                       ValueRange{result, *initial});
    OpBuilder::InsertionGuard guard(b);
    Block *block =
        b.createBlock(&map.getBody(), {}, {element, element}, {loc, loc});
    Operation *combineOp =
        op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
    IRMapping mapping;
    mapping.map(combiner->element, block->getArgument(0));
    mapping.map(op.getRegionOutputArgs().front(), block->getArgument(1));
    kz::tile::YieldOp::create(b, loc,
                              b.clone(*combineOp, mapping)->getResults());
    result = map.getResult(0);
  }
  tiles[op->getResult(0)] = result;
  return success();
}

LogicalResult KernelEmitter::emitStore(tensor::ParallelInsertSliceOp insert) {
  Value source = insert.getSource();
  Value tile = tiles.lookup(skipMarkers(source));
  if (!tile)
    return insert.emitError() << "the result of the grid is not computed in it";
  SmallVector<int64_t> valueDims;
  AffineMap map = root.getIndexingMapMatchingResult(root->getOpResult(0));
  SmallVector<int64_t> loops = getLoopDims(root);
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    valueDims.push_back(dim ? loops[dim.getPosition()] : -1);
  }
  // The destination: where the slice sits, and along which of its dimensions.
  View view;
  view.root = insert.getDest();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (auto [dim, offset] : llvm::enumerate(insert.getMixedOffsets())) {
    View::Offset &sum = view.offsets.emplace_back();
    if (std::optional<int64_t> constant = getConstantIntValue(offset))
      sum.constant = *constant;
    else
      sum.terms.push_back(cast<Value>(offset));
    if (!dropped.test(dim))
      view.dims.push_back(dim);
  }
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [position, dim] : llvm::enumerate(valueDims))
    if (dim >= 0 && !space.squeezed[dim])
      pairs.push_back({dim, view.dims[position]});
  llvm::sort(pairs);
  SmallVector<int64_t> dims, bufferDims;
  for (auto [dim, bufferDim] : pairs) {
    dims.push_back(dim);
    bufferDims.push_back(bufferDim);
  }
  Value destination = buffer(view.root);
  SmallVector<Value> at = coordinates(view);
  Location loc = insert.getLoc();
  if (staging) {
    if (!getExtents(dims).empty())
      return insert.emitError() << "a result that is stored by TMA has a tile "
                                   "that is larger than said";
    kz::tile::TmaStoreOp::create(b, loc, tile, staging, destination, at,
                                 getDimsAttr(destination, bufferDims));
    return success();
  }
  kz::tile::StoreOp::create(b, loc, tile, destination, at, getExtents(dims),
                            getDimsAttr(destination, bufferDims),
                            kz::CacheHintAttr());
  return success();
}
