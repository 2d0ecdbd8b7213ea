//===- Reduce.cpp - reductions over registers, lanes and warps ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

static Value combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value x,
                     Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (kind) {
  case ReduceKind::Add:
    return isFloat ? arith::AddFOp::create(b, x, y).getResult()
                   : arith::AddIOp::create(b, x, y).getResult();
  case ReduceKind::Mul:
    return isFloat ? arith::MulFOp::create(b, x, y).getResult()
                   : arith::MulIOp::create(b, x, y).getResult();
  case ReduceKind::Max:
    return isFloat ? arith::MaximumFOp::create(b, x, y).getResult()
                   : arith::MaxSIOp::create(b, x, y).getResult();
  case ReduceKind::Min:
    return isFloat ? arith::MinimumFOp::create(b, x, y).getResult()
                   : arith::MinSIOp::create(b, x, y).getResult();
  }
  llvm_unreachable("all kinds are handled");
}

/// Halves the list until one is left: short chains, and the same order always.
static Value combineTree(ImplicitLocOpBuilder &b, ReduceKind kind,
                         SmallVector<Value> list) {
  while (list.size() > 1) {
    SmallVector<Value> next;
    size_t half = (list.size() + 1) / 2;
    for (size_t i = 0; i < half; ++i)
      next.push_back(i + half < list.size()
                         ? combine(b, kind, list[i], list[i + half])
                         : list[i]);
    list = std::move(next);
  }
  return list.front();
}

/// The value of the lane whose number differs in the bits of `mask`.
static Value shuffle(TileEmitter &emitter, Value value, int64_t mask) {
  ImplicitLocOpBuilder &b = emitter.b;
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits > 32) {
    // A shuffle moves 32 bits.
    auto words = VectorType::get({bits / 32}, b.getI32Type());
    Value from = LLVM::BitcastOp::create(b, words, value), to = from;
    for (unsigned i = 0; i < bits / 32; ++i) {
      Value index = emitter.i32(i);
      Value word = LLVM::ExtractElementOp::create(b, from, index);
      to = LLVM::InsertElementOp::create(b, to, shuffle(emitter, word, mask),
                                         index);
    }
    return LLVM::BitcastOp::create(b, type, to);
  }
  Value word = value;
  if (bits < 32) {
    if (isa<FloatType>(type))
      word = arith::BitcastOp::create(b, b.getIntegerType(bits), word);
    word = arith::ExtUIOp::create(b, b.getI32Type(), word);
  }
  Value other = NVVM::ShflOp::create(b, word.getType(), emitter.i32(-1), word,
                                     emitter.i32(mask), emitter.i32(31),
                                     NVVM::ShflKind::bfly, UnitAttr());
  if (bits < 32) {
    other = arith::TruncIOp::create(b, b.getIntegerType(bits), other);
    if (isa<FloatType>(type))
      other = arith::BitcastOp::create(b, type, other);
  }
  return other;
}

LogicalResult TileEmitter::emitReduce(ReduceOp op) {
  auto tile = cast<TileType>(op.getTile().getType());
  LayoutAttr layout = tile.getLayout();
  ArrayRef<int64_t> dims = op.getDims();
  ReduceKind kind = op.getKind();
  auto isAlong = [&](const LayoutStep &step) {
    return !step.isCopy() && llvm::is_contained(dims, step.dim);
  };

  // Registers of one thread.
  LayoutAttr kept = layout.dropDims(dims);
  SmallVector<SmallVector<Value>> groups(kept.getNumRegisters());
  for (auto [reg, value] : llvm::enumerate(registers(op.getTile())))
    groups[layout.getKeptRegister(reg, dims)].push_back(value);
  SmallVector<Value> result;
  for (SmallVector<Value> &group : groups)
    result.push_back(combineTree(b, kind, std::move(group)));

  ArrayRef<CombineStep> steps = op.getCombine().getSteps();
  bool shuffles = llvm::is_contained(steps, CombineStep::Shuffle);
  bool shares = llvm::is_contained(steps, CombineStep::Shared);
  // Lanes of a warp: extents multiply to 32, so each is a power of two and its
  // digit a run of bits of the lane number.
  if (shuffles) {
    int64_t below = 1;
    for (const LayoutStep &step : layout.getLane()) {
      if (isAlong(step))
        for (int64_t mask = below * step.extent / 2; mask >= below; mask /= 2)
          for (Value &value : result)
            value = combine(b, kind, value, shuffle(*this, value, mask));
      below *= step.extent;
    }
  }
  bool lanesLeft = !shuffles && layout.lanesDifferAlong(dims);
  if (!shares || !(lanesLeft || layout.warpsDifferAlong(dims))) {
    bind(op.getResult(), result);
    return success();
  }

  // What is left meets in shared memory: for every result register and every
  // thread that keeps a result of its own, the parts stand side by side.
  struct Digit {
    ArrayRef<LayoutStep> steps;
    size_t index;
    bool ofLane;
  };
  SmallVector<Digit> parts, keepers;
  auto collect = [&](ArrayRef<LayoutStep> list, bool ofLane) {
    for (auto [index, step] : llvm::enumerate(list)) {
      if (isAlong(step) && (!ofLane || lanesLeft))
        parts.push_back({list, index, ofLane});
      else if (!step.isCopy() && !isAlong(step))
        keepers.push_back({list, index, ofLane});
    }
  };
  collect(layout.getLane(), true);
  collect(layout.getWarp(), false);
  auto extentOf = [](ArrayRef<Digit> digits) {
    int64_t product = 1;
    for (const Digit &digit : digits)
      product *= digit.steps[digit.index].extent;
    return product;
  };
  int64_t numParts = extentOf(parts), numKeepers = extentOf(keepers);
  Type element = tile.getElementType();
  Type stored = storedType(element);
  int64_t bytes = storedBytes(element);
  int64_t vector = std::gcd<int64_t>(numParts, 16 / bytes);
  int64_t registerStride = numKeepers * numParts * bytes;
  int64_t scratch = takeShared(registerStride * result.size(), 16);

  Value readAt, writeAt, writes;
  inPrologue([&] {
    auto number = [&](ArrayRef<Digit> digits) {
      Value sum = i32(0);
      int64_t radix = 1;
      for (const Digit &part : digits) {
        Value value = digit(part.steps, part.index,
                            part.ofLane ? role().lane : role().warp);
        sum = add(sum, mul(value, radix));
        radix *= part.steps[part.index].extent;
      }
      return sum;
    };
    readAt = mul(number(keepers), numParts * bytes);
    writeAt = add(readAt, mul(number(parts), bytes));
    // One thread of those that hold the same part writes it.
    auto firstOf = [&](ArrayRef<LayoutStep> list, bool ofLane) {
      for (auto [index, step] : llvm::enumerate(list))
        if (step.isCopy() || (ofLane && shuffles && isAlong(step)))
          writes = andMasks(
              writes,
              arith::CmpIOp::create(
                  b, arith::CmpIPredicate::eq,
                  digit(list, index, ofLane ? role().lane : role().warp),
                  i32(0)));
    };
    firstOf(layout.getLane(), true);
    firstOf(layout.getWarp(), false);
  });

  Value start = sharedPointer(scratch);
  // In a loop the last round's readers may still be at it.
  if (op->getParentOfType<scf::ForOp>())
    barrier();
  {
    OpBuilder::InsertionGuard guard(b);
    if (writes) {
      auto guarded = scf::IfOp::create(b, writes, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    Value address = pointerAt(start, writeAt);
    for (auto [reg, value] : llvm::enumerate(result)) {
      LLVM::StoreOp::create(b, toStored(value),
                            pointerAt(address, reg * registerStride), bytes);
    }
  }
  barrier();
  Value address = pointerAt(start, readAt);
  for (auto [reg, value] : llvm::enumerate(result)) {
    SmallVector<Value> list;
    for (int64_t part = 0; part < numParts; part += vector) {
      Type type = vector == 1 ? stored : VectorType::get({vector}, stored);
      Value loaded = LLVM::LoadOp::create(
          b, type, pointerAt(address, reg * registerStride + part * bytes),
          vector * bytes);
      for (int64_t i = 0; i < vector; ++i) {
        Value word =
            vector == 1
                ? loaded
                : Value(LLVM::ExtractElementOp::create(b, loaded, i32(i)));
        list.push_back(fromStored(word, element));
      }
    }
    value = combineTree(b, kind, std::move(list));
  }
  bind(op.getResult(), result);
  return success();
}
