//===- Proposer.h - where candidates come from ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_PROPOSER_H
#define KERNELZERO_SEARCH_PROPOSER_H

#include "KernelZero/Record/Record.h"
#include "KernelZero/Search/Space.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <set>

namespace kernelzero {

/// What the judge has said of a task so far, oldest first.
using History = std::vector<Record>;

/// A task as proposers see it.
struct SearchTask {
  TaskInfo info;
  const Target *target = nullptr;
  /// A module with `@task`.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Skeleton skeleton;
  /// What failed in earlier runs, for the same target and by the same
  /// toolchain: not tried again, and a hint where not to look.
  History failures;

  mlir::func::FuncOp getFunction() {
    return module->lookupSymbol<mlir::func::FuncOp>("task");
  }
  /// The choices of the skeleton, made when first asked for.
  Space &getSpace();

private:
  std::shared_ptr<Space> space;
};

/// Fills `task` with its module and skeleton on `target`; false, and `reason`,
/// where it cannot be searched.
bool setUpTask(mlir::MLIRContext &context, const TaskInfo &info,
               const Target &target, SearchTask &task, std::string &reason);

/// One concrete schedule, and who thought of it.
struct Proposal {
  std::string id; ///< Hash of the schedule.
  std::string schedule;
  std::string origin;
  std::map<std::string, int64_t> knobs;
};

/// Something that proposes candidates. The same task, seed and history give the
/// same proposals, in every process. None is proposed that the history or the
/// known failures hold, or that is illegal.
class Proposer {
public:
  virtual ~Proposer();
  /// Up to `count` candidates; none where this proposer knows no more.
  virtual std::vector<Proposal> propose(SearchTask &task,
                                        const History &history, int count) = 0;
};

/// The skeleton with every knob at its default, once.
std::unique_ptr<Proposer> makeSkeletonProposer();
/// What a library already holds for the task, once.
std::unique_ptr<Proposer> makeWinnerProposer(const WinnerLibrary &library);
/// Changes and mixes what was fast so far, keeps away from what failed, and
/// draws now and then. It keeps nothing between calls: what it proposes follows
/// from the seed, the task and the history, in whatever order that was filled.
std::unique_ptr<Proposer> makeEvolutionProposer(uint64_t seed);

/// Of `proposals` the `count` to judge, by the `seconds` that a model expects
/// of each by its id. Most are the fastest of the model, those that it cannot
/// tell apart less and less likely; one in `kChance` is the next that was
/// proposed. What has no seconds comes last.
constexpr size_t kChance = 4;
std::vector<Proposal>
chooseScreened(std::vector<Proposal> proposals,
               const std::map<std::string, double> &seconds, size_t count);

/// What proposers share: which candidates were tried, and a candidate from
/// choices.
class Tried {
public:
  Tried(const SearchTask &task, const History &history);
  /// The candidate of `choices`; nothing where it was tried before, is proposed
  /// already, is illegal, or cannot be written.
  std::optional<Proposal> take(SearchTask &task, const Choices &choices,
                               const std::string &origin);
  bool contains(const std::string &id) const { return ids.count(id); }
  /// How many different candidates the history holds.
  size_t size() const { return known; }

private:
  std::set<std::string> ids;
  std::set<Choices> choices;
  size_t known = 0;
};

/// Numbers for one call of a proposer: they depend on the seed, the task, and
/// how many candidates were tried.
Random makeRandom(uint64_t seed, const SearchTask &task, const Tried &tried);

/// The skeleton of `task` with `values` written into it; empty and `error`
/// where they do not fit.
std::string completeSkeleton(SearchTask &task,
                             const std::map<std::string, int64_t> &values,
                             std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_PROPOSER_H
