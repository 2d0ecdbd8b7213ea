//===- Judge.cpp - kz-tune judge ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/RecordText.h"
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace kernelzero;

/// Rounds of baseline and candidate: one candidate has time.
static constexpr int kRounds = 15;

/// Binds the choices of the schedule at `path` that have a selection, and with
/// `defaults` all others to their first option. Empty on success.
static std::string bindChoices(MLIRContext &context, const std::string &path,
                               bool defaults, std::string &text) {
  std::string error;
  OwningOpRef<ModuleOp> module = parseFile(context, path, error);
  if (!module)
    return error;
  Builder builder(&context);
  std::map<std::string, Attribute> values;
  std::vector<std::string> open;
  module->walk([&](Operation *op) {
    if (auto knob = dyn_cast<transform::tune::KnobOp>(op)) {
      auto list = dyn_cast<ArrayAttr>(knob.getOptions());
      if (knob.getSelectedAttr())
        return;
      if (defaults && list && !list.empty())
        values[knob.getName().str()] = list[0];
      else
        open.push_back(knob.getName().str());
    } else if (auto choice = dyn_cast<transform::tune::AlternativesOp>(op)) {
      if (choice.getSelectedRegionAttr() || choice.getSelectedRegionParam())
        return;
      if (defaults)
        values[choice.getName().str()] = builder.getI64IntegerAttr(0);
      else
        open.push_back(choice.getName().str());
    }
  });
  if (!open.empty())
    return "'" + path + "' leaves " + llvm::join(open, ", ") +
           " open; bind them by kz-opt --kz-bind-knobs='values=" +
           open.front() + "=VALUE', or take the defaults by --defaults";
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    if (error.empty())
      error = "'" + path + "': " + diag.str();
    return success();
  });
  if (failed(bindKnobs(*module, values)))
    return error;
  text.clear();
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return "";
}

/// The schedule at `path`, its choices bound. Empty, or a sentence.
static std::string readSchedule(MLIRContext &context, const std::string &path,
                                bool defaults, std::string &text) {
  if (!llvm::sys::fs::exists(path))
    return "'" + path + "': no such file";
  if (!llvm::sys::fs::is_regular_file(path))
    return "'" + path + "' is no regular file";
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return "cannot read '" + path + "': " + file.getError().message();
  text = (*file)->getBuffer().str();
  if (StringRef(text).trim().empty())
    return "'" + path + "' is empty; accepted is one transform.named_sequence";
  // A script that holds no choice is parsed by the worker alone, which may
  // crash over it.
  if (!StringRef(text).contains("transform.tune."))
    return "";
  return bindChoices(context, path, defaults, text);
}

static int getExitCode(const Record &record, int lastTier) {
  if (record.failedTier >= 0 || !isCorrect(record.verdict))
    return kExitNoCandidate;
  bool isEnough = record.verdict == Verdict::Faster ||
                  record.verdict == Verdict::Modelled || lastTier < 6;
  return isEnough ? kExitDone : kExitSame;
}

static int runJudge(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune judge takes 1 schedule, " +
                       std::to_string(options.positional.size()) +
                       " were given");
  const std::string &path = options.positional.front();
  for (const char *name : {"--task", "--target"})
    if (!options.has(name))
      return reportError(std::string("kz-tune judge needs ") + name);
  JudgeSettings settings;
  std::string error;
  const Target *target = resolveTarget(options.get("--target"), error);
  if (target)
    error = readJudgeSettings(options, *target, settings);
  std::string json = options.get("--json");
  if (error.empty())
    error = checkOutputs({{"option '--json'", json}},
                         {{"the schedule", path},
                          {"option '--task'", options.get("--task")},
                          {"option '--baseline'", options.get("--baseline")}});
  if (error.empty() && options.has("--baseline") && settings.lastTier < 6)
    error = "--baseline compares times, which are of tier 6; --tier is " +
            std::to_string(settings.lastTier);
  std::unique_ptr<MLIRContext> context = makeContext();
  std::string schedule, baseline, origin = "skeleton";
  if (error.empty())
    error = readSchedule(*context, path, options.has("--defaults"), schedule);
  if (error.empty() && options.has("--baseline")) {
    origin = "file";
    error = readSchedule(*context, options.get("--baseline"),
                         options.has("--defaults"), baseline);
  }
  if (!error.empty())
    return reportError(error);
  std::optional<TaskInfo> task = findTask(*context, options, error);
  if (!task)
    return reportError(error);

  JudgeSession session(*context, settings, watchInterrupts());
  auto fail = [&](int code) {
    reportError(error);
    return code;
  };
  if (int code = session.prepare(*task, error))
    return fail(code);
  std::string reason;
  if (baseline.empty())
    baseline = session.getBaseline(reason);
  double noise = 0;
  std::vector<Record> records;
  if (baseline.empty()) {
    llvm::errs() << "kz-tune: note: there is no baseline: " << reason << "\n";
  } else if (options.has("--baseline") ||
             (settings.lastTier >= 6 && !settings.device.empty())) {
    if (int code = session.judge({makeCandidate(baseline, origin)}, "", 0,
                                 kRounds, records, error))
      return fail(code);
    noise = records.front().noise;
    const Record &peer = records.front();
    if (!isCorrect(peer.verdict)) {
      std::string what =
          std::string("the baseline is ") + getWord(peer.verdict) +
          (peer.sentences.empty() ? "" : ": " + peer.sentences.front());
      if (options.has("--baseline"))
        return reportError(what);
      llvm::errs() << "kz-tune: note: " << what << "\n";
      baseline.clear();
    }
  }
  if (int code = session.judge({makeCandidate(schedule, "file")}, baseline,
                               noise, kRounds, records, error))
    return fail(code);
  const Record &record = records.front();
  if (!json.empty() &&
      !(error = writeDocument(json, toJson(record) + "\n")).empty())
    return reportTrouble(error);
  if (json != "-")
    llvm::outs() << formatRecord(record);
  llvm::raw_ostream &os = json == "-" ? llvm::errs() : llvm::outs();
  os << "verdict: "
     << (record.failedTier < 0 && settings.lastTier < 6
             ? "passed"
             : getWord(record.verdict));
  if (record.speedup > 0)
    os << llvm::formatv(" speedup={0:f3}", record.speedup);
  if (record.failedTier >= 0)
    os << " tier=" << record.failedTier;
  os << "\n";
  return getExitCode(record, settings.lastTier);
}

Command kernelzero::getJudgeCommand() {
  std::vector<OptionSpec> options = {
      {"--task", "TASK",
       "the task: a .mlir file with a function of level L0, or the name of one "
       "that the store holds"},
      {"--store", "DIR",
       "store of the task (default $KZ_STORE, or kz-store here)"},
      {"--target", "T", "hardware that the schedule is for"},
      {"--baseline", "FILE.mlir",
       "another schedule to compare with (default: the skeleton of the task)"},
      {"--tier", "K", "stop behind tier K, 1 to 6 (default 6: the time)"},
      {"--defaults", "", "bind open choices of the schedule to their defaults"},
  };
  for (OptionSpec &option : getJudgeOptions())
    options.push_back(std::move(option));
  options.push_back(
      {"--json", "FILE", "write the record as JSON; - is standard output"});
  options.push_back({"--help", "", "print this"});
  return {
      {"judge", "kz-tune judge SCHEDULE.mlir --task TASK --target T [options]",
       "Judges one schedule of one task: whether it applies, compiles and is "
       "right, and how fast it\nis beside the skeleton, or another schedule. "
       "It "
       "runs in a process of its own, so a crash is\nan outcome.",
       "SCHEDULE.mlir", options,
       "  kz-tune judge mine.mlir --task task.mlir --target host\n"
       "  kz-tune judge mine.mlir --task task.mlir --target sm_80 --tier 3\n"
       "  kz-tune judge mine.mlir --baseline old.mlir --task task.mlir "
       "--target host\n"
       "  kz-tune judge kz-store/host/matmul/x.mlir --task task.mlir --target "
       "host --json -\n",
       "last line:\n"
       "  verdict: WORD [speedup=X] [tier=K]\n"
       "  WORD is a verdict of docs/schema/record.json, or passed with --tier; "
       "tier is the one that failed\n\n"
       "exit codes:\n"
       "  0    faster than the baseline, modelled, or right as far as --tier "
       "goes\n"
       "  1    bad usage or input; open choices\n"
       "  2    right, and not faster than the baseline\n"
       "  3    not right: rejected, inapplicable, uncompilable, wrong, "
       "crashed, "
       "timed out\n"
       "  4    trouble with a device or a worker; an output that cannot be "
       "written\n"
       "  130  interrupted\n"},
      runJudge};
}
