//===- IndexFacts.h - what is known of a coordinate -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORMS_TILETONVVM_INDEXFACTS_H
#define KZ_TRANSFORMS_TILETONVVM_INDEXFACTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kernelzero::kz::tile {

/// Bounds of an integer, both included.
struct Interval {
  int64_t low = 0, high = 0;
};

/// Facts about index values of L2, followed through arith operations, loops
/// and block numbers: what lets an access go without a mask and at full width.
class IndexFacts {
public:
  /// Bounds; nothing where they are not known.
  std::optional<Interval> getInterval(mlir::Value value);
  /// A number that divides the value (0: the value is zero).
  int64_t getDivisor(mlir::Value value);

  /// Holds what a condition says of its operands while a region runs that it
  /// guards.
  class Assumption {
  public:
    Assumption(IndexFacts &facts, mlir::Value condition);
    ~Assumption();
    Assumption(const Assumption &) = delete;
    Assumption &operator=(const Assumption &) = delete;

  private:
    IndexFacts &facts;
    bool holds = false;
  };

private:
  std::optional<Interval> computeInterval(mlir::Value value);

  /// Upper bounds from the conditions around, innermost last.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> upperBounds;

  llvm::DenseMap<mlir::Value, std::optional<Interval>> intervals;
};

} // namespace kernelzero::kz::tile

#endif // KZ_TRANSFORMS_TILETONVVM_INDEXFACTS_H
