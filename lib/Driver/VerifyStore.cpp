//===- VerifyStore.cpp - judge stored winners again -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/VerifyStore.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/RecordText.h"
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Driver/Tables.h"
#include "KernelZero/Winners/Winners.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelzero;

static constexpr int kRounds = 7;

/// Judges `winner` of `task`. An exit code; the record, or a sentence.
static int judgeWinner(MLIRContext &context, const ParsedOptions &options,
                       const Winner &winner, const TaskInfo &task,
                       const std::atomic<bool> &interrupted, Record &record,
                       std::string &error) {
  // A store may hold winners for several targets; a device runs those of one.
  ParsedOptions own = options;
  const Target *target = resolveTargetText(winner.target, error);
  if (target && !target->isGPU())
    own.values.erase("--device");
  JudgeSettings settings;
  if (target)
    error = readJudgeSettings(own, *target, settings);
  if (!error.empty())
    return kExitUsage;
  JudgeSession session(context, settings, interrupted);
  if (int code = session.prepare(task, error))
    return code;
  std::string reason, baseline = session.getBaseline(reason);
  std::vector<Record> records;
  double noise = 0;
  if (!baseline.empty()) {
    if (int code = session.judge({makeCandidate(baseline, "skeleton")}, "", 0,
                                 kRounds, records, error))
      return code;
    noise = records.front().noise;
  }
  if (int code = session.judge({makeCandidate(winner.schedule, "winner")},
                               baseline, noise, kRounds, records, error))
    return code;
  record = records.front();
  return kExitDone;
}

int kernelzero::verifyStore(const ParsedOptions &options, Experience &store) {
  std::unique_ptr<MLIRContext> context = makeContext();
  std::string error;
  std::vector<std::string> files =
      listWinnerFiles(getStoreFolder(options), error);
  if (!error.empty())
    return reportTrouble(error);
  const std::atomic<bool> &interrupted = watchInterrupts();
  std::vector<std::vector<std::string>> rows = {
      {"winner", "target", "was", "is", "speed-up was", "is", "result"}};
  std::vector<Record> records;
  int64_t bad = 0, total = 0;
  std::string filter = options.get("--task"), target;
  if (!getTargetFilter(options, target, error))
    return reportError(error);
  for (const std::string &file : files) {
    std::optional<Winner> found = readWinner(context.get(), file, error);
    // Nobody knows which task and target such a file is for, so no filter
    // leaves it out.
    if (!found) {
      ++total;
      ++bad;
      llvm::StringRef reason = error;
      reason.consume_front("'" + file + "' is no winner: ");
      rows.push_back({file, "-", "-", "unreadable", "-", "-", reason.str()});
      continue;
    }
    const Winner &winner = *found;
    if ((!target.empty() && winner.target != target) ||
        (!filter.empty() && winner.taskName.find(filter) == std::string::npos &&
         winner.taskKey.find(filter) != 0))
      continue;
    ++total;
    std::optional<TaskInfo> task;
    if (!store.findTask(winner.taskKey, task, error))
      return reportTrouble(error);
    Record record;
    std::string result;
    if (!task) {
      result = "the store does not hold its task";
    } else if (int code = judgeWinner(*context, options, winner, *task,
                                      interrupted, record, error)) {
      if (code == kExitInterrupted || code == kExitTrouble) {
        reportError(error);
        return code;
      }
      result = error;
    } else {
      records.push_back(record);
      if (!isCorrect(record.verdict))
        result = record.sentences.empty() ? "no longer right"
                                          : record.sentences.front();
      else if (record.evidence.code != winner.evidence.code)
        result = "right, but its code is another: edited, or made by another "
                 "toolchain";
    }
    bad += !result.empty();
    rows.push_back({winner.path, getTargetName(winner.target),
                    getWord(winner.verdict),
                    record.id.empty() ? "-" : getWord(record.verdict),
                    formatFactor(winner.speedup), formatSpeedup(record),
                    result.empty() ? "verified" : result});
  }
  std::string json = options.get("--json");
  if (!json.empty() &&
      !(error = writeDocument(json, toJson(records, getStoreFolder(options))))
           .empty())
    return reportTrouble(error);
  llvm::raw_ostream &os = json == "-" ? llvm::errs() : llvm::outs();
  os << formatTable(rows, {true, true, true, true, false, false, true})
     << total - bad << " of " << total << " winners verified\n";
  return bad ? kExitNoCandidate : kExitDone;
}
