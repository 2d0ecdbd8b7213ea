//===- Known.h - what earlier runs found out ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_KNOWN_H
#define KERNELZERO_SEARCH_KNOWN_H

#include "KernelZero/Search/Proposer.h"

namespace kernelzero {

/// What the name of a task says of it: `matmul_nt_add_128x512x1024_f32`.
struct Problem {
  std::string stem; ///< `matmul_nt_add`
  std::vector<int64_t> sizes;
  std::string element;
};
/// Nothing where the name is of no such form.
std::optional<Problem> parseProblem(const std::string &taskName);

/// How far two problems are apart: the sum over the sizes of the logarithm of
/// their ratio, and 1 where what surrounds the operation differs. Nothing where
/// they have not the same number of sizes, or another element type.
std::optional<double> getDistance(const Problem &a, const Problem &b);

/// Records of one target, by task.
class Known {
public:
  void add(const Record &record);
  /// An entry of a library, which may come without the records that led to it.
  void add(const Winner &winner);

  int64_t countRecords() const { return records; }
  int64_t countTasks() const { return tasksWithRecords; }
  /// What failed by itself and would fail again under `toolchain`. A candidate
  /// whose worker was lost is not among it.
  History getFailures(const std::string &taskKey,
                      const std::string &toolchain) const;
  /// The fastest candidates of a task, at most `count`, the best first. None
  /// counts as fast that was found not to be when it was measured again.
  std::vector<Record> getBest(const std::string &taskKey, size_t count) const;
  /// The best of each of the nearest other tasks of the same class, at most
  /// `count`.
  std::vector<Record> getNeighbours(const TaskInfo &task, size_t count) const;

private:
  struct Task {
    std::string name;
    std::vector<Record> records; ///< In the order that they were added.
    std::vector<Record> winners; ///< Entries of libraries, as far as they go.
  };
  std::map<std::string, Task> tasks;
  int64_t records = 0, tasksWithRecords = 0;
};

/// The best candidates of the same task (`known`), then those of near tasks
/// with their values as near as this skeleton has them (`near`).
std::unique_ptr<Proposer> makeKnownProposer(const Known &known);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_KNOWN_H
