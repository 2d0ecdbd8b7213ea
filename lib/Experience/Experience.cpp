//===- Experience.cpp - every trial, for ever -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Experience/Experience.h"

#include <filesystem>
#include <sqlite3.h>

using namespace kernelzero;

/// Tables of version 1. The columns beside `json` are what queries select by;
/// the document is the record.
static const char *const kSchema = R"(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  model TEXT NOT NULL, target TEXT NOT NULL, seed TEXT NOT NULL,
  toolchain TEXT NOT NULL, date TEXT NOT NULL);
CREATE TABLE tasks (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL, class TEXT NOT NULL,
  flops INTEGER NOT NULL, bytes INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE schedules (id TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id),
  task TEXT NOT NULL, target TEXT NOT NULL, device TEXT NOT NULL,
  schedule TEXT NOT NULL REFERENCES schedules(id),
  origin TEXT NOT NULL, verdict TEXT NOT NULL, failed_tier INTEGER NOT NULL,
  seconds REAL NOT NULL, baseline_seconds REAL NOT NULL, speedup REAL NOT NULL,
  toolchain TEXT NOT NULL, date TEXT NOT NULL, json TEXT NOT NULL);
CREATE INDEX records_by_task ON records (task, target);
)";

namespace {
/// A prepared statement. Numbers of columns and parameters are SQLite's.
class Statement {
public:
  Statement(sqlite3 *database, const char *sql) : database(database) {
    sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement); }
  Statement &text(int at, const std::string &value) {
    sqlite3_bind_text(statement, at, value.data(), value.size(),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Statement &number(int at, int64_t value) {
    sqlite3_bind_int64(statement, at, value);
    return *this;
  }
  Statement &real(int at, double value) {
    sqlite3_bind_double(statement, at, value);
    return *this;
  }
  int step() { return statement ? sqlite3_step(statement) : SQLITE_ERROR; }
  bool run(std::string &error) {
    if (step() == SQLITE_DONE)
      return true;
    error = std::string("the experience store cannot be written: ") +
            sqlite3_errmsg(database);
    return false;
  }
  std::string getText(int column) {
    auto *value = sqlite3_column_text(statement, column);
    return value ? reinterpret_cast<const char *>(value) : "";
  }

private:
  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
};
} // namespace

Experience::~Experience() { sqlite3_close(database); }

bool Experience::execute(const std::string &sql, std::string &error) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) ==
      SQLITE_OK)
    return true;
  error = std::string("the experience store cannot be used: ") +
          sqlite3_errmsg(database);
  return false;
}

std::unique_ptr<Experience> Experience::open(const std::string &path,
                                             std::string &error) {
  std::error_code code;
  std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty())
    std::filesystem::create_directories(parent, code);
  if (code) {
    error = "cannot make folder '" + parent.string() + "': " + code.message();
    return nullptr;
  }
  std::unique_ptr<Experience> store(new Experience);
  if (sqlite3_open(path.c_str(), &store->database) != SQLITE_OK) {
    error = "cannot open the experience store '" + path +
            "': " + sqlite3_errmsg(store->database);
    return nullptr;
  }
  sqlite3_busy_timeout(store->database, 10000);
  // Two processes may find an empty file: the first one makes the tables.
  std::string reason;
  if (!store->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                      "BEGIN IMMEDIATE",
                      reason)) {
    error = "'" + path + "': " + reason;
    return nullptr;
  }
  int version = 0;
  {
    Statement query(store->database, "PRAGMA user_version");
    if (query.step() == SQLITE_ROW)
      version = std::atoi(query.getText(0).c_str());
  }
  bool good = true;
  if (version == 0)
    good = store->execute(kSchema, reason) &&
           store->execute("PRAGMA user_version = " +
                              std::to_string(kExperienceVersion),
                          reason);
  if (version > kExperienceVersion) {
    good = false;
    reason = "the tables have version " + std::to_string(version) +
             "; accepted are 1 to " + std::to_string(kExperienceVersion);
  }
  if (!store->execute(good ? "COMMIT" : "ROLLBACK", reason) || !good) {
    error = "'" + path + "': " + reason;
    return nullptr;
  }
  return store;
}

bool Experience::beginRun(const std::string &model, const std::string &target,
                          uint64_t seed, const std::string &toolchain,
                          std::string &error) {
  Statement insert(database,
                   "INSERT INTO runs (model, target, seed, toolchain, date) "
                   "VALUES (?, ?, ?, ?, ?)");
  insert.text(1, model)
      .text(2, target)
      .text(3, std::to_string(seed))
      .text(4, toolchain)
      .text(5, getDate());
  if (!insert.run(error))
    return false;
  run = sqlite3_last_insert_rowid(database);
  return true;
}

bool Experience::addTask(const TaskInfo &task, std::string &error) {
  Statement insert(database,
                   "INSERT OR IGNORE INTO tasks (key, name, class, flops, "
                   "bytes, text) VALUES (?, ?, ?, ?, ?, ?)");
  insert.text(1, task.key).text(2, task.name).text(3, task.opClass);
  insert.number(4, task.flops).number(5, task.bytes).text(6, task.text);
  return insert.run(error);
}

bool Experience::addRecord(const Record &record, std::string &error) {
  if (!execute("BEGIN IMMEDIATE", error))
    return false;
  Statement schedule(
      database, "INSERT OR IGNORE INTO schedules (id, text) VALUES (?, ?)");
  schedule.text(1, record.id).text(2, record.schedule);
  Statement insert(
      database,
      "INSERT INTO records (run, task, target, device, schedule, origin, "
      "verdict, "
      "failed_tier, seconds, baseline_seconds, speedup, toolchain, date, json) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.number(1, run).text(2, record.taskKey).text(3, record.target);
  insert.text(4, record.device).text(5, record.id).text(6, record.origin);
  insert.text(7, getWord(record.verdict)).number(8, record.failedTier);
  insert.real(9, record.seconds).real(10, record.baselineSeconds);
  insert.real(11, record.speedup).text(12, record.evidence.toolchain);
  insert.text(13, record.evidence.date).text(14, toJson(record));
  if (schedule.run(error) && insert.run(error))
    return execute("COMMIT", error);
  std::string ignored;
  execute("ROLLBACK", ignored);
  return false;
}

bool Experience::listRecords(const std::string &taskKey,
                             const std::string &target,
                             std::vector<Record> &records, std::string &error) {
  Statement query(database,
                  "SELECT json FROM records WHERE (?1 = '' OR task = ?1) "
                  "AND (?2 = '' OR target = ?2) ORDER BY id");
  query.text(1, taskKey).text(2, target);
  int result;
  while ((result = query.step()) == SQLITE_ROW) {
    Record record;
    if (!fromJson(query.getText(0), record, error))
      return false;
    records.push_back(std::move(record));
  }
  if (result == SQLITE_DONE)
    return true;
  error = std::string("the experience store cannot be read: ") +
          sqlite3_errmsg(database);
  return false;
}
