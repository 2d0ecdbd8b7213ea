//===- Placement.cpp - which thread holds which element -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::l1;

SmallVector<int64_t> KernelEmitter::sorted(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result;
  for (int64_t dim : dims)
    if (dim >= 0 && !llvm::is_contained(result, dim))
      result.push_back(dim);
  llvm::sort(result);
  return result;
}

SmallVector<int64_t> KernelEmitter::getLoopDims(linalg::LinalgOp op) {
  auto found = space.loopDims.find(op);
  return found == space.loopDims.end() ? SmallVector<int64_t>() : found->second;
}

linalg::LinalgOp l1::getProducer(Value value) {
  auto op = skipMarkers(value).getDefiningOp<linalg::LinalgOp>();
  return isa_and_nonnull<linalg::FillOp>(op.getOperation()) ? linalg::LinalgOp()
                                                            : op;
}

LogicalResult KernelEmitter::place(Value value, ArrayRef<int64_t> dims) {
  while (true) {
    auto [entry, isNew] = space.placed.try_emplace(value, dims);
    if (!isNew && ArrayRef(entry->second) != dims && !getView(value))
      return grid.emitError()
             << "a value of the grid is read in two arrangements of its "
                "dimensions; give each reader a grid of its own";
    auto staged = value.getDefiningOp<kz::StagedOp>();
    if (!staged)
      return success();
    value = staged.getSource();
  }
}

LogicalResult KernelEmitter::analyseContraction() {
  for (scf::ForOp candidate : grid.getBody()->getOps<scf::ForOp>()) {
    if (loop)
      return candidate.emitError()
             << "the grid has two loops in a row; one contraction a grid is "
                "accepted";
    loop = candidate;
  }
  if (!loop)
    return success();
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto staged = dyn_cast<kz::StagedOp>(op)) {
      if (staged.getRing())
        ringTiles.push_back(staged);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (linalg::isaContractionOpInterface(linalgOp)) {
        if (contraction)
          return linalgOp.emitError()
                 << "the loop has two contractions; one is accepted";
        contraction = linalgOp;
      } else if (linalgOp.getNumReductionLoops() == 0) {
        if (!isa<linalg::FillOp>(op))
          prologue.push_back(linalgOp);
      } else {
        return linalgOp.emitError()
               << "'" << linalgOp->getName()
               << "' sums in the loop of a contraction; accepted there is "
                  "elementwise work on its operands";
      }
    }
  }
  if (!contraction)
    return loop.emitError()
           << "a loop without a contraction cannot be in a kernel; leave "
              "tile_loop out";
  if (!contraction->hasAttr(kz::kMma))
    return contraction.emitError() << "the contraction has no instruction; add "
                                      "transform.kz.mma";
  if (!contraction->hasAttr(kz::kWarps))
    return contraction.emitError() << "the contraction is not dealt to warps; "
                                      "add transform.kz.tile_warps";
  auto pipeline = loop->getAttrOfType<kz::PipelineAttr>(kz::kPipeline);
  if (!pipeline)
    return loop.emitError() << "the loop of the contraction has no ring; add "
                               "transform.kz.stage and transform.kz.pipeline";
  stages = pipeline.getStages();
  roles = loop->getAttrOfType<kz::RolesAttr>(kz::kRoles);
  for (OpOperand *operand : contraction.getDpsInputOperands()) {
    auto staged = operand->get().getDefiningOp<kz::StagedOp>();
    if (!staged || !llvm::is_contained(ringTiles, staged))
      return contraction.emitError()
             << "operand " << operand->getOperandNumber()
             << " of the contraction is not in the ring; stage it in shared "
                "memory and name it in transform.kz.pipeline";
  }
  return success();
}

LogicalResult KernelEmitter::placeGrid() {
  // The last operation, whose result leaves the grid.
  auto inserts = llvm::to_vector(
      grid.getTerminator().getOps<tensor::ParallelInsertSliceOp>());
  if (inserts.size() != 1)
    return grid.emitError() << "the grid has " << inserts.size()
                            << " results; exactly 1 is accepted";
  Value result = skipMarkers(inserts.front().getSource());
  if (auto forOp = result.getDefiningOp<scf::ForOp>(); forOp && forOp == loop)
    root = contraction;
  else
    root = getProducer(result);
  if (!root)
    return grid.emitError()
           << "the result of the grid is not computed by a Linalg operation";

  SmallVector<linalg::LinalgOp> ops;
  grid.getBody()->walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    if (!isa<linalg::FillOp>(op) && !llvm::is_contained(prologue, op))
      ops.push_back(op);
  });
  if (contraction)
    for (linalg::LinalgOp op : ops)
      if (op != contraction && !op->hasAttr(kz::kEpilogue))
        return op.emitError() << "'" << op->getName()
                              << "' behind the contraction has no place; add "
                                 "transform.kz.epilogue";
  return placeFrom(root, ops);
}

/// Places the values of `ops`, the last of which is `last`, from the last to
/// the first: a value lies as its reader wants it.
LogicalResult KernelEmitter::placeFrom(linalg::LinalgOp last,
                                       ArrayRef<linalg::LinalgOp> ops) {
  SmallVector<int64_t> &shape = space.shape;
  SmallVector<int64_t> &lastDims = space.loopDims[last];
  for (auto [dim, iterator] : llvm::enumerate(last.getIteratorTypesArray())) {
    bool summedByLoop =
        last == contraction && linalg::isReductionIterator(iterator);
    lastDims.push_back(summedByLoop ? -1 : static_cast<int64_t>(shape.size()));
    if (summedByLoop)
      continue;
    std::optional<int64_t> bound = getLoopBound(last, dim);
    if (!bound)
      return last.emitError() << "dimension " << dim << " has no static bound";
    shape.push_back(*bound);
  }

  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    SmallVector<int64_t> dims = getLoopDims(op);
    dims.resize(op.getNumLoops(), -1);
    auto learn = [&](Value value, AffineMap map) {
      auto found = space.placed.find(value);
      if (found == space.placed.end())
        return;
      for (auto [position, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          if (dims[dim.getPosition()] < 0)
            dims[dim.getPosition()] = found->second[position];
    };
    for (OpResult value : op->getOpResults())
      learn(value, op.getIndexingMapMatchingResult(value));
    if (op == contraction && loop)
      learn(loop.getResult(0),
            op.getIndexingMapMatchingResult(op->getOpResult(0)));
    if (op != contraction) {
      for (OpOperand *operand : op.getDpsInputOperands())
        learn(operand->get(), op.getMatchingIndexingMap(operand));
      for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
        if (dims[dim] >= 0)
          continue;
        std::optional<int64_t> bound = getLoopBound(op, dim);
        if (!bound)
          return op.emitError()
                 << "dimension " << dim << " has no static bound";
        dims[dim] = shape.size();
        shape.push_back(*bound);
      }
    }
    space.loopDims[op] = dims;
    if (op == contraction) {
      // What the sum starts from lies as the sum does.
      SmallVector<int64_t> sumDims;
      for (AffineExpr expr :
           op.getIndexingMapMatchingResult(op->getOpResult(0)).getResults())
        sumDims.push_back(dims[cast<AffineDimExpr>(expr).getPosition()]);
      if (failed(place(loop.getInitArgs().front(), sumDims)))
        return failure();
      continue;
    }
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      SmallVector<int64_t> valueDims;
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (!dim && !isa<AffineConstantExpr>(expr))
          return op.emitError()
                 << "operand " << operand.getOperandNumber()
                 << " is read along a combination of loops; accepted is one "
                    "loop a dimension";
        valueDims.push_back(dim ? dims[dim.getPosition()] : -1);
      }
      if (failed(place(operand.get(), valueDims)))
        return failure();
    }
  }
  return success();
}

/// Refuses what could never run fast and would take minutes to compile.
static LogicalResult checkRegisters(scf::ForallOp grid, kz::LayoutAttr layout) {
  if (std::optional<std::string> why = explainRegisters(layout))
    return grid.emitError() << *why;
  return success();
}

LogicalResult KernelEmitter::chooseLayout() {
  ArrayRef<int64_t> shape = space.shape;
  kz::LayoutAttr &layout = space.layout;
  space.squeezed.assign(space.shape.size(), false);
  MLIRContext *context = task.getContext();
  auto step = grid->getAttrOfType<kz::ThreadsAttr>(kz::kThreads);
  if (!contraction) {
    if (!step)
      return grid.emitError() << "the tile is not dealt to threads; add "
                                 "transform.kz.tile_threads";
    if (step.getDim() >= static_cast<int64_t>(shape.size()))
      return grid.emitError()
             << "tile_threads names dimension " << step.getDim()
             << ", the tile has " << shape.size();
    threads = step.getThreads();
    layout = dealThreads(context, shape, step);
    if (!layout)
      return grid.emitError()
             << "dimension " << step.getDim() << " of " << shape[step.getDim()]
             << " elements cannot be dealt to " << threads
             << " threads; accepted are 32 times a number, or a power of two "
                "times the vectors that cover it";
    return checkRegisters(grid, layout);
  }
  if (step)
    return grid.emitError() << "tile_threads does not go with tile_warps";
  // Of a contraction only M and N are dimensions of tiles.
  SmallVector<int64_t> dims = getLoopDims(contraction);
  FailureOr<linalg::ContractionDimensions> kinds =
      linalg::inferContractionDims(contraction);
  if (failed(kinds) || kinds->m.size() != 1 || kinds->n.size() != 1 ||
      kinds->k.size() != 1)
    return contraction.emitError()
           << "the contraction has not one M, one N and one K";
  int64_t m = dims[kinds->m[0]], n = dims[kinds->n[0]];
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (static_cast<int64_t>(dim) == m || static_cast<int64_t>(dim) == n)
      continue;
    if (size != 1)
      return contraction.emitError()
             << "the tile has " << size << " batches; accepted is 1";
    space.squeezed[dim] = true;
  }
  if (m > n)
    return contraction.emitError()
           << "the grid stores the transpose of the contraction; give the "
              "transposition a grid of its own";
  auto mma = contraction->getAttrOfType<kz::MmaAttr>(kz::kMma);
  auto warps = contraction->getAttrOfType<kz::WarpsAttr>(kz::kWarps);
  if (warps.getCounts().size() != 2)
    return contraction.emitError()
           << "tile_warps has " << warps.getCounts().size()
           << " counts; M and N are needed";
  int64_t tileShape[] = {shape[m], shape[n]};
  bool wgmma = mma.getKind() == kz::MmaKind::Wgmma;
  if (wgmma != warps.getWarpgroups())
    return contraction.emitError()
           << kz::stringifyMmaKind(mma.getKind())
           << (wgmma ? " is dealt to warpgroups, not to warps"
                     : " is dealt to warps, not to warpgroups");
  // A tile that is smaller than the instructions it takes is filled up.
  int64_t whole[] = {mma.getShape()[0] * warps.getCounts()[0],
                     mma.getShape()[1] * warps.getCounts()[1]};
  for (auto [size, unit, step] :
       llvm::zip_equal(tileShape, whole, mma.getShape().take_front(2)))
    if (size < unit || size % step)
      size = llvm::alignTo(size, unit);
  int64_t count = warps.getCounts()[0] * warps.getCounts()[1];
  if (wgmma) {
    layout = kz::LayoutAttr::forWgmmaAccumulator(
        context, mma.getShape()[1], warps.getCounts()[0], warps.getCounts()[1],
        tileShape);
    threads = count * 128;
  } else if (mma.getKind() == kz::MmaKind::Fma) {
    // Neighbouring columns in 16 bytes where rows of the right operand lie
    // along them.
    Type right = getElementTypeOrSelf(contraction->getOperand(1).getType());
    AffineMap map =
        contraction.getMatchingIndexingMap(contraction.getDpsInputOperand(1));
    bool alongColumns = map.getResults().back() ==
                        getAffineDimExpr(kinds->n[0], contraction.getContext());
    layout = kz::LayoutAttr::forFmaAccumulator(
        context, tileShape, warps.getCounts(), mma.getShape().take_front(2),
        alongColumns ? 128 / right.getIntOrFloatBitWidth() : 1);
    threads = count * 32;
  } else {
    layout = kz::LayoutAttr::forMmaSyncAccumulator(context, tileShape,
                                                   warps.getCounts());
    threads = count * 32;
  }
  if (!layout)
    return contraction.emitError()
           << "a tile of " << tileShape[0] << " x " << tileShape[1]
           << " is not made of " << mma.getShape()[0] << " x "
           << mma.getShape()[1] << " blocks for " << warps.getCounts()[0]
           << " x " << warps.getCounts()[1]
           << (wgmma ? " warpgroups" : " warps");
  if (roles) {
    if (!wgmma)
      return loop.emitError() << "warp_specialize goes with wgmma";
    threads += 128 * roles.getProducers();
  } else if (wgmma) {
    return loop.emitError() << "wgmma needs producers; add "
                               "transform.kz.warp_specialize";
  }
  if (threads > 1024)
    return grid.emitError()
           << "the block would have " << threads << " threads; at most 1024";
  return checkRegisters(grid, layout);
}

/// Elements that the whole contraction sums up: where its loop ends.
static int64_t getSumSize(scf::ForOp loop) {
  return getConstantIntValue(loop.getUpperBound()).value_or(-1);
}

/// Finds what the tiles of the ring are as operands.
LogicalResult KernelEmitter::findRingTiles() {
  if (!contraction)
    return success();
  FailureOr<GridDim> trips = getTrips(loop);
  if (failed(trips))
    return failure();
  linalg::ContractionDimensions kinds =
      *linalg::inferContractionDims(contraction);
  auto mma = contraction->getAttrOfType<kz::MmaAttr>(kz::kMma);
  SmallVector<int64_t> sums = space.layout.getShape();
  for (kz::StagedOp staged : ringTiles) {
    OpOperand *operand = nullptr;
    for (OpOperand *candidate : contraction.getDpsInputOperands())
      if (candidate->get() == staged.getResult())
        operand = candidate;
    std::optional<SmallVector<int64_t>> bounds = getTileShape(staged);
    if (!bounds)
      return staged.emitError() << "the staged tile has no static bound";
    if (!operand)
      return staged.emitError() << "a tile of the ring is no operand of the "
                                   "contraction; leave it out of the ring";
    bool left = operand->getOperandNumber() == 0;
    unsigned own = left ? kinds.m[0] : kinds.n[0], k = kinds.k[0];
    RingTile tile{-1, -1, -1, {}};
    int64_t free = -1;
    AffineMap map = contraction.getMatchingIndexingMap(operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (dim && dim.getPosition() == own)
        free = position;
      else if (dim && dim.getPosition() == k)
        tile.sum = position;
      else if ((*bounds)[position] != 1)
        return staged.emitError()
               << "the tile has " << (*bounds)[position]
               << " elements along dimension " << position
               << ", which is neither of its rows nor of its columns; accepted "
                  "is 1";
    }
    // The left tile is M x K whatever lies in memory; the right one is as it
    // lies.
    bool kLast = left || tile.sum > free;
    tile.row = kLast ? free : tile.sum;
    tile.column = kLast ? tile.sum : free;
    // Whole instructions of K, and rows of 16 bytes.
    Type element = getElementTypeOrSelf(staged.getType());
    int64_t bound = (*bounds)[tile.sum], unit = mma.getShape()[2];
    int64_t perPiece = std::max<int64_t>(
        1, 128 / std::max(8u, element.getIntOrFloatBitWidth()));
    int64_t depth = llvm::alignTo(bound, mma.getKind() == kz::MmaKind::Fma
                                             ? perPiece
                                             : std::max(unit, perPiece));
    if (depth != bound && trips->trips != 1)
      return staged.emitError()
             << "the tile's K of " << bound << " is not a multiple of " << depth
             << "; accepted is one, or a tile that holds all of K";
    int64_t wide = sums[left ? 0 : 1];
    tile.shape = kLast ? SmallVector<int64_t>{wide, depth}
                       : SmallVector<int64_t>{depth, wide};
    // Beyond the edge of a buffer copies give zeros, and so do loads; what
    // lies beyond the edge of a part of one is something else, and what is
    // computed there as well. Rows and columns that are too many are not
    // stored.
    bool reaches =
        depth != bound || !getConstantIntValue(*getTileSize(staged, tile.sum));
    std::optional<View> view = getView(staged.getSource());
    bool whole = false;
    if (view && buffers.byValue.count(view->root))
      whole = cast<RankedTensorType>(view->root.getType())
                  .getDimSize(view->dims[tile.sum]) == getSumSize(loop);
    tile.clip = reaches && !whole;
    ringShapes.push_back(tile);
  }
  return success();
}

/// Places what goes through registers on its way into the ring.
LogicalResult KernelEmitter::placeCopies() {
  for (auto [number, staged] : llvm::enumerate(ringTiles)) {
    if (staged.getStage().getCopy() != kz::CopyKind::Plain) {
      if (getProducer(staged.getSource()))
        return staged.emitError()
               << "an operand that is computed in the loop goes through "
                  "registers; add copy(plain)";
      continue;
    }
    if (failed(placeCopy(number)))
      return failure();
  }
  return success();
}

/// Deals one such tile in vectors of the copy's width along its rows, to all
/// threads.
LogicalResult KernelEmitter::placeCopy(int64_t number) {
  kz::StagedOp staged = ringTiles[number];
  const RingTile &tile = ringShapes[number];
  kz::StageAttr stage = staged.getStage();
  if (roles)
    return staged.emitError()
           << "a producer copies by tma; an operand that is computed in the "
              "loop goes with mma_sync and without warp_specialize";
  if (!stage.getWidth())
    return staged.emitError() << "the copy has no width; add width(16), "
                                 "width(8), width(4) or width(2)";
  SmallVector<int64_t> bounds = *getTileShape(staged);
  int64_t rank = bounds.size();
  Space &copySpace = copySpaces[number];
  std::swap(space, copySpace);
  llvm::scope_exit restore([&] { std::swap(space, copySpace); });
  space = Space();
  // Dimensions of the tensor in the order of the space: rows and columns last.
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != tile.row && dim != tile.column)
      order.push_back(dim);
  order.append({tile.row, tile.column});
  if (linalg::LinalgOp last = getProducer(staged.getSource())) {
    if (failed(placeFrom(last, prologue)))
      return failure();
    for (int64_t bound : space.shape)
      if (!llvm::is_contained(bounds, bound))
        return last.emitError() << "the operand is not computed tile by tile";
    SmallVector<int64_t> dims = getLoopDims(last);
    SmallVector<int64_t> valueDims;
    for (AffineExpr expr :
         last.getIndexingMapMatchingResult(last->getOpResult(0)).getResults())
      valueDims.push_back(dims[cast<AffineDimExpr>(expr).getPosition()]);
    if (!llvm::is_sorted(valueDims) || !llvm::is_sorted(order))
      return last.emitError()
             << "the operand is computed as its transpose; give the "
                "transposition a grid of its own";
  } else {
    SmallVector<int64_t> dims(rank);
    for (auto [position, dim] : llvm::enumerate(order)) {
      dims[dim] = position;
      space.shape.push_back(bounds[dim]);
    }
    if (failed(place(staged.getSource(), dims)))
      return failure();
  }
  // Other dimensions are of size 1 and lead.
  rank = space.shape.size();
  space.squeezed.assign(rank, false);
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    space.squeezed[dim] = true;
  Type element = getElementTypeOrSelf(staged.getType());
  int64_t vector = stage.getWidth() * 8 / element.getIntOrFloatBitWidth();
  if (vector < 1 || !llvm::isPowerOf2_64(vector))
    return staged.emitError() << "a copy of " << stage.getWidth()
                              << " bytes moves no whole " << element;
  space.layout =
      dealThreads(task.getContext(), tile.shape,
                  kz::ThreadsAttr::get(task.getContext(), 1, threads, vector),
                  /*spareDims=*/{0});
  if (!space.layout || space.layout.getShape() != tile.shape)
    return staged.emitError()
           << "a tile of " << tile.shape[0] << " x " << tile.shape[1]
           << " is not dealt evenly to " << threads << " threads in vectors of "
           << vector << "; use another tile or width";
  return success();
}

kz::LayoutAttr KernelEmitter::getLayout(ArrayRef<int64_t> dims) {
  // Positions, among the dimensions that tiles have, of those to drop.
  SmallVector<int64_t> dropped;
  int64_t position = 0;
  for (int64_t dim = 0, rank = space.shape.size(); dim < rank; ++dim) {
    if (space.squeezed[dim])
      continue;
    if (!llvm::is_contained(dims, dim))
      dropped.push_back(position);
    ++position;
  }
  return space.layout.dropDims(dropped);
}

kz::TileType KernelEmitter::getTileType(ArrayRef<int64_t> dims, Type element) {
  return kz::TileType::get(getLayout(dims), element);
}
