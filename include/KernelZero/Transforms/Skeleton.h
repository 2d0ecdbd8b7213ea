//===- Skeleton.h - the schedule that a task starts from ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_SKELETON_H
#define KERNELZERO_TRANSFORMS_SKELETON_H

#include "KernelZero/Target/TargetTable.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::func {
class FuncOp;
}

namespace kernelzero {

/// One open choice of a skeleton. `values[0]` is the default, and the others
/// follow by promise; the defaults are legal together, every other value is
/// with some values of the other knobs (`explainIllegal` says with which not).
struct Knob {
  std::string name;
  std::vector<int64_t> values;
  /// What the choice means and why its values end where they do.
  std::string reason;
  /// Knobs of one group are good or bad together, the two sides of a tile say.
  /// Empty: the knob stands alone.
  std::string group = {};
  /// Whether it chooses among pieces of script (`transform.tune.alternatives`),
  /// not among numbers: the values are the numbers of the regions.
  bool isStructure = false;
  /// The pieces of script that the knob stands in: it means nothing where the
  /// knob called `within` takes a value that is none of `regions`.
  std::string within = {};
  std::vector<int64_t> regions = {};
};

/// A schedule with open choices.
struct Skeleton {
  /// A module with one `transform.named_sequence`, `transform.tune.knob`s in
  /// it, in the order of `knobs`.
  std::string text;
  std::vector<Knob> knobs;
};

/// The skeleton of `task` on `target`: a correct, reasonable kernel when every
/// knob takes its default, which fits the target. Without one, `error` says in
/// a sentence what in the task or target stands against it, its memory say.
std::optional<Skeleton> getSkeleton(mlir::func::FuncOp task,
                                    const Target &target, std::string &error);

/// A module with `task` under the skeleton in which every knob takes its value,
/// or its default where `values` has none. Null, and a sentence in `error`,
/// where it does not fit.
mlir::OwningOpRef<mlir::ModuleOp>
applySkeleton(mlir::func::FuncOp task, const Skeleton &skeleton,
              const std::map<std::string, int64_t> &values, std::string &error);

/// Why `values` are not legal together (accumulators that exceed the vector
/// registers, say), in a sentence; nothing where they are. Knobs without a
/// value are at their defaults.
std::optional<std::string>
explainIllegal(mlir::func::FuncOp task, const Target &target,
               const std::map<std::string, int64_t> &values);

/// Replaces every knob of the schedules in `module` by the value of its name,
/// written as an attribute of the steps that used it, and every alternatives
/// step by the region that its value numbers. A knob that already
/// selects keeps its selection where `values` does not name it. Emits an error
/// for a knob without a value and for a value that is not an option.
llvm::LogicalResult
bindKnobs(mlir::ModuleOp module,
          const std::map<std::string, mlir::Attribute> &values);

/// The text of `skeleton` with its knobs bound to `values` and every default
/// written out; empty and `error` where that is no schedule.
std::string completeSkeleton(mlir::MLIRContext *context,
                             const Skeleton &skeleton,
                             const std::map<std::string, int64_t> &values,
                             std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_SKELETON_H
