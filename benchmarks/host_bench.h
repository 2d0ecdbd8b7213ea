//===- host_bench.h - what the host benchmarks share -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_HOST_BENCH_H
#define KERNELZERO_BENCHMARKS_HOST_BENCH_H

#include "KernelZero/Target/HostJIT.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kernelzero::bench {

/// Processor time of the steps from L0 to code, in milliseconds.
struct Latency {
  double schedule = 0, lower = 0, translate = 0, optimize = 0, generate = 0;
  double total() const {
    return schedule + lower + translate + optimize + generate;
  }
};

/// Applies the schedule in `scheduleFile` to the task in `task` and compiles
/// it. Prints what went wrong and returns null where it does not.
std::unique_ptr<HostKernel> build(const std::string &task,
                                  const std::string &scheduleFile,
                                  const HostOptions &options, Latency &latency);

/// Page-aligned floats, uniform in -1..1.
class Floats {
public:
  explicit Floats(int64_t count, unsigned seed = 1);
  ~Floats();
  Floats(const Floats &) = delete;
  float *data() const { return values; }
  int64_t size() const { return count; }

private:
  float *values;
  int64_t count;
};

/// Least and median times of two alternating programs, in milliseconds; with
/// `processorTime` those of this thread alone, for a machine that others use.
struct Timing {
  double ours = 0, oursMedian = 0, oursSpread = 0;
  double peer = 0, peerMedian = 0, peerSpread = 0;
};
Timing interleave(const std::function<void()> &ours,
                  const std::function<void()> &peer, double seconds,
                  bool processorTime);

/// The largest error relative to the largest magnitude of `reference`, and
/// whether every element is finite where the reference is.
double largestError(const float *values, const std::vector<double> &reference);

void printRow(const std::string &what, double flops, double bytes, double error,
              const Timing &timing, const Latency &latency);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_HOST_BENCH_H
