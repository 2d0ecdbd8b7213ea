//===- HostBench.cpp - candidates on the host -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostCode.h"
#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"
#include "Schedules.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cmath>
#include <map>

using namespace mlir;
using namespace kernelzero;

using Clock = std::chrono::steady_clock;

namespace {
class HostBench : public Bench {
public:
  HostBench(std::unique_ptr<PreparedTask> task, const Target &target)
      : Bench(std::move(task), target, "host") {
    ranOn = describeHostDevice();
    // Here, where nothing of ours runs beside it; forks know it then.
    getHostPeaks();
    this->task->distribution += "; warm caches";
  }

  bool build(const Candidate &candidate, int lastTier, Record &record,
             Artifact &artifact) override;
  bool needsQuiet() const override { return true; }
  std::string open(std::string &) override { return describeHostDevice(); }
  void measure(const Artifact &candidate, const Artifact *baseline,
               const WorkerRequest &request, Record &record) override;

private:
  HostKernel *load(const Artifact &artifact, Record &record);
  void time(HostKernel &baseline, HostKernel &candidate,
            const WorkerRequest &request, Record &record);
  void explain(Record &record);

  /// The code that was loaded last, and the one before: the candidate's and the
  /// baseline's.
  std::map<std::string, std::unique_ptr<HostKernel>> loaded;
};
} // namespace

bool HostBench::build(const Candidate &candidate, int lastTier, Record &record,
                      Artifact &artifact) {
  enter(Stage::Applying);
  Claims claims;
  OwningOpRef<ModuleOp> scheduled =
      applyCandidate(*task, candidate.schedule, target, record, claims);
  if (!scheduled || lastTier < 3)
    return false;
  auto start = Clock::now();
  std::optional<HostObject> object = buildForHost(
      *scheduled, {}, /*tier=*/3, [this](Stage stage) { enter(stage); },
      record);
  record.compileSeconds = secondsSince(start);
  if (!object)
    return false;
  artifact.kind = "object";
  artifact.hash = record.evidence.code = object->hash();
  artifact.code = std::move(object->code);
  artifact.inputs = object->inputs;
  artifact.outputs = object->outputs;
  artifact.sharedBytes = object->sharedBytes;
  artifact.privateBytes = object->privateBytes;
  record.resources.workspaceBytes = object->sharedBytes + object->privateBytes;
  record.resources.kernels = claims.kernels;
  passTier(record, 3);
  return true;
}

HostKernel *HostBench::load(const Artifact &artifact, Record &record) {
  if (auto found = loaded.find(artifact.hash); found != loaded.end())
    return found->second.get();
  HostObject object;
  object.code = artifact.code;
  object.inputs = artifact.inputs;
  object.outputs = artifact.outputs;
  object.sharedBytes = artifact.sharedBytes;
  object.privateBytes = artifact.privateBytes;
  llvm::Expected<std::unique_ptr<HostKernel>> kernel =
      HostKernel::load(std::move(object));
  if (!kernel) {
    failTier(record, 3, Verdict::Uncompilable,
             llvm::toString(kernel.takeError()));
    return nullptr;
  }
  return (loaded[artifact.hash] = std::move(*kernel)).get();
}

void HostBench::time(HostKernel &baseline, HostKernel &candidate,
                     const WorkerRequest &request, Record &record) {
  std::vector<Buffer> outputs;
  std::vector<void *> pointers;
  for (Buffer &buffer : task->sets.front().inputs)
    pointers.push_back(buffer.data());
  for (RankedTensorType type : task->results) {
    Buffer &buffer = outputs.emplace_back();
    if (!buffer.allocate(type))
      return failTier(record, 6, Verdict::Crashed,
                      "there is no memory for a result");
    buffer.poison();
    pointers.push_back(buffer.data());
  }
  enter(Stage::Timing);
  // Short kernels run several times a sample, so that the clock can see them.
  auto measure = [&](HostKernel &kernel, int64_t repeats) {
    auto start = Clock::now();
    for (int64_t i = 0; i < repeats; ++i)
      kernel.run(pointers);
    return secondsSince(start) / repeats;
  };
  constexpr double kLeastSample = 500e-6;
  auto getRepeats = [&](double seconds) {
    return std::clamp<int64_t>(
        std::ceil(kLeastSample / std::max(seconds, 1e-9)), 1, 100000);
  };
  double first = measure(baseline, 1);
  double second = measure(candidate, 1);
  int64_t repeats = getRepeats(first), candidateRepeats = getRepeats(second);
  int rounds =
      std::clamp<int>(request.budgetSeconds / std::max(first + second, 1e-9), 3,
                      std::max(3, request.rounds));
  // A run that takes long is as good as warm at once, and its time counts.
  constexpr double kLong = 0.2;
  if (first >= kLong && second >= kLong) {
    record.baselineSamples.push_back(first);
    record.samples.push_back(second);
  }
  while (int(record.samples.size()) < rounds) {
    // Far slower is slower: the rest of the rounds would tell nothing.
    double slower = getMedian(record.samples) /
                    std::max(getMedian(record.baselineSamples), 1e-9);
    if (record.samples.size() >= 3 && slower > 1.3)
      break;
    record.baselineSamples.push_back(measure(baseline, repeats));
    record.samples.push_back(measure(candidate, candidateRepeats));
  }
}

/// What limits the candidate, and which step of the language addresses that.
void HostBench::explain(Record &record) {
  const TaskInfo &info = task->info;
  if (record.seconds <= 0)
    return;
  Roofline bound = getRoofline(info, target);
  addSentence(record, llvm::formatv("{0:f3} ms, {1:f1} GFLOP/s, {2:f1} GB/s",
                                    record.seconds * 1e3,
                                    info.flops / record.seconds * 1e-9,
                                    info.bytes / record.seconds * 1e-9)
                          .str());
  double share = bound.seconds / record.seconds;
  if (bound.limit == "f32")
    addSentence(
        record,
        llvm::formatv("{0:f0} % of what one core computes; {1}", share * 100,
                      share > 0.7
                          ? "arithmetic limits it, little is left"
                          : "wider lanes, a larger register tile (tile_loop "
                            "parallel), or packing (stage memory panels) feed "
                            "the vector units better")
            .str());
  else if (!bound.limit.empty())
    addSentence(record,
                llvm::formatv("{0:f0} % of what one core moves from {1}; {2}",
                              share * 100, bound.limit,
                              share > 0.7
                                  ? "memory limits it, little is left"
                                  : "fewer passes (fuse in tile_grid), wider "
                                    "lanes and more interleave move more")
                    .str());
}

void HostBench::measure(const Artifact &candidate, const Artifact *baseline,
                        const WorkerRequest &request, Record &record) {
  enter(Stage::Compiling);
  // Two are worth keeping; what was measured before is not asked for again.
  if (loaded.size() > 8)
    loaded.clear();
  HostKernel *kernel = load(candidate, record);
  if (!kernel)
    return;
  HostKernel *peer = baseline ? load(*baseline, record) : kernel;
  if (!peer)
    return;
  enter(Stage::Running);
  if (!checkResults(
          *task,
          runOnHost(*task,
                    [&](ArrayRef<void *> buffers) { kernel->run(buffers); }),
          request.lastTier, record))
    return;
  record.verdict = Verdict::Ambiguous;
  if (request.lastTier < 6)
    return;
  record.noise = request.noise;
  time(*peer, *kernel, request, record);
  if (record.failedTier >= 0)
    return;
  // The peaks were measured while who knows what else ran here, on the same
  // core too.
  constexpr double kShare = 0.25;
  TaskInfo least = task->info;
  least.bytes = task->leastBytes;
  finishTiming(record, kShare * getRoofline(least, target).seconds, !baseline);
  explain(record);
}

std::unique_ptr<Bench>
kernelzero::makeHostBench(std::unique_ptr<PreparedTask> task,
                          const Target &target) {
  return std::make_unique<HostBench>(std::move(task), target);
}
