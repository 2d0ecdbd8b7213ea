//===- Experience.h - every trial, for ever -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_EXPERIENCE_EXPERIENCE_H
#define KERNELZERO_EXPERIENCE_EXPERIENCE_H

#include "KernelZero/Record/Record.h"

#include <memory>

struct sqlite3;

namespace kernelzero {

/// Version of the tables; a database of a later one is refused, never changed.
constexpr int kExperienceVersion = 1;

/// The store of records: one SQLite file that many processes may write. A
/// record is on disk when `add` returns.
class Experience {
public:
  /// Opens or makes the file at `path`. Null and a sentence where that fails.
  static std::unique_ptr<Experience> open(const std::string &path,
                                          std::string &error);
  ~Experience();

  /// Notes the start of a run; its number goes with the records.
  bool beginRun(const std::string &model, const std::string &target,
                uint64_t seed, const std::string &toolchain,
                std::string &error);
  bool addTask(const TaskInfo &task, std::string &error);
  bool addRecord(const Record &record, std::string &error);

  /// Records in the order they were added: of one task and target, or of all
  /// where the key is empty.
  bool listRecords(const std::string &taskKey, const std::string &target,
                   std::vector<Record> &records, std::string &error);

private:
  Experience() = default;
  bool execute(const std::string &sql, std::string &error);

  sqlite3 *database = nullptr;
  int64_t run = 0;
};

} // namespace kernelzero

#endif // KERNELZERO_EXPERIENCE_EXPERIENCE_H
