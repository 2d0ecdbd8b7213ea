//===- StoredRecords.cpp - choosing records of a store --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/StoredRecords.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/JudgeSession.h"
#include "KernelZero/Target/TargetTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <map>

using namespace mlir;
using namespace kernelzero;

std::vector<OptionSpec> kernelzero::getRecordFilters() {
  return {
      {"--store", "DIR",
       "winners and experience (default $KZ_STORE, or kz-store here)"},
      {"--task", "TASK", "only of tasks of that name or key, or part of it"},
      {"--target", "T",
       "only for this target: a row's name, a #kz.target or a file of one"},
      {"--verdict", "WORD", "only with this verdict"},
  };
}

std::unique_ptr<Experience> kernelzero::openStore(const ParsedOptions &options,
                                                  std::string &error) {
  return Experience::openExisting(getStoreDatabase(options), error);
}

/// Whether `text` is the name or the key of the record's task, or part of it.
static bool isOfTask(const Record &record, const std::string &text) {
  return record.taskName.find(text) != std::string::npos ||
         record.taskKey.find(text) == 0;
}

bool kernelzero::getTargetFilter(const ParsedOptions &options,
                                 std::string &target, std::string &error) {
  target.clear();
  if (!options.has("--target"))
    return true;
  const Target *row = resolveTarget(options.get("--target"), error);
  if (row)
    target = getTargetText(*row);
  return row;
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
  std::string target;
  if (!getTargetFilter(options, target, error))
    return kExitUsage;
  if (!store.listRecords("", target, records, error))
    return kExitTrouble;
  llvm::erase_if(records, [&](const Record &record) {
    return (!word.empty() && record.verdict != verdict) ||
           (!task.empty() && !isOfTask(record, task));
  });
  return kExitDone;
}

std::optional<TaskInfo> kernelzero::findTask(MLIRContext &context,
                                             const ParsedOptions &options,
                                             std::string &error) {
  std::string name = options.get("--task");
  if (llvm::sys::fs::is_regular_file(name))
    return loadTask(context, name, error);
  std::unique_ptr<Experience> store = openStore(options, error);
  if (!store) {
    error = "'" + name + "' is no file, and no task of a store: " + error;
    return std::nullopt;
  }
  std::vector<Record> records;
  if (!store->listRecords("", "", records, error))
    return std::nullopt;
  std::map<std::string, std::string> found; // Names by key.
  for (const Record &record : records)
    if (isOfTask(record, name))
      found[record.taskKey] = record.taskName;
  // A whole name is meant before a part of others.
  auto isWhole = [&](const auto &entry) { return entry.second == name; };
  if (llvm::count_if(found, isWhole) == 1)
    found = {*llvm::find_if(found, isWhole)};
  if (found.size() != 1) {
    error = "'" + name + "' is no file, and the store '" +
            getStoreFolder(options) + "' holds " +
            std::to_string(found.size()) + " tasks of that name";
    const char *separator = ": ";
    for (const auto &[key, other] : found) {
      error += separator + other + " (" + key + ")";
      separator = ", ";
    }
    return std::nullopt;
  }
  std::optional<TaskInfo> task;
  if (store->findTask(found.begin()->first, task, error) && !task)
    error = "the store holds records of task " + found.begin()->first +
            ", and not the task itself";
  return task;
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
