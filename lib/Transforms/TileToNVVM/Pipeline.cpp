//===- Pipeline.cpp - roles, rings with barriers, bulk tensor copies ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

static TileType tileType(Value tile) { return cast<TileType>(tile.getType()); }
static RingType ringType(Value ring) { return cast<RingType>(ring.getType()); }

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Hardware barriers: 0 is that of the block, 1 that of the consumers, and
/// each warpgroup that stores by TMA has one behind.
static constexpr int64_t consumerBarrier = 1;
static constexpr int64_t firstWarpgroupBarrier = 2;

/// The threads of a warpgroup keep `count` registers from here on. A block of
/// one to a multiprocessor starts with equal shares of all, at most 255
/// (rounded up to what is handed out at a time).
void TileEmitter::setRegisters(int64_t count) {
  int64_t start = std::min<int64_t>(65536 / kernel.getThreads() / 8 * 8, 256);
  if (count == start)
    return;
  NVVM::SetMaxRegisterOp::create(b, uint32_t(count),
                                 count < start
                                     ? NVVM::SetMaxRegisterAction::decrease
                                     : NVVM::SetMaxRegisterAction::increase);
}

LogicalResult TileEmitter::emitSpecialize(SpecializeOp op) {
  int64_t threads = role().threads, producers = op.getProducers() * 128;
  Value isProducer = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                           warpgroup(), i32(op.getProducers()));
  Value first =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, role().thread, i32(0));
  auto branch = scf::IfOp::create(b, TypeRange(), isProducer, /*else=*/true);
  OpBuilder::InsertionGuard guard(b);

  b.setInsertionPointToStart(branch.thenBlock());
  setRegisters(op.getRegisters()[0]);
  auto one = scf::IfOp::create(b, TypeRange(), first, /*else=*/false);
  b.setInsertionPointToStart(one.thenBlock());
  // One thread, so no shuffle may make its numbers.
  Role producer;
  producer.thread = producer.lane = producer.warp = i32(0);
  producer.threads = 1;
  producer.prologue = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  roles.push_back(std::move(producer));
  LogicalResult produced = emitBlock(op.getProducer().front());
  popRole();
  if (failed(produced))
    return failure();

  b.setInsertionPointToStart(branch.elseBlock());
  setRegisters(op.getRegisters()[1]);
  pushRole(producers, threads - producers, consumerBarrier);
  LogicalResult consumed = emitBlock(op.getConsumer().front());
  popRole();
  return consumed;
}

/// True in one thread of each warpgroup.
Value TileEmitter::leads() {
  Role &r = role();
  if (r.leads)
    return r.leads;
  r.leads = inPrologue([&]() -> Value {
    Value within = arith::AndIOp::create(b, r.thread, i32(127));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, within, i32(0));
  });
  return r.leads;
}

void TileEmitter::warpgroupBarrier() {
  Value number = add(warpgroup(), i32(firstWarpgroupBarrier));
  NVVM::BarrierOp::create(b, /*res=*/Type(), number, i32(128),
                          NVVM::BarrierReductionAttr(), Value());
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

LogicalResult TileEmitter::emitRingBarriers(RingOp op) {
  bool used = llvm::any_of(op.getResult().getUsers(), [](Operation *user) {
    return isa<ProduceOp, ConsumeOp, ReleaseOp>(user);
  });
  if (!used)
    return success();
  SpecializeOp specialize;
  kernel.walk([&](SpecializeOp found) { specialize = found; });
  if (!specialize)
    return op.emitOpError("is produced and consumed in a kernel without "
                          "kz.specialize");
  int64_t stages = ringType(op.getResult()).getStages();
  int64_t consumers = role().threads / 128 - specialize.getProducers();

  RingBarriers &ring = ringBarriers[op.getResult()];
  ring.full = sharedPointer(takeShared(8 * stages, 8));
  ring.empty = sharedPointer(takeShared(8 * stages, 8));
  Value first =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, role().thread, i32(0));
  {
    OpBuilder::InsertionGuard guard(b);
    setup = scf::IfOp::create(b, TypeRange(), first, /*else=*/false);
    b.setInsertionPointToStart(setup.thenBlock());
    for (int64_t s = 0; s < stages; ++s) {
      // One thread announces the bytes of a slot; each consumer warpgroup
      // releases it once.
      NVVM::MBarrierInitOp::create(b, pointerAt(ring.full, 8 * s), i32(1),
                                   Value());
      NVVM::MBarrierInitOp::create(b, pointerAt(ring.empty, 8 * s),
                                   i32(consumers), Value());
    }
    NVVM::FenceMbarrierInitOp::create(b);
  }
  barrier();
  return success();
}

/// Slot of use number `use` and how often the slot was used before, modulo 2.
std::pair<Value, Value> TileEmitter::slotAndPhase(Value use, int64_t stages) {
  Value slot = arith::RemUIOp::create(b, use, i32(stages));
  Value round = arith::DivUIOp::create(b, use, i32(stages));
  return {slot, arith::AndIOp::create(b, round, i32(1))};
}

void TileEmitter::waitPhase(Value barrier, Value phase) {
  // Comes back only when the phase is over; the number is how long the
  // hardware may sleep in between.
  NVVM::MBarrierTryWaitParityOp::create(b, barrier, phase, i32(10000000));
}

void TileEmitter::bindSlot(Operation *op, Value ring, Value slot) {
  auto type = cast<RingType>(ring.getType());
  Value start = pointerAt(lookup(ring), mul(slot, slotBytes(type)));
  for (auto [tile, offset] :
       llvm::zip_equal(op->getResults(), tileOffsets(type)))
    bind(tile, pointerAt(start, offset));
}

LogicalResult TileEmitter::emitProduce(ProduceOp op) {
  RingType type = ringType(op.getRing());
  RingBarriers ring = ringBarriers.lookup(op.getRing());
  auto [slot, phase] = slotAndPhase(lookup(op.getUse()), type.getStages());
  Value at = mul(slot, 8);
  // At first all slots are empty: the wait for the phase before the first.
  waitPhase(pointerAt(ring.empty, at), arith::XOrIOp::create(b, phase, i32(1)));
  Value full = pointerAt(ring.full, at);
  int64_t bytes = 0;
  for (TileType tile : type.getTiles())
    bytes += tile.getNumBytes();
  NVVM::MBarrierArriveExpectTxOp::create(b, /*res=*/Type(), full, i32(bytes),
                                         NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());
  bindSlot(op, op.getRing(), slot);
  for (Value tile : op.getTiles())
    fullBarriers[tile] = full;
  return success();
}

LogicalResult TileEmitter::emitConsume(ConsumeOp op) {
  RingBarriers ring = ringBarriers.lookup(op.getRing());
  auto [slot, phase] =
      slotAndPhase(lookup(op.getUse()), ringType(op.getRing()).getStages());
  waitPhase(pointerAt(ring.full, mul(slot, 8)), phase);
  bindSlot(op, op.getRing(), slot);
  return success();
}

LogicalResult TileEmitter::emitRelease(ReleaseOp op) {
  RingBarriers ring = ringBarriers.lookup(op.getRing());
  Value slot = arith::RemUIOp::create(b, lookup(op.getUse()),
                                      i32(ringType(op.getRing()).getStages()));
  Value empty = pointerAt(ring.empty, mul(slot, 8));
  auto one = scf::IfOp::create(b, TypeRange(), leads(), /*else=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(one.thenBlock());
  NVVM::MBarrierArriveOp::create(b, b.getI64Type(), empty, Value());
  return success();
}

//===----------------------------------------------------------------------===//
// Bulk tensor copies
//===----------------------------------------------------------------------===//

/// The box of a buffer that a part of a tile covers, of size `sizes` along the
/// dimensions `dims`; one along the others.
static SmallVector<int64_t> boxOf(int64_t rank, ArrayRef<int64_t> dims,
                                  ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> box(rank, 1);
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    box[dim] = size;
  return box;
}

/// Coordinates of a box, innermost first, as the instruction wants them.
SmallVector<Value> TileEmitter::boxCoordinates(OperandRange coordinates,
                                               ArrayRef<int64_t> dims,
                                               Value row, Value column) {
  SmallVector<Value> at;
  for (Value coordinate : coordinates)
    at.push_back(lookup(coordinate));
  if (row)
    at[dims[0]] = add(at[dims[0]], row);
  if (column)
    at[dims.back()] = add(at[dims.back()], column);
  std::reverse(at.begin(), at.end());
  return at;
}

LogicalResult TileEmitter::emitTmaLoad(TmaLoadOp op) {
  TileType tile = tileType(op.getTile());
  Value full = fullBarriers.lookup(op.getTile());
  SmallVector<int64_t> dims = op.getBufferDims();
  int64_t columns = tile.getPanelColumns();
  int64_t rows = tile.getNumElements() / tile.getShape().back();
  SmallVector<int64_t> sizes(tile.getShape());
  sizes.back() = columns;
  int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  Value map = tensorMap(op.getBuffer(),
                        boxOf(op.getBufferType().getRank(), dims, sizes),
                        tile.getSwizzle(), /*written=*/false);
  Value start = lookup(op.getTile());
  auto space = LLVM::LLVMPointerType::get(b.getContext(), 7);
  for (int64_t column = 0; column < tile.getShape().back(); column += columns) {
    Value to = pointerAt(start, column * rows * bytes);
    to = LLVM::AddrSpaceCastOp::create(b, space, to);
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, to, map,
        boxCoordinates(op.getCoordinates(), dims, Value(),
                       column ? i32(column) : Value()),
        full, ValueRange(), Value(), Value(), NVVM::TMALoadMode::TILE,
        /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
  }
  return success();
}

/// Two neighbouring elements of 16 bits as one register.
Value TileEmitter::packPair(Value low, Value high) {
  Type element = low.getType();
  auto lowCut = low.getDefiningOp<arith::TruncFOp>();
  auto highCut = high.getDefiningOp<arith::TruncFOp>();
  if (lowCut && highCut && lowCut.getIn().getType().isF32() &&
      highCut.getIn().getType().isF32()) {
    // One instruction rounds both; LLVM makes three of it.
    StringRef code = element.isF16() ? "cvt.rn.f16x2.f32 $0, $1, $2;"
                                     : "cvt.rn.bf16x2.f32 $0, $1, $2;";
    return NVVM::InlinePtxOp::create(
               b, TypeRange(b.getI32Type()),
               ValueRange{highCut.getIn(), lowCut.getIn()}, ValueRange(),
               b.getStringAttr(code), Value())
        .getResult(0);
  }
  auto pair = VectorType::get({2}, element);
  Value vector = vector::FromElementsOp::create(b, pair, ValueRange{low, high});
  return LLVM::BitcastOp::create(b, b.getI32Type(), vector);
}

LogicalResult TileEmitter::emitTmaStore(TmaStoreOp op) {
  TileType tile = tileType(op.getTile()), staging = tileType(op.getStaging());
  LayoutAttr layout = tile.getLayout();
  int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  if (tile.getRank() != 2 || staging.getRank() != 2 ||
      !layout.isWgmmaAccumulator(8) || (bytes != 2 && bytes != 4))
    return op.emitOpError("stores a tile that is not dealt as accumulators of "
                          "wgmma, with elements of 2 or 4 bytes");
  int64_t warpgroups = role().threads / 128;
  // What a warpgroup holds: blocks of 64 rows and 8 columns, four registers a
  // thread each, by their place.
  DenseMap<std::pair<int64_t, int64_t>, int64_t> blocks;
  SmallVector<int64_t> rowBlocks;
  int64_t columns = 0;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += 4) {
    SmallVector<int64_t> at = layout.getOffsets(reg);
    blocks[{at[0], at[1]}] = reg;
    if (!llvm::is_contained(rowBlocks, at[0]))
      rowBlocks.push_back(at[0]);
    columns = std::max(columns, at[1] + 8);
  }
  // Warpgroups stand in a grid, and the staging tile is dealt to it alike.
  int64_t grid[2] = {1, 1};
  for (const LayoutStep &step : layout.getWarp().drop_front())
    if (!step.isCopy())
      grid[step.dim] *= step.extent;
  int64_t span = staging.getSwizzle(), perPanel = staging.getPanelColumns();
  int64_t stagingRows = staging.getShape()[0];
  int64_t height = stagingRows / grid[0];
  int64_t width = staging.getShape()[1] / grid[1];
  if (span == 0 || grid[0] * grid[1] != warpgroups || height == 0 ||
      width == 0 || stagingRows % (64 * grid[0]) != 0 ||
      staging.getShape()[1] % (perPanel * grid[1]) != 0 ||
      int64_t(rowBlocks.size()) % (height / 64) != 0 || columns % width != 0 ||
      int64_t(blocks.size()) * 8 != int64_t(rowBlocks.size()) * columns)
    return op.emitOpError()
           << "goes through a tile of " << shapeText(staging.getShape())
           << ", swizzled over " << span << " bytes; each of " << grid[0] << "x"
           << grid[1]
           << " warpgroups needs a part of its own, of whole panels and blocks "
              "of 64 rows, that divides its part of the tile, "
           << rowBlocks.size() * 64 << "x" << columns;

  // Pieces of 16 bytes in a row of a panel are permuted by the row's number.
  int64_t panelBytes = stagingRows * span;
  SmallVector<Value> base = warpgroupBase(layout);
  Value start = lookup(op.getStaging());
  Role &r = role();
  Value ownBytes = inPrologue([&] {
    Value warp = mul(warpgroup(), 4), own = i32(0);
    int64_t below[2] = {height * span, width / perPanel * panelBytes};
    ArrayRef<LayoutStep> steps = layout.getWarp();
    for (size_t i = 1; i < steps.size(); ++i) {
      if (steps[i].isCopy())
        continue;
      own = add(own, mul(digit(steps, i, warp), below[steps[i].dim]));
      below[steps[i].dim] *= steps[i].extent;
    }
    return own;
  });
  // Row of the thread in its 64: stmatrix takes addresses of rows of 8 x 8
  // blocks, eight lanes each; plain stores go where the fragment is.
  std::array<Value, 3> place = inPrologue([&] {
    Value warp = arith::AndIOp::create(b, r.warp, i32(3));
    Value row, column;
    if (bytes == 2) {
      Value matrix = arith::ShRUIOp::create(b, r.lane, i32(3));
      row = add(mul(arith::AndIOp::create(b, matrix, i32(1)), 8),
                arith::AndIOp::create(b, r.lane, i32(7)));
      column = arith::ShRUIOp::create(b, matrix, i32(1));
    } else {
      row = arith::ShRUIOp::create(b, r.lane, i32(2));
      Value quad = arith::AndIOp::create(b, r.lane, i32(3));
      column = arith::ShRUIOp::create(b, quad, i32(1));
    }
    Value whole = add(mul(warp, 16), row);
    // The span's share of address bits 7 to 9, which rows of `span` bytes set.
    Value bits = arith::ShRUIOp::create(
        b, mul(arith::AndIOp::create(b, row, i32(7)), span), i32(7));
    Value permuted = mul(arith::XOrIOp::create(b, bits, column), 16);
    Value rest =
        bytes == 4 ? mul(arith::AndIOp::create(b, r.lane, i32(1)), 8) : i32(0);
    return std::array<Value, 3>{mul(whole, span), permuted, rest};
  });
  Value piece = place[1];
  Value own = pointerAt(start, ownBytes);
  Value thread = pointerAt(own, add(place[0], place[2]));

  Value map = tensorMap(
      op.getBuffer(),
      boxOf(op.getBufferType().getRank(), op.getBufferDims(), {64, perPanel}),
      span, /*written=*/true);
  ArrayRef<Value> registers = this->registers(op.getTile());
  SmallVector<int64_t> dims = op.getBufferDims();
  auto elected = [&](auto body) {
    auto one = scf::IfOp::create(b, TypeRange(), leads(), /*else=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(one.thenBlock());
    body();
  };
  // Byte `column * bytes` of a row, permuted, from the thread's own start.
  auto address = [&](int64_t rowBlock, int64_t column) {
    int64_t panel = column / perPanel;
    int64_t within = column % perPanel * bytes;
    Value at = within == 0
                   ? piece
                   : Value(arith::XOrIOp::create(b, piece, i32(within)));
    return pointerAt(pointerAt(thread, at),
                     panel * panelBytes + rowBlock * 64 * span);
  };

  int64_t blocksAtOnce = height / 64;
  for (size_t block = 0; block < rowBlocks.size(); block += blocksAtOnce)
    for (int64_t left = 0; left < columns; left += width) {
      elected(
          [&] { NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, b.getUnitAttr()); });
      warpgroupBarrier();
      for (int64_t i = 0; i < blocksAtOnce; ++i) {
        int64_t row = rowBlocks[block + i];
        if (bytes == 2) {
          for (int64_t column = 0; column < width; column += 16) {
            SmallVector<Value, 4> parts;
            for (int64_t eight : {0, 8}) {
              int64_t reg = blocks.lookup({row, left + column + eight});
              parts.push_back(packPair(registers[reg], registers[reg + 1]));
              parts.push_back(packPair(registers[reg + 2], registers[reg + 3]));
            }
            NVVM::StMatrixOp::create(
                b, address(i, column), parts, NVVM::MMALayout::row,
                NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                NVVM::LdStMatrixEltType::B16);
          }
          continue;
        }
        for (int64_t column = 0; column < width; column += 8) {
          int64_t reg = blocks.lookup({row, left + column});
          Value to = address(i, column);
          auto pair = VectorType::get({2}, tile.getElementType());
          // Eight rows on, the permutation is the same.
          for (int64_t below : {0, 1}) {
            Value two = vector::FromElementsOp::create(
                b, pair,
                ValueRange{registers[reg + 2 * below],
                           registers[reg + 2 * below + 1]});
            LLVM::StoreOp::create(b, two, pointerAt(to, below * 8 * span),
                                  /*alignment=*/8);
          }
        }
      }
      // The copy engine reads what the threads wrote.
      NVVM::FenceProxyOp::create(
          b, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(b.getContext(),
                                     NVVM::SharedSpace::shared_cta));
      warpgroupBarrier();
      elected([&] {
        for (int64_t i = 0; i < blocksAtOnce; ++i)
          for (int64_t column = 0; column < width; column += perPanel)
            NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
                b, map,
                pointerAt(own, column / perPanel * panelBytes + i * 64 * span),
                boxCoordinates(op.getCoordinates(), dims,
                               add(base[0], i32(rowBlocks[block + i])),
                               add(base[1], i32(left + column))),
                Value(), NVVM::TMAStoreMode::TILE, Value());
        NVVM::CpAsyncBulkCommitGroupOp::create(b);
      });
    }
  return success();
}

LogicalResult TileEmitter::emitTmaStoreWait(TmaStoreWaitOp op) {
  auto one = scf::IfOp::create(b, TypeRange(), leads(), /*else=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(one.thenBlock());
  NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, UnitAttr());
  return success();
}

void TileEmitter::prefetchMaps() {
  if (!setup)
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(setup.thenBlock()->getTerminator());
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.isMap)
      NVVM::PrefetchOp::create(b, NVVM::PrefetchCacheLevelAttr(),
                               NVVM::CacheEvictionPriorityAttr(),
                               function.getArgument(index), Value(),
                               /*tensormap=*/true);
}
