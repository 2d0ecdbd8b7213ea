//===- KZTile.h - the tile level ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_TILE_KZTILE_H
#define KERNELZERO_DIALECT_KZ_TILE_KZTILE_H

#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"

#define GET_TYPEDEF_CLASSES
#include "KernelZero/Dialect/KZ/Tile/KZTileTypes.h.inc"
#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/Tile/KZTileOps.h.inc"

namespace kernelzero::kz {

/// Attributes of kernel arguments: the buffer of the task (its arguments, then
/// its results) or the workspace that the argument is bound to.
inline constexpr llvm::StringLiteral kBuffer = "kz.buffer";
inline constexpr llvm::StringLiteral kWorkspace = "kz.workspace";

/// `128x64`, as shapes stand in messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

namespace tile {
/// Whether a product is asynchronous.
bool isWgmma(MmaOp op);
} // namespace tile

} // namespace kernelzero::kz

#endif // KERNELZERO_DIALECT_KZ_TILE_KZTILE_H
