//===- L1Analysis.h - what L1 says about tiles and buffers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_TOTILE_L1ANALYSIS_H
#define KERNELZERO_LIB_TRANSFORMS_TOTILE_L1ANALYSIS_H

#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <optional>
#include <string>

namespace kernelzero::l1 {

/// A tensor value as a part of something larger: `root` from `offsets` on, in
/// the order of the root's dimensions. An offset is a sum of L1 index values
/// and a constant. The roots that matter are whole buffers (arguments of the
/// task, results of other grids, the destination of the grid).
struct View {
  struct Offset {
    llvm::SmallVector<mlir::Value> terms;
    int64_t constant = 0;
  };
  mlir::Value root;
  llvm::SmallVector<Offset> offsets;
  /// Dimensions of the root that the value's dimensions stand for, in order.
  llvm::SmallVector<int64_t> dims;
};

/// Follows slices and markers of `value` up to the value that they cut from.
/// Only unit strides can be followed; nothing otherwise.
std::optional<View> getView(mlir::Value value);

/// `value` without the markers and slices of everything around it.
mlir::Value skipMarkers(mlir::Value value);

/// The size of a dimension of a tile, as L1 computes it; nothing where it does
/// not say.
std::optional<mlir::OpFoldResult> getTileSize(mlir::Value tensor, int64_t dim);

/// The static size that a dimension of a tile never exceeds: the tile size of
/// the schedule where a ragged edge makes it dynamic. Nothing where it is
/// unbounded.
std::optional<int64_t> getTileBound(mlir::Value tensor, int64_t dim);

/// All tile bounds of `tensor`; nothing where one is missing.
std::optional<llvm::SmallVector<int64_t>> getTileShape(mlir::Value tensor);

/// The bound of loop `dim` of `op`, from the operands that it walks over.
std::optional<int64_t> getLoopBound(mlir::linalg::LinalgOp op, int64_t dim);

/// Deals `shape` to threads: `step.dim` in vectors, spare threads to
/// `spareDims` in turn, and copies to those for which nothing is left. Null
/// where the threads do not divide so. Without `spareDims`: the other
/// dimensions, the longest first.
kz::LayoutAttr dealThreads(mlir::MLIRContext *context,
                           llvm::ArrayRef<int64_t> shape, kz::ThreadsAttr step,
                           llvm::ArrayRef<int64_t> spareDims);
kz::LayoutAttr dealThreads(mlir::MLIRContext *context,
                           llvm::ArrayRef<int64_t> shape, kz::ThreadsAttr step);

/// Why a thread cannot hold its part of `layout`: what could never run fast and
/// would take minutes to compile.
std::optional<std::string> explainRegisters(kz::LayoutAttr layout);

/// The Linalg operation other than a fill that computes `value`, through
/// markers; null where there is none.
mlir::linalg::LinalgOp getProducer(mlir::Value value);

/// How a reduction combines: `acc' = acc <kind> element`, where `element` is
/// computed in the body from the inputs alone.
struct Combiner {
  mlir::vector::CombiningKind kind;
  mlir::Value element;
  /// The value that changes nothing when combined.
  mlir::TypedAttr neutral;
};

/// The combiner of the one result of a reduction; nothing where the body is not
/// of that form.
std::optional<Combiner> getCombiner(mlir::linalg::LinalgOp op);

/// The constant that all of `value` is: of a fill (through markers), or of a
/// constant tensor (through slices).
std::optional<mlir::TypedAttr> getFillConstant(mlir::Value value);

} // namespace kernelzero::l1

#endif // KERNELZERO_LIB_TRANSFORMS_TOTILE_L1ANALYSIS_H
