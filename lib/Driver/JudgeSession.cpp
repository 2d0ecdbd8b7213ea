//===- JudgeSession.cpp - judging outside of a tuning run -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Search/Proposer.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "llvm/Support/Path.h"

#include <thread>

using namespace mlir;
using namespace kernelzero;

/// Seconds that preparing a task may take before its worker counts as lost.
static constexpr double kPrepareSeconds = 1800;
/// Seconds that the rounds of one candidate should take.
static constexpr double kBudgetSeconds = 10;

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

std::vector<OptionSpec> kernelzero::getJudgeOptions() {
  return {
      {"--device", "D",
       "where candidates run: host, cuda:N (default: host for target host; "
       "none for a GPU, its times are modelled)"},
      {"--seed", "S", "seed of the inputs (default 0)"},
      {"--limit", "SECONDS", "hard limit on one candidate (default 120)"},
  };
}

std::string kernelzero::chooseDevice(const Target &target,
                                     const std::string &asked,
                                     std::string &device) {
  StringRef number = asked;
  int64_t ordinal;
  bool isCuda = number.consume_front("cuda:") &&
                llvm::to_integer(number, ordinal, 10) && ordinal >= 0;
  bool fits = target.isGPU() ? isCuda : asked == "host";
  if (!asked.empty() && !fits)
    return "device '" + asked + "' does not run code for target " +
           target.name.str() + "; accepted is " +
           (target.isGPU() ? "cuda:N, or none for modelled times" : "host");
  device = asked.empty() && !target.isGPU() ? "host" : asked;
  return "";
}

std::string kernelzero::readJudgeSettings(const ParsedOptions &options,
                                          const Target &target,
                                          JudgeSettings &settings) {
  settings.target = &target;
  std::string error =
      chooseDevice(target, options.get("--device"), settings.device);
  int64_t number = 0;
  if (error.empty() && options.has("--seed")) {
    error = parseNumber("--seed", options.get("--seed"), 0, INT64_MAX, number);
    settings.seed = number;
  }
  if (error.empty() && options.has("--limit")) {
    error = parseNumber("--limit", options.get("--limit"), 1, 86400, number);
    settings.limitSeconds = number;
  }
  if (error.empty() && options.has("--tier")) {
    error = parseNumber("--tier", options.get("--tier"), 1, 6, number);
    settings.lastTier = number;
  }
  return error;
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

JudgeSession::JudgeSession(MLIRContext &context, const JudgeSettings &settings,
                           const std::atomic<bool> &interrupted)
    : context(context), settings(settings),
      worker(getWorkerProgram(), interrupted) {}

int JudgeSession::prepare(const TaskInfo &info, std::string &error) {
  task = info;
  WorkerRequest request;
  request.type = "prepare";
  request.task = task;
  request.target = getTargetText(*settings.target);
  request.device = settings.device;
  request.seed = settings.seed;
  WorkerReply reply;
  switch (worker.ask(request, kPrepareSeconds, reply, error)) {
  case Worker::Outcome::Interrupted:
    error = "interrupted";
    return kExitInterrupted;
  case Worker::Outcome::Lost:
    return kExitTrouble;
  case Worker::Outcome::Replied:
    break;
  }
  if (reply.type == "prepared")
    return kExitDone;
  if (reply.type == "unavailable") {
    error = reply.error;
    return kExitTrouble;
  }
  error = task.name + ": " + reply.error;
  return kExitUsage;
}

int JudgeSession::judge(std::vector<Candidate> candidates,
                        const std::string &baseline, double noise, int rounds,
                        std::vector<Record> &records, std::string &error) {
  WorkerRequest request;
  request.candidates = candidates;
  request.baseline = baseline;
  request.noise = noise;
  request.rounds = rounds;
  request.budgetSeconds = kBudgetSeconds;
  request.limitSeconds = settings.limitSeconds;
  request.lastTier = settings.lastTier;
  request.jobs = std::max(1u, std::thread::hardware_concurrency());
  std::map<std::string, Record> byId;
  Worker::Outcome outcome = worker.judge(
      request, [&](const Record &record) { byId[record.id] = record; }, error);
  if (outcome == Worker::Outcome::Interrupted) {
    error = "interrupted";
    return kExitInterrupted;
  }
  if (outcome == Worker::Outcome::Lost)
    return kExitTrouble;
  records.clear();
  for (const Candidate &candidate : candidates)
    records.push_back(byId[candidate.id]);
  return kExitDone;
}

std::string JudgeSession::getBaseline(std::string &reason) {
  SearchTask search;
  if (!setUpTask(context, task, *settings.target, search, reason))
    return "";
  return completeSkeleton(search, search.getSpace().getDefaults(), reason);
}

std::vector<std::pair<std::string, std::string>>
JudgeSession::getChoiceVariants(const std::map<std::string, int64_t> &knobs,
                                const std::string &schedule) {
  SearchTask search;
  std::string ignored;
  std::vector<std::pair<std::string, std::string>> variants;
  if (knobs.empty() ||
      !setUpTask(context, task, *settings.target, search, ignored) ||
      completeSkeleton(search, knobs, ignored) != schedule)
    return variants;
  for (const Knob &knob : search.skeleton.knobs) {
    auto found = knobs.find(knob.name);
    int64_t value = knob.values.front();
    if (found == knobs.end() || found->second == value)
      continue;
    auto changed = knobs;
    changed[knob.name] = value;
    std::string text = completeSkeleton(search, changed, ignored);
    if (!text.empty() && text != schedule)
      variants.emplace_back(knob.name + " " + std::to_string(value) +
                                " in place of " + std::to_string(found->second),
                            text);
  }
  return variants;
}

Candidate kernelzero::makeCandidate(const std::string &schedule,
                                    const std::string &origin) {
  Candidate candidate;
  candidate.id = hashText(schedule);
  candidate.schedule = schedule;
  candidate.origin = origin;
  return candidate;
}

std::optional<TaskInfo> kernelzero::loadTask(MLIRContext &context,
                                             const std::string &path,
                                             std::string &error) {
  if (llvm::sys::path::extension(path) == ".onnx") {
    error = "'" + path +
            "' is a model; a task is a .mlir file of one function, or the name "
            "of one that a store holds";
    return std::nullopt;
  }
  OwningOpRef<ModuleOp> module = parseFile(context, path, error);
  if (!module)
    return std::nullopt;
  if (failed(extractTasks(*module))) {
    error = "the tasks of '" + path + "' cannot be extracted";
    return std::nullopt;
  }
  std::vector<TaskInfo> tasks = listTasks(*module);
  if (tasks.size() == 1)
    return tasks.front();
  error = "'" + path + "' holds " + std::to_string(tasks.size()) +
          " tasks; exactly 1 is needed, or the name of one that a store holds";
  return std::nullopt;
}
