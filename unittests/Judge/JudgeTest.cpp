//===- JudgeTest.cpp - what the judge accepts and what it does not --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Judge/TargetRow.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace kernelzero;

static const char *const kMatmulRelu = R"(
func.func @task(%x: tensor<24x40xf32>, %w: tensor<40x48xf32>) -> tensor<24x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x48xf32>)
                     outs(%f : tensor<24x48xf32>) -> tensor<24x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%0 : tensor<24x48xf32>) outs(%e : tensor<24x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x48xf32>
  return %1 : tensor<24x48xf32>
})";

static std::string wrapSchedule(const std::string &steps) {
  return "module attributes {transform.with_named_sequence} {\n"
         "transform.named_sequence @schedule(%t: !transform.any_op "
         "{transform.readonly}) {\n" +
         steps + "\ntransform.yield\n}\n}\n";
}

static const std::string kGood = wrapSchedule(R"(
  %mm, %e = transform.kz.body %t
  %m, %f, %grid = transform.kz.tile_grid %mm fuse(%e) tile [8, 0]
  %r, %g, %n = transform.kz.tile_loop %m fuse(%f) parallel [4, 16] order [1, 0]
  %r2, %k = transform.kz.tile_loop %r reduction [2]
  transform.kz.vectorize %r2 lanes(16) accumulate(registers)
  transform.kz.vectorize %g lanes(16))");

namespace {
class JudgeTest : public testing::Test {
protected:
  JudgeTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerScheduleDialects(registry);
    registerHostLowering(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    task.key = "0123456789abcdef";
    task.name = "matmul";
    task.flops = 2 * 24 * 40 * 48;
    task.bytes = 4 * (24 * 40 + 40 * 48 + 24 * 48);
    task.text = kMatmulRelu;
    bench = Bench::create(&context, task, "host", 1, error);
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

  Record check(const Bench::Kernel &kernel) {
    Record record;
    record.verdict = Verdict::Same;
    bench->check(kernel, record);
    return record;
  }
  Record check(Fault fault) {
    return check([=](ArrayRef<void *> buffers) { multiply(buffers, fault); });
  }
  Record judge(const std::string &schedule) {
    WorkerRequest request;
    request.rounds = 3;
    return bench->judge({"an id", schedule, "", {}}, request);
  }

  MLIRContext context;
  TaskInfo task;
  std::string error;
  std::unique_ptr<Bench> bench;
};
} // namespace

TEST_F(JudgeTest, AcceptsARightKernel) {
  ASSERT_TRUE(bench) << error;
  Record record = check(Fault::None);
  EXPECT_EQ(record.failedTier, -1) << record.sentences.front();
  EXPECT_EQ(record.compared, 2 * 24 * 48); // Both sets of inputs, whole.
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
  }
}

TEST_F(JudgeTest, RefusesNaNsInTheWrongPlace) {
  ASSERT_TRUE(bench) << error;
  Record record = check(Fault::NaNLost);
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_EQ(record.failedTier, 5); // Only the hostile values show it.
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
  EXPECT_FALSE(Bench::create(&context, zeros, "host", 1, error));
  EXPECT_EQ(error, "the reference cannot tell a right result from zeros");
}

TEST_F(JudgeTest, RefusesATaskThatItDoesNotKnow) {
  TaskInfo bad = task;
  bad.text = "func.func @task(%x: tensor<?xf32>) -> tensor<?xf32> { return %x "
             ": tensor<?xf32> }";
  EXPECT_FALSE(Bench::create(&context, bad, "host", 1, error));
  EXPECT_NE(error.find("accepted are tensors of static shape"),
            std::string::npos);
  bad.text = "func.func @other() { return }";
  error.clear();
  EXPECT_FALSE(Bench::create(&context, bad, "host", 1, error));
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
  EXPECT_EQ(decide(one, std::vector<double>(7, 0.9), 0.2), Verdict::Same);
  EXPECT_EQ(decide(one, std::vector<double>(7, 1.2), 0.02), Verdict::Slower);
  EXPECT_EQ(decide(one, {0.5, 1.5, 0.9, 1.2, 0.7, 1.4, 0.8}, 0.02),
            Verdict::Ambiguous);
  EXPECT_EQ(decide({}, {}, 0.02), Verdict::Ambiguous);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

namespace {
/// A worker over pipes, in a process of its own.
class WorkerTest : public JudgeTest {
protected:
  WorkerTest() {
    int requests[2], replies[2];
    EXPECT_EQ(pipe(requests) | pipe(replies), 0);
    process = fork();
    if (process == 0) {
      close(requests[1]);
      close(replies[0]);
      _exit(runWorker(context, requests[0], replies[1]));
    }
    close(requests[0]);
    close(replies[1]);
    to = requests[1];
    from = replies[0];
  }
  ~WorkerTest() override {
    close(to);
    close(from);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  WorkerReply read() {
    WorkerReply reply;
    std::string line, reason;
    EXPECT_EQ(readLine(from, 60, pending, line), LineResult::Line);
    EXPECT_TRUE(fromLine(line, reply, reason)) << reason;
    return reply;
  }
  WorkerReply ask(const std::string &line) {
    EXPECT_TRUE(writeLine(to, line));
    return read();
  }
  WorkerReply prepare() {
    WorkerRequest request;
    request.type = "prepare";
    request.task = task;
    request.target = toRow(*findTarget("host"));
    request.device = "host";
    return ask(toLine(request));
  }
  WorkerReply judgeHere(const std::string &schedule, double limit = 60) {
    WorkerRequest request;
    request.type = "judge";
    request.candidates = {{"an id", schedule, "", {}}};
    request.limitSeconds = limit;
    request.rounds = 3;
    WorkerReply reply = ask(toLine(request));
    if (reply.type == "record")
      EXPECT_EQ(read().type, "done");
    return reply;
  }
  pid_t process;
  int to, from;
  std::string pending;
};
} // namespace

TEST_F(WorkerTest, JudgesCandidates) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerReply reply = judgeHere(kGood);
  EXPECT_EQ(reply.type, "record");
  EXPECT_EQ(reply.record.verdict, Verdict::Same);
  EXPECT_EQ(reply.record.taskKey, task.key);
  EXPECT_EQ(reply.record.id, "an id");
}

TEST_F(WorkerTest, ACandidateThatHangsCostsItself) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  // No candidate is done in no time.
  WorkerReply late = judgeHere(kGood, 1e-6);
  EXPECT_EQ(late.record.verdict, Verdict::TimedOut);
  EXPECT_EQ(late.record.failedTier, 0);
  ASSERT_FALSE(late.record.sentences.empty());
  EXPECT_NE(late.record.sentences.front().find("did not finish within"),
            std::string::npos);
  EXPECT_EQ(judgeHere(kGood).record.verdict, Verdict::Same);
}

TEST_F(WorkerTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(ask("nonsense").type, "refused");
  EXPECT_EQ(ask("{\"protocol\": 9, \"type\": \"judge\"}").error,
            "protocol 9 is not spoken; accepted is 2");
  EXPECT_EQ(judgeHere(kGood).error, "no task is prepared");
  EXPECT_EQ(ask("{\"protocol\": 2, \"type\": \"dance\"}").error,
            "request 'dance' is not known; accepted are prepare, judge");
  task.text = "not a task";
  EXPECT_EQ(prepare().type, "refused");
}

TEST(WorkerClientTest, AWorkerThatDiesIsAnOutcome) {
  std::atomic<bool> interrupted(false);
  WorkerReply reply;
  std::string error;
  Worker none({"/nonexistent/worker"}, interrupted);
  EXPECT_EQ(none.ask({}, 5, reply, error), Worker::Outcome::Lost);
  EXPECT_EQ(error, "the worker '/nonexistent/worker' did not answer");
  Worker liar({"/bin/echo", "hello"}, interrupted);
  EXPECT_EQ(liar.ask({}, 5, reply, error), Worker::Outcome::Lost);
  EXPECT_NE(error.find("is not understood"), std::string::npos);
  interrupted = true;
  Worker stopped({"/bin/cat"}, interrupted);
  EXPECT_EQ(stopped.ask({}, 5, reply, error), Worker::Outcome::Interrupted);
}
