//===- Shared.cpp - tiles and rings in shared memory, cp.async ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t TileEmitter::takeShared(int64_t bytes, int64_t alignment) {
  int64_t offset = llvm::alignTo(sharedBytes, alignment);
  sharedBytes = offset + bytes;
  return offset;
}

Value TileEmitter::sharedPointer(int64_t offset) {
  return inPrologue([&] { return pointerAt(sharedBase, offset); });
}

Value TileEmitter::pointerAt(Value pointer, Value byteOffset) {
  if (matchPattern(byteOffset, m_Zero()))
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{byteOffset});
}

Value TileEmitter::pointerAt(Value pointer, int64_t byteOffset) {
  if (byteOffset == 0)
    return pointer;
  // An index in the code has 32 bits; farther goes through a constant.
  if (!llvm::isInt<32>(byteOffset))
    return pointerAt(pointer, i64(byteOffset));
  return LLVM::GEPOp::create(
      b, pointer.getType(), b.getI8Type(), pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(byteOffset)});
}

Value TileEmitter::sharedOffset(TileType tile, Value row, Value columnByte) {
  int64_t rows = tile.getShape()[0];
  int64_t rowBytes = tile.getNumBytes() / rows;
  int64_t span = tile.getSwizzle();
  if (span == 0)
    return add(mul(row, rowBytes), columnByte);
  // Bits 4 to 6 of the address, as many as the span has, are exclusive-ored
  // with bits 7 to 9; in a panel these come from the row.
  Value inPanel = columnByte, panel;
  if (rowBytes > span) {
    inPanel = arith::AndIOp::create(b, columnByte, i32(span - 1));
    panel = mul(arith::DivUIOp::create(b, columnByte, i32(span)), rows * span);
  }
  Value bits = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, mul(row, span), i32(3)), i32(span - 16));
  Value offset = add(mul(row, span), arith::XOrIOp::create(b, inPanel, bits));
  return panel ? add(offset, panel) : offset;
}

Value SharedAddresses::at(Value pointer, int64_t rowOffset,
                          int64_t columnOffset) {
  // The swizzle sees rows modulo its cycle. Those stay with the thread's part;
  // whole cycles are a constant.
  int64_t span = tile.getSwizzle(), rows = tile.getShape()[0];
  int64_t pitch = span ? span : tile.getNumBytes() / rows;
  int64_t cycle = span ? 1024 / span : 1;
  // Row after row, the offset is one constant.
  int64_t plain = span ? 0 : columnOffset;
  columnOffset -= plain;
  int64_t inCycle = rowOffset % cycle;
  Value &threadPart = threadParts[{inCycle, columnOffset}];
  if (!threadPart)
    threadPart = emitter.inPrologue([&] {
      return emitter.sharedOffset(
          tile, emitter.add(row, emitter.i32(inCycle)),
          emitter.add(columnByte, emitter.i32(columnOffset)));
    });
  return emitter.pointerAt(emitter.pointerAt(pointer, threadPart),
                           (rowOffset - inCycle) * pitch + plain);
}

SmallVector<int64_t> TileEmitter::tileOffsets(RingType ring) {
  SmallVector<int64_t> offsets;
  int64_t next = 0;
  for (TileType tile : ring.getTiles()) {
    next = llvm::alignTo(next, tile.getByteAlignment());
    offsets.push_back(next);
    next += tile.getNumBytes();
  }
  return offsets;
}

static int64_t ringAlignment(RingType ring) {
  int64_t alignment = 1;
  for (TileType tile : ring.getTiles())
    alignment = std::max(alignment, tile.getByteAlignment());
  return alignment;
}

int64_t TileEmitter::slotBytes(RingType ring) {
  return llvm::alignTo(tileOffsets(ring).back() +
                           ring.getTiles().back().getNumBytes(),
                       ringAlignment(ring));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

unsigned TileEmitter::bufferNumber(Value buffer) {
  return cast<BlockArgument>(buffer).getArgNumber();
}

Value TileEmitter::bufferPointer(Value buffer, bool written) {
  Argument &argument = arguments[bufferNumber(buffer)];
  argument.used = true;
  argument.written |= written;
  return lookup(buffer);
}

Value TileEmitter::tensorMap(Value buffer, ArrayRef<int64_t> box,
                             int64_t swizzle, bool written) {
  Block &entry = function.getBody().front();
  unsigned number = bufferNumber(buffer);
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.isMap && argument.buffer == number && argument.box == box &&
        argument.swizzle == swizzle) {
      argument.written |= written;
      return entry.getArgument(index);
    }
  Argument argument;
  argument.buffer = number;
  argument.isMap = argument.used = true;
  argument.written = written;
  argument.box.assign(box.begin(), box.end());
  argument.swizzle = swizzle;
  arguments.push_back(argument);
  return entry.addArgument(LLVM::LLVMPointerType::get(b.getContext()),
                           buffer.getLoc());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult TileEmitter::emitAlloc(AllocOp op) {
  auto tile = cast<TileType>(op.getResult().getType());
  bind(op.getResult(),
       sharedPointer(takeShared(tile.getNumBytes(), tile.getByteAlignment())));
  return success();
}

LogicalResult TileEmitter::emitRing(RingOp op) {
  auto ring = cast<RingType>(op.getResult().getType());
  bind(op.getResult(),
       sharedPointer(takeShared(slotBytes(ring) * ring.getStages(),
                                ringAlignment(ring))));
  return emitRingBarriers(op);
}

SmallVector<Value> TileEmitter::slotTiles(Value ring, Value use) {
  auto type = cast<RingType>(ring.getType());
  Value slot = arith::RemUIOp::create(b, use, i32(type.getStages()));
  Value start = pointerAt(lookup(ring), mul(slot, slotBytes(type)));
  SmallVector<Value> tiles;
  for (int64_t offset : tileOffsets(type))
    tiles.push_back(pointerAt(start, offset));
  return tiles;
}

LogicalResult TileEmitter::emitSlot(SlotOp op) {
  for (auto [tile, pointer] :
       llvm::zip(op.getTiles(), slotTiles(op.getRing(), lookup(op.getUse()))))
    bind(tile, pointer);
  return success();
}

LogicalResult TileEmitter::emitPut(PutOp op) {
  auto tile = cast<TileType>(op.getTile().getType());
  auto shared = cast<TileType>(op.getShared().getType());
  LayoutAttr layout = tile.getLayout();
  SmallVector<Value> values(registers(op.getTile()));
  int64_t elementBytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  // A 16-byte piece of a row is never torn by the swizzle.
  int64_t width = std::gcd(layout.getContiguous(1), 16 / elementBytes);
  width = std::gcd(width, layout.getAlignment(1, width));
  ArrayRef<Value> base = baseCoordinates(layout);
  Value row = base[0], column = base[1];
  Value columnByte = inPrologue([&] { return mul(column, elementBytes); });
  SharedAddresses addresses(*this, shared);
  addresses.row = row;
  addresses.columnByte = columnByte;
  Value start = lookup(op.getShared());
  OpBuilder::InsertionGuard guard(b);
  if (Value first = isFirstCopy(layout)) {
    auto guarded = scf::IfOp::create(b, first, /*withElseRegion=*/false);
    b.setInsertionPointToStart(guarded.thenBlock());
  }
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += width) {
    SmallVector<int64_t> offsets = layout.getOffsets(reg);
    Value value = values[reg];
    if (width > 1) {
      value = LLVM::PoisonOp::create(
          b, VectorType::get({width}, tile.getElementType()));
      for (int64_t i = 0; i < width; ++i)
        value =
            LLVM::InsertElementOp::create(b, value, values[reg + i], i32(i));
    }
    LLVM::StoreOp::create(
        b, value, addresses.at(start, offsets[0], offsets[1] * elementBytes),
        width * elementBytes);
  }
  return success();
}

LogicalResult TileEmitter::emitCpAsync(CpAsyncOp op) {
  auto tile = cast<TileType>(op.getTile().getType());
  MemRefType buffer = op.getBufferType();
  SmallVector<int64_t> dims = op.getBufferDims();
  int64_t width = op.getWidth();
  int64_t elementBytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t rows = tile.getShape()[0];
  int64_t rowBytes = tile.getNumBytes() / rows;
  int64_t perRow = rowBytes / width, pieces = rows * perRow;
  int64_t threads = role().threads;
  int64_t last = buffer.getRank() - 1;

  int64_t columnBytes =
      facts.getDivisor(op.getCoordinates()[last]) * elementBytes;
  if (columnBytes % width)
    return op.emitOpError()
           << "starts at a column known to be a multiple of " << columnBytes
           << " bytes, not of the " << width << " bytes moved at a time";

  // Rows and columns that may lie beyond the buffer.
  SmallVector<int64_t> strides(buffer.getRank(), 1);
  for (int64_t dim = last; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * buffer.getShape()[dim];
  SmallVector<bool> masked;
  for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
    auto *it = llvm::find(dims, dim);
    int64_t extent = it == dims.end() ? 1 : tile.getShape()[it - dims.begin()];
    std::optional<Interval> interval =
        facts.getInterval(op.getCoordinates()[dim]);
    masked.push_back(!interval || interval->low < 0 ||
                     interval->high + extent > buffer.getShape()[dim]);
  }

  // Piece number: thread + round * threads. Where a round is whole rows, the
  // column is the same in every round, and where it is whole cycles of the
  // swizzle, so is the place in shared memory but for a constant.
  int64_t cycle = tile.getSwizzle() ? 1024 / tile.getSwizzle() : 1;
  bool wholeRows = threads % perRow == 0;
  int64_t rowsPerRound = wholeRows ? threads / perRow : 0;
  bool wholeCycles = wholeRows && rowsPerRound % cycle == 0;
  int64_t panelBytes = tile.getSwizzle() ? tile.getSwizzle() : rowBytes;

  Value global = bufferPointer(op.getBuffer(), /*written=*/false);
  Value shared = lookup(op.getTile());
  bool wide = buffer.getNumElements() * elementBytes > INT32_MAX;
  Value fixedMask;
  auto inside = [&](Value coordinate, int64_t dim) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate,
                                 i32(buffer.getShape()[dim]));
  };
  auto extend = [&](Value value) -> Value {
    return wide ? Value(arith::ExtSIOp::create(b, b.getI64Type(), value))
                : value;
  };
  // Offset in elements of the tile's first element.
  Value start;
  for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
    Value coordinate = lookup(op.getCoordinates()[dim]);
    if (masked[dim] && !llvm::is_contained(dims, dim))
      fixedMask = andMasks(fixedMask, inside(coordinate, dim));
    Value term = mul(extend(coordinate), strides[dim]);
    start = start ? add(start, term) : term;
  }

  struct Piece {
    Value row, columnByte, sharedAt;
  };
  auto pieceOf = [&](int64_t round) {
    return inPrologue([&] {
      Piece piece;
      Value number =
          wholeRows ? role().thread : add(role().thread, i32(round * threads));
      piece.row = arith::DivUIOp::create(b, number, i32(perRow));
      if (wholeRows)
        piece.row = add(piece.row, i32(round * rowsPerRound));
      piece.columnByte =
          mul(arith::RemUIOp::create(b, number, i32(perRow)), width);
      piece.sharedAt = sharedOffset(tile, piece.row, piece.columnByte);
      return piece;
    });
  };

  Piece first = pieceOf(0);
  Value globalFirst, columnMask;
  int64_t rounds = llvm::divideCeil(pieces, threads);
  for (int64_t round = 0; round < rounds; ++round) {
    Piece piece = first;
    int64_t sharedStep = 0, globalStep = 0;
    if (round) {
      if (wholeRows) {
        globalStep = round * rowsPerRound * strides[dims[0]] * elementBytes;
        piece.row = {};
      }
      if (wholeCycles)
        sharedStep = round * rowsPerRound * panelBytes;
      else
        piece = pieceOf(round);
    }
    // Global address.
    Value address;
    if (round && wholeRows) {
      address = pointerAt(globalFirst, globalStep);
    } else {
      Value offset =
          add(start, add(mul(extend(piece.row), strides[dims[0]]),
                         extend(arith::DivUIOp::create(b, piece.columnByte,
                                                       i32(elementBytes)))));
      address = LLVM::GEPOp::create(b, global.getType(), tile.getElementType(),
                                    global, ArrayRef<LLVM::GEPArg>{offset});
      if (round == 0)
        globalFirst = address;
    }
    // Masks; a piece beyond the buffer is filled with zeros.
    Value mask = fixedMask;
    if (masked[dims[0]]) {
      Value row =
          piece.row ? piece.row : add(first.row, i32(round * rowsPerRound));
      mask =
          andMasks(mask, inside(add(lookup(op.getCoordinates()[dims[0]]), row),
                                dims[0]));
    }
    if (masked[last]) {
      if (!columnMask || !wholeRows)
        columnMask = inside(
            add(lookup(op.getCoordinates()[last]),
                arith::DivUIOp::create(b, piece.columnByte, i32(elementBytes))),
            last);
      mask = andMasks(mask, columnMask);
    }
    Value size;
    if (mask) {
      size = arith::SelectOp::create(b, mask, i32(width), i32(0));
      address = arith::SelectOp::create(b, mask, address, global);
    }
    OpBuilder::InsertionGuard guard(b);
    if ((round + 1) * threads > pieces) {
      Value works =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, role().thread,
                                i32(pieces - round * threads));
      auto guarded = scf::IfOp::create(b, works, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    Value to = pointerAt(pointerAt(shared, piece.sharedAt), sharedStep);
    NVVM::CpAsyncOp::create(b, to, address, static_cast<uint32_t>(width),
                            width == 16 ? NVVM::LoadCacheModifierKind::CG
                                        : NVVM::LoadCacheModifierKind::CA,
                            size);
  }
  return success();
}
