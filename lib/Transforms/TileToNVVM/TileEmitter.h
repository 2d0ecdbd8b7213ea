//===- TileEmitter.h - one kernel from L2 to L3 ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORMS_TILETONVVM_TILEEMITTER_H
#define KZ_TRANSFORMS_TILETONVVM_TILEEMITTER_H

#include "IndexFacts.h"
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/ScopeExit.h"

namespace kernelzero::kz::tile {

/// The threads that run a region: all of a block, or those of one role.
struct Role {
  mlir::Value thread, lane, warp; ///< i32, counted from the role's first.
  int64_t threads = 0;
  int64_t barrier = 0; ///< Number of the hardware barrier of all of them.
  /// Values made from the thread number alone go behind this operation.
  mlir::Operation *prologue = nullptr;
  llvm::DenseMap<LayoutAttr, llvm::SmallVector<mlir::Value>> bases;
  mlir::Value warpgroup; ///< Made when first asked for, as the next two.
  mlir::Value leads;
  llvm::DenseMap<LayoutAttr, llvm::SmallVector<mlir::Value>> warpgroupBases;
};

/// The hardware barriers of a ring's slots: pointers to the first of each.
struct RingBarriers {
  mlir::Value full, empty;
};

/// Writes the L3 function of one kernel. L2 values map to L3 values: a scalar
/// to one, a tile in registers to one a register (or, as accumulators of
/// `wgmma`, to one struct an instruction), a tile in shared memory and a ring
/// to the pointer to its start. Each family of operations has a file of its
/// own: Access, Elementwise, Reduce, Shared, MmaSync, Wgmma, Pipeline.
class TileEmitter {
public:
  TileEmitter(KernelOp kernel, mlir::OpBuilder &moduleBuilder,
              llvm::StringRef sharedSymbol);

  /// Writes the function; faults are reported on the operations.
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> run();

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The L3 value of a scalar, a coordinate, a tile in shared memory or a ring.
  mlir::Value lookup(mlir::Value value);
  /// The registers of a tile, one scalar each.
  llvm::ArrayRef<mlir::Value> registers(mlir::Value tile);
  /// The accumulators of a tile as structs of `perStruct` registers.
  llvm::SmallVector<mlir::Value> packed(mlir::Value tile, int64_t perStruct);
  void bind(mlir::Value value, llvm::ArrayRef<mlir::Value> values);
  /// Registers a struct for a tile that is carried as structs; 0: scalars.
  int64_t registersPerStruct(mlir::Value tile);
  /// L3 types of an L2 value.
  void typesOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Type> &types);
  static mlir::LLVM::LLVMStructType structOf(mlir::Type element, int64_t count);

  /// What memory holds of an element, and its bytes: one bit takes a byte.
  static mlir::Type storedType(mlir::Type element);
  static int64_t storedBytes(mlir::Type element);
  /// An element on its way to memory, and back.
  mlir::Value toStored(mlir::Value value);
  mlir::Value fromStored(mlir::Value value, mlir::Type element);
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value andMasks(mlir::Value a, mlir::Value b); ///< Null: true.

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  Role &role() { return roles.back(); }
  /// Enters a role whose first thread is `first`; code goes where the builder
  /// stands.
  void pushRole(int64_t first, int64_t threads, int64_t barrier);
  void popRole() { roles.pop_back(); }
  /// Coordinates of register 0 of the calling thread.
  llvm::ArrayRef<mlir::Value> baseCoordinates(LayoutAttr layout);
  /// The digit of `step` among the steps of a lane or warp list.
  mlir::Value digit(llvm::ArrayRef<LayoutStep> steps, size_t index,
                    mlir::Value number);
  /// Number of the warpgroup in its role, the same for the whole warp.
  mlir::Value warpgroup();
  /// Coordinates of the first element of the calling warpgroup.
  llvm::SmallVector<mlir::Value> warpgroupBase(LayoutAttr layout);
  /// True in one thread of each warpgroup.
  mlir::Value leads();
  /// Waits for the other threads of the warpgroup.
  void warpgroupBarrier();
  /// True in the thread that holds the first copy of its elements; null where
  /// there is one copy.
  mlir::Value isFirstCopy(LayoutAttr layout);
  void barrier();
  /// Runs `body` with the builder where values of the thread number go.
  template <typename Fn> auto inPrologue(Fn body) {
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Operation *last = role().prologue;
    mlir::Operation *next = last->getNextNode();
    b.setInsertionPointAfter(last);
    llvm::scope_exit leave([&] {
      role().prologue = next ? next->getPrevNode() : &last->getBlock()->back();
    });
    return body();
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// Takes dynamic shared memory; its offset from the start.
  int64_t takeShared(int64_t bytes, int64_t alignment);
  /// Pointer to byte `offset` of the dynamic shared memory.
  mlir::Value sharedPointer(int64_t offset);
  mlir::Value pointerAt(mlir::Value pointer, mlir::Value byteOffset);
  mlir::Value pointerAt(mlir::Value pointer, int64_t byteOffset);
  /// Offset in bytes of element (row, column * bytes) in a tile in shared
  /// memory. `columnByte` is split in a part of the thread and a static one
  /// where it can be.
  mlir::Value sharedOffset(TileType tile, mlir::Value row,
                           mlir::Value columnByte);
  /// Byte offset of slot `use` of a ring from its start, and of its tiles.
  static int64_t slotBytes(RingType ring);
  static llvm::SmallVector<int64_t> tileOffsets(RingType ring);
  /// Pointers to the tiles of the slot of `use` (i32) of a ring.
  llvm::SmallVector<mlir::Value> slotTiles(mlir::Value ring, mlir::Value use);
  /// The number of the buffer argument behind an L2 value.
  unsigned bufferNumber(mlir::Value buffer);
  /// An argument of the function that is a tensor map over `buffer`; box in
  /// the buffer's dimensions, outermost first.
  mlir::Value tensorMap(mlir::Value buffer, llvm::ArrayRef<int64_t> box,
                        int64_t swizzle, bool written);
  mlir::Value bufferPointer(mlir::Value buffer, bool written);

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emit(mlir::Operation *op);

  mlir::ImplicitLocOpBuilder b;
  IndexFacts facts;

private:
  mlir::LogicalResult emitScalar(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  /// L3 values of what a region passes on, in the form of `arguments`.
  void carriedValues(mlir::ValueRange list, mlir::ValueRange arguments,
                     llvm::SmallVectorImpl<mlir::Value> &result);
  void bindCarried(mlir::ValueRange l2,
                   llvm::ArrayRef<llvm::SmallVector<mlir::Type>> types,
                   mlir::ValueRange l3);
  // Access.cpp
  mlir::LogicalResult emitLoad(LoadOp op);
  mlir::LogicalResult emitStore(StoreOp op);
  // Elementwise.cpp
  mlir::LogicalResult emitMap(MapOp op);
  mlir::Value emitFetch(FetchOp op, llvm::ArrayRef<mlir::Value> coordinates);
  mlir::LogicalResult emitSplat(SplatOp op);
  mlir::LogicalResult emitBroadcast(BroadcastOp op);
  mlir::LogicalResult emitClip(ClipOp op);
  // Reduce.cpp
  mlir::LogicalResult emitReduce(ReduceOp op);
  // Shared.cpp
  mlir::LogicalResult emitAlloc(AllocOp op);
  mlir::LogicalResult emitRing(RingOp op);
  mlir::LogicalResult emitSlot(SlotOp op);
  mlir::LogicalResult emitPut(PutOp op);
  mlir::LogicalResult emitCpAsync(CpAsyncOp op);
  // MmaSync.cpp
  mlir::LogicalResult emitMmaSync(MmaOp op);
  // Fma.cpp
  mlir::LogicalResult emitFma(MmaOp op);
  // Wgmma.cpp
  mlir::LogicalResult emitWgmma(MmaOp op);
  mlir::LogicalResult emitMmaWait(MmaWaitOp op);
  // Pipeline.cpp
  mlir::LogicalResult emitSpecialize(SpecializeOp op);
  mlir::LogicalResult emitRingBarriers(RingOp op);
  mlir::LogicalResult emitProduce(ProduceOp op);
  mlir::LogicalResult emitConsume(ConsumeOp op);
  mlir::LogicalResult emitRelease(ReleaseOp op);
  mlir::LogicalResult emitTmaLoad(TmaLoadOp op);
  mlir::LogicalResult emitTmaStore(TmaStoreOp op);
  mlir::LogicalResult emitTmaStoreWait(TmaStoreWaitOp op);
  std::pair<mlir::Value, mlir::Value> slotAndPhase(mlir::Value use,
                                                   int64_t stages);
  void waitPhase(mlir::Value barrier, mlir::Value phase);
  void bindSlot(mlir::Operation *op, mlir::Value ring, mlir::Value slot);
  llvm::SmallVector<mlir::Value> boxCoordinates(mlir::OperandRange coordinates,
                                                llvm::ArrayRef<int64_t> dims,
                                                mlir::Value row,
                                                mlir::Value column);
  void setRegisters(int64_t count);
  mlir::Value packPair(mlir::Value low, mlir::Value high);
  void prefetchMaps();

  mlir::Type scalarType(mlir::Type type);
  void attachLaunch();

  KernelOp kernel;
  mlir::OpBuilder &moduleBuilder;
  llvm::StringRef sharedSymbol;
  mlir::LLVM::LLVMFuncOp function;
  llvm::SmallVector<Role, 2> roles;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> values;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> unpackedTiles;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  /// Conditions that hold, or do not, where code is being emitted.
  llvm::DenseMap<mlir::Value, bool> knownConditions;
  mlir::Operation *lastConstant = nullptr;
  mlir::Value sharedBase;
  int64_t sharedBytes = 0;
  llvm::DenseMap<mlir::Value, RingBarriers> ringBarriers;
  llvm::DenseMap<mlir::Value, mlir::Value> fullBarriers; ///< Of tiles to fill.
  mlir::scf::IfOp setup; ///< What one thread does before all else.

  /// Arguments of the function in order.
  struct Argument {
    unsigned buffer;
    bool isMap = false;
    llvm::SmallVector<int64_t> box;
    int64_t swizzle = 0;
    bool used = false, written = false;
  };
  llvm::SmallVector<Argument> arguments;
};

/// Addresses in tiles of one type in shared memory, split into a part of the
/// thread, emitted once, and a constant.
class SharedAddresses {
public:
  SharedAddresses(TileEmitter &emitter, TileType tile)
      : emitter(emitter), tile(tile) {}

  /// What the thread adds to the coordinates asked for. Both follow from the
  /// thread number alone.
  mlir::Value row, columnByte;
  /// The address of (thread's row + rowOffset, thread's column + columnOffset
  /// bytes) in the tile that starts at `pointer`.
  mlir::Value at(mlir::Value pointer, int64_t rowOffset, int64_t columnOffset);

private:
  TileEmitter &emitter;
  TileType tile;
  llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value> threadParts;
};

/// Tests of a thread's coordinates against extents of a tile, each emitted
/// once. Extents that cover the tile need none.
class ExtentMasks {
public:
  ExtentMasks(TileEmitter &emitter, LayoutAttr layout,
              mlir::ValueRange extents);
  /// Whether the element at `offsets` from the thread's first is inside; null:
  /// always.
  mlir::Value at(llvm::ArrayRef<int64_t> offsets);
  bool has(int64_t dim) const {
    return dim < static_cast<int64_t>(extents.size()) && extents[dim];
  }

private:
  TileEmitter &emitter;
  LayoutAttr layout;
  llvm::SmallVector<mlir::Value> extents;
  llvm::SmallVector<llvm::DenseMap<int64_t, mlir::Value>> cache;
};

} // namespace kernelzero::kz::tile

#endif // KZ_TRANSFORMS_TILETONVVM_TILEEMITTER_H
