//===- Placement.cpp - which thread holds which element -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

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

/// The bound of loop `dim` of `op`, from the operands that it walks over.
static std::optional<int64_t> getLoopBound(linalg::LinalgOp op, int64_t dim) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (auto dimExpr = dyn_cast<AffineDimExpr>(expr);
          dimExpr && static_cast<int64_t>(dimExpr.getPosition()) == dim)
        if (std::optional<int64_t> bound =
                getTileBound(operand.get(), position))
          return bound;
  }
  return std::nullopt;
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

/// Deals `shape` to threads: `step.dim` in vectors, spare threads to
/// `spareDim`.
static kz::LayoutAttr dealThreads(MLIRContext *context, ArrayRef<int64_t> shape,
                                  kz::ThreadsAttr step, int64_t spareDim) {
  using kz::LayoutStep;
  int64_t dim = step.getDim(), vector = step.getVector();
  // Threads along the dimension: all, or as many (a power of two that divides
  // the block) as it takes to cover it once.
  int64_t needed = llvm::divideCeil(shape[dim], vector);
  int64_t along = step.getThreads();
  while (along % 2 == 0 && along / 2 >= needed)
    along /= 2;
  int64_t spare = step.getThreads() / along;
  SmallVector<LayoutStep> reg, lane, warp;
  if (vector > 1)
    reg.push_back({vector, dim, 1});
  // Lanes first, then warps; of each, first along the dimension.
  int64_t laneAlong = along;
  int64_t laneSpare = 1;
  if (along % 32 == 0) {
    laneAlong = 32;
  } else if (32 % along == 0) {
    laneSpare = 32 / along;
  } else {
    return {};
  }
  if (laneAlong > 1)
    lane.push_back({laneAlong, dim, vector});
  auto addSpare = [&](SmallVectorImpl<LayoutStep> &steps, int64_t extent,
                      int64_t stride) {
    if (extent == 1)
      return;
    if (spareDim < 0)
      steps.push_back({extent, -1, 0});
    else
      steps.push_back({extent, spareDim, stride});
  };
  addSpare(lane, laneSpare, 1);
  if (along / laneAlong > 1)
    warp.push_back({along / laneAlong, dim, vector * laneAlong});
  addSpare(warp, spare / laneSpare, laneSpare);
  if (int64_t trips = llvm::divideCeil(shape[dim], vector * along); trips > 1)
    reg.push_back({trips, dim, vector * along});
  for (auto [other, size] : llvm::enumerate(shape)) {
    if (static_cast<int64_t>(other) == dim)
      continue;
    int64_t dealt = static_cast<int64_t>(other) == spareDim ? spare : 1;
    if (int64_t trips = llvm::divideCeil(size, dealt); trips > 1)
      reg.push_back({trips, static_cast<int64_t>(other), dealt});
  }
  return kz::LayoutAttr::get(context, shape.size(), reg, lane, warp);
}

/// Refuses what could never run fast and would take minutes to compile.
static LogicalResult checkRegisters(scf::ForallOp grid, kz::LayoutAttr layout) {
  constexpr int64_t limit = 255;
  if (layout.getNumRegisters() > 2 * limit)
    return grid.emitError()
           << "a thread would hold " << layout.getNumRegisters()
           << " elements of the tile, a thread has " << limit
           << " registers; use smaller tiles or more threads";
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
    // Spare threads take the longest other dimension.
    int64_t spareDim = -1;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (static_cast<int64_t>(dim) != step.getDim() && size > 1 &&
          (spareDim < 0 || size > shape[spareDim]))
        spareDim = dim;
    threads = step.getThreads();
    layout = dealThreads(context, shape, step, spareDim);
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
           << (wgmma ? "wgmma is dealt to warpgroups, not to warps"
                     : "mma_sync is dealt to warps, not to warpgroups");
  int64_t count = warps.getCounts()[0] * warps.getCounts()[1];
  if (wgmma) {
    layout = kz::LayoutAttr::forWgmmaAccumulator(
        context, mma.getShape()[1], warps.getCounts()[0], warps.getCounts()[1],
        tileShape);
    threads = count * 128;
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

/// Places what goes through registers on its way into the ring: dealt in
/// vectors of the copy's width along the rows of the tile, to all threads.
LogicalResult KernelEmitter::placeCopies() {
  for (auto [number, staged] : llvm::enumerate(ringTiles)) {
    kz::StageAttr stage = staged.getStage();
    if (stage.getCopy() != kz::CopyKind::Plain) {
      if (getProducer(staged.getSource()))
        return staged.emitError()
               << "an operand that is computed in the loop goes through "
                  "registers; add copy(plain)";
      continue;
    }
    if (roles)
      return staged.emitError()
             << "a producer copies by tma; an operand that is computed in the "
                "loop goes with mma_sync and without warp_specialize";
    if (!stage.getWidth())
      return staged.emitError()
             << "the copy has no width; add width(16), width(8) or width(4)";
    std::optional<SmallVector<int64_t>> bounds = getTileShape(staged);
    if (!bounds)
      return staged.emitError() << "the staged tile has no static bound";
    Space &copySpace = copySpaces[number];
    std::swap(space, copySpace);
    llvm::scope_exit restore([&] { std::swap(space, copySpace); });
    space = Space();
    if (linalg::LinalgOp last = getProducer(staged.getSource())) {
      if (failed(placeFrom(last, prologue)))
        return failure();
      for (int64_t bound : space.shape)
        if (!llvm::is_contained(*bounds, bound))
          return last.emitError() << "the operand is not computed tile by tile";
      SmallVector<int64_t> dims = getLoopDims(last);
      SmallVector<int64_t> valueDims;
      for (AffineExpr expr :
           last.getIndexingMapMatchingResult(last->getOpResult(0)).getResults())
        valueDims.push_back(dims[cast<AffineDimExpr>(expr).getPosition()]);
      if (!llvm::is_sorted(valueDims))
        return last.emitError()
               << "the operand is computed as its transpose; give the "
                  "transposition a grid of its own";
    } else {
      space.shape = *bounds;
      SmallVector<int64_t> dims =
          llvm::to_vector(llvm::seq<int64_t>(0, bounds->size()));
      if (failed(place(staged.getSource(), dims)))
        return failure();
    }
    // Batches are of size 1 and lead.
    int64_t rank = space.shape.size();
    SmallVector<int64_t> shape(ArrayRef(space.shape).take_back(2));
    space.squeezed.assign(rank, false);
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      space.squeezed[dim] = true;
    Type element = getElementTypeOrSelf(staged.getType());
    int64_t vector = stage.getWidth() * 8 / element.getIntOrFloatBitWidth();
    if (vector < 1 || !llvm::isPowerOf2_64(vector))
      return staged.emitError() << "a copy of " << stage.getWidth()
                                << " bytes moves no whole " << element;
    space.layout = dealThreads(
        task.getContext(), shape,
        kz::ThreadsAttr::get(task.getContext(), 1, threads, vector), 0);
    if (!space.layout || space.layout.getShape() != shape)
      return staged.emitError() << "a tile of " << shape[0] << " x " << shape[1]
                                << " is not dealt evenly to " << threads
                                << " threads in vectors of " << vector
                                << "; use another tile or width";
  }
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
