//===- ApplySchedules.h - replay a schedule library -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_APPLYSCHEDULES_H
#define KERNELZERO_TRANSFORMS_APPLYSCHEDULES_H

#include "KernelZero/Target/TargetTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <functional>
#include <string>

namespace kernelzero {

/// Hash of the code that a module with one scheduled task becomes for `target`;
/// empty and `error` where it does not compile. May change the module. What
/// makes code is above this library, so whoever registers the pass brings it
/// along.
using HashCode = std::function<std::string(mlir::ModuleOp, const Target &target,
                                           std::string &error)>;

/// Registers `--kz-extract-tasks` and `--kz-apply-schedules`, which applies an
/// entry only where `hashCode` says that its code is what was judged.
void registerTaskPasses(HashCode hashCode);

/// Dialects and extensions that schedules need in a context.
void registerScheduleDialects(mlir::DialectRegistry &registry);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_APPLYSCHEDULES_H
