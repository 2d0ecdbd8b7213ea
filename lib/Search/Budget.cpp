//===- Budget.cpp - which task gets the next trials -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Budget.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace kernelzero;

/// A best so near to its roofline is as good as it gets.
static constexpr double kAtRoofline = 1.05;
/// Trials without a better candidate after which a task is worth half.
static constexpr double kPatience = 16;
/// Trials of a round, and of a visit to a task, at least.
static constexpr int64_t kRound = 32, kVisit = 8;
/// Rounds that the trials are spread over, while they are large enough.
static constexpr int64_t kRounds = 4;

std::vector<int64_t>
kernelzero::spreadTrials(int64_t trials, const std::vector<double> &costs) {
  std::vector<int64_t> shares(costs.size(), 0);
  double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  if (trials <= 0 || total <= 0)
    return shares;
  std::vector<std::pair<double, size_t>> rest;
  int64_t given = 0;
  for (auto [index, cost] : llvm::enumerate(costs)) {
    double exact = trials * cost / total;
    shares[index] = static_cast<int64_t>(exact);
    given += shares[index];
    if (cost > 0)
      rest.push_back({shares[index] - exact, index});
  }
  llvm::sort(rest);
  for (size_t i = 0; given < trials; ++given, i = (i + 1) % rest.size())
    ++shares[rest[i].second];
  return shares;
}

double kernelzero::getCost(int64_t weight, double bestSeconds,
                           double rooflineSeconds, int64_t idle) {
  if (bestSeconds <= rooflineSeconds * kAtRoofline)
    return 0;
  return weight * (bestSeconds - rooflineSeconds) * kPatience /
         (kPatience + idle);
}

std::vector<int64_t> kernelzero::planRound(int64_t left,
                                           const std::vector<double> &costs,
                                           const std::vector<int64_t> &done) {
  std::vector<int64_t> shares(costs.size(), 0);
  int64_t round = std::min(
      left, std::max<int64_t>(kRound, llvm::divideCeil(left, kRounds)));
  int64_t total = left;
  for (auto [cost, had] : llvm::zip_equal(costs, done))
    total += cost > 0 ? had : 0;
  std::vector<int64_t> wanted = spreadTrials(total, costs);
  std::vector<std::pair<int64_t, size_t>> lacking;
  for (auto [index, want] : llvm::enumerate(wanted))
    if (costs[index] > 0)
      lacking.push_back({done[index] - want, index});
  // Those that lack most first; what they lack, but no less than a visit.
  llvm::sort(lacking);
  for (auto [excess, index] : lacking) {
    if (round <= 0)
      break;
    int64_t share = std::min(round, std::max(-excess, kVisit));
    shares[index] = share;
    round -= share;
  }
  // The rest of the round, where visits were not enough.
  if (round > 0 && !lacking.empty())
    shares[lacking.front().second] += round;
  return shares;
}

int kernelzero::getBatch(int64_t share) {
  return std::min<int64_t>(share, std::clamp<int64_t>(share / 4, 8, 32));
}
