//===- MmaSync.cpp - products by ldmatrix and mma.sync --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MmaSync.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

SmallVector<Value> Fragments::flatten() const {
  SmallVector<Value> list;
  for (const SmallVector<Value> &words : a)
    llvm::append_range(list, words);
  for (const SmallVector<Value> &words : b)
    llvm::append_range(list, words);
  return list;
}

Fragments Fragments::unflatten(ValueRange list) const {
  Fragments result;
  size_t next = 0;
  auto take = [&](const SmallVector<Value> &like) {
    ValueRange part = list.slice(next, like.size());
    next += like.size();
    return SmallVector<Value>(part);
  };
  for (const SmallVector<Value> &words : a)
    result.a.push_back(take(words));
  for (const SmallVector<Value> &words : b)
    result.b.push_back(take(words));
  return result;
}

MmaSyncEmitter::MmaSyncEmitter(TileEmitter &emitter, MmaOp op)
    : emitter(emitter), op(op), transposed(op.getTransposeB()),
      addressesA(emitter, cast<TileType>(op.getA().getType())),
      addressesB(emitter, cast<TileType>(op.getB().getType())) {
  auto a = cast<TileType>(op.getA().getType());
  isF16 = a.getElementType().isF16();
  depth = a.getShape()[1];

  // The blocks of 16 x 8 that a warp holds: registers four at a time.
  LayoutAttr layout = cast<TileType>(op.getAcc().getType()).getLayout();
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += 4) {
    SmallVector<int64_t> offsets = layout.getOffsets(reg);
    blockAt[{offsets[0], offsets[1]}] = reg;
    if (!llvm::is_contained(rowBlocks, offsets[0]))
      rowBlocks.push_back(offsets[0]);
    if (!llvm::is_contained(columnBlocks, offsets[1]))
      columnBlocks.push_back(offsets[1]);
  }
  llvm::sort(rowBlocks);
  llvm::sort(columnBlocks);

  emitter.inPrologue([&] {
    ImplicitLocOpBuilder &b = emitter.b;
    auto add = [&](Value x, Value y) { return emitter.add(x, y); };
    auto mul = [&](Value x, int64_t y) { return emitter.mul(x, y); };
    // Where the warp's part starts: the layout's warp steps alone.
    SmallVector<Value> start(2, emitter.i32(0));
    ArrayRef<LayoutStep> warps = layout.getWarp();
    for (auto [index, step] : llvm::enumerate(warps))
      if (!step.isCopy())
        start[step.dim] = add(
            start[step.dim],
            mul(emitter.digit(warps, index, emitter.role().warp), step.stride));
    Value lane = emitter.role().lane;
    Value low = arith::AndIOp::create(b, lane, emitter.i32(7));
    Value bit3 = arith::AndIOp::create(
        b, arith::ShRUIOp::create(b, lane, emitter.i32(3)), emitter.i32(1));
    Value bit4 = arith::ShRUIOp::create(b, lane, emitter.i32(4));
    // A: matrices (rows 0-7, 8-15) x (k 0-7, 8-15), rows first. B stored K x N,
    // read transposed: (k 0-7, 8-15) x two blocks of columns. B stored N x K: k
    // first, then the block.
    addressesA.row = add(add(start[0], low), mul(bit3, 8));
    addressesA.columnByte = mul(bit4, 16);
    if (transposed) {
      addressesB.row = add(add(start[1], low), mul(bit4, 8));
      addressesB.columnByte = mul(bit3, 16);
    } else {
      addressesB.row = add(low, mul(bit3, 8));
      addressesB.columnByte = add(mul(start[1], 2), mul(bit4, 16));
    }
  });
}

/// `count` 8x8 matrices of 16-bit elements as operands of a product.
SmallVector<Value> MmaSyncEmitter::loadMatrices(Value address, int64_t count,
                                                bool transpose) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value loaded = NVVM::LdMatrixOp::create(
      b, TileEmitter::structOf(b.getI32Type(), count), address,
      static_cast<uint32_t>(count),
      transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i) {
    Value word = LLVM::ExtractValueOp::create(b, loaded, i);
    if (isF16)
      word = LLVM::BitcastOp::create(b, VectorType::get({2}, b.getF16Type()),
                                     word);
    words.push_back(word);
  }
  return words;
}

Fragments MmaSyncEmitter::load(Value a, Value b, int64_t k) {
  Fragments fragments;
  for (int64_t rowBlock : rowBlocks)
    fragments.a.push_back(
        loadMatrices(addressesA.at(a, rowBlock, k * 2), 4, false));
  for (size_t i = 0; i < columnBlocks.size();) {
    // Two neighbouring blocks of 8 columns in one load.
    bool pair = i + 1 < columnBlocks.size() &&
                columnBlocks[i + 1] == columnBlocks[i] + 8;
    Value address = transposed ? addressesB.at(b, columnBlocks[i], k * 2)
                               : addressesB.at(b, k, columnBlocks[i] * 2);
    SmallVector<Value> words = loadMatrices(address, pair ? 4 : 2, !transposed);
    fragments.b.emplace_back(words.begin(), words.begin() + 2);
    if (pair)
      fragments.b.emplace_back(words.begin() + 2, words.end());
    i += pair ? 2 : 1;
  }
  return fragments;
}

void MmaSyncEmitter::multiply(const Fragments &fragments,
                              MutableArrayRef<Value> accumulators) {
  ImplicitLocOpBuilder &b = emitter.b;
  Type resultType = TileEmitter::structOf(b.getF32Type(), 4);
  auto type = isF16 ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  for (auto [i, rowBlock] : llvm::enumerate(rowBlocks))
    for (size_t j = 0; j < columnBlocks.size(); ++j) {
      // Back and forth, so that one operand is used again at each turn.
      size_t column = i % 2 ? columnBlocks.size() - 1 - j : j;
      int64_t reg = blockAt.lookup({rowBlock, columnBlocks[column]});
      MutableArrayRef<Value> block = accumulators.slice(reg, 4);
      Value product = NVVM::MmaOp::create(
          b, resultType, fragments.a[i], fragments.b[column], block,
          ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
          std::array<NVVM::MMATypes, 2>{type, type},
          std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                         NVVM::MMALayout::col});
      for (auto [c, value] : llvm::enumerate(block))
        value = LLVM::ExtractValueOp::create(b, product, c);
    }
}

LogicalResult TileEmitter::emitMmaSync(MmaOp op) {
  MmaSyncEmitter mma(*this, op);
  Value a = lookup(op.getA()), bPointer = lookup(op.getB());
  SmallVector<Value> accumulators(registers(op.getAcc()));
  // The fragments of the next step are loaded ahead of this step's products.
  Fragments next = mma.load(a, bPointer, 0);
  for (int64_t k = 0; k < mma.getDepth(); k += 16) {
    Fragments now = std::move(next);
    if (k + 16 < mma.getDepth())
      next = mma.load(a, bPointer, k + 16);
    mma.multiply(now, accumulators);
  }
  bind(op.getResult(), accumulators);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<MmaLoop> MmaLoop::match(scf::ForOp loop) {
  MmaLoop result;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto wait = dyn_cast<CpAsyncWaitOp>(op)) {
      if (result.wait || result.barrier || result.mma)
        return std::nullopt;
      result.wait = wait;
    } else if (auto barrier = dyn_cast<BarrierOp>(op)) {
      if (!result.wait || result.barrier || result.mma)
        return std::nullopt;
      result.barrier = barrier;
    } else if (auto mma = dyn_cast<MmaOp>(op)) {
      if (!result.barrier || result.mma ||
          mma.getMma().getKind() != MmaKind::MmaSync)
        return std::nullopt;
      result.mma = mma;
    } else {
      // Before the barrier nothing that touches memory, and nowhere else one
      // that waits.
      if (!result.barrier && !isPure(&op))
        return std::nullopt;
      WalkResult waits = op.walk([](Operation *inner) {
        return isa<CpAsyncWaitOp, BarrierOp, MmaOp, ReduceOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (waits.wasInterrupted())
        return std::nullopt;
    }
  }
  if (!result.mma)
    return std::nullopt;
  // Both operands lie in the slot that the loop counts.
  auto slotA = result.mma.getA().getDefiningOp<SlotOp>();
  auto slotB = result.mma.getB().getDefiningOp<SlotOp>();
  if (!slotA || !slotB || slotA.getUse() != loop.getInductionVar() ||
      slotB.getUse() != loop.getInductionVar())
    return std::nullopt;
  // The sums go round the loop and nowhere else within.
  auto acc = dyn_cast<BlockArgument>(result.mma.getAcc());
  if (!acc || acc.getOwner() != loop.getBody() || !acc.hasOneUse() ||
      !result.mma.getResult().hasOneUse() ||
      loop.getTiedLoopYieldedValue(acc)->get() != result.mma.getResult())
    return std::nullopt;
  // The next round uses the next slot.
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || step != 1)
    return std::nullopt;
  result.findGuard(loop);
  return result;
}

void MmaLoop::findGuard(scf::ForOp loop) {
  auto constantOf = [](Value value) -> std::optional<int64_t> {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    return std::nullopt;
  };
  std::optional<int64_t> first = constantOf(loop.getLowerBound());
  std::optional<int64_t> end = constantOf(loop.getUpperBound());
  if (!first || !end)
    return;
  for (auto op : loop.getBody()->getOps<scf::IfOp>()) {
    // round + distance < end of the loop
    auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || op.getNumResults() ||
        !llvm::is_contained(
            {arith::CmpIPredicate::slt, arith::CmpIPredicate::ult},
            compare.getPredicate()) ||
        constantOf(compare.getRhs()) != end)
      continue;
    auto sum = compare.getLhs().getDefiningOp<arith::AddIOp>();
    if (!sum || sum.getLhs() != loop.getInductionVar())
      continue;
    std::optional<int64_t> distance = constantOf(sum.getRhs());
    if (!distance || *distance < 1)
      continue;
    guard = compare;
    low = *first;
    split = std::max(*first, *end - *distance);
    return;
  }
}

void MmaLoop::begin(TileEmitter &emitter, scf::ForOp loop) {
  (void)emitter.emit(wait);
  (void)emitter.emit(barrier);
  products.emplace(emitter, mma);
  first = loadFirst(emitter, emitter.lookup(loop.getLowerBound()));
}

Fragments MmaLoop::loadFirst(TileEmitter &emitter, Value use) {
  auto pointerOf = [&](Value tile) {
    auto slot = tile.getDefiningOp<SlotOp>();
    return emitter.slotTiles(slot.getRing(),
                             use)[cast<OpResult>(tile).getResultNumber()];
  };
  return products->load(pointerOf(mma.getA()), pointerOf(mma.getB()), 0);
}

LogicalResult MmaLoop::emitBody(TileEmitter &emitter, scf::ForOp loop,
                                ValueRange carried, bool ahead,
                                SmallVectorImpl<Value> &next) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value use = emitter.lookup(loop.getInductionVar());
  auto pointerOf = [&](Value tile) {
    auto slot = tile.getDefiningOp<SlotOp>();
    return emitter.slotTiles(slot.getRing(),
                             use)[cast<OpResult>(tile).getResultNumber()];
  };
  Value a = pointerOf(mma.getA()), bPointer = pointerOf(mma.getB());
  SmallVector<Value> accumulators(emitter.registers(mma.getAcc()));
  Fragments now = first.unflatten(carried);
  int64_t depth = products->getDepth();
  for (int64_t k = 0; k < depth; k += 16) {
    Fragments later;
    if (k + 16 < depth)
      later = products->load(a, bPointer, k + 16);
    // Copies into the ring start behind the first loads.
    if (k == 0)
      for (Operation &op : loop.getBody()->without_terminator())
        if (&op != wait && &op != barrier && &op != mma) {
          b.setLoc(op.getLoc());
          if (failed(emitter.emit(&op)))
            return failure();
        }
    if (k + 16 >= depth) {
      // All of this slot is in registers: meet, then start on the next one. The
      // last round loads its own slot again, for nobody.
      (void)emitter.emit(wait);
      (void)emitter.emit(barrier);
      b.setLoc(mma.getLoc());
      Value following = emitter.add(use, emitter.i32(1));
      if (!ahead)
        following = arith::MinSIOp::create(
            b, following,
            arith::SubIOp::create(b, emitter.lookup(loop.getUpperBound()),
                                  emitter.i32(1)));
      later = loadFirst(emitter, following);
    }
    products->multiply(now, accumulators);
    now = std::move(later);
  }
  emitter.bind(mma.getResult(), accumulators);
  llvm::append_range(next, now.flatten());
  return success();
}
