//===- ToTile.h - L1 to L2 ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_TOTILE_H
#define KERNELZERO_TRANSFORMS_TOTILE_H

#include "mlir/Support/LLVM.h"

namespace kernelzero {
struct Target;

/// Replaces the one task of `module`, at L1, by a `kz.kernel` for each of its
/// grids, in order. Chooses nothing: what the schedule did not say is an error
/// that names the step to add. `target` may be null unless a grid is
/// persistent.
mlir::LogicalResult lowerToTile(mlir::ModuleOp module, const Target *target);

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_TOTILE_H
