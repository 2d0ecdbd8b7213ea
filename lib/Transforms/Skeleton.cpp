//===- Skeleton.cpp - the schedule that a task starts from ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/Skeleton.h"
#include "SkeletonWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

//===----------------------------------------------------------------------===//
// Contractions on the host
//===----------------------------------------------------------------------===//

/// Vector registers that a register tile needs: its sums, one row of the right
/// operand and one broadcast element of the left one.
static int64_t countRegisters(int64_t rows, int64_t columns, int64_t lanes) {
  int64_t vectors = llvm::divideCeil(columns, lanes);
  return rows * vectors + vectors + 1;
}

/// The knobs of the register tile, in every skeleton of a contraction.
struct RegisterTile {
  std::string m, n, k;
};

static RegisterTile writeRegisterTile(Writer &writer, const MatmulShape &shape,
                                      const Target &target, int64_t lanes) {
  RegisterTile tile;
  tile.m = writer.knob("tile_m", upTo({8, 4, 6, 12, 14, 16}, shape.m),
                       "rows of the register tile; with tile_n it may use " +
                           Twine(target.vectorRegisters) + " vector registers");
  SmallVector<int64_t> widths = {2 * lanes, lanes, 4 * lanes};
  tile.n = writer.knob("tile_n", upTo(widths, shape.n),
                       "columns of the register tile, in vectors of " +
                           Twine(lanes));
  SmallVector<int64_t> steps;
  for (int64_t step : {2, 4, 1, 8})
    if (shape.k % step == 0)
      steps.push_back(step);
  tile.k = writer.knob("tile_k", steps,
                       "steps of the sum that are unrolled; values divide " +
                           Twine(shape.k));
  return tile;
}

/// The values of `candidates` that divide `size`.
static SmallVector<int64_t> dividing(ArrayRef<int64_t> candidates,
                                     int64_t size) {
  SmallVector<int64_t> values;
  for (int64_t value : candidates)
    if (size % value == 0)
      values.push_back(value);
  return values;
}

static constexpr int64_t kDepths[] = {512, 256, 1024};

/// Few rows and a long sum: the right operand is packed piece by piece, right
/// before all rows use it, so that it is read from memory once.
static bool isDeep(const MatmulShape &shape, linalg::LinalgOp matmul) {
  return matmul.getNumParallelLoops() == 2 && shape.m <= 256 &&
         shape.n >= 512 && shape.k >= 512 &&
         !dividing(kDepths, shape.k).empty();
}

static Skeleton makeHostDeepMatmul(ArrayRef<linalg::LinalgOp> ops,
                                   const MatmulShape &shape,
                                   const Target &target, int64_t lanes) {
  Writer writer;
  size_t consumers = ops.size() - 1;
  std::string columns = writer.knob(
      "block_columns", upTo({512, 256, 1024}, shape.n),
      "columns of one unit of work; its sums lie in the L2 cache of " +
          Twine(target.l2Bytes) + " bytes");
  std::string depth =
      writer.knob("block_depth", dividing(kDepths, shape.k),
                  "steps of the sum between two visits of a register tile; "
                  "values divide " +
                      Twine(shape.k));
  RegisterTile tile = writeRegisterTile(writer, shape, target, lanes);
  auto inOrder = [&](StringRef m, StringRef n) {
    std::string first = m.str(), second = n.str();
    if (shape.nDim < shape.mDim)
      std::swap(first, second);
    return "[" + first + ", " + second + "]";
  };
  std::string fuse = consumers ? " fuse(" + handles("e", consumers) + ")" : "";
  auto named = [&](StringRef stem) {
    return consumers ? ", " + handles(stem, consumers) : std::string();
  };
  writer.step("%mm" + named("e") + " = transform.kz.body %t");
  writer.step("%m" + named("f") + ", %grid = transform.kz.tile_grid %mm" +
              fuse + " tile " + inOrder("0", columns));
  writer.step("%d, %deep = transform.kz.tile_loop %m reduction [" + depth +
              "]");
  writer.step("%c, %n = transform.kz.tile_loop %d parallel " +
              inOrder("0", tile.n));
  writer.step("%r, %i = transform.kz.tile_loop %c parallel " +
              inOrder(tile.m, "0"));
  writer.step("%r2, %k = transform.kz.tile_loop %r reduction [" + tile.k + "]");
  writer.step("%b = transform.kz.stage %r2 operand(1) memory panels(" + tile.n +
              ") before(%i)");
  writer.step("%a = transform.kz.stage %r2 operand(0) memory panels(" + tile.m +
              ") before(%grid)");
  writer.step("transform.kz.vectorize %r2 lanes(" + Twine(lanes) +
              ") accumulate(registers)");
  for (size_t i = 0; i < consumers; ++i)
    writer.step("transform.kz.vectorize %f" + Twine(i) + " lanes(" +
                Twine(lanes) + ")");
  return writer.take();
}

static std::optional<Skeleton> makeHostMatmul(ArrayRef<linalg::LinalgOp> ops,
                                              const MatmulShape &shape,
                                              const Target &target,
                                              std::string &error) {
  linalg::LinalgOp matmul = ops.front();
  Type element = getElementTypeOrSelf(matmul.getDpsInits().front().getType());
  if (!element.isF32() ||
      !getElementTypeOrSelf(matmul->getOperand(0).getType()).isF32() ||
      !getElementTypeOrSelf(matmul->getOperand(1).getType()).isF32()) {
    llvm::raw_string_ostream(error)
        << "the host has a schedule for contractions of f32, this one has "
           "operands of "
        << getElementTypeOrSelf(matmul->getOperand(0).getType())
        << " and sums of " << element;
    return std::nullopt;
  }
  int64_t lanes = getLanes(target, element);
  while (lanes > 1 && lanes > shape.n)
    lanes /= 2;

  if (isDeep(shape, matmul))
    return makeHostDeepMatmul(ops, shape, target, lanes);
  Writer writer;
  int64_t rowBytes = shape.k * 4;
  // A packed block of the left operand is read once for every register column,
  // the whole right operand once for every block. Where no block of some height
  // fits the cache, the latter counts.
  int64_t blockRows = target.l2Bytes / 2 / rowBytes;
  if (blockRows < 32)
    blockRows = 128;
  SmallVector<int64_t> blocks, largerBlocks;
  for (int64_t block : {128, 64, 32, 16, 8})
    (block <= blockRows ? blocks : largerBlocks).push_back(block);
  llvm::append_range(blocks, largerBlocks);
  std::string rows =
      writer.knob("block_rows", upTo(blocks, shape.m),
                  "rows of one block of the left operand, packed together: " +
                      Twine(rowBytes) + " bytes a row, the L2 cache has " +
                      Twine(target.l2Bytes) + "; at most M, " + Twine(shape.m));
  RegisterTile registers = writeRegisterTile(writer, shape, target, lanes);
  const std::string &tileM = registers.m, &tileN = registers.n,
                    &tileK = registers.k;

  size_t consumers = ops.size() - 1;
  SmallVector<std::string> grid, tile;
  for (auto [dim, iterator] : llvm::enumerate(matmul.getIteratorTypesArray())) {
    if (!linalg::isParallelIterator(iterator))
      continue;
    if (dim == shape.mDim) {
      grid.push_back(rows);
      tile.push_back(tileM);
    } else if (dim == shape.nDim) {
      grid.push_back("0");
      tile.push_back(tileN);
    } else {
      grid.push_back("1");
      tile.push_back("0");
    }
  }
  // Columns outside, rows inside: a panel of the right operand stays in L1.
  SmallVector<unsigned> parallel;
  for (auto [dim, iterator] : llvm::enumerate(matmul.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator))
      parallel.push_back(dim);
  SmallVector<std::string> positions;
  for (auto [position, dim] : llvm::enumerate(parallel))
    if (dim != shape.mDim && dim != shape.nDim)
      positions.push_back(std::to_string(position));
  for (unsigned wanted : {shape.nDim, shape.mDim})
    positions.push_back(std::to_string(
        std::distance(parallel.begin(), llvm::find(parallel, wanted))));

  auto fuse = [&](StringRef stem) {
    return consumers ? " fuse(" + handles(stem, consumers) + ")"
                     : std::string();
  };
  auto named = [&](StringRef stem) {
    return consumers ? ", " + handles(stem, consumers) : std::string();
  };
  writer.step("%mm" + named("e") + " = transform.kz.body %t");
  writer.step("%m" + named("f") + ", %grid = transform.kz.tile_grid %mm" +
              fuse("e") + " tile " + list(grid));
  writer.step("%r" + named("g") + ", %n = transform.kz.tile_loop %m" +
              fuse("f") + " parallel " + list(tile) + " order " +
              list(positions));
  writer.step("%r2, %k = transform.kz.tile_loop %r reduction [" + tileK + "]");
  writer.step("%b = transform.kz.stage %r2 operand(1) memory panels(" + tileN +
              ") before(%grid)");
  writer.step("%a = transform.kz.stage %r2 operand(0) memory panels(" + tileM +
              ") before(%n)");
  writer.step("transform.kz.vectorize %r2 lanes(" + Twine(lanes) +
              ") accumulate(registers)");
  for (size_t i = 0; i < consumers; ++i)
    writer.step("transform.kz.vectorize %g" + Twine(i) + " lanes(" +
                Twine(lanes) + ")");
  return writer.take();
}

//===----------------------------------------------------------------------===//
// Elementwise groups on the host
//===----------------------------------------------------------------------===//

static std::optional<Skeleton>
makeHostElementwise(ArrayRef<linalg::LinalgOp> ops, const Target &target,
                    std::string &error) {
  linalg::LinalgOp root = ops.back();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges();
  if (ranges.empty()) {
    error = "the task has no dimension to tile; a scalar needs no schedule";
    return std::nullopt;
  }
  Type element = getElementTypeOrSelf(root.getDpsInits().front().getType());
  int64_t last = ranges.back();
  int64_t lanes = getLanes(target, element);
  while (lanes > 1 && lanes > last)
    lanes /= 2;
  Writer writer;
  SmallVector<std::string> grid(ranges.size(), "1"), tile(ranges.size(), "0");
  SmallVector<int64_t> widths = {4 * lanes, lanes, 2 * lanes, 8 * lanes};
  if (ranges.size() == 1) {
    grid[0] = writer.knob(
        "block", upTo({16384, 4096, 65536}, last),
        "elements of one unit of work; their operands share the L1 cache");
  } else {
    grid.back() = "0";
    grid[ranges.size() - 2] =
        writer.knob("block_rows", upTo({1, 4, 16}, ranges[ranges.size() - 2]),
                    "rows of one unit of work; at most " +
                        Twine(ranges[ranges.size() - 2]));
    tile[ranges.size() - 2] = "1";
  }
  tile.back() = writer.knob("width", upTo(widths, last),
                            "neighbouring elements in flight, in vectors of " +
                                Twine(lanes));
  size_t others = ops.size() - 1;
  auto fuse = [&](StringRef stem) {
    return others ? " fuse(" + handles(stem, others) + ")" : std::string();
  };
  auto named = [&](StringRef stem) {
    return others ? handles(stem, others) + ", " : std::string();
  };
  auto returned = [&](StringRef stem) {
    return others ? ", " + handles(stem, others) : std::string();
  };
  writer.step(named("e") + "%root = transform.kz.body %t");
  writer.step("%x" + returned("f") + ", %grid = transform.kz.tile_grid %root" +
              fuse("e") + " tile " + list(grid));
  writer.step("%y" + returned("g") + ", %loop = transform.kz.tile_loop %x" +
              fuse("f") + " parallel " + list(tile));
  writer.step("transform.kz.vectorize %y lanes(" + Twine(lanes) + ")");
  for (size_t i = 0; i < others; ++i)
    writer.step("transform.kz.vectorize %g" + Twine(i) + " lanes(" +
                Twine(lanes) + ")");
  return writer.take();
}

std::optional<Skeleton> kernelzero::getSkeleton(func::FuncOp task,
                                                const Target &target,
                                                std::string &error) {
  SmallVector<linalg::LinalgOp> ops = getComputing(task);
  if (ops.empty()) {
    error = "the task has no computing operation";
    return std::nullopt;
  }
  for (linalg::LinalgOp op : ops)
    for (auto [dim, range] : llvm::enumerate(op.getStaticLoopRanges()))
      if (range == 0) {
        error = ("dimension " + Twine(dim) + " of '" +
                 op->getName().getStringRef() +
                 "' has size 0; at least 1 is needed")
                    .str();
        return std::nullopt;
      }
  if (target.isGPU())
    return makeGPU(ops, target, error);
  bool consumersElementwise =
      llvm::all_of(ArrayRef(ops).drop_front(), [](linalg::LinalgOp op) {
        return op.getNumReductionLoops() == 0;
      });
  if (std::optional<MatmulShape> shape = getMatmulShape(ops.front());
      shape && consumersElementwise)
    return makeHostMatmul(ops, *shape, target, error);
  if (consumersElementwise && ops.front().getNumReductionLoops() == 0)
    return makeHostElementwise(ops, target, error);
  return makeHostRows(ops, target, error);
}

std::optional<std::string>
kernelzero::explainIllegal(func::FuncOp task, const Target &target,
                           const std::map<std::string, int64_t> &values) {
  if (target.isGPU())
    return explainGPU(task, target, values);
  auto tileM = values.find("tile_m"), tileN = values.find("tile_n");
  if (tileM == values.end() || tileN == values.end())
    return std::nullopt;
  Type element = getElementTypeOrSelf(task.getResultTypes().front());
  int64_t lanes = getLanes(target, element);
  int64_t needed = countRegisters(tileM->second, tileN->second, lanes);
  if (needed > target.vectorRegisters)
    return ("a register tile of " + Twine(tileM->second) + " x " +
            Twine(tileN->second) + " needs " + Twine(needed) +
            " vector registers, " + Twine(target.name) + " has " +
            Twine(target.vectorRegisters) + "; try tile_m " +
            Twine((target.vectorRegisters - 1) /
                      llvm::divideCeil(tileN->second, lanes) -
                  1))
        .str();
  if (auto block = values.find("block_rows");
      block != values.end() && block->second < tileM->second)
    return ("block_rows " + Twine(block->second) +
            " holds no register tile of " + Twine(tileM->second) +
            " rows; at least " + Twine(tileM->second))
        .str();
  return std::nullopt;
}
