//===- Tuner.h - from tasks to winners ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_TUNER_H
#define KERNELZERO_SEARCH_TUNER_H

#include "KernelZero/Experience/Experience.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Search/Proposer.h"
#include "mlir/IR/MLIRContext.h"

#include <functional>

namespace kernelzero {

struct TuneOptions {
  const Target *target = nullptr;
  std::string device = "host";
  /// Candidates over all tasks together, the skeletons included.
  int64_t trials = 64;
  uint64_t seed = 0;
  /// Folder of winners and experience.
  std::string store;
  /// How to start a worker.
  std::vector<std::string> worker;
  /// Hard limit on one candidate.
  double limitSeconds = 120;
  /// Called for every line of progress.
  std::function<void(const std::string &)> progress;
};

/// Everything that a run ends with.
struct TuneOutcome {
  std::vector<TaskResult> results;
  bool interrupted = false;
  /// Worker, device or store trouble that ended the run early.
  std::string trouble;
};

/// Tunes `tasks`: the skeleton of each first, then what is known, then draws,
/// the budget spread by weight times time. Every trial is in the store when the
/// next one starts; the winners are written at the end, also of a run that was
/// interrupted.
TuneOutcome tuneTasks(mlir::MLIRContext &context,
                      const std::vector<TaskInfo> &tasks,
                      const TuneOptions &options, Experience &experience,
                      const std::atomic<bool> &interrupted);

/// How many of `trials` each task gets: in proportion to its weight times its
/// time, whole numbers that add up.
std::vector<int64_t> spreadTrials(int64_t trials,
                                  const std::vector<double> &costs);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_TUNER_H
