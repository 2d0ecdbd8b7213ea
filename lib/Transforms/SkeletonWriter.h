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

/// Writes the text of a skeleton: knobs first, then the steps.
class Writer {
public:
  /// Declares a knob and returns how a step names it: the number itself where
  /// there is no choice.
  std::string knob(StringRef name, ArrayRef<int64_t> values,
                   const Twine &reason) {
    skeleton.knobs.push_back({name.str(), values.vec(), reason.str()});
    llvm::raw_string_ostream os(knobs);
    os << "  %" << name << " = transform.tune.knob<\"" << name
       << "\"> options = [";
    llvm::interleaveComma(values, os);
    os << "] -> !transform.any_param\n";
    return ("%" + name).str();
  }
  void step(const Twine &text) { steps += ("  " + text + "\n").str(); }

  /// The knobs so far.
  ArrayRef<Knob> peek() const { return skeleton.knobs; }

  Skeleton take() {
    skeleton.text = "module attributes {transform.with_named_sequence} {\n"
                    "transform.named_sequence @schedule(%t: !transform.any_op "
                    "{transform.readonly}) {\n" +
                    knobs + steps + "  transform.yield\n}\n}\n";
    return std::move(skeleton);
  }

private:
  Skeleton skeleton;
  std::string knobs, steps;
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
void writeMath(Writer &writer, linalg::LinalgOp op, StringRef handle,
               bool narrow, bool fast);

std::optional<Skeleton> makeHostRows(ArrayRef<linalg::LinalgOp> ops,
                                     const Target &target, std::string &error);
std::optional<Skeleton> makeGPU(ArrayRef<linalg::LinalgOp> ops,
                                const Target &target, std::string &error);
std::optional<std::string>
explainGPU(func::FuncOp task, const Target &target,
           const std::map<std::string, int64_t> &values);

} // namespace kernelzero::skeleton

#endif // KERNELZERO_LIB_TRANSFORMS_SKELETONWRITER_H
