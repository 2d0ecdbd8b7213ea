//===- Tuner.cpp - from tasks to winners ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Tuner.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Search/Budget.h"
#include "KernelZero/Search/Known.h"
#include "KernelZero/Search/TaskSearch.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace kernelzero;

using Clock = std::chrono::steady_clock;

/// Seconds that preparing a task may take before its worker counts as lost.
static constexpr double kPrepareSeconds = 1800;
/// Rounds of a candidate in the search, and of the best one at its end.
static constexpr int kRounds = 7;
static constexpr int kFinalRounds = 11;
/// Looks at the baseline against itself where it is not calm, and is quick.
static constexpr int kNoiseLooks = 3;
static constexpr double kCalm = 0.03, kQuickSeconds = 0.5;
/// Seconds that the rounds of one candidate should take.
static constexpr double kBudgetSeconds = 5;
/// Candidates that are proposed for each that is judged, where a model chooses.
static constexpr int kScreened = 4;
/// The best of a task may turn out to be luck, and so may the next one.
static constexpr int kConfirmations = 3;

namespace {

class Run {
public:
  Run(MLIRContext &context, const TuneOptions &options, Experience &experience,
      const std::atomic<bool> &interrupted)
      : context(context), options(options), experience(experience),
        interrupted(interrupted), worker(options.worker, interrupted),
        skeletons(makeSkeletonProposer()), knowns(makeKnownProposer(known)),
        evolution(makeEvolutionProposer(options.seed)) {}

  TuneOutcome run(const std::vector<TaskInfo> &tasks);

private:
  void begin();
  void learn(const std::set<std::string> &ownRecords);
  void searchAll();
  void visit(TaskSearch &search, int64_t share);
  bool judgeBaseline(TaskSearch &search);
  void confirm(TaskSearch &search);
  bool prepare(TaskSearch &search);
  bool judge(TaskSearch &search, const std::vector<Proposal> &proposals,
             bool alone, int rounds);
  WorkerRequest makeRequest(const std::vector<Proposal> &proposals) const;
  std::vector<Proposal> screen(TaskSearch &search,
                               std::vector<Proposal> proposals, size_t count);
  TaskResult finish(TaskSearch &search);

  int64_t countTrials() const;
  int64_t countLeft() const;
  double getElapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  bool goOn() const { return !interrupted && outcome.trouble.empty(); }
  void fail(const std::string &error) {
    if (outcome.trouble.empty())
      outcome.trouble = error;
  }
  void say(const std::string &line) {
    if (options.progress)
      options.progress(line);
  }
  void report(TuneProgress::Phase phase, const TaskSearch &search);

  MLIRContext &context;
  const TuneOptions &options;
  Experience &experience;
  const std::atomic<bool> &interrupted;
  Worker worker;
  Known known;
  std::unique_ptr<WinnerLibrary> library;
  std::unique_ptr<Proposer> skeletons, winners, knowns, evolution;
  std::vector<TaskSearch> all;
  std::vector<TaskSearch *> order; ///< The largest first.
  std::string preparedKey;
  Clock::time_point start = Clock::now();
  int64_t resumed = 0;  ///< Trials of an interrupted run.
  int64_t inFlight = 0; ///< Trials of the batch that is being judged.
  TuneOutcome outcome;
};

} // namespace

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

int64_t Run::countTrials() const {
  int64_t trials = inFlight;
  for (const TaskSearch &search : all)
    trials += search.getTrials();
  return trials;
}

/// Trials that are left; where time is the limit, an estimate from the rate so
/// far.
int64_t Run::countLeft() const {
  int64_t done = countTrials();
  if (options.trials)
    return std::max<int64_t>(0, options.trials - done);
  double left = options.seconds - getElapsed();
  if (left <= 0)
    return 0;
  double rate = (done - resumed) / std::max(getElapsed(), 1e-3);
  return std::max<int64_t>(1, std::min(left * rate, 1e6));
}

void Run::report(TuneProgress::Phase phase, const TaskSearch &search) {
  if (!options.onProgress)
    return;
  TuneProgress progress;
  progress.phase = phase;
  progress.task = search.task.info.name;
  progress.trials = countTrials();
  progress.totalTrials = options.trials;
  double elapsed = getElapsed();
  progress.trialsPerSecond =
      elapsed > 0 ? (progress.trials - resumed) / elapsed : 0;
  if (!options.trials)
    progress.secondsLeft = std::max(0.0, options.seconds - elapsed);
  else if (progress.trialsPerSecond > 0)
    progress.secondsLeft = countLeft() / progress.trialsPerSecond;
  progress.taskSpeedup = search.getBestSpeedup();
  double baseline = 0, best = 0;
  for (const TaskSearch &each : all) {
    double seconds = each.task.info.weight * each.getBestSeconds();
    best += seconds;
    baseline += seconds * each.getBestSpeedup();
  }
  progress.modelSpeedup = best > 0 ? baseline / best : 1;
  options.onProgress(progress);
}

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

/// Notes the run in the store, or goes on with one that was interrupted.
void Run::begin() {
  std::string error, keys;
  for (const TaskSearch &search : all) {
    keys += search.task.info.key + " " +
            std::to_string(search.task.info.weight) + "\n";
    if (!experience.addTask(search.task.info, error))
      return fail(error);
  }
  RunInfo info;
  info.model = options.model;
  info.target = getTargetText(*options.target);
  info.device = options.device;
  info.seed = options.seed;
  info.toolchain = getToolchain();
  info.settings = llvm::formatv("trials={0} seconds={1} limit={2} tasks={3}",
                                options.trials, options.seconds,
                                options.limitSeconds, hashText(keys))
                      .str();
  std::optional<RunInfo> unfinished;
  if (!experience.findUnfinishedRun(info, unfinished, error))
    return fail(error);
  std::set<std::string> own;
  if (unfinished && experience.resumeRun(*unfinished, error)) {
    std::vector<Record> records;
    if (!experience.listRunRecords(unfinished->id, records, error))
      return fail(error);
    for (const Record &record : records)
      for (TaskSearch &search : all)
        if (search.task.info.key == record.taskKey) {
          search.add(record);
          own.insert(record.taskKey + record.id);
        }
    resumed = countTrials();
    say(llvm::formatv("resuming run {0}: {1} {2}trials are known",
                      unfinished->id, resumed,
                      options.trials
                          ? "of " + std::to_string(options.trials) + " "
                          : std::string())
            .str());
  } else if (!error.empty() || !experience.beginRun(info, error)) {
    return fail(error);
  }
  learn(own);
}

/// Reads what earlier runs found out, all but `own`, the records of this one.
void Run::learn(const std::set<std::string> &own) {
  std::string error;
  library = WinnerLibrary::load(&context, options.store, error);
  if (!library)
    return fail(error);
  winners = makeWinnerProposer(*library);
  std::vector<Record> records;
  std::string target = getTargetText(*options.target);
  if (!experience.listRecords("", target, records, error))
    return fail(error);
  for (const Record &record : records)
    if (!own.count(record.taskKey + record.id))
      known.add(record);
  for (const Winner &winner : library->getWinners())
    if (winner.target == target)
      known.add(winner);
  int64_t starting = 0;
  for (TaskSearch &search : all) {
    const std::string &key = search.task.info.key;
    search.task.failures = known.getFailures(key, getToolchain());
    starting +=
        library->find(key, target, error) || !known.getBest(key, 1).empty();
  }
  if (known.countRecords())
    say(llvm::formatv("{0} records of {1} tasks known from earlier runs; {2} "
                      "winners start",
                      known.countRecords(), known.countTasks(), starting)
            .str());
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

bool Run::prepare(TaskSearch &search) {
  if (preparedKey == search.task.info.key)
    return true;
  report(TuneProgress::Phase::Preparing, search);
  WorkerRequest request;
  request.type = "prepare";
  request.task = search.task.info;
  request.target = getTargetText(*options.target);
  request.device = options.device;
  request.seed = options.seed;
  preparedKey.clear();
  // A worker may be killed by accident: a task takes several down before it is
  // held responsible.
  constexpr int kAttempts = 3;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    WorkerReply reply;
    std::string error;
    switch (worker.ask(request, kPrepareSeconds, reply, error)) {
    case Worker::Outcome::Interrupted:
      return false;
    case Worker::Outcome::Lost:
      search.refusal = "while the task was prepared: " + error;
      continue;
    case Worker::Outcome::Replied:
      break;
    }
    if (reply.type != "prepared") {
      // Where no task can be judged, none is refused.
      if (reply.type == "unavailable")
        fail(reply.error);
      else
        search.refusal = reply.error;
      return false;
    }
    search.refusal.clear();
    preparedKey = search.task.info.key;
    return true;
  }
  // Without a single word from any worker it is not the task.
  if (worker.getHello().type.empty())
    fail(search.refusal);
  return false;
}

static std::string describe(const std::string &origin, const Choices &knobs) {
  std::string text = origin;
  for (const auto &[name, value] : knobs)
    text += " " + name + "=" + std::to_string(value);
  return text;
}

static std::string describeResult(const Record &record, bool alone) {
  if (!isCorrect(record.verdict))
    return std::string(getWord(record.verdict)) +
           (record.sentences.empty() ? "" : ": " + record.sentences.front());
  double milliseconds = getSeconds(record) * 1e3;
  if (record.verdict == Verdict::Modelled)
    return alone ? llvm::formatv("baseline {0:f3} ms modelled", milliseconds)
                       .str()
                 : llvm::formatv("{0:f2}x modelled ({1:f3} ms)", record.speedup,
                                 milliseconds)
                       .str();
  if (alone)
    return llvm::formatv("baseline {0:f3} ms, noise {1:f1} %", milliseconds,
                         record.noise * 100)
        .str();
  return llvm::formatv("{0} {1:f2}x ({2:f3} ms)", getWord(record.verdict),
                       record.speedup, milliseconds)
      .str();
}

WorkerRequest Run::makeRequest(const std::vector<Proposal> &proposals) const {
  WorkerRequest request;
  request.type = "judge";
  for (const Proposal &proposal : proposals)
    request.candidates.push_back(
        {proposal.id, proposal.schedule, proposal.origin, proposal.knobs});
  request.limitSeconds = options.limitSeconds;
  request.jobs = options.jobs;
  return request;
}

/// Has `proposals` judged, against the baseline or each `alone`, against
/// itself. A record is in the store at once; the search takes them in the order
/// in which they were proposed, however they came back. False where the run
/// cannot go on.
bool Run::judge(TaskSearch &search, const std::vector<Proposal> &proposals,
                bool alone, int rounds) {
  if (!prepare(search))
    return false;
  WorkerRequest request = makeRequest(proposals);
  if (!alone) {
    request.baseline = search.getBaseline()->schedule;
    request.noise = search.getBaseline()->noise;
  }
  request.rounds = rounds;
  request.budgetSeconds =
      rounds == kFinalRounds ? 2 * kBudgetSeconds : kBudgetSeconds;
  request.peers = alone || rounds == kFinalRounds;
  std::set<std::string> tried;
  for (const Record &record : search.getHistory())
    tried.insert(record.id);
  auto phase = rounds == kFinalRounds ? TuneProgress::Phase::Confirming
                                      : TuneProgress::Phase::Judging;
  report(phase, search);
  std::string error;
  std::map<std::string, Record> records;
  Worker::Outcome result = worker.judge(
      request,
      [&](const Record &record) {
        records[record.id] = record;
        if (std::string reason; !experience.addRecord(record, reason))
          fail(reason);
        std::string what = describe(record.origin, record.knobs) + ": " +
                           describeResult(record, alone);
        if (tried.count(record.id)) {
          say(search.task.info.name + ": measured again: " + what);
        } else {
          ++inFlight;
          say(llvm::formatv("[{0}{1}] {2}: {3}", countTrials(),
                            options.trials
                                ? "/" + std::to_string(options.trials)
                                : std::string(),
                            search.task.info.name, what)
                  .str());
        }
        report(phase, search);
      },
      error);
  inFlight = 0;
  for (const Proposal &proposal : proposals)
    if (auto found = records.find(proposal.id); found != records.end())
      search.add(found->second);
  if (result == Worker::Outcome::Lost)
    fail(error);
  return goOn();
}

/// The `count` of `proposals` that the analytical model expects most of, and
/// for a part of them chance, as the model may be wrong about a whole task.
/// Nothing is made of the others, and nobody is told of them.
std::vector<Proposal>
Run::screen(TaskSearch &search, std::vector<Proposal> proposals, size_t count) {
  if (proposals.size() <= count || !prepare(search))
    return proposals;
  WorkerRequest request = makeRequest(proposals);
  request.lastTier = 2;
  std::map<std::string, double> seconds;
  std::string error;
  Worker::Outcome result = worker.judge(
      request,
      [&](const Record &record) {
        if (record.failedTier < 0)
          seconds[record.id] = record.modelSeconds;
      },
      error);
  if (result == Worker::Outcome::Lost)
    fail(error);
  return chooseScreened(std::move(proposals), seconds, count);
}

/// The skeleton, and further looks at it where the machine is not calm.
bool Run::judgeBaseline(TaskSearch &search) {
  // A process that is lost over the skeleton may have been killed by accident,
  // and nothing else is the baseline: once more then.
  auto isOpen = [&](const History &history) {
    return history.empty() ||
           (history.size() == 1 && history.front().verdict == Verdict::Crashed);
  };
  for (int look = 0; look < 2 && isOpen(search.getHistory()); ++look) {
    std::vector<Proposal> proposals = skeletons->propose(search.task, {}, 1);
    if (proposals.empty())
      search.refusal = "the skeleton of the task cannot be written out";
    if (proposals.empty() || !judge(search, proposals, true, kRounds))
      return false;
  }
  while (const Record *baseline = search.getBaseline()) {
    if (baseline->verdict == Verdict::Modelled || baseline->noise <= kCalm ||
        baseline->seconds >= kQuickSeconds || search.getLooks() >= kNoiseLooks)
      break;
    Proposal again{baseline->id, baseline->schedule, baseline->origin,
                   baseline->knobs};
    size_t had = search.getHistory().size();
    if (!judge(search, {again}, true, kRounds))
      return false;
    // What came back was no look: there will be none.
    if (search.getHistory().size() == had ||
        !isCorrect(search.getHistory().back().verdict))
      break;
  }
  return true;
}

/// Measures the best once more, longer, until the best is one that held.
void Run::confirm(TaskSearch &search) {
  for (int attempt = 0; attempt < kConfirmations && goOn(); ++attempt) {
    const Record *best = search.findUnconfirmed();
    if (!best)
      return;
    Proposal proposal{best->id, best->schedule, best->origin, best->knobs};
    if (!judge(search, {proposal}, false, kFinalRounds))
      return;
  }
  if (goOn())
    search.dropUnconfirmed();
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

/// Spends up to `share` trials on one task.
void Run::visit(TaskSearch &search, int64_t share) {
  int64_t most = search.getTrials() + share;
  if (share < 1 || !search.refusal.empty() || !judgeBaseline(search))
    return;
  int batch = getBatch(share);
  while (goOn() && search.refusal.empty() && search.getTrials() < most &&
         countLeft() > 0) {
    // Without a baseline each is tried alone: the first that works is it.
    bool alone = !search.getBaseline();
    int count = alone ? 1 : std::min<int64_t>(batch, most - search.getTrials());
    std::vector<Proposal> proposals;
    // One kind of origin a batch, as each only knows the history.
    for (Proposer *proposer : {winners.get(), knowns.get()})
      if (proposals.empty())
        proposals = proposer->propose(search.task, search.getHistory(), count);
    if (proposals.empty()) {
      // There is a model of GPUs alone.
      int factor = options.target->isGPU() && !alone ? kScreened : 1;
      proposals = screen(
          search,
          evolution->propose(search.task, search.getHistory(), count * factor),
          count);
    }
    search.usedUp = proposals.empty();
    if (search.usedUp || !judge(search, proposals, alone, kRounds))
      break;
  }
  // What is good here may be good for tasks like it.
  if (const Record *best = search.findBest())
    known.add(*best);
}

void Run::searchAll() {
  // Each has its skeleton, and the best of what is known where there are trials
  // for all.
  Proposer *starters[] = {winners.get(), knowns.get()};
  int64_t unseen = 0;
  for (TaskSearch *search : order)
    unseen += search->refusal.empty() && search->getHistory().empty();
  for (TaskSearch *search : order) {
    if (!goOn() || (options.trials && !countLeft()))
      break;
    if (!search->refusal.empty() || !search->getHistory().empty())
      continue;
    --unseen;
    bool start = (!options.trials || countLeft() > 2 * unseen + 1) &&
                 llvm::any_of(starters, [&](Proposer *proposer) {
                   return !proposer->propose(search->task, {}, 1).empty();
                 });
    visit(*search, start ? 2 : 1);
  }
  // Then what is left goes where the model loses most, again in each round.
  while (goOn() && countLeft() > 0) {
    std::vector<double> costs;
    std::vector<int64_t> done;
    double total = 0;
    for (TaskSearch *search : order) {
      const Record *baseline = search->getBaseline();
      bool open = search->refusal.empty() && !search->usedUp &&
                  !search->getHistory().empty();
      costs.push_back(
          open && baseline
              ? getCost(search->task.info.weight, search->getBestSeconds(),
                        baseline->rooflineSeconds, search->countIdle())
              : 0);
      done.push_back(search->getTrials());
      total += costs.back();
    }
    // A task without a correct candidate is worth as much as all others.
    for (auto [search, cost] : llvm::zip_equal(order, costs))
      if (search->refusal.empty() && !search->usedUp &&
          !search->getHistory().empty() && !search->getBaseline())
        cost = std::max(total, 1e-9);
    std::vector<int64_t> shares = planRound(countLeft(), costs, done);
    if (std::accumulate(shares.begin(), shares.end(), int64_t(0)) == 0)
      break;
    int64_t before = countTrials();
    for (auto [search, share] : llvm::zip_equal(order, shares))
      if (share && goOn()) {
        visit(*search, share);
        // Now, while the task is prepared.
        confirm(*search);
      }
    if (countTrials() == before &&
        llvm::none_of(order, [](TaskSearch *s) { return s->usedUp; }))
      break;
  }
  for (TaskSearch *search : order)
    confirm(*search);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

TaskResult Run::finish(TaskSearch &search) {
  TaskResult result;
  result.task = search.task.info;
  result.trials = search.getTrials();
  result.correct = search.countCorrect();
  const Record *baseline = search.getBaseline();
  if (!baseline) {
    result.verdict = Verdict::Rejected;
    result.message = search.refusal;
    if (!search.getHistory().empty()) {
      const Record &first = search.getHistory().front();
      result.verdict = first.verdict;
      if (!first.sentences.empty())
        result.message = first.sentences.front();
    } else if (result.message.empty()) {
      result.verdict = Verdict::Untried;
      result.message = "not tried: " + (outcome.trouble.empty()
                                            ? "the trials did not reach it"
                                            : outcome.trouble);
    }
    return result;
  }
  const Record *best = search.findBest();
  const Record &chosen = best ? *best : *baseline;
  bool modelled = chosen.verdict == Verdict::Modelled;
  result.verdict = modelled ? Verdict::Modelled
                   : best   ? Verdict::Faster
                            : Verdict::Same;
  result.bestSeconds = getSeconds(chosen);
  result.rooflineSeconds = chosen.rooflineSeconds;
  result.peers = chosen.peers;
  result.baselineSeconds =
      best && !modelled ? best->baselineSeconds : getSeconds(*baseline);
  if (best) {
    result.speedup = best->speedup;
    result.speedupLow = best->speedupLow;
    result.speedupHigh = best->speedupHigh;
  }
  // A known winner stays unless this run showed that it is wrong, that it does
  // not do any more what it did, or found a better one.
  std::string reason;
  const Winner *stored =
      library ? library->find(search.task.info.key,
                              getTargetText(*options.target), reason)
              : nullptr;
  if (stored && stored->verdict == Verdict::Faster) {
    const Record *again = nullptr;
    for (const Record &record : search.getHistory())
      if (record.origin == "winner" && record.verdict != Verdict::Modelled)
        again = &record;
    bool isRefuted =
        again && (!isCorrect(again->verdict) ||
                  again->speedupHigh * (1 + again->noise) < stored->speedup);
    // One as fast is no reason for another file.
    bool isItself = best && again && best->id == again->id;
    bool isBetter =
        best && !modelled && !isItself &&
        best->speedupLow > (again ? again->speedupHigh : stored->speedup);
    if (!isRefuted && !isBetter && !isItself) {
      result.winner = stored->path;
      result.message =
          again ? llvm::formatv("the stored winner of {0:f2}x was measured at "
                                "{1:f2}x with {2:f1} % of noise, and is kept",
                                stored->speedup, again->speedup,
                                again->noise * 100)
                      .str()
                : "the stored winner was not measured in this run, and is kept";
      return result;
    }
    if (isRefuted || isBetter)
      result.message =
          "the stored winner of " +
          llvm::formatv("{0:f2}x", stored->speedup).str() +
          (!again ? std::string()
           : isCorrect(again->verdict)
               ? llvm::formatv(" is {0:f2}x now", again->speedup).str()
               : " is " + std::string(getWord(again->verdict)) + " now") +
          (isItself ? ""
           : again  ? ", and is replaced"
                    : " is replaced");
  }
  Winner winner = makeWinner(search.task.info, chosen);
  winner.verdict = result.verdict;
  winner.baselineSeconds = result.baselineSeconds;
  winner.seconds = result.bestSeconds;
  winner.speedup = result.speedup;
  std::string error;
  result.winner = writeWinner(&context, options.store, winner, error);
  if (result.winner.empty())
    fail(error);
  return result;
}

TuneOutcome Run::run(const std::vector<TaskInfo> &tasks) {
  all = std::vector<TaskSearch>(tasks.size());
  for (auto [info, search] : llvm::zip_equal(tasks, all)) {
    if (!setUpTask(context, info, *options.target, search.task, search.refusal))
      say(info.name + ": " + search.refusal);
    order.push_back(&search);
  }
  // The largest first, in case the trials do not reach all of them.
  llvm::sort(order, [](TaskSearch *a, TaskSearch *b) {
    int64_t workA = a->task.info.flops * a->task.info.weight;
    int64_t workB = b->task.info.flops * b->task.info.weight;
    return workA != workB ? workA > workB : a < b;
  });
  begin();
  if (goOn())
    searchAll();
  for (TaskSearch &search : all)
    outcome.results.push_back(finish(search));
  outcome.interrupted = interrupted;
  if (std::string error; goOn() && !experience.endRun(error))
    fail(error);
  return std::move(outcome);
}

TuneOutcome kernelzero::tuneTasks(MLIRContext &context,
                                  const std::vector<TaskInfo> &tasks,
                                  const TuneOptions &options,
                                  Experience &experience,
                                  const std::atomic<bool> &interrupted) {
  return Run(context, options, experience, interrupted).run(tasks);
}
