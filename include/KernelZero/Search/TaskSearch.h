//===- TaskSearch.h - one task on its way ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_TASKSEARCH_H
#define KERNELZERO_SEARCH_TASKSEARCH_H

#include "KernelZero/Search/Proposer.h"

namespace kernelzero {

/// What is known of one task while it is tuned. All of it follows from its
/// records, so a run that goes on after an interruption is told the records
/// that it has and stands where it stood.
class TaskSearch {
public:
  SearchTask task;
  std::string refusal; ///< Why it cannot be tuned at all.
  bool usedUp = false; ///< No proposer knows any more.

  /// Takes what the judge said. The first record of a candidate is a trial. A
  /// further one of the baseline is another look at the noise, of which the
  /// calmest counts; a further one of another candidate is its confirmation,
  /// and takes back what was said before.
  void add(const Record &record);

  const History &getHistory() const { return history; }
  int64_t getTrials() const { return trials.size(); }
  int64_t countCorrect() const;
  /// The first correct candidate, by rule the skeleton; null before.
  const Record *getBaseline() const {
    return hasBaseline ? &baseline : nullptr;
  }
  /// How often the baseline was measured against itself.
  int getLooks() const { return looks; }

  /// The candidate that beat the baseline by most, on the device or in the
  /// model; null where none did.
  const Record *findBest() const;
  /// Seconds of the best, or of the baseline where nothing beat it.
  double getBestSeconds() const;
  double getBestSpeedup() const;
  /// Trials since the best was found.
  int64_t countIdle() const;
  /// The best where it was not measured again yet: of many noisy times the best
  /// one flatters. Null where it was, or is modelled.
  const Record *findUnconfirmed() const;
  /// Claims that were never measured again do not stand.
  void dropUnconfirmed();

private:
  History history;
  std::set<std::string> trials, confirmed;
  Record baseline;
  bool hasBaseline = false;
  int looks = 0;
};

/// Seconds that the record claims: measured, or modelled.
double getSeconds(const Record &record);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_TASKSEARCH_H
