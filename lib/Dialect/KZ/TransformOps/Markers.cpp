//===- Markers.cpp - schedule steps that mark L1 --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"
#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
#include "Rules.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

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
  if (Complaint why = checkAtLeast("stages", stages, 1, 64))
    return emitSilenceableError() << *why;
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
  if (Complaint why = checkWarps(counts))
    return emitSilenceableError() << *why;
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
  for (auto [count, size] : llvm::zip_equal(counts, last))
    if (!ShapedType::isDynamic(size) && size % count)
      return emitSilenceableError()
             << "count " << count << " does not divide the tile's " << size;
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
  if (Complaint why = checkThreads(threads))
    return emitSilenceableError() << *why;
  if (Complaint why = checkVector(vector))
    return emitSilenceableError() << *why;
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
  Type right = getElementTypeOrSelf(target->getOperand(1).getType());
  Type sum = getElementTypeOrSelf(target->getResult(0).getType());
  bool fma = getKind() == "fma";
  if (!fma && !operand.isF16() && !operand.isBF16())
    return emitSilenceableError()
           << getKind() << " takes no operands of " << operand
           << "; accepted are f16, bf16, and fma for all types";
  if (!fma && right != operand)
    return emitSilenceableError()
           << getKind() << " takes operands of one type, these are " << operand
           << " and " << right;
  if (fma && getAcc() != sum)
    return emitSilenceableError()
           << "acc " << getAcc() << " is not the task's own; accepted is "
           << sum;
  if (!fma && !getAcc().isF32())
    return emitSilenceableError()
           << "acc " << getAcc()
           << " is narrower than the task's sums; accepted is f32";
  if (Complaint why = checkMmaShape(getKind(), shape))
    return emitSilenceableError() << *why;
  // Of a ragged tile the sizes are not known here. Others are whole for wgmma;
  // for the other kinds they are filled up.
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(target);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return emitSilenceableError()
           << "'" << target->getName() << "' has not all of M, N and K";
  SmallVector<int64_t> ranges = target.getStaticLoopRanges();
  for (auto [name, dim, size] :
       {std::tuple<StringRef, unsigned, int64_t>{"M", dims->m.back(), shape[0]},
        {"N", dims->n.back(), shape[1]},
        {"K", dims->k.back(), shape[2]}})
    if (getKind() == "wgmma" && !ShapedType::isDynamic(ranges[dim]) &&
        ranges[dim] % size)
      return emitSilenceableError()
             << "the tile's " << name << " of " << ranges[dim]
             << " is not a multiple of the instruction's " << size;
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
  if (Complaint why = checkRegisters(registers))
    return emitSilenceableError() << *why;
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

/// The functions with forms of our own that `op` evaluates, in the order of the
/// table.
static SmallVector<StringRef> findFunctions(Operation *op) {
  SmallVector<StringRef> found;
  for (StringRef function : getMathFunctions())
    op->walk([&](Operation *inner) {
      if (!evaluatesMath(inner, function))
        return WalkResult::advance();
      found.push_back(function);
      return WalkResult::interrupt();
    });
  return found;
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
  if (std::optional<std::string> why = explainUnknownForm(function, ulp))
    return emitSilenceableError() << *why;
  SmallVector<StringRef> functions = findFunctions(target);
  if (!llvm::is_contained(functions, function)) {
    auto diag = emitSilenceableError()
                << "'" << target->getName() << "' evaluates no " << function
                << "; it evaluates ";
    if (functions.empty())
      diag << "none of " << llvm::join(getMathFunctions(), ", ");
    else
      diag << llvm::join(functions, ", ");
    return diag;
  }
  // One choice a function; a later step replaces an earlier one.
  auto choice =
      MathAttr::get(getContext(), StringAttr::get(getContext(), function), ulp);
  SmallVector<Attribute> choices;
  Attribute earlier = target->getAttr(kMath);
  if (auto list = dyn_cast_or_null<ArrayAttr>(earlier))
    llvm::append_range(choices, list);
  else if (earlier)
    choices.push_back(earlier);
  llvm::erase_if(choices, [&](Attribute attr) {
    return cast<MathAttr>(attr).getFunction() == choice.getFunction();
  });
  choices.push_back(choice);
  rewriter.modifyOpInPlace(target, [&] {
    target->setAttr(kMath,
                    choices.size() == 1
                        ? choice
                        : Attribute(ArrayAttr::get(getContext(), choices)));
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
  // Of the contraction, or of what is an epilogue of it already.
  bool reads = llvm::any_of(target.getDpsInputs(), [](Value value) {
    while (auto staged = value.getDefiningOp<StagedOp>())
      value = staged.getSource();
    Operation *producer = value.getDefiningOp();
    return findContraction(value) != nullptr ||
           (producer && producer->hasAttr(kEpilogue));
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
  if (Complaint why = checkPowerOfTwo("lanes", lanes))
    return emitSilenceableError() << *why;
  if (Complaint why = checkPowerOfTwo("interleave", interleave))
    return emitSilenceableError() << *why;
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
  if (Complaint why = checkUnroll(factor))
    return emitSilenceableError() << *why;
  rewriter.modifyOpInPlace(loop, [&] {
    loop->setAttr(kUnroll, Builder(getContext()).getI64IntegerAttr(factor));
  });
  return DiagnosedSilenceableFailure::success();
}

} // namespace kernelzero::kz
