//===- Experience.cpp - every trial, for ever -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Experience/Experience.h"

#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <unistd.h>

using namespace kernelzero;

/// Tables of version 1. The columns beside `json` are what queries select by;
/// the document is the record. Never changed: what later versions have in
/// addition is in the step that leads to them.
static const char *const kVersion1 = R"(
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

/// Runs can be resumed. Those of before are over: nobody knows better.
static const char *const kVersion2 = R"(
ALTER TABLE runs ADD COLUMN device TEXT NOT NULL DEFAULT 'host';
ALTER TABLE runs ADD COLUMN settings TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN finished TEXT NOT NULL DEFAULT 'unknown';
CREATE INDEX records_by_run ON records (run);
)";

/// `kSteps[v]` leads from version v to the next.
static const char *const kSteps[kExperienceVersion] = {kVersion1, kVersion2};

namespace kernelzero {
/// A prepared statement. Numbers of columns and parameters are SQLite's.
class Statement {
public:
  Statement(sqlite3 *database, const char *sql) : database(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
      problem = sqlite3_errmsg(database);
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
    error =
        std::string("the experience store cannot be written: ") + getProblem();
    return false;
  }
  /// What SQLite says of the last step. A statement that is none made no step,
  /// and others have been made since.
  std::string getProblem() const {
    return problem.empty() ? sqlite3_errmsg(database) : problem;
  }
  std::string getText(int column) {
    auto *value = sqlite3_column_text(statement, column);
    return value ? reinterpret_cast<const char *>(value) : "";
  }

  int64_t getNumber(int column) {
    return sqlite3_column_int64(statement, column);
  }

private:
  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
  std::string problem;
};
} // namespace kernelzero

Experience::~Experience() {
  // A run that did not come to its end is anyone's to resume, also in this
  // process.
  std::string ignored;
  if (run)
    Statement(database,
              "UPDATE runs SET owner = '' WHERE id = ?1 AND finished = ''")
        .number(1, run)
        .run(ignored);
  sqlite3_close(database);
}

bool Experience::execute(const std::string &sql, std::string &error) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) ==
      SQLITE_OK)
    return true;
  error = std::string("the experience store cannot be used: ") +
          sqlite3_errmsg(database);
  return false;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

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
  // Another process may sync a record to a slow disk.
  sqlite3_busy_timeout(store->database, 60000);
  // The change to WAL does not wait for others by itself.
  std::string reason;
  bool ready = false;
  for (int attempt = 0; !ready && attempt < 600; ++attempt) {
    if (attempt)
      usleep(100000);
    ready = store->execute("PRAGMA journal_mode = WAL", reason);
    if (sqlite3_errcode(store->database) != SQLITE_BUSY)
      break;
  }
  // Two processes may find an empty file: the first one makes the tables.
  if (!ready ||
      !store->execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE", reason)) {
    error = "'" + path + "': " + reason;
    return nullptr;
  }
  int version = 0;
  {
    Statement query(store->database, "PRAGMA user_version");
    if (query.step() == SQLITE_ROW)
      version = query.getNumber(0);
  }
  bool good = true;
  if (version > kExperienceVersion || version < 0) {
    good = false;
    reason = "the tables have version " + std::to_string(version) +
             "; accepted are 1 to " + std::to_string(kExperienceVersion);
  }
  for (int from = version; good && from < kExperienceVersion; ++from)
    good = store->execute(kSteps[from], reason);
  if (good && version < kExperienceVersion)
    good = store->execute(
        "PRAGMA user_version = " + std::to_string(kExperienceVersion), reason);
  if (!good) {
    std::string ignored;
    store->execute("ROLLBACK", ignored);
    error = "'" + path + "': " + reason;
    return nullptr;
  }
  if (!store->execute("COMMIT", reason)) {
    error = "'" + path + "': " + reason;
    return nullptr;
  }
  return store;
}

std::unique_ptr<Experience> Experience::openExisting(const std::string &path,
                                                     std::string &error) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    error = "there is no experience store '" + path + "'";
    return nullptr;
  }
  return open(path, error);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// When the process `pid` started, in ticks since the machine did; empty where
/// there is none. With the number it names a process for ever.
static std::string getStartOfProcess(const std::string &pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  // The program's name, in parentheses, may hold anything.
  size_t end = text.rfind(')');
  if (end == std::string::npos)
    return "";
  std::istringstream rest(text.substr(end + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number)
    rest >> field;
  return field;
}

static std::string getMachine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  file >> boot;
  return boot;
}

/// Names this process: machine since its start, number, start.
static std::string describeSelf() {
  std::string pid = std::to_string(getpid());
  return getMachine() + " " + pid + " " + getStartOfProcess(pid);
}

/// Whether the process that `describeSelf` named is gone. After a restart of
/// the machine it is; on another machine nobody can know that here, so a store
/// on a shared disk is resumed by whoever comes first.
static bool isGone(const std::string &owner) {
  std::istringstream parts(owner);
  std::string machine, pid, start;
  parts >> machine >> pid >> start;
  return machine != getMachine() || pid.empty() ||
         getStartOfProcess(pid) != start;
}

bool Experience::beginRun(const RunInfo &info, std::string &error) {
  Statement insert(database,
                   "INSERT INTO runs (model, target, device, seed, settings, "
                   "toolchain, date, owner, finished) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, '')");
  insert.text(1, info.model).text(2, info.target).text(3, info.device);
  insert.text(4, std::to_string(info.seed)).text(5, info.settings);
  insert.text(6, info.toolchain).text(7, getDate()).text(8, describeSelf());
  if (!insert.run(error))
    return false;
  run = sqlite3_last_insert_rowid(database);
  return true;
}

bool Experience::endRun(std::string &error) {
  Statement update(database, "UPDATE runs SET finished = ?1 WHERE id = ?2");
  update.text(1, getDate()).number(2, run);
  return update.run(error);
}

bool Experience::findUnfinishedRun(const RunInfo &like,
                                   std::optional<RunInfo> &found,
                                   std::string &error) {
  found.reset();
  Statement query(database,
                  "SELECT id, date, owner FROM runs WHERE finished = '' AND "
                  "model = ?1 AND target = ?2 AND device = ?3 AND seed = ?4 "
                  "AND settings = ?5 AND toolchain = ?6 ORDER BY id DESC");
  query.text(1, like.model).text(2, like.target).text(3, like.device);
  query.text(4, std::to_string(like.seed)).text(5, like.settings);
  query.text(6, like.toolchain);
  int result;
  while ((result = query.step()) == SQLITE_ROW) {
    std::string owner = query.getText(2);
    if (!isGone(owner))
      continue;
    found = like;
    found->id = query.getNumber(0);
    found->date = query.getText(1);
    found->owner = owner;
    return true;
  }
  return isDone(query, result, error);
}

bool Experience::resumeRun(const RunInfo &info, std::string &error) {
  Statement update(database, "UPDATE runs SET owner = ?1 WHERE id = ?2 AND "
                             "owner = ?3 AND finished = ''");
  update.text(1, describeSelf()).number(2, info.id).text(3, info.owner);
  if (!update.run(error) || sqlite3_changes(database) != 1)
    return false;
  run = info.id;
  return true;
}

//===----------------------------------------------------------------------===//
// Tasks and records
//===----------------------------------------------------------------------===//

bool Experience::isDone(const Statement &query, int result,
                        std::string &error) {
  if (result == SQLITE_DONE)
    return true;
  error =
      std::string("the experience store cannot be read: ") + query.getProblem();
  return false;
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

bool Experience::findTask(const std::string &key, std::optional<TaskInfo> &task,
                          std::string &error) {
  task.reset();
  Statement query(database, "SELECT key, name, class, flops, bytes, text "
                            "FROM tasks WHERE key = ?1");
  query.text(1, key);
  int result = query.step();
  if (result != SQLITE_ROW)
    return isDone(query, result, error);
  task.emplace();
  task->key = query.getText(0);
  task->name = query.getText(1);
  task->opClass = query.getText(2);
  task->flops = query.getNumber(3);
  task->bytes = query.getNumber(4);
  task->text = query.getText(5);
  return true;
}

bool Experience::readRecords(Statement &query, std::vector<Record> &records,
                             std::string &error) {
  int result;
  while ((result = query.step()) == SQLITE_ROW) {
    Record record;
    if (!fromJson(query.getText(0), record, error)) {
      error = "the experience store cannot be read: record " +
              std::to_string(query.getNumber(1)) + " is damaged: " + error;
      return false;
    }
    records.push_back(std::move(record));
  }
  return isDone(query, result, error);
}

bool Experience::listRecords(const std::string &taskKey,
                             const std::string &target,
                             std::vector<Record> &records, std::string &error) {
  Statement query(database,
                  "SELECT json, id FROM records WHERE (?1 = '' OR task = ?1) "
                  "AND (?2 = '' OR target = ?2) ORDER BY id");
  query.text(1, taskKey).text(2, target);
  return readRecords(query, records, error);
}

bool Experience::listRunRecords(int64_t run, std::vector<Record> &records,
                                std::string &error) {
  Statement query(database,
                  "SELECT json, id FROM records WHERE run = ?1 ORDER BY id");
  query.number(1, run);
  return readRecords(query, records, error);
}
