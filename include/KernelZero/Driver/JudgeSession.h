//===- JudgeSession.h - judging outside of a tuning run -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_JUDGESESSION_H
#define KERNELZERO_DRIVER_JUDGESESSION_H

#include "KernelZero/Driver/Options.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Target/TargetTable.h"
#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace kernelzero {

struct SearchTask;

/// How commands that judge schedules were told to do it.
struct JudgeSettings {
  const Target *target = nullptr;
  std::string device; ///< Empty: none, so times are modelled.
  uint64_t seed = 0;
  double limitSeconds = 120;
  int lastTier = 6;
};

/// The options of `JudgeSettings`, but for the target.
std::vector<OptionSpec> getJudgeOptions();
/// Reads them, for `target`. Empty, or a sentence.
std::string readJudgeSettings(const ParsedOptions &options,
                              const Target &target, JudgeSettings &settings);

/// Where code for `target` runs: `asked` where it can, without a wish `host`
/// for the host and nothing for a GPU. Empty on success, else a sentence.
std::string chooseDevice(const Target &target, const std::string &asked,
                         std::string &device);

/// Judges schedules of one task at a time in a worker: a crash is an outcome.
class JudgeSession {
public:
  JudgeSession(mlir::MLIRContext &context, const JudgeSettings &settings,
               const std::atomic<bool> &interrupted);

  /// Hands `task` to the worker. An exit code: done, or with a sentence in
  /// `error` that the task is refused, that there is no worker, or interrupted.
  int prepare(const TaskInfo &task, std::string &error);

  /// Judges `candidates` beside `baseline` (empty: beside themselves). The
  /// records are in the order of the candidates.
  int judge(std::vector<Candidate> candidates, const std::string &baseline,
            double noise, int rounds, std::vector<Record> &records,
            std::string &error);

  /// The skeleton of the task with every knob at its default. Empty, and why,
  /// where the task has none.
  std::string getBaseline(std::string &reason);

  /// For each of `knobs` that is not at its default, the schedule with that one
  /// at its default and the others as they are: what was changed, and the text.
  /// None where `knobs` do not give `schedule`.
  std::vector<std::pair<std::string, std::string>>
  getChoiceVariants(const std::map<std::string, int64_t> &knobs,
                    const std::string &schedule);

private:
  mlir::MLIRContext &context;
  const JudgeSettings &settings;
  Worker worker;
  TaskInfo task;
};

/// A candidate of the text of a schedule.
Candidate makeCandidate(const std::string &schedule, const std::string &origin);

/// The one task in the `.mlir` file at `path`. Nothing and a sentence where it
/// holds none or more.
std::optional<TaskInfo> loadTask(mlir::MLIRContext &context,
                                 const std::string &path, std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_JUDGESESSION_H
