//===- Skeleton.cpp - the schedule that a task starts from ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/Skeleton.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/CheckSchedule.h"
#include "SkeletonWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

//===----------------------------------------------------------------------===//
// Elementwise groups on the host
//===----------------------------------------------------------------------===//

/// The loop along which operands are contiguous that are not along the last
/// one; -1 where there is none.
static int64_t getAcrossDim(linalg::LinalgOp op) {
  int64_t last = op.getNumLoops() - 1;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isProjectedPermutation() || !map.isFunctionOfDim(last))
      continue;
    if (int64_t dim = map.getDimPosition(map.getNumResults() - 1); dim != last)
      return dim;
  }
  return -1;
}

static std::optional<Skeleton>
makeHostElementwise(ArrayRef<linalg::LinalgOp> ops, const Target &target,
                    std::string &error) {
  linalg::LinalgOp root = ops.back();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  if (ranges.empty()) {
    // One element: there is nothing to choose.
    Writer writer;
    writer.step(handles("e", ops.size()) + " = transform.kz.body %t");
    return writer.take();
  }
  Type element = getElementTypeOrSelf(root.getDpsInits().front().getType());
  int64_t last = ranges.back();
  int64_t lanes = getLanes(target, element);
  while (lanes > 1 && lanes > last)
    lanes /= 2;
  Writer writer;
  SmallVector<std::string> grid(ranges.size(), "1"), tile(ranges.size(), "0");
  SmallVector<int64_t> widths = {4 * lanes, lanes, 2 * lanes, 8 * lanes};
  int64_t across = ops.size() == 1 ? getAcrossDim(root) : -1;
  if (across >= 0 && ranges[across] >= lanes) {
    // Blocks of as many rows as lanes are transposed in registers.
    grid.back() = "0";
    grid[across] = writer.knob(
        "block_rows",
        upTo({4 * lanes, lanes, 2 * lanes, 8 * lanes}, ranges[across]),
        "rows of one unit of work, in blocks of " + Twine(lanes) +
            " that are transposed in registers; at most " +
            Twine(ranges[across]));
    tile[across] = std::to_string(lanes);
  } else if (ranges.size() == 1) {
    grid[0] = writer.knob(
        "block", upTo({16384, 4096, 65536}, last),
        "elements of one unit of work; their operands share the L1 cache");
  } else {
    grid.back() = "0";
    grid[ranges.size() - 2] =
        writer.knob("block_rows", upTo({1, 4, 16}, ranges[ranges.size() - 2]),
                    "rows of one unit of work; at most " +
                        Twine(ranges[ranges.size() - 2]));
    tile[ranges.size() - 2] = "1";
  }
  size_t others = ops.size() - 1;
  auto fuse = [&](StringRef stem) {
    return others ? " fuse(" + handles(stem, others) + ")" : std::string();
  };
  auto named = [&](StringRef stem) {
    return others ? handles(stem, others) + ", " : std::string();
  };
  auto returned = [&](StringRef stem) {
    return others ? ", " + handles(stem, others) : std::string();
  };
  // Forms of functions are the same choice in both pieces of script.
  auto vectorize = [&](StringRef root, StringRef stem, const Twine &more) {
    for (auto [index, op] : llvm::enumerate(ops)) {
      bool isRoot = index == others;
      std::string handle = "%" + (isRoot ? root : stem).str() +
                           (isRoot ? "" : std::to_string(index));
      writer.step("transform.kz.vectorize " + handle + " lanes(" +
                  Twine(lanes) + ")" + more);
      writeMath(writer, op, handle, isNarrow(ops.back()), /*fast=*/false,
                isRoot ? "x" : "f" + std::to_string(index));
    }
  };
  auto writePieces = [&] {
    tile.back() = writer.knob("width", upTo(widths, last),
                              "neighbouring elements that go through all "
                              "operations together, in vectors of " +
                                  Twine(lanes));
    writer.step("%y" + returned("g") + ", %loop = transform.kz.tile_loop %x" +
                fuse("f") + " parallel " + list(tile));
    vectorize("y", "g", "");
  };
  auto writeRows = [&] {
    std::string interleave =
        writer.knob("interleave", {4, 1, 2, 8},
                    "vectors side by side in one trip of the loop");
    vectorize("x", "f", " interleave(" + interleave + ")");
  };
  writer.step(named("e") + "%root = transform.kz.body %t");
  writer.step("%x" + returned("f") + ", %grid = transform.kz.tile_grid %root" +
              fuse("e") + " tile " + list(grid));
  writer.alternatives("form", {0, 1},
                      "0: a piece of a row goes through all operations; 1: a "
                      "whole unit of work through one after the other",
                      {}, {writePieces, writeRows});
  return writer.take();
}

/// The skeleton with the defaults of hardware as it usually is.
static std::optional<Skeleton>
makeSkeleton(func::FuncOp task, const Target &target, std::string &error) {
  SmallVector<linalg::LinalgOp> ops = getComputing(task);
  if (ops.empty()) {
    error = "the task has no computing operation";
    return std::nullopt;
  }
  for (linalg::LinalgOp op : ops)
    for (auto [dim, range] : llvm::enumerate(op.getStaticLoopRanges()))
      if (range == 0) {
        error = ("dimension " + Twine(dim) + " of '" +
                 op->getName().getStringRef() +
                 "' has size 0; at least 1 is needed")
                    .str();
        return std::nullopt;
      }
  if (target.isGPU())
    return makeGPU(ops, target, error);
  bool consumersElementwise =
      llvm::all_of(ArrayRef(ops).drop_front(), [](linalg::LinalgOp op) {
        return op.getNumReductionLoops() == 0;
      });
  if (std::optional<MatmulShape> shape = getMatmulShape(ops.front());
      shape && consumersElementwise)
    return makeHostMatmul(ops, *shape, target, error);
  if (consumersElementwise && ops.front().getNumReductionLoops() == 0)
    return makeHostElementwise(ops, target, error);
  return makeHostRows(ops, target, error);
}

OwningOpRef<ModuleOp>
kernelzero::applySkeleton(func::FuncOp task, const Skeleton &skeleton,
                          const std::map<std::string, int64_t> &values,
                          std::string &error) {
  MLIRContext *context = task.getContext();
  error.clear();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    if (error.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      error = diag.str();
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(skeleton.text, ParserConfig(context));
  if (!module)
    return nullptr;
  std::map<std::string, Attribute> bound;
  Builder builder(context);
  for (const Knob &knob : skeleton.knobs)
    bound[knob.name] = builder.getI64IntegerAttr(knob.values.front());
  for (const auto &[name, value] : values)
    bound[name] = builder.getI64IntegerAttr(value);
  if (failed(bindKnobs(*module, bound)))
    return nullptr;
  ScheduleError applied;
  transform::NamedSequenceOp schedule = findSchedule(*module, applied);
  OwningOpRef<ModuleOp> scheduled =
      schedule ? applySchedule(task, schedule, applied) : nullptr;
  if (!scheduled)
    error = applied.sentences.empty() ? "the schedule does not fit"
                                      : applied.sentences.front();
  return scheduled;
}

/// What `skeleton` makes with `values`, held against the target.
static std::optional<std::string>
explainApplied(func::FuncOp task, const Target &target,
               const Skeleton &skeleton,
               const std::map<std::string, int64_t> &values) {
  std::string error;
  OwningOpRef<ModuleOp> scheduled =
      applySkeleton(task, skeleton, values, error);
  if (!scheduled)
    return error;
  for (auto function : scheduled->getOps<func::FuncOp>()) {
    std::vector<Finding> findings = checkLimits(function, target);
    if (!findings.empty())
      return findings.front().sentence;
  }
  return std::nullopt;
}

namespace {
/// Looks for values of a skeleton that fit the target.
class DefaultsSearch {
public:
  using Values = std::map<std::string, int64_t>;

  DefaultsSearch(func::FuncOp task, const Target &target,
                 const Skeleton &skeleton)
      : task(task), target(target), skeleton(skeleton) {}

  /// Values that fit, near the defaults; nothing, and why not, where there are
  /// none.
  std::optional<Values> find(std::string &reason) {
    Values values;
    for (const Knob &knob : skeleton.knobs)
      values[knob.name] = knob.values.front();
    if (fits(values, reason))
      return values;
    for (const Values &start : listStarts(values)) {
      Values least = start;
      for (const Knob &knob : skeleton.knobs)
        if (!knob.isStructure)
          least[knob.name] = *llvm::min_element(knob.values);
      if (fits(least, reason))
        return grow(least);
    }
    return std::nullopt;
  }

private:
  bool fits(const Values &values, std::string &reason) {
    std::optional<std::string> why =
        explainApplied(task, target, skeleton, values);
    if (why)
      reason = *why;
    return !why;
  }

  /// `values` with each combination of pieces of script, their own first.
  std::vector<Values> listStarts(const Values &values) {
    std::vector<Values> starts = {values};
    for (const Knob &knob : skeleton.knobs)
      if (knob.isStructure)
        for (size_t index = 0, end = starts.size(); index < end; ++index)
          for (int64_t value : ArrayRef(knob.values).drop_front()) {
            starts.push_back(starts[index]);
            starts.back()[knob.name] = value;
          }
    return starts;
  }

  /// Everything is small in `least`. Takes one knob after the other to the
  /// first of its values that still fits.
  Values grow(Values least) {
    std::string ignored;
    for (const Knob &knob : skeleton.knobs) {
      if (knob.isStructure)
        continue;
      for (int64_t value : knob.values) {
        Values trial = least;
        trial[knob.name] = value;
        if (value == least[knob.name] || fits(trial, ignored)) {
          least = trial;
          break;
        }
      }
    }
    return least;
  }

  func::FuncOp task;
  const Target &target;
  const Skeleton &skeleton;
};
} // namespace

std::optional<Skeleton> kernelzero::getSkeleton(func::FuncOp task,
                                                const Target &target,
                                                std::string &error) {
  std::optional<Skeleton> skeleton = makeSkeleton(task, target, error);
  if (!skeleton)
    return std::nullopt;
  std::string reason;
  auto defaults = DefaultsSearch(task, target, *skeleton).find(reason);
  if (!defaults) {
    error =
        "no choice of the skeleton fits " + target.name.str() + ": " + reason;
    return std::nullopt;
  }
  setDefaults(*skeleton, *defaults);
  return skeleton;
}

/// `values` of the skeleton, and its defaults where they say nothing.
static std::optional<std::string>
explainChoices(func::FuncOp task, const Target &target,
               const std::map<std::string, int64_t> &values) {
  std::string error;
  std::optional<Skeleton> skeleton = makeSkeleton(task, target, error);
  // Knobs in pieces of script that were not chosen mean nothing.
  auto isDecided = [&](const Knob &knob) {
    auto structure = values.find(knob.within);
    return values.count(knob.name) ||
           (structure != values.end() &&
            !llvm::is_contained(knob.regions, structure->second));
  };
  bool isWhole = skeleton && llvm::all_of(skeleton->knobs, isDecided);
  if (skeleton && !isWhole)
    skeleton = getSkeleton(task, target, error);
  return skeleton ? explainApplied(task, target, *skeleton, values) : error;
}

std::optional<std::string>
kernelzero::explainIllegal(func::FuncOp task, const Target &target,
                           const std::map<std::string, int64_t> &values) {
  if (target.isGPU())
    return explainChoices(task, target, values);
  // The usual reason first, in the words of the knobs.
  auto tileM = values.find("tile_m"), tileN = values.find("tile_n");
  if (tileM != values.end() && tileN != values.end()) {
    Type element = getElementTypeOrSelf(task.getResultTypes().front());
    int64_t vectors =
        llvm::divideCeil(tileN->second, getLanes(target, element));
    int64_t needed = tileM->second * vectors + vectors + 1;
    if (needed > target.vectorRegisters)
      return ("a register tile of " + Twine(tileM->second) + " x " +
              Twine(tileN->second) + " needs " + Twine(needed) +
              " vector registers, " + Twine(target.name) + " has " +
              Twine(target.vectorRegisters) + "; try tile_m " +
              Twine((target.vectorRegisters - 1) / vectors - 1))
          .str();
    if (auto block = values.find("block_rows");
        block != values.end() && block->second < tileM->second)
      return ("block_rows " + Twine(block->second) +
              " holds no register tile of tile_m " + Twine(tileM->second) +
              " rows; at least " + Twine(tileM->second))
          .str();
  }
  return explainChoices(task, target, values);
}
