//===- KernelEmitter.h - one grid of L1 as a kernel of L2 -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_TOTILE_KERNELEMITTER_H
#define KERNELZERO_LIB_TRANSFORMS_TOTILE_KERNELEMITTER_H

#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "L1Analysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace kernelzero::l1 {

/// The buffers of a task, as kernels see them: arguments, then results, then
/// workspaces for what passes from one grid to the next.
struct TaskBuffers {
  struct Buffer {
    mlir::MemRefType type;
    bool workspace = false;
    int64_t number = 0;
  };
  /// By argument of the task, or result of a grid.
  llvm::MapVector<mlir::Value, Buffer> byValue;
  llvm::SmallVector<int64_t> workspaceBytes;
};

/// Writes the kernel of one grid. It chooses nothing: what the schedule did not
/// say is an error that names the step to add.
class KernelEmitter {
public:
  KernelEmitter(mlir::func::FuncOp task, mlir::scf::ForallOp grid,
                const TaskBuffers &buffers, int64_t multiprocessors)
      : task(task), grid(grid), buffers(buffers),
        multiprocessors(multiprocessors), b(task.getContext()) {}

  /// Emits in front of the task, under `name`.
  mlir::LogicalResult emit(llvm::StringRef name);

private:
  enum class Role { All, Producer, Consumer };

  // Analysis of the grid.
  mlir::LogicalResult analyse();
  mlir::LogicalResult analyseContraction();
  mlir::LogicalResult placeGrid();
  mlir::LogicalResult placeCopies();
  mlir::LogicalResult placeFrom(mlir::linalg::LinalgOp last,
                                llvm::ArrayRef<mlir::linalg::LinalgOp> ops);
  mlir::LogicalResult chooseLayout();
  mlir::LogicalResult place(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  mlir::LogicalResult findRingTiles();
  mlir::LogicalResult placeCopy(int64_t number);

  /// First value, step and number of trips of each dimension of a grid, or of
  /// the loop of a contraction.
  struct GridDim {
    int64_t lower, step, trips;
  };
  static mlir::FailureOr<llvm::SmallVector<GridDim>>
  getGridDims(mlir::scf::ForallOp grid);
  static mlir::FailureOr<GridDim> getTrips(mlir::scf::ForOp loop);

  // Grid and loops.
  void emitTileCoordinates(mlir::Value linear);
  mlir::LogicalResult emitGrid(Role role);
  mlir::LogicalResult emitBody(Role role);
  mlir::LogicalResult emitRoledLoop(Role role);
  mlir::LogicalResult emitPipelinedLoop();
  mlir::LogicalResult emitCopies(mlir::ValueRange slot);
  mlir::LogicalResult emitCopyThroughRegisters(int64_t number,
                                               mlir::Value slotTile);
  mlir::Value emitMma(mlir::ValueRange slot, mlir::Value acc);

  // Tiles in registers.
  mlir::LogicalResult emitMap(mlir::linalg::LinalgOp op);
  mlir::LogicalResult emitReduction(mlir::linalg::LinalgOp op);
  mlir::LogicalResult emitStore(mlir::tensor::ParallelInsertSliceOp insert);
  mlir::FailureOr<mlir::Value> getTile(mlir::Value value);
  mlir::FailureOr<mlir::Value> getOperand(mlir::linalg::LinalgOp op,
                                          mlir::OpOperand *operand,
                                          llvm::ArrayRef<int64_t> opDims);
  mlir::FailureOr<mlir::Value> load(mlir::Value value, View view);
  mlir::FailureOr<mlir::Value> fetch(mlir::tensor::ExtractOp extract,
                                     mlir::IRMapping &mapping);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  mapBody(mlir::linalg::LinalgOp op, mlir::Value onlyResult,
          llvm::ArrayRef<int64_t> opDims);

  // Scalars and buffers.
  mlir::Value index(int64_t value);
  mlir::Value scalar(mlir::Value value);
  mlir::Value coordinate(const View::Offset &offset);
  mlir::Value buffer(mlir::Value root);
  llvm::SmallVector<mlir::Value> coordinates(const View &view);
  /// The `dims` of an access: left out where the tile runs along the last
  /// dimensions of the buffer, in order.
  mlir::DenseI64ArrayAttr getDimsAttr(mlir::Value buffer,
                                      llvm::ArrayRef<int64_t> dims);

  /// Reference dimensions of the loops of `op`, -1 where unknown.
  llvm::SmallVector<int64_t> getLoopDims(mlir::linalg::LinalgOp op);
  /// `dims` without -1, sorted: the order of a tile's dimensions.
  static llvm::SmallVector<int64_t> sorted(llvm::ArrayRef<int64_t> dims);
  kz::LayoutAttr getLayout(llvm::ArrayRef<int64_t> dims);
  kz::TileType getTileType(llvm::ArrayRef<int64_t> dims, mlir::Type element);
  /// Extents of the tile's dimensions where the layout is larger than the tile.
  llvm::SmallVector<mlir::Value> getExtents(llvm::ArrayRef<int64_t> dims);

  mlir::func::FuncOp task;
  mlir::scf::ForallOp grid;
  const TaskBuffers &buffers;
  int64_t multiprocessors;
  mlir::OpBuilder b;

  /// Which thread holds which element of the values of some operations. There
  /// is one dimension for each loop of the last operation (and for summed
  /// dimensions that it does not have); every tile has its dimensions in the
  /// order of the space.
  struct Space {
    llvm::SmallVector<int64_t> shape; // bound of each dimension
    llvm::SmallVector<bool> squeezed; // dimensions that tiles do not have
    llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> placed;
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> loopDims;
    kz::LayoutAttr layout; // of all dimensions that are not squeezed
  };
  /// Of the tiles of the ring that go through registers, by tile number.
  llvm::DenseMap<int64_t, Space> copySpaces;

  // What the analysis found.
  Space space;                 // the one that is emitted in
  mlir::linalg::LinalgOp root; // last operation of the grid
  llvm::SmallVector<mlir::linalg::LinalgOp> prologue; // in the pipelined loop
  int64_t threads = 0;
  mlir::scf::ForOp loop; // the pipelined loop of a contraction, if any
  mlir::linalg::LinalgOp contraction;
  llvm::SmallVector<kz::StagedOp> ringTiles;
  /// What one of them is as an operand: which dimensions of its tensor are the
  /// rows and columns of the tile in shared memory, and how large that is:
  /// whole instructions, filled up with zeros. Along dimension `sum` its
  /// elements are summed up; `clip` says that what follows them there is not
  /// zero by itself.
  struct RingTile {
    int64_t row, column, sum;
    llvm::SmallVector<int64_t> shape;
    bool clip = false;
  };
  llvm::SmallVector<RingTile> ringShapes;
  kz::RolesAttr roles;
  int64_t stages = 0;
  int64_t numTiles = 0, numBlocks = 0;

  // State of the emission.
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, mlir::Value> tiles;
  llvm::DenseSet<mlir::Value> readOnce; // read by one operation, not staged
  llvm::DenseMap<mlir::Value, mlir::Value> arguments; // root to kernel argument
  mlir::Value ring;
  mlir::Value use;     // number of the next use of the ring
  mlir::Value staging; // shared tile that a result goes through, if any
};

} // namespace kernelzero::l1

#endif // KERNELZERO_LIB_TRANSFORMS_TOTILE_KERNELEMITTER_H
