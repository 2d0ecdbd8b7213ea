//===- Tune.cpp - kz-tune MODEL -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/LiveLine.h"
#include "KernelZero/Driver/Tables.h"
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Search/Tuner.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <thread>

using namespace mlir;
using namespace kernelzero;

/// Sums up the tasks: the weighted total, the last line and the exit code.
/// `isLost`: the report cannot be written.
static void conclude(Report &report, const TuneOutcome &outcome, bool isLost) {
  report.baselineSeconds = report.bestSeconds = 0;
  std::map<Verdict, int64_t> counts;
  for (const TaskResult &result : report.tasks) {
    report.baselineSeconds += result.task.weight * result.baselineSeconds;
    report.bestSeconds += result.task.weight * result.bestSeconds;
    ++counts[result.verdict];
  }
  int64_t faster = counts[Verdict::Faster], same = counts[Verdict::Same],
          modelled = counts[Verdict::Modelled],
          untried = counts[Verdict::Untried],
          failed = report.tasks.size() - faster - same - modelled - untried;
  const char *word;
  if (!outcome.trouble.empty() || isLost) {
    word = "trouble";
    report.exitCode = kExitTrouble;
  } else if (outcome.interrupted) {
    word = "interrupted";
    report.exitCode = kExitInterrupted;
  } else if (failed) {
    word = "failed";
    report.exitCode = kExitNoCandidate;
  } else if (faster || modelled) {
    word = modelled ? "modelled" : "faster";
    report.exitCode = kExitDone;
  } else {
    word = "same";
    report.exitCode = kExitSame;
  }
  double speedup =
      report.bestSeconds > 0 ? report.baselineSeconds / report.bestSeconds : 1;
  report.verdict =
      llvm::formatv("verdict: {0} speedup={1:f3} tasks={2} faster={3} same={4} "
                    "failed={5} modelled={6} untried={7}",
                    word, speedup, report.tasks.size(), faster, same, failed,
                    modelled, untried)
          .str();
}

/// The bounds of `tasks` on `target`; none without one.
static std::vector<TaskBound> getBounds(const std::vector<TaskInfo> &tasks,
                                        const Target *target) {
  std::vector<TaskBound> bounds;
  for (const TaskInfo &task : tasks)
    if (target) {
      Roofline roofline = getRoofline(task, *target);
      bounds.push_back({roofline.seconds, roofline.limit});
    }
  return bounds;
}

/// What candidates ran on.
static std::string describeDevice(const TuneOptions &tune) {
  if (tune.device.empty())
    return "none: times are modelled";
  return tune.device == "host" ? describeHostDevice() : tune.device;
}

static int runTune(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune takes 1 model, " +
                       std::to_string(options.positional.size()) +
                       " were given; kz-tune --help says how");
  std::string path = options.positional.front();
  std::string json = options.get("--json");
  bool listOnly = options.has("--list-tasks"), quiet = options.has("--quiet");

  // Before hours are spent on what could not be written.
  std::string csv = options.get("--csv");
  std::vector<NamedFile> inputs = getStoreFiles(getStoreFolder(options));
  inputs.push_back({"the model", path});
  if (std::string error = checkOutputs(
          {{"option '--json'", json}, {"option '--csv'", csv}}, inputs);
      !error.empty())
    return reportError(error);
  if (json == "-" && csv == "-")
    return reportError("options '--json' and '--csv' both ask for standard "
                       "output; accepted is one of them");

  TuneOptions tune;
  std::string error;
  int64_t seed = 0, limit = 120;
  if (options.has("--trials") &&
      !(error = parseNumber("--trials", options.get("--trials"), 1, 1000000,
                            tune.trials))
           .empty())
    return reportError(error);
  if (options.has("--trials") && options.has("--time"))
    return reportError("options '--trials' and '--time' are both given; "
                       "accepted is one of them");
  int64_t seconds = 0, jobs = std::max(1u, std::thread::hardware_concurrency());
  if (options.has("--time")) {
    if (!(error = parseNumber("--time", options.get("--time"), 1, 10000000,
                              seconds))
             .empty())
      return reportError(error);
    tune.trials = 0;
    tune.seconds = seconds;
  }
  if (options.has("--jobs") &&
      !(error = parseNumber("--jobs", options.get("--jobs"), 1, 1024, jobs))
           .empty())
    return reportError(error);
  tune.jobs = jobs;
  tune.model = path;
  if (options.has("--seed") &&
      !(error =
            parseNumber("--seed", options.get("--seed"), 0, INT64_MAX, seed))
           .empty())
    return reportError(error);
  if (options.has("--limit") &&
      !(error = parseNumber("--limit", options.get("--limit"), 1, 86400, limit))
           .empty())
    return reportError(error);
  tune.seed = seed;
  tune.limitSeconds = limit;
  if (options.has("--target")) {
    tune.target = resolveTarget(options.get("--target"), error);
    if (!tune.target)
      return reportError(error);
  }
  if (!listOnly) {
    if (!tune.target)
      return reportError("kz-tune needs --target T; accepted are " +
                         listTargets());
    if (!(error =
              chooseDevice(*tune.target, options.get("--device"), tune.device))
             .empty())
      return reportError(error);
  }
  tune.store = getStoreFolder(options);
  tune.worker = getWorkerProgram();
  LiveLine live(/*modelled=*/tune.device.empty());
  if (!quiet && LiveLine::isPossible())
    tune.onProgress = [&](const TuneProgress &progress) {
      live.draw(progress);
    };
  else if (!quiet)
    tune.progress = [](const std::string &line) {
      llvm::errs() << line << "\n";
    };

  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> model = loadModel(*context, path, options, error);
  if (!model)
    return reportError(error);
  if (failed(extractTasks(*model)))
    return reportError("the tasks of '" + path + "' cannot be extracted");
  std::vector<TaskInfo> tasks = listTasks(*model);
  if (listOnly) {
    std::vector<TaskBound> bounds = getBounds(tasks, tune.target);
    if (!json.empty() &&
        !(error = writeDocument(json, toJson(tasks, path, bounds))).empty())
      return reportTrouble(error);
    if (json != "-")
      llvm::outs() << formatTasks(tasks, bounds);
    return kExitDone;
  }
  if (tasks.empty())
    return reportError("'" + path + "' has no operator to tune");
  // The weights of the model are not needed any more.
  model = nullptr;

  std::unique_ptr<Experience> experience =
      Experience::open(getStoreDatabase(options), error);
  if (!experience)
    return reportTrouble(error);
  const std::atomic<bool> &interrupted = watchInterrupts();
  auto start = std::chrono::steady_clock::now();
  TuneOutcome outcome =
      tuneTasks(*context, tasks, tune, *experience, interrupted);

  live.clear();

  Report report;
  report.model = path;
  report.target = getTargetText(*tune.target);
  report.device = describeDevice(tune);
  report.seed = tune.seed;
  report.tasks = std::move(outcome.results);
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  conclude(report, outcome, /*isLost=*/false);
  if (!outcome.trouble.empty())
    reportTrouble(outcome.trouble);
  // Where nothing went on, the tasks have nothing to add.
  for (const TaskResult &result : report.tasks)
    if (!result.message.empty() && outcome.trouble.empty())
      llvm::errs() << "kz-tune: note: " << result.task.name << ": "
                   << result.message << "\n";
  if (!quiet && llvm::any_of(report.tasks, [](const TaskResult &result) {
        return !result.winner.empty();
      }))
    llvm::errs() << "kz-tune: winners are in '" << tune.store << "'\n";
  bool isLost = false;
  auto write = [&](const std::string &file, const std::string &text) {
    if (file.empty() || (error = writeDocument(file, text)).empty())
      return;
    isLost = true;
    reportTrouble(error);
  };
  write(json, toJson(report));
  write(csv, toCsv(report));
  if (isLost)
    conclude(report, outcome, isLost);
  bool isData = json == "-" || csv == "-";
  llvm::raw_ostream &verdict = isData ? llvm::errs() : llvm::outs();
  if (!isData)
    llvm::outs() << formatResults(report);
  verdict << report.verdict << "\n";
  return report.exitCode;
}

static const char *const kExitCodes =
    "exit codes:\n"
    "  0    the asked-for result exists: a task has a winner, or times are "
    "modelled\n"
    "  1    bad usage or input\n"
    "  2    nothing beat the baseline; the verified skeletons are stored "
    "(verdict same)\n"
    "  3    a task has no correct candidate\n"
    "  4    trouble with a device, a worker or the store; an output that "
    "cannot be written\n"
    "  130  interrupted; all finished work is kept\n";

Command kernelzero::getTuneCommand() {
  return {
      {"tune",
       "kz-tune MODEL --target T [options]",
       "Takes every operator and fused group out of MODEL (.onnx, or .mlir of "
       "level "
       "L0),\nsearches schedules for each, proves and measures them, and keeps "
       "the "
       "winners.",
       "MODEL",
       {{"--target", "T", "hardware to tune for: " + listTargets()},
        {"--device", "D",
         "where candidates run: host, cuda:N (default: host for target host; "
         "none for a GPU, its times are modelled)"},
        {"--trials", "N", "candidates over the whole model (default 64)"},
        {"--time", "SECONDS", "search for so long, instead of --trials"},
        {"--jobs", "N", "candidates compiled at a time (default: all cores)"},
        {"--store", "DIR",
         "winners and experience (default $KZ_STORE, or kz-store here)"},
        {"--seed", "S", "seed of inputs and proposals (default 0)"},
        {"--dim", "NAME=VALUE", "binds a dynamic dimension; may be repeated"},
        {"--limit", "SECONDS", "hard limit on one candidate (default 120)"},
        {"--list-tasks", "",
         "print the tasks of the model and stop; with --target also the least "
         "time each can take"},
        {"--json", "FILE", "write the report as JSON; - is standard output"},
        {"--csv", "FILE",
         "write the tasks of the report as CSV; - is standard output"},
        {"--quiet", "", "no progress on standard error"},
        {"--help", "", "print this"}},
       "  kz-tune examples/mlp.onnx --target host --trials 24\n"
       "  kz-tune model.onnx --target sm_80 --trials 200        (no GPU: "
       "modelled)\n"
       "  kz-tune model.onnx --target sm_90a --device cuda:0 --time 600\n"
       "  kz-tune model.onnx --list-tasks --dim batch=8\n"
       "  kz-tune model.onnx --target host --store winners --json "
       "report.json\n",
       "last line:\n"
       "  verdict: WORD speedup=X tasks=N faster=N same=N failed=N "
       "modelled=N untried=N\n"
       "  WORD is faster, modelled, same, failed, trouble or interrupted\n\n" +
           std::string(kExitCodes)},
      runTune};
}
