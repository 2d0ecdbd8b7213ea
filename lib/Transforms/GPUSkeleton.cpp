//===- GPUSkeleton.cpp - skeletons of GPU kernels -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SkeletonWriter.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

/// The loop of the last operation along which some input is contiguous that is
/// not its last loop, -1 where there is none: what is read across.
static int64_t getLoopReadAcross(linalg::LinalgOp root) {
  int64_t last = root.getNumLoops() - 1;
  for (OpOperand *input : root.getDpsInputOperands()) {
    AffineMap map = root.getMatchingIndexingMap(input);
    if (map.getNumResults() < 2)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (dim && static_cast<int64_t>(dim.getPosition()) != last &&
        root.getStaticLoopRanges()[dim.getPosition()] > 1 &&
        map.isFunctionOfDim(last))
      return dim.getPosition();
  }
  return -1;
}

/// The largest power of two up to `limit` by which a loop of `range` steps is
/// dealt to blocks with at most an eighth of them empty.
static int64_t getBlock(int64_t range, int64_t limit) {
  int64_t block = llvm::bit_floor(uint64_t(std::min(range, limit)));
  while (int64_t(llvm::alignTo(range, block)) * 8 > range * 9)
    block /= 2;
  return block;
}

/// Rows, and elementwise groups, which are rows that nothing sums over.
static std::optional<Skeleton> makeRows(ArrayRef<linalg::LinalgOp> ops,
                                        const Target &target,
                                        std::string &error) {
  std::optional<RowShape> shape = getRowShape(ops, error);
  if (!shape)
    return std::nullopt;
  linalg::LinalgOp root = ops.back();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  if (ranges.empty() || shape->outer.empty()) {
    error = "the task leaves one element, which is nothing to spread over a "
            "GPU; accepted are tasks that leave at least one dimension";
    return std::nullopt;
  }
  bool sums = shape->columnDims;
  // 16 bytes at a time of the narrowest tensor.
  unsigned bits = 32;
  for (linalg::LinalgOp op : ops)
    for (Value operand : op->getOperands())
      if (Type type = getElementTypeOrSelf(operand.getType());
          type.isIntOrFloat())
        bits = std::min(bits, std::max(8u, type.getIntOrFloatBitWidth()));
  int64_t columns = sums ? shape->columns : ranges.back();
  int64_t widest = 128 / bits;
  while (widest > 1 && columns % widest)
    widest /= 2;
  Writer writer;
  SmallVector<int64_t> vectors;
  for (int64_t value = widest; value >= 1; value /= 2)
    vectors.push_back(value);
  std::string vector = writer.knob(
      "vector", vectors,
      "neighbouring elements of a thread; a power of two up to 16 bytes that "
      "divides the row of " +
          Twine(columns));
  // Whole rows stay in registers: 64 elements a thread leave room for the rest.
  SmallVector<int64_t> threadCounts;
  for (int64_t count : {256, 128, 512, 1024, 64, 32})
    if (!sums || llvm::divideCeil(columns, count) <= 128)
      threadCounts.push_back(count);
  if (threadCounts.empty()) {
    error = ("rows of " + Twine(columns) +
             " elements do not fit into the registers of one block; at most " +
             Twine(1024 * 128))
                .str();
    return std::nullopt;
  }
  std::string threads = writer.knob(
      "threads", threadCounts,
      sums ? Twine("threads of a block, which share a row; a thread "
                   "holds at most 128 elements of it")
           : Twine("threads of a block"));
  SmallVector<std::string> grid;
  int64_t dim = ranges.size() - 1;
  if (sums) {
    grid.assign(shape->outer.size(), "1");
    // Short rows leave threads over, which take further rows.
    int64_t rows = shape->outer.back();
    SmallVector<int64_t> blocks;
    int64_t spare =
        std::max<int64_t>(1, 256 / llvm::divideCeil(columns, widest));
    for (int64_t value : {int64_t(llvm::bit_floor(uint64_t(spare))), int64_t(1),
                          int64_t(2), int64_t(4)})
      if (value <= rows && !llvm::is_contained(blocks, value))
        blocks.push_back(value);
    grid.back() = writer.knob("block_rows", blocks,
                              "rows of a block; at most " + Twine(rows));
    dim = std::max<int64_t>(dim, shape->outer.size() + shape->columnDims - 1);
  } else {
    grid.assign(ranges.size(), "1");
    int64_t across = getLoopReadAcross(root), rows = ranges.size() - 2;
    SmallVector<int64_t> widths = {2048, 1024, 4096, 512};
    if (across >= 0) {
      // What is read across brings whole lines, which the rows of a block use
      // up while they are in the first cache.
      widths = {64, 32, 128};
      grid[across] = writer.knob(
          "block_across", upTo({32, 16, 64, 8}, ranges[across]),
          "rows of a block along which an input is contiguous; at most " +
              Twine(ranges[across]));
    }
    // Short rows leave threads over, which take further rows, and rows of
    // further loops where those are few.
    int64_t spare = across < 0 && columns < 1024
                        ? llvm::bit_floor(uint64_t(2048 / columns))
                        : 1;
    if (ranges.size() > 1 && across != rows) {
      SmallVector<int64_t> blocks;
      if (spare > 1) {
        blocks.push_back(getBlock(ranges[rows], spare));
        spare /= blocks.front();
      }
      for (int64_t value : {2, 1, 4, 8})
        if (!llvm::is_contained(blocks, value))
          blocks.push_back(value);
      if (across >= 0)
        blocks = {1, 2, 4};
      grid[rows] = writer.knob(
          "block_rows", upTo(blocks, ranges[rows]),
          "rows of a block; what is read once a column is read once for all; "
          "at most " +
              Twine(ranges[rows]));
    }
    for (int64_t outer = rows - 1; outer >= 0 && spare > 1; --outer) {
      int64_t block = getBlock(ranges[outer], spare);
      spare /= block;
      if (block > 1)
        grid[outer] =
            writer.knob("block_dim" + std::to_string(outer), {block, 1},
                        "steps of a block along loop " + Twine(outer) +
                            "; at most " + Twine(ranges[outer]));
    }
    grid.back() = writer.knob("block_columns", upTo(widths, columns),
                              "columns of a block; at most " + Twine(columns));
  }
  size_t others = ops.size() - 1;
  std::string bodyNames = others ? handles("e", others) + ", " : "";
  std::string fuse = others ? " fuse(" + handles("e", others) + ")" : "";
  std::string tiles = others ? ", " + handles("f", others) : "";
  writer.step(bodyNames + "%root = transform.kz.body %t");
  writer.step("%x" + tiles + ", %grid = transform.kz.tile_grid %root" + fuse +
              " tile " + list(grid));
  // Inputs that several operations read are read from memory once.
  auto task = root->getParentOfType<func::FuncOp>();
  for (BlockArgument argument : task.getArguments()) {
    SmallVector<ArrayRef<AffineExpr>> reads;
    for (OpOperand &use : argument.getUses())
      if (auto op = dyn_cast<linalg::LinalgOp>(use.getOwner()))
        reads.push_back(op.getMatchingIndexingMap(&use).getResults());
    if (reads.size() > 1 && llvm::all_equal(reads))
      writer.step("%in" + Twine(argument.getArgNumber()) +
                  " = transform.kz.stage %x task_input(" +
                  Twine(argument.getArgNumber()) + ") registers copy(plain)");
  }
  writer.step("transform.kz.tile_threads %grid dim(" + Twine(dim) +
              ") threads(" + threads + ") vector(" + vector + ")");
  for (auto [index, work] : llvm::enumerate(ops)) {
    linalg::LinalgOp op = work;
    std::string handle = index == others ? "%x" : "%f" + std::to_string(index);
    if (op.getNumReductionLoops())
      writer.step("transform.kz.reduce " + handle +
                  " combine [shuffle, shared]");
    writeMath(writer, op, handle, isNarrow(root), /*fast=*/true);
  }
  return writer.take();
}

std::optional<Skeleton> skeleton::makeGPU(ArrayRef<linalg::LinalgOp> ops,
                                          const Target &target,
                                          std::string &error) {
  bool contracts = llvm::any_of(ops, [](linalg::LinalgOp op) {
    return linalg::isaContractionOpInterface(op);
  });
  return contracts ? makeGPUMatmul(ops, target, error)
                   : makeRows(ops, target, error);
}
