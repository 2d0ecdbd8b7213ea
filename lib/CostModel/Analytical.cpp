//===- Analytical.cpp - how long a kernel should take ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/CostModel/Analytical.h"

#include <algorithm>
#include <cmath>

using namespace kernelzero;

// Cycles and rates that the table does not hold; see the header for sources.
static constexpr double kMemoryLatency = 900;
static constexpr double kBarrierCycles = 30;
static constexpr double kBlockStartCycles = 700;
static constexpr double kSharedBytesPerCycle = 128;
static constexpr double kSpecialsPerCycle = 16;
static constexpr double kMemoryInstructionsPerCycle = 32;
static constexpr double kL2BytesPerCycle = 48; // To one multiprocessor.
// Of instructions that a scheduler could issue, those of each warp alone.
static constexpr double kIssueShare = 0.35, kSchedulers = 4;
// Of the peak, by mma.sync where there is wgmma.
static constexpr double kOldProductShare = 0.62;
static constexpr double kDramShare = 0.92; // Of the data sheet, at best.
// Between kernels of a graph, as they are timed.
static constexpr double kLaunchSeconds = 1e-6;

static bool isHalf(const std::string &element) {
  return element == "f16" || element == "bf16";
}

Roofline kernelzero::getRoofline(const TaskInfo &task, const Target &target) {
  Roofline best;
  auto consider = [&](double work, double rate, const char *limit) {
    if (rate > 0 && work / rate > best.seconds)
      best = {work / rate, limit};
  };
  double products = double(task.matmulFlops);
  double others = double(std::max<int64_t>(task.flops - task.matmulFlops, 0));
  if (!target.isGPU()) {
    const HostPeaks &peaks = getHostPeaks();
    // Every form of arithmetic fits into the vectors as often as f32 or, with
    // narrower elements, at most twice as often.
    double rate = peaks.f32Flops * (isHalf(task.element) ? 2 : 1);
    consider(products + others, rate, "f32");
    // A task within the caches moves its bytes there.
    constexpr double kBeyondCaches = double(int64_t(1) << 30);
    consider(double(task.bytes),
             double(task.bytes) > kBeyondCaches ? peaks.dramBytesPerSecond
                                                : peaks.cacheBytesPerSecond,
             double(task.bytes) > kBeyondCaches ? "DRAM" : "caches");
    return best;
  }
  if (isHalf(task.element))
    consider(products, target.f16TensorFlops,
             task.element == "bf16" ? "bf16 tensor cores" : "f16 tensor cores");
  else if (task.element == "i8")
    consider(products, 2 * target.f16TensorFlops, "i8 tensor cores");
  else
    consider(products, target.f32Flops,
             task.element.empty() ? "f32" : task.element.c_str());
  consider(others, target.f32Flops, "f32");
  consider(double(task.bytes), target.dramBytesPerSecond, "DRAM");
  return best;
}

Residency kernelzero::getResidency(const KernelWork &kernel,
                                   const Target &target) {
  Residency result;
  double threads = double(std::max<int64_t>(kernel.threads, 32));
  auto limit = [&](double blocks, const char *what) {
    int64_t whole = int64_t(blocks);
    if (result.limit.empty() || whole < result.blocks) {
      result.blocks = whole;
      result.limit = what;
    }
  };
  limit(target.threadsPerMultiprocessor / threads, "threads");
  double warps = std::ceil(threads / 32);
  if (kernel.registers > 0) {
    double perWarp = std::ceil(kernel.registers * 32 / 256.0) * 256;
    limit(target.registersPerMultiprocessor / (perWarp * warps), "registers");
  }
  limit(target.sharedBytesPerMultiprocessor /
            (kernel.sharedBytes + double(kSystemSharedBytes)),
        "shared memory");
  limit(double(target.blocksPerMultiprocessor), "blocks");
  result.blocks = std::max<int64_t>(result.blocks, 1);
  if (target.threadsPerMultiprocessor > 0)
    result.occupancy = std::min(1.0, result.blocks * warps * 32 /
                                         target.threadsPerMultiprocessor);
  return result;
}

namespace {
/// Largest of several times, and what it stands for.
struct Longest {
  double value = 0;
  const char *what = "launch";
  void consider(double other, const char *name) {
    if (other > value) {
      value = other;
      what = name;
    }
  }
};
} // namespace

/// Seconds of one kernel without its launch.
static Longest modelKernel(const KernelWork &kernel, const Target &target) {
  double processors = std::max<double>(1, target.multiprocessors);
  double clock = std::max<double>(1, target.clockMHz) * 1e6;
  double blocks = std::max(kernel.blocks, 1.0);
  double lanes = target.f32Flops / 2 / processors / clock;
  double tensor = target.f16TensorFlops / processors / clock *
                  (kernel.mmaSync && target.wgmma ? kOldProductShare : 1);

  // Cycles of the busiest block on units that all blocks of a multiprocessor
  // share.
  auto perBlock = [&](double work, double rate) {
    return work > 0 && rate > 0 ? work / blocks * kernel.imbalance / rate : 0;
  };
  Longest share;
  double sum = 0;
  auto unit = [&](double cycles, const char *what) {
    share.consider(cycles, what);
    sum += cycles;
  };
  unit(perBlock(kernel.tensorFlops, tensor * kernel.tensorRate),
       "tensor cores");
  unit(perBlock(kernel.instructions - kernel.tailInstructions, lanes),
       "instructions");
  unit(perBlock(kernel.specials, kSpecialsPerCycle), "special functions");
  unit(perBlock(kernel.sharedTraffic, kSharedBytesPerCycle), "shared memory");
  unit(perBlock(kernel.memoryInstructions, kMemoryInstructionsPerCycle),
       "memory instructions");
  unit(perBlock(kernel.readBytes + kernel.writtenBytes, kL2BytesPerCycle),
       "L2");
  // Units overlap, though never wholly.
  constexpr double kUnhidden = 0.1;
  double work = share.value + kUnhidden * (sum - share.value);

  // What follows a product: its warps alone issue it, and tensor cores idle
  // unless another block is there to use them.
  double tail = perBlock(kernel.tailInstructions, lanes);
  double issue =
      std::min(1.0, kIssueShare * kernel.productThreads / 32 / kSchedulers);
  double tailAlone = issue > 0 ? tail / issue : tail;
  share.consider(tailAlone, "instructions");

  // Cycles of one block that nothing else can shorten. What is asked for ahead
  // of use hides latency.
  Residency residency = getResidency(kernel, target);
  double ahead = std::max(kernel.ahead, 1.0);
  double turns = kernel.turns * kernel.imbalance;
  double perTurn = turns > 0 ? work / turns : 0;
  double arrival = kMemoryLatency + kernel.turnBytes / kL2BytesPerCycle;
  double waits = turns * std::max(0.0, arrival / ahead - perTurn);
  double chain = kBlockStartCycles + kMemoryLatency + work + tailAlone + waits +
                 kernel.barriers * kernel.imbalance * kBarrierCycles;
  work = residency.blocks > 1
             ? std::max(work, tail) + kUnhidden * std::min(work, tail)
             : work + tailAlone;

  // The multiprocessor with most blocks, round by round.
  double most = std::ceil(blocks / processors);
  double full = std::floor(most / residency.blocks);
  double rest = most - full * residency.blocks;
  Longest time;
  double shared = full * residency.blocks * work, alone = full * chain;
  double cycles = full * std::max(residency.blocks * work, chain);
  if (rest > 0) {
    shared += rest * work;
    alone += chain;
    cycles += std::max(rest * work, chain);
  }
  time.consider(cycles / clock, alone > shared ? "latency" : share.what);

  // Memory. Places that are asked for again are in L2 if everything is, or if
  // they are asked for by blocks that run at the same time: a square of tiles.
  double asked = kernel.readBytes + kernel.writtenBytes;
  double unique = std::min(kernel.uniqueBytes, asked);
  double again = unique > 0 ? asked / unique : 1;
  double running = std::min(blocks, processors * residency.blocks);
  double together = std::clamp(std::sqrt(running), 1.0, std::max(again, 1.0));
  double traffic = unique <= 0.8 * target.l2Bytes ? unique : asked / together;
  double dram = target.dramBytesPerSecond * kDramShare;
  // Little's law: no more bytes a second than are under way a latency.
  if (kernel.bytesInFlight > 0) {
    double inFlight = kernel.bytesInFlight * running;
    dram = std::min(dram, inFlight / (kMemoryLatency / clock));
  }
  if (dram > 0)
    time.consider(std::max(traffic, unique) / dram, "DRAM");
  return time;
}

double kernelzero::modelSeconds(const std::vector<KernelWork> &kernels,
                                const Target &target, std::string *limit) {
  double total = 0;
  Longest longest;
  for (const KernelWork &kernel : kernels) {
    Longest time = modelKernel(kernel, target);
    longest.consider(time.value,
                     time.value > kLaunchSeconds ? time.what : "launch");
    total += kLaunchSeconds + time.value;
  }
  if (limit)
    *limit = longest.what;
  return total;
}
