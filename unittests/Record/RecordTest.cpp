//===- RecordTest.cpp - records as JSON -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Record/Record.h"
#include "KernelZero/Record/Protocol.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace kernelzero;

static Record makeRecord() {
  Record record;
  record.taskKey = "0123456789abcdef";
  record.schedule = "line\n\"quoted\"";
  record.knobs = {{"tile_m", 8}, {"tile_n", 32}};
  record.verdict = Verdict::TimedOut;
  record.failedTier = 0;
  record.sentences = {"one", "two"};
  record.samples = {0.1, 0.2};
  record.evidence.code = "abc";
  record.rooflineSeconds = 1e-6;
  record.modelSeconds = 2e-6;
  record.resources.registers = 168;
  record.resources.occupancy = 0.5;
  record.tiers = {{1, "passed", ""}, {2, "failed", "too large"}};
  record.peers = {{"cuBLAS", 1e-3, 1.01}};
  record.judgedOn = "exact guard";
  return record;
}

TEST(RecordTest, RoundTrip) {
  Record back;
  std::string error;
  ASSERT_TRUE(fromJson(toJson(makeRecord()), back, error)) << error;
  EXPECT_EQ(toJson(back), toJson(makeRecord()));
  EXPECT_EQ(back.verdict, Verdict::TimedOut);
  EXPECT_EQ(back.knobs.at("tile_n"), 32);
  EXPECT_EQ(back.resources.registers, 168);
  EXPECT_EQ(back.tiers.at(1).note, "too large");
  EXPECT_EQ(back.peers.at(0).name, "cuBLAS");
  EXPECT_EQ(back.judgedOn, "exact guard");
}

TEST(RecordTest, RefusesLaterSchema) {
  Record back;
  std::string error;
  EXPECT_FALSE(fromJson("{\"schema\": 99}", back, error));
  EXPECT_EQ(error, "record has schema 99; accepted are 1 to 1");
}

TEST(RecordTest, RefusesWhatIsNoRecord) {
  Record back;
  std::string error;
  EXPECT_FALSE(fromJson("[", back, error));
  EXPECT_EQ(error.rfind("not a record: ", 0), 0u);
  EXPECT_FALSE(fromJson("{\"schema\": 1, \"verdict\": \"nice\"}", back, error));
  EXPECT_NE(error.find("'nice' is not a verdict"), std::string::npos);
}

TEST(RecordTest, BytesThatAreNoText) {
  Record record = makeRecord();
  record.sentences = {"\xff"};
  Record back;
  std::string error;
  EXPECT_TRUE(fromJson(toJson(record), back, error)) << error;
}

TEST(RecordTest, EveryVerdictHasItsWord) {
  for (int i = 0; i <= int(Verdict::TimedOut); ++i) {
    Verdict back;
    ASSERT_TRUE(parseVerdict(getWord(Verdict(i)), back));
    EXPECT_EQ(int(back), i);
  }
  Verdict back;
  EXPECT_FALSE(parseVerdict("fast", back));
}

TEST(ProtocolTest, RoundTripIsOneLine) {
  WorkerRequest request;
  request.type = "judge";
  request.candidates = {{"id", "a\nb", "draw", {{"tile_m", 8}}}};
  request.target = "#kz.target<\"x\" from \"sm_80\">";
  request.task.text = "c\nd";
  std::string line = toLine(request);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  WorkerRequest back;
  std::string error;
  ASSERT_TRUE(fromLine(line, back, error)) << error;
  ASSERT_EQ(back.candidates.size(), 1u);
  EXPECT_EQ(back.candidates[0].schedule, "a\nb");
  EXPECT_EQ(back.candidates[0].knobs.at("tile_m"), 8);
  EXPECT_EQ(back.target, request.target);
}

TEST(ProtocolTest, RefusesAnotherVersion) {
  WorkerReply reply;
  std::string error;
  EXPECT_FALSE(
      fromLine("{\"protocol\": 1, \"type\": \"hello\"}", reply, error));
  EXPECT_EQ(error, "protocol 1 is not spoken; accepted is 2");
}

TEST(WriteFileTest, LeavesNothingHalfWritten) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(testing::TempDir()) / "kz-write-test";
  fs::remove_all(folder);
  std::string path = (folder / "deep" / "file").string();
  EXPECT_EQ(writeFileAtomically(path, "text"), "");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "text");
  // A folder in the way of the file.
  fs::create_directories(folder / "taken" / "x");
  EXPECT_NE(writeFileAtomically((folder / "taken").string(), "text"), "");
  int files = 0;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
  fs::remove_all(folder);
}
