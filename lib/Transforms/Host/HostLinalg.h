//===- HostLinalg.h - one Linalg operation on its way to loops -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_HOST_HOSTLINALG_H
#define KERNELZERO_LIB_TRANSFORMS_HOST_HOSTLINALG_H

#include "HostEmitter.h"
#include "llvm/ADT/MapVector.h"

namespace kernelzero::host {

struct Emitter::LinalgState {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<View> views;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::Value> extents;
  /// The dimension walked in vectors, -1 for an operation without loops.
  int64_t dim = -1;
  bool reduces = false;
  int64_t lanes = 0, interleave = 1;
  /// Values of the region that do not move along `dim`, computed in front of
  /// the innermost loop: as scalars, and as vectors of `lanes`.
  llvm::MapVector<mlir::Value, mlir::Value> still, stillVectors;
  /// Operands that lie across the vectors, contiguous along another dimension:
  /// they are read in blocks of `lanes` x `lanes` and transposed in registers.
  int64_t acrossDim = -1;
  llvm::SmallVector<unsigned> across;
  /// Vectors of operands that are in registers already.
  llvm::DenseMap<unsigned, mlir::Value> ready;
  bool failed = false;
};

} // namespace kernelzero::host

#endif // KERNELZERO_LIB_TRANSFORMS_HOST_HOSTLINALG_H
