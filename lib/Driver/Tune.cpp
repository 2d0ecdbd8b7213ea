//===- Tune.cpp - the commands of kz-tune ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Tune.h"
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "KernelZero/Search/Tuner.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <csignal>

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Command lines: help, parser and manual come from here
//===----------------------------------------------------------------------===//

static const char *const kExitCodes =
    "exit codes:\n"
    "  0    the asked-for result exists: at least one task has a winner\n"
    "  1    bad usage or input\n"
    "  2    nothing beat the baseline; the verified skeletons are stored "
    "(verdict same)\n"
    "  3    a task has no correct candidate\n"
    "  4    trouble with a device, a worker or the store\n"
    "  130  interrupted; all finished work is kept\n";

const CommandSpec &kernelzero::getTuneSpec() {
  static const CommandSpec spec = {
      "",
      "kz-tune MODEL --target T [options]",
      "Takes every operator and fused group out of MODEL (.onnx, or .mlir of "
      "level "
      "L0),\nsearches schedules for each, proves and measures them, and keeps "
      "the "
      "winners.",
      "MODEL",
      {{"--target", "T", "hardware to tune for: host"},
       {"--device", "D", "where candidates run: host (default)"},
       {"--trials", "N", "candidates over the whole model (default 64)"},
       {"--store", "DIR",
        "winners and experience (default $KZ_STORE, or kz-store here)"},
       {"--seed", "S", "seed of inputs and draws (default 0)"},
       {"--dim", "NAME=VALUE", "binds a dynamic dimension; may be repeated"},
       {"--limit", "SECONDS", "hard limit on one candidate (default 120)"},
       {"--list-tasks", "", "print the tasks of the model and stop"},
       {"--json", "FILE", "write the report as JSON; - is standard output"},
       {"--quiet", "", "no progress on standard error"},
       {"--help", "", "print this"}},
      "  kz-tune examples/mlp.onnx --target host --trials 24\n"
      "  kz-tune model.onnx --list-tasks --dim batch=8\n"
      "  kz-tune model.onnx --target host --store winners --json report.json\n",
      "other commands: kz-tune import, kz-tune worker; each has --help\n\n"
      "last line:\n"
      "  verdict: WORD speedup=X tasks=N faster=N same=N failed=N\n"
      "  WORD is faster, same, failed, trouble or interrupted\n\n" +
          std::string(kExitCodes)};
  return spec;
}

const CommandSpec &kernelzero::getImportSpec() {
  static const CommandSpec spec = {
      "import",
      "kz-tune import MODEL.onnx -o MODEL.mlir [options]",
      "Writes the model as MLIR of level L0, for kz-opt.",
      "MODEL.onnx",
      {{"-o", "FILE", "file to write; - is standard output"},
       {"--dim", "NAME=VALUE", "binds a dynamic dimension; may be repeated"},
       {"--help", "", "print this"}},
      "  kz-tune import examples/mlp.onnx -o mlp.mlir\n"
      "  kz-tune import model.onnx -o - --dim batch=8 | kz-opt "
      "--kz-extract-tasks\n",
      "exit codes:\n  0    the file is written\n  1    bad usage or input\n"};
  return spec;
}

const CommandSpec &kernelzero::getWorkerSpec() {
  static const CommandSpec spec = {
      "worker",
      "kz-tune worker",
      "Judges candidates: requests on standard input, replies on standard "
      "output, "
      "one JSON\ndocument a line (docs/schema/worker.json). kz-tune starts its "
      "own "
      "workers.",
      "",
      {{"--help", "", "print this"}},
      "  echo '{\"protocol\": 2, \"type\": \"prepare\"}' | kz-tune worker\n",
      "exit codes:\n  0    standard input ended\n  1    bad usage\n"};
  return spec;
}

int kernelzero::reportError(const std::string &sentence) {
  llvm::errs() << "kz-tune: error: " << sentence << "\n";
  return kExitUsage;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void kernelzero::registerDriverDialects(DialectRegistry &registry) {
  registerScheduleDialects(registry);
  registerHostLowering(registry);
}

static std::string parseDims(const ParsedOptions &options,
                             std::map<std::string, int64_t> &dims) {
  auto found = options.values.find("--dim");
  if (found == options.values.end())
    return "";
  for (const std::string &text : found->second) {
    size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      return "option '--dim' is '" + text + "'; accepted is NAME=VALUE";
    int64_t value = 0;
    std::string error = parseNumber("--dim", text.substr(equals + 1), 1,
                                    int64_t(1) << 40, value);
    if (!error.empty())
      return error;
    dims[text.substr(0, equals)] = value;
  }
  return "";
}

OwningOpRef<ModuleOp> kernelzero::loadModel(MLIRContext &context,
                                            const std::string &path,
                                            const ParsedOptions &options) {
  ImportOptions import;
  if (std::string error = parseDims(options, import.dims); !error.empty()) {
    reportError(error);
    return nullptr;
  }
  if (llvm::sys::path::extension(path) == ".mlir") {
    if (!llvm::sys::fs::exists(path)) {
      reportError("'" + path + "': no such file");
      return nullptr;
    }
    if (!llvm::sys::fs::is_regular_file(path)) {
      reportError("'" + path + "' is no regular file");
      return nullptr;
    }
    std::string problem;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      if (problem.empty())
        llvm::raw_string_ostream(problem)
            << diag.getLocation() << ": " << diag.str();
      return success();
    });
    OwningOpRef<ModuleOp> module =
        parseSourceFile<ModuleOp>(path, ParserConfig(&context));
    if (!module)
      reportError("'" + path + "' does not parse: " + problem);
    return module;
  }
  std::string error;
  FailureOr<OwningOpRef<ModuleOp>> module =
      importOnnx(context, path, import, error);
  if (failed(module)) {
    reportError(error);
    return nullptr;
  }
  return std::move(*module);
}

int kernelzero::runImport(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune import takes 1 model, " +
                       std::to_string(options.positional.size()) +
                       " were given");
  std::string output = options.get("-o");
  if (output.empty())
    return reportError("kz-tune import needs -o FILE, the file to write");
  DialectRegistry registry;
  registerDriverDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module =
      loadModel(context, options.positional.front(), options);
  if (!module)
    return kExitUsage;
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  if (output == "-") {
    llvm::outs() << text;
    return kExitDone;
  }
  if (std::string error = writeFileAtomically(output, text); !error.empty())
    return reportError(error);
  return kExitDone;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

int kernelzero::runWorkerCommand(const ParsedOptions &options) {
  if (!options.positional.empty())
    return reportError("kz-tune worker takes no arguments, '" +
                       options.positional.front() + "' was given");
  DialectRegistry registry;
  registerDriverDialects(registry);
  // One thread only: this process forks.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  return runWorker(context, 0, 1);
}

//===----------------------------------------------------------------------===//
// Tuning
//===----------------------------------------------------------------------===//

static std::atomic<bool> interrupted(false);

static void onInterrupt(int) {
  // Once is a wish that finished work be kept; twice is an order.
  if (interrupted.exchange(true))
    _exit(kExitInterrupted);
}

static void watchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// How to start this program again, as a worker.
static std::vector<std::string> getWorkerCommand() {
  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable("kz-tune", &anchor);
  // The portable program is one for all tools.
  if (llvm::sys::path::filename(self) == "kz")
    return {self, "kz-tune", "worker"};
  return {self, "worker"};
}

/// Sums up the tasks: the weighted total, the last line and the exit code.
static void conclude(Report &report, const TuneOutcome &outcome) {
  int64_t faster = 0, same = 0, failed = 0;
  for (const TaskResult &result : report.tasks) {
    report.baselineSeconds += result.task.weight * result.baselineSeconds;
    report.bestSeconds += result.task.weight * result.bestSeconds;
    faster += result.verdict == Verdict::Faster;
    same += result.verdict == Verdict::Same;
  }
  failed = report.tasks.size() - faster - same;
  const char *word;
  if (!outcome.trouble.empty()) {
    word = "trouble";
    report.exitCode = kExitTrouble;
  } else if (outcome.interrupted) {
    word = "interrupted";
    report.exitCode = kExitInterrupted;
  } else if (failed) {
    word = "failed";
    report.exitCode = kExitNoCandidate;
  } else if (faster) {
    word = "faster";
    report.exitCode = kExitDone;
  } else {
    word = "same";
    report.exitCode = kExitSame;
  }
  double speedup =
      report.bestSeconds > 0 ? report.baselineSeconds / report.bestSeconds : 1;
  report.verdict =
      llvm::formatv("verdict: {0} speedup={1:f3} tasks={2} faster={3} same={4} "
                    "failed={5}",
                    word, speedup, report.tasks.size(), faster, same, failed)
          .str();
}

/// Writes a document to a file, or to standard output for "-".
static std::string writeDocument(const std::string &path,
                                 const std::string &text) {
  if (path != "-")
    return writeFileAtomically(path, text);
  llvm::outs() << text;
  llvm::outs().flush();
  return "";
}

int kernelzero::runTune(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune takes 1 model, " +
                       std::to_string(options.positional.size()) +
                       " were given; kz-tune --help says how");
  std::string path = options.positional.front();
  std::string json = options.get("--json");
  bool listOnly = options.has("--list-tasks"), quiet = options.has("--quiet");

  // Before hours are spent on what could not be written.
  if (json != "-" && llvm::sys::fs::is_directory(json))
    return reportError("cannot write '" + json + "': it is a folder");

  TuneOptions tune;
  std::string error;
  int64_t seed = 0, limit = 120;
  if (options.has("--trials") &&
      !(error = parseNumber("--trials", options.get("--trials"), 1, 1000000,
                            tune.trials))
           .empty())
    return reportError(error);
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
  if (!listOnly) {
    if (!options.has("--target"))
      return reportError("kz-tune needs --target T; accepted is host");
    tune.target = findTarget(options.get("--target"));
    if (!tune.target)
      return reportError(unknownTargetMessage(options.get("--target")));
    if (tune.target->isGPU())
      return reportError(
          "target " + tune.target->name.str() +
          " cannot be tuned for by this version; accepted is host");
    tune.device = options.get("--device", "host");
    if (tune.device != "host")
      return reportError("device '" + tune.device +
                         "' does not run code for target " +
                         tune.target->name.str() + "; accepted is host");
  }
  const char *storeVariable = std::getenv("KZ_STORE");
  tune.store = options.get(
      "--store", storeVariable && *storeVariable ? storeVariable : "kz-store");
  tune.worker = getWorkerCommand();
  if (!quiet)
    tune.progress = [](const std::string &line) {
      llvm::errs() << line << "\n";
    };

  DialectRegistry registry;
  registerDriverDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> model = loadModel(context, path, options);
  if (!model)
    return kExitUsage;
  if (failed(extractTasks(*model)))
    return reportError("the tasks of '" + path + "' cannot be extracted");
  std::vector<TaskInfo> tasks = listTasks(*model);
  if (listOnly) {
    if (!json.empty() &&
        !(error = writeDocument(json, toJson(tasks, path))).empty())
      return reportError(error);
    if (json != "-")
      llvm::outs() << formatTasks(tasks);
    return kExitDone;
  }
  if (tasks.empty())
    return reportError("'" + path + "' has no operator to tune");
  // The weights of the model are not needed any more.
  model = nullptr;

  std::unique_ptr<Experience> experience =
      Experience::open(tune.store + "/experience.db", error);
  if (!experience || !experience->beginRun(path, tune.target->name.str(),
                                           tune.seed, getToolchain(), error)) {
    llvm::errs() << "kz-tune: error: " << error << "\n";
    return kExitTrouble;
  }
  watchInterrupts();
  auto start = std::chrono::steady_clock::now();
  TuneOutcome outcome =
      tuneTasks(context, tasks, tune, *experience, interrupted);

  Report report;
  report.model = path;
  report.target = tune.target->name.str();
  report.device = describeHostDevice();
  report.seed = tune.seed;
  report.tasks = std::move(outcome.results);
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  conclude(report, outcome);
  if (!outcome.trouble.empty())
    llvm::errs() << "kz-tune: error: " << outcome.trouble << "\n";
  for (const TaskResult &result : report.tasks)
    if (!result.message.empty())
      llvm::errs() << "kz-tune: note: " << result.task.name << ": "
                   << result.message << "\n";
  if (!json.empty() && !(error = writeDocument(json, toJson(report))).empty()) {
    llvm::errs() << "kz-tune: error: " << error << "\n";
    report.exitCode = kExitTrouble;
  }
  llvm::raw_ostream &verdict = json == "-" ? llvm::errs() : llvm::outs();
  if (json != "-")
    llvm::outs() << formatResults(report);
  verdict << report.verdict << "\n";
  return report.exitCode;
}
