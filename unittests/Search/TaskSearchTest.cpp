//===- TaskSearchTest.cpp - what records make of a task -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/TaskSearch.h"
#include "KernelZero/Search/Budget.h"
#include "KernelZero/Search/Known.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace kernelzero;

static Record makeRecord(const std::string &id, Verdict verdict,
                         double speedup = 1, double noise = 0) {
  Record record;
  record.id = id;
  record.taskKey = "key";
  record.verdict = verdict;
  record.speedup = speedup;
  record.seconds = 1 / speedup;
  record.noise = noise;
  record.knobs = {{"m", 8}};
  return record;
}

TEST(TaskSearchTest, CountsTrialsLooksAndConfirmations) {
  TaskSearch search;
  EXPECT_FALSE(search.getBaseline());
  search.add(makeRecord("base", Verdict::Same, 1, 0.2));
  search.add(makeRecord("base", Verdict::Same, 1, 0.1));
  search.add(makeRecord("base", Verdict::Same, 1, 0.3));
  EXPECT_EQ(search.getTrials(), 1);
  EXPECT_EQ(search.getLooks(), 3);
  EXPECT_EQ(search.getBaseline()->noise, 0.1);
  search.add(makeRecord("a", Verdict::Faster, 2));
  search.add(makeRecord("b", Verdict::Faster, 1.5));
  search.add(makeRecord("c", Verdict::Crashed));
  EXPECT_EQ(search.getTrials(), 4);
  EXPECT_EQ(search.countIdle(), 2);
  EXPECT_EQ(search.countCorrect(), 3);
  ASSERT_TRUE(search.findUnconfirmed());
  EXPECT_EQ(search.findUnconfirmed()->id, "a");
  // It was luck.
  search.add(makeRecord("a", Verdict::Same, 1));
  EXPECT_EQ(search.getTrials(), 4);
  EXPECT_EQ(search.findBest()->id, "b");
  search.add(makeRecord("b", Verdict::Faster, 1.4));
  EXPECT_FALSE(search.findUnconfirmed());
  EXPECT_EQ(search.getBestSpeedup(), 1.4);
  EXPECT_EQ(search.getBestSeconds(), 1 / 1.4);
  search.add(makeRecord("d", Verdict::Faster, 3));
  search.dropUnconfirmed();
  EXPECT_EQ(search.findBest()->id, "b");
}

TEST(TaskSearchTest, ModelledBestNeedsNoConfirmation) {
  TaskSearch search;
  Record baseline = makeRecord("base", Verdict::Modelled);
  baseline.modelSeconds = 4;
  search.add(baseline);
  EXPECT_FALSE(search.findBest());
  Record better = makeRecord("a", Verdict::Modelled, 2);
  better.modelSeconds = 2;
  search.add(better);
  EXPECT_EQ(search.findBest()->id, "a");
  EXPECT_FALSE(search.findUnconfirmed());
  EXPECT_EQ(search.getBestSeconds(), 2);
}

TEST(BudgetTest, SpreadsByCostAndAddsUp) {
  EXPECT_EQ(spreadTrials(10, {3, 1, 1}), (std::vector<int64_t>{6, 2, 2}));
  EXPECT_EQ(spreadTrials(0, {1}), (std::vector<int64_t>{0}));
  EXPECT_EQ(spreadTrials(5, {0, 0}), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(spreadTrials(5, {0, 2}), (std::vector<int64_t>{0, 5}));
  for (int64_t trials : {1, 7, 100}) {
    std::vector<int64_t> shares = spreadTrials(trials, {0.1, 5, 2.2, 0.7});
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), int64_t(0)),
              trials);
  }
}

TEST(BudgetTest, CostIsWhatIsAboveTheRoofline) {
  EXPECT_EQ(getCost(3, 2, 0, 0), 6);
  EXPECT_EQ(getCost(3, 2, 1, 0), 3);
  EXPECT_EQ(getCost(3, 2, 1, 16), 1.5);
  EXPECT_EQ(getCost(3, 1.04, 1, 0), 0);
  EXPECT_EQ(getCost(3, 0, 0, 0), 0);
}

TEST(BudgetTest, RoundsGoWhereTrialsLack) {
  auto sum = [](const std::vector<int64_t> &shares) {
    return std::accumulate(shares.begin(), shares.end(), int64_t(0));
  };
  // A quarter a round, at least 32 trials, never more than are left.
  EXPECT_EQ(sum(planRound(1000, {1, 1}, {0, 0})), 250);
  EXPECT_EQ(sum(planRound(60, {1, 1}, {0, 0})), 32);
  EXPECT_EQ(sum(planRound(5, {1, 1}, {0, 0})), 5);
  EXPECT_EQ(sum(planRound(0, {1, 1}, {0, 0})), 0);
  EXPECT_EQ(sum(planRound(10, {0, 0}, {3, 3})), 0);
  // Who had more than its part waits.
  EXPECT_EQ(planRound(32, {1, 1}, {40, 8}), (std::vector<int64_t>{0, 32}));
  // A small task is not visited for one trial.
  std::vector<int64_t> shares = planRound(100, {10, 0.1}, {1, 1});
  EXPECT_TRUE(shares[1] == 0 || shares[1] >= 8);
  EXPECT_EQ(planRound(40, {0, 1}, {0, 0}), (std::vector<int64_t>{0, 32}));
}

TEST(BudgetTest, BatchesFollowFromTheShare) {
  EXPECT_EQ(getBatch(3), 3);
  EXPECT_EQ(getBatch(8), 8);
  EXPECT_EQ(getBatch(20), 8);
  EXPECT_EQ(getBatch(64), 16);
  EXPECT_EQ(getBatch(1000), 32);
}

TEST(KnownTest, NamesTellProblemsAndDistances) {
  std::optional<Problem> problem =
      parseProblem("matmul_nt_add_maximum_128x512x1024_f32");
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->stem, "matmul_nt_add_maximum");
  EXPECT_EQ(problem->sizes, (std::vector<int64_t>{128, 512, 1024}));
  EXPECT_EQ(problem->element, "f32");
  EXPECT_FALSE(parseProblem("elementwise_scalar_f32"));
  auto distance = [&](const std::string &name) {
    return getDistance(*problem, *parseProblem(name));
  };
  EXPECT_EQ(distance("matmul_nt_add_maximum_128x512x1024_f32"), 0);
  EXPECT_EQ(distance("matmul_nt_add_maximum_64x1024x1024_f32"), 2);
  EXPECT_EQ(distance("matmul_nt_128x512x1024_f32"), 1);
  EXPECT_FALSE(distance("matmul_nt_add_maximum_128x512x1024_f16"));
  EXPECT_FALSE(distance("matmul_nt_add_maximum_512x1024_f32"));
}

TEST(KnownTest, WhatWasSaidLastCounts) {
  Known known;
  auto add = [&](const std::string &task, const std::string &id,
                 Verdict verdict, double speedup, int tier = -1) {
    Record record = makeRecord(id, verdict, speedup);
    record.taskKey = record.taskName = task;
    record.failedTier = tier;
    record.evidence.toolchain = "here";
    known.add(record);
  };
  add("matmul_nn_64x64x64_f32", "a", Verdict::Faster, 3);
  add("matmul_nn_64x64x64_f32", "b", Verdict::Faster, 2);
  add("matmul_nn_64x64x64_f32", "a", Verdict::Same, 1);
  add("matmul_nn_64x64x64_f32", "c", Verdict::Wrong, 0, 4);
  add("matmul_nn_64x64x64_f32", "d", Verdict::Crashed, 0, 0);
  add("matmul_nn_4096x64x64_f32", "e", Verdict::Faster, 9);
  add("matmul_nn_64x64x32_f16", "f", Verdict::Faster, 9);
  add("batch_matmul_nn_64x64x32_f32", "g", Verdict::Faster, 9);
  EXPECT_EQ(known.countTasks(), 4);
  EXPECT_EQ(known.countRecords(), 8);
  std::vector<Record> best = known.getBest("matmul_nn_64x64x64_f32", 5);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].id, "b");
  // A lost worker says nothing of the candidate, another toolchain may do it.
  History failures = known.getFailures("matmul_nn_64x64x64_f32", "here");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].id, "c");
  EXPECT_TRUE(known.getFailures("matmul_nn_64x64x64_f32", "there").empty());
  TaskInfo task;
  task.key = "new";
  task.name = "matmul_nn_64x64x32_f32";
  task.opClass = "matmul";
  std::vector<Record> near = known.getNeighbours(task, 5);
  ASSERT_EQ(near.size(), 2u);
  EXPECT_EQ(near[0].id, "b");
  EXPECT_EQ(near[1].id, "e");
  // A library may come without records.
  Winner winner;
  winner.taskKey = "other";
  winner.taskName = "matmul_nn_64x64x33_f32";
  winner.verdict = Verdict::Faster;
  winner.speedup = 2;
  winner.knobs = {{"m", 4}};
  known.add(winner);
  EXPECT_EQ(known.countRecords(), 8);
  EXPECT_EQ(known.getNeighbours(task, 1).front().knobs, winner.knobs);
}
