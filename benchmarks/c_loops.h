//===- c_loops.h - a task as loops of C ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_C_LOOPS_H
#define KERNELZERO_BENCHMARKS_C_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace kernelzero::bench {

/// Of cblas_sgemm, with row-major operands.
using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int,
                       const float *, int, float, float *, int);
/// What the source below defines: inputs, then results.
using PeerEntry = void (*)(void **arrays, Sgemm sgemm);

/// Writes `task` as C++ that a good programmer might write for it: contractions
/// of f32 are calls of `sgemm`; all else is one nest of loops over the
/// dimensions that all operations share, and inside of it one loop for every
/// run of operations that read each other's elements. Values that are not
/// results are scalars, or arrays of one row. Defines `extern "C" void
/// peer(void **arrays, Sgemm sgemm)`. Empty, and one sentence in `error`, where
/// an operation has no such form.
std::string writeLoops(mlir::func::FuncOp task, std::string &error);

/// Compiles the source with g++ -O3 -march=native -ffast-math and loads it;
/// null and a sentence where that fails. The code stays loaded.
PeerEntry compileLoops(const std::string &source, std::string &error);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_C_LOOPS_H
