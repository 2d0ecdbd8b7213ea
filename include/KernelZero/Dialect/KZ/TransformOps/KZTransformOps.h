//===- KZTransformOps.h - the schedule language ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_TRANSFORMOPS_KZTRANSFORMOPS_H
#define KERNELZERO_DIALECT_KZ_TRANSFORMOPS_KZTRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h.inc"

namespace kernelzero::kz {
/// Adds the `transform.kz.*` operations to the transform dialect.
void registerTransformExtension(mlir::DialectRegistry &registry);
} // namespace kernelzero::kz

#endif // KERNELZERO_DIALECT_KZ_TRANSFORMOPS_KZTRANSFORMOPS_H
