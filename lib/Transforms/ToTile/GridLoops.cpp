//===- GridLoops.cpp - grids, rings and roles of a kernel -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "KernelZero/Target/TargetTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::l1;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<KernelEmitter::GridDim>>
KernelEmitter::getGridDims(scf::ForallOp grid) {
  SmallVector<GridDim> dims;
  for (auto [lower, upper, step] :
       llvm::zip_equal(grid.getMixedLowerBound(), grid.getMixedUpperBound(),
                       grid.getMixedStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower);
    std::optional<int64_t> to = getConstantIntValue(upper);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by || *by < 1)
      return grid.emitError() << "the grid has bounds that are not constant";
    dims.push_back({*from, *by, (*to - *from + *by - 1) / *by});
  }
  return dims;
}

LogicalResult KernelEmitter::analyse() {
  if (failed(analyseContraction()) || failed(placeGrid()) ||
      failed(chooseLayout()) || failed(findRingTiles()) ||
      failed(placeCopies()))
    return failure();
  FailureOr<SmallVector<GridDim>> dims = getGridDims(grid);
  if (failed(dims))
    return failure();
  numTiles = 1;
  for (GridDim dim : *dims)
    numTiles *= dim.trips;
  numBlocks = numTiles;
  auto attr = grid->getAttrOfType<kz::GridAttr>(kz::kGrid);
  if (attr.getPersistent()) {
    if (multiprocessors == 0)
      return grid.emitError()
             << "a persistent grid needs the number of multiprocessors; pass "
                "the target";
    numBlocks = std::min(numTiles, multiprocessors);
  }
  constexpr int64_t limit = (int64_t(1) << 31) - 1;
  if (numBlocks < 1 || numBlocks > limit)
    return grid.emitError() << "the grid has " << numBlocks
                            << " blocks; accepted are 1 to " << limit;
  return success();
}

LogicalResult KernelEmitter::emit(StringRef name) {
  if (failed(analyse()))
    return failure();
  // The buffers that the grid touches, in the order of the task.
  SmallVector<Value> roots;
  auto touch = [&](Value root) {
    if (buffers.byValue.count(root) && !llvm::is_contained(roots, root))
      roots.push_back(root);
  };
  grid->walk([&](Operation *op) {
    if (op == grid)
      return;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) &&
          !grid.getRegion().isAncestor(operand.getParentRegion()))
        if (std::optional<View> view = getView(operand))
          touch(view->root);
  });
  for (Value result : grid->getResults())
    touch(result);
  auto order = [&](Value root) {
    return std::distance(buffers.byValue.begin(), buffers.byValue.find(root));
  };
  llvm::sort(roots, [&](Value x, Value y) { return order(x) < order(y); });

  Location loc = grid.getLoc();
  b.setInsertionPoint(task);
  SmallVector<Attribute> argAttrs;
  SmallVector<Type> types;
  for (Value root : roots) {
    const TaskBuffers::Buffer &bound = buffers.byValue.find(root)->second;
    types.push_back(bound.type);
    argAttrs.push_back(b.getDictionaryAttr(
        {b.getNamedAttr(bound.workspace ? kz::kWorkspace : kz::kBuffer,
                        b.getI64IntegerAttr(bound.number))}));
  }
  auto kernel = kz::tile::KernelOp::create(
      b, loc, b.getStringAttr(name), b.getDenseI64ArrayAttr({numBlocks, 1, 1}),
      b.getI64IntegerAttr(threads), DenseI64ArrayAttr(),
      b.getArrayAttr(argAttrs));
  Block *body = b.createBlock(&kernel.getBody(), {}, types,
                              SmallVector<Location>(types.size(), loc));
  for (auto [root, argument] : llvm::zip_equal(roots, body->getArguments()))
    arguments[root] = argument;

  // What the block keeps in shared memory.
  if (contraction) {
    SmallVector<kz::TileType> tileTypes;
    for (auto [staged, tile] : llvm::zip_equal(ringTiles, ringShapes))
      tileTypes.push_back(
          kz::TileType::get(tile.shape, getElementTypeOrSelf(staged.getType()),
                            staged.getStage().getSwizzle()));
    uint64_t slot = 0, most = 0;
    for (kz::TileType tile : tileTypes)
      slot += tile.getNumBytes();
    for (const Target &target : targetTable())
      most = std::max<uint64_t>(most, target.sharedBytesPerBlock);
    if (llvm::SaturatingMultiply<uint64_t>(slot, stages) > most)
      return loop.emitError()
             << "a ring of " << stages << " slots of " << slot
             << " bytes is more shared memory than a block of any target has, "
             << most << " bytes";
    auto type = kz::RingType::get(task.getContext(), stages, tileTypes);
    ring = kz::tile::RingOp::create(b, loc, type);
  }
  auto insert =
      *grid.getTerminator().getOps<tensor::ParallelInsertSliceOp>().begin();
  if (auto staged = insert.getSource().getDefiningOp<kz::StagedOp>();
      staged && staged.getStage().getSpace() == kz::Space::Shared) {
    if (staged.getStage().getCopy() != kz::CopyKind::TmaStore)
      return staged.emitError() << "a result goes through shared memory by "
                                   "copy(tma_store) only";
    if (!contraction || !roles)
      return staged.emitError()
             << "tma_store is for a contraction with warp_specialize";
    ArrayRef<int64_t> chunk = staged.getStage().getChunk();
    if (chunk.size() != 2)
      return staged.emitError() << "the staged result has a chunk of "
                                << chunk.size() << " sizes; add chunk [m, n]";
    auto warps = contraction->getAttrOfType<kz::WarpsAttr>(kz::kWarps);
    int64_t stagingShape[] = {chunk[0] * warps.getCounts()[0],
                              chunk[1] * warps.getCounts()[1]};
    staging = kz::tile::AllocOp::create(
        b, loc,
        kz::TileType::get(stagingShape, getElementTypeOrSelf(staged.getType()),
                          staged.getStage().getSwizzle()));
  }

  if (!roles) {
    if (failed(emitGrid(Role::All)))
      return failure();
  } else {
    auto specialize = kz::tile::SpecializeOp::create(
        b, loc, b.getI64IntegerAttr(roles.getProducers()),
        b.getDenseI64ArrayAttr(
            {roles.getProducerRegisters(), roles.getConsumerRegisters()}));
    for (auto [role, region] :
         {std::pair(Role::Producer, &specialize.getProducer()),
          std::pair(Role::Consumer, &specialize.getConsumer())}) {
      OpBuilder::InsertionGuard guard(b);
      b.createBlock(region);
      tiles.clear();
      scalars.clear();
      if (failed(emitGrid(role)))
        return failure();
      if (role == Role::Consumer && staging)
        kz::tile::TmaStoreWaitOp::create(b, loc);
      kz::tile::YieldOp::create(b, loc);
    }
  }
  kz::tile::ReturnOp::create(b, loc);
  return success();
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

/// Maps the coordinates of the grid to those of tile number `linear`.
void KernelEmitter::emitTileCoordinates(Value linear) {
  Location loc = grid.getLoc();
  SmallVector<GridDim> dims = *getGridDims(grid);
  int64_t rank = dims.size();
  auto div = [&](Value x, Value y) -> Value {
    return arith::DivUIOp::create(b, loc, x, y);
  };
  auto rem = [&](Value x, Value y) -> Value {
    return arith::RemUIOp::create(b, loc, x, y);
  };
  auto mul = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, loc, x, y);
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, loc, x, y);
  };
  SmallVector<Value> ids(rank);
  Value rest = linear;
  int64_t group = grid->getAttrOfType<kz::GridAttr>(kz::kGrid).getGroupM();
  int64_t last = rank;
  if (group > 0 && rank >= 2) {
    // Groups of `group` rows of tiles, walked column by column; the last group
    // of a batch may have fewer rows.
    int64_t m = dims[rank - 2].trips, n = dims[rank - 1].trips;
    group = std::min(group, m);
    Value inBatch = rank > 2 ? rem(rest, index(m * n)) : rest;
    rest = rank > 2 ? div(rest, index(m * n)) : Value();
    Value number = div(inBatch, index(group * n));
    Value first = mul(number, index(group));
    Value inGroup = rem(inBatch, index(group * n));
    Value rows = index(group);
    if (m % group)
      rows = arith::MinUIOp::create(
          b, loc, rows, arith::SubIOp::create(b, loc, index(m), first));
    ids[rank - 2] = add(first, rem(inGroup, rows));
    ids[rank - 1] = div(inGroup, rows);
    last = rank - 2;
  }
  for (int64_t dim = last - 1; dim >= 0; --dim) {
    bool outermost = dim == 0;
    ids[dim] = outermost ? rest : rem(rest, index(dims[dim].trips));
    if (!outermost)
      rest = div(rest, index(dims[dim].trips));
  }
  for (auto [dim, variable] : llvm::enumerate(grid.getInductionVars())) {
    Value id = ids[dim];
    if (dims[dim].step != 1)
      id = mul(id, index(dims[dim].step));
    if (dims[dim].lower != 0)
      id = add(id, index(dims[dim].lower));
    scalars.map(variable, id);
  }
}

LogicalResult KernelEmitter::emitGrid(Role role) {
  Location loc = grid.getLoc();
  Value block = kz::tile::BlockIdOp::create(b, loc, b.getIndexType(),
                                            b.getI64IntegerAttr(0));
  use = index(0);
  if (numBlocks == numTiles) {
    emitTileCoordinates(block);
    return emitBody(role);
  }
  auto walk = scf::ForOp::create(b, loc, block, index(numTiles),
                                 index(numBlocks), ValueRange(use));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(walk.getBody());
  use = walk.getRegionIterArg(0);
  emitTileCoordinates(walk.getInductionVar());
  if (failed(emitBody(role)))
    return failure();
  // Slots of the ring are written again by the next tile.
  if (role == Role::All && contraction)
    kz::tile::BarrierOp::create(b, loc);
  scf::YieldOp::create(b, loc, use);
  return success();
}

LogicalResult KernelEmitter::emitBody(Role role) {
  for (Operation &op : grid.getBody()->without_terminator()) {
    if (&op == loop.getOperation()) {
      if (failed(roles ? emitRoledLoop(role) : emitPipelinedLoop()))
        return failure();
      continue;
    }
    if (role == Role::Producer)
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && !isa<linalg::FillOp>(op)) {
      if (failed(linalgOp.getNumReductionLoops() ? emitReduction(linalgOp)
                                                 : emitMap(linalgOp)))
        return failure();
      continue;
    }
    if (isa<kz::StagedOp, tensor::ExtractSliceOp, tensor::EmptyOp,
            linalg::FillOp, tensor::InsertSliceOp>(op) ||
        !llvm::any_of(op.getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); }))
      continue;
    return op.emitError() << "'" << op.getName()
                          << "' has no form in a kernel; accepted are Linalg "
                             "operations and slices";
  }
  if (role == Role::Producer)
    return success();
  return emitStore(
      *grid.getTerminator().getOps<tensor::ParallelInsertSliceOp>().begin());
}

//===----------------------------------------------------------------------===//
// Loops of contractions
//===----------------------------------------------------------------------===//

/// Computes tile `number` of the ring in registers and puts it into a slot.
LogicalResult KernelEmitter::emitCopyThroughRegisters(int64_t number,
                                                      Value slotTile) {
  Space &copySpace = copySpaces.find(number)->second;
  std::swap(space, copySpace);
  llvm::DenseMap<Value, Value> outer;
  llvm::DenseSet<Value> outerReads;
  std::swap(tiles, outer);
  std::swap(readOnce, outerReads);
  llvm::scope_exit restore([&] {
    std::swap(space, copySpace);
    std::swap(tiles, outer);
    std::swap(readOnce, outerReads);
  });
  kz::StagedOp staged = ringTiles[number];
  for (linalg::LinalgOp op : prologue)
    if (space.loopDims.count(op) && failed(emitMap(op)))
      return failure();
  FailureOr<Value> tile = getTile(staged.getSource());
  if (failed(tile))
    return failure();
  // What lies beyond a ragged edge is no factor of a product.
  auto type = cast<RankedTensorType>(staged.getType());
  const RingTile &ringTile = ringShapes[number];
  if (ringTile.clip) {
    SmallVector<Value> extents;
    for (int64_t dim : {ringTile.row, ringTile.column}) {
      OpFoldResult size = *getTileSize(staged, dim);
      std::optional<int64_t> constant = getConstantIntValue(size);
      extents.push_back(constant ? index(*constant)
                                 : scalar(cast<Value>(size)));
    }
    tile =
        kz::tile::ClipOp::create(b, staged.getLoc(), tile->getType(), *tile,
                                 extents, b.getZeroAttr(type.getElementType()))
            .getResult();
  }
  kz::tile::PutOp::create(b, staged.getLoc(), *tile, slotTile);
  return success();
}

/// Copies the tiles of the ring, at the current trip of the loop, into a slot.
LogicalResult KernelEmitter::emitCopies(ValueRange slot) {
  for (auto [number, staged, tile] : llvm::enumerate(ringTiles, slot)) {
    if (staged.getStage().getCopy() == kz::CopyKind::Plain) {
      if (failed(emitCopyThroughRegisters(number, tile)))
        return failure();
      continue;
    }
    std::optional<View> view = getView(staged.getSource());
    Value source = view ? buffer(view->root) : Value();
    if (!source)
      return staged.emitError()
             << "a tile of the ring is neither an input of the task nor the "
                "result of another grid";
    const RingTile &ringTile = ringShapes[number];
    if (ringTile.clip)
      return staged.emitError()
             << "the tile is cut from a part of a buffer and reaches beyond "
                "that part; add copy(plain), or use a tile that divides the "
                "sum";
    DenseI64ArrayAttr dims = getDimsAttr(
        source, {view->dims[ringTile.row], view->dims[ringTile.column]});
    SmallVector<Value> at = coordinates(*view);
    kz::StageAttr stage = staged.getStage();
    if (roles) {
      if (stage.getCopy() != kz::CopyKind::Tma)
        return staged.emitError() << "a producer copies by tma; add copy(tma)";
      kz::tile::TmaLoadOp::create(b, staged.getLoc(), source, at, tile, dims);
      continue;
    }
    if (stage.getCopy() != kz::CopyKind::CpAsync)
      return staged.emitError() << "a ring without producers is filled by "
                                   "cp_async; add copy(cp_async)";
    if (!stage.getWidth())
      return staged.emitError()
             << "the copy has no width; add width(16), width(8) or width(4)";
    kz::tile::CpAsyncOp::create(b, staged.getLoc(), source, at, tile,
                                b.getI64IntegerAttr(stage.getWidth()), dims);
  }
  return success();
}

FailureOr<KernelEmitter::GridDim> KernelEmitter::getTrips(scf::ForOp loop) {
  std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> to = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> by = getConstantIntValue(loop.getStep());
  if (!from || !to || !by)
    return loop.emitError() << "the loop has bounds that are not constant";
  return GridDim{*from, *by, (*to - *from + *by - 1) / *by};
}

Value KernelEmitter::emitMma(ValueRange slot, Value acc) {
  auto tileOf = [&](int64_t operand) {
    auto staged =
        contraction->getOperand(operand).getDefiningOp<kz::StagedOp>();
    return slot[std::distance(ringTiles.begin(),
                              llvm::find(ringTiles, staged))];
  };
  // B is K x N, or N x K where its map says so.
  linalg::ContractionDimensions kinds =
      *linalg::inferContractionDims(contraction);
  AffineMap rhs =
      contraction.getMatchingIndexingMap(contraction.getDpsInputOperand(1));
  auto lastDim = dyn_cast<AffineDimExpr>(rhs.getResults().back());
  bool transposed = lastDim && lastDim.getPosition() == kinds.k[0];
  return kz::tile::MmaOp::create(
      b, contraction.getLoc(), acc.getType(), tileOf(0), tileOf(1), acc,
      contraction->getAttrOfType<kz::MmaAttr>(kz::kMma),
      transposed ? b.getUnitAttr() : UnitAttr());
}

LogicalResult KernelEmitter::emitRoledLoop(Role role) {
  Location loc = loop.getLoc();
  FailureOr<GridDim> trips = getTrips(loop);
  if (failed(trips))
    return failure();
  Value upper = index(trips->lower + trips->trips * trips->step);
  Value step = index(trips->step), one = index(1);
  if (role == Role::Producer) {
    auto fill = scf::ForOp::create(b, loc, index(trips->lower), upper, step,
                                   ValueRange(use));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(fill.getBody());
    scalars.map(loop.getInductionVar(), fill.getInductionVar());
    auto slot =
        kz::tile::ProduceOp::create(b, loc, ring, fill.getRegionIterArg(0));
    if (failed(emitCopies(slot.getResults())))
      return failure();
    Value next = arith::AddIOp::create(b, loc, fill.getRegionIterArg(0), one);
    scf::YieldOp::create(b, loc, next);
    use = fill.getResult(0);
    return success();
  }
  // The first trip starts the accumulators, so it stands before the loop.
  FailureOr<Value> init = getTile(loop.getInitArgs().front());
  if (failed(init))
    return failure();
  auto firstSlot = kz::tile::ConsumeOp::create(b, loc, ring, use);
  Value acc = emitMma(firstSlot.getResults(), *init);
  use = arith::AddIOp::create(b, loc, use, one);
  auto sum = scf::ForOp::create(b, loc, index(trips->lower + trips->step),
                                upper, step, ValueRange{use, acc});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(sum.getBody());
    Value current = sum.getRegionIterArg(0);
    auto slot = kz::tile::ConsumeOp::create(b, loc, ring, current);
    Value next = emitMma(slot.getResults(), sum.getRegionIterArg(1));
    next = kz::tile::MmaWaitOp::create(b, loc, next.getType(), next,
                                       b.getI64IntegerAttr(1));
    kz::tile::ReleaseOp::create(b, loc, ring,
                                arith::SubIOp::create(b, loc, current, one));
    scf::YieldOp::create(
        b, loc, ValueRange{arith::AddIOp::create(b, loc, current, one), next});
  }
  use = sum.getResult(0);
  acc = kz::tile::MmaWaitOp::create(b, loc, acc.getType(), sum.getResult(1),
                                    b.getI64IntegerAttr(0));
  kz::tile::ReleaseOp::create(b, loc, ring,
                              arith::SubIOp::create(b, loc, use, one));
  tiles[loop.getResult(0)] = acc;
  return success();
}

LogicalResult KernelEmitter::emitPipelinedLoop() {
  Location loc = loop.getLoc();
  FailureOr<GridDim> trips = getTrips(loop);
  if (failed(trips))
    return failure();
  FailureOr<Value> init = getTile(loop.getInitArgs().front());
  if (failed(init))
    return failure();
  // A slot is filled `ahead` trips before it is used.
  int64_t ahead = stages - 1;
  auto copyTrip = [&](Value trip) {
    Value k = arith::MulIOp::create(b, loc, trip, index(trips->step));
    if (trips->lower)
      k = arith::AddIOp::create(b, loc, k, index(trips->lower));
    scalars.map(loop.getInductionVar(), k);
    auto slot = kz::tile::SlotOp::create(b, loc, ring, trip);
    return emitCopies(slot.getResults());
  };
  for (int64_t trip = 0; trip < ahead; ++trip) {
    if (trip < trips->trips && failed(copyTrip(index(trip))))
      return failure();
    kz::tile::CpAsyncCommitOp::create(b, loc);
  }
  auto sum = scf::ForOp::create(b, loc, index(0), index(trips->trips), index(1),
                                ValueRange(*init));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(sum.getBody());
    Value trip = sum.getInductionVar();
    if (ahead > 0) {
      kz::tile::CpAsyncWaitOp::create(b, loc, b.getI64IntegerAttr(ahead - 1));
      kz::tile::BarrierOp::create(b, loc);
    } else {
      kz::tile::BarrierOp::create(b, loc);
    }
    Value next =
        ahead ? arith::AddIOp::create(b, loc, trip, index(ahead)).getResult()
              : trip;
    if (ahead) {
      Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         next, index(trips->trips));
      auto ifMore = scf::IfOp::create(b, loc, more, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard inner(b);
      b.setInsertionPointToStart(ifMore.thenBlock());
      if (failed(copyTrip(next)))
        return failure();
    } else if (failed(copyTrip(next))) {
      return failure();
    }
    kz::tile::CpAsyncCommitOp::create(b, loc);
    if (!ahead) {
      kz::tile::CpAsyncWaitOp::create(b, loc, b.getI64IntegerAttr(0));
      kz::tile::BarrierOp::create(b, loc);
    }
    auto slot = kz::tile::SlotOp::create(b, loc, ring, trip);
    Value acc = emitMma(slot.getResults(), sum.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, acc);
  }
  tiles[loop.getResult(0)] = sum.getResult(0);
  return success();
}
