//===- MmaSync.h - products by ldmatrix and mma.sync ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORMS_TILETONVVM_MMASYNC_H
#define KZ_TRANSFORMS_TILETONVVM_MMASYNC_H

#include "TileEmitter.h"
#include <optional>

namespace kernelzero::kz::tile {

/// Operands of the products of one step of k, in registers: the words of every
/// block of rows of A and of every block of columns of B.
struct Fragments {
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> a, b;

  llvm::SmallVector<mlir::Value> flatten() const;
  /// Fragments of the shape of these, made of `list`.
  Fragments unflatten(mlir::ValueRange list) const;
};

/// Emits one product of tiles by mma.sync, step by step.
class MmaSyncEmitter {
public:
  MmaSyncEmitter(TileEmitter &emitter, MmaOp op);

  /// Elements that the whole product adds up; a step is 16.
  int64_t getDepth() const { return depth; }
  /// Fragments of step `k` from the tiles that start at `a` and `b`.
  Fragments load(mlir::Value a, mlir::Value b, int64_t k);
  void multiply(const Fragments &fragments,
                llvm::MutableArrayRef<mlir::Value> accumulators);

private:
  llvm::SmallVector<mlir::Value> loadMatrices(mlir::Value address,
                                              int64_t count, bool transpose);

  TileEmitter &emitter;
  MmaOp op;
  bool transposed, isF16 = true;
  int64_t depth = 0;
  SharedAddresses addressesA, addressesB;
  llvm::SmallVector<int64_t> rowBlocks, columnBlocks;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> blockAt;
};

/// A loop over the slots of a ring that waits, meets, starts copies and
/// multiplies. It is written a step late: the first fragments of a round are
/// loaded in the round before, behind its wait and barrier and ahead of its
/// last products, so that no product waits for shared memory after a barrier.
class MmaLoop {
public:
  static std::optional<MmaLoop> match(mlir::scf::ForOp loop);

  /// What comes before the loop; `first` is then what the loop carries.
  void begin(TileEmitter &emitter, mlir::scf::ForOp loop);
  /// `ahead`: another round is known to follow.
  mlir::LogicalResult emitBody(TileEmitter &emitter, mlir::scf::ForOp loop,
                               mlir::ValueRange carried, bool ahead,
                               llvm::SmallVectorImpl<mlir::Value> &next);

  Fragments first;
  /// The condition under which a round copies ahead, where it holds up to round
  /// `split` and not from there on: the two can do without a branch.
  mlir::Value guard;
  int64_t low = 0, split = 0;

private:
  void findGuard(mlir::scf::ForOp loop);
  Fragments loadFirst(TileEmitter &emitter, mlir::Value use);

  CpAsyncWaitOp wait;
  BarrierOp barrier;
  MmaOp mma;
  std::optional<MmaSyncEmitter> products;
};

} // namespace kernelzero::kz::tile

#endif // KZ_TRANSFORMS_TILETONVVM_MMASYNC_H
