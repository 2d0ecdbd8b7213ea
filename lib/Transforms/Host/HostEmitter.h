//===- HostEmitter.h - from L1 on buffers to loops and vectors -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_TRANSFORMS_HOST_HOSTEMITTER_H
#define KERNELZERO_LIB_TRANSFORMS_HOST_HOSTEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kernelzero::host {

/// Marks on the `memref.alloc` of a packed value: the dimension that is cut
/// into panels, the panel width, the leading batch dimensions, and the type
/// that panels hold where it is wider than the value's.
inline constexpr llvm::StringLiteral kPanelDim = "kz.panel_dim";
inline constexpr llvm::StringLiteral kPanelWidth = "kz.panel_width";
inline constexpr llvm::StringLiteral kPanelBatch = "kz.panel_batch";
inline constexpr llvm::StringLiteral kPanelType = "kz.panel_type";

/// Bytes of the widest vector register that code is laid out for.
inline constexpr int64_t kVectorBytes = 64;
inline constexpr int64_t kVectorRegisters = 32;

/// A buffer, or a part of one: where it starts and how it is laid out. All
/// numbers are i64 values, constants where they are known.
struct View {
  mlir::Value base;
  /// What memory holds; `i1` is kept as `i8`.
  mlir::Type element;
  llvm::SmallVector<mlir::Value> sizes, strides;
  /// Panels: dimension `panelDim` is cut into panels of `panelWidth`, which lie
  /// `panelStride` apart; the other dimensions have strides as usual.
  int64_t panelDim = -1, panelWidth = 0;
  mlir::Value panelStride;
  /// Where the view starts along `panelDim`, relative to the panel at `base`;
  /// null for at its start.
  mlir::Value panelOffset;
};

/// Emits one task, already bufferized, as functions over raw pointers: scf
/// loops, arith, 1-D vectors, loads and stores of the LLVM dialect.
class Emitter {
public:
  Emitter(mlir::func::FuncOp source, mlir::ModuleOp module);

  mlir::LogicalResult emit();
  int64_t getSharedBytes() const { return sharedBytes; }
  int64_t getPrivateBytes() const { return privateBytes; }

private:
  //===--------------------------------------------------------------------===//
  // Numbers (HostValues.cpp)
  //===--------------------------------------------------------------------===//

  mlir::Value number(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value floorDiv(mlir::Value a, int64_t b);
  mlir::Value ceilDiv(mlir::Value a, int64_t b);
  mlir::Value remainder(mlir::Value a, int64_t b);
  static std::optional<int64_t> constant(mlir::Value value);
  /// A number that divides `value`; 0 divides only 0.
  int64_t divisor(mlir::Value value);
  struct Range {
    std::optional<int64_t> low, high;
  };
  Range range(mlir::Value value);
  mlir::Value evaluate(mlir::AffineExpr expr, mlir::ValueRange dims,
                       mlir::ValueRange symbols);

  //===--------------------------------------------------------------------===//
  // Memory (HostValues.cpp)
  //===--------------------------------------------------------------------===//

  mlir::Value offset(mlir::Value base, mlir::Type element, mlir::Value index);
  mlir::Value offset(mlir::Value base, mlir::Type element, int64_t index);
  mlir::Value address(const View &view, llvm::ArrayRef<mlir::Value> indices);
  /// `lanes` elements, a scalar for 0; as `type`, which is i1 where memory
  /// holds i8. Lanes that `mask` leaves out are zero.
  mlir::Value load(mlir::Value pointer, mlir::Type type, int64_t lanes,
                   mlir::Value mask = {});
  void store(mlir::Value value, mlir::Value pointer, mlir::Value mask = {});
  mlir::Value splat(mlir::Value scalar, int64_t lanes);
  mlir::Value convert(mlir::Value value, mlir::Type element);
  mlir::Value zero(mlir::Type type);
  /// Lanes below `count`.
  mlir::Value maskBelow(mlir::Value count, int64_t lanes);
  static mlir::Type storage(mlir::Type type);
  static int64_t bytes(mlir::Type type);

  //===--------------------------------------------------------------------===//
  // Control (HostEmitter.cpp)
  //===--------------------------------------------------------------------===//

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loop(mlir::Value low, mlir::Value high,
                                      int64_t step, mlir::ValueRange inits,
                                      Body body);
  void loop(mlir::Value low, mlir::Value high, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void when(mlir::Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);

  //===--------------------------------------------------------------------===//
  // Payload (HostEmitter.cpp)
  //===--------------------------------------------------------------------===//

  /// Everything that belongs to one function under construction.
  struct Scope {
    mlir::func::FuncOp func;
    /// What does not belong to any loop is made in front of this operation.
    mlir::Operation *start = nullptr;
    llvm::DenseMap<mlir::Value, View> views;
    mlir::IRMapping scalars;
    /// What the function was called with.
    llvm::DenseMap<int64_t, mlir::Value> arguments;
  };
  mlir::Value number(mlir::OpFoldResult value);
  mlir::Value scalar(mlir::Value value);
  mlir::Value argument(int64_t index);
  View view(mlir::Value memref);
  View subview(mlir::memref::SubViewOp op);
  mlir::FailureOr<View> makeView(mlir::Operation *op);
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOperation(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitGrid(mlir::scf::ForallOp op);
  mlir::LogicalResult emitAlloc(mlir::memref::AllocOp op);
  mlir::LogicalResult emitCopy(mlir::Operation *op, mlir::Value source,
                               mlir::Value target);
  bool isSameView(mlir::Value a, mlir::Value b);

  //===--------------------------------------------------------------------===//
  // Packing (HostPacking.cpp)
  //===--------------------------------------------------------------------===//

  void emitPack(const View &source, mlir::Type element, const View &packed);
  void packRows(const View &source, mlir::Type element, const View &packed,
                mlir::Value from, mlir::Value to, mlir::Value rows,
                mlir::Value count, bool edge);
  void packTransposed(const View &source, mlir::Type element,
                      const View &packed, mlir::Value from, mlir::Value to,
                      mlir::Value rows, mlir::Value count, bool edge);

  //===--------------------------------------------------------------------===//
  // Any Linalg operation (HostLinalg.cpp)
  //===--------------------------------------------------------------------===//

  struct LinalgState;
  mlir::LogicalResult emitLinalg(mlir::linalg::LinalgOp op);
  mlir::LogicalResult emitRegion(LinalgState &state, mlir::ValueRange arguments,
                                 mlir::ValueRange ivs, int64_t lanes,
                                 mlir::Value mask,
                                 llvm::SmallVectorImpl<mlir::Value> &results);
  mlir::Value emitRead(LinalgState &state, mlir::memref::LoadOp read,
                       mlir::ValueRange ivs, const mlir::IRMapping &mapping,
                       int64_t lanes, mlir::Value mask);
  mlir::Value evaluateIndex(mlir::AffineExpr expr, mlir::ValueRange operands,
                            unsigned numDims, int64_t lanes);
  std::optional<int64_t> getStep(LinalgState &state, mlir::Value value);
  mlir::Value firstLane(LinalgState &state, mlir::Value value,
                        mlir::ValueRange ivs, mlir::IRMapping &known);
  mlir::Value vectorized(mlir::Operation *op, mlir::IRMapping &mapping,
                         int64_t lanes);
  mlir::LogicalResult emitPoint(LinalgState &state,
                                llvm::SmallVector<mlir::Value> ivs,
                                int64_t lanes, mlir::Value mask);
  void findAcross(LinalgState &state);
  llvm::SmallVector<mlir::Value>
  transpose(llvm::SmallVector<mlir::Value> vectors);
  void emitBlock(LinalgState &state, llvm::SmallVector<mlir::Value> ivs);
  void emitStill(LinalgState &state, llvm::SmallVector<mlir::Value> ivs);
  void emitReduction(LinalgState &state, llvm::SmallVector<mlir::Value> ivs);
  mlir::Value loadOperand(LinalgState &state, unsigned operand,
                          llvm::ArrayRef<mlir::Value> ivs, int64_t lanes,
                          mlir::Value mask);
  void storeOperand(LinalgState &state, unsigned operand, mlir::Value value,
                    llvm::ArrayRef<mlir::Value> ivs, int64_t lanes,
                    mlir::Value mask);
  mlir::Value reduceLanes(mlir::Operation *combiner, mlir::Value vector);

  //===--------------------------------------------------------------------===//
  // The register tile (HostContraction.cpp)
  //===--------------------------------------------------------------------===//

  struct Tile;
  /// Emits `op` as a tile in vector registers. `loop`, where given, runs over
  /// its summed dimension and is emitted along with it.
  mlir::LogicalResult emitContraction(mlir::linalg::LinalgOp op,
                                      mlir::scf::ForOp loop);
  mlir::linalg::LinalgOp matchSummingLoop(mlir::scf::ForOp op);
  void emitTile(Tile &tile, mlir::Value init);

  mlir::func::FuncOp source;
  mlir::ModuleOp module;
  mlir::OpBuilder b;
  mlir::Location loc;
  Scope *scope = nullptr;
  unsigned numArguments = 0, numGrids = 0;
  int64_t sharedBytes = 0, privateBytes = 0, privateTop = 0;
  bool inGrid = false;
  /// Place of every workspace buffer.
  llvm::DenseMap<mlir::Operation *, int64_t> places;
  llvm::DenseMap<mlir::Value, int64_t> divisors;
  llvm::DenseMap<mlir::Value, Range> ranges;
  /// A fill that the next contraction takes as its start instead.
  mlir::linalg::FillOp pendingFill;
};

} // namespace kernelzero::host

#endif // KERNELZERO_LIB_TRANSFORMS_HOST_HOSTEMITTER_H
