//===- Reference.h - what a task computes, in double precision -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_REFERENCE_H
#define KERNELZERO_JUDGE_REFERENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace kernelzero {

/// One tensor of the reference: values in double precision, and how far a
/// correct kernel may be off, element by element. The bound follows from the
/// arithmetic: units in the last place of the task's own types, the length of
/// its sums, and how each operation passes errors on.
struct ReferenceTensor {
  mlir::RankedTensorType type;
  std::vector<double> values;
  std::vector<float> errors;
};

/// Evaluates a task on level L0 by itself: shares no code with schedules or
/// lowerings. `inputs` are flat, row-major, in the types of the task. False and
/// a sentence in `error` where the task holds what it does not know.
bool evaluateReference(mlir::func::FuncOp task,
                       llvm::ArrayRef<const void *> inputs,
                       std::vector<ReferenceTensor> &outputs,
                       std::string &error);

/// Reads `count` elements of a flat buffer as doubles, from element `first`.
void readElements(mlir::Type type, const void *data, int64_t first,
                  int64_t count, double *values);
/// Rounds doubles to elements of `type`.
void writeElements(mlir::Type type, const double *values, int64_t first,
                   int64_t count, void *data);
/// Bytes of one element in a buffer; 0 for a type that buffers cannot hold.
int64_t getElementBytes(mlir::Type type);

/// How a result differs from its reference.
struct Comparison {
  int64_t elements = 0;
  int64_t wrong = 0;
  double largestError = 0;
  /// In units of the tolerance; infinite where a NaN or Inf is out of place.
  double largestRatio = 0;
  int64_t worstIndex = -1;
  double expected = 0, got = 0;
};

/// Compares a whole result with its reference.
Comparison compareWithReference(const ReferenceTensor &reference,
                                const void *data);

namespace reference {
/// `c[m, n] += sum over k of a[m, k] * b[k, n]` in double precision, for one
/// block: `a` is rows of `depth` values, `b` is `depth` rows of 32 values, rows
/// of `c` are `pitch` apart.
void multiplyBlock(const double *a, const double *b, double *c, long rows,
                   long depth, long pitch);
constexpr long kBlockColumns = 32;
} // namespace reference

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_REFERENCE_H
