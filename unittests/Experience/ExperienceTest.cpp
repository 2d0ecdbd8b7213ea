//===- ExperienceTest.cpp - the store of records --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Experience/Experience.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sqlite3.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelzero;
namespace fs = std::filesystem;

class ExperienceTest : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             ("kz-experience-" + std::to_string(getpid()));
    fs::remove_all(folder);
    path = (folder / "experience.db").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  static Record makeRecord(const std::string &task, const std::string &id) {
    Record record;
    record.taskKey = task;
    record.target = "host";
    record.id = id;
    record.schedule = "text of " + id;
    record.verdict = Verdict::Crashed;
    return record;
  }

  static RunInfo makeRun(uint64_t seed) {
    RunInfo run;
    run.model = "m.onnx";
    run.target = run.device = "host";
    run.seed = seed;
    run.toolchain = "LLVM";
    return run;
  }

  /// Runs `body` in a process of its own, to its end or until it is killed.
  template <typename Body> static pid_t inProcess(Body body) {
    pid_t child = fork();
    if (child == 0) {
      body();
      _exit(0);
    }
    return child;
  }

  /// What `body` says in a process that may not write files of mode a-w: root
  /// without the capability to do it. Another user could not even enter the
  /// folder that lit makes for temporary files.
  static std::string askUnprivileged(const std::function<std::string()> &body) {
    int ends[2];
    if (pipe(ends))
      return "no pipe";
    pid_t child = inProcess([&] {
      __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
      __user_cap_data_struct none[2] = {};
      if (syscall(SYS_capset, &header, none))
        _exit(1);
      std::string answer = body();
      if (write(ends[1], answer.data(), answer.size()) < 0)
        _exit(1);
    });
    close(ends[1]);
    std::string answer;
    char buffer[4096];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
      answer.append(buffer, got);
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0 ? answer : "the process failed";
  }

  /// How many records a reader finds; what is wrong where it cannot read.
  std::string countRecords() {
    std::string reason;
    auto own = Experience::openExisting(path, reason);
    std::vector<Record> records;
    return own && own->listRecords("t", "host", records, reason)
               ? std::to_string(records.size())
               : reason;
  }

  /// What is wrong with the store for one who writes.
  std::string tryWriting() {
    std::string reason;
    return Experience::open(path, reason) ? "" : reason;
  }

  void makeStore(const char *id) {
    auto store = Experience::open(path, error);
    ASSERT_TRUE(store) << error;
    ASSERT_TRUE(store->beginRun(makeRun(0), error)) << error;
    ASSERT_TRUE(store->addRecord(makeRecord("t", id), error)) << error;
  }

  void setWritable(bool writable) {
    for (const std::string &file : {path, folder.string()})
      fs::permissions(file, fs::perms::owner_write,
                      writable ? fs::perm_options::add
                               : fs::perm_options::remove);
  }

  void execute(const char *sql) {
    fs::create_directories(folder);
    sqlite3 *database;
    sqlite3_open(path.c_str(), &database);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  std::string readFile() {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  fs::path folder;
  std::string path, error;
};

TEST_F(ExperienceTest, KeepsRecordsInOrder) {
  {
    auto store = Experience::open(path, error);
    ASSERT_TRUE(store) << error;
    ASSERT_TRUE(store->beginRun(makeRun(7), error)) << error;
    for (const char *id : {"b", "a", "b"})
      ASSERT_TRUE(store->addRecord(makeRecord("t", id), error)) << error;
    ASSERT_TRUE(store->addRecord(makeRecord("other", "c"), error)) << error;
  }
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  std::vector<Record> records;
  ASSERT_TRUE(store->listRecords("t", "host", records, error)) << error;
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].id, "b");
  EXPECT_EQ(records[1].id, "a");
  EXPECT_EQ(records[1].verdict, Verdict::Crashed);
  records.clear();
  ASSERT_TRUE(store->listRecords("", "", records, error));
  EXPECT_EQ(records.size(), 4u);
  records.clear();
  ASSERT_TRUE(store->listRecords("t", "sm_80", records, error));
  EXPECT_TRUE(records.empty());
}

TEST_F(ExperienceTest, SurvivesAWriterThatIsKilled) {
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  ASSERT_TRUE(store->beginRun(makeRun(0), error));
  pid_t child = fork();
  if (child == 0) {
    std::string reason;
    auto own = Experience::open(path, reason);
    own->beginRun(makeRun(0), reason);
    for (int i = 0;; ++i)
      own->addRecord(makeRecord("t", std::to_string(i)), reason);
  }
  // Killed while it writes, however late it came to that.
  std::vector<Record> before, records;
  for (int look = 0; look < 3000 && before.size() < 3; ++look) {
    usleep(10000);
    before.clear();
    ASSERT_TRUE(store->listRecords("t", "host", before, error)) << error;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_GE(before.size(), 3u);
  ASSERT_TRUE(store->addRecord(makeRecord("t", "after"), error)) << error;
  ASSERT_TRUE(store->listRecords("t", "host", records, error)) << error;
  EXPECT_GT(records.size(), before.size());
}

TEST_F(ExperienceTest, RefusesLaterTables) {
  Experience::open(path, error).reset();
  sqlite3 *database;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database, "PRAGMA user_version = 9", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_FALSE(Experience::open(path, error));
  EXPECT_EQ(error, "'" + path +
                       "': the tables have version 9; accepted is a store with "
                       "tables of versions 1 to 2");
}

TEST_F(ExperienceTest, RefusesWhatIsNoDatabase) {
  fs::create_directories(folder);
  std::ofstream(path)
      << "this is a text, and long enough to be no header of a database at all";
  EXPECT_FALSE(Experience::open(path, error));
  EXPECT_NE(error.find("file is not a database"), std::string::npos) << error;
}

TEST_F(ExperienceTest, OpensBesideOthers) {
  fs::create_directories(folder);
  std::vector<pid_t> children;
  for (int number = 0; number < 8; ++number)
    children.push_back(inProcess([&] {
      std::string reason;
      for (int i = 0; i < 5; ++i) {
        auto own = Experience::open(path, reason);
        if (!own || !own->beginRun(makeRun(number), reason) ||
            !own->addRecord(makeRecord("t", std::to_string(number)), reason))
          _exit(1);
      }
    }));
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  std::vector<Record> records;
  ASSERT_TRUE(store->listRecords("t", "host", records, error)) << error;
  EXPECT_EQ(records.size(), 40u);
}

TEST_F(ExperienceTest, ResumesWhatWasKilled) {
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = inProcess([&] {
    std::string reason;
    auto own = Experience::open(path, reason);
    own->beginRun(makeRun(1), reason);
    own->addRecord(makeRecord("t", "first"), reason);
    if (write(ready[1], "x", 1) == 1)
      pause();
  });
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  std::optional<RunInfo> found;
  // It is still running.
  ASSERT_TRUE(store->findUnfinishedRun(makeRun(1), found, error)) << error;
  EXPECT_FALSE(found);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(store->findUnfinishedRun(makeRun(2), found, error)) << error;
  EXPECT_FALSE(found) << "another seed";
  ASSERT_TRUE(store->findUnfinishedRun(makeRun(1), found, error)) << error;
  ASSERT_TRUE(found);
  std::vector<Record> records;
  ASSERT_TRUE(store->listRunRecords(found->id, records, error)) << error;
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].id, "first");
  // The first one gets it, the second one not.
  ASSERT_TRUE(store->resumeRun(*found, error)) << error;
  EXPECT_FALSE(store->resumeRun(*found, error));
  EXPECT_EQ(error, "");
  ASSERT_TRUE(store->addRecord(makeRecord("t", "second"), error)) << error;
  ASSERT_TRUE(store->endRun(error)) << error;
  records.clear();
  ASSERT_TRUE(store->listRunRecords(found->id, records, error)) << error;
  EXPECT_EQ(records.size(), 2u);
  ASSERT_TRUE(store->findUnfinishedRun(makeRun(1), found, error)) << error;
  EXPECT_FALSE(found);
}

TEST_F(ExperienceTest, BringsTablesOfTheFirstVersionUp) {
  fs::create_directories(folder);
  sqlite3 *database;
  sqlite3_open(path.c_str(), &database);
  ASSERT_EQ(
      sqlite3_exec(
          database,
          "CREATE TABLE runs (id INTEGER PRIMARY KEY, model TEXT NOT NULL, "
          "target TEXT NOT NULL, seed TEXT NOT NULL, toolchain TEXT NOT NULL, "
          "date TEXT NOT NULL);"
          "CREATE TABLE tasks (key TEXT PRIMARY KEY, name TEXT NOT NULL, class "
          "TEXT NOT NULL, flops INTEGER NOT NULL, bytes INTEGER NOT NULL, text "
          "TEXT NOT NULL);"
          "CREATE TABLE schedules (id TEXT PRIMARY KEY, text TEXT NOT NULL);"
          "CREATE TABLE records (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, "
          "task TEXT NOT NULL, target TEXT NOT NULL, device TEXT NOT NULL, "
          "schedule TEXT NOT NULL, origin TEXT NOT NULL, verdict TEXT NOT "
          "NULL, failed_tier INTEGER NOT NULL, seconds REAL NOT NULL, "
          "baseline_seconds REAL NOT NULL, speedup REAL NOT NULL, toolchain "
          "TEXT NOT NULL, date TEXT NOT NULL, json TEXT NOT NULL);"
          "INSERT INTO runs VALUES (1, 'm.onnx', 'host', '1', 'LLVM', 'd');"
          "INSERT INTO tasks VALUES ('t', 'name', 'matmul', 6, 4, 'text');"
          "PRAGMA user_version = 1",
          nullptr, nullptr, nullptr),
      SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  std::string before = readFile();
  auto reader = Experience::openExisting(path, error);
  ASSERT_TRUE(reader) << error;
  std::vector<Record> records;
  EXPECT_TRUE(reader->listRecords("", "", records, error)) << error;
  reader.reset();
  EXPECT_EQ(readFile(), before) << "reading changes nothing";
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  std::optional<RunInfo> found;
  ASSERT_TRUE(store->findUnfinishedRun(makeRun(1), found, error)) << error;
  EXPECT_FALSE(found) << "a run of before cannot be resumed";
  std::optional<TaskInfo> task;
  ASSERT_TRUE(store->findTask("t", task, error)) << error;
  ASSERT_TRUE(task);
  EXPECT_EQ(task->name, "name");
  EXPECT_EQ(task->flops, 6);
  ASSERT_TRUE(store->findTask("u", task, error)) << error;
  EXPECT_FALSE(task);
}

TEST_F(ExperienceTest, SaysInASentenceWhatIsDamaged) {
  {
    auto store = Experience::open(path, error);
    ASSERT_TRUE(store) << error;
    ASSERT_TRUE(store->beginRun(makeRun(0), error));
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(store->addRecord(makeRecord("t", std::to_string(i)), error));
  }
  // The head is right, the pages behind it are not.
  auto size = fs::file_size(path);
  ASSERT_GT(size, 16384u);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    for (size_t i = 4096; i < size; ++i)
      file.put(char(0xa5));
  }
  std::vector<Record> records;
  auto store = Experience::open(path, error);
  ASSERT_TRUE(!store || !store->listRecords("", "", records, error));
  EXPECT_NE(error.find("malformed"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST_F(ExperienceTest, MakesNoStoreToReadOne) {
  EXPECT_FALSE(Experience::openExisting(path, error));
  EXPECT_EQ(error, "there is no experience store '" + path + "'");
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ExperienceTest, ReadersGiveUpOnALockWritersWait) {
  makeStore("first");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t holder = inProcess([&] {
    sqlite3 *database;
    sqlite3_open(path.c_str(), &database);
    if (sqlite3_exec(database,
                     "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
                     nullptr, nullptr, nullptr) == SQLITE_OK &&
        write(ready[1], "x", 1) == 1)
      sleep(13);
  });
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  pid_t writer = inProcess([&] {
    std::string reason;
    auto own = Experience::open(path, reason);
    if (!own || !own->beginRun(makeRun(1), reason) ||
        !own->addRecord(makeRecord("t", "second"), reason))
      _exit(1);
  });
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(Experience::openExisting(path, error));
  auto waited = std::chrono::steady_clock::now() - start;
  EXPECT_GT(waited, std::chrono::seconds(9));
  EXPECT_LT(waited, std::chrono::seconds(12));
  EXPECT_EQ(error, "'" + path +
                       "': the experience store cannot be read: another "
                       "process keeps it locked; try again when that process "
                       "has ended (fuser '" +
                       path + "' names it)");
  for (pid_t child : {holder, writer}) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  auto store = Experience::openExisting(path, error);
  ASSERT_TRUE(store) << error;
  std::vector<Record> records;
  ASSERT_TRUE(store->listRecords("t", "host", records, error)) << error;
  EXPECT_EQ(records.size(), 2u);
}

TEST_F(ExperienceTest, ReadsWhatMayNotBeWritten) {
  // Such characters mean something in the name of a database.
  folder /= "50%20?a=b#c";
  path = (folder / "experience.db").string();
  makeStore("first");
  setWritable(false);
  auto count = [&] { return countRecords(); };
  auto write = [&] { return tryWriting(); };
  std::string denied = "'" + path +
                       "': the experience store cannot be written: this user "
                       "may not write '";
  std::string accepted = "'; accepted is a store that can be written";
  EXPECT_EQ(askUnprivileged(count), "1");
  EXPECT_EQ(askUnprivileged(write), denied + path + accepted);
  // The file may be written, its folder not, so there is no log.
  fs::permissions(path, fs::perms(0666));
  EXPECT_EQ(askUnprivileged(count), "1");
  EXPECT_EQ(askUnprivileged(write), denied + folder.string() + accepted);
  fs::permissions(path, fs::perms::none);
  EXPECT_EQ(askUnprivileged(count),
            "'" + path +
                "': the experience store cannot be read: this user may not "
                "read it; accepted is a store that can be read");
  setWritable(true);
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  EXPECT_EQ(names, std::vector<std::string>{"experience.db"});
}

TEST_F(ExperienceTest, MissesNoRecordsOfALogThatItMayNotRead) {
  makeStore("first");
  // A process that is killed leaves its log.
  pid_t writer = inProcess([&] {
    auto own = Experience::open(path, error);
    own->beginRun(makeRun(1), error);
    own->addRecord(makeRecord("t", "second"), error);
    kill(getpid(), SIGKILL);
  });
  waitpid(writer, nullptr, 0);
  ASSERT_GT(fs::file_size(path + "-wal"), 0u);
  setWritable(false);
  auto count = [&] { return countRecords(); };
  // With the index beside it SQLite reads the log.
  EXPECT_EQ(askUnprivileged(count), "2");
  setWritable(true);
  fs::remove(path + "-shm");
  setWritable(false);
  EXPECT_EQ(askUnprivileged(count),
            "'" + path + "': '" + path +
                "-wal' holds records that its writer, which was killed, did "
                "not bring into the store; any command of a user who may write "
                "'" +
                path + "' does it");
  setWritable(true);
  EXPECT_EQ(countRecords(), "2");
}

TEST_F(ExperienceTest, ReadingMakesNoTables) {
  fs::create_directories(folder);
  std::ofstream(path).close();
  EXPECT_FALSE(Experience::openExisting(path, error));
  EXPECT_EQ(error, "'" + path +
                       "': it is no experience store: it is empty, and the "
                       "tables have version 0; accepted is a store with tables "
                       "of versions 1 to 2");
  EXPECT_EQ(fs::file_size(path), 0u);
  // A tuner may begin with it.
  EXPECT_TRUE(Experience::open(path, error)) << error;
}

TEST_F(ExperienceTest, LeavesDatabasesOfOthersAlone) {
  auto refuses = [&](const std::string &why) {
    std::string before = readFile();
    std::string sentence =
        "'" + path + "': it is no experience store: " + why +
        "; accepted is a store with tables of versions 1 to 2";
    EXPECT_FALSE(Experience::openExisting(path, error));
    EXPECT_EQ(error, sentence);
    EXPECT_FALSE(Experience::open(path, error));
    EXPECT_EQ(error, sentence);
    EXPECT_EQ(readFile(), before);
  };
  execute("CREATE TABLE cats (name TEXT)");
  refuses("it holds 'cats', and the tables have version 0");
  execute("DROP TABLE cats; CREATE TABLE runs (id INTEGER)");
  refuses("it holds 'runs', and the tables have version 0");
  execute("PRAGMA user_version = 1");
  refuses("no such column: model, and the tables have version 1");
  fs::remove(path);
  makeStore("first");
  execute("DROP TABLE tasks");
  refuses("no such table: tasks, and the tables have version 2");
}

TEST_F(ExperienceTest, SaysInASentenceWhatIsGoneMeanwhile) {
  auto store = Experience::open(path, error);
  ASSERT_TRUE(store) << error;
  execute("DROP TABLE tasks");
  EXPECT_FALSE(store->addTask(TaskInfo(), error));
  EXPECT_EQ(error, "the experience store cannot be written: no such table: "
                   "tasks");
}

TEST_F(ExperienceTest, RefusesWhatIsNoFile) {
  fs::create_directories(path);
  std::string sentence =
      "'" + path + "': it is no regular file; accepted is an experience store";
  EXPECT_FALSE(Experience::open(path, error));
  EXPECT_EQ(error, sentence);
  EXPECT_FALSE(Experience::openExisting(path, error));
  EXPECT_EQ(error, sentence);
}
