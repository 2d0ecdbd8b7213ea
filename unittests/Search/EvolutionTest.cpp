//===- EvolutionTest.cpp - better candidates from good ones ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DrawProposer.h"
#include "SearchFixture.h"

#include <cmath>

using namespace mlir;
using namespace kernelzero;

namespace {
class EvolutionTest : public SearchFixture {
protected:
  using Judge = std::function<Record(const Proposal &)>;

  /// A run of `trials`, `batch` at a time, the skeleton first.
  History run(Proposer &proposer, SearchTask &task, int trials, int batch,
              const Judge &judge, bool backwards = false) {
    History history;
    for (const Proposal &first : makeSkeletonProposer()->propose(task, {}, 1))
      history.push_back(judge(first));
    while (int(history.size()) < trials) {
      std::vector<Proposal> proposals = proposer.propose(
          task, history, std::min<int>(batch, trials - history.size()));
      if (proposals.empty())
        break;
      if (backwards)
        std::reverse(proposals.begin(), proposals.end());
      for (const Proposal &proposal : proposals)
        history.push_back(judge(proposal));
    }
    return history;
  }

  static Record makeRecord(const Proposal &proposal, Verdict verdict,
                           double speedup) {
    Record record;
    record.id = proposal.id;
    record.schedule = proposal.schedule;
    record.origin = proposal.origin;
    record.knobs = proposal.knobs;
    record.verdict = verdict;
    record.speedup = speedup;
    return record;
  }
  /// Each knob has a best value, and two of them are only good together.
  static Record judgeLandscape(const Proposal &proposal) {
    double cost = 0;
    for (const auto &[name, value] : proposal.knobs) {
      int best = (name.size() + name.back()) % 3;
      cost += std::abs(std::log2(value + 1.0) - (2 + 2.0 * best)) / 2;
    }
    auto m = proposal.knobs.find("tile_m"), n = proposal.knobs.find("tile_n");
    if (m != proposal.knobs.end() && n != proposal.knobs.end())
      cost += std::abs(std::log2(double(m->second) / n->second));
    return makeRecord(proposal, Verdict::Faster, std::exp(-cost / 2));
  }
  static double findBest(const History &history) {
    double best = 0;
    for (const Record &record : history)
      best = std::max(best, record.speedup);
    return best;
  }
  static std::set<std::string> getIds(const History &history) {
    std::set<std::string> ids;
    for (const Record &record : history)
      ids.insert(record.id);
    return ids;
  }
};
} // namespace

TEST_F(EvolutionTest, BeatsDrawsAtEqualTrials) {
  SearchTask gpu;
  fill(gpu, "sm_80");
  int wins = 0;
  double evolved = 0, drawn = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    double e =
        findBest(run(*makeEvolutionProposer(seed), gpu, 64, 8, judgeLandscape));
    double d = findBest(
        run(*std::make_unique<DrawProposer>(seed), gpu, 64, 8, judgeLandscape));
    wins += e > d;
    evolved += e;
    drawn += d;
  }
  EXPECT_GE(wins, 5);
  EXPECT_GT(evolved, 1.1 * drawn);
}

TEST_F(EvolutionTest, SameHistorySameProposals) {
  auto ids = [&](uint64_t seed, bool backwards) {
    return getIds(run(*makeEvolutionProposer(seed), task, 33, 8, judgeLandscape,
                      backwards));
  };
  std::set<std::string> first = ids(3, false);
  EXPECT_EQ(first.size(), 33u);
  EXPECT_EQ(first, ids(3, false));
  // The order in which a batch comes back changes nothing.
  EXPECT_EQ(first, ids(3, true));
  EXPECT_NE(first, ids(4, false));
}

TEST_F(EvolutionTest, ProposesLegalConcreteAndNewOnly) {
  std::set<std::string> seen;
  for (const Record &record :
       run(*makeEvolutionProposer(1), task, 60, 8, judgeLandscape)) {
    EXPECT_TRUE(seen.insert(record.id).second);
    EXPECT_EQ(record.schedule.find("transform.tune"), std::string::npos);
    EXPECT_FALSE(
        explainIllegal(task.getFunction(), *task.target, record.knobs));
  }
}

TEST_F(EvolutionTest, EndsWithTheLastCandidateOfTheSpace) {
  size_t legal = 0;
  for (const Choices &choices : task.getSpace().enumerate())
    legal += task.getSpace().isLegal(choices);
  ASSERT_GT(legal, 20u);
  History history =
      run(*makeEvolutionProposer(0), task, 100000, 64, judgeLandscape);
  EXPECT_EQ(history.size(), legal);
}

TEST_F(EvolutionTest, KeepsAwayFromWhatFails) {
  // Everything with four steps of the sum unrolled crashes.
  auto judge = [&](const Proposal &proposal) {
    return proposal.knobs.at("tile_k") == 4
               ? makeRecord(proposal, Verdict::Crashed, 0)
               : judgeLandscape(proposal);
  };
  History history = run(*makeEvolutionProposer(2), task, 60, 4, judge);
  ASSERT_EQ(history.size(), 60u);
  auto count = [](auto begin, auto end) {
    return std::count_if(begin, end, [](const Record &record) {
      return record.verdict == Verdict::Crashed;
    });
  };
  int64_t early = count(history.begin(), history.begin() + 20);
  int64_t late = count(history.begin() + 20, history.end());
  EXPECT_GE(early, 2);
  EXPECT_LE(late, 4);
}

TEST_F(EvolutionTest, FailuresOfEarlierRunsAreNotTriedAgain) {
  History first = run(*makeEvolutionProposer(5), task, 20, 4, judgeLandscape);
  SearchTask again;
  fill(again);
  // The skeleton itself is always tried.
  again.failures.assign(first.begin() + 1, first.end());
  for (Record &record : again.failures)
    record.verdict = Verdict::Uncompilable;
  std::set<std::string> failed = getIds(again.failures);
  for (const Record &record :
       run(*makeEvolutionProposer(5), again, 30, 4, judgeLandscape))
    EXPECT_FALSE(failed.count(record.id));
}
