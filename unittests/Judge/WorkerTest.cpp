//===- WorkerTest.cpp - workers, their candidates, and their ends ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Worker.h"
#include "JudgeFixture.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {
/// A worker over pipes, in a process of its own.
class WorkerTest : public JudgeFixture {
protected:
  WorkerTest() {
    int requests[2], replies[2];
    EXPECT_EQ(pipe(requests) | pipe(replies), 0);
    process = fork();
    if (process == 0) {
      close(requests[1]);
      close(replies[0]);
      _exit(runWorker(context, requests[0], replies[1]));
    }
    close(requests[0]);
    close(replies[1]);
    to = requests[1];
    from = replies[0];
  }
  ~WorkerTest() override {
    close(to);
    close(from);
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  WorkerReply read() {
    WorkerReply reply;
    std::string line, reason;
    EXPECT_EQ(readLine(from, 60, pending, line), LineResult::Line);
    EXPECT_TRUE(fromLine(line, reply, reason)) << reason;
    return reply;
  }
  WorkerReply ask(const std::string &line) {
    EXPECT_TRUE(writeLine(to, line));
    return read();
  }
  WorkerReply prepare() {
    WorkerRequest request;
    request.type = "prepare";
    request.task = task;
    request.target = "host";
    request.device = "host";
    return ask(toLine(request));
  }
  WorkerReply judgeHere(const std::string &schedule, double limit = 60) {
    WorkerRequest request;
    request.type = "judge";
    request.candidates = {{"an id", schedule, "", {}}};
    request.limitSeconds = limit;
    request.rounds = 3;
    WorkerReply reply = ask(toLine(request));
    if (reply.type == "record")
      EXPECT_EQ(read().type, "done");
    return reply;
  }
  pid_t process;
  int to, from;
  std::string pending;
};
} // namespace

TEST_F(WorkerTest, JudgesCandidates) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerReply reply = judgeHere(kGood);
  EXPECT_EQ(reply.type, "record");
  EXPECT_EQ(reply.record.verdict, Verdict::Same);
  EXPECT_EQ(reply.record.taskKey, task.key);
  EXPECT_EQ(reply.record.id, "an id");
}

TEST_F(WorkerTest, ACandidateThatHangsCostsItself) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  // No candidate is done in no time.
  WorkerReply late = judgeHere(kGood, 1e-6);
  EXPECT_EQ(late.record.verdict, Verdict::TimedOut);
  ASSERT_FALSE(late.record.sentences.empty());
  EXPECT_NE(late.record.sentences.front().find("did not finish within"),
            std::string::npos);
  EXPECT_EQ(judgeHere(kGood).record.verdict, Verdict::Same);
}

/// The same tile sizes make the same code; another spelling is another
/// schedule.
static std::string makeTiles(int64_t rows, const std::string &comment = "") {
  return wrapSchedule("%mm, %e = transform.kz.body %t // " + comment +
                      "\n%m, %f, %grid = transform.kz.tile_grid %mm fuse(%e) "
                      "tile [" +
                      std::to_string(rows) +
                      ", 0]\n"
                      "%r, %g, %n = transform.kz.tile_loop %m fuse(%f) "
                      "parallel [4, 16] order [1, 0]\n"
                      "%r2, %k = transform.kz.tile_loop %r reduction [2]\n"
                      "transform.kz.vectorize %r2 lanes(16) "
                      "accumulate(registers)\n"
                      "transform.kz.vectorize %g lanes(16)");
}

TEST_F(WorkerTest, JudgesABatch) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerRequest request;
  request.type = "judge";
  request.baseline = kGood;
  request.rounds = 3;
  request.jobs = 2;
  request.noise = 0.5;
  request.candidates = {{"four", makeTiles(4), "draw", {{"tile_m", 4}}},
                        {"bad", "module {", "draw", {}},
                        {"twelve", makeTiles(12), "draw", {}},
                        {"too large", makeTiles(99), "draw", {}},
                        {"again", makeTiles(12, "other words"), "draw", {}}};
  ASSERT_TRUE(writeLine(to, toLine(request)));
  std::map<std::string, Record> records;
  WorkerReply reply = read();
  for (; reply.type == "record"; reply = read())
    EXPECT_TRUE(records.emplace(reply.record.id, reply.record).second);
  EXPECT_EQ(reply.type, "done");
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records["bad"].verdict, Verdict::Rejected);
  EXPECT_EQ(records["too large"].verdict, Verdict::Inapplicable);
  for (const char *id : {"four", "twelve", "again"}) {
    EXPECT_TRUE(isCorrect(records[id].verdict)) << id;
    EXPECT_EQ(records[id].samples.size(), 3u) << id;
  }
  EXPECT_EQ(records["four"].knobs.at("tile_m"), 4);
  EXPECT_EQ(records["four"].taskName, "matmul");
  // What is the same code is measured once.
  EXPECT_EQ(records["twelve"].evidence.code, records["again"].evidence.code);
  EXPECT_EQ(records["twelve"].samples, records["again"].samples);
  EXPECT_NE(records["four"].samples, records["again"].samples);
}

TEST_F(WorkerTest, StopsAtTheTierThatIsAskedFor) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerRequest request;
  request.type = "judge";
  request.candidates = {{"one", kGood, "", {}}};
  for (int last : {2, 3, 4, 5}) {
    request.lastTier = last;
    WorkerReply reply = ask(toLine(request));
    EXPECT_EQ(read().type, "done");
    EXPECT_EQ(reply.record.verdict, Verdict::Ambiguous);
    EXPECT_TRUE(reply.record.samples.empty());
    for (const Tier &tier : reply.record.tiers)
      EXPECT_EQ(tier.state, tier.number <= last ? "passed" : "not run")
          << tier.number << " of " << last;
  }
}

TEST_F(WorkerTest, RefusesNumbersThatAreNone) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerRequest good;
  good.type = "judge";
  auto refuses = [&](auto change, const std::string &sentence) {
    WorkerRequest request = good;
    change(request);
    WorkerReply reply = ask(toLine(request));
    EXPECT_EQ(reply.type, "refused");
    EXPECT_EQ(reply.error, sentence);
  };
  refuses([](WorkerRequest &r) { r.limitSeconds = -1; },
          "limitSeconds is -1; accepted are 0 to 86400");
  refuses([](WorkerRequest &r) { r.limitSeconds = 1e300; },
          "limitSeconds is 1e+300; accepted are 0 to 86400");
  refuses([](WorkerRequest &r) { r.lastTier = 0; },
          "lastTier is 0; accepted are 1 to 6");
  refuses([](WorkerRequest &r) { r.jobs = -1; },
          "jobs is -1; accepted are 1 to 1024");
}

//===----------------------------------------------------------------------===//
// Processes that are killed
//===----------------------------------------------------------------------===//

/// What `process` started, and what that started.
static std::vector<pid_t> findDescendants(pid_t process) {
  std::vector<pid_t> found;
  std::string path = "/proc/" + std::to_string(process) + "/task/" +
                     std::to_string(process) + "/children";
  std::ifstream file(path);
  for (pid_t child; file >> child;) {
    found.push_back(child);
    for (pid_t inner : findDescendants(child))
      found.push_back(inner);
  }
  return found;
}

static bool isRunning(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return file >> number >> name >> state && state != "Z" && state != "X";
}

/// Whether all of them end within two seconds.
static bool areGone(const std::vector<pid_t> &processes) {
  for (int look = 0; look < 200; ++look) {
    if (std::none_of(processes.begin(), processes.end(), isRunning))
      return true;
    usleep(10000);
  }
  return false;
}

TEST_F(WorkerTest, ASlotThatIsKilledCostsItsCandidate) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(prepare().type, "prepared");
  WorkerRequest request;
  request.type = "judge";
  request.rounds = 3;
  for (int i = 4; i < 12; ++i)
    request.candidates.push_back({std::to_string(i), makeTiles(i), "", {}});
  ASSERT_TRUE(writeLine(to, toLine(request)));
  std::vector<pid_t> slots;
  while (slots.empty())
    slots = findDescendants(process);
  EXPECT_EQ(kill(slots.front(), SIGKILL), 0);
  int crashed = 0, correct = 0;
  WorkerReply reply = read();
  for (; reply.type == "record"; reply = read()) {
    if (reply.record.verdict == Verdict::Crashed) {
      ++crashed;
      ASSERT_FALSE(reply.record.sentences.empty());
      EXPECT_EQ(reply.record.sentences.front().find(
                    "the candidate died of signal 9 (Killed) "),
                0u);
    }
    correct += isCorrect(reply.record.verdict);
  }
  EXPECT_EQ(crashed, 1);
  EXPECT_EQ(correct, 7);
}

TEST_F(WorkerTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(read().type, "hello");
  EXPECT_EQ(ask("nonsense").type, "refused");
  EXPECT_EQ(ask("{\"protocol\": 9, \"type\": \"judge\"}").error,
            "protocol 9 is not spoken; accepted is 2");
  EXPECT_EQ(judgeHere(kGood).error, "no task is prepared");
  EXPECT_EQ(ask("{\"protocol\": 2, \"type\": \"dance\"}").error,
            "request 'dance' is not known; accepted are prepare, judge");
  task.text = "not a task";
  EXPECT_EQ(prepare().type, "refused");
}

TEST(WorkerClientTest, AWorkerThatDiesIsAnOutcome) {
  std::atomic<bool> interrupted(false);
  WorkerReply reply;
  std::string error;
  Worker none({"/nonexistent/worker"}, interrupted);
  EXPECT_EQ(none.ask({}, 5, reply, error), Worker::Outcome::Lost);
  EXPECT_EQ(error, "the worker '/nonexistent/worker' did not answer");
  Worker liar({"/bin/echo", "hello"}, interrupted);
  EXPECT_EQ(liar.ask({}, 5, reply, error), Worker::Outcome::Lost);
  EXPECT_NE(error.find("is not understood"), std::string::npos);
  interrupted = true;
  Worker stopped({"/bin/cat"}, interrupted);
  EXPECT_EQ(stopped.ask({}, 5, reply, error), Worker::Outcome::Interrupted);
}

namespace {
/// The tuner's end, with this program, started again, as the worker.
class ClientTest : public JudgeFixture {
protected:
  ClientTest() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~ClientTest() override {
    // Orphans come here.
    while (waitpid(-1, nullptr, WNOHANG) > 0)
      ;
  }
  static std::vector<std::string> getCommand() {
    char self[4096] = "";
    EXPECT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    // Whoever runs the tests in shards does not shard the worker.
    return {"/bin/sh", "-c",
            "unset GTEST_TOTAL_SHARDS GTEST_SHARD_INDEX GTEST_OUTPUT; "
            "exec \"$0\" --gtest_also_run_disabled_tests "
            "--gtest_filter=ClientTest.DISABLED_Worker 3>&1 >/dev/null",
            self};
  }
  WorkerRequest prepareRequest(const char *target, const char *device) {
    WorkerRequest request;
    request.type = "prepare";
    request.task = task;
    request.target = target;
    request.device = device;
    return request;
  }
  std::atomic<bool> interrupted{false};
};
} // namespace

/// Not a test: what the others start.
TEST_F(ClientTest, DISABLED_Worker) { _exit(runWorker(context, 0, 3)); }

TEST_F(ClientTest, GoesOnWhenWorkersAreKilled) {
  Worker worker(getCommand(), interrupted);
  WorkerReply reply;
  ASSERT_EQ(worker.ask(prepareRequest("host", "host"), 60, reply, error),
            Worker::Outcome::Replied)
      << error;
  ASSERT_EQ(reply.type, "prepared") << reply.error;
  WorkerRequest batch;
  batch.rounds = 3;
  batch.jobs = 2;
  batch.limitSeconds = 30;
  for (int i = 4; i < 12; ++i)
    batch.candidates.push_back({std::to_string(i), makeTiles(i), "", {}});
  srand(7);
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<pid_t> killed;
    std::thread killer([&, delay = rand() % 150000] {
      usleep(delay);
      for (pid_t child : findDescendants(getpid())) {
        std::vector<pid_t> under = findDescendants(child);
        killed.insert(killed.end(), under.begin(), under.end());
        killed.push_back(child);
        kill(child, SIGKILL); // The worker alone; it has no time to clean up.
        break;
      }
    });
    std::map<std::string, int> records;
    Worker::Outcome outcome = worker.judge(
        batch, [&](const Record &record) { ++records[record.id]; }, error);
    killer.join();
    EXPECT_EQ(outcome, Worker::Outcome::Replied) << error;
    EXPECT_EQ(records.size(), batch.candidates.size());
    for (auto [id, count] : records)
      EXPECT_EQ(count, 1) << id;
    EXPECT_TRUE(areGone(killed)) << "turn " << turn;
  }
}

TEST_F(ClientTest, RecordsWhatTwoWorkersWereLostOver) {
  // A worker that greets, is prepared, and dies of every batch.
  std::string hello = toLine([] {
    WorkerReply reply;
    reply.type = "hello";
    return reply;
  }());
  std::string prepared = toLine([] {
    WorkerReply reply;
    reply.type = "prepared";
    return reply;
  }());
  Worker worker({"/bin/sh", "-c",
                 "echo \"$0\"; read a; echo \"$1\"; read b; exit 0", hello,
                 prepared},
                interrupted);
  WorkerReply reply;
  ASSERT_EQ(worker.ask(prepareRequest("host", "host"), 60, reply, error),
            Worker::Outcome::Replied);
  WorkerRequest batch;
  batch.candidates = {{"one", kGood, "draw", {}}, {"two", kGood, "draw", {}}};
  std::vector<Record> records;
  EXPECT_EQ(worker.judge(
                batch, [&](const Record &record) { records.push_back(record); },
                error),
            Worker::Outcome::Replied);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].verdict, Verdict::Crashed);
  EXPECT_EQ(records[0].taskKey, task.key);
  EXPECT_EQ(records[1].id, "two");
  EXPECT_EQ(records[1].sentences.front(), "the worker died");
}

TEST_F(ClientTest, SaysThatADeviceIsMissing) {
  Worker worker(getCommand(), interrupted);
  WorkerReply reply;
  // One that no machine has.
  ASSERT_EQ(worker.ask(prepareRequest("sm_80", "cuda:999"), 60, reply, error),
            Worker::Outcome::Replied)
      << error;
  EXPECT_EQ(reply.type, "unavailable");
  EXPECT_EQ(reply.error.find("cuda:999 "), 0u) << reply.error;
}

TEST_F(ClientTest, TheAssemblerDiesWithItsCandidate) {
  // An assembler that never ends.
  std::string root = testing::TempDir() + "kz-judge-ptxas";
  std::string bin = root + "/bin";
  mkdir(root.c_str(), 0755);
  mkdir(bin.c_str(), 0755);
  std::string path = bin + "/ptxas";
  std::ofstream(path) << "#!/bin/sh\nexec sleep 60\n";
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  setenv("CUDA_PATH", root.c_str(), 1);
  task.text = kProduct;
  Worker worker(getCommand(), interrupted);
  WorkerReply reply;
  ASSERT_EQ(worker.ask(prepareRequest("sm_80", ""), 60, reply, error),
            Worker::Outcome::Replied)
      << error;
  ASSERT_EQ(reply.type, "prepared") << reply.error;
  WorkerRequest batch;
  batch.candidates = {{"one", makeProductSchedule(64, 64, 3), "", {}}};
  // The worker, its slot, and the assembler.
  auto findAll = [] {
    std::vector<pid_t> all;
    for (int look = 0; look < 500 && all.size() < 3; ++look) {
      usleep(10000);
      all = findDescendants(getpid());
      // Orphans that ended are ours, and wait to be asked.
      all.erase(std::remove_if(all.begin(), all.end(),
                               [](pid_t one) { return !isRunning(one); }),
                all.end());
    }
    return all;
  };
  std::vector<pid_t> seen;
  Record record;
  auto onRecord = [&](const Record &one) { record = one; };

  // It takes too long.
  batch.limitSeconds = 2;
  std::thread watcher([&] { seen = findAll(); });
  EXPECT_EQ(worker.judge(batch, onRecord, error), Worker::Outcome::Replied);
  watcher.join();
  EXPECT_EQ(record.verdict, Verdict::TimedOut);
  EXPECT_EQ(record.failedTier, 3);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_TRUE(areGone({seen[1], seen[2]}));
  EXPECT_TRUE(isRunning(seen[0])); // The worker goes on.

  // The worker is killed, and so is the one that is asked again.
  batch.limitSeconds = 60;
  std::thread killer([&] {
    for (int turn = 0; turn < 2; ++turn) {
      seen = findAll();
      kill(seen.front(), SIGKILL);
      EXPECT_TRUE(areGone(seen)) << "turn " << turn;
    }
  });
  EXPECT_EQ(worker.judge(batch, onRecord, error), Worker::Outcome::Replied);
  killer.join();
  EXPECT_EQ(record.verdict, Verdict::Crashed);
  unsetenv("CUDA_PATH");
}
