//===- Budget.h - which task gets the next trials -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_BUDGET_H
#define KERNELZERO_SEARCH_BUDGET_H

#include <cstdint>
#include <vector>

namespace kernelzero {

/// How many of `trials` each task gets: in proportion to its cost, whole
/// numbers that add up.
std::vector<int64_t> spreadTrials(int64_t trials,
                                  const std::vector<double> &costs);

/// What the model may win by one task: its weight times the time of its best
/// above the roofline, the less the longer nothing better was found (`idle`
/// trials; halved after 16). 0 where the best is within a twentieth of the
/// roofline, which is 0 where it is not known.
double getCost(int64_t weight, double bestSeconds, double rooflineSeconds,
               int64_t idle);

/// The next round: of `left` trials about a quarter, to those tasks that had
/// fewest of what their costs are worth (`done` says what they had). No task is
/// visited for a handful of trials, as its data must be prepared for each
/// visit. Tasks without cost get nothing; the shares add up to more than 0
/// where any task has cost and trials are left.
std::vector<int64_t> planRound(int64_t left, const std::vector<double> &costs,
                               const std::vector<int64_t> &done);

/// How many candidates of a share of trials are proposed together: few, so that
/// later ones learn from earlier ones, but enough to compile side by side. It
/// depends on the share alone, so that the number of jobs changes no proposal.
int getBatch(int64_t share);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_BUDGET_H
