//===- PinnedTest.cpp - a schedule as a test for lit ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/PinnedTest.h"
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace kernelzero;

/// Instructions of PTX that say what a schedule chose: how data moves, what
/// multiplies, how threads wait for each other and combine.
static constexpr StringLiteral kTelling[] = {
    "wgmma.mma_async", "mma.sync",  "ldmatrix",   "stmatrix",
    "cp.async.bulk",   "cp.async.", "mbarrier.",  "bar.sync",
    "setmaxnreg",      "shfl.sync", "ex2.approx", "tanh.approx",
    "ld.global",       "st.global"};

/// The task, marked as one: what applies schedules leaves it in one piece.
static OwningOpRef<ModuleOp> parseMarked(MLIRContext &context,
                                         const TaskInfo &task) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(task.text, ParserConfig(&context), "task");
  auto function =
      module ? module->lookupSymbol<func::FuncOp>("task") : func::FuncOp();
  if (!function)
    return nullptr;
  Builder builder(&context);
  function->setAttr(
      kTaskAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("key", builder.getStringAttr(task.key)),
           builder.getNamedAttr("name", builder.getStringAttr(task.name)),
           builder.getNamedAttr("weight", builder.getI64IntegerAttr(1))}));
  return module;
}

/// The PTX that `record` gives; empty and a sentence where it gives none.
static std::string makePTX(MLIRContext &context, ModuleOp task,
                           const Record &record, const Target &target,
                           std::string &error) {
  ScheduleError problem;
  OwningOpRef<ModuleOp> scheduled = applySchedule(
      task.lookupSymbol<func::FuncOp>("task"), record.schedule, problem);
  if (!scheduled) {
    error = problem.sentences.empty() ? "the schedule cannot be applied"
                                      : problem.sentences.front();
    return "";
  }
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    if (error.empty())
      error = diag.str();
    return success();
  });
  GPUCompileOptions options;
  options.ptxas = "none";
  GPUCode code;
  return compileForGPU(*scheduled, target, options, code, error) ? code.ptx
                                                                 : "";
}

std::string kernelzero::makePinnedTest(MLIRContext &context,
                                       const TaskInfo &task,
                                       const Record &record,
                                       std::string &error) {
  auto refuse = [&](const Twine &reason) {
    error = ("record " + record.id + " " + reason).str();
    return "";
  };
  if (!isCorrect(record.verdict))
    return refuse(Twine("is ") + getWord(record.verdict) +
                  "; only a correct one can be pinned");
  std::string unknown;
  const Target *target = resolveTargetText(record.target, unknown);
  if (!target)
    return refuse("is for a target that cannot be read: " + unknown);
  // The text of a what-if row stands in a file of the test's own.
  bool isWhatIf = !target->text.empty();
  std::string named = isWhatIf ? "%t/target.mlir" : record.target;
  std::string winner = printWinner(&context, makeWinner(task, record), error);
  if (winner.empty())
    return "";
  OwningOpRef<ModuleOp> marked = parseMarked(context, task);
  if (!marked)
    return refuse("has a task that does not parse");
  std::string ptx;
  if (target->isGPU()) {
    ptx = makePTX(context, *marked, record, *target, error);
    if (ptx.empty())
      return refuse("gives no code any more: " + error);
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Pins record " << record.id << " (" << getWord(record.verdict)
     << "), " << task.name << " for " << target->name << ".\n"
     << "// Ran on " << record.evidence.ranOn << ", "
     << record.evidence.toolchain << ", " << record.evidence.date << ".\n"
     << "// RUN: split-file %s %t\n"
     << "// RUN: kz-opt %t/schedule.mlir --kz-verify-schedule='target=" << named
     << "' -o /dev/null\n"
     << "// RUN: kz-opt %t/task.mlir --kz-apply-schedules='"
     << "library=%t/schedule.mlir target=" << named
     << "' -o %t/applied.mlir 2>&1 | FileCheck %s\n";
  if (target->isGPU()) {
    os << "// RUN: kz-opt %t/applied.mlir --kz-to-tile='target=" << named
       << "' --kz-tile-to-nvvm --kz-nvvm-to-ptx='target=" << named
       << "' -o %t/ptx.mlir\n"
       << "// RUN: grep 'kz.ptx = ' %t/ptx.mlir > %t/ptx\n";
    for (StringRef name : kTelling)
      if (size_t times = StringRef(ptx).count(name))
        os << "// RUN: grep -oF '" << name << "' %t/ptx | count " << times
           << "\n";
  }
  os << "// CHECK: has schedule {{.*}}, code " << record.evidence.code
     << " as tuned\n"
     << "// CHECK: 1 of 1 tasks have a schedule\n"
     << "\n//--- task.mlir\n";
  marked->print(os, OpPrintingFlags().enableDebugInfo(false));
  if (isWhatIf)
    os << "\n\n//--- target.mlir\n" << record.target;
  os << "\n\n//--- schedule.mlir\n" << winner;
  return text;
}
