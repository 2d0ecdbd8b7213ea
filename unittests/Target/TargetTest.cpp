//===- TargetTest.cpp - the target table and ptxas ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "gtest/gtest.h"

using namespace kernelzero;

TEST(TargetTable, Lookup) {
  ASSERT_TRUE(findTarget("sm_90a"));
  EXPECT_EQ(findTarget("sm_90a")->sharedBytesPerBlock, 232448);
  EXPECT_FALSE(findTarget("host")->isGPU());
  EXPECT_EQ(findTarget("sm_90"), nullptr);
  EXPECT_EQ(unknownTargetMessage("sm_90"),
            "unknown target 'sm_90'; known are host, sm_80, sm_90a");
}

TEST(TargetTable, RowsAreConsistent) {
  for (const Target &row : targetTable()) {
    ASSERT_TRUE(findTarget(row.name));
    EXPECT_EQ(findTarget(row.name)->name, row.name);
    if (!row.isGPU())
      continue;
    EXPECT_LT(row.sharedBytesPerBlock, row.sharedBytesPerMultiprocessor);
    // Tensor cores do 1024 (8.0) or 2048 (9.0) f16 multiply-adds a cycle and
    // multiprocessor; the clock of the published rate is within 10 % of ours.
    double perCycle =
        row.f16TensorFlops / 2 / row.multiprocessors / (row.clockMHz * 1e6);
    double expected = row.capability >= 90 ? 2048 : 1024;
    EXPECT_NEAR(perCycle / expected, 1.0, 0.1) << row.name.str();
    EXPECT_EQ(describeTarget(row).find(row.name.str() + ": "), 0u);
  }
}

TEST(Ptxas, ReadsTheReport) {
  Assembled result;
  parsePtxasReport(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'a' for 'sm_90a'\n"
      "ptxas info    : Function properties for a\n"
      "    24 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 3 barriers, 24 bytes "
      "cumulative stack size, 512 bytes smem\n"
      "ptxas info    : Compile time = 4.4 ms\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_90a'\n"
      "ptxas info    : Used 8 registers\n",
      result);
  ASSERT_EQ(result.kernels.size(), 2u);
  EXPECT_EQ(result.kernels[0].kernel, "a");
  EXPECT_EQ(result.kernels[0].registers, 168);
  EXPECT_EQ(result.kernels[0].stackBytes, 24);
  EXPECT_EQ(result.kernels[0].spillStoreBytes, 16);
  EXPECT_EQ(result.kernels[0].spillLoadBytes, 12);
  EXPECT_EQ(result.kernels[0].sharedBytes, 512);
  EXPECT_EQ(result.kernels[1].registers, 8);
  ASSERT_EQ(result.advice.size(), 1u);
}

TEST(Ptxas, FaultsAreSentences) {
  std::string error;
  Assembled result;
  EXPECT_FALSE(assemblePTX("/nowhere/ptxas", "", *findTarget("sm_80"), 5,
                           result, error));
  EXPECT_EQ(error.find("ptxas (/nowhere/ptxas) could not be run: "), 0u);
  EXPECT_FALSE(
      assemblePTX("/bin/false", "", *findTarget("sm_80"), 5, result, error));
  EXPECT_EQ(error.find("ptxas refused the PTX (exit code 1): "), 0u);
  EXPECT_EQ(missingPtxasMessage().find("no ptxas under CUDA_PATH"), 0u);
}

TEST(Ptxas, IsStoppedAfterItsTime) {
  // A program that ignores its arguments and never ends.
  std::string error;
  Assembled result;
  EXPECT_FALSE(assemblePTX(KZ_SLEEPING_PTXAS, "", *findTarget("sm_80"), 1,
                           result, error));
  EXPECT_EQ(error, "ptxas took more than 1 s and was stopped");
}
