//===- Passes.h - passes over tasks and models ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_PASSES_H
#define KERNELZERO_TRANSFORMS_PASSES_H

#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Pass/Pass.h"

namespace kernelzero {

#define GEN_PASS_DECL
#include "KernelZero/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "KernelZero/Transforms/Passes.h.inc"

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_PASSES_H
