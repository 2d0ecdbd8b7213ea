//===- SearchTest.cpp - proposals and their budget ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DrawProposer.h"
#include "SearchFixture.h"

using namespace mlir;
using namespace kernelzero;

namespace {
class SearchTest : public SearchFixture {
protected:
  std::vector<std::string> draw(uint64_t seed, int count) {
    std::unique_ptr<Proposer> proposer = std::make_unique<DrawProposer>(seed);
    std::vector<std::string> schedules;
    for (const Proposal &proposal : proposer->propose(task, {}, count))
      schedules.push_back(proposal.schedule);
    return schedules;
  }
};
} // namespace

TEST_F(SearchTest, SameSeedSameProposals) {
  std::vector<std::string> first = draw(7, 10);
  EXPECT_EQ(first.size(), 10u);
  EXPECT_EQ(first, draw(7, 10));
  EXPECT_NE(first, draw(8, 10));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(),
            first.size());
}

TEST_F(SearchTest, DrawsAreLegalConcreteAndApply) {
  std::unique_ptr<Proposer> proposer = std::make_unique<DrawProposer>(0);
  for (const Proposal &proposal : proposer->propose(task, {}, 12)) {
    EXPECT_EQ(proposal.origin, "draw");
    EXPECT_FALSE(
        explainIllegal(task.getFunction(), *task.target, proposal.knobs));
    EXPECT_EQ(proposal.schedule.find("tune.knob"), std::string::npos);
    ScheduleError error;
    auto module = parseSchedule(&context, proposal.schedule, error);
    ASSERT_TRUE(module);
    EXPECT_TRUE(
        applySchedule(task.getFunction(), findSchedule(*module, error), error))
        << proposal.schedule << error.sentences.front();
  }
}

TEST_F(SearchTest, DrawsEndWithTheSpace) {
  size_t space = task.getSpace().count(100000);
  size_t drawn = draw(0, 100000).size();
  EXPECT_GT(drawn, 10u);
  EXPECT_LE(drawn, space);
}

TEST_F(SearchTest, TheSkeletonComesOnce) {
  std::unique_ptr<Proposer> proposer = makeSkeletonProposer();
  std::vector<Proposal> proposals = proposer->propose(task, {}, 3);
  ASSERT_EQ(proposals.size(), 1u);
  EXPECT_EQ(proposals[0].knobs, task.getSpace().getDefaults());
  Record record;
  record.id = proposals[0].id;
  EXPECT_TRUE(proposer->propose(task, {record}, 3).empty());
}

TEST_F(SearchTest, TheModelChoosesMostOfABatch) {
  auto choose = [](std::map<std::string, double> seconds, size_t count) {
    std::vector<Proposal> proposals;
    for (const char *id : {"a", "b", "c", "d", "e", "f", "g", "h"})
      proposals.push_back({id, "", "evolution", {}});
    std::string ids;
    for (const Proposal &kept : chooseScreened(proposals, seconds, count))
      ids += kept.id;
    return ids;
  };
  // Three by the model, and the first that was proposed, in their order.
  std::map<std::string, double> seconds = {{"a", 8}, {"b", 7}, {"c", 6},
                                           {"d", 5}, {"e", 4}, {"f", 3},
                                           {"g", 2}, {"h", 1}};
  EXPECT_EQ(choose(seconds, 4), "afgh");
  EXPECT_EQ(choose(seconds, 8), "abcdefgh");
  // What cannot be told apart leaves room for what is nearly as good.
  for (const char *id : {"e", "f", "g", "h"})
    seconds[id] = 1;
  seconds["d"] = 1.15;
  EXPECT_EQ(choose(seconds, 4), "adef");
  // What failed is for the time when there is nothing else.
  EXPECT_EQ(choose({{"c", 2}, {"h", 1}}, 3), "ach");
  EXPECT_EQ(choose({}, 2), "ab");
}

TEST_F(SearchTest, RegistersLimitTheTile) {
  std::map<std::string, int64_t> values = {{"tile_m", 16}, {"tile_n", 512}};
  std::optional<std::string> reason =
      explainIllegal(task.getFunction(), *task.target, values);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("vector registers, host has"), std::string::npos);
}
