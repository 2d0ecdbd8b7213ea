//===- Timing.cpp - from samples to verdicts ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/Judge/Checks.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace kernelzero;

double kernelzero::getMedian(std::vector<double> samples) {
  if (samples.empty())
    return 0;
  std::sort(samples.begin(), samples.end());
  size_t half = samples.size() / 2;
  return samples.size() % 2 ? samples[half]
                            : (samples[half - 1] + samples[half]) / 2;
}

/// Farther from 1 nothing is the same, however much noise there is.
static constexpr double kMostSame = 0.1;

void kernelzero::decideVerdict(Record &record) {
  std::vector<double> ratios;
  size_t pairs = std::min(record.baselineSamples.size(), record.samples.size());
  for (size_t i = 0; i < pairs; ++i)
    if (record.samples[i] > 0)
      ratios.push_back(record.baselineSamples[i] / record.samples[i]);
  if (ratios.empty()) {
    record.verdict = Verdict::Ambiguous;
    return;
  }
  record.baselineSeconds = getMedian(record.baselineSamples);
  record.seconds = getMedian(record.samples);
  record.speedup = getMedian(ratios);
  // The notch of a box plot: about 95 % for the median, whatever the shape.
  std::sort(ratios.begin(), ratios.end());
  auto quantile = [&](double q) {
    double at = q * (ratios.size() - 1);
    size_t below = static_cast<size_t>(at);
    size_t above = std::min(below + 1, ratios.size() - 1);
    return ratios[below] + (at - below) * (ratios[above] - ratios[below]);
  };
  double half = 1.57 * (quantile(0.75) - quantile(0.25)) /
                std::sqrt(double(ratios.size()));
  record.speedupLow = std::max(record.speedup - half, 0.0);
  record.speedupHigh = record.speedup + half;
  if (record.speedupLow > 1 + record.noise)
    record.verdict = Verdict::Faster;
  else if (record.speedupHigh < 1 - record.noise)
    record.verdict = Verdict::Slower;
  else if (double room = std::min(record.noise, kMostSame);
           record.speedupLow >= 1 - room && record.speedupHigh <= 1 + room)
    record.verdict = Verdict::Same;
  else
    record.verdict = Verdict::Ambiguous;
}

void kernelzero::explainClocks(Record &record) {
  // Boost clocks move by a few percent on their own.
  constexpr double kHeldBack = 0.9, kDrift = 0.05;
  const Clocks &clocks = record.evidence.clocks;
  double slowest = std::min(clocks.before, clocks.after);
  if (slowest <= 0)
    return;
  if (clocks.highest > 0 && slowest < kHeldBack * clocks.highest)
    addSentence(record,
                llvm::formatv("the clock was {0:f0} MHz of {1:f0}: the ratio "
                              "stands, the time is not that of an idle GPU",
                              slowest, clocks.highest)
                    .str());
  else if (std::fabs(clocks.after - clocks.before) > kDrift * clocks.before)
    addSentence(record,
                llvm::formatv("the clock moved from {0:f0} to {1:f0} MHz "
                              "meanwhile: the ratio stands, the time is one "
                              "between two",
                              clocks.before, clocks.after)
                    .str());
}

/// A time is no measurement where it is no positive number.
static bool isTime(double seconds) {
  return std::isfinite(seconds) && seconds > 0;
}

void kernelzero::finishTiming(Record &record, double leastSeconds,
                              bool againstItself) {
  auto refuse = [&](const std::string &sentence) {
    record.baselineSamples.clear();
    record.samples.clear();
    record.baselineSeconds = record.seconds = 0;
    record.speedup = record.speedupLow = record.speedupHigh = 0;
    failTier(record, 6, Verdict::Ambiguous, sentence);
  };
  for (const std::vector<double> *samples :
       {&record.baselineSamples, &record.samples})
    for (double seconds : *samples)
      if (!isTime(seconds))
        return refuse(llvm::formatv("a run was timed at {0} seconds, which is "
                                    "no time; the measurement does not count",
                                    seconds)
                          .str());
  decideVerdict(record);
  if (record.samples.empty())
    return refuse("nothing was timed");
  // The bound holds for data sheet rates; chips and clocks vary a little.
  constexpr double kSlack = 0.8;
  if (std::min(record.seconds, record.baselineSeconds) < kSlack * leastSeconds)
    return refuse(
        llvm::formatv("timed at {0:f3} us, which is below the {1:f3} us that "
                      "the target needs at least; the measurement does not "
                      "count",
                      std::min(record.seconds, record.baselineSeconds) * 1e6,
                      leastSeconds * 1e6)
            .str());
  if (againstItself) {
    // What differs is noise.
    constexpr double kLeastNoise = 0.005;
    record.noise = std::max({kLeastNoise, std::fabs(1 - record.speedupLow),
                             std::fabs(record.speedupHigh - 1)});
    record.verdict = Verdict::Same;
  }
  passTier(record, 6);
}
