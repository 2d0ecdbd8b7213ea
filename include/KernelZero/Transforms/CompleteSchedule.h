//===- CompleteSchedule.h - write defaults out ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_COMPLETESCHEDULE_H
#define KERNELZERO_TRANSFORMS_COMPLETESCHEDULE_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace kernelzero {

/// Name of the attribute of a schedule that holds its version.

/// Writes every default of `schedule` and the version of the language out. An
/// error where a choice is open; the schedule is then as it was.
llvm::LogicalResult completeSchedule(mlir::transform::NamedSequenceOp schedule);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_COMPLETESCHEDULE_H
