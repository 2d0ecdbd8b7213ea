//===- KZ.h - the kz dialect ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_IR_KZ_H
#define KERNELZERO_DIALECT_KZ_IR_KZ_H

#include "KernelZero/Dialect/KZ/Tile/LayoutStep.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "KernelZero/Dialect/KZ/IR/KZDialect.h.inc"
#include "KernelZero/Dialect/KZ/IR/KZEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelZero/Dialect/KZ/IR/KZAttrs.h.inc"
#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/IR/KZOps.h.inc"

namespace kernelzero::kz {

/// The newest version of the schedule language, which this program writes, and
/// the attribute that carries it.
constexpr int64_t kLanguageVersion = 1;
inline constexpr llvm::StringLiteral kLanguageAttr = "kz.lang";

/// Names of the discardable attributes that schedules leave on L1: on the grid
/// loop (`kGrid`, `kThreads`), on a pipelined loop (`kPipeline`, `kRoles`) and
/// on Linalg operations (the rest).
inline constexpr llvm::StringLiteral kGrid = "kz.grid";
inline constexpr llvm::StringLiteral kThreads = "kz.threads";
inline constexpr llvm::StringLiteral kPipeline = "kz.pipeline";
inline constexpr llvm::StringLiteral kRoles = "kz.roles";
inline constexpr llvm::StringLiteral kWarps = "kz.warps";
inline constexpr llvm::StringLiteral kMma = "kz.mma";
inline constexpr llvm::StringLiteral kReduce = "kz.reduce";
inline constexpr llvm::StringLiteral kMath = "kz.math";
inline constexpr llvm::StringLiteral kEpilogue = "kz.epilogue";
inline constexpr llvm::StringLiteral kVectorize = "kz.vectorize";
inline constexpr llvm::StringLiteral kUnroll = "kz.unroll";

} // namespace kernelzero::kz

#endif // KERNELZERO_DIALECT_KZ_IR_KZ_H
