//===- Staging.cpp - the schedule step that stages a value ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"
#include "Rules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace kernelzero::kz {

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

//===----------------------------------------------------------------------===//
// StageOp
//===----------------------------------------------------------------------===//

void StageOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getStaged(), "staged");
}

void StageOp::getEffects(Effects &effects) {
  transform::onlyReadsHandle(MutableOperandRange(*this, 0, getNumOperands()),
                             effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
StageOp::apply(transform::TransformRewriter &rewriter,
               transform::TransformResults &results,
               transform::TransformState &state) {
  linalg::LinalgOp target;
  if (auto diag = getPayload(state, *this, getTarget(), "the target",
                             "a Linalg operation", target);
      !diag.succeeded())
    return diag;
  std::string copy;
  int64_t swizzle = 0, width = 0, panels = 0;
  SmallVector<int64_t> chunk;
  if (auto diag = resolveWord(state, *this, "copy", getCopy(),
                              getStaticCopyAttr(), copy);
      !diag.succeeded())
    return diag;
  for (auto [name, param, value, result] :
       {std::tuple<StringRef, Value, IntegerAttr, int64_t *>{
            "swizzle", getSwizzle(), getStaticSwizzleAttr(), &swizzle},
        {"width", getWidth(), getStaticWidthAttr(), &width},
        {"panels", getPanels(), getStaticPanelsAttr(), &panels}})
    if (auto diag = resolveChoice(state, *this, name, param, value, *result);
        !diag.succeeded())
      return diag;
  if (auto diag =
          resolveList(state, *this, "chunk", getChunk(),
                      getStaticChunk().value_or(ArrayRef<int64_t>()), chunk);
      !diag.succeeded())
    return diag;
  StageChoices choices;
  choices.value = getValue();
  choices.space = getSpace();
  choices.copy = copy;
  choices.swizzle = swizzle;
  choices.width = width;
  choices.panels = panels;
  choices.chunk = chunk;
  choices.before = static_cast<bool>(getBefore());
  if (Complaint why = checkStage(choices))
    return emitSilenceableError() << *why;
  CopyKind kind = copy.empty() ? CopyKind::Plain : *symbolizeCopyKind(copy);
  auto stage = StageAttr::get(getContext(), *symbolizeSpace(getSpace()), kind,
                              swizzle, width, panels, chunk);

  // The value, and the operand that is to read the staged form.
  int64_t index = getIndex();
  Value value;
  SmallVector<OpOperand *> uses;
  if (getValue() == "operand") {
    if (index < 0 || index >= target->getNumOperands()) {
      auto diag = emitSilenceableError()
                  << "operand index " << index
                  << " is out of range, payload has "
                  << target->getNumOperands() << " operands";
      diag.attachNote(target->getLoc()) << "payload op";
      return diag;
    }
    OpOperand *use = &target->getOpOperand(index);
    if (getBefore()) {
      LoopLikeOpInterface loop;
      if (auto diag =
              getPayload(state, *this, getBefore(), "before", "a loop", loop);
          !diag.succeeded())
        return diag;
      if (!loop->isProperAncestor(target))
        return emitSilenceableError()
               << "before names a loop that is not around the target";
      while (loop->isAncestor(use->get().getParentRegion()->getParentOp())) {
        auto slice = use->get().getDefiningOp<tensor::ExtractSliceOp>();
        if (!slice)
          return emitSilenceableError()
                 << "operand " << index
                 << " depends on the loop that it is to be staged before";
        use = &slice.getSourceMutable();
      }
      rewriter.setInsertionPoint(loop);
    } else {
      rewriter.setInsertionPoint(target);
    }
    value = use->get();
    uses.push_back(use);
  } else if (getValue() == "result") {
    if (index < 0 || index >= target->getNumResults())
      return emitSilenceableError()
             << "result index " << index << " is out of range, payload has "
             << target->getNumResults() << " results";
    value = target->getResult(index);
    rewriter.setInsertionPointAfter(target);
    for (OpOperand &use : value.getUses())
      uses.push_back(&use);
  } else {
    auto task = target->getParentOfType<func::FuncOp>();
    if (index < 0 || index >= task.getNumArguments())
      return emitSilenceableError() << "task_input index " << index
                                    << " is out of range, the task has "
                                    << task.getNumArguments() << " inputs";
    auto grid = target->getParentOfType<scf::ForallOp>();
    if (!grid)
      return emitSilenceableError() << "task_input is staged inside of a grid; "
                                       "tile with tile_grid first";
    simplify(rewriter, grid);
    // What the grid reads of the input: slices of it, or all of it.
    SmallVector<tensor::ExtractSliceOp> slices;
    SmallVector<OpOperand *> whole;
    for (OpOperand &use : task.getArgument(index).getUses()) {
      if (!grid->isProperAncestor(use.getOwner()))
        continue;
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
          slice && slice->getParentOp() == grid)
        slices.push_back(slice);
      else
        whole.push_back(&use);
    }
    if (slices.size() + !whole.empty() != 1)
      return emitSilenceableError()
             << "the grid reads task input " << index << " as "
             << slices.size() + !whole.empty()
             << " different tiles; exactly 1 can be staged";
    if (slices.empty()) {
      value = task.getArgument(index);
      rewriter.setInsertionPointToStart(grid.getBody());
      uses = whole;
    } else {
      value = slices.front().getResult();
      rewriter.setInsertionPointAfter(slices.front());
      for (OpOperand &use : value.getUses())
        uses.push_back(&use);
    }
  }
  auto staged = StagedOp::create(rewriter, target->getLoc(), value.getType(),
                                 value, stage, IntegerAttr());
  for (OpOperand *use : uses)
    rewriter.modifyOpInPlace(use->getOwner(),
                             [&, use = use] { use->set(staged); });
  results.set(cast<OpResult>(getStaged()), {staged});
  return DiagnosedSilenceableFailure::success();
}

} // namespace kernelzero::kz
