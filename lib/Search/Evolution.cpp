//===- Evolution.cpp - better candidates from good ones -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Proposer.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelzero;

/// The fastest candidates that have children.
static constexpr size_t kPopulation = 8;
/// So many are compared for one parent.
static constexpr int kTournament = 3;
/// Of a hundred children: how many are drawn while few candidates are known,
/// and later; how many of the others have two parents.
static constexpr int kEarlyImmigrants = 50, kImmigrants = 15, kCrossed = 40;
static constexpr size_t kEarly = 10;
/// Two values that failed together so often and never worked.
static constexpr int kSuspicious = 2;
/// Of a hundred children with such values, so many are tried nevertheless.
static constexpr int kForgiven = 10;
/// Children in a row that come to nothing before others are drawn, and before
/// the whole space is looked through.
static constexpr int kPatience = 64, kEnough = 512;
/// The largest space that is looked through.
static constexpr size_t kSmallSpace = 4096;

namespace {

/// One value of one knob.
using Value = std::pair<std::string, int64_t>;

class EvolutionProposer : public Proposer {
public:
  explicit EvolutionProposer(uint64_t seed) : seed(seed) {}
  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override;

private:
  uint64_t seed;
};

/// What the history says of pairs of values: which only ever failed.
class Suspicion {
public:
  Suspicion(const SearchTask &task, const History &history) {
    for (const Record &record : history)
      add(record);
    for (const Record &record : task.failures)
      add(record);
  }
  bool isSuspect(const Choices &choices) const {
    return forEachPair(choices, [&](const Value &a, const Value &b) {
      auto found = failures.find({a, b});
      return found != failures.end() && found->second >= kSuspicious &&
             !successes.count({a, b});
    });
  }

private:
  void add(const Record &record) {
    forEachPair(record.knobs, [&](const Value &a, const Value &b) {
      if (isCorrect(record.verdict))
        successes.insert({a, b});
      else
        ++failures[{a, b}];
      return false;
    });
  }
  /// Pairs of different knobs, and each value with itself; stops when `visit`
  /// says so.
  template <typename Visit>
  static bool forEachPair(const Choices &choices, Visit visit) {
    for (auto a = choices.begin(); a != choices.end(); ++a)
      for (auto b = a; b != choices.end(); ++b)
        if (visit(Value(*a), Value(*b)))
          return true;
    return false;
  }

  std::map<std::pair<Value, Value>, int> failures;
  std::set<std::pair<Value, Value>> successes;
};

} // namespace

/// The fastest correct candidates of the skeleton, the best first. What was
/// measured more than once counts as it was last.
static std::vector<Choices> findPopulation(SearchTask &task,
                                           const History &history) {
  std::map<std::string, const Record *> last;
  for (const Record &record : history)
    if (!record.knobs.empty())
      last[record.id] = &record;
  std::vector<const Record *> correct;
  for (auto &[id, record] : last)
    if (isCorrect(record->verdict))
      correct.push_back(record);
  llvm::sort(correct, [](const Record *a, const Record *b) {
    return a->speedup != b->speedup ? a->speedup > b->speedup : a->id < b->id;
  });
  if (correct.size() > kPopulation)
    correct.resize(kPopulation);
  std::vector<Choices> population;
  for (const Record *record : correct)
    population.push_back(task.getSpace().normalize(record->knobs));
  return population;
}

std::vector<Proposal> EvolutionProposer::propose(SearchTask &task,
                                                 const History &history,
                                                 int count) {
  Space &space = task.getSpace();
  Tried tried(task, history);
  Random random = makeRandom(seed, task, tried);
  Suspicion suspicion(task, history);
  std::vector<Choices> population = findPopulation(task, history);
  // The best of a few, which is the one of the least rank.
  auto select = [&]() -> const Choices & {
    size_t rank = population.size();
    for (int i = 0; i < kTournament; ++i)
      rank = std::min(rank, random.below(population.size()));
    return population[rank];
  };
  auto breed = [&]() {
    const Choices &parent = select();
    if (population.size() < 2 || !random.chance(kCrossed))
      return space.mutate(parent, random);
    const Choices &other = select();
    Choices child = space.cross(parent, other, random);
    // Parents that differ in one group only have no new child.
    return child == parent || child == other ? space.mutate(child, random)
                                             : child;
  };

  std::vector<Proposal> proposals;
  int immigrants = tried.size() < kEarly ? kEarlyImmigrants : kImmigrants;
  int misses = 0;
  while (int(proposals.size()) < count && misses < kEnough) {
    bool drawn =
        population.empty() || misses >= kPatience || random.chance(immigrants);
    Choices choices = drawn ? space.draw(random) : breed();
    ++misses;
    if (suspicion.isSuspect(choices) && !random.chance(kForgiven))
      continue;
    std::optional<Proposal> proposal =
        tried.take(task, choices, drawn ? "draw" : "evolution");
    if (!proposal)
      continue;
    misses = 0;
    proposals.push_back(std::move(*proposal));
  }
  // What is left of a small space, so that it ends with its last candidate.
  if (int(proposals.size()) < count && space.count(kSmallSpace) < kSmallSpace) {
    std::vector<Choices> rest = space.enumerate();
    for (size_t i = rest.size(); i > 1; --i)
      std::swap(rest[i - 1], rest[random.below(i)]);
    for (const Choices &choices : rest) {
      if (int(proposals.size()) == count)
        break;
      if (std::optional<Proposal> proposal = tried.take(task, choices, "draw"))
        proposals.push_back(std::move(*proposal));
    }
  }
  return proposals;
}

std::unique_ptr<Proposer> kernelzero::makeEvolutionProposer(uint64_t seed) {
  return std::make_unique<EvolutionProposer>(seed);
}
