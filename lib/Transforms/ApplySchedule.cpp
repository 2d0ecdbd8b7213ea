//===- ApplySchedule.cpp - run a schedule on a task -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Transforms/CheckSchedule.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace kernelzero;

namespace {
/// Collects what is emitted in a scope as sentences instead of printing it.
class Collector {
public:
  /// With `lines` it says in which line of the text an error is.
  Collector(MLIRContext *context, ScheduleError &error, bool lines = false)
      : handler(context, [&error, lines](Diagnostic &diag) {
          add(diag, error, lines);
          return success();
        }) {}

private:
  static void add(Diagnostic &diag, ScheduleError &error, bool lines) {
    if (diag.getSeverity() == DiagnosticSeverity::Warning ||
        diag.getSeverity() == DiagnosticSeverity::Remark)
      return;
    auto at = dyn_cast<FileLineColLoc>(diag.getLocation());
    error.sentences.push_back(
        (lines && at && at.getLine()
             ? "line " + std::to_string(at.getLine()) + ": "
             : "") +
        diag.str());
    for (Diagnostic &note : diag.getNotes())
      error.sentences.push_back("note: " + note.str());
  }
  ScopedDiagnosticHandler handler;
};
} // namespace

transform::NamedSequenceOp kernelzero::findSchedule(ModuleOp library,
                                                    ScheduleError &error) {
  SmallVector<transform::NamedSequenceOp> found(
      library.getOps<transform::NamedSequenceOp>());
  if (found.size() == 1)
    return found.front();
  error.tier = 1;
  error.sentences.push_back(
      "a schedule is one transform.named_sequence, here are " +
      std::to_string(found.size()));
  return nullptr;
}

OwningOpRef<ModuleOp> kernelzero::parseSchedule(MLIRContext *context,
                                                StringRef text,
                                                ScheduleError &error) {
  error.tier = 1;
  Collector collector(context, error, /*lines=*/true);
  OwningOpRef<ModuleOp> module = kz::parseModule(text, context, "schedule");
  if (!module && error.sentences.empty())
    error.sentences.push_back("the schedule does not parse");
  return module;
}

bool kernelzero::checkAllowList(transform::NamedSequenceOp schedule,
                                ScheduleError &error) {
  error.tier = 1;
  for (const Finding &finding : checkScript(schedule))
    error.sentences.push_back(finding.sentence);
  return error.sentences.empty();
}

OwningOpRef<ModuleOp>
kernelzero::applySchedule(func::FuncOp task,
                          transform::NamedSequenceOp schedule,
                          ScheduleError &error) {
  if (!checkAllowList(schedule, error))
    return nullptr;
  Collector collector(task.getContext(), error);
  OwningOpRef<ModuleOp> result = isolateTask(task);
  auto function = *result->getOps<func::FuncOp>().begin();
  error.tier = 2;
  transform::TransformOptions options;
  if (failed(transform::applyTransformNamedSequence(
          function, schedule, schedule->getParentOfType<ModuleOp>(),
          options))) {
    if (error.sentences.empty())
      error.sentences.push_back("the schedule cannot be applied to the task");
    return nullptr;
  }
  if (failed(verify(*result))) {
    if (error.sentences.empty())
      error.sentences.push_back("the schedule left invalid IR");
    return nullptr;
  }
  return result;
}

OwningOpRef<ModuleOp> kernelzero::applySchedule(func::FuncOp task,
                                                StringRef schedule,
                                                ScheduleError &error) {
  OwningOpRef<ModuleOp> module =
      parseSchedule(task.getContext(), schedule, error);
  transform::NamedSequenceOp sequence =
      module ? findSchedule(*module, error) : nullptr;
  return sequence ? applySchedule(task, sequence, error) : nullptr;
}
