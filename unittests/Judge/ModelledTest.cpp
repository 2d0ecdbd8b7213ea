//===- ModelledTest.cpp - candidates for a GPU that is not here -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "../lib/Judge/GPUCode.h"
#include "../lib/Judge/GPUPeers.h"
#include "JudgeFixture.h"
#include "KernelZero/Judge/Checks.h"
#include "mlir/Parser/Parser.h"

using namespace kernelzero;

static const char *const kProduct = R"(
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>) -> tensor<128x128xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x128xf16>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %e2 = tensor.empty() : tensor<128x128xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} ins(%r : tensor<128x128xf32>) outs(%e2 : tensor<128x128xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<128x128xf16>
  return %g : tensor<128x128xf16>
})";

static std::string makeSchedule(int64_t m, int64_t n, int64_t stages,
                                const std::string &mma = "mma_sync") {
  return wrapSchedule(
      "%mm, %epi = transform.kz.body %t\n"
      "%m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [" +
      std::to_string(m) + ", " + std::to_string(n) +
      "]\n%m2, %k = transform.kz.tile_loop %m reduction [32]\n"
      "%a = transform.kz.stage %m2 operand(0) shared copy(cp_async) "
      "swizzle(64) width(16)\n"
      "%b = transform.kz.stage %m2 operand(1) shared copy(cp_async) "
      "swizzle(128) width(16)\n"
      "transform.kz.pipeline %k ring(%a, %b) stages(" +
      std::to_string(stages) +
      ")\ntransform.kz.tile_warps %m2 warps [2, 2]\n"
      "transform.kz.mma %m2 " +
      mma +
      " [16, 8, 16] acc(f32)\n"
      "transform.kz.epilogue %e on_accumulator");
}

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
  Record build(const std::string &schedule) {
    Record record = bench->startRecord({});
    Artifact artifact;
    bench->build({"", schedule, "", {}}, record, artifact);
    return record;
  }
  std::unique_ptr<Bench> bench;
};
} // namespace

TEST_F(ModelledTest, JudgesByL1AndTheModel) {
  ASSERT_TRUE(bench) << error;
  EXPECT_FALSE(bench->measures());
  Record record = build(makeSchedule(64, 64, 3));
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
  EXPECT_EQ(build(makeSchedule(64, 64, 3)).evidence.code, record.evidence.code);
  EXPECT_NE(build(makeSchedule(64, 64, 2)).evidence.code, record.evidence.code);
}

TEST_F(ModelledTest, SaysWhatTheTargetLacks) {
  ASSERT_TRUE(bench) << error;
  Record record = build(makeSchedule(64, 64, 3, "wgmma"));
  EXPECT_TRUE(record.verdict == Verdict::Rejected ||
              record.verdict == Verdict::Inapplicable);
  record = build(makeSchedule(128, 128, 64));
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
