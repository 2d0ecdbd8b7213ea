//===- gpu_report.h - times and checks of one GPU case ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_GPU_REPORT_H
#define KERNELZERO_BENCHMARKS_GPU_REPORT_H

#include "gpu_case.h"
#include <optional>

namespace kernelzero::bench {

/// Microseconds of many runs.
struct Distribution {
  std::vector<double> samples;
  double median() const { return quantile(0.5); }
  double quantile(double q) const;
  /// Distance of the quartiles over the median.
  double spread() const;
};

struct Report {
  std::string file, device, target;
  int64_t capability = 0; ///< Of the target.
  std::optional<GpuCase> plan;
  std::optional<Comparison> comparison;
  std::string reference;           ///< How the reference was made.
  std::vector<std::string> faults; ///< Guards overwritten, inputs changed, …
  Distribution ours;
  std::string peer; ///< Empty: none.
  Distribution theirs;
  std::vector<LoadedKernel> kernels;
  std::vector<std::pair<std::string, double>> compileSteps;
  double loadMilliseconds = 0;

  /// Peer's median over ours: above one, we are faster.
  double ratio() const;
  bool passed() const {
    return faults.empty() && (!comparison || comparison->passed());
  }
};

/// One line of the table, the same columns for every case.
std::string tableHead();
std::string tableLine(const Report &report);
/// The report as a JSON document.
std::string toJSON(const Report &report);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_GPU_REPORT_H
