//===- ModelledBench.cpp - candidates for a GPU that is not here ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GPUCode.h"
#include "HostCode.h"
#include "KernelZero/Judge/Checks.h"

#include <map>

using namespace mlir;
using namespace kernelzero;

namespace {
/// Code is made for the target, level L1 runs on the host, time is modelled.
class ModelledBench : public Bench {
public:
  ModelledBench(std::unique_ptr<PreparedTask> task, const Target &target)
      : Bench(std::move(task), target, "") {
    ranOn = "nowhere: modelled for " + target.name.str() + "; L1 on " +
            describeHostDevice();
    this->task->distribution += "; level L1 on the host";
  }

  bool build(const Candidate &candidate, int lastTier, Record &record,
             Artifact &artifact) override;
  bool measures() const override { return false; }
  std::string open(std::string &) override { return ranOn; }
  void measure(const Artifact &, const Artifact *, const WorkerRequest &,
               Record &) override {}

private:
  bool check(ModuleOp scheduled, int lastTier, Record &record);

  /// Many schedules differ in markers only; what runs on the host is then the
  /// same, and right or wrong as it was. By hash of the code.
  std::map<std::string, Record> checked;
};
} // namespace

bool ModelledBench::check(ModuleOp scheduled, int lastTier, Record &record) {
  HostLoweringOptions options;
  options.ignoreForeignMarkers = true;
  std::optional<HostObject> object = buildForHost(
      scheduled, options, /*tier=*/4, [this](Stage stage) { enter(stage); },
      record);
  if (!object)
    return false;
  lastTier = std::min(lastTier, 5);
  std::string hash = object->hash() + std::to_string(lastTier);
  auto found = checked.find(hash);
  if (found == checked.end()) {
    llvm::Expected<std::unique_ptr<HostKernel>> kernel =
        HostKernel::load(std::move(*object));
    if (!kernel) {
      failTier(record, 4, Verdict::Uncompilable,
               llvm::toString(kernel.takeError()));
      return false;
    }
    enter(Stage::Running);
    // Threads of a GPU may race, plain loops do not: one run is enough.
    Record fresh;
    checkResults(
        *task,
        runOnHost(*task,
                  [&](ArrayRef<void *> buffers) { (*kernel)->run(buffers); }),
        lastTier, fresh, /*runs=*/1);
    found = checked.emplace(hash, std::move(fresh)).first;
  }
  const Record &result = found->second;
  record.largestError = result.largestError;
  record.errorRatio = result.errorRatio;
  record.compared = result.compared;
  record.elements = result.elements;
  if (result.failedTier >= 0) {
    failTier(record, result.failedTier, result.verdict,
             result.sentences.empty() ? "" : result.sentences.front());
    return false;
  }
  for (int tier = 4; tier <= lastTier; ++tier)
    passTier(record, tier,
             "on level L1, on the host; L2 and L3 were not executed");
  return true;
}

bool ModelledBench::build(const Candidate &candidate, int lastTier,
                          Record &record, Artifact &artifact) {
  enter(Stage::Applying);
  Claims claims;
  OwningOpRef<ModuleOp> scheduled =
      applyCandidate(*task, candidate.schedule, target, record, claims);
  if (!scheduled)
    return false;
  // Candidates that are only modelled come by the dozen.
  OwningOpRef<ModuleOp> forHost;
  if (lastTier >= 4)
    forHost = scheduled->clone();
  if (!buildForGPU(
          *scheduled, target, claims, lastTier,
          [this](Stage stage) { enter(stage); }, record, artifact) ||
      !forHost || !check(*forHost, lastTier, record))
    return false;
  artifact.kind.clear();
  artifact.code.clear();
  artifact.launches.clear();
  record.verdict = Verdict::Modelled;
  record.seconds = record.modelSeconds;
  skipTier(record, 6, "time is modelled, not measured");
  addSentence(record, "modelled: levels L2 and L3 were not executed, as no " +
                          target.name.str() + " is here");
  explainOnGPU(task->info, target, record.modelSeconds, /*isModelled=*/true,
               record);
  return true;
}

std::unique_ptr<Bench>
kernelzero::makeModelledBench(std::unique_ptr<PreparedTask> task,
                              const Target &target) {
  return std::make_unique<ModelledBench>(std::move(task), target);
}
