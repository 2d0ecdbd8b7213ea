//===- Store.cpp - kz-tune store ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Driver/PinnedTest.h"
#include "KernelZero/Driver/RecordText.h"
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Driver/VerifyStore.h"

using namespace mlir;
using namespace kernelzero;

static int list(const ParsedOptions &options, Experience &store) {
  std::vector<Record> records;
  std::string error;
  if (int code = loadRecords(options, store, records, error)) {
    reportError(error);
    return code;
  }
  std::string json = options.get("--json");
  if (!json.empty())
    if (!(error = writeDocument(json, toJson(records, getStoreFolder(options))))
             .empty())
      return reportTrouble(error);
  llvm::raw_ostream &os = json == "-" ? llvm::errs() : llvm::outs();
  if (json != "-" && !records.empty())
    os << formatRecords(records);
  os << countVerdicts(records) << "\n";
  return kExitDone;
}

static int show(const ParsedOptions &options, Experience &store) {
  std::vector<Record> records;
  std::string error;
  if (int code = loadRecords(options, store, records, error)) {
    reportError(error);
    return code;
  }
  const Record *record = findRecord(records, options.positional[1], error);
  if (!record)
    return reportError(error);
  std::string json = options.get("--json");
  if (!json.empty() &&
      !(error = writeDocument(json, toJson(*record) + "\n")).empty())
    return reportTrouble(error);
  if (json == "-")
    return kExitDone;
  llvm::outs() << formatRecord(*record);
  for (const Record &other : records)
    if (&other != record && other.id == record->id &&
        other.taskKey == record->taskKey && other.target == record->target)
      llvm::outs() << "before: " << getWord(other.verdict) << ", "
                   << formatSpeedup(other) << ", " << other.evidence.date
                   << "\n";
  llvm::outs() << "\n" << record->schedule;
  return kExitDone;
}

static int exportTest(const ParsedOptions &options, Experience &store) {
  std::vector<Record> records;
  std::string error;
  if (int code = loadRecords(options, store, records, error)) {
    reportError(error);
    return code;
  }
  const Record *record = findRecord(records, options.get("--lit"), error);
  if (!record)
    return reportError(error);
  std::optional<TaskInfo> task;
  if (!store.findTask(record->taskKey, task, error))
    return reportTrouble(error);
  if (!task)
    return reportError("the store does not hold task " + record->taskKey +
                       " of record " + record->id);
  std::unique_ptr<MLIRContext> context = makeContext();
  std::string text = makePinnedTest(*context, *task, *record, error);
  if (text.empty())
    return reportError(error);
  error = writeDocument(options.get("-o", "-"), text);
  return error.empty() ? kExitDone : reportTrouble(error);
}

static int runStore(const ParsedOptions &options) {
  static const char *const kActions = "list, show ID, export --lit ID, verify";
  if (options.positional.empty())
    return reportError(std::string("kz-tune store needs an action; accepted "
                                   "are ") +
                       kActions);
  const std::string &action = options.positional.front();
  struct {
    const char *name;
    size_t words;
    int (*run)(const ParsedOptions &, Experience &);
  } static const kTable[] = {{"list", 1, list},
                             {"show", 2, show},
                             {"export", 1, exportTest},
                             {"verify", 1, verifyStore}};
  auto *found = llvm::find_if(
      kTable, [&](const auto &entry) { return entry.name == action; });
  if (found == std::end(kTable))
    return reportError("'" + action + "' is no action of kz-tune store; " +
                       "accepted are " + kActions);
  if (options.positional.size() != found->words)
    return reportError("kz-tune store " + action + " takes " +
                       std::to_string(found->words - 1) +
                       (found->words == 2 ? " record, " : " records, ") +
                       std::to_string(options.positional.size() - 1) +
                       " were given");
  if (action == "export" && !options.has("--lit"))
    return reportError("kz-tune store export needs --lit ID, the record to "
                       "pin by a test");
  std::string error = checkOutputs({{"option '--json'", options.get("--json")},
                                    {"option '-o'", options.get("-o")}},
                                   getStoreFiles(getStoreFolder(options)));
  if (!error.empty())
    return reportError(error);
  std::unique_ptr<Experience> store = openStore(options, error);
  return store ? found->run(options, *store) : reportTrouble(error);
}

Command kernelzero::getStoreCommand() {
  std::vector<OptionSpec> options = getRecordFilters();
  for (OptionSpec &option : getJudgeOptions()) {
    option.help = "verify: " + option.help;
    options.push_back(std::move(option));
  }
  options.insert(options.end(),
                 {{"--lit", "ID", "export: the record that the test pins"},
                  {"-o", "FILE", "export: file to write (default - )"},
                  {"--json", "FILE",
                   "list, show, verify: write the records as JSON; - is "
                   "standard output"},
                  {"--help", "", "print this"}});
  return {
      {"store",
       "kz-tune store {list | show ID | export --lit ID | verify} [options]",
       "Shows what a store holds, failures included: every record, one of them "
       "whole, or as a\ntest for lit that pins the schedule and its code; "
       "verify judges every winner again. An ID\nmay be cut short.",
       "ACTION [ID]", options,
       "  kz-tune store list --verdict wrong\n"
       "  kz-tune store list --task matmul --target host --json -\n"
       "  kz-tune store show 3f2a\n"
       "  kz-tune store export --lit 3f2a -o pinned.mlir\n"
       "  kz-tune store verify --store winners --target host\n",
       "exit codes:\n"
       "  0    the records are shown, the file is written, all winners are "
       "verified\n"
       "  1    bad usage or input; no such record, or several\n"
       "  3    a winner is no longer right, gives other code, or cannot be "
       "read\n"
       "  4    the store is missing or cannot be read; trouble with a device "
       "or a worker; an output\n"
       "       that cannot be written\n"
       "  130  interrupted\n"},
      runStore};
}
