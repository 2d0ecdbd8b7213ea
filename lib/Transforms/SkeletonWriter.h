//===- SkeletonWriter.h - what skeletons are written with -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_SKELETONWRITER_H
#define KERNELZERO_LIB_TRANSFORMS_SKELETONWRITER_H

#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringExtras.h"

namespace kernelzero::skeleton {
using namespace mlir;

/// The line that declares a knob.
inline std::string printKnob(StringRef name, ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "%" << name << " = transform.tune.knob<\"" << name << "\"> options = [";
  llvm::interleaveComma(values, os);
  os << "] -> !transform.any_param";
  return text;
}

/// Moves each value to the front of its knob's, which makes it the default.
inline void setDefaults(Skeleton &skeleton,
                        const std::map<std::string, int64_t> &defaults) {
  for (Knob &knob : skeleton.knobs) {
    std::string before = printKnob(knob.name, knob.values);
    auto value = llvm::find(knob.values, defaults.at(knob.name));
    std::rotate(knob.values.begin(), value, std::next(value));
    std::string after = printKnob(knob.name, knob.values);
    for (size_t at = skeleton.text.find(before); at != std::string::npos;
         at = skeleton.text.find(before, at + after.size()))
      skeleton.text.replace(at, before.size(), after);
  }
}

/// Writes the text of a skeleton: knobs first, then the steps, in each piece of
/// script anew.
class Writer {
public:
  /// Declares a knob and returns how a step names it. In several pieces of
  /// script, a name is the same choice.
  std::string knob(StringRef name, ArrayRef<int64_t> values,
                   const Twine &reason, StringRef group = "") {
    declare(name, values, reason, /*isStructure=*/false).group = group;
    return ("%" + name).str();
  }
  void step(const Twine &text) { pieces.back().steps += indent(text); }

  /// Writes alternatives, of which a knob chooses one. `values` are the numbers
  /// of those that make sense, the default first; the numbers mean the same for
  /// every task. Each region leaves handles called like `results`.
  void alternatives(StringRef name, ArrayRef<int64_t> values,
                    const Twine &reason, ArrayRef<std::string> results,
                    ArrayRef<llvm::function_ref<void()>> regions) {
    declare(name, values, reason, /*isStructure=*/true);
    std::string names = llvm::join(results, ", ");
    SmallVector<std::string> types(results.size(), "!transform.any_op");
    std::string typed = llvm::join(types, ", ");
    std::string text =
        (names.empty() ? "" : names + " = ") +
        ("transform.tune.alternatives<\"" + name +
         "_region\"> selected_region = %" + name + " : !transform.any_param")
            .str() +
        (names.empty() ? " {\n" : " -> " + typed + " {\n");
    for (auto [number, write] : llvm::enumerate(regions)) {
      pieces.push_back({name.str(), int64_t(number), {}, {}});
      write();
      if (!names.empty())
        step("transform.yield " + names + " : " + typed);
      std::string inner = pieces.back().knobs + pieces.back().steps;
      pieces.pop_back();
      text += inner + indent(number + 1 < regions.size() ? "}, {" : "}");
    }
    pieces.back().steps += indent("") + text;
  }

  /// The knobs so far.
  ArrayRef<Knob> peek() const { return skeleton.knobs; }

  Skeleton take() {
    skeleton.text = "module attributes {transform.with_named_sequence} {\n"
                    "transform.named_sequence @schedule(%t: !transform.any_op "
                    "{transform.readonly}) {\n" +
                    pieces.back().knobs + pieces.back().steps +
                    "  transform.yield\n}\n}\n";
    return std::move(skeleton);
  }

private:
  /// A region of alternatives; the schedule itself is the first one.
  struct Piece {
    std::string within;
    int64_t region = 0;
    std::string knobs, steps;
  };

  /// One line at the depth of the piece; without its end where it is empty.
  std::string indent(const Twine &text) const {
    std::string line = text.str();
    return std::string(2 * pieces.size(), ' ') + line +
           (line.empty() ? "" : "\n");
  }

  Knob &declare(StringRef name, ArrayRef<int64_t> values, const Twine &reason,
                bool isStructure) {
    const Piece &piece = pieces.back();
    pieces.back().knobs += indent(printKnob(name, values));
    auto known = llvm::find_if(
        skeleton.knobs, [&](const Knob &knob) { return knob.name == name; });
    if (known != skeleton.knobs.end()) {
      assert(known->within == piece.within &&
             ArrayRef(known->values) == values);
      known->regions.push_back(piece.region);
      return *known;
    }
    Knob knob{name.str(), values.vec(), reason.str()};
    knob.isStructure = isStructure;
    if (!piece.within.empty()) {
      knob.within = piece.within;
      knob.regions = {piece.region};
    }
    skeleton.knobs.push_back(std::move(knob));
    return skeleton.knobs.back();
  }

  Skeleton skeleton;
  std::vector<Piece> pieces = {Piece()};
};

/// A contraction with one dimension each of M, N and K.
struct MatmulShape {
  unsigned mDim = 0, nDim = 0, kDim = 0;
  int64_t m = 0, n = 0, k = 0;
  /// Whether the right operand is read along rows of K: `N x K` in memory.
  bool transposedB = false;
};

inline SmallVector<linalg::LinalgOp> getComputing(func::FuncOp task) {
  SmallVector<linalg::LinalgOp> ops;
  task.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::FillOp>(op.getOperation()))
      ops.push_back(op);
  });
  return ops;
}

inline std::optional<MatmulShape> getMatmulShape(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1)
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  MatmulShape shape;
  shape.mDim = dims->m.front();
  shape.nDim = dims->n.front();
  shape.kDim = dims->k.front();
  shape.m = ranges[shape.mDim];
  shape.n = ranges[shape.nDim];
  shape.k = ranges[shape.kDim];
  AffineMap right = op.getIndexingMapsArray()[1];
  shape.transposedB = right.isFunctionOfDim(shape.kDim) &&
                      right.getResults().back() ==
                          getAffineDimExpr(shape.kDim, op.getContext());
  return shape;
}

inline int64_t getLanes(const Target &target, Type element) {
  return std::max<int64_t>(1,
                           target.vectorBytes * 8 /
                               std::max(8u, element.getIntOrFloatBitWidth()));
}

/// The values of `candidates` up to `limit`, or `limit` itself where all are
/// larger.
inline SmallVector<int64_t> upTo(ArrayRef<int64_t> candidates, int64_t limit) {
  SmallVector<int64_t> values;
  for (int64_t value : candidates)
    if (value <= limit)
      values.push_back(value);
  if (values.empty())
    values.push_back(limit);
  return values;
}

/// `%a, %b` from a stem and a count.
inline std::string handles(StringRef stem, size_t count, size_t first = 0) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(llvm::seq(first, first + count), os,
                        [&](size_t i) { os << "%" << stem << i; });
  return text;
}

inline std::string list(ArrayRef<std::string> entries) {
  return "[" + llvm::join(entries, ", ") + "]";
}

/// The rows of a group: every operation works along the loops of the last one,
/// and what is summed over are trailing dimensions.
struct RowShape {
  /// Loops of the last operation that are not summed over by any.
  SmallVector<int64_t> outer;
  /// Elements of the dimensions that some operation sums over, together.
  int64_t columns = 1;
  /// How many dimensions they are.
  unsigned columnDims = 0;
};

/// The rows of `ops`; nothing, and the reason, where they are not of that form.
std::optional<RowShape> getRowShape(ArrayRef<linalg::LinalgOp> ops,
                                    std::string &error);

/// Whether the result of a group is of 16 bits.
bool isNarrow(linalg::LinalgOp root);

/// Steps that choose the forms of the functions that `op` evaluates, each a
/// knob. `narrow`: the group's result is of 16 bits, which allows forms coarser
/// than 16 units. `fast`: the coarsest form up to 128 units comes first, else
/// the default one.
/// `label` is what the choice is called after, the handle where it is empty.
void writeMath(Writer &writer, linalg::LinalgOp op, StringRef handle,
               bool narrow, bool fast, StringRef label = "");

std::optional<Skeleton> makeHostMatmul(ArrayRef<linalg::LinalgOp> ops,
                                       const MatmulShape &shape,
                                       const Target &target,
                                       std::string &error);
std::optional<Skeleton> makeHostRows(ArrayRef<linalg::LinalgOp> ops,
                                     const Target &target, std::string &error);
std::optional<Skeleton> makeGPU(ArrayRef<linalg::LinalgOp> ops,
                                const Target &target, std::string &error);
std::optional<Skeleton> makeGPUMatmul(ArrayRef<linalg::LinalgOp> ops,
                                      const Target &target, std::string &error);

} // namespace kernelzero::skeleton

#endif // KERNELZERO_LIB_TRANSFORMS_SKELETONWRITER_H
