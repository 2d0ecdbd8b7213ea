//===- SchedulePasses.cpp - passes over schedules -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/CheckSchedule.h"
#include "KernelZero/Transforms/CompleteSchedule.h"
#include "KernelZero/Transforms/Passes.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace kernelzero;

namespace kernelzero {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#define GEN_PASS_DEF_BINDKNOBSPASS
#define GEN_PASS_DEF_COMPLETESCHEDULEPASS
#define GEN_PASS_DEF_PRINTSKELETONPASS
#include "KernelZero/Transforms/Passes.h.inc"
} // namespace kernelzero

/// Functions that compute something, in `module` and the modules in it.
static SmallVector<func::FuncOp> findTasks(ModuleOp module) {
  SmallVector<func::FuncOp> tasks;
  module.walk([&](func::FuncOp function) {
    if (function.walk([](linalg::LinalgOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      tasks.push_back(function);
  });
  return tasks;
}

static bool hasOpenChoices(transform::NamedSequenceOp schedule) {
  return schedule
      ->walk([](Operation *op) {
        auto knob = dyn_cast<transform::tune::KnobOp>(op);
        auto alternatives = dyn_cast<transform::tune::AlternativesOp>(op);
        bool open = (knob && !knob.getSelectedAttr()) ||
                    (alternatives && !alternatives.getSelectedRegionAttr() &&
                     !alternatives.getSelectedRegionParam());
        return open ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

struct VerifySchedulePass
    : kernelzero::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    VerifySchedulePassBase::getDependentDialects(registry);
    registerScheduleDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *row = nullptr;
    std::string why;
    if (!target.empty() && !(row = resolveTarget(target, why))) {
      module.emitError() << why;
      return signalPassFailure();
    }
    bool good = true;
    auto report = [&](const std::vector<Finding> &findings) {
      for (const Finding &finding : findings)
        emitError(finding.location) << finding.sentence;
      good &= findings.empty();
      return findings.empty();
    };
    SmallVector<func::FuncOp> tasks = findTasks(module);
    int64_t schedules = 0;
    module.walk([&](transform::NamedSequenceOp schedule) {
      ++schedules;
      bool fits = report(checkScript(schedule));
      if (row)
        fits &= report(checkSteps(schedule, *row));
      if (!fits || hasOpenChoices(schedule))
        return;
      for (func::FuncOp task : tasks) {
        ScheduleError error;
        OwningOpRef<ModuleOp> result = applySchedule(task, schedule, error);
        if (!result) {
          for (const std::string &sentence : error.sentences)
            if (!StringRef(sentence).starts_with("note: "))
              schedule.emitError() << sentence;
          good = false;
          continue;
        }
        if (row)
          for (auto function : result->getOps<func::FuncOp>())
            report(checkLimits(function, *row));
      }
    });
    if (schedules == 0) {
      module.emitError() << "the module holds no schedule; a schedule is one "
                            "transform.named_sequence";
      good = false;
    }
    if (!good)
      signalPassFailure();
  }
};

/// The value of a choice as the text says it: the option of that spelling,
/// else a number or a word.
static Attribute readValue(StringRef text, ArrayAttr options,
                           Builder &builder) {
  int64_t number;
  bool isNumber = !text.getAsInteger(10, number);
  if (options)
    for (Attribute option : options) {
      auto word = dyn_cast<StringAttr>(option);
      auto integer = dyn_cast<IntegerAttr>(option);
      if ((word && word.getValue() == text) ||
          (integer && isNumber && integer.getInt() == number))
        return option;
    }
  if (isNumber)
    return builder.getI64IntegerAttr(number);
  return builder.getStringAttr(text);
}

struct BindKnobsPass : kernelzero::impl::BindKnobsPassBase<BindKnobsPass> {
  using BindKnobsPassBase::BindKnobsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(&getContext());
    std::map<std::string, ArrayAttr> options;
    std::map<std::string, Attribute> bound;
    module.walk([&](transform::tune::KnobOp knob) {
      auto list = dyn_cast<ArrayAttr>(knob.getOptions());
      options[knob.getName().str()] = list;
      if (defaults && list && !list.empty() && !knob.getSelectedAttr())
        bound[knob.getName().str()] = list[0];
    });
    if (defaults)
      module.walk([&](transform::tune::AlternativesOp alternatives) {
        if (!alternatives.getSelectedRegionAttr() &&
            !alternatives.getSelectedRegionParam())
          bound[alternatives.getName().str()] = builder.getI64IntegerAttr(0);
      });
    SmallVector<StringRef> pairs;
    StringRef(values).split(pairs, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef pair : pairs) {
      auto [name, value] = pair.trim().split('=');
      if (name.empty() || value.empty()) {
        module.emitError() << "'" << pair
                           << "' binds nothing; accepted is name=value";
        return signalPassFailure();
      }
      auto found = options.find(name.str());
      bound[name.str()] = readValue(
          value, found == options.end() ? ArrayAttr() : found->second, builder);
    }
    if (failed(bindKnobs(module, bound)))
      signalPassFailure();
  }
};

struct CompleteSchedulePass
    : kernelzero::impl::CompleteSchedulePassBase<CompleteSchedulePass> {
  void runOnOperation() override {
    auto result = getOperation()->walk([](transform::NamedSequenceOp schedule) {
      return failed(completeSchedule(schedule)) ? WalkResult::interrupt()
                                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

struct PrintSkeletonPass
    : kernelzero::impl::PrintSkeletonPassBase<PrintSkeletonPass> {
  using PrintSkeletonPassBase::PrintSkeletonPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PrintSkeletonPassBase::getDependentDialects(registry);
    registerScheduleDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string why;
    const Target *row = resolveTarget(target, why);
    if (!row) {
      module.emitError() << why;
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> tasks = findTasks(module);
    if (tasks.size() != 1) {
      module.emitError() << "the module has " << tasks.size()
                         << " tasks; exactly 1 is needed";
      return signalPassFailure();
    }
    std::string error;
    std::optional<Skeleton> skeleton = getSkeleton(tasks.front(), *row, error);
    if (!skeleton) {
      tasks.front().emitError() << error;
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> parsed =
        parseSourceString<ModuleOp>(skeleton->text, &getContext());
    if (!parsed)
      return signalPassFailure();
    explain(tasks.front(), *row, *skeleton);
    if (defaults) {
      std::map<std::string, Attribute> values;
      for (const Knob &knob : skeleton->knobs)
        values[knob.name] =
            Builder(&getContext()).getI64IntegerAttr(knob.values.front());
      if (failed(bindKnobs(*parsed, values)))
        return signalPassFailure();
    }
    module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                    UnitAttr::get(&getContext()));
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    for (auto schedule : parsed->getOps<transform::NamedSequenceOp>())
      builder.clone(*schedule);
  }

private:
  static void explain(func::FuncOp task, const Target &row,
                      const Skeleton &skeleton) {
    llvm::raw_ostream &os = llvm::outs();
    os << "// skeleton of '" << task.getName() << "' on " << row.name << ", "
       << skeleton.knobs.size() << " knobs\n";
    std::map<std::string, int64_t> values;
    for (const Knob &knob : skeleton.knobs)
      values[knob.name] = knob.values.front();
    for (const Knob &knob : skeleton.knobs) {
      os << "// " << knob.name << ": ";
      llvm::interleaveComma(knob.values, os);
      if (!knob.within.empty()) {
        os << " (where " << knob.within << " is ";
        llvm::interleave(knob.regions, os, " or ");
        os << ")";
      }
      os << "\n//   " << knob.reason << "\n";
    }
    // One knob at a time, then two of those values that are legal alone; all
    // others at their defaults.
    std::map<std::string, std::vector<int64_t>> alone;
    auto counts = [&](const Knob &knob) {
      return knob.within.empty() ||
             llvm::is_contained(knob.regions, values.at(knob.within));
    };
    for (const Knob &knob : llvm::make_filter_range(skeleton.knobs, counts))
      for (int64_t value : knob.values) {
        auto trial = values;
        trial[knob.name] = value;
        if (std::optional<std::string> why = explainIllegal(task, row, trial))
          os << "// not " << knob.name << " " << value
             << " with the other defaults: " << *why << "\n";
        else
          alone[knob.name].push_back(value);
      }
    for (auto [index, first] : llvm::enumerate(skeleton.knobs))
      for (const Knob &second : ArrayRef(skeleton.knobs).drop_front(index + 1))
        for (int64_t one : alone[first.name])
          for (int64_t other : alone[second.name]) {
            auto trial = values;
            trial[first.name] = one;
            trial[second.name] = other;
            if (std::optional<std::string> why =
                    explainIllegal(task, row, trial))
              os << "// not " << first.name << " " << one << " with "
                 << second.name << " " << other << ": " << *why << "\n";
          }
    os.flush();
  }
};

} // namespace
