//===- Executor.h - where a model runs -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_EXECUTOR_H
#define KERNELZERO_RUNTIME_EXECUTOR_H

#include "KernelZero/Runtime/ModelPlan.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelzero {

/// One sentence, or nothing where all went well.
using ExecutorError = std::optional<std::string>;

/// A place in an executor's memory; on the host an address as it stands.
using ExecutorAddress = uint64_t;

/// The code of one task.
class TaskCode {
public:
  virtual ~TaskCode();

  /// Hash of what runs: of the LLVM IR on the host, of the PTX on a GPU; the
  /// `code` of a winner's evidence.
  std::string hash;
  /// Memory that a run needs besides its operands. Runs of one model follow
  /// each other, so they can share it.
  int64_t workspaceBytes = 0;
};

/// Memory and code of one place where models run. Whatever is allocated or
/// compiled dies with it.
class Executor {
public:
  virtual ~Executor();

  virtual std::string describe() const = 0;
  /// Views must start at multiples of so many bytes.
  virtual int64_t getViewAlignment() const = 0;

  [[nodiscard]] virtual ExecutorError allocate(int64_t bytes,
                                               ExecutorAddress &address) = 0;
  /// Makes `bytes` at `data` readable by tasks. On the host they are used where
  /// they are, so they have to stay.
  [[nodiscard]] virtual ExecutorError place(const void *data, int64_t bytes,
                                            ExecutorAddress &address) = 0;
  [[nodiscard]] virtual ExecutorError download(void *to, ExecutorAddress from,
                                               int64_t bytes) = 0;

  /// Compiles a module with one task, at L1 or L0; it is changed.
  [[nodiscard]] virtual ExecutorError
  compile(mlir::ModuleOp task, std::unique_ptr<TaskCode> &code) = 0;
  /// Runs a task with its inputs and results at `operands`. Does not wait.
  [[nodiscard]] virtual ExecutorError
  run(TaskCode &code, const std::vector<ExecutorAddress> &operands) = 0;
  /// Does not wait.
  [[nodiscard]] virtual ExecutorError
  copy(const StridedCopy &copy, ExecutorAddress from, ExecutorAddress to) = 0;
  [[nodiscard]] virtual ExecutorError synchronize() = 0;
};

/// This process, one thread.
std::unique_ptr<Executor> makeHostExecutor();

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_EXECUTOR_H
