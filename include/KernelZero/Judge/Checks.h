//===- Checks.h - is what a candidate computes right ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_CHECKS_H
#define KERNELZERO_JUDGE_CHECKS_H

#include "KernelZero/Judge/PreparedTask.h"
#include "llvm/ADT/ArrayRef.h"

#include <functional>

namespace kernelzero {

/// What one run of a candidate left.
struct RunResult {
  /// The results' bytes on the host; they live until the next run.
  std::vector<const void *> outputs;
  /// What it did that no kernel may do (it wrote beyond a result, it changed an
  /// input), in a sentence.
  std::string offence;
  /// The device failed; nothing else was seen.
  std::string failure;
};

/// Runs a candidate once over the inputs of `set`, into results at fresh
/// addresses that are filled with the byte `poison` and stand between guards.
using RunOnce = std::function<RunResult(const InputSet &set, uint8_t poison)>;

/// A NaN in every floating-point format, and a number in every one.
constexpr uint8_t kNaNPoison = 0xFF, kNumberPoison = 0x55;

/// Tiers 4 and 5: every set of inputs, whole results, and `runs` over the first
/// set compared bit for bit. The first difference goes into the record. Tiers
/// above `lastTier` are left out.
bool checkResults(const PreparedTask &task, const RunOnce &run, int lastTier,
                  Record &record, int runs = 3);

/// A kernel on the host: takes the addresses of inputs, then outputs.
using HostFunction = std::function<void(llvm::ArrayRef<void *>)>;
/// Runs it between guard pages; inputs are read-only pages.
RunOnce runOnHost(const PreparedTask &task, HostFunction function);

/// Adds a sentence where fewer than ten stand there.
void addSentence(Record &record, const std::string &text);
/// Sets the state of a tier. `failed` also sets the verdict and the first tier
/// that failed, and the tiers behind it are not run.
void passTier(Record &record, int tier, const std::string &note = "");
void failTier(Record &record, int tier, Verdict verdict,
              const std::string &sentence);
void skipTier(Record &record, int tier, const std::string &note);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_CHECKS_H
