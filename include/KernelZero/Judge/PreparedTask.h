//===- PreparedTask.h - inputs and references of a task -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_PREPAREDTASK_H
#define KERNELZERO_JUDGE_PREPAREDTASK_H

#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Reference.h"
#include "KernelZero/Record/Record.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <vector>

namespace kernelzero {

/// A set of inputs with what the task makes of them.
struct InputSet {
  /// `normal(0, 1)`, `hostile values`; goes into sentences.
  std::string name;
  int tier = 4; ///< The tier that a difference fails.
  /// Whether a right result may hold NaN, so that NaN is no poison for it.
  bool hasNaN = false;
  std::vector<Buffer> inputs;
  std::vector<ReferenceTensor> references;
};

/// A task with its inputs and reference results, ready for candidates.
class PreparedTask {
public:
  /// Parses the task, draws inputs, computes the references. Null and a
  /// sentence where the task is refused.
  static std::unique_ptr<PreparedTask> create(mlir::MLIRContext *context,
                                              const TaskInfo &info,
                                              uint64_t seed,
                                              std::string &error);

  mlir::func::FuncOp getFunction() {
    return module->lookupSymbol<mlir::func::FuncOp>("task");
  }

  TaskInfo info;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The first is what candidates are timed on.
  std::vector<InputSet> sets;
  std::vector<mlir::RankedTensorType> results;
  /// `Evidence::distribution`, without what is said of caches.
  std::string distribution;
  std::string judgedOn;
  /// Bytes that every kernel has to move: arguments that are read whole, and
  /// the results.
  int64_t leastBytes = 0;
};

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_PREPAREDTASK_H
