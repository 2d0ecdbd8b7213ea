//===- Experience.cpp - every trial, for ever -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Experience/Experience.h"

#include <chrono>
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

/// What every query of ours needs, by the version that brought it: a database
/// that cannot answer is someone else's.
static const struct {
  int version;
  const char *query;
} kProbes[] = {
    {1, "SELECT id, model, target, seed, toolchain, date FROM runs"},
    {1, "SELECT key, name, class, flops, bytes, text FROM tasks"},
    {1, "SELECT id, text FROM schedules"},
    {1, "SELECT id, run, task, target, device, schedule, origin, verdict, "
        "failed_tier, seconds, baseline_seconds, speedup, toolchain, date, "
        "json FROM records"},
    {2, "SELECT device, settings, owner, finished FROM runs"},
};

/// How long to wait for the lock of another process. Someone waits for what
/// reads; what writes has a measurement to lose, and the other one may sync to
/// a slow disk.
static constexpr int kReadWaitSeconds = 10;
static constexpr int kWriteWaitSeconds = 60;

static bool isDenied(const std::string &path, int wish) {
  return access(path.c_str(), wish) && (errno == EACCES || errno == EROFS);
}

/// Why this user may not write the database `file`, which has a log beside it;
/// empty where nothing stands against it.
static std::string findUnwritable(const std::string &file) {
  std::string folder = std::filesystem::path(file).parent_path().string();
  for (const std::string &path : {file, folder.empty() ? "." : folder})
    if (isDenied(path, W_OK))
      return "this user may not write '" + path +
             "'; accepted is a store that can be written";
  return "";
}

/// What SQLite says of the last step, or what lies behind it.
static std::string describeProblem(sqlite3 *database) {
  const char *name = sqlite3_db_filename(database, nullptr);
  std::string file = name ? name : "", reason;
  int code = sqlite3_errcode(database);
  if (code == SQLITE_BUSY)
    return "another process keeps it locked; try again when that process has "
           "ended (fuser '" +
           file + "' names it)";
  if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
    reason = findUnwritable(file);
  return reason.empty() ? sqlite3_errmsg(database) : reason;
}

namespace kernelzero {
/// A prepared statement. Numbers of columns and parameters are SQLite's.
class Statement {
public:
  Statement(sqlite3 *database, const char *sql) : database(database) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
      problem = describeProblem(database);
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
    return problem.empty() ? describeProblem(database) : problem;
  }
  bool isGood() const { return problem.empty(); }
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
  if (run) {
    std::string ignored;
    sqlite3_busy_timeout(database, 1000 * kReadWaitSeconds);
    Statement(database,
              "UPDATE runs SET owner = '' WHERE id = ?1 AND finished = ''")
        .number(1, run)
        .run(ignored);
  }
  sqlite3_close(database);
}

bool Experience::execute(const std::string &sql, std::string &error) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) ==
      SQLITE_OK)
    return true;
  error = "the experience store cannot be used: " + describeProblem(database);
  return false;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Whether something is at `path` that can be no database.
static bool isOtherThing(const std::string &path) {
  std::error_code code;
  auto status = std::filesystem::status(path, code);
  return std::filesystem::exists(status) &&
         !std::filesystem::is_regular_file(status);
}

/// `file://…`, by which SQLite takes options beside the path.
static std::string makeUri(const std::string &path) {
  std::string uri = "file://";
  for (char c : std::filesystem::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      char code[4];
      snprintf(code, sizeof code, "%%%02X", c);
      uri += code;
    } else {
      uri += c;
    }
  }
  return uri;
}

bool Experience::connect(const std::string &name, int flags,
                         std::string &error) {
  sqlite3_close(database);
  if (sqlite3_open_v2(name.c_str(), &database, flags, nullptr) == SQLITE_OK)
    return true;
  error = "the experience store cannot be opened: " + describeProblem(database);
  return false;
}

int Experience::checkTables(int &version, bool mayMake, std::string &error) {
  std::string accepted = "; accepted is a store with tables of versions 1 to " +
                         std::to_string(kExperienceVersion);
  auto refuse = [&](const std::string &why) {
    error = "it is no experience store: " + why + accepted;
    return SQLITE_NOTADB;
  };
  auto fail = [&](Statement &query, int result) {
    isDone(query, result, error);
    return sqlite3_errcode(database);
  };
  {
    Statement query(database, "PRAGMA user_version");
    int result = query.step();
    if (result != SQLITE_ROW)
      return fail(query, result);
    version = query.getNumber(0);
  }
  std::string described = "the tables have version " + std::to_string(version);
  if (version > kExperienceVersion || version < 0) {
    error = described + accepted;
    return SQLITE_NOTADB;
  }
  if (!version) {
    Statement query(database, "SELECT name FROM sqlite_master");
    int result = query.step();
    if (result == SQLITE_ROW)
      return refuse("it holds '" + query.getText(0) + "', and " + described);
    if (result != SQLITE_DONE)
      return fail(query, result);
    return mayMake ? SQLITE_OK : refuse("it is empty, and " + described);
  }
  for (const auto &probe : kProbes) {
    if (probe.version > version)
      continue;
    Statement query(database, probe.query);
    if (query.isGood())
      continue;
    if (sqlite3_errcode(database) != SQLITE_ERROR)
      return fail(query, SQLITE_ERROR);
    return refuse(query.getProblem() + ", and " + described);
  }
  return SQLITE_OK;
}

int Experience::lookAtTables(int &version, bool mayMake, std::string &error) {
  // Version and tables of one moment, also while another process makes them.
  if (!execute("BEGIN", error))
    return sqlite3_errcode(database);
  int result = checkTables(version, mayMake, error);
  std::string ignored;
  execute("ROLLBACK", ignored);
  return result;
}

/// Brings the tables up to our version. Two processes may find an empty file:
/// the first one makes them.
bool Experience::makeTables(std::string &error) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::seconds(kWriteWaitSeconds);
  int version = 0;
  // The change to WAL does not wait for others by itself. What is not ours is
  // not changed.
  sqlite3_busy_timeout(database, 100);
  for (;;) {
    int result = lookAtTables(version, /*mayMake=*/true, error);
    if (result == SQLITE_OK && execute("PRAGMA journal_mode = WAL", error))
      break;
    if (result == SQLITE_OK)
      result = sqlite3_errcode(database);
    if (result != SQLITE_BUSY || Clock::now() > end)
      return false;
    usleep(100000);
  }
  sqlite3_busy_timeout(database, 1000 * kWriteWaitSeconds);
  if (!execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE", error))
    return false;
  bool good = checkTables(version, /*mayMake=*/true, error) == SQLITE_OK;
  for (int from = version; good && from < kExperienceVersion; ++from)
    good = execute(kSteps[from], error);
  if (good && version < kExperienceVersion)
    good = execute(
        "PRAGMA user_version = " + std::to_string(kExperienceVersion), error);
  if (good)
    return execute("COMMIT", error);
  std::string ignored;
  execute("ROLLBACK", ignored);
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
  if (isOtherThing(path))
    error = "it is no regular file; accepted is an experience store";
  else if (std::string reason = findUnwritable(path); !reason.empty())
    error = "the experience store cannot be written: " + reason;
  else if (store->connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                          error) &&
           store->makeTables(error))
    return store;
  error = "'" + path + "': " + error;
  return nullptr;
}

std::unique_ptr<Experience> Experience::openExisting(const std::string &path,
                                                     std::string &error) {
  std::error_code code;
  if (isDenied(path, R_OK)) {
    error = "'" + path +
            "': the experience store cannot be read: this user may not read "
            "it; accepted is a store that can be read";
    return nullptr;
  }
  if (!std::filesystem::exists(path, code)) {
    error = "there is no experience store '" + path + "'";
    return nullptr;
  }
  if (isOtherThing(path)) {
    error = "'" + path +
            "': it is no regular file; accepted is an experience store";
    return nullptr;
  }
  std::unique_ptr<Experience> store(new Experience);
  auto openAs = [&](const std::string &name, int flags) {
    int version = 0;
    if (!store->connect(name, flags, error) ||
        sqlite3_busy_timeout(store->database, 1000 * kReadWaitSeconds) ||
        !store->execute("PRAGMA query_only = ON", error))
      return sqlite3_errcode(store->database);
    return store->lookAtTables(version, /*mayMake=*/false, error);
  };
  // SQLite opens what this user may not write to be read. Who may write takes
  // the log away again.
  int result = openAs(path, SQLITE_OPEN_READWRITE);
  if (result == SQLITE_CANTOPEN || result == SQLITE_READONLY) {
    // Reading makes a log beside the file. Where none can be made the file is
    // read alone, if it is the whole store.
    std::string log = path + "-wal";
    if (std::filesystem::file_size(log, code) && !code)
      error = "'" + log +
              "' holds records that its writer, which was killed, did not "
              "bring into the store; any command of a user who may write '" +
              path + "' does it";
    else
      result = openAs(makeUri(path) + "?immutable=1",
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
  if (result == SQLITE_OK)
    return store;
  error = "'" + path + "': " + error;
  return nullptr;
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
