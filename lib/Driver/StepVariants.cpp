//===- StepVariants.cpp - a schedule without one of its steps -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/StepVariants.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

static transform::NamedSequenceOp getSequence(ModuleOp module) {
  return *module.getOps<transform::NamedSequenceOp>().begin();
}

static SmallVector<Operation *> getSteps(ModuleOp module) {
  SmallVector<Operation *> steps;
  for (Operation &op :
       getSequence(module).getBody().front().without_terminator())
    steps.push_back(&op);
  return steps;
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return text;
}

/// What stands for the results of a step that is left out: the operations that
/// it would have cut; null for what only it makes.
static SmallVector<Value> getStandIns(Operation *op) {
  SmallVector<Value> values(op->getNumResults());
  auto cut = [&](auto tiling) {
    values[0] = tiling.getTarget();
    for (auto [index, fused] : llvm::enumerate(tiling.getFused()))
      values[index + 1] = fused;
  };
  llvm::TypeSwitch<Operation *>(op).Case<kz::TileGridOp, kz::TileLoopOp>(cut);
  return values;
}

/// Erases `op` and the steps that need what it alone makes; how many of those.
static int64_t leaveOut(Operation *op) {
  int64_t others = 0;
  for (auto [result, standIn] :
       llvm::zip_equal(op->getResults(), getStandIns(op))) {
    if (standIn) {
      result.replaceAllUsesWith(standIn);
      continue;
    }
    while (!result.use_empty())
      others += 1 + leaveOut(*result.user_begin());
  }
  op->erase();
  return others;
}

/// The attribute as a schedule spells it, nearly: `tile [8, 0]`, `lanes(16)`.
static std::string spell(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  name.consume_front("static_");
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name;
  llvm::TypeSwitch<Attribute>(attribute.getValue())
      .Case([&](DenseI64ArrayAttr list) {
        os << " [";
        llvm::interleaveComma(list.asArrayRef(), os);
        os << "]";
      })
      .Case([&](IntegerAttr number) { os << "(" << number.getInt() << ")"; })
      .Case([&](StringAttr word) { os << "(" << word.getValue() << ")"; })
      .Case([](UnitAttr) {})
      .Default([&](Attribute other) { os << "(" << other << ")"; });
  return text;
}

std::vector<ScheduleStep> kernelzero::listSteps(ModuleOp schedule,
                                                ModuleOp defaults) {
  SmallVector<Operation *> steps = getSteps(schedule), others;
  // Where other pieces of script were chosen, steps of one name do other work.
  if (defaults) {
    others = getSteps(defaults);
    if (!llvm::equal(steps, others, [](Operation *a, Operation *b) {
          return a->getName() == b->getName();
        }))
      others.clear();
  }
  std::string whole = printModule(schedule);
  AsmState state(schedule, OpPrintingFlags().enableDebugInfo(false));
  std::vector<ScheduleStep> result(steps.size());
  for (auto [index, op] : llvm::enumerate(steps)) {
    ScheduleStep &step = result[index];
    llvm::raw_string_ostream os(step.text);
    op->print(os, state);
    if (isa<kz::BodyOp>(op)) {
      step.reason = "it only names the operations of the task";
      continue;
    }
    OwningOpRef<ModuleOp> copy = schedule.clone();
    int64_t needed = leaveOut(getSteps(*copy)[index]);
    step.variants.push_back(
        {needed
             ? "left out, with " + std::to_string(needed) +
                   (needed == 1 ? " step that needs it" : " steps that need it")
             : "left out",
         printModule(*copy)});
    if (others.empty())
      continue;
    for (NamedAttribute other : others[index]->getAttrDictionary()) {
      if (other.getName() == "operandSegmentSizes" ||
          op->getAttr(other.getName()) == other.getValue())
        continue;
      copy = schedule.clone();
      getSteps(*copy)[index]->setAttr(other.getName(), other.getValue());
      if (std::string text = printModule(*copy); text != whole)
        step.variants.push_back({spell(other), text});
    }
  }
  return result;
}
