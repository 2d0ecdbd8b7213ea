//===- Timing.h - from samples to verdicts --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_TIMING_H
#define KERNELZERO_JUDGE_TIMING_H

#include "KernelZero/Record/Record.h"

#include <chrono>
#include <vector>

namespace kernelzero {

inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Median of `samples`.
double getMedian(std::vector<double> samples);

/// Fills the speed-up of `record`, its interval and the verdict from its
/// samples and noise.
void decideVerdict(Record &record);

/// Ends tier 6 of a record that has its samples. Against itself the noise is
/// what they show and the verdict `same`. Times that are none (0, negative, not
/// a number) and times below `leastSeconds`, what the target can do, are no
/// measurement: the record is then ambiguous, without times, and says so.
void finishTiming(Record &record, double leastSeconds, bool againstItself);

/// Says where the clocks of `record` make its times unlike those of other
/// runs: more than a tenth below the highest, or moved by a twentieth.
void explainClocks(Record &record);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_TIMING_H
