//===- GpuCaseTest.cpp - references and comparisons can fail --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "gpu_case.h"
#include "gpu_report.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace kernelzero;
using namespace kernelzero::bench;

static LaunchList listOf(std::vector<BufferType> types) {
  LaunchList list;
  KernelLaunch &kernel = list.kernels.emplace_back();
  kernel.name = "k";
  for (size_t i = 0; i < types.size(); ++i) {
    LaunchArgument argument;
    argument.index = int64_t(i);
    argument.type = types[i];
    argument.written = i + 1 == types.size();
    kernel.arguments.push_back(argument);
  }
  return list;
}

TEST(HostBuffer, RoundsLikeTheHardware) {
  HostBuffer half({ElementType::f16, {8}});
  // Exact, ties to even both ways, largest, subnormal, beyond, negative zero.
  const double in[] = {1.0,     1 + 0x1p-11, 1 + 0x3p-11, 65504,
                       0x1p-24, 65520,       -0.0,        0x1.8p-24};
  const double out[] = {1.0,     1.0,      1 + 0x1p-9, 65504,
                        0x1p-24, INFINITY, -0.0,       0x1p-23};
  for (int i = 0; i < 8; ++i) {
    half.set(i, in[i]);
    EXPECT_EQ(half.at(i), out[i]) << i;
  }
  HostBuffer brain({ElementType::bf16, {2}});
  brain.set(0, 1 + 0x1p-8);
  brain.set(1, 1 + 0x3p-8);
  EXPECT_EQ(brain.at(0), 1.0);
  EXPECT_EQ(brain.at(1), 1 + 0x1p-6);
}

TEST(FillRandom, CoversTheRangeAndDependsOnTheSeed) {
  HostBuffer a({ElementType::f32, {10000}}), b = a;
  fillRandom(a, 1, 2.0);
  fillRandom(b, 2, 2.0);
  EXPECT_NE(a.bytes, b.bytes);
  double low = 0, high = 0, sum = 0;
  for (int i = 0; i < 10000; ++i) {
    low = std::min(low, a.at(i));
    high = std::max(high, a.at(i));
    sum += a.at(i);
  }
  EXPECT_LT(low, -1.9);
  EXPECT_GT(high, 1.9);
  EXPECT_LE(high, 2.0);
  EXPECT_NEAR(sum / 10000, 0, 0.1);
}

TEST(PlanCase, MatchesBuffers) {
  GpuCase plan;
  std::string error;
  BufferType a{ElementType::f16, {3, 5}}, b{ElementType::f16, {5, 7}},
      bt{ElementType::f16, {7, 5}}, c{ElementType::f16, {3, 7}},
      bias{ElementType::f16, {7}};
  ASSERT_TRUE(planCase(listOf({a, b, c}), "gemm", "none", "", plan, error));
  EXPECT_FALSE(plan.transposeB);
  EXPECT_EQ(plan.flops(), 2 * 3 * 5 * 7);
  ASSERT_TRUE(
      planCase(listOf({a, bt, bias, c}), "gemm", "gelu", "", plan, error));
  EXPECT_TRUE(plan.transposeB);
  EXPECT_FALSE(planCase(listOf({a, b, c}), "gemm", "none", "nt", plan, error));
  EXPECT_FALSE(planCase(listOf({a, b, c}), "gemm", "swish", "", plan, error));
  EXPECT_EQ(error, "no epilogue is called 'swish'; none, gelu and relu are");
  EXPECT_FALSE(planCase(listOf({a, b}), "softmax", "none", "", plan, error));
  EXPECT_EQ(error, "softmax needs buffers X, Y; the kernels have 3x5xf16, "
                   "5x7xf16");
}

TEST(Compare, ZeroConstantCopiedAndUnwrittenOutputsFail) {
  BufferType rows{ElementType::f16, {16, 64}};
  for (const char *op : {"softmax", "gelu"}) {
    GpuCase plan;
    std::string error;
    ASSERT_TRUE(planCase(listOf({rows, rows}), op, "none", "", plan, error));
    std::vector<HostBuffer> inputs = {HostBuffer(rows)};
    fillRandom(inputs[0], 7, plan.inputScale);
    std::vector<double> reference;
    referenceRows(plan, inputs, reference);
    HostBuffer output(rows);
    for (int64_t i = 0; i < rows.elements(); ++i)
      output.set(i, reference[i]);
    EXPECT_TRUE(compare(plan, output, reference).passed()) << op;

    HostBuffer wrong(rows);
    EXPECT_FALSE(compare(plan, wrong, reference).passed()) << op << " zero";
    for (int64_t i = 0; i < rows.elements(); ++i)
      wrong.set(i, 1.0 / 64);
    EXPECT_FALSE(compare(plan, wrong, reference).passed()) << op << " constant";
    EXPECT_FALSE(compare(plan, inputs[0], reference).passed()) << op << " copy";
    std::memset(wrong.bytes.data(), 0xff, wrong.bytes.size());
    Comparison unwritten = compare(plan, wrong, reference);
    EXPECT_EQ(unwritten.wrong, rows.elements()) << op;

    // One element off by two units of its last place, and one not written.
    for (double value : {reference[37] * (1 + 0x1p-8), double(NAN)}) {
      HostBuffer one = output;
      if (std::isnan(value))
        std::memset(one.bytes.data() + 2 * 37, 0xff, 2);
      else
        one.set(37, value);
      Comparison result = compare(plan, one, reference);
      EXPECT_EQ(result.wrong, 1) << op;
      EXPECT_EQ(result.first, 37) << op;
    }
  }
}

TEST(Compare, ProductWithOneStepLeftOutFails) {
  GpuCase plan;
  std::string error;
  BufferType a{ElementType::f16, {8, 64}}, b{ElementType::f16, {64, 8}},
      c{ElementType::f16, {8, 8}};
  ASSERT_TRUE(planCase(listOf({a, b, c}), "gemm", "none", "", plan, error));
  std::vector<HostBuffer> inputs = {HostBuffer(a), HostBuffer(b)};
  fillRandom(inputs[0], 1, 1);
  fillRandom(inputs[1], 2, 1);
  std::vector<double> reference(64);
  HostBuffer output(c), short_(c);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      reference[i * 8 + j] = dotProduct(plan, inputs, 0, i, j);
      output.set(i * 8 + j, reference[i * 8 + j]);
      short_.set(i * 8 + j,
                 reference[i * 8 + j] -
                     inputs[0].at(i * 64 + 63) * inputs[1].at(63 * 8 + j));
    }
  EXPECT_TRUE(compare(plan, output, reference).passed());
  EXPECT_FALSE(compare(plan, short_, reference).passed());
}

TEST(Report, RatioIsPeerOverOurs) {
  Report report;
  report.ours.samples = {2, 1, 3};
  report.theirs.samples = {4, 4, 8};
  report.peer = "peer";
  EXPECT_EQ(report.ratio(), 2);
  EXPECT_EQ(report.ours.spread(), 0.5);
  EXPECT_NE(toJSON(report).find("\"ratio\": 2.0"), std::string::npos);
  EXPECT_TRUE(report.passed());
  report.faults.push_back("input 0 was changed");
  EXPECT_FALSE(report.passed());
}
