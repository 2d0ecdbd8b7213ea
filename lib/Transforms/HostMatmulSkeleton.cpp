//===- HostMatmulSkeleton.cpp - contractions on the host ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SkeletonWriter.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

namespace {

/// Ways to bring the operands near, the values of the knob `packing`.
enum Packing : int64_t {
  /// The right operand packed once for all, the left one a block of rows at a
  /// time.
  kWhole,
  /// Few rows and a long sum: the right operand piece by piece, right before
  /// all rows use it, so that it is read from memory once.
  kPieces,
  /// Very few rows: nothing is read twice, so nothing is packed.
  kNone,
};

/// The knobs of the register tile.
struct RegisterTile {
  std::string m, n, k;
};

class HostMatmul {
public:
  HostMatmul(ArrayRef<linalg::LinalgOp> ops, const MatmulShape &shape,
             const Target &target, int64_t lanes)
      : ops(ops), matmul(ops.front()), shape(shape), target(target),
        lanes(lanes), consumers(ops.size() - 1) {}

  Skeleton write();

private:
  void writeWhole();
  void writePieces();
  void writeDirect();
  RegisterTile writeRegisterTile();
  void vectorize(StringRef stem);

  std::string fuse(StringRef stem) const {
    return consumers ? " fuse(" + handles(stem, consumers) + ")"
                     : std::string();
  }
  std::string named(StringRef stem) const {
    return consumers ? ", " + handles(stem, consumers) : std::string();
  }
  /// Sizes for the parallel dimensions, in the order of the operation.
  std::string inOrder(StringRef m, StringRef n, StringRef batch) const {
    SmallVector<std::string> sizes;
    for (auto [dim, iterator] : llvm::enumerate(matmul.getIteratorTypesArray()))
      if (linalg::isParallelIterator(iterator))
        sizes.push_back((dim == shape.mDim   ? m
                         : dim == shape.nDim ? n
                                             : batch)
                            .str());
    return list(sizes);
  }
  /// The positions of the parallel dimensions for an `order`: batches outside.
  std::string getOrder(bool columnsOutside) const;

  ArrayRef<linalg::LinalgOp> ops;
  mutable linalg::LinalgOp matmul;
  const MatmulShape &shape;
  const Target &target;
  int64_t lanes;
  size_t consumers;
  Writer writer;
};

} // namespace

/// The values of `candidates` that divide `size`; `size` itself where none
/// does.
static SmallVector<int64_t> dividing(ArrayRef<int64_t> candidates,
                                     int64_t size) {
  SmallVector<int64_t> values;
  for (int64_t value : candidates)
    if (size % value == 0)
      values.push_back(value);
  if (values.empty())
    values.push_back(size);
  return values;
}

std::string HostMatmul::getOrder(bool columnsOutside) const {
  SmallVector<unsigned> parallel;
  for (auto [dim, iterator] : llvm::enumerate(matmul.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator))
      parallel.push_back(dim);
  SmallVector<std::string> positions;
  auto add = [&](unsigned dim) {
    positions.push_back(std::to_string(
        std::distance(parallel.begin(), llvm::find(parallel, dim))));
  };
  for (unsigned dim : parallel)
    if (dim != shape.mDim && dim != shape.nDim)
      add(dim);
  add(columnsOutside ? shape.nDim : shape.mDim);
  add(columnsOutside ? shape.mDim : shape.nDim);
  return list(positions);
}

RegisterTile HostMatmul::writeRegisterTile() {
  RegisterTile tile;
  tile.m = writer.knob("tile_m", upTo({8, 4, 6, 12, 14, 16, 10, 9}, shape.m),
                       "rows of the register tile; with tile_n it may use " +
                           Twine(target.vectorRegisters) + " vector registers",
                       "registers");
  SmallVector<int64_t> widths = {2 * lanes, lanes, 4 * lanes, 3 * lanes};
  tile.n =
      writer.knob("tile_n", upTo(widths, shape.n),
                  "columns of the register tile, in vectors of " + Twine(lanes),
                  "registers");
  tile.k = writer.knob("tile_k", dividing({2, 4, 1, 8}, shape.k),
                       "steps of the sum that are unrolled; values divide " +
                           Twine(shape.k));
  return tile;
}

void HostMatmul::vectorize(StringRef stem) {
  for (size_t i = 0; i < consumers; ++i) {
    std::string handle = ("%" + stem + Twine(i)).str();
    writer.step("transform.kz.vectorize " + handle + " lanes(" + Twine(lanes) +
                ")");
    writeMath(writer, ops[i + 1], handle, isNarrow(ops.back()), /*fast=*/false,
              "g" + std::to_string(i));
  }
}

void HostMatmul::writeWhole() {
  // Operands are packed in the type of the sums.
  int64_t rowBytes = shape.k *
                     getElementTypeOrSelf(matmul->getResult(0).getType())
                         .getIntOrFloatBitWidth() /
                     8;
  // A packed block of the left operand is read once for every register column,
  // the whole right operand once for every block. Where no block of some height
  // fits the cache, the latter counts.
  int64_t blockRows = target.l2Bytes / 2 / rowBytes;
  if (blockRows < 32)
    blockRows = 128;
  SmallVector<int64_t> blocks, largerBlocks;
  for (int64_t block : {128, 64, 32, 16, 8, 256})
    (block <= blockRows ? blocks : largerBlocks).push_back(block);
  llvm::append_range(blocks, largerBlocks);
  std::string rows =
      writer.knob("block_rows", upTo(blocks, shape.m),
                  "rows of one block of the left operand, packed together: " +
                      Twine(rowBytes) + " bytes a row, the L2 cache has " +
                      Twine(target.l2Bytes) + "; at most M, " + Twine(shape.m));
  RegisterTile registers = writeRegisterTile();
  writer.step("%m" + named("f") + ", %grid = transform.kz.tile_grid %mm" +
              fuse("e") + " tile " + inOrder(rows, "0", "1"));
  SmallVector<std::string> tiles = {"%r"};
  for (size_t i = 0; i < consumers; ++i)
    tiles.push_back("%g" + std::to_string(i));
  tiles.push_back("%n");
  auto loops = [&](bool columnsOutside) {
    writer.step(llvm::join(tiles, ", ") + " = transform.kz.tile_loop %m" +
                fuse("f") + " parallel " +
                inOrder(registers.m, registers.n, "0") + " order " +
                getOrder(columnsOutside));
  };
  writer.alternatives(
      "loops", {0, 1},
      "0: columns outside, a panel of the right operand stays in the L1 cache "
      "while all rows of a block pass; 1: rows outside, a panel of the left "
      "operand stays",
      tiles, {[&] { loops(true); }, [&] { loops(false); }});
  writer.step("%r2, %k = transform.kz.tile_loop %r reduction [" + registers.k +
              "]");
  writer.step("%b = transform.kz.stage %r2 operand(1) memory panels(" +
              registers.n + ") before(%grid)");
  writer.step("%a = transform.kz.stage %r2 operand(0) memory panels(" +
              registers.m + ") before(%n)");
  writer.step("transform.kz.vectorize %r2 lanes(" + Twine(lanes) +
              ") accumulate(registers)");
  vectorize("g");
}

void HostMatmul::writePieces() {
  std::string columns = writer.knob(
      "block_columns", upTo({512, 256, 1024, 128, 2048}, shape.n),
      "columns of one unit of work; its sums lie in the L2 cache of " +
          Twine(target.l2Bytes) + " bytes");
  std::string depth = writer.knob(
      "block_depth", dividing({512, 256, 384, 1024, 128, 768}, shape.k),
      "steps of the sum between two visits of a register tile; values divide " +
          Twine(shape.k));
  RegisterTile tile = writeRegisterTile();
  writer.step("%m" + named("f") + ", %grid = transform.kz.tile_grid %mm" +
              fuse("e") + " tile " + inOrder("0", columns, "1"));
  writer.step("%d, %deep = transform.kz.tile_loop %m reduction [" + depth +
              "]");
  writer.step("%c, %n = transform.kz.tile_loop %d parallel " +
              inOrder("0", tile.n, "0"));
  writer.step("%r, %i = transform.kz.tile_loop %c parallel " +
              inOrder(tile.m, "0", "0"));
  writer.step("%r2, %k = transform.kz.tile_loop %r reduction [" + tile.k + "]");
  writer.step("%b = transform.kz.stage %r2 operand(1) memory panels(" + tile.n +
              ") before(%i)");
  writer.step("%a = transform.kz.stage %r2 operand(0) memory panels(" + tile.m +
              ") before(%grid)");
  writer.step("transform.kz.vectorize %r2 lanes(" + Twine(lanes) +
              ") accumulate(registers)");
  vectorize("f");
}

void HostMatmul::writeDirect() {
  // Columns that lie along the sum are summed in parts, others side by side.
  bool parts = shape.transposedB;
  SmallVector<int64_t> widths = {8, 4, 2, 16};
  for (int64_t &width : widths)
    width *= parts ? 1 : lanes;
  std::string rows = writer.knob(
      "direct_m", upTo({1, 2, 4}, shape.m),
      "rows of the register tile; at most M, " + Twine(shape.m), "direct");
  std::string columns = writer.knob(
      "direct_n", upTo(widths, shape.n),
      parts ? Twine("columns of the register tile, a vector of partial sums "
                    "each")
            : "columns of the register tile, in vectors of " + Twine(lanes),
      "direct");
  writer.step("%m" + named("f") + ", %grid = transform.kz.tile_grid %mm" +
              fuse("e") + " tile " + inOrder(rows, columns, "1"));
  if (parts) {
    int64_t along = lanes;
    while (along > 1 && along > shape.k)
      along /= 2;
    std::string interleave = writer.knob(
        "interleave", {2, 1, 4},
        "vectors side by side, so that sums do not wait for each other",
        "direct");
    writer.step("transform.kz.vectorize %m lanes(" + Twine(along) +
                ") interleave(" + interleave + ") accumulate(registers)");
  } else {
    std::string steps = writer.knob(
        "direct_k", dividing({4, 2, 1, 8}, shape.k),
        "steps of the sum that are unrolled; values divide " + Twine(shape.k));
    writer.step("%r, %k = transform.kz.tile_loop %m reduction [" + steps + "]");
    writer.step("transform.kz.vectorize %r lanes(" + Twine(lanes) +
                ") accumulate(registers)");
  }
  vectorize("f");
}

Skeleton HostMatmul::write() {
  writer.step("%mm" + named("e") + " = transform.kz.body %t");
  bool deep =
      matmul.getNumParallelLoops() == 2 && shape.m <= 256 && shape.n >= 512 &&
      shape.k >= 512 &&
      dividing({512, 256, 384, 1024, 128, 768}, shape.k).front() != shape.k;
  SmallVector<int64_t> ways = {kWhole, kPieces};
  if (deep)
    ways = {kPieces, kWhole};
  // So few rows use a packed element too seldom.
  if (shape.m <= 4)
    ways.insert(ways.begin(), kNone);
  else if (shape.m <= 32)
    ways.push_back(kNone);
  bool offersNone = llvm::is_contained(ways, kNone);
  auto whole = [&] { writeWhole(); };
  auto pieces = [&] { writePieces(); };
  auto direct = [&] { writeDirect(); };
  SmallVector<llvm::function_ref<void()>> regions = {whole, pieces};
  if (offersNone)
    regions.push_back(direct);
  writer.alternatives(
      "packing", ways,
      "0: the right operand is packed once, the left one a block of rows at a "
      "time; 1: the right one a piece at a time, right before all rows use it" +
          Twine(offersNone ? "; 2: nothing is packed" : ""),
      {}, regions);
  return writer.take();
}

std::optional<Skeleton> skeleton::makeHostMatmul(ArrayRef<linalg::LinalgOp> ops,
                                                 const MatmulShape &shape,
                                                 const Target &target,
                                                 std::string &error) {
  linalg::LinalgOp matmul = ops.front();
  Type element = getElementTypeOrSelf(matmul.getDpsInits().front().getType());
  int64_t lanes = getLanes(target, element);
  while (lanes > 1 && lanes > shape.n)
    lanes /= 2;
  return HostMatmul(ops, shape, target, lanes).write();
}
