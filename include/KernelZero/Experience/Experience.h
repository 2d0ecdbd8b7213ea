//===- Experience.h - every trial, for ever -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_EXPERIENCE_EXPERIENCE_H
#define KERNELZERO_EXPERIENCE_EXPERIENCE_H

#include "KernelZero/Record/Record.h"

#include <memory>
#include <optional>

struct sqlite3;

namespace kernelzero {

class Statement;

/// Version of the tables. A database of an earlier one is brought up to it when
/// it is opened to be written; one of a later version, or with tables that are
/// not ours, is refused, never changed.
constexpr int kExperienceVersion = 2;

/// What one tuning run was asked. Two runs that agree in all but what the store
/// fills in propose the same candidates after the same measurements.
struct RunInfo {
  std::string model;
  std::string target; ///< Its identity, `getTargetText`.
  std::string device;
  uint64_t seed = 0;
  /// Whatever else decides what is proposed, in a spelling of the tuner's own.
  std::string settings;
  std::string toolchain;

  // Filled in by the store.
  int64_t id = 0;
  std::string date;  ///< Of its start.
  std::string owner; ///< The process that has it.
};

/// The store of records: one SQLite file that many processes may write. A
/// record is on disk when `add` returns, whatever happens to the process.
class Experience {
public:
  /// Opens or makes the file at `path`. Null and a sentence where that fails.
  /// While another process keeps the file locked, this and all that writes wait
  /// for a minute.
  static std::unique_ptr<Experience> open(const std::string &path,
                                          std::string &error);
  ~Experience();

  /// Opens the file at `path` to be read, also by a user who may not write it:
  /// nothing is made or brought up to a version. Waits for a lock for 10 s.
  static std::unique_ptr<Experience> openExisting(const std::string &path,
                                                  std::string &error);

  /// Notes the start of a run; its number goes with the records from now on.
  bool beginRun(const RunInfo &run, std::string &error);
  /// Notes that the run came to its end: it is not resumed any more.
  bool endRun(std::string &error);
  /// The newest run that was asked the same as `like`, never came to its end,
  /// and whose process is gone; nothing in `found` where there is none.
  bool findUnfinishedRun(const RunInfo &like, std::optional<RunInfo> &found,
                         std::string &error);
  /// Goes on with `run`, as `findUnfinishedRun` gave it. False without an error
  /// where another process was quicker.
  bool resumeRun(const RunInfo &run, std::string &error);
  /// Records of one run in the order they were added.
  bool listRunRecords(int64_t run, std::vector<Record> &records,
                      std::string &error);

  bool addTask(const TaskInfo &task, std::string &error);
  bool addRecord(const Record &record, std::string &error);

  /// Records in the order they were added: of one task and target, or of all
  /// where the key is empty.
  bool listRecords(const std::string &taskKey, const std::string &target,
                   std::vector<Record> &records, std::string &error);

  /// The task with that key; nothing in `task` where the store has none.
  bool findTask(const std::string &key, std::optional<TaskInfo> &task,
                std::string &error);

private:
  Experience() = default;
  bool connect(const std::string &name, int flags, std::string &error);
  /// Whether the tables are ours, or with `mayMake` can be. A code of SQLite;
  /// the version, or a sentence. The second one in a transaction of its own.
  int checkTables(int &version, bool mayMake, std::string &error);
  int lookAtTables(int &version, bool mayMake, std::string &error);
  bool makeTables(std::string &error);
  bool readRecords(Statement &query, std::vector<Record> &records,
                   std::string &error);
  bool execute(const std::string &sql, std::string &error);
  bool isDone(const Statement &query, int result, std::string &error);

  sqlite3 *database = nullptr;
  int64_t run = 0;
};

} // namespace kernelzero

#endif // KERNELZERO_EXPERIENCE_EXPERIENCE_H
