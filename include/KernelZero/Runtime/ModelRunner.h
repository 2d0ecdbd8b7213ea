//===- ModelRunner.h - run a whole model -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_MODELRUNNER_H
#define KERNELZERO_RUNTIME_MODELRUNNER_H

#include "KernelZero/Runtime/Executor.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace kernelzero {

struct Target;
class WinnerLibrary;

/// Where the schedule of a task came from.
enum class ScheduleSource {
  Winner,   ///< The library's entry, with the code that was tuned.
  Skeleton, ///< Every knob at its default.
  Plain,    ///< No schedule: plain loops.
};
const char *getWord(ScheduleSource source);

/// A task of a model, compiled.
struct RunnableTask {
  std::string name, key, opClass;
  ScheduleSource source = ScheduleSource::Plain;
  /// Path of the winner, or why nothing better than `source` is used.
  std::string note;
  /// Why the library's entry for it is not used; empty where it is used, or
  /// there is none.
  std::string leftOut;
  int64_t calls = 0;
  std::unique_ptr<TaskCode> code;
};

struct RunnerOptions {
  const Target *target = nullptr;
  /// Null: no winners.
  const WinnerLibrary *library = nullptr;
};

/// Compiles a task by the best schedule there is for it: the library's, which
/// must give the code that was tuned, else the completed skeleton, else none.
[[nodiscard]] ExecutorError compileTask(mlir::func::FuncOp function,
                                        Executor &executor,
                                        const RunnerOptions &options,
                                        RunnableTask &task);

/// A model with all of its tasks compiled and all of its memory allocated.
class ModelRunner {
public:
  /// `model` is what `extractTasks` left; it and `executor` have to outlive the
  /// runner. Null, and one sentence in `error`, where it cannot be run.
  static std::unique_ptr<ModelRunner> create(mlir::ModuleOp model,
                                             Executor &executor,
                                             const RunnerOptions &options,
                                             std::string &error);

  const ModelPlan &getPlan() const { return plan; }
  const std::vector<RunnableTask> &getTasks() const { return tasks; }
  /// The most memory a run holds besides inputs and constants: the arena and
  /// the workspace of the task that needs the most.
  int64_t getPeakBytes() const { return plan.arenaBytes + workspaceBytes; }

  /// Says where the bytes of input `index` are; they are read at every run.
  [[nodiscard]] ExecutorError setInput(size_t index, const void *data);
  /// Runs all steps and waits. With `seconds` every step is waited for, and its
  /// time is put there.
  [[nodiscard]] ExecutorError run(std::vector<double> *seconds = nullptr);
  [[nodiscard]] ExecutorError readOutput(size_t index, void *data);

private:
  ExecutorError compileTasks(mlir::ModuleOp model,
                             const RunnerOptions &options);
  ExecutorError allocate();
  ExecutorAddress getAddress(const ModelValue &value) const;

  Executor *executor = nullptr;
  ModelPlan plan;
  std::vector<RunnableTask> tasks;
  int64_t workspaceBytes = 0;
  ExecutorAddress arena = 0;
  std::vector<ExecutorAddress> inputs, constants;
};

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_MODELRUNNER_H
