//===- Tiling.cpp - schedule steps that find, tile and fuse ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"
#include "Rules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace kernelzero::kz {

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Whether `op` computes something that a schedule has to place: a Linalg
/// operation other than the fill of an initial value.
static bool isComputing(Operation *op) {
  return isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op);
}

//===----------------------------------------------------------------------===//
// BodyOp
//===----------------------------------------------------------------------===//

void BodyOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  for (OpResult op : getOps())
    setName(op, "op");
}

// Only looks: MLIR wants a write effect on the payload from an op that consumes
// a handle, and warns of an argument marked consumed that nothing consumes. So
// the sequences declare their task `transform.readonly`.
void BodyOp::getEffects(Effects &effects) {
  transform::onlyReadsHandle(getTaskMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure BodyOp::apply(transform::TransformRewriter &,
                                          transform::TransformResults &results,
                                          transform::TransformState &state) {
  func::FuncOp task;
  if (auto diag =
          getPayload(state, *this, getTask(), "the task", "a function", task);
      !diag.succeeded())
    return diag;
  SmallVector<Operation *> ops;
  task.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isComputing(op))
      return WalkResult::advance();
    ops.push_back(op);
    return WalkResult::skip();
  });
  if (ops.size() != getOps().size()) {
    auto diag = emitSilenceableError()
                << "the task has " << ops.size()
                << " computing operations, the schedule names "
                << getOps().size();
    for (Operation *op : ops)
      diag.attachNote(op->getLoc()) << "'" << op->getName() << "'";
    return diag;
  }
  for (auto [result, op] : llvm::zip_equal(getOperation()->getOpResults(), ops))
    results.set(result, {op});
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Tiling, shared by TileGridOp and TileLoopOp
//===----------------------------------------------------------------------===//

/// Loop dimensions of `op` of one kind, in order.
static SmallVector<unsigned> getLoopDims(linalg::LinalgOp op, bool reduction) {
  SmallVector<unsigned> dims;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(iterator) == reduction)
      dims.push_back(dim);
  return dims;
}

/// Spreads the sizes of a step over the loop dimensions of `op`: one entry a
/// loop, 0 where it is left whole.
static DiagnosedSilenceableFailure
spreadSizes(Operation *step, linalg::LinalgOp op, ArrayRef<int64_t> sizes,
            bool reduction, SmallVectorImpl<int64_t> &spread) {
  SmallVector<unsigned> dims = getLoopDims(op, reduction);
  StringRef kind = reduction ? "summed" : "parallel";
  if (sizes.size() > dims.size()) {
    auto diag = emitSilenceableFailure(step->getLoc())
                << sizes.size() << " sizes are given, '" << op->getName()
                << "' has " << dims.size() << " " << kind << " dimensions";
    diag.attachNote(op->getLoc()) << "payload op";
    return diag;
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [dim, range] : llvm::enumerate(ranges))
    if (range == 0)
      return emitSilenceableFailure(step->getLoc())
             << "dimension " << dim << " of '" << op->getName()
             << "' has size 0; at least 1 is needed";
  spread.assign(op.getNumLoops(), 0);
  for (auto [index, size] : llvm::enumerate(sizes)) {
    int64_t range = ranges[dims[index]];
    if (size < 0)
      return emitSilenceableFailure(step->getLoc())
             << "tile size " << size
             << " is negative; 0 leaves a dimension whole";
    if (!ShapedType::isDynamic(range) && size > range)
      return emitSilenceableFailure(step->getLoc())
             << "tile size " << size << " of " << kind << " dimension " << index
             << " is larger than the dimension, " << range;
    spread[dims[index]] = size;
  }
  return DiagnosedSilenceableFailure::success();
}

/// Loop dimension of `consumer` for every loop dimension of `producer`, or
/// nothing where the consumer does not read the producer's result by a
/// projection of its loops. Dimensions that the result lacks are -1.
static std::optional<SmallVector<int64_t>> mapLoops(linalg::LinalgOp producer,
                                                    linalg::LinalgOp consumer) {
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    if (input->get().getDefiningOp() != producer)
      continue;
    auto result = cast<OpResult>(input->get());
    AffineMap read = consumer.getMatchingIndexingMap(input);
    AffineMap written = producer.getIndexingMapMatchingResult(result);
    if (!read.isProjectedPermutation() || !written.isProjectedPermutation())
      continue;
    SmallVector<int64_t> map(producer.getNumLoops(), -1);
    for (unsigned position = 0; position < written.getNumResults(); ++position)
      map[written.getDimPosition(position)] = read.getDimPosition(position);
    return map;
  }
  return std::nullopt;
}

/// Slices of the results of `producer` inside `loop`.
static SmallVector<tensor::ExtractSliceOp> findSlices(Operation *producer,
                                                      Operation *loop) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (Operation *user : producer->getUsers())
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
        slice && loop->isProperAncestor(slice))
      slices.push_back(slice);
  return slices;
}

void simplify(RewriterBase &rewriter, Operation *op) {
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, op);
}

/// Reads `value` inside of the innermost of `loops` through a slice of all of
/// it: a tile as large as the value has none, and fusing goes by slices.
static void sliceWhole(RewriterBase &rewriter, Value value,
                       ArrayRef<LoopLikeOpInterface> loops) {
  Operation *inner = loops.back();
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (inner->isProperAncestor(use.getOwner()))
      uses.push_back(&use);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (uses.empty() || !type || !type.hasStaticShape())
    return;
  rewriter.setInsertionPointToStart(&inner->getRegion(0).front());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
  auto slice = tensor::ExtractSliceOp::create(
      rewriter, value.getLoc(), value, offsets,
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()), strides);
  for (OpOperand *use : uses)
    rewriter.modifyOpInPlace(use->getOwner(),
                             [&, use = use] { use->set(slice); });
}

/// Computes `producer` inside the innermost of `loops`, where its result is
/// read, and returns the tile; nothing where it is not read there by slices.
static Operation *fuseProducer(RewriterBase &rewriter, Operation *producer,
                               SmallVectorImpl<LoopLikeOpInterface> &loops) {
  simplify(rewriter, loops.front());
  if (findSlices(producer, loops.front()).empty())
    sliceWhole(rewriter, producer->getResult(0), loops);
  SmallVector<tensor::ExtractSliceOp> slices =
      findSlices(producer, loops.front());
  if (slices.size() != 1)
    return nullptr;
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      scf::tileAndFuseProducerOfSlice(rewriter, slices.front(), loops);
  if (!fused || fused->tiledOps.empty())
    return nullptr;
  Operation *tile = fused->tiledOps.front();
  rewriter.replaceAllUsesWith(slices.front().getResult(),
                              fused->tiledAndFusedProducer);
  rewriter.eraseOp(slices.front());
  // A tile of everything is the same operation: the original must not be there
  // when common subexpressions are looked for.
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return tile;
}

/// Fuses the fills that initialise `op`, so that sums start where they are
/// used, and shrinks empty tensors to their tiles.
static void fuseInitialValues(RewriterBase &rewriter, Operation *op,
                              SmallVectorImpl<LoopLikeOpInterface> &loops) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return;
  for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
    if (auto fill = init.get().getDefiningOp<linalg::FillOp>();
        fill && !loops.back()->isProperAncestor(fill))
      sliceWhole(rewriter, init.get(), loops);
    auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice)
      continue;
    // The fill may sit behind the destination that the loops carry.
    Value source = slice.getSource();
    while (auto argument = dyn_cast<BlockArgument>(source)) {
      auto loop =
          dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
      OpOperand *carried = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!carried)
        break;
      source = carried->get();
    }
    if (!source.getDefiningOp<linalg::FillOp>())
      continue;
    std::optional<scf::SCFFuseProducerOfSliceResult> fused =
        scf::tileAndFuseProducerOfSlice(rewriter, slice, loops);
    if (!fused)
      continue;
    rewriter.replaceAllUsesWith(slice.getResult(),
                                fused->tiledAndFusedProducer);
    rewriter.eraseOp(slice);
    if (Operation *fill = source.getDefiningOp(); fill->use_empty())
      rewriter.eraseOp(fill);
  }
}

/// The size of dimension `dim` of `tensor`, followed through what keeps sizes:
/// loops, destinations, markers. Null where it is not found.
static OpFoldResult findSize(RewriterBase &rewriter, Value tensor,
                             int64_t dim) {
  while (true) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!type.isDynamicDim(dim))
      return rewriter.getIndexAttr(type.getDimSize(dim));
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      auto loop =
          dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!init)
        return {};
      tensor = init->get();
      continue;
    }
    auto result = cast<OpResult>(tensor);
    Operation *op = result.getOwner();
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      OpOperand *init = loop.getTiedLoopInit(result);
      if (!init)
        return {};
      tensor = init->get();
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      tensor = linalgOp.getTiedOpOperand(result)->get();
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      tensor = insert.getDest();
    } else if (auto staged = dyn_cast<StagedOp>(op)) {
      tensor = staged.getSource();
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getType().getRank() != slice.getSourceType().getRank())
        return {};
      return slice.getMixedSizes()[dim];
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      return empty.getMixedSizes()[dim];
    } else {
      return {};
    }
  }
}

/// Whether a slice at `offsets` of `sizes` is all of `tensor`.
static bool isWhole(RewriterBase &rewriter, Value tensor,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
  return llvm::all_of(llvm::enumerate(offsets), [&](auto offset) {
    OpFoldResult size = findSize(rewriter, tensor, offset.index());
    return isZeroInteger(offset.value()) && size &&
           isEqualConstantIntOrValue(size, sizes[offset.index()]);
  });
}

/// Folds sizes of tiles, slices of empty tensors and slices of everything, and
/// erases what nothing reads any more.
static void cleanUp(RewriterBase &rewriter, Operation *task) {
  // The size of a ragged tile must not keep alive what computes the tile.
  SmallVector<tensor::DimOp> dims;
  task->walk([&](tensor::DimOp dim) { dims.push_back(dim); });
  for (tensor::DimOp dim : dims) {
    std::optional<int64_t> index = dim.getConstantIndex();
    OpFoldResult size;
    if (!index || !(size = findSize(rewriter, dim.getSource(), *index)))
      continue;
    rewriter.setInsertionPoint(dim);
    rewriter.replaceOp(
        dim, getValueOrCreateConstantIndexOp(rewriter, dim.getLoc(), size));
  }
  simplify(rewriter, task);
  SmallVector<tensor::ExtractSliceOp> slices;
  task->walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  for (tensor::ExtractSliceOp slice : slices) {
    if (slice.getType() == slice.getSourceType() &&
        isWhole(rewriter, slice.getSource(), slice.getMixedOffsets(),
                slice.getMixedSizes())) {
      rewriter.replaceOp(slice, slice.getSource());
      continue;
    }
    if (!slice.getSource().getDefiningOp<tensor::EmptyOp>() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      continue;
    rewriter.setInsertionPoint(slice);
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
        slice, slice.getMixedSizes(), slice.getType().getElementType());
  }
  SmallVector<tensor::InsertSliceOp> inserts;
  task->walk([&](tensor::InsertSliceOp insert) {
    if (insert.getSourceType() == insert.getDestType() &&
        isWhole(rewriter, insert.getDest(), insert.getMixedOffsets(),
                insert.getMixedSizes()))
      inserts.push_back(insert);
  });
  for (tensor::InsertSliceOp insert : inserts)
    rewriter.replaceOp(insert, insert.getSource());
  simplify(rewriter, task);
  // Users come after what they use, so one walk backwards finds all.
  SmallVector<Operation *> ops;
  task->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (op != task && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

/// The operations of a tiling step, in program order.
struct Group {
  linalg::LinalgOp target;
  SmallVector<linalg::LinalgOp> fused;
  /// Target and fused, last in the program first.
  SmallVector<linalg::LinalgOp> reversed;
};

static DiagnosedSilenceableFailure getGroup(transform::TransformState &state,
                                            Operation *step, Value target,
                                            ValueRange fused, Group &group) {
  if (auto diag = getPayload(state, step, target, "the target",
                             "a Linalg operation", group.target);
      !diag.succeeded())
    return diag;
  group.reversed.push_back(group.target);
  for (Value handle : fused) {
    linalg::LinalgOp op;
    if (auto diag = getPayload(state, step, handle, "an operation to fuse",
                               "a Linalg operation", op);
        !diag.succeeded())
      return diag;
    if (llvm::is_contained(group.reversed, op))
      return emitSilenceableFailure(step->getLoc())
             << "'" << op->getName() << "' is named twice";
    if (op->getBlock() != group.target->getBlock())
      return emitSilenceableFailure(step->getLoc())
             << "'" << op->getName() << "' is not beside the target";
    group.fused.push_back(op);
    group.reversed.push_back(op);
  }
  llvm::sort(group.reversed, [](linalg::LinalgOp a, linalg::LinalgOp b) {
    return b->isBeforeInBlock(a);
  });
  return DiagnosedSilenceableFailure::success();
}

/// Tiles the last operation of `group` by `sizes` of the target's loops and
/// fuses the others. `order` lists loops of the target from the outermost to
/// the innermost, or is empty. `tiles` holds, afterwards, the tile of each
/// operation in the order of `group.reversed`.
static DiagnosedSilenceableFailure
tileGroup(transform::TransformRewriter &rewriter, Operation *step, Group &group,
          ArrayRef<int64_t> sizes, ArrayRef<unsigned> order,
          scf::SCFTilingOptions options, SmallVectorImpl<Operation *> &tiles,
          SmallVectorImpl<LoopLikeOpInterface> &loops) {
  // Sizes of the root, followed from the target through the chain of reads.
  linalg::LinalgOp root = group.reversed.front();
  SmallVector<int64_t> rootSizes(sizes), rootOrder(order.begin(), order.end());
  if (root != group.target) {
    llvm::SmallDenseMap<Operation *, SmallVector<int64_t>> known, orders;
    known[group.target] = SmallVector<int64_t>(sizes);
    orders[group.target] = rootOrder;
    for (linalg::LinalgOp consumer : llvm::reverse(group.reversed)) {
      if (known.count(consumer))
        continue;
      for (linalg::LinalgOp producer : llvm::reverse(group.reversed)) {
        auto found = known.find(producer);
        std::optional<SmallVector<int64_t>> map;
        if (found == known.end() || !(map = mapLoops(producer, consumer)))
          continue;
        SmallVector<int64_t> consumed(consumer.getNumLoops(), 0);
        for (auto [dim, size] : llvm::enumerate(found->second)) {
          if (size && (*map)[dim] < 0)
            return emitSilenceableFailure(step->getLoc())
                   << "'" << consumer->getName() << "' needs dimension " << dim
                   << " of '" << producer->getName()
                   << "' whole; give it size 0";
          if ((*map)[dim] >= 0)
            consumed[(*map)[dim]] = size;
        }
        // Loops that the consumer lacks are not tiled, so the order of the
        // others says all.
        SmallVector<int64_t> ordered;
        for (int64_t dim : orders[producer])
          if ((*map)[dim] >= 0)
            ordered.push_back((*map)[dim]);
        known[consumer] = consumed;
        orders[consumer] = ordered;
        break;
      }
    }
    auto found = known.find(root);
    if (found == known.end()) {
      auto diag = emitSilenceableFailure(step->getLoc())
                  << "'" << root->getName()
                  << "' does not read what the step computes before it";
      diag.attachNote(root->getLoc()) << "payload op";
      return diag;
    }
    rootSizes = found->second;
    rootOrder = orders[root];
  }
  if (!rootOrder.empty()) {
    for (int64_t dim = 0; dim < root.getNumLoops(); ++dim)
      if (!llvm::is_contained(rootOrder, dim))
        rootOrder.push_back(dim);
    options.setInterchange(rootOrder);
  }
  for (auto [dim, iterator] : llvm::enumerate(root.getIteratorTypesArray()))
    if (root != group.target && rootSizes[dim] &&
        linalg::isReductionIterator(iterator))
      return emitSilenceableFailure(step->getLoc())
             << "'" << root->getName() << "' sums over dimension " << dim
             << ", which is tiled; give it size 0";

  // A loop over a summed dimension starts from its initial value once.
  bool sums = llvm::any_of(llvm::enumerate(rootSizes), [&](auto size) {
    return size.value() && linalg::isReductionIterator(
                               root.getIteratorTypesArray()[size.index()]);
  });

  options.setTileSizes(
      getAsIndexOpFoldResult(rewriter.getContext(), rootSizes));
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled) || tiled->loops.empty())
    return emitSilenceableFailure(step->getLoc())
           << "'" << root->getName() << "' cannot be tiled by these sizes";
  loops.assign(tiled->loops.begin(), tiled->loops.end());
  rewriter.replaceOp(root, tiled->replacements);
  tiles.push_back(tiled->tiledOps.front());
  if (!sums)
    fuseInitialValues(rewriter, tiles.back(), loops);
  for (linalg::LinalgOp producer : ArrayRef(group.reversed).drop_front()) {
    Operation *tile = fuseProducer(rewriter, producer, loops);
    if (!tile) {
      auto diag =
          emitSilenceableFailure(step->getLoc())
          << "'" << producer->getName()
          << "' is not read tile by tile in the loop; leave it out of fuse";
      diag.attachNote(producer->getLoc()) << "payload op";
      return diag;
    }
    tiles.push_back(tile);
    if (!sums)
      fuseInitialValues(rewriter, tile, loops);
  }
  return DiagnosedSilenceableFailure::success();
}

/// Sets the handles of a tiling step from the tiles in reversed order.
static void setTiles(transform::TransformResults &results, Group &group,
                     ArrayRef<linalg::LinalgOp> order,
                     ArrayRef<Operation *> tiles, OpResult target,
                     ResultRange fused) {
  auto tileOf = [&](linalg::LinalgOp op) {
    return tiles[std::distance(order.begin(), llvm::find(order, op))];
  };
  results.set(target, {tileOf(group.target)});
  for (auto [result, op] : llvm::zip_equal(fused, group.fused))
    results.set(result, {tileOf(op)});
}

//===----------------------------------------------------------------------===//
// TileGridOp
//===----------------------------------------------------------------------===//

void TileGridOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTiled(), "tiled");
  for (Value fused : getTiledFused())
    setName(fused, "fused");
  setName(getGrid(), "grid");
}

void TileGridOp::getEffects(Effects &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::consumesHandle(getFusedMutable(), effects);
  transform::onlyReadsHandle(getTileMutable(), effects);
  transform::onlyReadsHandle(getGroupMMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
TileGridOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Group group;
  if (auto diag = getGroup(state, *this, getTarget(), getFused(), group);
      !diag.succeeded())
    return diag;
  if (group.target->getParentOfType<scf::ForallOp>())
    return emitSilenceableError() << "the target is in a grid already; tile it "
                                     "further with transform.kz.tile_loop";
  SmallVector<int64_t> sizes, spread;
  int64_t groupM = 0;
  if (auto diag =
          resolveList(state, *this, "tile", getTile(), getStaticTile(), sizes);
      !diag.succeeded())
    return diag;
  if (auto diag = resolveChoice(state, *this, "raster group_m", getGroupM(),
                                getStaticGroupMAttr(), groupM);
      !diag.succeeded())
    return diag;
  if (Complaint why = checkAtLeast("raster group_m", groupM, 0))
    return emitSilenceableError() << *why;
  if (auto diag =
          spreadSizes(*this, group.target, sizes, /*reduction=*/false, spread);
      !diag.succeeded())
    return diag;
  if (llvm::all_of(spread, [](int64_t size) { return size == 0; }))
    return emitSilenceableError()
           << "every size is 0; a grid needs one dimension that is tiled";
  Operation *task = group.target->getParentOfType<func::FuncOp>();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  SmallVector<Operation *> tiles;
  SmallVector<LoopLikeOpInterface> loops;
  SmallVector<linalg::LinalgOp> order = group.reversed;
  if (auto diag = tileGroup(rewriter, *this, group, spread, /*order=*/{},
                            options, tiles, loops);
      !diag.succeeded())
    return diag;
  auto grid = cast<scf::ForallOp>(loops.front().getOperation());
  grid->setAttr(kGrid, GridAttr::get(getContext(), groupM, getPersistent()));
  setTiles(results, group, order, tiles, cast<OpResult>(getTiled()),
           getTiledFused());
  results.set(cast<OpResult>(getGrid()), {grid});
  cleanUp(rewriter, task);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// TileLoopOp
//===----------------------------------------------------------------------===//

void TileLoopOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getTiled(), "tiled");
  for (Value fused : getTiledFused())
    setName(fused, "fused");
  setName(getLoop(), "loop");
}

void TileLoopOp::getEffects(Effects &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::consumesHandle(getFusedMutable(), effects);
  transform::onlyReadsHandle(getTileMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
TileLoopOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Group group;
  if (auto diag = getGroup(state, *this, getTarget(), getFused(), group);
      !diag.succeeded())
    return diag;
  if (!group.target->getParentOfType<scf::ForallOp>())
    return emitSilenceableError() << "the target is in no grid; tile it with "
                                     "transform.kz.tile_grid first";
  SmallVector<int64_t> sizes, spread;
  if (auto diag =
          resolveList(state, *this, "tile", getTile(), getStaticTile(), sizes);
      !diag.succeeded())
    return diag;
  if (auto diag =
          spreadSizes(*this, group.target, sizes, getReduction(), spread);
      !diag.succeeded())
    return diag;
  if (llvm::all_of(spread, [](int64_t size) { return size == 0; }))
    return emitSilenceableError() << "every size is 0; nothing would be tiled";
  Operation *task = group.target->getParentOfType<func::FuncOp>();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForOp);
  SmallVector<unsigned> interchange;
  if (std::optional<ArrayRef<int64_t>> order = getOrder()) {
    SmallVector<unsigned> dims = getLoopDims(group.target, getReduction());
    for (int64_t position : *order)
      interchange.push_back(dims[position]);
  }
  SmallVector<Operation *> tiles;
  SmallVector<LoopLikeOpInterface> loops;
  SmallVector<linalg::LinalgOp> order = group.reversed;
  if (auto diag = tileGroup(rewriter, *this, group, spread, interchange,
                            options, tiles, loops);
      !diag.succeeded())
    return diag;
  setTiles(results, group, order, tiles, cast<OpResult>(getTiled()),
           getTiledFused());
  results.set(cast<OpResult>(getLoop()), {loops.front().getOperation()});
  cleanUp(rewriter, task);
  return DiagnosedSilenceableFailure::success();
}

} // namespace kernelzero::kz
