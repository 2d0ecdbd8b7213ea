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
  const std::string known =
      "; known are host, sm_80, sm_86, sm_89, sm_90a, sm_120, and files of a "
      "#kz.target";
  EXPECT_EQ(unknownTargetMessage("sm_90"),
            "unknown target 'sm_90'; the row of that capability is sm_90a" +
                known);
  EXPECT_EQ(unknownTargetMessage("sm_100a"),
            "unknown target 'sm_100a'; its own instructions are not used, code "
            "for sm_80 runs there once the driver has compiled the PTX" +
                known);
  EXPECT_EQ(unknownTargetMessage("sm_121"),
            "unknown target 'sm_121'; its own instructions are not used, code "
            "for sm_120 runs there" +
                known);
  EXPECT_EQ(unknownTargetMessage("gfx942"), "unknown target 'gfx942'" + known);
}

TEST(TargetTable, RowsAreConsistent) {
  for (const Target &row : targetTable()) {
    ASSERT_TRUE(findTarget(row.name));
    EXPECT_EQ(findTarget(row.name)->name, row.name);
    if (!row.isGPU())
      continue;
    EXPECT_LT(row.sharedBytesPerBlock, row.sharedBytesPerMultiprocessor);
    // Multiply-adds a cycle and multiprocessor, of f16 with sums of f32 on
    // tensor cores, and of f32; the clock of the published rates is within 10 %
    // of ours.
    double cycles = 2.0 * row.multiprocessors * (row.clockMHz * 1e6);
    double tensor = row.capability == 80   ? 1024
                    : row.capability == 90 ? 2048
                                           : 256;
    EXPECT_NEAR(row.f16TensorFlops / cycles / tensor, 1.0, 0.1)
        << row.name.str();
    EXPECT_NEAR(row.f32Flops / cycles / (row.capability == 80 ? 64 : 128), 1.0,
                0.1)
        << row.name.str();
    EXPECT_EQ(describeTarget(row).find(row.name.str() + ": "), 0u);
  }
}

TEST(WhatIf, StartsFromARow) {
  std::string error;
  const std::string text = "#kz.target<\"half\" from \"sm_90a\" "
                           "{dram_bytes_per_second = 2.400000e+12 : f64, "
                           "multiprocessors = 66 : i64, wgmma = false}>";
  const Target *row = resolveTarget(text, error);
  ASSERT_TRUE(row) << error;
  EXPECT_EQ(row->name, "half");
  EXPECT_EQ(row->multiprocessors, 66);
  EXPECT_EQ(row->dramBytesPerSecond, 2.4e12);
  EXPECT_FALSE(row->wgmma);
  EXPECT_EQ(row->chip, "sm_90a");
  EXPECT_EQ(row->sharedBytesPerBlock, 232448);
  // The text means the same row, elsewhere too.
  EXPECT_EQ(getTargetText(*row), text);
  EXPECT_EQ(resolveTarget(text, error), row);
  EXPECT_EQ(getTargetText(*findTarget("sm_80")), "sm_80");
  EXPECT_EQ(resolveTarget("sm_80", error), findTarget("sm_80"));
}

TEST(WhatIf, FaultsAreSentences) {
  auto why = [](const std::string &facts) {
    std::string error;
    EXPECT_FALSE(resolveTarget("#kz.target<" + facts + ">", error));
    return error;
  };
  const std::string start = "the target does not parse: ";
  EXPECT_EQ(why("\"x\" from \"sm_80\" {wgmma = true}"),
            start + "fact 'wgmma' is true, and sm_80 has no such instruction; "
                    "a what-if row can only take one away");
  EXPECT_EQ(why("\"x\" from \"sm_80\" {l2_bytes = 0}"),
            start + "fact 'l2_bytes' is 0 : i64; accepted are whole numbers "
                    "from 1 to 1099511627776");
  EXPECT_EQ(why("\"x\" from \"sm_80\" {f32_flops = -1.0}"),
            start + "fact 'f32_flops' is -1.000000e+00 : f64; accepted are "
                    "rates a second above 0");
  EXPECT_EQ(why("\"sm_80\" from \"sm_80\""),
            start + "a what-if row is called 'sm_80', which is a row of the "
                    "table; give it a name of its own");
  EXPECT_EQ(why("\"a/b\" from \"sm_80\""),
            start + "a what-if row is called 'a/b'; accepted are letters, "
                    "digits, '_', '-' and '.', at most 64, the first no sign");
  EXPECT_EQ(why("\"x\" from \"h100\"")
                .find(start + "the what-if row 'x' starts from "
                              "an unknown target 'h100'; known"),
            0u);
  EXPECT_EQ(why("\"x\" from \"sm_80\" {shared_bytes_per_block = 200000}"),
            start + "fact 'shared_bytes_per_block' is 200000, more than the "
                    "multiprocessor has; at most "
                    "shared_bytes_per_multiprocessor, 167936");
  EXPECT_EQ(why("\"x\" from \"host\" {tma = false}")
                .find(start + "there is no fact 'tma' of host; accepted are "
                              "l2_bytes, vector_bytes"),
            0u);
  std::string error;
  EXPECT_FALSE(resolveTarget("/nowhere/x.mlir", error));
  EXPECT_EQ(error, "target file /nowhere/x.mlir cannot be read: No such file "
                   "or directory");
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
  auto assemble = [&](const char *ptxas) {
    return assemblePTX(ptxas, "", *findTarget("sm_80"), 5, result, error);
  };
  EXPECT_EQ(assemble("/nowhere/ptxas"), Assembly::Unusable);
  EXPECT_EQ(error.find("ptxas (/nowhere/ptxas) could not be run: "), 0u);
  EXPECT_EQ(assemble("/bin/false"), Assembly::Refused);
  EXPECT_EQ(error.find("ptxas refused the PTX (exit code 1): "), 0u);
  EXPECT_EQ(assemble("/bin/true"), Assembly::Unusable);
  EXPECT_EQ(error, "ptxas (/bin/true) left no machine code");
  EXPECT_EQ(assemble(KZ_DYING_PTXAS), Assembly::Killed);
  EXPECT_EQ(error.find("ptxas (" KZ_DYING_PTXAS ") was killed: "), 0u);
  EXPECT_EQ(missingPtxasMessage().find("no ptxas under CUDA_PATH"), 0u);
}

TEST(Ptxas, IsStoppedAfterItsTime) {
  // A program that ignores its arguments and never ends.
  std::string error;
  Assembled result;
  EXPECT_EQ(assemblePTX(KZ_SLEEPING_PTXAS, "", *findTarget("sm_80"), 1, result,
                        error),
            Assembly::Refused);
  EXPECT_EQ(error, "ptxas took more than 1 s and was stopped");
}
