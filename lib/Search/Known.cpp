//===- Known.cpp - what earlier runs found out ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Known.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace kernelzero;

/// Of one task, how many candidates start from each source.
static constexpr size_t kOwn = 2, kNear = 3;
/// Tasks further away than this say nothing: three sizes eight times as large.
static constexpr double kFar = 9;

std::optional<Problem> kernelzero::parseProblem(const std::string &taskName) {
  auto [front, element] = llvm::StringRef(taskName).rsplit('_');
  auto [stem, sizes] = front.rsplit('_');
  Problem problem{stem.str(), {}, element.str()};
  llvm::SmallVector<llvm::StringRef> parts;
  sizes.split(parts, 'x');
  for (llvm::StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 1)
      return std::nullopt;
    problem.sizes.push_back(size);
  }
  return problem;
}

std::optional<double> kernelzero::getDistance(const Problem &a,
                                              const Problem &b) {
  if (a.sizes.size() != b.sizes.size() || a.element != b.element)
    return std::nullopt;
  double distance = a.stem == b.stem ? 0 : 1;
  for (auto [x, y] : llvm::zip_equal(a.sizes, b.sizes))
    distance += std::abs(std::log2(double(x) / y));
  return distance;
}

void Known::add(const Record &record) {
  Task &task = tasks[record.taskKey];
  task.name = record.taskName;
  tasksWithRecords += task.records.empty();
  task.records.push_back(record);
  ++records;
}

void Known::add(const Winner &winner) {
  Record record;
  record.taskKey = winner.taskKey;
  record.taskName = winner.taskName;
  record.id = hashText(winner.schedule);
  record.verdict = winner.verdict;
  record.speedup = winner.speedup;
  record.knobs = winner.knobs;
  Task &task = tasks[record.taskKey];
  task.name = record.taskName;
  task.winners.push_back(std::move(record));
}

History Known::getFailures(const std::string &taskKey,
                           const std::string &toolchain) const {
  History failures;
  auto found = tasks.find(taskKey);
  if (found == tasks.end())
    return failures;
  std::map<std::string, const Record *> last;
  for (const Record &record : found->second.records)
    last[record.id] = &record;
  for (auto &[id, record] : last)
    if (!isCorrect(record->verdict) && record->failedTier != 0 &&
        record->evidence.toolchain == toolchain)
      failures.push_back(*record);
  return failures;
}

std::vector<Record> Known::getBest(const std::string &taskKey,
                                   size_t count) const {
  auto found = tasks.find(taskKey);
  if (found == tasks.end())
    return {};
  std::map<std::string, const Record *> last;
  for (const Record &record : found->second.winners)
    last[record.id] = &record;
  for (const Record &record : found->second.records)
    last[record.id] = &record;
  std::vector<const Record *> fast;
  for (auto &[id, record] : last)
    if ((record->verdict == Verdict::Faster ||
         (record->verdict == Verdict::Modelled && record->speedup > 1)) &&
        !record->knobs.empty())
      fast.push_back(record);
  llvm::sort(fast, [](const Record *a, const Record *b) {
    return a->speedup != b->speedup ? a->speedup > b->speedup : a->id < b->id;
  });
  std::vector<Record> best;
  for (const Record *record : fast)
    if (best.size() < count)
      best.push_back(*record);
  return best;
}

std::vector<Record> Known::getNeighbours(const TaskInfo &info,
                                         size_t count) const {
  std::optional<Problem> problem = parseProblem(info.name);
  std::vector<std::pair<double, std::string>> near;
  for (auto &[key, task] : tasks) {
    std::optional<Problem> other = parseProblem(task.name);
    if (key == info.key || !problem || !other ||
        !llvm::StringRef(task.name).starts_with(info.opClass + "_"))
      continue;
    std::optional<double> distance = getDistance(*problem, *other);
    if (distance && *distance <= kFar)
      near.push_back({*distance, key});
  }
  llvm::sort(near);
  std::vector<Record> neighbours;
  for (auto &[distance, key] : near) {
    if (neighbours.size() == count)
      break;
    for (Record &record : getBest(key, 1))
      neighbours.push_back(std::move(record));
  }
  return neighbours;
}

namespace {
class KnownProposer : public Proposer {
public:
  explicit KnownProposer(const Known &known) : known(known) {}

  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    Tried tried(task, history);
    std::map<std::string, size_t> had;
    for (const Record &record : history)
      ++had[record.origin];
    std::vector<Proposal> proposals;
    auto take = [&](const std::vector<Record> &records,
                    const std::string &origin, size_t most) {
      for (const Record &record : records)
        if (int(proposals.size()) < count && had[origin] < most)
          if (std::optional<Proposal> proposal = tried.take(
                  task, task.getSpace().normalize(record.knobs), origin)) {
            proposals.push_back(std::move(*proposal));
            ++had[origin];
          }
    };
    take(known.getBest(task.info.key, kOwn), "known", kOwn);
    take(known.getNeighbours(task.info, kNear), "near", kNear);
    return proposals;
  }

private:
  const Known &known;
};
} // namespace

std::unique_ptr<Proposer> kernelzero::makeKnownProposer(const Known &known) {
  return std::make_unique<KnownProposer>(known);
}
