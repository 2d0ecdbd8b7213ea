//===- Checks.cpp - is what a candidate computes right --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Checks.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace kernelzero;

void kernelzero::addSentence(Record &record, const std::string &text) {
  constexpr size_t kMost = 10;
  if (record.sentences.size() < kMost && !text.empty())
    record.sentences.push_back(text);
}

static void setTier(Record &record, int number, const char *state,
                    const std::string &note) {
  for (Tier &tier : record.tiers)
    if (tier.number == number) {
      tier.state = state;
      tier.note = note;
      return;
    }
  record.tiers.push_back({number, state, note});
}

void kernelzero::passTier(Record &record, int tier, const std::string &note) {
  setTier(record, tier, "passed", note);
}

void kernelzero::failTier(Record &record, int tier, Verdict verdict,
                          const std::string &sentence) {
  record.verdict = verdict;
  record.failedTier = tier;
  // What never ran was judged on no data.
  if (tier < 4)
    record.judgedOn.clear();
  addSentence(record, sentence);
  setTier(record, tier, "failed",
          record.sentences.empty() ? sentence : record.sentences.front());
  for (Tier &later : record.tiers)
    if (later.number > tier) {
      later.state = "not run";
      later.note.clear();
    }
}

void kernelzero::skipTier(Record &record, int tier, const std::string &note) {
  setTier(record, tier, "not run", note);
}

static std::string describeIndex(RankedTensorType type, int64_t flat) {
  SmallVector<int64_t> index(type.getRank());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    index[dim] = flat % type.getDimSize(dim);
    flat /= type.getDimSize(dim);
  }
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

/// What a result that looks like this hints at; empty where it hints at
/// nothing.
static std::string guessCause(const ReferenceTensor &reference,
                              const Comparison &comparison, const void *data,
                              uint8_t poison) {
  Type element = reference.type.getElementType();
  int64_t size = getElementBytes(element);
  const auto *bytes = static_cast<const uint8_t *>(data);
  auto isUntouched = [&](int64_t at) {
    for (int64_t i = 0; i < size; ++i)
      if (bytes[at * size + i] != poison)
        return false;
    return true;
  };
  int64_t untouched = 0, zeros = 0;
  for (int64_t i = 0; i < comparison.elements; ++i) {
    untouched += isUntouched(i);
    bool zero = true;
    for (int64_t b = 0; b < size; ++b)
      zero &= bytes[i * size + b] == 0;
    zeros += zero;
  }
  if (untouched == comparison.elements)
    return "; no element was written";
  if (untouched && untouched >= comparison.wrong)
    return "; " + std::to_string(untouched) +
           " elements were never written: tiles or rows are left out";
  if (zeros == comparison.elements)
    return "; all elements are zero";
  if (comparison.wrong == comparison.elements)
    return "; every element is off: an operand is read at the wrong place, or "
           "steps of the sum are left out";
  if (std::isnan(comparison.expected) != std::isnan(comparison.got))
    return "; a NaN is out of place: a comparison drops it, or a value that "
           "does not belong to the sum is multiplied by 0";
  // Half the digits of the form that the tolerance is for.
  if (comparison.largestRatio < 1e5)
    return "; the error is " +
           llvm::formatv("{0:f1}", comparison.largestRatio).str() +
           " times the tolerance: sums or functions are computed in too narrow "
           "a form";
  return "";
}

static bool compareSet(const InputSet &set, const RunResult &result,
                       uint8_t poison, bool isFirst, Record &record) {
  bool right = true;
  for (auto [number, data] : llvm::enumerate(result.outputs)) {
    const ReferenceTensor &reference = set.references[number];
    Comparison comparison = compareWithReference(reference, data);
    record.compared += comparison.elements;
    record.elements += comparison.elements;
    if (isFirst)
      record.largestError =
          std::max(record.largestError, comparison.largestError);
    record.errorRatio =
        std::max(record.errorRatio, std::min(comparison.largestRatio, 1e300));
    if (!comparison.wrong)
      continue;
    right = false;
    failTier(record, set.tier, Verdict::Wrong,
             llvm::formatv("result {0} on {1}: {2} of {3} elements are off, "
                           "most at {4}: expected {5:e}, got {6:e}{7}",
                           number, set.name, comparison.wrong,
                           comparison.elements,
                           describeIndex(reference.type, comparison.worstIndex),
                           comparison.expected, comparison.got,
                           guessCause(reference, comparison, data, poison))
                 .str());
  }
  return right;
}

bool kernelzero::checkResults(const PreparedTask &task, const RunOnce &run,
                              int lastTier, Record &record, int runs) {
  for (const InputSet &set : task.sets) {
    bool isFirst = &set == &task.sets.front();
    if (set.tier > lastTier)
      break;
    // What should be NaN must not be so for want of a write.
    uint8_t poison = set.hasNaN ? kNumberPoison : kNaNPoison;
    std::vector<std::vector<char>> first;
    for (int turn = 0; turn < (isFirst && lastTier > 4 ? runs : 1); ++turn) {
      RunResult result = run(set, poison);
      if (!result.failure.empty()) {
        failTier(record, set.tier, Verdict::Crashed, result.failure);
        return false;
      }
      if (!result.offence.empty()) {
        failTier(record, set.tier, Verdict::Wrong, result.offence);
        return false;
      }
      if (turn == 0) {
        if (!compareSet(set, result, poison, isFirst, record))
          return false;
        if (isFirst && lastTier > 4)
          for (auto [data, type] :
               llvm::zip_equal(result.outputs, task.results)) {
            const char *begin = static_cast<const char *>(data);
            first.emplace_back(
                begin, begin + type.getNumElements() *
                                   getElementBytes(type.getElementType()));
          }
        continue;
      }
      for (auto [number, bytes] : llvm::enumerate(first)) {
        const char *again = static_cast<const char *>(result.outputs[number]);
        if (!std::memcmp(again, bytes.data(), bytes.size()))
          continue;
        int64_t at = 0;
        while (again[at] == bytes[at])
          ++at;
        RankedTensorType type = task.results[number];
        failTier(record, 5, Verdict::Wrong,
                 "run " + std::to_string(turn + 1) +
                     " over the same inputs gave another result " +
                     std::to_string(number) + ", first at " +
                     describeIndex(
                         type, at / getElementBytes(type.getElementType())) +
                     ": threads race, or memory is read before it is written");
        return false;
      }
    }
    if (isFirst)
      passTier(record, 4);
  }
  if (lastTier > 4)
    passTier(record, 5);
  return true;
}

RunOnce kernelzero::runOnHost(const PreparedTask &task, HostFunction function) {
  // The buffers of the last run stay, so that the next ones lie elsewhere.
  auto outputs = std::make_shared<std::vector<Buffer>>();
  return [&task, function, outputs](const InputSet &set, uint8_t poison) {
    RunResult result;
    std::vector<Buffer> fresh;
    std::vector<void *> pointers;
    for (const Buffer &buffer : set.inputs)
      pointers.push_back(buffer.data());
    for (RankedTensorType type : task.results) {
      Buffer &buffer = fresh.emplace_back();
      if (!buffer.allocate(type)) {
        result.failure = "there is no memory for a result";
        return result;
      }
      std::memset(buffer.data(), poison, buffer.bytes());
      pointers.push_back(buffer.data());
    }
    function(pointers);
    for (auto [number, buffer] : llvm::enumerate(fresh)) {
      result.outputs.push_back(buffer.data());
      if (!buffer.areEdgesIntact() && result.offence.empty())
        result.offence = "result " + std::to_string(number) +
                         " was written beyond its last element";
    }
    *outputs = std::move(fresh);
    return result;
  };
}
