//===- HostBuffers.h - L1 from tensors to buffers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_HOST_HOSTBUFFERS_H
#define KERNELZERO_LIB_TRANSFORMS_HOST_HOSTBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace kernelzero::host {

/// Says on every `kz.staged` in host memory how its panels lie, from the
/// contraction that reads it. Errors name what no panel can be made of.
mlir::LogicalResult describePanels(mlir::func::FuncOp task);

/// Computes elementwise operations inside of the one that reads them.
void fuseElementwise(mlir::func::FuncOp task);

/// Turns `task` into a function over memrefs, inputs then outputs, that
/// computes in place where it can.
mlir::LogicalResult bufferize(mlir::func::FuncOp &task);

/// Lets one-shot bufferization see `kz.staged`.
void registerBufferization(mlir::DialectRegistry &registry);

} // namespace kernelzero::host

#endif // KERNELZERO_LIB_TRANSFORMS_HOST_HOSTBUFFERS_H
