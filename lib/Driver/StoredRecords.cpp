//===- StoredRecords.cpp - choosing records of a store --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelzero;

std::vector<OptionSpec> kernelzero::getRecordFilters() {
  return {
      {"--store", "DIR",
       "winners and experience (default $KZ_STORE, or kz-store here)"},
      {"--task", "TASK", "only of tasks of that name or key, or part of it"},
      {"--target", "T", "only for this target"},
      {"--verdict", "WORD", "only with this verdict"},
  };
}

std::unique_ptr<Experience> kernelzero::openStore(const ParsedOptions &options,
                                                  std::string &error) {
  return Experience::openExisting(getStoreFolder(options) + "/experience.db",
                                  error);
}

int kernelzero::loadRecords(const ParsedOptions &options, Experience &store,
                            std::vector<Record> &records, std::string &error) {
  std::string task = options.get("--task"), word = options.get("--verdict");
  Verdict verdict;
  if (!word.empty() && !parseVerdict(word, verdict)) {
    error =
        "option '--verdict' is '" + word + "'; accepted are " + listVerdicts();
    return kExitUsage;
  }
  if (!store.listRecords("", options.get("--target"), records, error))
    return kExitTrouble;
  llvm::erase_if(records, [&](const Record &record) {
    return (!word.empty() && record.verdict != verdict) ||
           (!task.empty() && record.taskName.find(task) == std::string::npos &&
            record.taskKey.find(task) != 0);
  });
  return kExitDone;
}

const Record *kernelzero::findRecord(const std::vector<Record> &records,
                                     const std::string &prefix,
                                     std::string &error) {
  const Record *found = nullptr;
  auto isOther = [&](const Record &record) {
    return record.id != found->id || record.taskKey != found->taskKey ||
           record.target != found->target;
  };
  auto describe = [](const Record &record) {
    return record.id + " (" + record.taskName + ", " + record.target + ")";
  };
  for (const Record &record : records) {
    if (record.id.compare(0, prefix.size(), prefix) != 0)
      continue;
    if (found && isOther(record)) {
      error = "record '" + prefix + "' is ambiguous: " + describe(*found) +
              " and " + describe(record) +
              (record.id == found->id ? "; choose by --task and --target"
                                      : "; give more of the id");
      return nullptr;
    }
    found = &record;
  }
  if (!found)
    error = "no record's id starts with '" + prefix +
            "'; kz-tune store list shows all";
  return found;
}
