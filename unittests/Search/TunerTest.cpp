//===- TunerTest.cpp - whole runs against a worker of known times ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SearchFixture.h"

#include "KernelZero/Search/Tuner.h"
#include "KernelZero/Transforms/ExtractTasks.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace mlir;
using namespace kernelzero;

namespace {
class TunerTest : public SearchFixture {
protected:
  TunerTest() {
    std::string name =
        testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = std::filesystem::path(testing::TempDir()) / ("kz-" + name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (int64_t size : {64, 256}) {
      fill(task, "host", size);
      tasks.push_back(describeTask(task.getFunction()));
    }
    options.model = "model.onnx";
    options.target = findTarget("host");
    options.trials = 40;
    options.progress = [&](const std::string &line) { lines.push_back(line); };
    options.onProgress = [&](const TuneProgress &now) { last = now; };
    useStore("store");
  }
  ~TunerTest() override { std::filesystem::remove_all(folder); }

  void useStore(const std::string &name) {
    options.store = folder / name;
    log = folder / (name + ".log");
    options.worker = {"python3", KZ_FAKE_WORKER, log, getToolchain()};
  }
  TuneOutcome run() {
    lines.clear();
    std::string error;
    auto experience = Experience::open(options.store + "/experience.db", error);
    EXPECT_TRUE(experience) << error;
    return tuneTasks(context, tasks, options, *experience, interrupted);
  }
  /// What the worker was asked: `TASK ROUNDS ID`.
  std::vector<std::string> readLog() {
    std::ifstream file(log);
    std::vector<std::string> asked;
    for (std::string line; std::getline(file, line);)
      asked.push_back(line);
    return asked;
  }
  bool said(const std::string &text) {
    return llvm::any_of(lines, [&](const std::string &line) {
      return line.find(text) != std::string::npos;
    });
  }

  std::filesystem::path folder, log;
  std::vector<TaskInfo> tasks;
  TuneOptions options;
  std::atomic<bool> interrupted{false};
  std::vector<std::string> lines;
  TuneProgress last;
};
} // namespace

TEST_F(TunerTest, SameTimesSameRun) {
  TuneOutcome first = run();
  std::vector<std::string> asked = readLog();
  EXPECT_EQ(first.trouble, "");
  EXPECT_EQ(first.results.front().verdict, Verdict::Faster);
  EXPECT_EQ(first.results[0].trials + first.results[1].trials, 40);
  EXPECT_EQ(last.trials, 40);
  EXPECT_EQ(last.totalTrials, 40);
  EXPECT_GT(last.modelSpeedup, 1);
  useStore("again");
  run();
  EXPECT_EQ(asked, readLog());
  // What runs side by side comes back in another order, and changes nothing.
  useStore("jobs");
  options.jobs = 4;
  run();
  std::vector<std::string> parallel = readLog();
  llvm::sort(parallel);
  llvm::sort(asked);
  EXPECT_EQ(asked, parallel);
  useStore("seed");
  options.seed = 1;
  run();
  std::vector<std::string> other = readLog();
  llvm::sort(other);
  EXPECT_NE(asked, other);
}

TEST_F(TunerTest, ModelledRunsAreDeterministicToo) {
  options.device = "";
  auto tune = [&](const std::string &store, int jobs) {
    useStore(store);
    options.worker.push_back("modelled");
    options.jobs = jobs;
    TuneOutcome outcome = run();
    EXPECT_EQ(outcome.results.front().verdict, Verdict::Modelled);
    EXPECT_GT(outcome.results.front().speedup, 1);
    EXPECT_TRUE(said("x modelled"));
    // Nothing is confirmed where nothing is measured.
    EXPECT_FALSE(said("measured again"));
    std::vector<std::string> asked = readLog();
    llvm::sort(asked);
    return asked;
  };
  std::vector<std::string> first = tune("a", 1);
  EXPECT_EQ(first.size(), 40u);
  EXPECT_EQ(first, tune("b", 3));
}

TEST_F(TunerTest, ResumesWhatWasInterrupted) {
  options.onProgress = [&](const TuneProgress &now) {
    last = now;
    if (now.trials >= 15)
      interrupted = true;
  };
  EXPECT_TRUE(run().interrupted);
  int64_t done = last.trials;
  ASSERT_LT(done, 30);
  std::vector<std::string> before = readLog();
  interrupted = false;
  options.onProgress = [&](const TuneProgress &now) { last = now; };
  TuneOutcome outcome = run();
  EXPECT_TRUE(said("resuming run 1: " + std::to_string(done) +
                   " of 40 trials are known"))
      << lines[0];
  EXPECT_FALSE(said("known from earlier runs"));
  EXPECT_EQ(outcome.results[0].trials + outcome.results[1].trials, 40);
  EXPECT_EQ(last.trials, 40);
  // No candidate is searched twice; one that was in the worker's hands when it
  // was stopped has no record and is no exception.
  std::vector<std::string> asked = readLog();
  std::set<std::string> known(before.begin(), before.begin() + done);
  for (size_t i = before.size(); i < asked.size(); ++i)
    EXPECT_FALSE(known.count(asked[i])) << asked[i];
  // A run that came to its end is not resumed: another one starts.
  run();
  EXPECT_FALSE(said("resuming"));
  EXPECT_TRUE(said("records of 2 tasks known from earlier runs; 2 winners "
                   "start"));
}

TEST_F(TunerTest, OtherSettingsAreAnotherRun) {
  options.onProgress = [&](const TuneProgress &now) {
    if (now.trials >= 10)
      interrupted = true;
  };
  run();
  interrupted = false;
  options.onProgress = nullptr;
  options.trials = 30;
  run();
  EXPECT_FALSE(said("resuming"));
}

TEST_F(TunerTest, FailuresAreNotTriedAgain) {
  run();
  std::vector<std::string> failed;
  for (const std::string &line : lines)
    if (line.find("uncompilable") != std::string::npos)
      failed.push_back(line);
  ASSERT_FALSE(failed.empty());
  std::vector<std::string> first = readLog();
  options.seed = 9;
  run();
  // What failed is told by its line, without the number in front.
  for (const std::string &line : failed)
    EXPECT_FALSE(said(line.substr(line.find("]"))));
}

TEST_F(TunerTest, ASkeletonThatIsLostIsJudgedOnceMore) {
  options.worker.push_back("lose-first");
  TuneOutcome outcome = run();
  // `TASK ROUNDS ID`: the first two of a task are the skeleton, and it is what
  // the others are compared with.
  std::map<std::string, std::vector<std::string>> asked;
  for (const std::string &line : readLog())
    asked[line.substr(0, line.find(' '))].push_back(
        line.substr(line.rfind(' ') + 1));
  ASSERT_EQ(asked.size(), tasks.size());
  for (const auto &[task, ids] : asked) {
    ASSERT_GT(ids.size(), 2u);
    EXPECT_EQ(ids[0], ids[1]) << task;
  }
  EXPECT_TRUE(said("skeleton"));
  for (const TaskResult &result : outcome.results)
    EXPECT_NE(result.verdict, Verdict::Crashed);
}

TEST_F(TunerTest, WinnersOfNearTasksStart) {
  std::vector<TaskInfo> both = tasks;
  tasks = {both[0]};
  run();
  tasks = {both[1]};
  run();
  EXPECT_TRUE(said(": near "));
}

TEST_F(TunerTest, WinnersOfALibraryStartWithoutItsRecords) {
  std::vector<TaskInfo> both = tasks;
  tasks = {both[0]};
  run();
  std::filesystem::remove(options.store + "/experience.db");
  tasks = both;
  run();
  EXPECT_FALSE(said("known from earlier runs"));
  EXPECT_TRUE(said(": winner block_"));
  EXPECT_TRUE(said(": near "));
  // The winner is tried once, not a second time by its choices.
  EXPECT_FALSE(said(": known "));
}

TEST_F(TunerTest, AWinnerStandsUntilItIsRefuted) {
  auto again = [&](const char *worker) {
    useStore("store");
    options.worker.push_back(worker);
    options.trials += 4;
    return run().results.front();
  };
  TaskResult first = run().results.front();
  ASSERT_EQ(first.verdict, Verdict::Faster);
  std::string error;
  auto read = [&] { return readWinner(&context, first.winner, error); };
  std::string schedule = read()->schedule;
  // Too noisy to say anything of it.
  TaskResult noisy = again("noisy");
  EXPECT_EQ(noisy.winner, first.winner);
  EXPECT_EQ(noisy.message.find("the stored winner of "), 0u) << noisy.message;
  EXPECT_NE(noisy.message.find("with 50.0 % of noise, and is kept"),
            std::string::npos)
      << noisy.message;
  EXPECT_EQ(read()->verdict, Verdict::Faster);
  EXPECT_DOUBLE_EQ(read()->speedup, first.speedup);
  // As good as before, whatever else is as good.
  TaskResult same = again("modest");
  EXPECT_EQ(same.winner, first.winner);
  EXPECT_EQ(read()->schedule, schedule);
  // Calm, and no better than the skeleton.
  TaskResult flat = again("flat");
  EXPECT_EQ(flat.verdict, Verdict::Same);
  EXPECT_NE(flat.message.find("is 1.00x now, and is replaced"),
            std::string::npos)
      << flat.message;
  EXPECT_EQ(read()->verdict, Verdict::Same);
}

TEST_F(TunerTest, TimeIsALimitToo) {
  options.trials = 0;
  options.seconds = 2;
  auto start = std::chrono::steady_clock::now();
  TuneOutcome outcome = run();
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  EXPECT_EQ(outcome.results.front().verdict, Verdict::Faster);
  EXPECT_GT(outcome.results.front().trials, 4);
  EXPECT_LT(seconds, 20);
}

TEST_F(TunerTest, EndsWithTheSpace) {
  options.trials = 1000000;
  fill(task, "host", 1);
  tasks = {describeTask(task.getFunction())};
  TuneOutcome outcome = run();
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_LT(outcome.results.front().trials, 5000);
  EXPECT_GT(outcome.results.front().trials, 20);
}
