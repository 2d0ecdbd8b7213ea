//===- StepVariants.h - a schedule without one of its steps ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_STEPVARIANTS_H
#define KERNELZERO_DRIVER_STEPVARIANTS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace kernelzero {

/// A schedule with one step left out or one choice at its default.
struct StepVariant {
  /// `left out`, `tile [8, 0]`.
  std::string change;
  std::string schedule;
};

/// One step of a schedule, and what can be tried in its place.
struct ScheduleStep {
  std::string text;
  std::vector<StepVariant> variants;
  /// Why the step cannot even be left out as text; empty where it can.
  std::string reason;
};

/// The steps of `schedule`, a module with one named sequence. A step is left
/// out together with those that need what it alone makes (a loop, a staged
/// value); a tile that it makes is then the operation that it would have cut.
/// With `defaults`, another schedule of the same task with the same steps,
/// every attribute that a step there has otherwise is tried as it is there.
std::vector<ScheduleStep> listSteps(mlir::ModuleOp schedule,
                                    mlir::ModuleOp defaults);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_STEPVARIANTS_H
