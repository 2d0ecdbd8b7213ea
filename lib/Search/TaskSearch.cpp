//===- TaskSearch.cpp - one task on its way -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/TaskSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelzero;

double kernelzero::getSeconds(const Record &record) {
  return record.verdict == Verdict::Modelled ? record.modelSeconds
                                             : record.seconds;
}

void TaskSearch::add(const Record &record) {
  bool isNew = trials.insert(record.id).second;
  bool isBaseline = hasBaseline && record.id == baseline.id;
  if (!isNew && !isBaseline) {
    // What was said of it before no longer counts.
    for (Record &earlier : history)
      if (earlier.id == record.id && earlier.verdict == Verdict::Faster)
        earlier.verdict = Verdict::Ambiguous;
    confirmed.insert(record.id);
  }
  history.push_back(record);
  if (!isCorrect(record.verdict))
    return;
  if (!hasBaseline) {
    hasBaseline = true;
    baseline = record;
    looks = 1;
  } else if (isBaseline) {
    ++looks;
    // Other work on the machine may have come in between: the calmest look is
    // the noise of the device.
    if (record.noise < baseline.noise)
      baseline = record;
  }
}

int64_t TaskSearch::countCorrect() const {
  std::set<std::string> ids;
  for (const Record &record : history)
    if (isCorrect(record.verdict))
      ids.insert(record.id);
  return ids.size();
}

const Record *TaskSearch::findBest() const {
  const Record *best = nullptr;
  for (const Record &record : history)
    if ((record.verdict == Verdict::Faster ||
         (record.verdict == Verdict::Modelled && record.speedup > 1)) &&
        (!best || record.speedup > best->speedup))
      best = &record;
  return best;
}

double TaskSearch::getBestSeconds() const {
  const Record *best = findBest();
  return best ? getSeconds(*best) : hasBaseline ? getSeconds(baseline) : 0;
}

double TaskSearch::getBestSpeedup() const {
  const Record *best = findBest();
  return best ? best->speedup : 1;
}

int64_t TaskSearch::countIdle() const {
  const Record *best = findBest();
  if (!best)
    best = getBaseline();
  std::set<std::string> before;
  for (const Record &record : history) {
    before.insert(record.id);
    if (best && record.id == best->id)
      break;
  }
  return getTrials() - before.size();
}

const Record *TaskSearch::findUnconfirmed() const {
  const Record *best = findBest();
  return best && best->verdict == Verdict::Faster && !confirmed.count(best->id)
             ? best
             : nullptr;
}

void TaskSearch::dropUnconfirmed() {
  for (Record &record : history)
    if (record.verdict == Verdict::Faster && !confirmed.count(record.id))
      record.verdict = Verdict::Ambiguous;
}
