//===- DrawProposer.h - proposals by chance alone --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_UNITTESTS_SEARCH_DRAWPROPOSER_H
#define KERNELZERO_UNITTESTS_SEARCH_DRAWPROPOSER_H

#include "KernelZero/Search/Proposer.h"

namespace kernelzero {

/// Random draws of the choices, legal together and none twice: what evolution
/// has to beat.
class DrawProposer : public Proposer {
public:
  explicit DrawProposer(uint64_t seed) : seed(seed) {}

  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    Tried tried(task, history);
    Random random = makeRandom(seed, task, tried);
    std::vector<Proposal> proposals;
    // A space may be smaller than the budget: so many misses in a row mean that
    // it is used up.
    for (int misses = 0; misses < 256 && int(proposals.size()) < count;) {
      std::optional<Proposal> proposal =
          tried.take(task, task.getSpace().draw(random), "draw");
      misses = proposal ? 0 : misses + 1;
      if (proposal)
        proposals.push_back(std::move(*proposal));
    }
    return proposals;
  }

private:
  uint64_t seed;
};

} // namespace kernelzero

#endif // KERNELZERO_UNITTESTS_SEARCH_DRAWPROPOSER_H
