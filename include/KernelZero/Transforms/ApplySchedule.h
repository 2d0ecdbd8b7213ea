//===- ApplySchedule.h - run a schedule on a task -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_APPLYSCHEDULE_H
#define KERNELZERO_TRANSFORMS_APPLYSCHEDULE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace kernelzero {

/// Why a schedule could not be used.
struct ScheduleError {
  /// 1: does not parse, foreign operation, verifier. 2: does not fit the task.
  int tier = 1;
  /// The first is the error, the others its notes.
  std::vector<std::string> sentences;
};

/// The one named sequence of `library`; an error where there is none or more.
mlir::transform::NamedSequenceOp findSchedule(mlir::ModuleOp library,
                                              ScheduleError &error);

/// Parses the text of a schedule: a module with one named sequence.
mlir::OwningOpRef<mlir::ModuleOp> parseSchedule(mlir::MLIRContext *context,
                                                llvm::StringRef text,
                                                ScheduleError &error);

/// Whether `schedule` holds only what scripts may hold (see `checkScript`).
bool checkAllowList(mlir::transform::NamedSequenceOp schedule,
                    ScheduleError &error);

/// Runs `schedule` on a copy of `task`: the result is a module with the
/// function on level L1, `task` is untouched. Null and `error` otherwise.
mlir::OwningOpRef<mlir::ModuleOp>
applySchedule(mlir::func::FuncOp task,
              mlir::transform::NamedSequenceOp schedule, ScheduleError &error);

/// The same from the text of a schedule.
mlir::OwningOpRef<mlir::ModuleOp> applySchedule(mlir::func::FuncOp task,
                                                llvm::StringRef schedule,
                                                ScheduleError &error);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_APPLYSCHEDULE_H
