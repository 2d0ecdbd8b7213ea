//===- TargetTest.cpp - the target table and ptxas ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Record/Record.h"
#include "KernelZero/Target/PTX.h"
#include "gtest/gtest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fstream>
#include <sys/stat.h>

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

TEST(WhatIf, RowsOfOneNameAreToldApart) {
  std::string error;
  const Target *ten = resolveTarget(
      "#kz.target<\"twin\" from \"sm_80\" {multiprocessors = 10}>", error);
  const Target *twenty = resolveTarget(
      "#kz.target<\"twin\" from \"sm_80\" {multiprocessors = 20}>", error);
  ASSERT_TRUE(ten && twenty) << error;
  EXPECT_NE(getTargetText(*ten), getTargetText(*twenty));
  EXPECT_EQ(resolveTargetText(getTargetText(*ten), error), ten);
  EXPECT_EQ(resolveTargetText(getTargetText(*twenty), error), twenty);
  // People read the name; what is no target is shown as it is.
  EXPECT_EQ(getTargetName(getTargetText(*twenty)), "twin");
  EXPECT_EQ(getTargetName("sm_80"), "sm_80");
  EXPECT_EQ(getTargetName("twin"), "twin");
  EXPECT_EQ(getTargetName("#kz.target<"), "#kz.target<");
  EXPECT_EQ(getTargetFileName("sm_80"), "sm_80");
  EXPECT_EQ(getTargetFileName(getTargetText(*ten)),
            "twin-" + hashText(getTargetText(*ten)).substr(0, 8));
  // In whatever order the facts were written.
  auto read = [&](const std::string &facts) {
    return resolveTarget("#kz.target<\"twin\" from \"sm_80\" {" + facts + "}>",
                         error);
  };
  EXPECT_EQ(read("multiprocessors = 5, clock_mhz = 7"),
            read("clock_mhz = 7 : i64, multiprocessors = 5"));
}

TEST(WhatIf, OnlyUsersNameFiles) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kz-target", folder));
  auto path = [&](const char *name) { return folder.str().str() + "/" + name; };
  std::string error;
  auto why = [&](const std::string &text) {
    EXPECT_FALSE(resolveTarget(text, error)) << text;
    return error;
  };
  const std::string file = path("x.mlir"),
                    text = "#kz.target<\"filed\" from \"sm_80\">";
  std::ofstream(file) << "// A comment.\n" << text << "\n";
  const Target *row = resolveTarget(file, error);
  ASSERT_TRUE(row) << error;
  EXPECT_EQ(getTargetText(*row), text);
  // What records and guards hold is no file, even where there is one.
  EXPECT_FALSE(resolveTargetText(file, error));
  EXPECT_EQ(error, "unknown target '" + file +
                       "'; known are host, sm_80, sm_86, sm_89, sm_90a, "
                       "sm_120, and the text of a #kz.target");

  // What has no end is not read.
  const std::string accepted =
      " is no regular file; accepted are regular files of at most 1048576 "
      "bytes";
  EXPECT_EQ(why("/dev/zero"), "target file /dev/zero" + accepted);
  EXPECT_EQ(why(folder.str().str()),
            "target file " + folder.str().str() + accepted);
  ASSERT_EQ(mkfifo(path("pipe.mlir").c_str(), 0600), 0);
  EXPECT_EQ(why(path("pipe.mlir")),
            "target file " + path("pipe.mlir") + accepted);
  // Files of the kernel say that they are empty.
  EXPECT_EQ(why("/proc/self/maps")
                .find("target file /proc/self/maps: it holds "
                      "no #kz.target"),
            0u);
  // The largest file, and one byte more.
  std::ofstream(path("large.mlir"))
      << text << std::string(kMaxTargetBytes - text.size(), '\n');
  EXPECT_EQ(resolveTarget(path("large.mlir"), error), row) << error;
  std::ofstream(path("large.mlir"), std::ios::app) << "\n";
  EXPECT_EQ(why(path("large.mlir")),
            "target file " + path("large.mlir") +
                " has 1048577 bytes; at most 1048576 are accepted");
  EXPECT_EQ(why("/nowhere/x.mlir"),
            "target file /nowhere/x.mlir cannot be read: No such file or "
            "directory");
  (void)llvm::sys::fs::remove_directories(folder);
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
                    "rates a second from 1 to 1e30");
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
            start + "fact 'shared_bytes_per_block' is 200000, and a "
                    "multiprocessor has shared_bytes_per_multiprocessor, "
                    "167936, less 1024 that the system keeps; at most 166912");
  EXPECT_EQ(why("\"x\" from \"host\" {tma = false}")
                .find(start + "there is no fact 'tma' of host; accepted are "
                              "l2_bytes, vector_bytes"),
            0u);
}

TEST(WhatIf, FactsAreBounded) {
  std::string error;
  auto read = [&](const std::string &base, const std::string &facts) {
    const Target *row = resolveTarget(
        "#kz.target<\"x\" from \"" + base + "\" {" + facts + "}>", error);
    return row != nullptr;
  };
  struct {
    const char *base, *name;
    int64_t least, most;
    /// Neither, within the bounds; 0: there is none.
    int64_t between;
    const char *accepted;
  } const bounds[] = {
      {"host", "vector_bytes", 8, 64, 12, "powers of two from 8 to 64"},
      {"host", "vector_registers", 6, 32, 0, "whole numbers from 6 to 32"},
      {"host", "l1_bytes", 1, int64_t(1) << 40, 0,
       "whole numbers from 1 to 1099511627776"},
      {"sm_90a", "multiprocessors", 1, 65536, 0,
       "whole numbers from 1 to 65536"},
      {"sm_90a", "clock_mhz", 1, 100000, 0, "whole numbers from 1 to 100000"},
      {"sm_90a", "shared_bytes_per_block", 1024, 232448, 0,
       "whole numbers from 1024 to 232448"},
      {"sm_90a", "registers_per_thread", 24, 255, 0,
       "whole numbers from 24 to 255"},
      {"sm_90a", "threads_per_block", 32, 1024, 100,
       "multiples of 32 from 32 to 1024"},
      {"sm_90a", "blocks_per_multiprocessor", 1, 65536, 0,
       "whole numbers from 1 to 65536"},
      {"sm_90a", "blocks_per_cluster", 1, 16, 0, "whole numbers from 1 to 16"}};
  for (const auto &bound : bounds) {
    auto fact = [&](int64_t value) {
      return bound.name + (" = " + std::to_string(value));
    };
    EXPECT_TRUE(read(bound.base, fact(bound.least))) << error;
    EXPECT_TRUE(read(bound.base, fact(bound.most))) << error;
    for (int64_t value : {bound.least - 1, bound.most + 1, bound.between}) {
      EXPECT_FALSE(read(bound.base, fact(value))) << fact(value);
      EXPECT_EQ(error, std::string("the target does not parse: fact '") +
                           bound.name + "' is " + std::to_string(value) +
                           " : i64; accepted are " + bound.accepted);
    }
  }
  // Numbers of other widths and signs are none.
  for (const char *value : {"8 : ui64", "8 : i32", "8 : index", "8.0", "true"})
    EXPECT_FALSE(read("host", std::string("vector_bytes = ") + value)) << value;
  EXPECT_FALSE(read("sm_80", "f32_flops = 170141183460469231731687303715884 "
                             ": i128"));
  EXPECT_FALSE(read("sm_80", "f32_flops = 1.0e-300"));
  EXPECT_TRUE(read("sm_80", "f32_flops = 1000000"));
}

TEST(WhatIf, ABlockFitsAMultiprocessor) {
  auto why = [](const std::string &facts) {
    std::string error;
    resolveTarget("#kz.target<\"x\" from \"sm_80\" {" + facts + "}>", error);
    return error;
  };
  const std::string start = "the target does not parse: fact '";
  EXPECT_EQ(why("threads_per_multiprocessor = 512"),
            start + "threads_per_multiprocessor' is 512, and a block of "
                    "threads_per_block must fit; at least 1024");
  EXPECT_EQ(why("threads_per_block = 512, threads_per_multiprocessor = 512"),
            "");
  EXPECT_EQ(why("threads_per_multiprocessor = 1"),
            start + "threads_per_multiprocessor' is 1 : i64; accepted are "
                    "multiples of 32 from 32 to 65536");
  EXPECT_EQ(why("registers_per_multiprocessor = 24575"),
            start + "registers_per_multiprocessor' is 24575, and each thread "
                    "of a block of threads_per_block, 1024, needs 24; at least "
                    "24576");
  EXPECT_EQ(why("registers_per_multiprocessor = 24576"), "");
  EXPECT_EQ(why("shared_bytes_per_multiprocessor = 167935"),
            start + "shared_bytes_per_block' is 166912, and a multiprocessor "
                    "has shared_bytes_per_multiprocessor, 167935, less 1024 "
                    "that the system keeps; at most 166911");
  EXPECT_EQ(why("blocks_per_cluster = 2"),
            start + "blocks_per_cluster' is 2 : i64; accepted are 1, as sm_80 "
                    "has no clusters");
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
