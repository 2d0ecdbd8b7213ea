//===- ModelledTest.cpp - candidates for a GPU that is not here -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../lib/Judge/GPUCode.h"
#include "../lib/Judge/GPUPeers.h"
#include "JudgeFixture.h"
#include "KernelZero/Judge/Checks.h"
#include "mlir/Parser/Parser.h"

using namespace kernelzero;

namespace {
class ModelledTest : public JudgeFixture {
protected:
  ModelledTest() {
    task.text = kProduct;
    task.flops = task.matmulFlops = 2 * 128 * 128 * 64;
    task.bytes = 2 * (2 * 128 * 64 + 128 * 128);
    task.element = "f16";
    bench = Bench::create(&context, task, *findTarget("sm_80"), "", 1, error);
  }
  Record build(const std::string &schedule, int lastTier = 6) {
    Record record = bench->startRecord({});
    Artifact artifact;
    bench->build({"", schedule, "", {}}, lastTier, record, artifact);
    return record;
  }
  std::unique_ptr<Bench> bench;
};
} // namespace

TEST_F(ModelledTest, EndsWithTheModelWhereNoCodeIsAskedFor) {
  Record record = build(makeProductSchedule(64, 64, 3), /*lastTier=*/2);
  EXPECT_EQ(record.failedTier, -1);
  EXPECT_GT(record.modelSeconds, 0);
  EXPECT_EQ(record.evidence.code, "");
  EXPECT_EQ(record.compileSeconds, 0);
}

TEST_F(ModelledTest, JudgesByL1AndTheModel) {
  ASSERT_TRUE(bench) << error;
  EXPECT_FALSE(bench->measures());
  Record record = build(makeProductSchedule(64, 64, 3));
  ASSERT_EQ(record.verdict, Verdict::Modelled)
      << (record.sentences.empty() ? "" : record.sentences.front());
  EXPECT_EQ(record.failedTier, -1);
  EXPECT_GT(record.modelSeconds, record.rooflineSeconds);
  EXPECT_GT(record.rooflineSeconds, 0);
  EXPECT_EQ(record.resources.kernels, 1);
  EXPECT_EQ(record.resources.blocks, 4);
  EXPECT_EQ(record.resources.threads, 128);
  EXPECT_GE(record.resources.sharedBytes, 3 * 2 * (64 * 32 + 32 * 64));
  EXPECT_EQ(record.evidence.code.size(), 16u);
  EXPECT_EQ(record.compared, 4 * 128 * 128);
  for (const Tier &tier : record.tiers) {
    if (tier.number == 4 || tier.number == 5)
      EXPECT_EQ(tier.note,
                "on level L1, on the host; L2 and L3 were not executed");
    if (tier.number == 6)
      EXPECT_EQ(tier.state, "not run");
  }
  // The same schedule makes the same code; another one, other code.
  EXPECT_EQ(build(makeProductSchedule(64, 64, 3)).evidence.code,
            record.evidence.code);
  EXPECT_NE(build(makeProductSchedule(64, 64, 2)).evidence.code,
            record.evidence.code);
}

TEST_F(ModelledTest, SaysWhatTheTargetLacks) {
  ASSERT_TRUE(bench) << error;
  Record record = build(makeProductSchedule(64, 64, 3, "wgmma"));
  EXPECT_TRUE(record.verdict == Verdict::Rejected ||
              record.verdict == Verdict::Inapplicable);
  record = build(makeProductSchedule(128, 128, 64));
  EXPECT_EQ(record.verdict, Verdict::Inapplicable);
  EXPECT_EQ(record.failedTier, 2);
  ASSERT_FALSE(record.sentences.empty());
  EXPECT_NE(record.sentences.front().find("bytes of shared memory"),
            std::string::npos);
}

TEST(ClaimsTest, PTXHasToHoldWhatWasAskedFor) {
  Claims claims;
  claims.kernels = 1;
  std::string entry = ".visible .entry task(\n";
  EXPECT_EQ(findBrokenClaim(claims, entry, 1), "");
  claims.wgmma = true;
  EXPECT_EQ(findBrokenClaim(claims, entry + "mma.sync.aligned.m16n8k16\n", 1),
            "the schedule asks for wgmma, and the PTX holds no "
            "wgmma.mma_async.");
  EXPECT_EQ(findBrokenClaim(claims, entry + "wgmma.mma_async.sync\n", 1), "");
  claims.tma = true;
  std::string store = "cp.async.bulk.tensor.2d.global.shared::cta.tile\n";
  std::string load = "cp.async.bulk.tensor.2d.shared::cluster.global.tile\n";
  EXPECT_NE(
      findBrokenClaim(claims, entry + "wgmma.mma_async.sync\n" + store, 1), "");
  EXPECT_EQ(findBrokenClaim(claims, entry + "wgmma.mma_async.sync\n" + load, 1),
            "");
  claims = Claims();
  claims.kernels = 2;
  EXPECT_EQ(findBrokenClaim(claims, entry, 1),
            "the schedule makes 2 grids, the PTX has 1 kernels, and 1 are "
            "launched");
}

TEST_F(ModelledTest, FindsTheProductOfATask) {
  ASSERT_TRUE(bench) << error;
  bool hasMore = false;
  std::optional<Product> product =
      findProduct(bench->getTask().getFunction(), hasMore);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->m, 128);
  EXPECT_EQ(product->n, 128);
  EXPECT_EQ(product->k, 64);
  EXPECT_EQ(product->batch, 1);
  EXPECT_FALSE(product->transposeA);
  EXPECT_FALSE(product->transposeB);
  EXPECT_EQ(product->output, ElementType::f16);
}
