//===- TileToNVVM.h - from the tile level to L3 ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_TILETONVVM_H
#define KERNELZERO_TRANSFORMS_TILETONVVM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kernelzero {

#define GEN_PASS_DECL
#include "KernelZero/Transforms/TilePasses.h.inc"

/// Replaces the kz.kernel operations of `module` by functions of L3 in one
/// gpu.module, in their order. Faults are reported on the operations.
mlir::LogicalResult lowerTileKernels(mlir::ModuleOp module);

/// Registers the passes of the tile level.
void registerTilePasses();

#define GEN_PASS_REGISTRATION
#include "KernelZero/Transforms/TilePasses.h.inc"

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_TILETONVVM_H
