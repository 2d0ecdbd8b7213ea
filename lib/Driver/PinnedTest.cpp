//===- PinnedTest.cpp - a schedule as a test for lit ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/PinnedTest.h"
#include "KernelZero/Winners/Winners.h"

using namespace kernelzero;

std::string kernelzero::makePinnedTest(mlir::MLIRContext &context,
                                       const TaskInfo &task,
                                       const Record &record,
                                       std::string &error) {
  if (!isCorrect(record.verdict)) {
    error = "record " + record.id + " is " + getWord(record.verdict) +
            "; only a correct one can be pinned";
    return "";
  }
  std::string winner = printWinner(&context, makeWinner(task, record), error);
  if (winner.empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Pins record " << record.id << " (" << getWord(record.verdict)
     << "), " << task.name << " for " << record.target << ".\n"
     << "// Ran on " << record.evidence.ranOn << ", "
     << record.evidence.toolchain << ", " << record.evidence.date << ".\n"
     << "// RUN: split-file %s %t\n"
     << "// RUN: kz-opt %t/schedule.mlir --kz-verify-schedule='target="
     << record.target << "' -o /dev/null\n"
     << "// RUN: kz-opt %t/task.mlir --kz-apply-schedules='"
     << "library=%t/schedule.mlir target=" << record.target
     << "' -o %t/applied.mlir 2>&1 | FileCheck %s\n"
     << "// CHECK: has schedule {{.*}}, code " << record.evidence.code
     << " as tuned\n"
     << "// CHECK: 1 of 1 tasks have a schedule\n";
  os << "\n//--- task.mlir\n" << task.text;
  if (!llvm::StringRef(task.text).ends_with("\n"))
    os << "\n";
  os << "\n//--- schedule.mlir\n" << winner;
  return text;
}
