//===- Schedules.h - tiers 1 and 2 ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_SCHEDULES_H
#define KERNELZERO_LIB_JUDGE_SCHEDULES_H

#include "KernelZero/Judge/PreparedTask.h"
#include "KernelZero/Target/TargetTable.h"
#include "KernelZero/Transforms/ApplySchedule.h"

namespace kernelzero {

/// What a schedule claims of the code that it makes.
struct Claims {
  bool mmaSync = false, wgmma = false;
  bool cpAsync = false, tma = false, tmaStore = false;
  int64_t kernels = 0; ///< Grids of the scheduled task.
};

/// Tiers 1 and 2: parses `schedule`, applies it to a copy of the task and holds
/// both against `target`. The scheduled task on level L1; null where a tier
/// fails, and the record says why.
mlir::OwningOpRef<mlir::ModuleOp>
applyCandidate(PreparedTask &task, const std::string &schedule,
               const Target &target, Record &record, Claims &claims);

/// Collects errors, with their notes, as sentences of a record.
class SentenceCollector {
public:
  SentenceCollector(mlir::MLIRContext *context, Record &record);
  /// Whether an error was emitted.
  bool sawError() const { return seen; }

private:
  bool seen = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_SCHEDULES_H
