//===- WinnersTest.cpp - the schedule library as text ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Winners/Winners.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"

#include <fstream>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace kernelzero;

namespace {
class WinnersTest : public testing::Test {
protected:
  WinnersTest() {
    DialectRegistry registry;
    registerScheduleDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    llvm::SmallString<128> path;
    (void)llvm::sys::fs::createUniqueDirectory("kz-winners", path);
    store = path.str().str();
  }
  ~WinnersTest() override { (void)llvm::sys::fs::remove_directories(store); }

  Winner makeWinner(const std::string &date) {
    Winner winner;
    winner.taskKey = "0123456789abcdef";
    winner.taskName = "matmul_nn_4x8x8_f32";
    winner.opClass = "matmul";
    winner.target = "host";
    winner.origin = "draw";
    winner.verdict = Verdict::Faster;
    winner.baselineSeconds = 2e-3;
    winner.seconds = 1e-3;
    winner.speedup = 2;
    winner.knobs = {{"tile_m", 4}, {"packing", 0}};
    winner.evidence = {"host: a processor", "LLVM", "normal(0, 1)", date,
                       "c0de"};
    winner.schedule = R"(
      module attributes {transform.with_named_sequence} {
        transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
          %mm = transform.kz.body %t
          %m, %grid = transform.kz.tile_grid %mm tile [4, 0]
          transform.yield
        }
      })";
    return winner;
  }

  void write(const std::string &path, const std::string &text) {
    std::ofstream(path) << text;
  }

  MLIRContext context;
  std::string store, error;
};
} // namespace

TEST_F(WinnersTest, RoundTrip) {
  std::string path =
      writeWinner(&context, store, makeWinner("2026-01-01T00:00:00Z"), error);
  ASSERT_EQ(path, store + "/host/matmul/matmul_nn_4x8x8_f32_01234567.mlir")
      << error;
  std::optional<Winner> back = readWinner(&context, path, error);
  ASSERT_TRUE(back) << error;
  EXPECT_EQ(back->taskKey, "0123456789abcdef");
  EXPECT_EQ(back->verdict, Verdict::Faster);
  EXPECT_EQ(back->speedup, 2);
  EXPECT_EQ(back->evidence.code, "c0de");
  EXPECT_EQ(back->knobs, makeWinner("").knobs);
  EXPECT_NE(back->schedule.find("transform.kz.tile_grid"), std::string::npos);
  EXPECT_EQ(back->schedule.find("kz.guard"), std::string::npos);
  // What is written once more is the same text.
  EXPECT_EQ(printWinner(&context, *back, error),
            printWinner(&context, makeWinner("2026-01-01T00:00:00Z"), error));
}

TEST_F(WinnersTest, FindsByTaskAndTargetTheNewest) {
  std::string old =
      printWinner(&context, makeWinner("2026-01-01T00:00:00Z"), error);
  std::string recent =
      printWinner(&context, makeWinner("2026-02-01T00:00:00Z"), error);
  write(store + "/a.mlir", recent);
  write(store + "/b.mlir", old);
  write(store + "/experience.db", "not read");
  auto library = WinnerLibrary::load(&context, store, error);
  ASSERT_TRUE(library) << error;
  std::string reason;
  const Winner *winner = library->find("0123456789abcdef", "host", reason);
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->path, store + "/a.mlir");
  EXPECT_FALSE(library->find("0123456789abcdef", "sm_80", reason));
  EXPECT_EQ(reason, "the library has it for target host, not for sm_80");
  EXPECT_FALSE(library->find("ff", "host", reason));
  EXPECT_EQ(reason, "none of the library's 2 entries is for task ff");
}

TEST_F(WinnersTest, WhatIfRowsOfOneNameAreToldApart) {
  auto spell = [](int count) {
    return "#kz.target<\"twin\" from \"sm_80\" {multiprocessors = " +
           std::to_string(count) + " : i64}>";
  };
  for (int count : {10, 20}) {
    Winner winner = makeWinner("2026-01-01T00:00:00Z");
    winner.target = spell(count);
    // After the name and the text.
    std::string path = getWinnerPath(winner);
    EXPECT_EQ(path, "twin-" + hashText(spell(count)).substr(0, 8) +
                        "/matmul/matmul_nn_4x8x8_f32_01234567.mlir");
    EXPECT_EQ(writeWinner(&context, store, winner, error), store + "/" + path)
        << error;
  }
  auto library = WinnerLibrary::load(&context, store, error);
  ASSERT_TRUE(library) << error;
  EXPECT_EQ(library->getWinners().size(), 2u);
  std::string reason;
  for (int count : {10, 20}) {
    const Winner *found =
        library->find("0123456789abcdef", spell(count), reason);
    ASSERT_TRUE(found) << reason;
    EXPECT_EQ(found->target, spell(count));
  }
  EXPECT_FALSE(library->find("0123456789abcdef", spell(30), reason));
  EXPECT_EQ(reason, "the library has it for target twin with other facts, not "
                    "for this one");
  EXPECT_FALSE(library->find("0123456789abcdef", "sm_80", reason));
  EXPECT_EQ(reason, "the library has it for target twin, not for sm_80");
}

TEST_F(WinnersTest, TheFirstLibraryCountsThenTheNewestEntry) {
  auto load = [&](const char *name, const char *older, const char *newer) {
    std::string folder = store + "/" + name;
    (void)llvm::sys::fs::create_directory(folder);
    write(folder + "/a.mlir", printWinner(&context, makeWinner(newer), error));
    write(folder + "/b.mlir", printWinner(&context, makeWinner(older), error));
    return WinnerLibrary::load(&context, folder, error);
  };
  auto own = load("own", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z");
  auto shipped =
      load("shipped", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z");
  ASSERT_TRUE(own && shipped) << error;
  std::string reason;
  WinnerLibrary all;
  EXPECT_FALSE(all.find("0123456789abcdef", "host", reason));
  all.append(*own);
  all.append(*shipped);
  const Winner *winner = all.find("0123456789abcdef", "host", reason);
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->path, store + "/own/a.mlir");
  WinnerLibrary turned;
  turned.append(*shipped);
  turned.append(*own);
  winner = turned.find("0123456789abcdef", "host", reason);
  ASSERT_TRUE(winner);
  EXPECT_EQ(winner->path, store + "/shipped/a.mlir");
}

TEST_F(WinnersTest, RefusesWhatIsNoWinner) {
  EXPECT_FALSE(WinnerLibrary::load(&context, store + "/none", error));
  EXPECT_EQ(error,
            "library '" + store + "/none' is neither a folder nor a file");
  std::string path = store + "/x.mlir";
  auto refuses = [&](const std::string &text, const std::string &reason) {
    write(path, text);
    EXPECT_FALSE(WinnerLibrary::load(&context, store, error));
    EXPECT_EQ(error, "'" + path + "' is no winner: " + reason);
  };
  refuses("module {}",
          "it lacks kz.lang, the version of the schedule language");
  refuses("module attributes {kz.lang = #kz.lang<7>} {}",
          "line 1: language version 7 is not known; accepted are 1 to 1");
  refuses("module attributes {kz.lang = #kz.lang<1>} {}",
          "its kz.guard names no task or no target");
  std::string good = printWinner(&context, makeWinner(""), error);
  std::string wrong = good;
  wrong.replace(wrong.find("verdict = \"faster\""), 18, "verdict = \"wrong\"");
  refuses(wrong,
          "its verdict is 'wrong'; a winner is faster, same or modelled");
  write(path, good.substr(0, good.size() / 2));
  EXPECT_FALSE(WinnerLibrary::load(&context, store, error));
}

TEST_F(WinnersTest, ReadsEveryFolderOnce) {
  std::string path = writeWinner(&context, store, makeWinner("1"), error);
  ASSERT_NE(path, "") << error;
  // Links to the folder itself, to one above, to one that is read anyway, to
  // one elsewhere, and to nothing.
  std::string other = store + "-other";
  std::string far = writeWinner(&context, other, makeWinner("2"), error);
  ASSERT_NE(far, "") << error;
  ASSERT_EQ(symlink(".", (store + "/self").c_str()), 0);
  ASSERT_EQ(symlink("../..", (store + "/host/matmul/up").c_str()), 0);
  ASSERT_EQ(symlink("host", (store + "/alias").c_str()), 0);
  ASSERT_EQ(symlink(other.c_str(), (store + "/far").c_str()), 0);
  ASSERT_EQ(symlink("nothing", (store + "/nowhere").c_str()), 0);
  ASSERT_EQ(symlink("round", (store + "/round").c_str()), 0);
  EXPECT_EQ(listWinnerFiles(store, error),
            (std::vector<std::string>{store + "/far" + far.substr(other.size()),
                                      path}))
      << error;
  auto library = WinnerLibrary::load(&context, store, error);
  ASSERT_TRUE(library) << error;
  EXPECT_EQ(library->getWinners().size(), 2u);
  (void)llvm::sys::fs::remove_directories(other);
}

TEST_F(WinnersTest, NamesAFolderThatItMayNotRead) {
  namespace fs = llvm::sys::fs;
  ASSERT_NE(writeWinner(&context, store, makeWinner("1"), error), "") << error;
  // What a process finds that may not read all files, also where it is root's.
  auto ask = [&] {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      std::string text = "not tried";
      __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
      __user_cap_data_struct none[2] = {};
      if (!syscall(SYS_capset, &header, none)) {
        auto files = listWinnerFiles(store, text);
        text += std::to_string(files.size());
      }
      _exit(::write(ends[1], text.data(), text.size()) < 0);
    }
    close(ends[1]);
    char buffer[1024];
    ssize_t got = read(ends[0], buffer, sizeof buffer);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return std::string(buffer, std::max<ssize_t>(got, 0));
  };
  auto set = [](const std::string &path, int mode) {
    (void)fs::setPermissions(path, fs::perms(mode));
  };
  std::string folder = store + "/host/matmul";
  set(store, 0755);
  EXPECT_EQ(ask(), "1");
  // One that cannot be listed, and one whose entries cannot be looked at.
  for (int mode : {0000, 0444}) {
    set(folder, mode);
    EXPECT_EQ(ask(), "library folder '" + folder +
                         "' cannot be read: Permission denied0");
  }
  set(folder, 0755);
  set(store, 0000);
  EXPECT_EQ(ask(), "library folder '" + store +
                       "' cannot be read: Permission denied0");
  set(store, 0755);
  // The link is what lies in the library.
  std::string other = store + "-other", link = store + "/link";
  ASSERT_FALSE(fs::create_directories(other + "/x"));
  ASSERT_EQ(symlink((other + "/x").c_str(), link.c_str()), 0);
  set(other, 0000);
  EXPECT_EQ(ask(),
            "library folder '" + link + "' cannot be read: Permission denied0");
  set(other, 0755);
  (void)fs::remove_directories(other);
}

TEST_F(WinnersTest, WritesNothingForABadSchedule) {
  Winner winner = makeWinner("");
  winner.schedule = "module {}";
  EXPECT_EQ(writeWinner(&context, store, winner, error), "");
  EXPECT_EQ(error, "the schedule is not one transform.named_sequence");
  EXPECT_FALSE(llvm::sys::fs::exists(store + "/host"));
}
