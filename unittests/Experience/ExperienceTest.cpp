//===- ExperienceTest.cpp - the store of records --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Experience/Experience.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sqlite3.h>
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

  fs::path folder;
  std::string path, error;
};

TEST_F(ExperienceTest, KeepsRecordsInOrder) {
  {
    auto store = Experience::open(path, error);
    ASSERT_TRUE(store) << error;
    ASSERT_TRUE(store->beginRun("m.onnx", "host", 7, "LLVM", error)) << error;
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
  ASSERT_TRUE(store->beginRun("m.onnx", "host", 0, "LLVM", error));
  pid_t child = fork();
  if (child == 0) {
    std::string reason;
    auto own = Experience::open(path, reason);
    own->beginRun("m.onnx", "host", 0, "LLVM", reason);
    for (int i = 0;; ++i)
      own->addRecord(makeRecord("t", std::to_string(i)), reason);
  }
  usleep(200000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(store->addRecord(makeRecord("t", "after"), error)) << error;
  std::vector<Record> records;
  ASSERT_TRUE(store->listRecords("t", "host", records, error)) << error;
  EXPECT_GT(records.size(), 1u);
}

TEST_F(ExperienceTest, RefusesLaterTables) {
  Experience::open(path, error).reset();
  sqlite3 *database;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database, "PRAGMA user_version = 9", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_FALSE(Experience::open(path, error));
  EXPECT_EQ(error,
            "'" + path + "': the tables have version 9; accepted are 1 to 1");
}

TEST_F(ExperienceTest, RefusesWhatIsNoDatabase) {
  fs::create_directories(folder);
  std::ofstream(path)
      << "this is a text, and long enough to be no header of a database at all";
  EXPECT_FALSE(Experience::open(path, error));
  EXPECT_NE(error.find("file is not a database"), std::string::npos) << error;
}
