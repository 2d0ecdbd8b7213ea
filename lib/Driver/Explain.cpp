//===- Explain.cpp - kz-tune explain --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/RecordText.h"
#include "KernelZero/Driver/StepVariants.h"
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Driver/Tables.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Winners/Winners.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace mlir;
using namespace kernelzero;

static constexpr int kRounds = 11;

namespace {
/// What is explained: a schedule, its task, its target.
struct Subject {
  std::string name;
  std::string schedule;
  std::string target;
  std::optional<TaskInfo> task;
  std::vector<std::string> sentences;
  std::map<std::string, int64_t> knobs;
};
} // namespace

/// Finds the winner's file or the stored record that `options` name, and its
/// task. An exit code.
static int findSubject(MLIRContext &context, const ParsedOptions &options,
                       Subject &subject, std::string &error) {
  const std::string &name = options.positional.front();
  bool isFile = llvm::sys::fs::is_regular_file(options.get("--task"));
  std::string key;
  std::unique_ptr<Experience> store;
  if (llvm::sys::fs::exists(name)) {
    std::optional<Winner> winner = readWinner(&context, name, error);
    if (!winner)
      return kExitUsage;
    subject = {name, winner->schedule, winner->target, std::nullopt,
               {},   winner->knobs};
    key = winner->taskKey;
    if (!options.has("--task")) {
      store = openStore(options, error);
      if (!store) {
        error += "; give the task of '" + name + "' by --task TASK.mlir";
        return llvm::sys::fs::exists(getStoreDatabase(options)) ? kExitTrouble
                                                                : kExitUsage;
      }
    }
  } else {
    store = openStore(options, error);
    std::vector<Record> records;
    if (!store)
      return kExitTrouble;
    // A task by its name chooses among records; a file holds what they are of.
    ParsedOptions filters = options;
    if (isFile)
      filters.values.erase("--task");
    if (int code = loadRecords(filters, *store, records, error))
      return code;
    const Record *record = findRecord(records, name, error);
    if (!record) {
      error += "; nor is there a file of that name";
      return kExitUsage;
    }
    subject = {record->id,   record->schedule,  record->target,
               std::nullopt, record->sentences, record->knobs};
    key = record->taskKey;
  }
  if (isFile || !store) {
    subject.task = findTask(context, options, error);
    if (subject.task && subject.task->key != key) {
      error = "'" + options.get("--task") + "' is task " + subject.task->key +
              ", the schedule is for task " + key;
      subject.task.reset();
    }
    return subject.task ? kExitDone : kExitUsage;
  }
  if (!store->findTask(key, subject.task, error))
    return kExitTrouble;
  if (!subject.task) {
    error =
        "the store does not hold task " + key + "; give it by --task TASK.mlir";
    return kExitUsage;
  }
  return kExitDone;
}

/// What a variant cost, as text: what the step bought.
static std::string describeVariant(const Record &record) {
  if (!isCorrect(record.verdict)) {
    std::string text = std::string("not possible: ") + getWord(record.verdict);
    return record.sentences.empty() ? text
                                    : text + ", " + record.sentences.front();
  }
  if (record.speedup <= 0)
    return "no time";
  std::string text = llvm::formatv("bought {0:f2}x", 1 / record.speedup).str();
  if (record.speedupLow > 0 && record.speedupLow < record.speedupHigh)
    text += llvm::formatv(" [{0:f2}, {1:f2}]", 1 / record.speedupHigh,
                          1 / record.speedupLow)
                .str();
  text += " (" + formatTime(record.seconds) + " without)";
  return record.verdict == Verdict::Modelled ? text + ", modelled" : text;
}

static llvm::json::Value toData(const StepVariant &variant,
                                const Record &record) {
  bool timed = isCorrect(record.verdict) && record.speedup > 0;
  return llvm::json::Object{
      {"change", variant.change},
      {"verdict", getWord(record.verdict)},
      {"seconds", record.seconds},
      {"bought", timed ? 1 / record.speedup : 0},
      {"bought_low",
       timed && record.speedupHigh > 0 ? 1 / record.speedupHigh : 0},
      {"bought_high",
       timed && record.speedupLow > 0 ? 1 / record.speedupLow : 0},
      {"sentence", record.sentences.empty() ? "" : record.sentences.front()}};
}

static int runExplain(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune explain takes 1 record or winner, " +
                       std::to_string(options.positional.size()) +
                       " were given");
  std::string json = options.get("--json");
  const std::string &name = options.positional.front();
  std::vector<NamedFile> inputs = getStoreFiles(getStoreFolder(options));
  inputs.push_back({"the winner", llvm::sys::fs::exists(name) ? name : ""});
  inputs.push_back({"option '--task'", options.get("--task")});
  std::string error = checkOutputs({{"option '--json'", json}}, inputs);
  if (!error.empty())
    return reportError(error);
  std::unique_ptr<MLIRContext> context = makeContext();
  Subject subject;
  auto fail = [&](int code) {
    reportError(error);
    return code;
  };
  if (int code = findSubject(*context, options, subject, error))
    return fail(code);
  JudgeSettings settings;
  const Target *target = resolveTargetText(subject.target, error);
  if (target)
    error = readJudgeSettings(options, *target, settings);
  if (!error.empty())
    return reportError(error);

  JudgeSession session(*context, settings, watchInterrupts());
  if (int code = session.prepare(*subject.task, error))
    return fail(code);
  std::vector<Record> records;
  Candidate whole = makeCandidate(subject.schedule, "explained");
  if (int code = session.judge({whole}, "", 0, kRounds, records, error))
    return fail(code);
  Record itself = records.front();
  if (!isCorrect(itself.verdict)) {
    error = subject.name + " is " + getWord(itself.verdict) +
            (itself.sentences.empty() ? "" : ": " + itself.sentences.front());
    return fail(kExitNoCandidate);
  }

  // The schedule was applied without a crash: it is safe to take apart here.
  ScheduleError problem;
  OwningOpRef<ModuleOp> schedule =
      parseSchedule(context.get(), subject.schedule, problem);
  std::string reason, baseline = session.getBaseline(reason);
  OwningOpRef<ModuleOp> defaults;
  if (!baseline.empty())
    defaults = parseSchedule(context.get(), baseline, problem);
  else
    llvm::errs() << "kz-tune: note: there are no defaults to compare with: "
                 << reason << "\n";
  std::vector<ScheduleStep> steps =
      listSteps(*schedule, defaults ? *defaults : ModuleOp());
  // A choice may stand in several steps: then it only changes in all of them.
  std::vector<StepVariant> choices;
  for (auto &[change, variant] :
       session.getChoiceVariants(subject.knobs, subject.schedule))
    choices.push_back({change, variant});
  std::vector<Candidate> candidates;
  std::set<std::string> known;
  auto addCandidates = [&](const std::vector<StepVariant> &variants) {
    for (const StepVariant &variant : variants) {
      Candidate candidate = makeCandidate(variant.schedule, "explained");
      if (known.insert(candidate.id).second)
        candidates.push_back(std::move(candidate));
    }
  };
  for (const ScheduleStep &step : steps)
    addCandidates(step.variants);
  addCandidates(choices);
  if (int code = session.judge(candidates, subject.schedule, itself.noise,
                               kRounds, records, error))
    return fail(code);
  auto find = [&](const StepVariant &variant) -> const Record & {
    std::string id = hashText(variant.schedule);
    return *llvm::find_if(
        records, [&](const Record &record) { return record.id == id; });
  };

  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::Array list;
  auto report = [&](const std::vector<StepVariant> &variants) {
    llvm::json::Array data;
    for (const StepVariant &variant : variants) {
      os << "     " << variant.change << ": " << describeVariant(find(variant))
         << "\n";
      data.push_back(toData(variant, find(variant)));
    }
    return data;
  };
  bool modelled = itself.verdict == Verdict::Modelled;
  os << subject.task->name << " for " << target->name << ": "
     << formatTime(itself.seconds)
     << (modelled ? ", modelled" : " on " + itself.evidence.ranOn) << "\n\n";
  for (auto [index, step] : llvm::enumerate(steps)) {
    os << index + 1 << ". " << step.text << "\n";
    if (!step.reason.empty())
      os << "     cannot be left out: " << step.reason << "\n";
    list.push_back(llvm::json::Object{{"number", int64_t(index + 1)},
                                      {"text", step.text},
                                      {"reason", step.reason},
                                      {"variants", report(step.variants)}});
  }
  if (!choices.empty())
    os << "choices at their defaults, in every step that they stand in:\n";
  llvm::json::Array choiceList = report(choices);
  os << "\n";
  const auto &sentences =
      subject.sentences.empty() ? itself.sentences : subject.sentences;
  for (const std::string &sentence : sentences)
    os << "- " << sentence << "\n";
  if (json != "-")
    llvm::outs() << text;
  if (json.empty())
    return kExitDone;
  llvm::json::Object document{{"schema", kSchemaVersion},
                              {"kind", "explanation"},
                              {"subject", subject.name},
                              {"task", subject.task->name},
                              {"target", subject.target},
                              {"ran_on", itself.evidence.ranOn},
                              {"verdict", getWord(itself.verdict)},
                              {"seconds", itself.seconds},
                              {"noise", itself.noise},
                              {"steps", std::move(list)},
                              {"choices", std::move(choiceList)},
                              {"sentences", llvm::json::Array(sentences)}};
  std::string data;
  llvm::raw_string_ostream(data)
      << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(document)));
  error = writeDocument(json, data);
  return error.empty() ? kExitDone : reportTrouble(error);
}

Command kernelzero::getExplainCommand() {
  std::vector<OptionSpec> options = {
      {"--store", "DIR",
       "store of the record, and of the task of a winner (default $KZ_STORE, "
       "or kz-store here)"},
      {"--task", "TASK",
       "the task: its name, where several have such a record, or a .mlir file, "
       "where the store does not hold it"},
      {"--target", "T",
       "of several records, the one for this target: a row's name, a "
       "#kz.target or a file of one"},
  };
  for (OptionSpec &option : getJudgeOptions())
    options.push_back(std::move(option));
  options.push_back(
      {"--json", "FILE", "write what was found as JSON; - is standard output"});
  options.push_back({"--help", "", "print this"});
  return {
      {"explain", "kz-tune explain {ID | WINNER.mlir} [options]",
       "Says step by step what a schedule's choices bought: each step is left "
       "out, and each choice\nset to its default, and judged beside the whole "
       "schedule in the same run.",
       "ID | WINNER.mlir", options,
       "  kz-tune explain 3f2a --store winners\n"
       "  kz-tune explain winners/host/matmul/x.mlir --store winners --json "
       "-\n",
       "exit codes:\n"
       "  0    the schedule is explained\n"
       "  1    bad usage or input; no such record, or several\n"
       "  3    the schedule is not right (any more)\n"
       "  4    trouble with a device, a worker or the store; an output that "
       "cannot be written\n"
       "  130  interrupted\n"},
      runExplain};
}
