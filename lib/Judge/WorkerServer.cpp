//===- WorkerServer.cpp - the worker's end, and its candidates ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Winners/Winners.h"
#include "Processes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <cstring>
#include <deque>
#include <map>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace kernelzero;

using Clock = std::chrono::steady_clock;

/// Contexts grow; after so many candidates a process has done its duty.
static constexpr int kCandidatesPerProcess = 16;
/// Seconds that opening a device may take.
static constexpr double kOpenSeconds = 120;
/// Bytes of code that are kept, so that nothing is compiled twice.
static constexpr size_t kCodeBytes = size_t(256) << 20;

static Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

namespace {

/// What a slot made of a schedule.
struct Built {
  Record record;
  std::string artifact; ///< A line; empty where a tier failed.
  std::string hash;
};

/// One candidate on its way, or the baseline, which nobody is told of.
struct Job {
  Candidate candidate;
  bool isBaseline = false;
  enum { Waiting, Building, Ready, Measuring, Done } state = Waiting;
  double seconds = 0;
  bool wasLost = false;
  const Built *built = nullptr;
};

/// Judges the candidates of one prepared task.
class Judge {
public:
  Judge(std::unique_ptr<Bench> bench, int out)
      : bench(std::move(bench)), out(out) {}

  /// Starts what measures, where a device is to be opened. False and a sentence
  /// where it cannot be.
  bool open(std::string &error);
  /// False when the other end is gone.
  bool judge(const WorkerRequest &request);

  std::string device;

private:
  using Serve = std::function<void(int, Child &)>;
  [[noreturn]] void serveSlot(int fd, Child &self);
  [[noreturn]] void serveMeasurer(int fd, Child &self);
  bool startMeasurer(std::string &error);

  void assign();
  void startMeasuring(size_t index);
  void onSlot(Child &slot);
  void onMeasurer();
  void onLate(Child &child, const char *what);
  void lose(Child &child, Record record, Verdict verdict,
            const std::string &sentence);
  void keep(size_t index, Built built);
  void finish(size_t index, Record record);
  Record adopt(const Built &built, const Candidate &candidate) const;
  bool isDone() const;

  std::unique_ptr<Bench> bench;
  int out;
  std::vector<std::unique_ptr<Child>> slots;
  Child measurer;

  /// By hash of the schedule.
  std::map<std::string, Built> code;
  size_t codeBytes = 0;

  // Of the request in hand.
  const WorkerRequest *request = nullptr;
  std::vector<Job> jobs;
  std::optional<size_t> baseline;
  /// Records of code that was measured in this request, by its hash.
  std::map<std::string, Record> measured;
  bool isGone = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// What the processes do
//===----------------------------------------------------------------------===//

void Judge::serveSlot(int fd, Child &self) {
  limitMemory(bench->getTask().info.bytes);
  bench->onStage = [&](Stage stage) { self.setStage(stage); };
  std::string pending, line, error;
  while (readLine(fd, 1e9, pending, line) == LineResult::Line) {
    WorkerRequest asked;
    if (!fromLine(line, asked, error) || asked.candidates.empty())
      _exit(3);
    WorkerReply reply;
    reply.type = "record";
    reply.record = bench->startRecord(asked.candidates.front());
    passTier(reply.record, 0);
    Artifact artifact;
    bool built = bench->build(asked.candidates.front(), asked.lastTier,
                              reply.record, artifact);
    self.setStage(Stage::Idle);
    if (!writeLine(fd, toLine(reply)) ||
        !writeLine(fd, built ? toLine(artifact) : ""))
      _exit(0);
  }
  _exit(0);
}

/// Lines of a request to measure: the request, the record so far, the
/// candidate's code, and the baseline's or an empty line.
void Judge::serveMeasurer(int fd, Child &self) {
  bench->onStage = [&](Stage stage) { self.setStage(stage); };
  if (!bench->getTarget().isGPU())
    limitMemory(bench->getTask().info.bytes);
  std::string error;
  bench->ranOn = bench->open(error);
  if (!writeLine(fd, bench->ranOn.empty() ? "failed" : "ready") ||
      !writeLine(fd, bench->ranOn.empty() ? error : bench->ranOn))
    _exit(0);
  std::string pending, lines[4];
  auto read = [&](std::string &line) {
    return readLine(fd, 1e9, pending, line) == LineResult::Line;
  };
  while (read(lines[0]) && read(lines[1]) && read(lines[2]) && read(lines[3])) {
    WorkerRequest asked;
    WorkerReply reply;
    Artifact candidate, other;
    if (!fromLine(lines[0], asked, error) ||
        !fromLine(lines[1], reply, error) || !fromLine(lines[2], candidate) ||
        (!lines[3].empty() && !fromLine(lines[3], other)))
      _exit(3);
    reply.record.evidence.ranOn = bench->ranOn;
    bench->measure(candidate, lines[3].empty() ? nullptr : &other, asked,
                   reply.record);
    self.setStage(Stage::Idle);
    if (!writeLine(fd, toLine(reply)) ||
        !writeLine(fd, bench->isSpent() ? "spent" : "ready"))
      _exit(0);
    if (bench->isSpent())
      _exit(0);
  }
  _exit(0);
}

bool Judge::startMeasurer(std::string &error) {
  if (measurer.isAlive())
    return true;
  if (!measurer.start(
          [this](int fd, Child &self) { serveMeasurer(fd, self); })) {
    error = std::string("no process could be started to measure: ") +
            std::strerror(errno);
    return false;
  }
  std::vector<std::string> lines;
  auto end = after(kOpenSeconds);
  while (Clock::now() < end) {
    pollfd entry = {measurer.getDescriptor(), POLLIN, 0};
    if (poll(&entry, 1, 1000) <= 0)
      continue;
    switch (measurer.receive(2, lines)) {
    case Child::Answer::Partial:
      continue;
    case Child::Answer::Gone:
      error = "the device could not be opened: " +
              describeEnd(measurer.stop(/*isEnding=*/true), Stage::Idle);
      return false;
    case Child::Answer::Complete:
      if (lines[0] == "ready") {
        device = lines[1];
        return true;
      }
      error = lines[1];
      measurer.stop();
      return false;
    }
  }
  error = llvm::formatv("the device did not open within {0:f0} seconds",
                        kOpenSeconds)
              .str();
  measurer.stop();
  return false;
}

bool Judge::open(std::string &error) {
  device = bench->ranOn;
  return bench->needsQuiet() || !bench->measures() || startMeasurer(error);
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// A record of code that was made before, for `candidate`.
Record Judge::adopt(const Built &built, const Candidate &candidate) const {
  Record record = built.record;
  record.id = candidate.id;
  record.origin = candidate.origin;
  record.knobs = candidate.knobs;
  record.evidence.date = getDate();
  return record;
}

void Judge::finish(size_t index, Record record) {
  Job &job = jobs[index];
  job.state = Job::Done;
  if (job.isBaseline)
    return;
  record.judgeSeconds = job.seconds;
  WorkerReply reply;
  reply.type = "record";
  reply.record = std::move(record);
  isGone |= !writeLine(out, toLine(reply));
}

void Judge::keep(size_t index, Built built) {
  Job &job = jobs[index];
  if (codeBytes > kCodeBytes) {
    // Jobs of this request point into the rest.
    for (auto entry = code.begin(); entry != code.end();) {
      bool used = std::any_of(jobs.begin(), jobs.end(), [&](const Job &other) {
        return other.built == &entry->second;
      });
      if (!used)
        codeBytes -= entry->second.artifact.size();
      entry = used ? std::next(entry) : code.erase(entry);
    }
  }
  codeBytes += built.artifact.size();
  std::string key = hashText(job.candidate.schedule);
  job.built = &(code[key] = std::move(built));
  job.state = Job::Ready;
}

void Judge::lose(Child &child, Record record, Verdict verdict,
                 const std::string &sentence) {
  size_t index = child.job;
  Stage stage = child.getStage();
  jobs[index].seconds += secondsSince(child.started);
  passTier(record, 0);
  // A candidate that dies fails the tier that it died in.
  int tier = stage <= Stage::Applying    ? 2
             : stage <= Stage::Compiling ? 3
             : stage == Stage::Running   ? 4
                                         : 6;
  failTier(record, tier, verdict, sentence);
  bool onHost = bench->needsQuiet() || !bench->measures();
  if (stage >= Stage::Running && verdict == Verdict::Crashed && onHost)
    addSentence(record, "inputs are read-only and every buffer ends at a guard "
                        "page: an access beyond them is fatal");
  child.isBusy = false;
  finish(index, std::move(record));
}

void Judge::onLate(Child &child, const char *what) {
  Record record = child.job < jobs.size() && jobs[child.job].built
                      ? adopt(*jobs[child.job].built, jobs[child.job].candidate)
                      : bench->startRecord(jobs[child.job].candidate);
  std::string sentence =
      llvm::formatv("{0} within {1:g} seconds; stopped {2}", what,
                    request->limitSeconds, getStageText(child.getStage()))
          .str();
  Stage stage = child.getStage();
  child.stop();
  child.setStage(stage);
  lose(child, std::move(record), Verdict::TimedOut, sentence);
}

void Judge::onSlot(Child &slot) {
  std::vector<std::string> lines;
  size_t index = slot.job;
  Job &job = jobs[index];
  switch (slot.receive(2, lines)) {
  case Child::Answer::Partial:
    return;
  case Child::Answer::Gone: {
    Stage stage = slot.getStage();
    int status = slot.stop(/*isEnding=*/true);
    slot.setStage(stage);
    // The baseline was made before: who is lost over it was killed by accident,
    // and without it every candidate of the request would go without a time.
    if (job.isBaseline && !job.wasLost) {
      job.wasLost = true;
      job.state = Job::Waiting;
      slot.isBusy = false;
      return;
    }
    lose(slot, bench->startRecord(job.candidate), Verdict::Crashed,
         describeEnd(status, stage));
    return;
  }
  case Child::Answer::Complete:
    break;
  }
  slot.isBusy = false;
  job.seconds += secondsSince(slot.started);
  WorkerReply reply;
  std::string error;
  if (!fromLine(lines[0], reply, error)) {
    slot.stop();
    Record record = bench->startRecord(job.candidate);
    failTier(record, 0, Verdict::Crashed, error);
    return finish(index, std::move(record));
  }
  if (lines[1].empty() && reply.record.failedTier < 0) {
    // It ended where it was told to, and there is no code to keep.
    reply.record.verdict = Verdict::Ambiguous;
    return finish(index, std::move(reply.record));
  }
  Built built;
  built.record = reply.record;
  built.artifact = lines[1];
  built.hash = reply.record.evidence.code;
  keep(index, std::move(built));
}

void Judge::onMeasurer() {
  std::vector<std::string> lines;
  size_t index = measurer.job;
  Job &job = jobs[index];
  switch (measurer.receive(2, lines)) {
  case Child::Answer::Partial:
    return;
  case Child::Answer::Gone: {
    Stage stage = measurer.getStage();
    int status = measurer.stop(/*isEnding=*/true);
    measurer.setStage(stage);
    lose(measurer, adopt(*job.built, job.candidate), Verdict::Crashed,
         describeEnd(status, stage));
    return;
  }
  case Child::Answer::Complete:
    break;
  }
  measurer.isBusy = false;
  job.seconds += secondsSince(measurer.started);
  WorkerReply reply;
  std::string error;
  if (!fromLine(lines[0], reply, error)) {
    Record record = adopt(*job.built, job.candidate);
    failTier(record, 0, Verdict::Crashed, error);
    measurer.stop();
    return finish(index, std::move(record));
  }
  if (lines[1] != "ready")
    measurer.stop(/*isEnding=*/true);
  measured[job.built->hash] = reply.record;
  finish(index, std::move(reply.record));
}

void Judge::startMeasuring(size_t index) {
  Job &job = jobs[index];
  const Built &built = *job.built;
  Record record = adopt(built, job.candidate);
  auto end = [&](Verdict verdict, const std::string &sentence) {
    failTier(record, 6, verdict, sentence);
    finish(index, std::move(record));
  };
  const Built *other = nullptr;
  if (baseline) {
    const Job &incumbent = jobs[*baseline];
    if (!incumbent.built || incumbent.built->artifact.empty())
      return end(Verdict::Ambiguous,
                 "the baseline does not compile, so there is no time to "
                 "compare with");
    other = incumbent.built;
  }
  if (!bench->measures()) {
    const Record &peer = other ? other->record : record;
    record.baselineSeconds = peer.modelSeconds;
    if (record.modelSeconds > 0)
      record.speedup = record.speedupLow = record.speedupHigh =
          peer.modelSeconds / record.modelSeconds;
    return finish(index, std::move(record));
  }
  // Other schedules with the same code take the same time.
  auto known = measured.find(built.hash);
  if (known != measured.end() && known->second.id != job.candidate.id) {
    Record twin = known->second;
    twin.schedule = record.schedule;
    twin.id = record.id;
    twin.origin = record.origin;
    twin.knobs = record.knobs;
    twin.applySeconds = record.applySeconds;
    twin.compileSeconds = record.compileSeconds;
    addSentence(twin, "its code is that of candidate " + known->second.id +
                          ", which was measured");
    return finish(index, std::move(twin));
  }
  if (measurer.isAlive() && measurer.handled >= kCandidatesPerProcess &&
      bench->needsQuiet())
    measurer.stop();
  std::string error;
  if (!startMeasurer(error))
    return end(Verdict::Crashed, error);
  WorkerRequest one = *request;
  one.candidates.clear();
  one.baseline.clear();
  WorkerReply soFar;
  soFar.type = "record";
  soFar.record = record;
  measurer.job = index;
  measurer.isBusy = true;
  ++measurer.handled;
  measurer.started = Clock::now();
  measurer.deadline = after(request->limitSeconds);
  job.state = Job::Measuring;
  // Where it is gone already the answer says so.
  measurer.send({toLine(one), toLine(soFar), built.artifact,
                 other ? other->artifact : ""});
}

/// Gives work to whoever is idle.
void Judge::assign() {
  size_t wanted = std::max(1, request->jobs);
  bool building = false, waiting = false;
  for (size_t index = 0; index < jobs.size(); ++index) {
    Job &job = jobs[index];
    if (job.state != Job::Waiting)
      continue;
    auto known = code.find(hashText(job.candidate.schedule));
    if (known != code.end()) {
      job.built = &known->second;
      job.state = Job::Ready;
      continue;
    }
    // The same schedule twice is made once.
    bool twin = std::any_of(jobs.begin(), jobs.end(), [&](const Job &other) {
      return other.state == Job::Building &&
             other.candidate.schedule == job.candidate.schedule;
    });
    Child *idle = nullptr;
    for (std::unique_ptr<Child> &slot : slots)
      if (!slot->isBusy && !idle)
        idle = slot.get();
    if (!idle && slots.size() < wanted) {
      slots.push_back(std::make_unique<Child>());
      idle = slots.back().get();
    }
    if (twin || !idle) {
      waiting = true;
      continue;
    }
    if (idle->isAlive() && idle->handled >= kCandidatesPerProcess)
      idle->stop();
    if (!idle->isAlive() &&
        !idle->start([this](int fd, Child &self) { serveSlot(fd, self); })) {
      Record record = bench->startRecord(job.candidate);
      failTier(record, 0, Verdict::Crashed,
               std::string("no process could be started for the candidate: ") +
                   std::strerror(errno));
      finish(index, std::move(record));
      continue;
    }
    WorkerRequest one;
    one.type = "judge";
    one.candidates = {job.candidate};
    one.lastTier = request->lastTier;
    idle->job = index;
    idle->isBusy = true;
    ++idle->handled;
    idle->started = Clock::now();
    idle->deadline = after(request->limitSeconds);
    job.state = Job::Building;
    idle->send({toLine(one)});
  }
  for (const std::unique_ptr<Child> &slot : slots)
    building |= slot->isBusy;

  // What failed is done, and nobody waits for it.
  for (size_t index = 0; index < jobs.size(); ++index) {
    Job &job = jobs[index];
    if (job.state == Job::Ready && job.built->artifact.empty())
      finish(index, adopt(*job.built, job.candidate));
    else if (job.state == Job::Ready &&
             (job.isBaseline || request->lastTier < 4)) {
      Record record = adopt(*job.built, job.candidate);
      if (record.verdict != Verdict::Modelled)
        record.verdict = Verdict::Ambiguous;
      finish(index, std::move(record));
    }
  }
  bool quiet = !bench->needsQuiet() || (!building && !waiting);
  bool baselineReady = !baseline || jobs[*baseline].state == Job::Done;
  if (!quiet || !baselineReady)
    return;
  for (size_t index = 0; index < jobs.size() && !measurer.isBusy; ++index)
    if (jobs[index].state == Job::Ready)
      startMeasuring(index);
}

bool Judge::isDone() const {
  return std::all_of(jobs.begin(), jobs.end(),
                     [](const Job &job) { return job.state == Job::Done; });
}

bool Judge::judge(const WorkerRequest &asked) {
  request = &asked;
  jobs.clear();
  measured.clear();
  baseline.reset();
  if (!asked.baseline.empty()) {
    Job job;
    job.candidate.schedule = asked.baseline;
    job.isBaseline = true;
    baseline = 0;
    jobs.push_back(std::move(job));
  }
  for (const Candidate &candidate : asked.candidates) {
    Job job;
    job.candidate = candidate;
    jobs.push_back(std::move(job));
  }
  while (!isGone) {
    assign();
    if (isDone())
      break;
    // Whoever is busy, and the other end, which may hang up.
    std::vector<pollfd> entries = {{out, 0, 0}};
    std::vector<Child *> busy;
    auto next = Clock::now() + std::chrono::seconds(1);
    auto watch = [&](Child &child) {
      if (!child.isBusy)
        return;
      busy.push_back(&child);
      entries.push_back({child.getDescriptor(), POLLIN, 0});
      next = std::min(next, child.deadline);
    };
    for (std::unique_ptr<Child> &slot : slots)
      watch(*slot);
    watch(measurer);
    double left = std::chrono::duration<double>(next - Clock::now()).count();
    poll(entries.data(), entries.size(), std::max(0.0, left) * 1000 + 1);
    if (entries[0].revents & (POLLHUP | POLLERR))
      return false;
    for (size_t i = 0; i < busy.size(); ++i) {
      Child &child = *busy[i];
      if (entries[i + 1].revents) {
        if (&child == &measurer)
          onMeasurer();
        else
          onSlot(child);
      }
      if (child.isBusy && Clock::now() >= child.deadline)
        onLate(child, "the candidate did not finish");
    }
  }
  return !isGone;
}

//===----------------------------------------------------------------------===//
// The conversation
//===----------------------------------------------------------------------===//

/// Why `request` cannot be carried out; empty where it can.
static std::string checkRequest(const WorkerRequest &request) {
  auto check = [](const char *name, double value, double least, double most) {
    std::string text;
    if (!(value >= least && value <= most))
      llvm::raw_string_ostream(text) << llvm::format(
          "%s is %g; accepted are %g to %g", name, value, least, most);
    return text;
  };
  constexpr double kDay = 86400;
  for (const std::string &problem :
       {check("limitSeconds", request.limitSeconds, 0, kDay),
        check("budgetSeconds", request.budgetSeconds, 0, kDay),
        check("noise", request.noise, 0, 1e6),
        check("rounds", request.rounds, 1, 1e6),
        check("jobs", request.jobs, 1, 1024),
        check("lastTier", request.lastTier, 1, 6)})
    if (!problem.empty())
      return problem;
  return "";
}

int kernelzero::runWorker(mlir::MLIRContext &context, int in, int out) {
  // Ctrl-C is for the tuner; a worker ends when its input does.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  WorkerReply hello;
  hello.type = "hello";
  hello.device = describeHostDevice();
  hello.toolchain = getToolchain();
  if (!writeLine(out, toLine(hello)))
    return 0;
  std::unique_ptr<Judge> judge;
  std::string pending, line;
  while (readLine(in, 1e9, pending, line) == LineResult::Line) {
    auto start = Clock::now();
    WorkerRequest request;
    WorkerReply reply;
    reply.type = "refused";
    if (!fromLine(line, request, reply.error)) {
      // The sentence is there.
    } else if (request.type == "prepare") {
      judge.reset();
      const Target *target = resolveTargetText(request.target, reply.error);
      std::unique_ptr<Bench> bench =
          target ? Bench::create(&context, request.task, *target,
                                 request.device, request.seed, reply.error)
                 : nullptr;
      if (bench) {
        judge = std::make_unique<Judge>(std::move(bench), out);
        if (judge->open(reply.error)) {
          reply.type = "prepared";
          reply.device = judge->device;
        } else {
          reply.type = "unavailable";
          judge.reset();
        }
      }
    } else if (request.type != "judge") {
      reply.error = "request '" + request.type +
                    "' is not known; accepted are prepare, judge";
    } else if (!judge) {
      reply.error = "no task is prepared";
    } else if (reply.error = checkRequest(request); !reply.error.empty()) {
      // So is this one.
    } else if (judge->judge(request)) {
      reply.type = "done";
    } else {
      break;
    }
    reply.seconds = secondsSince(start);
    if (!writeLine(out, toLine(reply)))
      break;
  }
  return 0;
}
