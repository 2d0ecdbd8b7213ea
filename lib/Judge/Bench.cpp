//===- Bench.cpp - judge candidates of one task on the host ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace kernelzero;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Hostile values are tried where their reference costs little.
static constexpr int64_t kHostileFlops = int64_t(1) << 32;
static constexpr int64_t kHostileBytes = int64_t(1) << 26;

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

//===----------------------------------------------------------------------===//
// Preparing a task
//===----------------------------------------------------------------------===//

/// Whether a kernel that writes `fill(index)` everywhere would pass.
static bool wouldPass(const ReferenceTensor &reference, const Buffer &buffer) {
  return compareWithReference(reference, buffer.data()).wrong == 0;
}

std::unique_ptr<Bench> Bench::create(MLIRContext *context, const TaskInfo &task,
                                     const std::string &target, uint64_t seed,
                                     std::string &error) {
  auto bench = std::unique_ptr<Bench>(new Bench);
  bench->task = task;
  bench->target = target;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      if (error.empty())
        error = "the task does not parse: " + diag.str();
      return success();
    });
    bench->module =
        parseSourceString<ModuleOp>(task.text, ParserConfig(context), "task");
  }
  if (!bench->module)
    return nullptr;
  auto function = bench->module->lookupSymbol<func::FuncOp>("task");
  if (!function) {
    error = "the task has no function @task";
    return nullptr;
  }
  auto allocate = [&](TypeRange types, std::vector<Buffer> &buffers) {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape() ||
          !getElementBytes(tensor.getElementType())) {
        llvm::raw_string_ostream(error)
            << "the task has an argument or result of type " << type
            << "; accepted are tensors of static shape";
        return false;
      }
      if (!buffers.emplace_back().allocate(tensor)) {
        error = "there is no memory for a buffer of the task";
        return false;
      }
    }
    return true;
  };
  bool hostile = task.flops <= kHostileFlops && task.bytes <= kHostileBytes;
  bench->distribution = "normal(0, 1), seed " + std::to_string(seed) +
                        (hostile ? ", and hostile values" : "") +
                        "; warm caches";
  for (bool special : {false, true}) {
    if (special && !hostile)
      break;
    InputSet set;
    set.name = special ? "hostile values" : "normal(0, 1)";
    if (!allocate(function.getArgumentTypes(), set.inputs))
      return nullptr;
    std::vector<const void *> pointers;
    for (auto [index, buffer] : llvm::enumerate(set.inputs)) {
      uint64_t own = seed * 1000003 + index * 7919 + special;
      drawNormal(buffer, own);
      if (special)
        sprinkleHostile(buffer, own);
      buffer.protect();
      pointers.push_back(buffer.data());
    }
    if (!evaluateReference(function, pointers, set.references, error))
      return nullptr;
    bench->sets.push_back(std::move(set));
  }
  if (!allocate(function.getResultTypes(), bench->outputs))
    return nullptr;
  // A judge that nothing can displease is none: zeros must fail.
  for (auto [reference, buffer] :
       llvm::zip_equal(bench->sets.front().references, bench->outputs)) {
    std::memset(buffer.data(), 0, buffer.bytes());
    if (wouldPass(reference, buffer)) {
      error = "the reference cannot tell a right result from zeros";
      return nullptr;
    }
  }
  return bench;
}

Bench::~Bench() = default;

//===----------------------------------------------------------------------===//
// Tiers 1 to 3: from schedule to code
//===----------------------------------------------------------------------===//

static void addSentence(Record &record, const Twine &text) {
  if (record.sentences.size() < 10)
    record.sentences.push_back(text.str());
}

std::unique_ptr<HostKernel> Bench::compile(const std::string &schedule,
                                           Record &record) {
  auto start = Clock::now();
  MLIRContext *context = module->getContext();
  auto fail = [&](Verdict verdict, int tier) {
    record.verdict = verdict;
    record.failedTier = tier;
    return nullptr;
  };
  enter(Stage::Applying);
  ScheduleError error;
  OwningOpRef<ModuleOp> script = parseSchedule(context, schedule, error);
  transform::NamedSequenceOp sequence =
      script ? findSchedule(*script, error) : nullptr;
  OwningOpRef<ModuleOp> scheduled;
  if (sequence)
    scheduled = applySchedule(module->lookupSymbol<func::FuncOp>("task"),
                              sequence, error);
  record.applySeconds = secondsSince(start);
  if (!scheduled) {
    for (const std::string &sentence : error.sentences)
      addSentence(record, sentence);
    return fail(error.tier == 1 ? Verdict::Rejected : Verdict::Inapplicable,
                error.tier);
  }
  start = Clock::now();
  enter(Stage::Lowering);
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      if (diag.getSeverity() == DiagnosticSeverity::Error)
        addSentence(record, diag.str());
      return success();
    });
    if (failed(lowerToHost(*scheduled))) {
      if (record.sentences.empty())
        addSentence(record, "the scheduled task cannot be lowered to the host");
      return fail(Verdict::Uncompilable, 3);
    }
  }
  enter(Stage::Compiling);
  llvm::Expected<std::unique_ptr<HostKernel>> kernel =
      HostKernel::compile(*scheduled);
  if (!kernel) {
    addSentence(record, llvm::toString(kernel.takeError()));
    return fail(Verdict::Uncompilable, 3);
  }
  record.compileSeconds = secondsSince(start);
  record.evidence.code = (*kernel)->hash();
  return std::move(*kernel);
}

//===----------------------------------------------------------------------===//
// Tiers 4 and 5: numbers
//===----------------------------------------------------------------------===//

static std::string describeIndex(RankedTensorType type, int64_t flat) {
  SmallVector<int64_t> index(type.getRank());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    index[dim] = flat % type.getDimSize(dim);
    flat /= type.getDimSize(dim);
  }
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

bool Bench::check(const Kernel &kernel, Record &record) {
  for (InputSet &set : sets) {
    std::vector<void *> pointers;
    for (Buffer &buffer : set.inputs)
      pointers.push_back(buffer.data());
    for (Buffer &buffer : outputs) {
      buffer.poison();
      pointers.push_back(buffer.data());
    }
    enter(Stage::Running);
    kernel(pointers);
    for (auto [number, buffer] : llvm::enumerate(outputs)) {
      const ReferenceTensor &reference = set.references[number];
      Comparison comparison = compareWithReference(reference, buffer.data());
      record.compared += comparison.elements;
      record.elements += comparison.elements;
      if (&set == &sets.front())
        record.largestError =
            std::max(record.largestError, comparison.largestError);
      record.errorRatio =
          std::max(record.errorRatio, std::min(comparison.largestRatio, 1e300));
      if (comparison.wrong) {
        record.verdict = Verdict::Wrong;
        record.failedTier = &set == &sets.front() ? 4 : 5;
        addSentence(record,
                    llvm::formatv(
                        "result {0} on {1}: {2} of {3} elements are off, "
                        "most at {4}: expected {5:e}, got {6:e}",
                        number, set.name, comparison.wrong, comparison.elements,
                        describeIndex(reference.type, comparison.worstIndex),
                        comparison.expected, comparison.got)
                        .str());
      }
      if (!buffer.areEdgesIntact()) {
        record.verdict = Verdict::Wrong;
        record.failedTier = 4;
        addSentence(record, "result " + Twine(number) +
                                " was written beyond its last element");
      }
    }
    if (record.failedTier >= 0)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tier 6: time
//===----------------------------------------------------------------------===//

double kernelzero::getMedian(std::vector<double> samples) {
  if (samples.empty())
    return 0;
  std::sort(samples.begin(), samples.end());
  size_t half = samples.size() / 2;
  return samples.size() % 2 ? samples[half]
                            : (samples[half - 1] + samples[half]) / 2;
}

void kernelzero::decideVerdict(Record &record) {
  std::vector<double> ratios;
  size_t pairs = std::min(record.baselineSamples.size(), record.samples.size());
  for (size_t i = 0; i < pairs; ++i)
    if (record.samples[i] > 0)
      ratios.push_back(record.baselineSamples[i] / record.samples[i]);
  if (ratios.empty()) {
    record.verdict = Verdict::Ambiguous;
    return;
  }
  record.baselineSeconds = getMedian(record.baselineSamples);
  record.seconds = getMedian(record.samples);
  record.speedup = getMedian(ratios);
  // The notch of a box plot: about 95 % for the median, whatever the shape.
  std::sort(ratios.begin(), ratios.end());
  auto quantile = [&](double q) {
    double at = q * (ratios.size() - 1);
    size_t below = static_cast<size_t>(at);
    size_t above = std::min(below + 1, ratios.size() - 1);
    return ratios[below] + (at - below) * (ratios[above] - ratios[below]);
  };
  double half = 1.57 * (quantile(0.75) - quantile(0.25)) /
                std::sqrt(double(ratios.size()));
  record.speedupLow = std::max(record.speedup - half, 0.0);
  record.speedupHigh = record.speedup + half;
  if (record.speedupLow > 1 + record.noise)
    record.verdict = Verdict::Faster;
  else if (record.speedupHigh < 1 - record.noise)
    record.verdict = Verdict::Slower;
  else if (record.speedupLow >= 1 - record.noise &&
           record.speedupHigh <= 1 + record.noise)
    record.verdict = Verdict::Same;
  else
    record.verdict = Verdict::Ambiguous;
}

void Bench::time(const Kernel &baselineKernel, const Kernel &candidate,
                 int rounds, double budget, double noise, Record &record) {
  std::vector<void *> pointers;
  for (Buffer &buffer : sets.front().inputs)
    pointers.push_back(buffer.data());
  for (Buffer &buffer : outputs)
    pointers.push_back(buffer.data());
  enter(Stage::Timing);
  // Short kernels run several times a sample, so that the clock can see them.
  auto measure = [&](const Kernel &kernel, int64_t repeats) {
    auto start = Clock::now();
    for (int64_t i = 0; i < repeats; ++i)
      kernel(pointers);
    return secondsSince(start) / repeats;
  };
  constexpr double kLeastSample = 500e-6;
  auto getRepeats = [&](double seconds) {
    return std::clamp<int64_t>(
        std::ceil(kLeastSample / std::max(seconds, 1e-9)), 1, 100000);
  };
  double first = measure(baselineKernel, 1);
  double second = measure(candidate, 1);
  int64_t repeats = getRepeats(first), candidateRepeats = getRepeats(second);
  rounds = std::clamp<int>(budget / std::max(first + second, 1e-9), 3, rounds);
  record.noise = noise;
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
    record.baselineSamples.push_back(measure(baselineKernel, repeats));
    record.samples.push_back(measure(candidate, candidateRepeats));
  }
  decideVerdict(record);
}

Record Bench::judge(const Candidate &candidate, const WorkerRequest &request) {
  auto start = Clock::now();
  Record record;
  record.taskKey = task.key;
  record.taskName = task.name;
  record.target = target;
  record.device = "host";
  record.id = candidate.id;
  record.schedule = candidate.schedule;
  record.origin = candidate.origin;
  record.knobs = candidate.knobs;
  record.evidence.ranOn = describeHostDevice();
  record.evidence.toolchain = getToolchain();
  record.evidence.distribution = distribution;
  record.evidence.date = getDate();
  auto finish = [&] {
    enter(Stage::Idle);
    record.judgeSeconds = secondsSince(start);
    return record;
  };
  std::unique_ptr<HostKernel> kernel = compile(candidate.schedule, record);
  if (!kernel)
    return finish();
  auto run = [](HostKernel &kernel) {
    return [&kernel](ArrayRef<void *> buffers) { kernel.run(buffers); };
  };
  if (!check(run(*kernel), record))
    return finish();
  HostKernel *peer = kernel.get();
  if (!request.baseline.empty()) {
    if (!baseline || baselineText != request.baseline) {
      Record ignored;
      baseline = compile(request.baseline, ignored);
      baselineText = request.baseline;
    }
    if (!baseline) {
      record.verdict = Verdict::Ambiguous;
      addSentence(record,
                  "the baseline does not compile, so there is no time to "
                  "compare with");
      return finish();
    }
    peer = baseline.get();
  }
  time(run(*peer), run(*kernel), request.rounds, request.budgetSeconds,
       request.noise, record);
  if (request.baseline.empty()) {
    // Against itself: what differs is noise.
    record.noise = std::max({0.005, std::fabs(1 - record.speedupLow),
                             std::fabs(record.speedupHigh - 1)});
    record.verdict = Verdict::Same;
  }
  if (task.flops > 0 && record.seconds > 0)
    addSentence(record, llvm::formatv("{0:f2} ms, {1:f1} GFLOP/s, {2:f1} GB/s",
                                      record.seconds * 1e3,
                                      task.flops / record.seconds * 1e-9,
                                      task.bytes / record.seconds * 1e-9)
                            .str());
  return finish();
}
