//===- CudaBench.cpp - candidates on a GPU --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GPUBuffers.h"
#include "GPUCode.h"
#include "GPUPeers.h"
#include "KernelZero/Device/Device.h"
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace kernelzero;

namespace {
/// Code that is loaded, with what it launches.
struct Loaded {
  std::string hash;
  LaunchList list;
  std::unique_ptr<DeviceProgram> program;
};

class CudaBench : public Bench {
public:
  CudaBench(std::unique_ptr<PreparedTask> task, const Target &target,
            const std::string &device, OpenDevice openDevice)
      : Bench(std::move(task), target, device),
        openDevice(std::move(openDevice)) {
    this->task->distribution += "; cold caches";
  }
  ~CudaBench() override {
    // Programs and buffers before the device that holds them.
    peers.reset();
    baselineCode = {};
    inputs.clear();
  }

  bool build(const Candidate &candidate, int lastTier, Record &record,
             Artifact &artifact) override;
  std::string open(std::string &error) override;
  void measure(const Artifact &candidate, const Artifact *baseline,
               const WorkerRequest &request, Record &record) override;
  bool isSpent() const override { return spent; }

private:
  DeviceError load(const Artifact &artifact, Loaded &loaded);
  RunResult runOnce(Loaded &code, const InputSet &set, uint8_t poison);
  DeviceError time(Loaded &baseline, Loaded &candidate,
                   const WorkerRequest &request, Record &record);
  double getLeastSeconds() const;

  OpenDevice openDevice;
  std::unique_ptr<Device> gpu;
  std::unique_ptr<PeerBench> peers;
  /// Inputs on the device, of every set.
  std::map<const InputSet *, std::vector<GPUBuffer>> inputs;
  Loaded baselineCode;
  std::vector<std::vector<char>> downloads;
  std::vector<GPUBuffer> lastOutputs;
  bool spent = false;
};
} // namespace

bool CudaBench::build(const Candidate &candidate, int lastTier, Record &record,
                      Artifact &artifact) {
  enter(Stage::Applying);
  Claims claims;
  OwningOpRef<ModuleOp> scheduled =
      applyCandidate(*task, candidate.schedule, target, record, claims);
  return scheduled &&
         buildForGPU(
             *scheduled, target, claims, lastTier,
             [this](Stage stage) { enter(stage); }, record, artifact);
}

std::string CudaBench::open(std::string &error) {
  if (DeviceError failure = openDevice(device, gpu)) {
    error = *failure;
    return "";
  }
  // Machine code runs on later minors of its major; code that names one
  // architecture (`sm_90a`) runs there alone.
  int64_t own = gpu->capability();
  bool single = target.chip.ends_with("a");
  bool runs =
      single ? target.capability == own
             : target.capability / 10 == own / 10 && target.capability <= own;
  if (!runs) {
    std::string here = gpu->targetName();
    error = "target " + target.name.str() + " does not run on " +
            gpu->describe() +
            (here.empty() ? std::string() : "; accepted there is " + here);
    return "";
  }
  return gpu->describe();
}

DeviceError CudaBench::load(const Artifact &artifact, Loaded &loaded) {
  loaded = Loaded();
  std::string error;
  if (!fromJSON(artifact.launches, loaded.list, error))
    return error;
  DeviceImage image;
  image.kind = artifact.kind == "ptx" ? DeviceImage::Kind::PTX
                                      : DeviceImage::Kind::Cubin;
  image.bytes = artifact.code;
  if (DeviceError failure = gpu->load(image, loaded.list, loaded.program))
    return failure;
  loaded.hash = artifact.hash;
  return std::nullopt;
}

static std::vector<DeviceAddress>
getAddresses(const std::vector<GPUBuffer> &inputs,
             const std::vector<GPUBuffer> &outputs) {
  std::vector<DeviceAddress> addresses;
  for (const GPUBuffer &buffer : inputs)
    addresses.push_back(buffer.address());
  for (const GPUBuffer &buffer : outputs)
    addresses.push_back(buffer.address());
  return addresses;
}

RunResult CudaBench::runOnce(Loaded &code, const InputSet &set,
                             uint8_t poison) {
  RunResult result;
  auto fail = [&](const DeviceError &error) {
    if (error && result.failure.empty()) {
      result.failure = *error;
      spent = true;
    }
    return bool(error);
  };
  std::vector<GPUBuffer> &in = inputs[&set];
  if (in.empty())
    for (const Buffer &buffer : set.inputs) {
      GPUBuffer &copy = in.emplace_back();
      if (fail(copy.allocate(*gpu, buffer.bytes())) ||
          fail(gpu->upload(copy.address(), buffer.data(), buffer.bytes()))) {
        in.clear();
        return result;
      }
    }
  std::vector<GPUBuffer> fresh(task->results.size());
  for (auto [buffer, type] : llvm::zip_equal(fresh, task->results)) {
    int64_t bytes =
        type.getNumElements() * getElementBytes(type.getElementType());
    if (fail(buffer.allocate(*gpu, bytes)) ||
        fail(gpu->fill(buffer.address(), poison, bytes)))
      return result;
  }
  if (fail(code.program->bind(getAddresses(in, fresh))) ||
      fail(code.program->run()) || fail(gpu->synchronize()))
    return result;
  downloads.resize(fresh.size());
  for (auto [number, buffer] : llvm::enumerate(fresh)) {
    std::vector<char> &bytes = downloads[number];
    bytes.resize(buffer.bytes());
    if (fail(gpu->download(bytes.data(), buffer.address(), buffer.bytes())))
      return result;
    result.outputs.push_back(bytes.data());
    bool intact = true;
    if (fail(buffer.checkGuards(intact)))
      return result;
    if (!intact && result.offence.empty())
      result.offence = "result " + std::to_string(number) +
                       " was written outside of its elements";
  }
  std::vector<char> now;
  for (auto [number, buffer] : llvm::enumerate(in)) {
    now.resize(buffer.bytes());
    bool intact = true;
    if (fail(gpu->download(now.data(), buffer.address(), buffer.bytes())) ||
        fail(buffer.checkGuards(intact)))
      return result;
    if (std::memcmp(now.data(), set.inputs[number].data(), now.size()) ||
        !intact) {
      if (result.offence.empty())
        result.offence =
            "input " + std::to_string(number) + " was changed by the kernel";
      // The next candidate gets its own.
      in.clear();
      break;
    }
  }
  // Kept until the next run, so that its results lie elsewhere.
  lastOutputs = std::move(fresh);
  return result;
}

/// Below this time a launch costs a good part of a kernel.
static constexpr double kShortSeconds = 20e-6;
/// Launches of a short kernel in one sample, each on buffers of its own.
static constexpr int64_t kLaunches = 50;
/// Memory that copies of the buffers may take.
static constexpr int64_t kCopyBytes = int64_t(6) << 30;

DeviceError CudaBench::time(Loaded &baseline, Loaded &candidate,
                            const WorkerRequest &request, Record &record) {
  enter(Stage::Timing);
  const InputSet &set = task->sets.front();
  std::vector<GPUBuffer> &in = inputs[&set];
  std::vector<GPUBuffer> outputs(task->results.size());
  int64_t total = 0;
  for (const GPUBuffer &buffer : in)
    total += buffer.bytes();
  for (auto [buffer, type] : llvm::zip_equal(outputs, task->results)) {
    int64_t bytes =
        type.getNumElements() * getElementBytes(type.getElementType());
    if (DeviceError error = buffer.allocate(*gpu, bytes))
      return error;
    total += bytes;
  }
  std::vector<DeviceAddress> addresses = getAddresses(in, outputs);
  std::vector<Loaded *> both = {&baseline, &candidate};
  std::vector<Device::Work> works;
  for (Loaded *code : both) {
    if (DeviceError error = code->program->bind(addresses))
      return error;
    works.push_back([code] { return code->program->run(); });
  }
  // Clocks rise while there is work.
  TimingOptions options;
  options.samples = 3;
  options.warmups = 5;
  std::vector<std::vector<double>> times;
  if (DeviceError error = gpu->time(works, options, times))
    return error;
  double first = getMedian(times[0]) * 1e-6,
         second = getMedian(times[1]) * 1e-6;

  // Short ones are launched together, each time on other buffers, so that
  // caches hold nothing of them.
  std::vector<std::vector<GPUBuffer>> copies;
  int64_t launches = 1;
  if (std::min(first, second) < kShortSeconds) {
    launches = std::clamp<int64_t>(kCopyBytes / std::max<int64_t>(total, 1), 1,
                                   kLaunches);
    for (int64_t i = 1; i < launches; ++i) {
      std::vector<GPUBuffer> &set = copies.emplace_back();
      for (const std::vector<GPUBuffer> *from : {&in, &outputs})
        for (const GPUBuffer &buffer : *from) {
          GPUBuffer &copy = set.emplace_back();
          if (DeviceError error = copy.allocate(*gpu, buffer.bytes()))
            return error;
          if (DeviceError error =
                  gpu->copy(copy.address(), buffer.address(), buffer.bytes()))
            return error;
        }
    }
    if (DeviceError error = gpu->synchronize())
      return error;
    for (auto [code, work] : llvm::zip_equal(both, works)) {
      Device::Work all = [&, code = code]() -> DeviceError {
        for (int64_t i = 0; i < launches; ++i) {
          if (DeviceError error = code->program->bind(
                  i ? getAddresses(copies[i - 1], {}) : addresses))
            return error;
          if (DeviceError error = code->program->run())
            return error;
        }
        return std::nullopt;
      };
      if (DeviceError error = gpu->record(all, work))
        return error;
    }
  }
  // A round is the median of a few runs of each.
  constexpr int kRunsPerRound = 5;
  double each = (first + second) * launches + 2 * 100e-6;
  Clocks &clocks = record.evidence.clocks;
  clocks.highest = gpu->highestClock();
  if (DeviceError error = gpu->measureClock(clocks.before))
    return error;
  int rounds = std::clamp<int>(request.budgetSeconds / (each * kRunsPerRound),
                               3, std::max(3, request.rounds));
  options.samples = rounds * kRunsPerRound;
  options.warmups = 3;
  if (DeviceError error = gpu->time(works, options, times))
    return error;
  auto fold = [&](const std::vector<double> &from, std::vector<double> &to) {
    for (int round = 0; round < rounds; ++round)
      to.push_back(getMedian(std::vector<double>(
                       from.begin() + round * kRunsPerRound,
                       from.begin() + (round + 1) * kRunsPerRound)) *
                   1e-6 / launches);
  };
  if (DeviceError error = gpu->measureClock(clocks.after))
    return error;
  fold(times[0], record.baselineSamples);
  fold(times[1], record.samples);
  if (request.peers) {
    if (!peers)
      peers = std::make_unique<PeerBench>(*gpu, *task);
    if (DeviceError error =
            peers->time(works[1], launches, options, record.peers))
      return error;
  }
  // Programs go on with buffers that live.
  for (Loaded *code : both)
    if (DeviceError error = code->program->bind(addresses))
      return error;
  return std::nullopt;
}

double CudaBench::getLeastSeconds() const {
  TaskInfo least = task->info;
  least.bytes = task->leastBytes;
  // What was written last may still be in the cache.
  int64_t written = 0;
  for (RankedTensorType type : task->results)
    written += type.getNumElements() * getElementBytes(type.getElementType());
  least.bytes -= std::min(written, target.l2Bytes);
  return getRoofline(least, target).seconds;
}

void CudaBench::measure(const Artifact &candidate, const Artifact *baseline,
                        const WorkerRequest &request, Record &record) {
  enter(Stage::Compiling);
  Loaded code;
  if (DeviceError error = load(candidate, code))
    return failTier(record, 3, Verdict::Uncompilable, *error);
  // The driver knows what it loaded, also where there is no assembler.
  for (const LoadedKernel &kernel : code.program->kernels)
    record.resources.registers =
        std::max(record.resources.registers, kernel.registers);
  enter(Stage::Running);
  bool right = checkResults(
      *task,
      [&](const InputSet &set, uint8_t poison) {
        return runOnce(code, set, poison);
      },
      request.lastTier, record);
  lastOutputs.clear();
  if (!right)
    return;
  record.verdict = Verdict::Ambiguous;
  if (request.lastTier < 6)
    return;
  Loaded again;
  Loaded *peer = &again;
  if (baseline) {
    if (baselineCode.hash != baseline->hash)
      if (DeviceError error = load(*baseline, baselineCode)) {
        baselineCode = {};
        return failTier(record, 6, Verdict::Ambiguous,
                        "the baseline cannot be loaded: " + *error);
      }
    peer = &baselineCode;
  } else if (DeviceError error = load(candidate, again)) {
    return failTier(record, 3, Verdict::Uncompilable, *error);
  }
  record.noise = request.noise;
  if (DeviceError error = time(*peer, code, request, record)) {
    spent = true;
    return failTier(record, 6, Verdict::Crashed, *error);
  }
  finishTiming(record, getLeastSeconds(), !baseline);
  explainOnGPU(task->info, target, record.seconds, /*isModelled=*/false,
               record);
  explainClocks(record);
}

std::unique_ptr<Bench>
kernelzero::makeCudaBench(std::unique_ptr<PreparedTask> task,
                          const Target &target, const std::string &device,
                          OpenDevice open) {
  return std::make_unique<CudaBench>(std::move(task), target, device,
                                     open ? open : openDevice);
}
