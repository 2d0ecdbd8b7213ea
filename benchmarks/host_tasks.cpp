//===- host_tasks.cpp - the tasks of a model beside their peers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// host-tasks MODEL [--store DIR | --schedule FILE] [--task TEXT] [--seconds S]
//            [--print]
//   MODEL: .onnx, or .mlir of level L0. For every task: the completed skeleton
//   and the store's winner against the peer, which is OpenBLAS on one thread
//   for contractions of f32 and loops compiled by g++ -O3 -march=native
//   -ffast-math for all else (c_loops.h). All run in turn in this process, on
//   the same data, caches warm; times are processor time of this thread, a
//   ratio is the median over the rounds of peer over ours, its spread the
//   middle half.
//   --task: only tasks whose name holds TEXT. --schedule: this one instead of a
//   winner. --print: the peer's source.
// OPENBLAS_CORETYPE chooses other kernels of OpenBLAS than those for the
// vectors that this processor has.
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "KernelZero/Runtime/ModelRunner.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Target/TargetTable.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "KernelZero/Winners/Winners.h"
#include "c_loops.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>
#include <random>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::bench;

namespace {
struct Options {
  std::string model, store, schedule, task;
  double seconds = 2;
  bool print = false;
};

using Work = std::function<void()>;

/// The arrays of one task, and one set of results for each who computes them.
struct Arrays {
  std::vector<ArrayType> types;
  std::vector<ArrayBytes> inputs;
};

/// What a class of tasks adds up to, weighted.
struct Total {
  double ours = 0, peer = 0;
};
} // namespace

static double worked() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static ArrayType getArrayType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  ArrayType array;
  llvm::raw_string_ostream(array.element) << tensor.getElementType();
  array.shape = tensor.getShape().vec();
  return array;
}

template <typename T, typename Draw>
static void fillWith(char *bytes, int64_t count, Draw draw) {
  for (int64_t i = 0; i < count; ++i)
    reinterpret_cast<T *>(bytes)[i] = static_cast<T>(draw());
}

static ArrayBytes drawArray(const ArrayType &type, unsigned seed) {
  std::minstd_rand random(seed + 1);
  auto real = [&] { return random() / 1073741824.0 - 1; };
  auto whole = [&] { return random() % 16; };
  auto bit = [&] { return random() >> 8 & 1; };
  ArrayBytes bytes = allocateBytes(type.bytes());
  int64_t count = type.elements();
  if (type.element == "f32")
    fillWith<float>(bytes.get(), count, real);
  else if (type.element == "f64")
    fillWith<double>(bytes.get(), count, real);
  else if (type.element == "f16")
    fillWith<_Float16>(bytes.get(), count, real);
  else if (type.element == "i64" || type.element == "index")
    fillWith<int64_t>(bytes.get(), count, whole);
  else if (type.element == "i32")
    fillWith<int32_t>(bytes.get(), count, whole);
  else if (type.element == "i8")
    fillWith<int8_t>(bytes.get(), count, whole);
  else if (type.element == "i1")
    fillWith<int8_t>(bytes.get(), count, bit);
  else
    return nullptr;
  return bytes;
}

static double readArray(const ArrayType &type, const char *bytes, int64_t i) {
  if (type.element == "f32")
    return reinterpret_cast<const float *>(bytes)[i];
  if (type.element == "f64")
    return reinterpret_cast<const double *>(bytes)[i];
  if (type.element == "f16")
    return reinterpret_cast<const _Float16 *>(bytes)[i];
  if (type.element == "i64" || type.element == "index")
    return reinterpret_cast<const int64_t *>(bytes)[i];
  if (type.element == "i32")
    return reinterpret_cast<const int32_t *>(bytes)[i];
  return reinterpret_cast<const int8_t *>(bytes)[i];
}

/// The largest difference over the largest magnitude.
static double compare(const ArrayType &type, const char *ours,
                      const char *theirs) {
  double scale = 1e-30, error = 0;
  for (int64_t i = 0, count = type.elements(); i < count; ++i) {
    double a = readArray(type, ours, i), b = readArray(type, theirs, i);
    if (std::isfinite(b))
      scale = std::max(scale, std::fabs(b));
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    double difference = std::fabs(a - b);
    error = std::isnan(difference) ? INFINITY : std::max(error, difference);
  }
  return error / scale;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// Seconds of every sample of each, all in turn, who is first rotating.
static std::vector<std::vector<double>>
interleaveAll(const std::vector<Work> &works, double budget) {
  std::vector<int64_t> repeats;
  for (const Work &work : works) {
    work();
    double start = worked();
    work();
    // Short ones several times between two looks at the clock.
    repeats.push_back(std::clamp<int64_t>(
        4e-4 / std::max(worked() - start, 1e-7), 1, 100000));
  }
  std::vector<std::vector<double>> samples(works.size());
  double begin = worked();
  for (size_t round = 0; round < 7 || worked() - begin < budget; ++round)
    for (size_t turn = 0; turn < works.size(); ++turn) {
      size_t which = (round + turn) % works.size();
      double start = worked();
      for (int64_t repeat = 0; repeat < repeats[which]; ++repeat)
        works[which]();
      samples[which].push_back((worked() - start) / repeats[which]);
    }
  return samples;
}

struct Ratio {
  double median = 0, low = 0, high = 0;
};

static Ratio getRatio(const std::vector<double> &peer,
                      const std::vector<double> &ours) {
  std::vector<double> ratios;
  for (auto [a, b] : llvm::zip_equal(peer, ours))
    ratios.push_back(a / b);
  std::sort(ratios.begin(), ratios.end());
  size_t count = ratios.size();
  return {ratios[count / 2], ratios[count / 4], ratios[count * 3 / 4]};
}

//===----------------------------------------------------------------------===//
// One task
//===----------------------------------------------------------------------===//

/// Whoever computes a task, with results of its own.
struct Runner {
  std::string name;
  std::vector<ArrayBytes> results;
  std::vector<void *> pointers;
  Work work;
};

static Runner makeRunner(const std::string &name, const Arrays &arrays) {
  Runner runner;
  runner.name = name;
  for (const ArrayBytes &input : arrays.inputs)
    runner.pointers.push_back(input.get());
  for (size_t i = arrays.inputs.size(); i < arrays.types.size(); ++i) {
    runner.results.push_back(allocateBytes(arrays.types[i].bytes()));
    runner.pointers.push_back(runner.results.back().get());
  }
  return runner;
}

/// Compiles a task by the schedule in a file.
static ExecutorError compileScheduled(func::FuncOp function, Executor &executor,
                                      const std::string &path,
                                      RunnableTask &task) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return "'" + path + "' cannot be read";
  ScheduleError error;
  OwningOpRef<ModuleOp> scheduled =
      applySchedule(function, (*file)->getBuffer(), error);
  if (!scheduled)
    return error.sentences.empty() ? "the schedule does not fit"
                                   : error.sentences.front();
  task.source = ScheduleSource::Winner;
  return executor.compile(*scheduled, task.code);
}

/// False where the result is wrong.
static bool benchTask(func::FuncOp function, const TaskInfo &info,
                      const Options &options, const WinnerLibrary *library,
                      Sgemm sgemm, std::map<std::string, Total> &totals) {
  Arrays arrays;
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes()))
    arrays.types.push_back(getArrayType(type));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arrays.inputs.push_back(drawArray(arrays.types[i], i));
  if (llvm::is_contained(arrays.inputs, nullptr)) {
    std::printf("%-60.60s no data of its type\n", info.name.c_str());
    return true;
  }

  std::string error;
  std::string source = writeLoops(function, error);
  if (options.print)
    std::printf("%s\n", source.c_str());
  PeerEntry entry = source.empty() ? nullptr : compileLoops(source, error);
  if (!entry) {
    std::printf("%-60.60s no peer: %s\n", info.name.c_str(), error.c_str());
    return true;
  }
  std::vector<Runner> runners;
  runners.reserve(3);
  runners.push_back(makeRunner("peer", arrays));
  runners[0].work = [&runners, entry, sgemm] {
    entry(runners[0].pointers.data(), sgemm);
  };
  // Each executor has a workspace of its own, as a model would.
  std::unique_ptr<Executor> executors[2] = {makeHostExecutor(),
                                            makeHostExecutor()};
  RunnableTask tasks[2];
  RunnerOptions runnerOptions;
  runnerOptions.target = findTarget("host");
  for (int which = 0; which < 2; ++which) {
    runnerOptions.library = which ? library : nullptr;
    if (which && !library && options.schedule.empty())
      break;
    RunnableTask &task = tasks[which];
    ExecutorError failure =
        which && !options.schedule.empty()
            ? compileScheduled(function, *executors[which], options.schedule,
                               task)
            : compileTask(function, *executors[which], runnerOptions, task);
    if (failure) {
      std::printf("%-60.60s %s\n", info.name.c_str(), failure->c_str());
      return false;
    }
    if (which && task.source != ScheduleSource::Winner)
      break;
    size_t place = runners.size();
    runners.push_back(makeRunner(getWord(task.source), arrays));
    std::vector<ExecutorAddress> operands;
    for (void *pointer : runners[place].pointers)
      operands.push_back(reinterpret_cast<ExecutorAddress>(pointer));
    runners[place].work = [&executor = *executors[which], &task, operands] {
      (void)executor.run(*task.code, operands);
    };
  }
  std::vector<Work> works;
  for (Runner &runner : runners)
    works.push_back(runner.work);
  std::vector<std::vector<double>> samples =
      interleaveAll(works, options.seconds);

  double worst = 0;
  for (size_t i = 1; i < runners.size(); ++i)
    for (size_t result = 0; result < runners[i].results.size(); ++result)
      worst =
          std::max(worst, compare(arrays.types[arrays.inputs.size() + result],
                                  runners[i].results[result].get(),
                                  runners[0].results[result].get()));
  std::printf("%-60.60s x%-3lld peer %10.2f us", info.name.c_str(),
              static_cast<long long>(info.weight), getMedian(samples[0]) * 1e6);
  for (size_t i = 1; i < runners.size(); ++i) {
    Ratio ratio = getRatio(samples[0], samples[i]);
    std::printf(" | %s %10.2f us, ratio %.3f (%.3f..%.3f)",
                runners[i].name.c_str(), getMedian(samples[i]) * 1e6,
                ratio.median, ratio.low, ratio.high);
  }
  std::printf(" | error %.1e%s\n", worst, worst < 1e-3 ? "" : " WRONG");
  std::fflush(stdout);
  for (const std::string &name : {info.opClass, std::string("all")}) {
    Total &total = totals[name];
    total.peer += info.weight * getMedian(samples.front());
    total.ours += info.weight * getMedian(samples.back());
  }
  return worst < 1e-3;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static int complain(const std::string &sentence) {
  std::fprintf(stderr, "host-tasks: error: %s\n", sentence.c_str());
  return 1;
}

int main(int argc, char **argv) {
  Options options;
  for (int index = 1; index < argc; ++index) {
    std::string argument = argv[index];
    auto next = [&]() -> std::string {
      return index + 1 < argc ? argv[++index] : "";
    };
    if (argument == "--store")
      options.store = next();
    else if (argument == "--schedule")
      options.schedule = next();
    else if (argument == "--task")
      options.task = next();
    else if (argument == "--seconds")
      options.seconds = std::atof(next().c_str());
    else if (argument == "--print")
      options.print = true;
    else if (options.model.empty())
      options.model = argument;
    else
      return complain("unknown argument '" + argument + "'");
  }
  if (options.model.empty())
    return complain("give a model, .onnx or .mlir");
  // Where OpenBLAS does not know a processor it takes its slowest kernels.
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f"))
    setenv("OPENBLAS_CORETYPE", "SkylakeX", /*overwrite=*/0);
  else if (__builtin_cpu_supports("avx2"))
    setenv("OPENBLAS_CORETYPE", "Haswell", /*overwrite=*/0);
  void *blas = dlopen("libopenblas.so.0", RTLD_NOW);
  auto sgemm =
      blas ? reinterpret_cast<Sgemm>(dlsym(blas, "cblas_sgemm")) : nullptr;
  if (!sgemm)
    return complain("libopenblas.so.0 is not there; "
                    "apt-get install libopenblas0-pthread");
  if (auto limit = reinterpret_cast<void (*)(int)>(
          dlsym(blas, "openblas_set_num_threads")))
    limit(1);
  if (auto core =
          reinterpret_cast<char *(*)()>(dlsym(blas, "openblas_get_corename")))
    std::printf("OpenBLAS kernels: %s\n", core());

  DialectRegistry registry;
  registerScheduleDialects(registry);
  registerHostLowering(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string error;
  OwningOpRef<ModuleOp> model;
  if (StringRef(options.model).ends_with(".mlir")) {
    model = parseSourceFile<ModuleOp>(options.model, ParserConfig(&context));
  } else if (auto imported = importOnnx(context, options.model, {}, error);
             succeeded(imported)) {
    model = std::move(*imported);
  }
  if (!model)
    return complain(error.empty() ? "the model does not parse" : error);
  if (failed(extractTasks(*model)))
    return complain("the tasks cannot be extracted");
  std::unique_ptr<WinnerLibrary> library;
  if (!options.store.empty() &&
      !(library = WinnerLibrary::load(&context, options.store, error)))
    return complain(error);

  std::map<std::string, Total> totals;
  int status = 0;
  for (const TaskInfo &info : listTasks(*model)) {
    if (info.name.find(options.task) == std::string::npos)
      continue;
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(info.text, ParserConfig(&context));
    if (!benchTask(module->lookupSymbol<func::FuncOp>("task"), info, options,
                   library.get(), sgemm, totals))
      status = 1;
  }
  std::printf("\n%-14s %14s %14s %8s\n", "class", "peer ms", "ours ms",
              "ratio");
  for (const auto &[name, total] : totals)
    std::printf("%-14s %14.3f %14.3f %8.3f\n", name.c_str(), total.peer * 1e3,
                total.ours * 1e3, total.peer / total.ours);
  return status;
}
