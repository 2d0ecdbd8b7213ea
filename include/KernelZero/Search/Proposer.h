//===- Proposer.h - where candidates come from ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_PROPOSER_H
#define KERNELZERO_SEARCH_PROPOSER_H

#include "KernelZero/Record/Record.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <set>

namespace kernelzero {

/// A task as proposers see it.
struct SearchTask {
  TaskInfo info;
  const Target *target = nullptr;
  /// A module with `@task`.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Skeleton skeleton;

  mlir::func::FuncOp getFunction() {
    return module->lookupSymbol<mlir::func::FuncOp>("task");
  }
};

/// One concrete schedule, and who thought of it.
struct Proposal {
  std::string id; ///< Hash of the schedule.
  std::string schedule;
  std::string origin;
  std::map<std::string, int64_t> knobs;
};

/// What the judge has said of a task so far, oldest first.
using History = std::vector<Record>;

/// Something that proposes candidates. The same task, seed and history give the
/// same proposals, in every process.
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
/// Random draws of the skeleton's knobs, legal together and none twice.
std::unique_ptr<Proposer> makeDrawProposer(uint64_t seed);

/// The skeleton of `task` with `values` written into it; empty and `error`
/// where they do not fit.
std::string completeSkeleton(SearchTask &task,
                             const std::map<std::string, int64_t> &values,
                             std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_PROPOSER_H
