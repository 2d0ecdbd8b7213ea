//===- Bench.cpp - judge candidates of one task ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Target/PTX.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "KernelZero/Transforms/Passes.h"
#include "KernelZero/Transforms/TileToNVVM.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace kernelzero;

const char *kernelzero::getStageText(Stage stage) {
  switch (stage) {
  case Stage::Idle:
    return "between candidates";
  case Stage::Applying:
    return "while the schedule was applied";
  case Stage::Lowering:
    return "while the schedule's result was lowered";
  case Stage::Compiling:
    return "while code was made";
  case Stage::Running:
    return "while it ran";
  case Stage::Timing:
    return "while it was timed";
  }
  return "";
}

std::string kernelzero::describeHostDevice() {
  std::string name = "unknown processor";
  if (auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo")) {
    StringRef text = (*file)->getBuffer();
    auto [before, after] = text.split("model name");
    StringRef line = after.split('\n').first;
    line = line.ltrim(" \t:");
    if (!line.empty())
      name = line.trim().str();
  }
  return "host: " + name;
}

Bench::Bench(std::unique_ptr<PreparedTask> task, const Target &target,
             std::string device)
    : task(std::move(task)), target(target), device(std::move(device)) {}

Bench::~Bench() = default;

std::unique_ptr<Bench> Bench::create(MLIRContext *context, const TaskInfo &info,
                                     const Target &target,
                                     const std::string &device, uint64_t seed,
                                     std::string &error) {
  bool fits = device.empty()   ? target.isGPU()
              : target.isGPU() ? StringRef(device).starts_with("cuda:")
                               : device == "host";
  if (!fits) {
    error = "device '" + device + "' does not run code for target " +
            target.name.str() + "; accepted are " +
            (target.isGPU() ? "cuda:N, or none at all" : "host");
    return nullptr;
  }
  std::unique_ptr<PreparedTask> task =
      PreparedTask::create(context, info, seed, error);
  if (!task)
    return nullptr;
  if (!target.isGPU())
    return makeHostBench(std::move(task), target);
  if (device.empty())
    return makeModelledBench(std::move(task), target);
  return makeCudaBench(std::move(task), target, device);
}

Record Bench::startRecord(const Candidate &candidate) const {
  Record record;
  record.taskKey = task->info.key;
  record.taskName = task->info.name;
  record.target = getTargetText(target);
  record.device = device;
  record.id = candidate.id;
  record.schedule = candidate.schedule;
  record.origin = candidate.origin;
  record.knobs = candidate.knobs;
  record.judgedOn = task->judgedOn;
  record.rooflineSeconds = getRoofline(task->info, target).seconds;
  record.evidence.ranOn = ranOn;
  record.evidence.toolchain = getToolchain();
  record.evidence.distribution = task->distribution;
  record.evidence.date = getDate();
  for (int tier = 0; tier <= 6; ++tier)
    skipTier(record, tier, "");
  return record;
}

void kernelzero::registerJudge(DialectRegistry &registry) {
  registerScheduleDialects(registry);
  registerHostLowering(registry);
  registerTargetDialects(registry);
  registry.insert<cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  NVVM::NVVMDialect>();
  static bool once = [] {
    registerToTilePass();
    registerTilePasses();
    registerTargetPasses();
    return true;
  }();
  (void)once;
}
