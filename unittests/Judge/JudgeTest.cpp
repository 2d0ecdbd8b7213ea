//===- JudgeTest.cpp - what the judge accepts and what it does not --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "JudgeFixture.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace kernelzero;

namespace {
class JudgeTest : public JudgeFixture {
protected:
  JudgeTest() {
    bench =
        Bench::create(&context, task, *findTarget("host"), "host", 1, error);
  }

  /// The task in plain loops, with a fault.
  enum class Fault { None, LastStep, NoRelu, Row, NaNLost, Half };
  static void multiply(ArrayRef<void *> buffers, Fault fault) {
    auto *x = static_cast<float *>(buffers[0]),
         *w = static_cast<float *>(buffers[1]);
    auto *y = static_cast<float *>(buffers[2]);
    int depth = fault == Fault::LastStep ? 39 : 40;
    for (int m = 0; m < 24; ++m)
      for (int n = 0; n < 48; ++n) {
        float sum = 0;
        for (int k = 0; k < depth; ++k) {
          float product = x[m * 40 + k] * w[k * 48 + n];
          // f16 inputs do not license f16 sums; f32 ones even less.
          sum = fault == Fault::Half ? float(_Float16(sum + product))
                                     : sum + product;
        }
        if (fault != Fault::NoRelu)
          sum = std::isnan(sum) ? (fault == Fault::NaNLost ? 0 : sum)
                                : std::max(sum, 0.0f);
        y[m * 48 + n] = sum;
      }
    if (fault == Fault::Row)
      for (int n = 0; n < 48; ++n)
        y[23 * 48 + n] *= 1.001f;
  }

  Record check(const HostFunction &kernel) {
    Record record = bench->startRecord({});
    record.verdict = Verdict::Same;
    checkResults(bench->getTask(), runOnHost(bench->getTask(), kernel), 6,
                 record);
    return record;
  }
  Record check(Fault fault) {
    return check([=](ArrayRef<void *> buffers) { multiply(buffers, fault); });
  }
  Record judge(const std::string &schedule) {
    WorkerRequest request;
    request.rounds = 3;
    Candidate candidate = {"an id", schedule, "", {}};
    Record record = bench->startRecord(candidate);
    Artifact artifact, other;
    if (bench->build(candidate, /*lastTier=*/6, record, artifact) &&
        fromLine(toLine(artifact), other)) // As between processes.
      bench->measure(other, nullptr, request, record);
    return record;
  }
  static std::string getState(const Record &record, int tier) {
    for (const Tier &entry : record.tiers)
      if (entry.number == tier)
        return entry.state;
    return "";
  }

  std::unique_ptr<Bench> bench;
};
} // namespace

TEST_F(JudgeTest, AcceptsARightKernel) {
  ASSERT_TRUE(bench) << error;
  Record record = check(Fault::None);
  EXPECT_EQ(record.failedTier, -1) << record.sentences.front();
  EXPECT_EQ(record.compared, 4 * 24 * 48); // All sets of inputs, whole.
  EXPECT_EQ(getState(record, 5), "passed");
  EXPECT_EQ(record.judgedOn, "exact guard: fresh data, 2 scales and hostile "
                             "values; no other shapes");
  EXPECT_LT(record.errorRatio, 1);
}

TEST_F(JudgeTest, RefusesEveryWrongOne) {
  ASSERT_TRUE(bench) << error;
  for (Fault fault :
       {Fault::LastStep, Fault::NoRelu, Fault::Row, Fault::Half}) {
    Record record = check(fault);
    EXPECT_EQ(record.verdict, Verdict::Wrong) << int(fault);
    EXPECT_EQ(record.failedTier, 4) << int(fault);
    ASSERT_FALSE(record.sentences.empty());
    EXPECT_NE(record.sentences.front().find("elements are off"),
              std::string::npos);
    EXPECT_EQ(getState(record, 4), "failed");
    EXPECT_EQ(getState(record, 5), "not run");
  }
}

TEST_F(JudgeTest, GuessesWhatWentWrong) {
  ASSERT_TRUE(bench) << error;
  auto say = [&](const HostFunction &kernel) {
    Record record = check(kernel);
    return record.sentences.empty() ? "" : record.sentences.front();
  };
  auto has = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(say([](ArrayRef<void *>) {}), "no element was written"));
  EXPECT_TRUE(has(say([](ArrayRef<void *> b) {
                    multiply(b, Fault::None);
                    // The last row as the judge left it.
                    std::memset(static_cast<float *>(b[2]) + 23 * 48,
                                kNaNPoison, 48 * 4);
                  }),
                  "48 elements were never written"));
  EXPECT_TRUE(
      has(say([](ArrayRef<void *> b) { std::memset(b[2], 0, 24 * 48 * 4); }),
          "all elements are zero"));
  EXPECT_TRUE(has(say([](ArrayRef<void *> b) { multiply(b, Fault::Half); }),
                  "times the tolerance"));
}

TEST_F(JudgeTest, RefusesNaNsInTheWrongPlace) {
  ASSERT_TRUE(bench) << error;
  Record record = check(Fault::NaNLost);
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_EQ(record.failedTier, 5); // Only the hostile values show it.
  EXPECT_EQ(getState(record, 4), "passed");
  // What should be NaN is not so for want of a write: nothing is written where
  // an operand is none.
  record = check([](ArrayRef<void *> b) {
    std::vector<float> y(24 * 48);
    void *buffers[] = {b[0], b[1], y.data()};
    multiply(buffers, Fault::None);
    for (int i = 0; i < 24 * 48; ++i)
      if (!std::isnan(y[i]))
        static_cast<float *>(b[2])[i] = y[i];
  });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_EQ(record.failedTier, 5);
}

TEST_F(JudgeTest, RefusesRunsThatDiffer) {
  ASSERT_TRUE(bench) << error;
  // Within the tolerance, but not the same: a race.
  int runs = 0;
  Record record = check([&](ArrayRef<void *> b) {
    multiply(b, Fault::None);
    auto *y = static_cast<float *>(b[2]);
    if (++runs == 3)
      y[100] = std::nextafter(y[100], 1e9f);
  });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_EQ(record.failedTier, 5);
  ASSERT_FALSE(record.sentences.empty());
  EXPECT_EQ(record.sentences.front(),
            "run 3 over the same inputs gave another result 0, first at [2, "
            "4]: threads race, or memory is read before it is written");
}

TEST_F(JudgeTest, ResultsLieElsewhereEachTime) {
  ASSERT_TRUE(bench) << error;
  // A kernel that remembers where it wrote finds nothing there.
  void *last = nullptr;
  bool moved = true;
  check([&](ArrayRef<void *> b) {
    moved &= b[2] != last;
    last = b[2];
    multiply(b, Fault::None);
  });
  EXPECT_TRUE(moved);
}

TEST_F(JudgeTest, RefusesZerosConstantsCopiesAndNothing) {
  ASSERT_TRUE(bench) << error;
  EXPECT_EQ(check([](ArrayRef<void *> b) {
              std::memset(b[2], 0, 24 * 48 * 4);
            }).verdict,
            Verdict::Wrong);
  EXPECT_EQ(check([](ArrayRef<void *> b) {
              std::fill_n(static_cast<float *>(b[2]), 24 * 48, 1.0f);
            }).verdict,
            Verdict::Wrong);
  EXPECT_EQ(check([](ArrayRef<void *> b) {
              std::memcpy(b[2], b[1], 24 * 48 * 4);
            }).verdict,
            Verdict::Wrong);
  // The output is poisoned before every run: what an earlier one left is gone.
  check(Fault::None);
  EXPECT_EQ(check([](ArrayRef<void *>) {}).verdict, Verdict::Wrong);
}

TEST_F(JudgeTest, SeesWritesBeyondTheResult) {
  ASSERT_TRUE(bench) << error;
  // 24 x 48 x 4 bytes end on a 64-byte boundary, so the next byte is the guard.
  EXPECT_DEATH(check([](ArrayRef<void *> b) {
                 static_cast<float *>(b[2])[24 * 48] = 1;
               }),
               "");
  EXPECT_DEATH(
      check([](ArrayRef<void *> b) { static_cast<float *>(b[0])[0] = 1; }), "");
}

TEST_F(JudgeTest, JudgesASchedule) {
  ASSERT_TRUE(bench) << error;
  Record record = judge(kGood);
  EXPECT_EQ(record.verdict, Verdict::Same)
      << (record.sentences.empty() ? "" : record.sentences.front());
  EXPECT_EQ(record.samples.size(), record.baselineSamples.size());
  EXPECT_FALSE(record.evidence.code.empty());
  EXPECT_GE(record.noise, 0.005);
  for (int tier = 1; tier <= 6; ++tier)
    EXPECT_EQ(getState(record, tier), "passed") << tier;
  EXPECT_GT(record.rooflineSeconds, 0);
  EXPECT_LT(record.rooflineSeconds, record.seconds);
  // The same schedule makes the same code.
  EXPECT_EQ(judge(kGood).evidence.code, record.evidence.code);
}

TEST_F(JudgeTest, SaysWhyAScheduleFails) {
  ASSERT_TRUE(bench) << error;
  Record record = judge("module {");
  EXPECT_EQ(record.verdict, Verdict::Rejected);
  EXPECT_EQ(record.failedTier, 1);
  record = judge("module {}");
  ASSERT_EQ(record.verdict, Verdict::Rejected);
  EXPECT_EQ(record.sentences.front(),
            "a schedule is one transform.named_sequence, here are 0");
  record = judge(
      wrapSchedule("%mm, %e = transform.kz.body %t\n"
                   "%m, %grid = transform.kz.tile_grid %mm tile [99, 0]"));
  EXPECT_EQ(record.verdict, Verdict::Inapplicable);
  EXPECT_EQ(record.failedTier, 2);
  EXPECT_EQ(
      record.sentences.front(),
      "tile size 99 of parallel dimension 0 is larger than the dimension, 24");
  record = judge(wrapSchedule(
      "%mm = transform.structured.match ops{[\"linalg.matmul\"]} in %t "
      ": (!transform.any_op) -> !transform.any_op"));
  EXPECT_EQ(record.verdict, Verdict::Rejected);
  EXPECT_EQ(getState(record, 1), "failed");
  // Steps of another target are refused before they are applied.
  record = judge(wrapSchedule(
      "%mm, %e = transform.kz.body %t\n"
      "%m, %f, %grid = transform.kz.tile_grid %mm fuse(%e) tile [8, 0]\n"
      "transform.kz.mma %m mma_sync [16, 8, 16] acc(f32)"));
  EXPECT_EQ(record.verdict, Verdict::Inapplicable);
  EXPECT_EQ(record.sentences.front(),
            "host has no tensor cores; leave out transform.kz.mma and use "
            "transform.kz.vectorize");
}

TEST_F(JudgeTest, RefusesDevicesThatDoNotRunATarget) {
  EXPECT_FALSE(
      Bench::create(&context, task, *findTarget("sm_80"), "host", 1, error));
  EXPECT_EQ(error, "device 'host' does not run code for target sm_80; accepted "
                   "are cuda:N, or none at all");
  EXPECT_FALSE(
      Bench::create(&context, task, *findTarget("host"), "cuda:0", 1, error));
}

TEST_F(JudgeTest, RefusesATaskThatZerosSolve) {
  TaskInfo zeros = task;
  zeros.text = R"(
    func.func @task(%x: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>],
                           iterator_types = ["parallel"]}
           ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %o: f32):
        %r = arith.subf %a, %a : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    })";
  EXPECT_FALSE(
      Bench::create(&context, zeros, *findTarget("host"), "host", 1, error));
  EXPECT_EQ(error, "the reference cannot tell a right result from zeros");
}

TEST_F(JudgeTest, RefusesATaskThatItDoesNotKnow) {
  TaskInfo bad = task;
  bad.text = "func.func @task(%x: tensor<?xf32>) -> tensor<?xf32> { return %x "
             ": tensor<?xf32> }";
  EXPECT_FALSE(
      Bench::create(&context, bad, *findTarget("host"), "host", 1, error));
  EXPECT_NE(error.find("accepted are tensors of static shape"),
            std::string::npos);
  bad.text = "func.func @task(%x: tensor<65536x16777216xf32>) -> "
             "tensor<65536x16777216xf32> { return %x : "
             "tensor<65536x16777216xf32> }";
  error.clear();
  EXPECT_FALSE(
      Bench::create(&context, bad, *findTarget("host"), "host", 1, error));
  EXPECT_EQ(error.find("judging the task takes 4398.0 GB, "), 0u) << error;
  bad.text = "func.func @other() { return }";
  error.clear();
  EXPECT_FALSE(
      Bench::create(&context, bad, *findTarget("host"), "host", 1, error));
  EXPECT_EQ(error, "the task has no function @task");
}

TEST(VerdictTest, AWinExceedsTheNoise) {
  auto decide = [](std::vector<double> baseline, std::vector<double> candidate,
                   double noise) {
    Record record;
    record.baselineSamples = std::move(baseline);
    record.samples = std::move(candidate);
    record.noise = noise;
    decideVerdict(record);
    return record.verdict;
  };
  std::vector<double> one(7, 1.0);
  EXPECT_EQ(decide(one, std::vector<double>(7, 0.9), 0.02), Verdict::Faster);
  EXPECT_EQ(decide(one, std::vector<double>(7, 0.95), 0.2), Verdict::Same);
  // However noisy, nothing is the same that is a tenth away.
  EXPECT_EQ(decide(one, std::vector<double>(7, 0.7), 1.8), Verdict::Ambiguous);
  EXPECT_EQ(decide(one, std::vector<double>(7, 1.3), 1.8), Verdict::Ambiguous);
  EXPECT_EQ(decide(one, std::vector<double>(7, 1.2), 0.02), Verdict::Slower);
  EXPECT_EQ(decide(one, {0.5, 1.5, 0.9, 1.2, 0.7, 1.4, 0.8}, 0.02),
            Verdict::Ambiguous);
  EXPECT_EQ(decide({}, {}, 0.02), Verdict::Ambiguous);
}

TEST(VerdictTest, ATimeThatIsNoneIsNoMeasurement) {
  for (double time :
       {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    Record record;
    record.baselineSamples = {1, 1, 1};
    record.samples = {0.5, time, 0.5};
    finishTiming(record, 0, false);
    EXPECT_EQ(record.verdict, Verdict::Ambiguous) << time;
    EXPECT_EQ(record.failedTier, 6);
    EXPECT_EQ(record.seconds, 0);
    EXPECT_TRUE(record.samples.empty());
    ASSERT_FALSE(record.sentences.empty());
    EXPECT_NE(record.sentences.front().find("which is no time"),
              std::string::npos);
  }
}

TEST(VerdictTest, ATimeBelowTheBoundIsNoMeasurement) {
  Record record;
  record.baselineSamples = {1e-3, 1e-3, 1e-3};
  record.samples = {1e-6, 1e-6, 1e-6};
  finishTiming(record, 100e-6, false);
  EXPECT_EQ(record.verdict, Verdict::Ambiguous);
  ASSERT_FALSE(record.sentences.empty());
  EXPECT_EQ(record.sentences.front(),
            "timed at 1.000 us, which is below the 100.000 us that the target "
            "needs at least; the measurement does not count");
  EXPECT_EQ(record.speedup, 0);
}
