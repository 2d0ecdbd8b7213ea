//===- CheckSchedule.h - what a target can hold ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_CHECKSCHEDULE_H
#define KERNELZERO_TRANSFORMS_CHECKSCHEDULE_H

#include "KernelZero/Target/TargetTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace kernelzero {

/// One broken rule: a sentence and what it is about.
struct Finding {
  std::string sentence;
  mlir::Location location;
};

/// Rules that need neither a task nor a target: a schedule holds only
/// `transform.kz.*`, `transform.tune.*` and constants, in a straight line, has
/// one read-only argument, and is of bounded size.
std::vector<Finding> checkScript(mlir::transform::NamedSequenceOp schedule);

/// Steps of `schedule` that `target` has no instruction or memory for.
std::vector<Finding> checkSteps(mlir::transform::NamedSequenceOp schedule,
                                const Target &target);

/// What the scheduled task (level L1) asks for beyond what `target` holds:
/// threads, shared memory, registers, boxes and pitches of copies.
std::vector<Finding> checkLimits(mlir::func::FuncOp scheduled,
                                 const Target &target);

/// Registers of one thread when a block of `threads` is launched, and what all
/// threads of the block have together: roles only move registers inside of it.
int64_t getLaunchedRegisters(int64_t threads, const Target &target);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_CHECKSCHEDULE_H
