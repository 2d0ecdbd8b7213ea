//===- Proposers.cpp - where candidates come from -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Proposer.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace kernelzero;

Proposer::~Proposer() = default;

std::string
kernelzero::completeSkeleton(SearchTask &task,
                             const std::map<std::string, int64_t> &values,
                             std::string &error) {
  return completeSkeleton(task.module->getContext(), task.skeleton, values,
                          error);
}

bool kernelzero::setUpTask(MLIRContext &context, const TaskInfo &info,
                           const Target &target, SearchTask &task,
                           std::string &reason) {
  task.info = info;
  task.target = &target;
  task.module =
      parseSourceString<ModuleOp>(info.text, ParserConfig(&context), "task");
  if (!task.module) {
    reason = "the task does not parse";
    return false;
  }
  std::optional<Skeleton> skeleton =
      getSkeleton(task.getFunction(), target, reason);
  if (!skeleton) {
    if (reason.empty())
      reason = "there is no skeleton for the task";
    return false;
  }
  task.skeleton = std::move(*skeleton);
  return true;
}

Space &SearchTask::getSpace() {
  if (!space)
    space = std::make_shared<Space>(
        skeleton.knobs,
        [function = getFunction(), target = target](const Choices &choices) {
          return explainIllegal(function, *target, choices);
        });
  return *space;
}

Tried::Tried(const SearchTask &task, const History &history) {
  for (const Record &record : history) {
    ids.insert(record.id);
    choices.insert(record.knobs);
  }
  known = ids.size();
  for (const Record &record : task.failures) {
    ids.insert(record.id);
    choices.insert(record.knobs);
  }
}

std::optional<Proposal> Tried::take(SearchTask &task, const Choices &wanted,
                                    const std::string &origin) {
  if (!choices.insert(wanted).second || !task.getSpace().isLegal(wanted))
    return std::nullopt;
  Proposal proposal;
  std::string error;
  proposal.schedule = completeSkeleton(task, wanted, error);
  proposal.id = hashText(proposal.schedule);
  proposal.origin = origin;
  proposal.knobs = wanted;
  if (proposal.schedule.empty() || !ids.insert(proposal.id).second)
    return std::nullopt;
  return proposal;
}

Random kernelzero::makeRandom(uint64_t seed, const SearchTask &task,
                              const Tried &tried) {
  Random random(seed);
  random =
      Random(random.next() ^ std::strtoull(task.info.key.c_str(), nullptr, 16));
  return Random(random.next() + tried.size());
}

namespace {

class SkeletonProposer : public Proposer {
  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    // Without a look at legality: what the skeleton's defaults are worth is the
    // judge's to say, and failures of earlier runs do not stand against it.
    Proposal proposal;
    std::string error;
    proposal.knobs = task.getSpace().getDefaults();
    proposal.schedule = completeSkeleton(task, proposal.knobs, error);
    proposal.id = hashText(proposal.schedule);
    proposal.origin = "skeleton";
    if (count < 1 || proposal.schedule.empty() ||
        llvm::any_of(
            history,
            [&](const Record &record) { return record.id == proposal.id; }))
      return {};
    return {proposal};
  }
};

class WinnerProposer : public Proposer {
public:
  explicit WinnerProposer(const WinnerLibrary &library) : library(library) {}

  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    std::string reason;
    const Winner *winner =
        library.find(task.info.key, getTargetText(*task.target), reason);
    if (count < 1 || !winner)
      return {};
    Proposal proposal;
    proposal.schedule = winner->schedule;
    proposal.id = hashText(proposal.schedule);
    proposal.origin = "winner";
    // Choices that still make this very schedule, not one that a person edited
    // or an earlier skeleton wrote.
    std::string error;
    Choices choices = task.getSpace().normalize(winner->knobs);
    if (completeSkeleton(task, choices, error) == proposal.schedule)
      proposal.knobs = choices;
    if (Tried(task, history).contains(proposal.id))
      return {};
    return {proposal};
  }

private:
  const WinnerLibrary &library;
};

} // namespace

std::vector<Proposal>
kernelzero::chooseScreened(std::vector<Proposal> proposals,
                           const std::map<std::string, double> &seconds,
                           size_t count) {
  if (proposals.size() <= count)
    return proposals;
  // Choices that the model does not see make twins of a candidate.
  constexpr double kTwin = 0.1;
  std::map<double, int> twins;
  std::vector<std::pair<double, size_t>> ranked;
  for (auto [index, proposal] : llvm::enumerate(proposals)) {
    auto found = seconds.find(proposal.id);
    bool known = found != seconds.end() && found->second > 0;
    ranked.push_back({known
                          ? found->second * (1 + kTwin * twins[found->second]++)
                          : std::numeric_limits<double>::infinity(),
                      index});
  }
  llvm::sort(ranked);
  std::set<size_t> chosen;
  for (const auto &[worth, index] : ranked)
    if (chosen.size() < count - count / kChance)
      chosen.insert(index);
  for (bool failedToo : {false, true})
    for (auto [index, proposal] : llvm::enumerate(proposals))
      if (chosen.size() < count && (failedToo || seconds.count(proposal.id)))
        chosen.insert(index);
  std::vector<Proposal> kept;
  for (size_t index : chosen)
    kept.push_back(std::move(proposals[index]));
  return kept;
}

std::unique_ptr<Proposer> kernelzero::makeSkeletonProposer() {
  return std::make_unique<SkeletonProposer>();
}
std::unique_ptr<Proposer>
kernelzero::makeWinnerProposer(const WinnerLibrary &library) {
  return std::make_unique<WinnerProposer>(library);
}
