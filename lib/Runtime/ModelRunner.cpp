//===- ModelRunner.cpp - run a whole model --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/ModelRunner.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/IR/SymbolTable.h"
#include <chrono>

using namespace mlir;
using namespace kernelzero;

const char *kernelzero::getWord(ScheduleSource source) {
  switch (source) {
  case ScheduleSource::Winner:
    return "winner";
  case ScheduleSource::Skeleton:
    return "skeleton";
  case ScheduleSource::Plain:
    return "plain loops";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// From tasks to code
//===----------------------------------------------------------------------===//

namespace {
/// Compiles one task by the best schedule that there is for it.
class TaskCompiler {
public:
  TaskCompiler(func::FuncOp function, Executor &executor,
               const RunnerOptions &options, RunnableTask &task)
      : function(function), executor(executor), options(options), task(task) {}

  ExecutorError run() {
    if (tryWinner() || trySkeleton())
      return std::nullopt;
    OwningOpRef<ModuleOp> plain = isolateTask(function);
    task.source = ScheduleSource::Plain;
    if (ExecutorError error = executor.compile(*plain, task.code))
      return "task '" + task.name + "' does not compile: " + *error;
    return std::nullopt;
  }

private:
  /// Says why something was not used; false, so that the next is tried.
  bool leave(const std::string &reason) {
    task.note += (task.note.empty() ? "" : "; ") + reason;
    return false;
  }

  /// Applies `schedule` and compiles the result.
  bool compile(const std::string &schedule, const std::string &what) {
    ScheduleError error;
    OwningOpRef<ModuleOp> scheduled = applySchedule(function, schedule, error);
    if (!scheduled)
      return leave(
          what + " does not fit: " +
          (error.sentences.empty() ? "unknown" : error.sentences.front()));
    if (ExecutorError failure = executor.compile(*scheduled, task.code))
      return leave(what + " does not compile: " + *failure);
    return true;
  }

  /// Whether `winner` gives the code that was tuned.
  bool fits(const Winner &winner) {
    if (!compile(winner.schedule, "'" + winner.path + "'"))
      return false;
    const std::string &tuned = winner.evidence.code;
    if (tuned.empty())
      return leave("the evidence of '" + winner.path +
                   "' holds no hash of its code to check");
    if (tuned != task.code->hash)
      return leave("'" + winner.path + "' gives code " + task.code->hash +
                   " where " + tuned + " was tuned by " +
                   winner.evidence.toolchain);
    return true;
  }

  bool tryWinner() {
    if (!options.library)
      return false;
    std::string reason;
    const Winner *winner =
        options.library->find(task.key, getTargetText(*options.target), reason);
    if (!winner)
      return leave(reason);
    if (!fits(*winner)) {
      task.leftOut = task.note;
      return false;
    }
    task.source = ScheduleSource::Winner;
    task.note = winner->path;
    return true;
  }

  bool trySkeleton() {
    std::string error;
    std::optional<Skeleton> skeleton =
        getSkeleton(function, *options.target, error);
    if (!skeleton)
      return leave(error);
    std::map<std::string, int64_t> defaults;
    for (const Knob &knob : skeleton->knobs)
      defaults[knob.name] = knob.values.front();
    std::string schedule =
        completeSkeleton(function.getContext(), *skeleton, defaults, error);
    if (schedule.empty())
      return leave("its skeleton cannot be completed: " + error);
    if (!compile(schedule, "its skeleton"))
      return false;
    task.source = ScheduleSource::Skeleton;
    return true;
  }

  func::FuncOp function;
  Executor &executor;
  const RunnerOptions &options;
  RunnableTask &task;
};
} // namespace

ExecutorError kernelzero::compileTask(func::FuncOp function, Executor &executor,
                                      const RunnerOptions &options,
                                      RunnableTask &task) {
  TaskInfo info = describeTask(function);
  task.name = info.name;
  task.key = info.key;
  task.opClass = info.opClass;
  return TaskCompiler(function, executor, options, task).run();
}

ExecutorError ModelRunner::compileTasks(ModuleOp model,
                                        const RunnerOptions &options) {
  SymbolTable symbols(model);
  for (const std::string &name : plan.tasks) {
    auto function = symbols.lookup<func::FuncOp>(name);
    auto mark = function ? function->getAttrOfType<DictionaryAttr>(kTaskAttr)
                         : DictionaryAttr();
    if (!mark)
      return "the model calls '" + name + "', which is no task";
    RunnableTask &task = tasks.emplace_back();
    if (ExecutorError error = compileTask(function, *executor, options, task))
      return error;
    workspaceBytes = std::max(workspaceBytes, task.code->workspaceBytes);
  }
  for (const ModelStep &step : plan.steps)
    if (step.task >= 0)
      ++tasks[step.task].calls;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory and steps
//===----------------------------------------------------------------------===//

ExecutorError ModelRunner::allocate() {
  if (ExecutorError error = executor->allocate(plan.arenaBytes, arena))
    return error;
  for (const ConstantBytes &constant : plan.constants)
    if (ExecutorError error = executor->place(constant.data, constant.size,
                                              constants.emplace_back()))
      return error;
  inputs.resize(plan.inputs.size());
  return std::nullopt;
}

std::unique_ptr<ModelRunner> ModelRunner::create(ModuleOp model,
                                                 Executor &executor,
                                                 const RunnerOptions &options,
                                                 std::string &error) {
  auto runner = std::make_unique<ModelRunner>();
  runner->executor = &executor;
  if (!planModel(model, executor.getViewAlignment(), runner->plan, error))
    return nullptr;
  ExecutorError failure = runner->compileTasks(model, options);
  if (!failure)
    failure = runner->allocate();
  if (failure) {
    error = *failure;
    return nullptr;
  }
  return runner;
}

ExecutorAddress ModelRunner::getAddress(const ModelValue &value) const {
  const ModelMemory &memory = plan.memories[value.memory];
  switch (memory.kind) {
  case ModelMemory::Kind::Input:
    return inputs[memory.index] + value.byteOffset;
  case ModelMemory::Kind::Constant:
    return constants[memory.index] + value.byteOffset;
  case ModelMemory::Kind::Buffer:
    return arena + memory.offset + value.byteOffset;
  }
  return 0;
}

ExecutorError ModelRunner::setInput(size_t index, const void *data) {
  return executor->place(data, plan.inputs[index].value.type.bytes(),
                         inputs[index]);
}

ExecutorError ModelRunner::run(std::vector<double> *seconds) {
  using Clock = std::chrono::steady_clock;
  std::vector<ExecutorAddress> operands;
  if (seconds)
    seconds->clear();
  for (const ModelStep &step : plan.steps) {
    auto start = Clock::now();
    operands.clear();
    for (const ModelValue &operand : step.operands)
      operands.push_back(getAddress(operand));
    ExecutorError error =
        step.task < 0 ? executor->copy(step.copy, operands[0], operands[1])
                      : executor->run(*tasks[step.task].code, operands);
    if (!error && seconds) {
      error = executor->synchronize();
      seconds->push_back(
          std::chrono::duration<double>(Clock::now() - start).count());
    }
    if (error)
      return error;
  }
  return executor->synchronize();
}

ExecutorError ModelRunner::readOutput(size_t index, void *data) {
  const ModelValue &value = plan.outputs[index].value;
  return executor->download(data, getAddress(value), value.type.bytes());
}
