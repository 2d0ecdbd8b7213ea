//===- Tuner.cpp - from tasks to winners ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Tuner.h"
#include "KernelZero/Judge/TargetRow.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace kernelzero;

/// Seconds that preparing a task may take before its worker counts as lost.
static constexpr double kPrepareSeconds = 1800;
/// Rounds of a candidate in the search, and of the best one at its end.
static constexpr int kRounds = 7;
static constexpr int kFinalRounds = 11;
/// Looks at the baseline against itself where it is not calm, and is quick.
static constexpr int kNoiseLooks = 3;
static constexpr double kCalm = 0.03, kQuickSeconds = 0.5;
/// Candidates that are proposed together.
static constexpr int64_t kBatch = 8;
/// Seconds that the rounds of one candidate should take.
static constexpr double kBudgetSeconds = 5;

std::vector<int64_t>
kernelzero::spreadTrials(int64_t trials, const std::vector<double> &costs) {
  std::vector<int64_t> shares(costs.size(), 0);
  double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  if (trials <= 0 || total <= 0)
    return shares;
  std::vector<std::pair<double, size_t>> rest;
  int64_t given = 0;
  for (auto [index, cost] : llvm::enumerate(costs)) {
    double exact = trials * cost / total;
    shares[index] = static_cast<int64_t>(exact);
    given += shares[index];
    if (cost > 0)
      rest.push_back({shares[index] - exact, index});
  }
  llvm::sort(rest);
  for (size_t i = 0; given < trials; ++given, i = (i + 1) % rest.size())
    ++shares[rest[i].second];
  return shares;
}

namespace {

/// One task on its way.
struct Progress {
  SearchTask task;
  std::string refusal; ///< Why it cannot be tuned at all.
  History history;
  Record baseline; ///< The first correct candidate, by rule the skeleton.
  bool hasBaseline = false;
  double noise = 0;
  int64_t trials = 0;
  std::set<std::string> confirmed; ///< Measured again at the end.
};

class Run {
public:
  Run(MLIRContext &context, const TuneOptions &options, Experience &experience,
      const std::atomic<bool> &interrupted)
      : context(context), options(options), experience(experience),
        interrupted(interrupted), worker(options.worker, interrupted),
        skeletons(makeSkeletonProposer()),
        evolution(makeEvolutionProposer(options.seed)) {}

  TuneOutcome run(const std::vector<TaskInfo> &tasks);

private:
  void setUp(const TaskInfo &info, Progress &progress);
  bool prepare(Progress &progress);
  bool tryCandidate(Progress &progress, const Proposal &proposal);
  bool confirm(Progress &progress);
  bool ask(Progress &progress, const Proposal &proposal,
           const std::string &baseline, int rounds, Record &record);
  TaskResult finish(Progress &progress);
  const Record *findBest(const Progress &progress) const;
  bool goOn() const { return !interrupted && outcome.trouble.empty(); }
  void say(const std::string &line) {
    if (options.progress)
      options.progress(line);
  }

  MLIRContext &context;
  const TuneOptions &options;
  Experience &experience;
  const std::atomic<bool> &interrupted;
  Worker worker;
  std::unique_ptr<Proposer> skeletons, evolution;
  std::unique_ptr<WinnerLibrary> library;
  std::unique_ptr<Proposer> winners;
  std::string preparedKey;
  int64_t used = 0;
  TuneOutcome outcome;
};

} // namespace

void Run::setUp(const TaskInfo &info, Progress &progress) {
  progress.task.info = info;
  progress.task.target = options.target;
  progress.task.module =
      parseSourceString<ModuleOp>(info.text, ParserConfig(&context), "task");
  if (!progress.task.module) {
    progress.refusal = "the task does not parse";
    return;
  }
  std::optional<Skeleton> skeleton = getSkeleton(
      progress.task.getFunction(), *options.target, progress.refusal);
  if (skeleton)
    progress.task.skeleton = std::move(*skeleton);
  else if (progress.refusal.empty())
    progress.refusal = "there is no skeleton for the task";
}

bool Run::prepare(Progress &progress) {
  if (preparedKey == progress.task.info.key)
    return true;
  WorkerRequest request;
  request.type = "prepare";
  request.task = progress.task.info;
  request.target = toRow(*options.target);
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
      progress.refusal = "while the task was prepared: " + error;
      continue;
    case Worker::Outcome::Replied:
      break;
    }
    if (reply.type != "prepared") {
      progress.refusal = reply.error;
      return false;
    }
    progress.refusal.clear();
    preparedKey = progress.task.info.key;
    return true;
  }
  // Without a single word from any worker it is not the task.
  if (worker.getHello().type.empty())
    outcome.trouble = progress.refusal;
  return false;
}

bool Run::ask(Progress &progress, const Proposal &proposal,
              const std::string &baseline, int rounds, Record &record) {
  if (!prepare(progress))
    return false;
  WorkerRequest request;
  request.candidates = {
      {proposal.id, proposal.schedule, proposal.origin, proposal.knobs}};
  request.baseline = baseline;
  request.noise = progress.noise;
  request.rounds = rounds;
  request.budgetSeconds =
      rounds == kFinalRounds ? 2 * kBudgetSeconds : kBudgetSeconds;
  request.limitSeconds = options.limitSeconds;
  std::string error;
  bool replied = false;
  Worker::Outcome result = worker.judge(
      request,
      [&](const Record &reply) {
        record = reply;
        replied = true;
      },
      error);
  if (result == Worker::Outcome::Lost)
    outcome.trouble = error;
  if (!replied)
    return false;
  if (!experience.addRecord(record, error)) {
    outcome.trouble = error;
    return false;
  }
  progress.history.push_back(record);
  return true;
}

static std::string describe(const Proposal &proposal) {
  std::string text = proposal.origin;
  for (const auto &[name, value] : proposal.knobs)
    text += " " + name + "=" + std::to_string(value);
  return text;
}

bool Run::tryCandidate(Progress &progress, const Proposal &proposal) {
  Record record;
  std::string baseline = progress.hasBaseline ? progress.baseline.schedule : "";
  if (!ask(progress, proposal, baseline, kRounds, record))
    return false;
  ++progress.trials;
  ++used;
  std::string result = getWord(record.verdict);
  if (isCorrect(record.verdict)) {
    result += llvm::formatv(" {0:f2}x ({1:f3} ms)", record.speedup,
                            record.seconds * 1e3)
                  .str();
    if (!progress.hasBaseline) {
      progress.hasBaseline = true;
      progress.baseline = record;
      progress.noise = record.noise;
      // Other work on the machine may have come in between: the calmest of a
      // few looks is the noise of the device.
      for (int look = 1; look < kNoiseLooks && progress.noise > kCalm &&
                         record.seconds < kQuickSeconds;
           ++look) {
        Record again;
        if (!ask(progress, proposal, "", kRounds, again))
          return false;
        if (!isCorrect(again.verdict) || again.noise >= progress.noise)
          continue;
        progress.baseline = record = again;
        progress.noise = again.noise;
      }
      result = llvm::formatv("baseline {0:f3} ms, noise {1:f1} %",
                             record.seconds * 1e3, record.noise * 100)
                   .str();
    }
  } else if (!record.sentences.empty()) {
    result += ": " + record.sentences.front();
  }
  say(llvm::formatv("[{0}/{1}] {2}: {3}: {4}", used, options.trials,
                    progress.task.info.name, describe(proposal), result)
          .str());
  return true;
}

/// The fastest candidate that won its comparison.
const Record *Run::findBest(const Progress &progress) const {
  const Record *best = nullptr;
  for (const Record &record : progress.history)
    if (record.verdict == Verdict::Faster &&
        (!best || record.speedup > best->speedup))
      best = &record;
  return best;
}

/// Of many noisy times the best one flatters: it is measured once more, longer,
/// and what that says counts. So it goes on until the best is one that held.
bool Run::confirm(Progress &progress) {
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Record *best = findBest(progress);
    if (!best || progress.confirmed.count(best->id))
      return true;
    Proposal proposal{best->id, best->schedule, best->origin, best->knobs};
    Record record;
    if (!ask(progress, proposal, progress.baseline.schedule, kFinalRounds,
             record))
      return false;
    // What was said of it before no longer counts.
    for (Record &earlier : llvm::drop_end(progress.history))
      if (earlier.id == record.id && earlier.verdict == Verdict::Faster)
        earlier.verdict = Verdict::Ambiguous;
    progress.confirmed.insert(record.id);
    say(llvm::formatv("{0}: measured again: {1}: {2} {3:f2}x [{4:f2}, {5:f2}]",
                      progress.task.info.name, describe(proposal),
                      getWord(record.verdict), record.speedup,
                      record.speedupLow, record.speedupHigh)
            .str());
  }
  // A claim that was never measured again does not stand.
  for (Record &record : progress.history)
    if (record.verdict == Verdict::Faster &&
        !progress.confirmed.count(record.id))
      record.verdict = Verdict::Ambiguous;
  return true;
}

TaskResult Run::finish(Progress &progress) {
  TaskResult result;
  result.task = progress.task.info;
  result.trials = progress.trials;
  for (const Record &record : progress.history)
    result.correct += isCorrect(record.verdict);
  if (!progress.hasBaseline) {
    result.verdict = Verdict::Rejected;
    result.message = progress.refusal;
    if (!progress.history.empty()) {
      const Record &last = progress.history.front();
      result.verdict = last.verdict;
      if (!last.sentences.empty())
        result.message = last.sentences.front();
    } else if (result.message.empty()) {
      result.message = "not tried: the trials did not reach it";
    }
    return result;
  }
  const Record *best = findBest(progress);
  const Record &chosen = best ? *best : progress.baseline;
  result.verdict = best ? Verdict::Faster : Verdict::Same;
  result.baselineSeconds =
      best ? best->baselineSeconds : progress.baseline.seconds;
  result.bestSeconds = chosen.seconds;
  if (best) {
    result.speedup = best->speedup;
    result.speedupLow = best->speedupLow;
    result.speedupHigh = best->speedupHigh;
  }
  // A known winner that this run did not measure is not replaced by a skeleton.
  std::string reason;
  const Winner *known = library
                            ? library->find(progress.task.info.key,
                                            options.target->name.str(), reason)
                            : nullptr;
  if (!best && known && known->verdict == Verdict::Faster &&
      llvm::none_of(progress.history, [](const Record &record) {
        return record.origin == "winner";
      })) {
    result.winner = known->path;
    result.message =
        "the stored winner was not measured in this run, and is kept";
    return result;
  }
  Winner winner;
  winner.taskKey = progress.task.info.key;
  winner.taskName = progress.task.info.name;
  winner.opClass = progress.task.info.opClass;
  winner.target = options.target->name.str();
  winner.origin = chosen.origin;
  winner.verdict = result.verdict;
  winner.baselineSeconds = result.baselineSeconds;
  winner.seconds = result.bestSeconds;
  winner.speedup = result.speedup;
  winner.evidence = chosen.evidence;
  winner.schedule = chosen.schedule;
  std::string error;
  result.winner = writeWinner(&context, options.store, winner, error);
  if (result.winner.empty() && outcome.trouble.empty())
    outcome.trouble = error;
  return result;
}

TuneOutcome Run::run(const std::vector<TaskInfo> &tasks) {
  std::vector<Progress> all(tasks.size());
  std::string error;
  for (auto [info, progress] : llvm::zip_equal(tasks, all)) {
    setUp(info, progress);
    if (!progress.refusal.empty())
      say(info.name + ": " + progress.refusal);
    if (!experience.addTask(info, error))
      outcome.trouble = error;
  }
  library = WinnerLibrary::load(&context, options.store, error);
  if (!library && outcome.trouble.empty())
    outcome.trouble = error;
  if (library)
    winners = makeWinnerProposer(*library);

  // The largest first, in case the trials do not reach all of them.
  std::vector<Progress *> order;
  for (Progress &progress : all)
    order.push_back(&progress);
  llvm::sort(order, [](Progress *a, Progress *b) {
    int64_t workA = a->task.info.flops * a->task.info.weight;
    int64_t workB = b->task.info.flops * b->task.info.weight;
    return workA != workB ? workA > workB : a < b;
  });
  auto propose = [&](Proposer &proposer, Progress &progress, int64_t count) {
    int64_t tried = 0;
    while (tried < count && goOn() && progress.refusal.empty()) {
      std::vector<Proposal> proposals = proposer.propose(
          progress.task, progress.history, std::min(count - tried, kBatch));
      if (proposals.empty())
        break;
      for (const Proposal &proposal : proposals)
        if (goOn() && tryCandidate(progress, proposal))
          ++tried;
    }
    return tried;
  };
  for (Progress *progress : order)
    if (used < options.trials && goOn())
      propose(*skeletons, *progress, 1);
  for (Progress *progress : order)
    if (winners && used < options.trials && goOn())
      propose(*winners, *progress, 1);

  // What is left goes where the model spends its time. What one task cannot use
  // (its space is used up) the others get. The last task is still prepared.
  std::vector<Progress *> backwards(order.rbegin(), order.rend());
  std::set<Progress *> usedUp;
  while (used < options.trials && goOn()) {
    std::vector<double> costs;
    for (Progress *progress : backwards)
      costs.push_back(usedUp.count(progress) || !progress->refusal.empty() ||
                              progress->history.empty()
                          ? 0
                      : progress->hasBaseline ? progress->task.info.weight *
                                                    progress->baseline.seconds
                                              : 1e-9);
    std::vector<int64_t> shares = spreadTrials(options.trials - used, costs);
    if (std::accumulate(shares.begin(), shares.end(), int64_t(0)) == 0)
      break;
    for (auto [progress, share] : llvm::zip_equal(backwards, shares)) {
      if (share && propose(*evolution, *progress, share) < share)
        usedUp.insert(progress);
      // Now, while the task is prepared.
      if (share && goOn())
        confirm(*progress);
    }
  }
  for (Progress &progress : all)
    outcome.results.push_back(finish(progress));
  outcome.interrupted = interrupted;
  return std::move(outcome);
}

TuneOutcome kernelzero::tuneTasks(MLIRContext &context,
                                  const std::vector<TaskInfo> &tasks,
                                  const TuneOptions &options,
                                  Experience &experience,
                                  const std::atomic<bool> &interrupted) {
  return Run(context, options, experience, interrupted).run(tasks);
}
