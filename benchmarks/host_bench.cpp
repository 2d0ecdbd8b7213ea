//===- host_bench.cpp - what the host benchmarks share --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "host_bench.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

using namespace kernelzero;
using namespace kernelzero::bench;

static double now() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Processor time of this thread: compilation does not wait for anything.
static double worked() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

std::unique_ptr<HostKernel> bench::build(const std::string &task,
                                         const std::string &scheduleFile,
                                         const HostOptions &options,
                                         Latency &latency) {
  mlir::DialectRegistry registry;
  registerScheduleDialects(registry);
  registerHostLowering(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto file = llvm::MemoryBuffer::getFile(scheduleFile);
  if (!file) {
    std::fprintf(stderr, "cannot read '%s': %s\n", scheduleFile.c_str(),
                 file.getError().message().c_str());
    return nullptr;
  }
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      task, mlir::ParserConfig(&context));
  if (!module)
    return nullptr;
  ScheduleError error;
  auto library = parseSchedule(&context, (*file)->getBuffer(), error);
  mlir::OwningOpRef<mlir::ModuleOp> made;
  // Twice: the first warms up what every later candidate finds warm.
  for (int round = 0; round < 2; ++round) {
    double start = worked();
    if (library)
      if (auto schedule = findSchedule(*library, error))
        made = applySchedule(*module->getOps<mlir::func::FuncOp>().begin(),
                             schedule, error);
    if (!made) {
      for (const std::string &sentence : error.sentences)
        std::fprintf(stderr, "%s\n", sentence.c_str());
      return nullptr;
    }
    double scheduled = worked();
    if (failed(lowerToHost(*made)))
      return nullptr;
    double lowered = worked();
    latency.schedule = scheduled - start;
    latency.lower = lowered - scheduled;
    auto kernel = HostKernel::compile(*made, options);
    if (!kernel) {
      std::fprintf(stderr, "%s\n", llvm::toString(kernel.takeError()).c_str());
      return nullptr;
    }
    latency.translate = (*kernel)->times().translate;
    latency.optimize = (*kernel)->times().optimize;
    latency.generate = (*kernel)->times().generate;
    if (round == 1)
      return std::move(*kernel);
  }
  return nullptr;
}

Floats::Floats(int64_t count, unsigned seed) : count(count) {
  values = static_cast<float *>(
      std::aligned_alloc(4096, (count * 4 + 4095) / 4096 * 4096));
  std::minstd_rand random(seed);
  for (int64_t index = 0; index < count; ++index)
    values[index] = static_cast<float>(random()) / 1073741824.0f - 1.0f;
}
Floats::~Floats() { std::free(values); }

Timing bench::interleave(const std::function<void()> &ours,
                         const std::function<void()> &peer, double seconds,
                         bool processorTime) {
  auto clock = processorTime ? worked : now;
  ours();
  peer();
  double start = now();
  ours();
  peer();
  // Short programs run several times between two looks at the clock.
  int64_t repeats = std::max<int64_t>(1, 0.4 / std::max(now() - start, 1e-4));
  std::vector<double> mine, theirs;
  double end = now() + seconds * 1000;
  while (mine.size() < 5 || now() < end) {
    double a = clock();
    for (int64_t repeat = 0; repeat < repeats; ++repeat)
      ours();
    double b = clock();
    for (int64_t repeat = 0; repeat < repeats; ++repeat)
      peer();
    double c = clock();
    mine.push_back((b - a) / repeats);
    theirs.push_back((c - b) / repeats);
  }
  auto summarize = [](std::vector<double> times, double &least, double &median,
                      double &spread) {
    std::sort(times.begin(), times.end());
    size_t count = times.size();
    least = times.front();
    median = times[count / 2];
    spread = (times[count * 3 / 4] - times[count / 4]) / median;
  };
  Timing timing;
  summarize(mine, timing.ours, timing.oursMedian, timing.oursSpread);
  summarize(theirs, timing.peer, timing.peerMedian, timing.peerSpread);
  return timing;
}

double bench::largestError(const float *values,
                           const std::vector<double> &reference) {
  double error = 0, scale = 1e-300;
  for (size_t index = 0; index < reference.size(); ++index) {
    scale = std::max(scale, std::abs(reference[index]));
    double difference = std::abs(values[index] - reference[index]);
    if (!(difference <= error))
      error = std::isnan(difference) ? INFINITY : difference;
  }
  return error / scale;
}

void bench::printRow(const std::string &what, double flops, double bytes,
                     double error, const Timing &t, const Latency &l) {
  std::printf("%-34s error %.1e | ours %9.4f ms (median %9.4f, spread %4.1f%%) "
              "%6.1f GFLOP/s %5.1f "
              "GB/s | peer %9.4f ms (median %9.4f, spread %4.1f%%) | ratio "
              "%.3f, of medians %.3f | "
              "schedule %.1f lower %.1f translate %.1f tidy %.1f code %.1f, "
              "total %.1f ms\n",
              what.c_str(), error, t.ours, t.oursMedian, 100 * t.oursSpread,
              flops / t.ours / 1e6, bytes / t.ours / 1e6, t.peer, t.peerMedian,
              100 * t.peerSpread, t.peer / t.ours, t.peerMedian / t.oursMedian,
              l.schedule, l.lower, l.translate, l.optimize, l.generate,
              l.total());
  std::fflush(stdout);
}
