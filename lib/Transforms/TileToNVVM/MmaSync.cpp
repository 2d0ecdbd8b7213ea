//===- MmaSync.cpp - products by ldmatrix and mma.sync --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

namespace {

/// Loads 8x8 matrices of 16-bit elements from a tile in shared memory.
class FragmentLoader {
public:
  /// `row` and `columnByte`: what the calling lane adds to the coordinates of
  /// a fragment's first element.
  FragmentLoader(TileEmitter &emitter, TileType tile, Value pointer, Value row,
                 Value columnByte, bool transpose)
      : emitter(emitter), addresses(emitter, tile, pointer, row, columnByte),
        transpose(transpose) {}

  /// `count` matrices for the fragment at `rowOffset`, `columnOffset` (bytes).
  SmallVector<Value> load(int64_t rowOffset, int64_t columnOffset,
                          int64_t count) {
    ImplicitLocOpBuilder &b = emitter.b;
    Type word = b.getI32Type();
    Type type = count == 1 ? word : TileEmitter::structOf(word, count);
    Value loaded = NVVM::LdMatrixOp::create(
        b, type, addresses.at(rowOffset, columnOffset),
        static_cast<uint32_t>(count),
        transpose ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    SmallVector<Value> words;
    for (int64_t i = 0; i < count; ++i)
      words.push_back(count == 1
                          ? loaded
                          : Value(LLVM::ExtractValueOp::create(b, loaded, i)));
    return words;
  }

private:
  TileEmitter &emitter;
  SharedAddresses addresses;
  bool transpose;
};

} // namespace

LogicalResult TileEmitter::emitMmaSync(MmaOp op) {
  auto a = cast<TileType>(op.getA().getType());
  auto bTile = cast<TileType>(op.getB().getType());
  auto acc = cast<TileType>(op.getAcc().getType());
  LayoutAttr layout = acc.getLayout();
  Type element = a.getElementType();
  int64_t k = a.getShape()[1];
  bool transposed = op.getTransposeB();

  // The blocks of 16 x 8 that a warp holds: registers four at a time.
  SmallVector<int64_t> rowBlocks, columnBlocks;
  DenseMap<std::pair<int64_t, int64_t>, int64_t> blockAt;
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

  // Where the warp's part starts: the layout's warp steps alone.
  Value warpRow, warpColumn, l7, half, quarter;
  inPrologue([&] {
    SmallVector<Value> start(2, i32(0));
    ArrayRef<LayoutStep> warps = layout.getWarp();
    for (auto [index, step] : llvm::enumerate(warps))
      if (!step.isCopy())
        start[step.dim] =
            add(start[step.dim],
                mul(digit(warps, index, role().warp), step.stride));
    warpRow = start[0];
    warpColumn = start[1];
    l7 = arith::AndIOp::create(b, role().lane, i32(7));
    half = arith::AndIOp::create(
        b, arith::ShRUIOp::create(b, role().lane, i32(3)), i32(1));
    quarter = arith::ShRUIOp::create(b, role().lane, i32(4));
  });
  // A: matrices (rows 0-7, 8-15) x (k 0-7, 8-15), rows first. B stored K x N,
  // read transposed: (k 0-7, 8-15) x two blocks of columns. B stored N x K: k
  // first, then the block.
  Value rowA, columnA, rowB, columnB;
  inPrologue([&] {
    rowA = add(add(warpRow, l7), mul(half, 8));
    columnA = mul(quarter, 16);
    if (transposed) {
      rowB = add(add(warpColumn, l7), mul(quarter, 8));
      columnB = mul(half, 16);
    } else {
      rowB = add(l7, mul(half, 8));
      columnB = add(mul(warpColumn, 2), mul(quarter, 16));
    }
  });
  FragmentLoader loadA(*this, a, lookup(op.getA()), rowA, columnA, false);
  FragmentLoader loadB(*this, bTile, lookup(op.getB()), rowB, columnB,
                       !transposed);

  struct Fragments {
    SmallVector<SmallVector<Value>> a, b;
  };
  bool isF16 = element.isF16();
  auto asOperands = [&](SmallVector<Value> words) {
    if (isF16)
      for (Value &word : words)
        word = LLVM::BitcastOp::create(b, VectorType::get({2}, b.getF16Type()),
                                       word);
    return words;
  };
  auto loadFragments = [&](int64_t kk) {
    Fragments fragments;
    for (int64_t rowBlock : rowBlocks)
      fragments.a.push_back(asOperands(loadA.load(rowBlock, kk * 2, 4)));
    for (size_t i = 0; i < columnBlocks.size();) {
      // Two neighbouring blocks of 8 columns in one load.
      bool pair = i + 1 < columnBlocks.size() &&
                  columnBlocks[i + 1] == columnBlocks[i] + 8 &&
                  (transposed || columnBlocks[i] % 16 == 0);
      int64_t count = pair ? 4 : 2;
      SmallVector<Value> words =
          asOperands(transposed ? loadB.load(columnBlocks[i], kk * 2, count)
                                : loadB.load(kk, columnBlocks[i] * 2, count));
      fragments.b.emplace_back(words.begin(), words.begin() + 2);
      if (pair)
        fragments.b.emplace_back(words.begin() + 2, words.end());
      i += pair ? 2 : 1;
    }
    return fragments;
  };

  SmallVector<Value> accumulators(registers(op.getAcc()));
  Type resultType = structOf(b.getF32Type(), 4);
  auto type = isF16 ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  // The fragments of the next step are loaded ahead of this step's products.
  Fragments next = loadFragments(0);
  for (int64_t kk = 0; kk < k; kk += 16) {
    Fragments now = std::move(next);
    if (kk + 16 < k)
      next = loadFragments(kk + 16);
    for (auto [i, rowBlock] : llvm::enumerate(rowBlocks))
      for (size_t j = 0; j < columnBlocks.size(); ++j) {
        // Back and forth, so that one operand is used again at each turn.
        size_t column = i % 2 ? columnBlocks.size() - 1 - j : j;
        int64_t reg = blockAt.lookup({rowBlock, columnBlocks[column]});
        MutableArrayRef<Value> block =
            MutableArrayRef(accumulators).slice(reg, 4);
        Value product = NVVM::MmaOp::create(
            b, resultType, now.a[i], now.b[column], block,
            ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
            std::array<NVVM::MMATypes, 2>{type, type},
            std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                           NVVM::MMALayout::col});
        for (auto [c, value] : llvm::enumerate(block))
          value = LLVM::ExtractValueOp::create(b, product, c);
      }
  }
  bind(op.getResult(), accumulators);
  return success();
}
