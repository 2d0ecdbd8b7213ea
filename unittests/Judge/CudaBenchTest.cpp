//===- CudaBenchTest.cpp - the bench of GPUs, on a device of host memory --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "JudgeFixture.h"
#include "KernelZero/Device/Device.h"
#include "KernelZero/Judge/Checks.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace kernelzero;

namespace {

using Addresses = std::vector<DeviceAddress>;
/// What a kernel of the tests does: a sentence where the device failed.
using FakeKernel = std::function<DeviceError(const Addresses &)>;

/// A device whose memory is the host's, and whose programs are functions of the
/// tests. It does at once what it is told, and times what it is told.
class FakeDevice : public Device {
public:
  struct Plan {
    FakeKernel kernel;
    double microseconds = 100;
    int64_t capability = 80;
    /// MHz, each time that it is asked; the last one for good.
    std::vector<double> clocks = {1980};
    std::set<DeviceAddress> live;
    std::set<DeviceAddress> seen; ///< Addresses of results.
  };
  explicit FakeDevice(Plan &plan) : plan(plan) {}
  ~FakeDevice() override {
    if (flushBuffer)
      release(flushBuffer);
  }

  std::string describe() const override { return "a device of the tests"; }
  std::string targetName() const override { return "sm_80"; }
  int64_t capability() const override { return plan.capability; }
  void *queue() const override { return nullptr; }
  DeviceError allocate(size_t bytes, DeviceAddress &address) override {
    address = reinterpret_cast<DeviceAddress>(std::malloc(bytes));
    plan.live.insert(address);
    return std::nullopt;
  }
  void release(DeviceAddress address) override {
    EXPECT_EQ(plan.live.erase(address), 1u) << "released twice";
    std::free(reinterpret_cast<void *>(address));
  }
  DeviceError upload(DeviceAddress to, const void *from,
                     size_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return std::nullopt;
  }
  DeviceError download(void *to, DeviceAddress from, size_t bytes) override {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return std::nullopt;
  }
  DeviceError copy(DeviceAddress to, DeviceAddress from,
                   size_t bytes) override {
    return upload(to, reinterpret_cast<void *>(from), bytes);
  }
  DeviceError fill(DeviceAddress to, uint8_t byte, size_t bytes) override {
    if (to != flushBuffer) // There is no cache to flush.
      std::memset(reinterpret_cast<void *>(to), byte, bytes);
    return std::nullopt;
  }
  DeviceError synchronize() override { return std::nullopt; }
  DeviceError record(const Work &work, Work &replay) override {
    replay = work;
    return std::nullopt;
  }
  DeviceError measureClock(double &megahertz) override {
    megahertz = plan.clocks.front();
    if (plan.clocks.size() > 1)
      plan.clocks.erase(plan.clocks.begin());
    return std::nullopt;
  }
  double highestClock() const override { return 1980; }
  DeviceError load(const DeviceImage &, const LaunchList &,
                   std::unique_ptr<DeviceProgram> &program) override {
    struct FakeProgram : DeviceProgram {
      explicit FakeProgram(Plan &plan) : plan(plan) {}
      DeviceError bind(const Addresses &buffers) override {
        bound = buffers;
        return std::nullopt;
      }
      DeviceError run() override {
        plan.seen.insert(bound.back());
        return plan.kernel(bound);
      }
      Plan &plan;
      Addresses bound;
    };
    program = std::make_unique<FakeProgram>(plan);
    return std::nullopt;
  }

protected:
  DeviceError timeOnce(const Work &work, double &microseconds) override {
    microseconds = plan.microseconds;
    return work();
  }

private:
  Plan &plan;
};

class CudaBenchTest : public JudgeFixture {
protected:
  CudaBenchTest() {
    prepare();
    artifact.kind = "cubin";
    artifact.hash = "code";
    LaunchList list;
    KernelLaunch &kernel = list.kernels.emplace_back();
    kernel.name = "task";
    for (int64_t index : {0, 1, 2}) {
      LaunchArgument &argument = kernel.arguments.emplace_back();
      argument.index = index;
      argument.written = index == 2;
      argument.type.element = ElementType::f32;
      argument.type.shape = index == 0   ? std::vector<int64_t>{24, 40}
                            : index == 1 ? std::vector<int64_t>{40, 48}
                                         : std::vector<int64_t>{24, 48};
    }
    artifact.launches = toJSON(list);
    request.rounds = 3;
  }
  ~CudaBenchTest() override {
    bench.reset();
    EXPECT_TRUE(plan.live.empty()) << plan.live.size() << " buffers are left";
  }

  void prepare() {
    bench = makeCudaBench(
        PreparedTask::create(&context, task, 1, error), *findTarget("sm_80"),
        "cuda:0", [this](const std::string &, std::unique_ptr<Device> &device) {
          device = std::make_unique<FakeDevice>(plan);
          return DeviceError();
        });
  }
  static float *at(const Addresses &buffers, int index) {
    return reinterpret_cast<float *>(buffers[index]);
  }
  static DeviceError multiply(const Addresses &buffers) {
    const float *x = at(buffers, 0), *w = at(buffers, 1);
    float *y = at(buffers, 2);
    for (int m = 0; m < 24; ++m)
      for (int n = 0; n < 48; ++n) {
        float sum = 0;
        for (int k = 0; k < 40; ++k)
          sum += x[m * 40 + k] * w[k * 48 + n];
        y[m * 48 + n] = std::isnan(sum) ? sum : std::max(sum, 0.0f);
      }
    return std::nullopt;
  }
  Record measure(FakeKernel kernel) {
    plan.kernel = std::move(kernel);
    std::string problem;
    if (!isOpen)
      EXPECT_EQ(bench->open(problem), "a device of the tests") << problem;
    isOpen = true;
    Record record = bench->startRecord({"an id", "", "", {}});
    bench->measure(artifact, nullptr, request, record);
    return record;
  }
  static std::string first(const Record &record) {
    return record.sentences.empty() ? "" : record.sentences.front();
  }

  FakeDevice::Plan plan;
  bool isOpen = false;
  Artifact artifact;
  WorkerRequest request;
  std::unique_ptr<Bench> bench;
};

} // namespace

TEST_F(CudaBenchTest, MeasuresARightKernel) {
  Record record = measure(multiply);
  EXPECT_EQ(record.verdict, Verdict::Same) << first(record);
  EXPECT_EQ(record.failedTier, -1);
  EXPECT_EQ(record.compared, 4 * 24 * 48);
  EXPECT_EQ(record.samples.size(), 3u);
  EXPECT_DOUBLE_EQ(record.seconds, 100e-6);
  EXPECT_FALSE(bench->isSpent());
  // Four sets, three runs of the first, and the buffers of the timing.
  EXPECT_GE(plan.seen.size(), 3u);
}

TEST_F(CudaBenchTest, RecordsTheClocks) {
  plan.clocks = {1980, 1950};
  Record record = measure(multiply);
  const Clocks &clocks = record.evidence.clocks;
  EXPECT_EQ(clocks.before, 1980);
  EXPECT_EQ(clocks.after, 1950);
  EXPECT_EQ(clocks.highest, 1980);
  for (const std::string &sentence : record.sentences)
    EXPECT_EQ(sentence.find("the clock"), std::string::npos) << sentence;
}

TEST_F(CudaBenchTest, SaysThatTheClockMoved) {
  plan.clocks = {1980, 1800};
  EXPECT_EQ(measure(multiply).sentences.back(),
            "the clock moved from 1980 to 1800 MHz meanwhile: the ratio "
            "stands, the time is one between two");
}

TEST_F(CudaBenchTest, SaysThatTheClockIsHeldBack) {
  plan.clocks = {1980, 1410};
  EXPECT_EQ(measure(multiply).sentences.back(),
            "the clock was 1410 MHz of 1980: the ratio stands, the time is not "
            "that of an idle GPU");
}

TEST_F(CudaBenchTest, TimesShortKernelsTogether) {
  // So many launches make one sample; each on buffers of its own.
  plan.microseconds = 10;
  Record record = measure(multiply);
  EXPECT_EQ(record.verdict, Verdict::Same) << first(record);
  EXPECT_DOUBLE_EQ(record.seconds, 10e-6 / 50);
  EXPECT_GE(plan.seen.size(), 50u);
}

TEST_F(CudaBenchTest, NamesItsPeer) {
  request.peers = true;
  Record record = measure(multiply);
  EXPECT_EQ(record.verdict, Verdict::Same) << first(record);
  // There is no cuBLAS that could work here, and a copy is no peer of a
  // product.
  EXPECT_TRUE(record.peers.empty());
}

TEST_F(CudaBenchTest, ComparesTheRestWithACopy) {
  task.text = R"(
    func.func @task(%x: tensor<64xf32>) -> tensor<64xf32> {
      %e = tensor.empty() : tensor<64xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>],
                           iterator_types = ["parallel"]}
           ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
      ^bb0(%a: f32, %o: f32):
        %r = arith.addf %a, %a : f32
        linalg.yield %r : f32
      } -> tensor<64xf32>
      return %0 : tensor<64xf32>
    })";
  task.matmulFlops = 0;
  task.flops = 64;
  task.bytes = 512;
  prepare();
  LaunchList list;
  KernelLaunch &kernel = list.kernels.emplace_back();
  kernel.name = "task";
  for (int64_t index : {0, 1}) {
    LaunchArgument &argument = kernel.arguments.emplace_back();
    argument.index = index;
    argument.written = index == 1;
    argument.type = {ElementType::f32, {64}};
  }
  artifact.launches = toJSON(list);
  request.peers = true;
  for (double microseconds : {100, 10}) {
    plan.microseconds = microseconds;
    Record record = measure([](const Addresses &b) {
      for (int i = 0; i < 64; ++i)
        at(b, 1)[i] = 2 * at(b, 0)[i];
      return DeviceError();
    });
    ASSERT_EQ(record.verdict, Verdict::Same) << first(record);
    ASSERT_EQ(record.peers.size(), 1u);
    EXPECT_EQ(record.peers[0].name, "device-to-device copy");
    EXPECT_DOUBLE_EQ(record.peers[0].ratio, 1);
    EXPECT_DOUBLE_EQ(record.peers[0].seconds, record.seconds);
  }
}

TEST_F(CudaBenchTest, RefusesWritesToInputs) {
  Record record = measure([](const Addresses &b) {
    multiply(b);
    at(b, 1)[5] += 1;
    return DeviceError();
  });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_EQ(first(record), "input 1 was changed by the kernel");
  // The next candidate gets what the first one should have had.
  EXPECT_EQ(measure(multiply).verdict, Verdict::Same);
}

TEST_F(CudaBenchTest, RefusesWritesAroundResults) {
  for (int place : {-1, 24 * 48, 24 * 48 + 500, -700}) {
    Record record = measure([place](const Addresses &b) {
      multiply(b);
      at(b, 2)[place] = 1;
      return DeviceError();
    });
    EXPECT_EQ(record.verdict, Verdict::Wrong) << place;
    EXPECT_EQ(first(record), "result 0 was written outside of its elements");
  }
}

TEST_F(CudaBenchTest, RefusesNothingAndZeros) {
  Record record = measure([](const Addresses &) { return DeviceError(); });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
  EXPECT_NE(first(record).find("no element was written"), std::string::npos);
  record = measure([](const Addresses &b) {
    std::memset(at(b, 2), 0, 24 * 48 * 4);
    return DeviceError();
  });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
}

TEST_F(CudaBenchTest, RefusesWhatAnEarlierRunLeft) {
  // Computes once, and copies its result from where it was put.
  const float *kept = nullptr;
  Record record = measure([&](const Addresses &b) {
    if (!kept) {
      multiply(b);
      kept = at(b, 2);
    } else if (at(b, 2) != kept) {
      return DeviceError(); // It has not been here before.
    }
    return DeviceError();
  });
  EXPECT_EQ(record.verdict, Verdict::Wrong);
}

TEST_F(CudaBenchTest, ADeviceThatFailedIsSpent) {
  Record record = measure([](const Addresses &) {
    return DeviceError("waiting for the GPU failed: an illegal memory access");
  });
  EXPECT_EQ(record.verdict, Verdict::Crashed);
  EXPECT_EQ(record.failedTier, 4);
  EXPECT_EQ(first(record),
            "waiting for the GPU failed: an illegal memory access");
  EXPECT_TRUE(bench->isSpent());
}

TEST_F(CudaBenchTest, AFailureWhileTimingIsOneToo) {
  int runs = 0;
  Record record = measure([&](const Addresses &b) {
    return ++runs > 6 + 10 ? DeviceError("the GPU fell off the bus")
                           : multiply(b);
  });
  EXPECT_EQ(record.verdict, Verdict::Crashed);
  EXPECT_EQ(record.failedTier, 6);
  EXPECT_TRUE(bench->isSpent());
}

TEST_F(CudaBenchTest, TimesThatAreNone) {
  plan.microseconds = 0;
  Record record = measure(multiply);
  EXPECT_EQ(record.verdict, Verdict::Ambiguous);
  EXPECT_EQ(record.failedTier, 6);
  EXPECT_NE(first(record).find("which is no time"), std::string::npos);
  plan.microseconds = 1e-4; // Far below what the A100 needs.
  record = measure(multiply);
  EXPECT_EQ(record.verdict, Verdict::Ambiguous);
  EXPECT_NE(first(record).find("the measurement does not count"),
            std::string::npos)
      << first(record);
}

TEST_F(CudaBenchTest, RefusesADeviceOfAnotherKind) {
  std::string problem;
  plan.capability = 90;
  EXPECT_EQ(bench->open(problem), "");
  EXPECT_EQ(problem, "target sm_80 does not run on a device of the tests; "
                     "accepted there is sm_80");
  // Later minors of the same major run it.
  plan.capability = 86;
  EXPECT_EQ(bench->open(problem), "a device of the tests");
}
