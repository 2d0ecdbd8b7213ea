//===- ExtractTasks.h - fused groups of a model as tasks ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_EXTRACTTASKS_H
#define KERNELZERO_TRANSFORMS_EXTRACTTASKS_H

#include "KernelZero/Record/Record.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelzero {

/// Version of the grouping rules; part of every task's key.
constexpr int kGroupingVersion = 2;

/// Name of the dictionary that marks a function as a task.
constexpr llvm::StringLiteral kTaskAttr = "kz.task";

/// Cuts the functions of `model` into tasks: a contraction with the elementwise
/// operations behind it, a group of row operations, of elementwise ones, or of
/// what moves elements becomes a private function marked `kz.task`, and a call
/// in its place. Equal groups share one function. What is left is glue: views,
/// constants, and what has no static shape. Functions that are tasks already
/// are kept.
llvm::LogicalResult extractTasks(mlir::ModuleOp model);

/// The tasks that `model` holds, in the order of their first call.
std::vector<TaskInfo> listTasks(mlir::ModuleOp model);

/// Everything about `task` but its weight, from its body.
TaskInfo describeTask(mlir::func::FuncOp task);

/// A module with a copy of `task` alone, public and called `@task`.
mlir::OwningOpRef<mlir::ModuleOp> isolateTask(mlir::func::FuncOp task);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_EXTRACTTASKS_H
