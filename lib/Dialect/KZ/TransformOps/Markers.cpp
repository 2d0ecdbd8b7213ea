//===- Markers.cpp - schedule steps that mark L1 --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"

using namespace mlir;

namespace kernelzero::kz {

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// The effects of a step that reads its handles and marks the payload.
static void marksPayload(MutableOperandRange operands, Effects &effects) {
  transform::onlyReadsHandle(operands, effects);
  transform::modifiesPayload(effects);
}

static MutableOperandRange allOperands(Operation *op) {
  return MutableOperandRange(op, 0, op->getNumOperands());
}

//===----------------------------------------------------------------------===//
// PipelineOp
//===----------------------------------------------------------------------===//

void PipelineOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
PipelineOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  scf::ForOp loop;
  if (auto diag = getPayload(state, *this, getLoop(), "the pipelined loop",
                             "a sequential loop", loop);
      !diag.succeeded())
    return diag;
  int64_t stages = 0;
  if (auto diag = resolveChoice(state, *this, "stages", getStages(),
                                getStaticStagesAttr(), stages);
      !diag.succeeded())
    return diag;
  if (stages < 1)
    return emitSilenceableError()
           << "stages " << stages << " is out of range; at least 1";
  SmallVector<StagedOp> tiles;
  for (auto [index, handle] : llvm::enumerate(getRing())) {
    StagedOp tile;
    if (auto diag = getPayload(state, *this, handle, "a tile of the ring",
                               "a staged tile", tile);
        !diag.succeeded())
      return diag;
    if (tile.getStage().getSpace() != Space::Shared)
      return emitSilenceableError()
             << "tile " << index << " of the ring is staged in "
             << stringifySpace(tile.getStage().getSpace())
             << "; a ring is of tiles in shared memory";
    if (!loop->isProperAncestor(tile))
      return emitSilenceableError() << "tile " << index
                                    << " of the ring is staged outside of the "
                                       "loop; stage it after the loop is made";
    tiles.push_back(tile);
  }
  for (StagedOp tile : tiles)
    rewriter.modifyOpInPlace(tile, [&] { tile.setRing(0); });
  rewriter.modifyOpInPlace(loop, [&] {
    loop->setAttr(kPipeline, PipelineAttr::get(getContext(), stages));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// TileWarpsOp
//===----------------------------------------------------------------------===//

void TileWarpsOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
TileWarpsOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the tile",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  SmallVector<int64_t> counts;
  if (auto diag = resolveList(state, *this, "counts", getCounts(),
                              getStaticCounts(), counts);
      !diag.succeeded())
    return diag;
  // Batch dimensions of a tile are of size 1, so M and N are the last two.
  SmallVector<int64_t> sizes;
  for (auto [size, iterator] : llvm::zip_equal(target.getStaticLoopRanges(),
                                               target.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator))
      sizes.push_back(size);
  if (counts.size() > sizes.size())
    return emitSilenceableError() << counts.size() << " counts for a tile of "
                                  << sizes.size() << " parallel dimensions";
  ArrayRef<int64_t> last = ArrayRef(sizes).take_back(counts.size());
  for (auto [count, size] : llvm::zip_equal(counts, last)) {
    if (count < 1)
      return emitSilenceableError()
             << "count " << count << " is out of range; at least 1";
    if (!ShapedType::isDynamic(size) && size % count)
      return emitSilenceableError()
             << "count " << count << " does not divide the tile's " << size;
  }
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(kWarps,
                    WarpsAttr::get(getContext(), getWarpgroups(), counts));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// TileThreadsOp
//===----------------------------------------------------------------------===//

void TileThreadsOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
TileThreadsOp::apply(transform::TransformRewriter &rewriter,
                     transform::TransformResults &results,
                     transform::TransformState &state) {
  scf::ForallOp grid;
  if (auto diag = getPayload(state, *this, getGrid(), "the grid",
                             "the loop that tile_grid returns", grid);
      !diag.succeeded())
    return diag;
  int64_t threads = 0, vector = 0;
  if (auto diag = resolveChoice(state, *this, "threads", getThreads(),
                                getStaticThreadsAttr(), threads);
      !diag.succeeded())
    return diag;
  if (auto diag = resolveChoice(state, *this, "vector", getVector(),
                                getStaticVectorAttr(), vector);
      !diag.succeeded())
    return diag;
  if (threads % 32 || threads < 32 || threads > 1024)
    return emitSilenceableError()
           << "threads " << threads << " is not a multiple of 32 in 32..1024";
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emitSilenceableError()
           << "vector " << vector << " is not a power of two in 1..16";
  // Dimensions of the tile are the loops of its operations, summed ones too.
  int64_t rank = 0;
  grid->walk([&](linalg::LinalgOp op) {
    rank = std::max<int64_t>(rank, op.getNumLoops());
  });
  if (static_cast<int64_t>(getDim()) >= rank)
    return emitSilenceableError()
           << "dim " << getDim() << " is out of range; the tile has " << rank
           << " dimensions";
  rewriter.modifyOpInPlace(grid, [&] {
    grid->setAttr(kThreads,
                  ThreadsAttr::get(getContext(), getDim(), threads, vector));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// MmaOp
//===----------------------------------------------------------------------===//

void MmaOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure MmaOp::apply(transform::TransformRewriter &rewriter,
                                         transform::TransformResults &results,
                                         transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the tile",
                             "a contraction", target);
      !diag.succeeded())
    return diag;
  if (!linalg::isaContractionOpInterface(target))
    return emitSilenceableError()
           << "'" << target->getName()
           << "' multiplies and adds nothing; a contraction is needed";
  SmallVector<int64_t> shape;
  if (auto diag = resolveList(state, *this, "shape", getShape(),
                              getStaticShape(), shape);
      !diag.succeeded())
    return diag;
  Type operand = getElementTypeOrSelf(target->getOperand(0).getType());
  if (!operand.isF16() && !operand.isBF16())
    return emitSilenceableError() << getKind() << " takes no operands of "
                                  << operand << "; accepted are f16, bf16";
  if (!getAcc().isF32())
    return emitSilenceableError()
           << "acc " << getAcc()
           << " is narrower than the task's sums; accepted is f32";
  if (getKind() == "mma_sync") {
    if (ArrayRef(shape) != ArrayRef<int64_t>{16, 8, 16})
      return emitSilenceableError()
             << "mma_sync has no shape [" << shape[0] << ", " << shape[1]
             << ", " << shape[2] << "]; accepted is [16, 8, 16]";
  } else if (shape[0] != 64 || shape[2] != 16 || shape[1] < 8 ||
             shape[1] > 256 || shape[1] % 8) {
    return emitSilenceableError()
           << "wgmma has no shape [" << shape[0] << ", " << shape[1] << ", "
           << shape[2]
           << "]; accepted is [64, n, 16] with n a multiple of 8 in 8..256";
  }
  MmaKind kind = *symbolizeMmaKind(getKind());
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(kMma, MmaAttr::get(getContext(), kind, shape, getAcc()));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// WarpSpecializeOp
//===----------------------------------------------------------------------===//

void WarpSpecializeOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
WarpSpecializeOp::apply(transform::TransformRewriter &rewriter,
                        transform::TransformResults &results,
                        transform::TransformState &state) {
  scf::ForOp loop;
  if (auto diag = getPayload(state, *this, getLoop(), "the specialised loop",
                             "a sequential loop", loop);
      !diag.succeeded())
    return diag;
  if (!loop->hasAttr(kPipeline))
    return emitSilenceableError() << "the loop has no ring to specialise; put "
                                     "transform.kz.pipeline before it";
  SmallVector<int64_t> registers;
  if (auto diag = resolveList(state, *this, "registers", getRegisters(),
                              getStaticRegisters(), registers);
      !diag.succeeded())
    return diag;
  for (int64_t count : registers)
    if (count % 8 || count < 24 || count > 256)
      return emitSilenceableError()
             << "registers " << count << " is not a multiple of 8 in 24..256";
  rewriter.modifyOpInPlace(loop, [&] {
    loop->setAttr(kRoles, RolesAttr::get(getContext(), getProducers(),
                                         registers[0], registers[1]));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

void ReduceOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
ReduceOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the reduction",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  if (target.getNumReductionLoops() == 0)
    return emitSilenceableError()
           << "'" << target->getName() << "' reduces no dimension";
  SmallVector<CombineStep> steps;
  for (Attribute step : getSteps())
    steps.push_back(*symbolizeCombineStep(cast<StringAttr>(step).getValue()));
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(kReduce, ReduceAttr::get(getContext(), steps));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// MathOp
//===----------------------------------------------------------------------===//

void MathOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

/// Whether `op` evaluates `function`; an `exp` is an `exp2`.
static bool evaluates(Operation *op, StringRef function) {
  return op
      ->walk([&](Operation *inner) {
        bool found =
            (function == "exp2" && isa<math::ExpOp, math::Exp2Op>(inner)) ||
            (function == "erf" && isa<math::ErfOp>(inner)) ||
            (function == "tanh" && isa<math::TanhOp>(inner));
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

DiagnosedSilenceableFailure
MathOp::apply(transform::TransformRewriter &rewriter,
              transform::TransformResults &results,
              transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the operation",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  std::string function;
  int64_t ulp = 0;
  if (auto diag = resolveWord(state, *this, "math", getFunction(),
                              getStaticFunctionAttr(), function);
      !diag.succeeded())
    return diag;
  if (auto diag =
          resolveChoice(state, *this, "ulp", getUlp(), getStaticUlpAttr(), ulp);
      !diag.succeeded())
    return diag;
  if (!evaluates(target, function))
    return emitSilenceableError()
           << "'" << target->getName() << "' evaluates no " << function;
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(
        kMath, MathAttr::get(getContext(),
                             StringAttr::get(getContext(), function), ulp));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// EpilogueOp
//===----------------------------------------------------------------------===//

void EpilogueOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

/// The contraction whose accumulators `value` holds, seen through the loops
/// that sum it up.
static linalg::LinalgOp findContraction(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto result = cast<OpResult>(value);
      value = loop.getYieldedValues()[result.getResultNumber()];
      continue;
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      value = insert.getSource();
      continue;
    }
    auto contraction = dyn_cast<linalg::LinalgOp>(op);
    if (contraction && linalg::isaContractionOpInterface(contraction))
      return contraction;
    return nullptr;
  }
  return nullptr;
}

DiagnosedSilenceableFailure
EpilogueOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the epilogue",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  if (target.getNumParallelLoops() != target.getNumLoops())
    return emitSilenceableError()
           << "'" << target->getName() << "' sums; an epilogue is elementwise";
  bool reads = llvm::any_of(target.getDpsInputs(), [](Value value) {
    return findContraction(value) != nullptr;
  });
  if (!reads)
    return emitSilenceableError() << "the epilogue does not read the result of "
                                     "a contraction in its grid";
  rewriter.modifyOpInPlace(
      target, [&] { target->setAttr(kEpilogue, UnitAttr::get(getContext())); });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// VectorizeOp
//===----------------------------------------------------------------------===//

void VectorizeOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
VectorizeOp::apply(transform::TransformRewriter &rewriter,
                   transform::TransformResults &results,
                   transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the tile",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  int64_t lanes = 0, interleave = 1;
  if (auto diag = resolveChoice(state, *this, "lanes", getLanes(),
                                getStaticLanesAttr(), lanes);
      !diag.succeeded())
    return diag;
  if (getInterleave() || getStaticInterleave())
    if (auto diag = resolveChoice(state, *this, "interleave", getInterleave(),
                                  getStaticInterleaveAttr(), interleave);
        !diag.succeeded())
      return diag;
  if (lanes < 1 || !llvm::isPowerOf2_64(lanes))
    return emitSilenceableError()
           << "lanes " << lanes << " is not a power of two";
  if (interleave < 1 || !llvm::isPowerOf2_64(interleave))
    return emitSilenceableError()
           << "interleave " << interleave << " is not a power of two";
  bool registers = getAccumulate() == StringRef("registers");
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(kVectorize, VectorizeAttr::get(getContext(), lanes,
                                                   interleave, registers));
  });
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// UnrollOp
//===----------------------------------------------------------------------===//

void UnrollOp::getEffects(Effects &effects) {
  marksPayload(allOperands(*this), effects);
}

DiagnosedSilenceableFailure
UnrollOp::apply(transform::TransformRewriter &rewriter,
                transform::TransformResults &results,
                transform::TransformState &state) {
  scf::ForOp loop;
  if (auto diag = getPayload(state, *this, getLoop(), "the loop",
                             "a sequential loop", loop);
      !diag.succeeded())
    return diag;
  int64_t factor = 0;
  if (auto diag = resolveChoice(state, *this, "factor", getFactor(),
                                getStaticFactorAttr(), factor);
      !diag.succeeded())
    return diag;
  if (factor < 1 || factor > 64)
    return emitSilenceableError()
           << "factor " << factor << " is out of range; 1..64";
  rewriter.modifyOpInPlace(loop, [&] {
    loop->setAttr(kUnroll, Builder(getContext()).getI64IntegerAttr(factor));
  });
  return DiagnosedSilenceableFailure::success();
}

} // namespace kernelzero::kz
