//===- Tuner.h - from tasks to winners ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_TUNER_H
#define KERNELZERO_SEARCH_TUNER_H

#include "KernelZero/Experience/Experience.h"
#include "KernelZero/Search/Proposer.h"
#include "mlir/IR/MLIRContext.h"

#include <atomic>
#include <functional>

namespace kernelzero {

/// Where a run stands, for whoever draws it.
struct TuneProgress {
  enum class Phase { Preparing, Judging, Confirming };
  Phase phase = Phase::Judging;
  std::string task; ///< Its name.
  /// Trials that are done, those of an interrupted run included, and all there
  /// will be; 0 where time is the limit.
  int64_t trials = 0;
  int64_t totalTrials = 0;
  double trialsPerSecond = 0; ///< Of this process.
  double secondsLeft = 0;     ///< 0: not known yet.
  double taskSpeedup = 1;     ///< Best of the task so far, over its baseline.
  /// The same of the whole model: weighted times of the baselines over those of
  /// the best, over the tasks that have one.
  double modelSpeedup = 1;
};

struct TuneOptions {
  /// What is tuned, as the user spelled it: an interrupted run of it goes on.
  std::string model;
  const Target *target = nullptr;
  /// Empty: there is none, and candidates are modelled.
  std::string device = "host";
  /// Candidates over all tasks together, the skeletons included; 0 where
  /// `seconds` is the limit.
  int64_t trials = 64;
  /// Seconds that the search may take; a candidate that is being measured when
  /// they are over is finished, and the skeleton of every task is judged.
  double seconds = 0;
  uint64_t seed = 0;
  /// Folder of winners and experience.
  std::string store;
  /// How to start a worker.
  std::vector<std::string> worker;
  /// Hard limit on one candidate.
  double limitSeconds = 120;
  /// Candidates whose code is made at a time. It changes no proposal.
  int jobs = 1;
  /// Called for every line of progress.
  std::function<void(const std::string &)> progress;
  /// Called when anything of it changed.
  std::function<void(const TuneProgress &)> onProgress;
};

/// Everything that a run ends with.
struct TuneOutcome {
  std::vector<TaskResult> results;
  bool interrupted = false;
  /// Worker, device or store trouble that ended the run early.
  std::string trouble;
};

/// Tunes `tasks`: the skeleton of each first, then what is known, then
/// evolution, the trials spread by weight times the time above the roofline,
/// again in each round. Every record is in the store as soon as it is there, so
/// a run that was interrupted or killed goes on where it stopped when it is
/// asked for again; the winners are written at the end, also of a run that was
/// interrupted.
TuneOutcome tuneTasks(mlir::MLIRContext &context,
                      const std::vector<TaskInfo> &tasks,
                      const TuneOptions &options, Experience &experience,
                      const std::atomic<bool> &interrupted);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_TUNER_H
