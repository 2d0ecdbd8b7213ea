//===- GPUSkeleton.cpp - skeletons of GPU kernels -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SkeletonWriter.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

namespace {
/// A contraction with the elementwise operations before and behind it.
struct Matmul {
  linalg::LinalgOp op;
  MatmulShape shape;
  SmallVector<linalg::LinalgOp> before, behind;
  unsigned batches = 0;
  /// Bytes from one row of an operand or result to the next.
  int64_t leftPitch = 0, rightPitch = 0, resultPitch = 0;
  int64_t bytes = 2;
};
} // namespace

static int64_t getPitch(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getShape().back() * type.getElementTypeBitWidth() / 8;
}

/// M, N and K of a contraction that may have batches.
static std::optional<Matmul> getMatmul(ArrayRef<linalg::LinalgOp> ops,
                                       std::string &error) {
  Matmul matmul;
  for (linalg::LinalgOp op : ops) {
    if (linalg::isaContractionOpInterface(op)) {
      if (matmul.op) {
        error = "the task has two contractions; there is a skeleton for one";
        return std::nullopt;
      }
      matmul.op = op;
    } else if (op.getNumReductionLoops()) {
      error = ("'" + op->getName().getStringRef() +
               "' sums beside a contraction; accepted beside one are "
               "elementwise operations")
                  .str();
      return std::nullopt;
    } else {
      (matmul.op ? matmul.behind : matmul.before).push_back(op);
    }
  }
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(matmul.op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1) {
    error = "the contraction has not one M, one N and one K; accepted are "
            "matmul and batch matmul";
    return std::nullopt;
  }
  SmallVector<int64_t> ranges = matmul.op.getStaticLoopRanges();
  matmul.shape = {
      dims->m[0],         dims->n[0],         dims->k[0], ranges[dims->m[0]],
      ranges[dims->n[0]], ranges[dims->k[0]], false};
  matmul.batches = dims->batch.size();
  matmul.leftPitch = getPitch(matmul.op->getOperand(0));
  matmul.rightPitch = getPitch(matmul.op->getOperand(1));
  matmul.resultPitch = getPitch(ops.back()->getResult(0));
  return matmul;
}

/// The widest copy, in bytes, that rows so far apart allow.
static int64_t getWidth(int64_t pitch) {
  for (int64_t width : {16, 8, 4})
    if (pitch % width == 0)
      return width;
  return 0;
}

static std::optional<Skeleton> makeMatmul(ArrayRef<linalg::LinalgOp> ops,
                                          const Target &target,
                                          std::string &error) {
  std::optional<Matmul> matmul = getMatmul(ops, error);
  if (!matmul)
    return std::nullopt;
  llvm::raw_string_ostream os(error);
  Type left = getElementTypeOrSelf(matmul->op->getOperand(0).getType());
  Type right = getElementTypeOrSelf(matmul->op->getOperand(1).getType());
  Type sum = getElementTypeOrSelf(matmul->op->getResult(0).getType());
  if (left != right || (!left.isF16() && !left.isBF16()) || !sum.isF32()) {
    os << "a contraction of " << left << " and " << right << " with sums of "
       << sum << " has no kernel on " << target.name
       << "; accepted are operands of f16 or of bf16 with sums of f32";
    return std::nullopt;
  }
  const MatmulShape &shape = matmul->shape;
  if (shape.m < 16 || shape.n < 8 || shape.k < 16) {
    os << "a contraction of " << shape.m << " x " << shape.n << " x " << shape.k
       << " is smaller than one instruction, 16 x 8 x 16";
    return std::nullopt;
  }
  Type result = getElementTypeOrSelf(ops.back()->getResult(0).getType());
  // TMA wants rows in multiples of 16 bytes and does not compute.
  bool wgmma = target.wgmma && matmul->before.empty() && shape.m >= 64 &&
               shape.n >= 64 && shape.k >= 64 && matmul->leftPitch % 16 == 0 &&
               matmul->rightPitch % 16 == 0;
  bool store = wgmma && result.getIntOrFloatBitWidth() == 16 &&
               matmul->resultPitch % 16 == 0;
  int64_t widths[] = {getWidth(matmul->leftPitch),
                      getWidth(matmul->rightPitch)};
  if (!wgmma && (!widths[0] || !widths[1])) {
    os << "rows of an operand are "
       << (widths[0] ? matmul->rightPitch : matmul->leftPitch)
       << " bytes apart; accepted are multiples of 4";
    return std::nullopt;
  }

  // Whether rows of the operand lie along K, else along M or N.
  auto liesAlongK = [&](unsigned operand) {
    return matmul->op.getIndexingMapsArray()[operand].getResults().back() ==
           getAffineDimExpr(shape.kDim, matmul->op.getContext());
  };
  bool alongK[] = {liesAlongK(0), liesAlongK(1)};
  if (!alongK[0]) {
    os << "the left operand lies along M; accepted is one that lies along K";
    return std::nullopt;
  }

  Writer writer;
  SmallVector<std::string> grid(matmul->batches, "1");
  std::string bm, bn, bk, warpsM, warpsN;
  int64_t kTile = 64;
  while (kTile > shape.k)
    kTile /= 2;
  bk = std::to_string(kTile);
  if (wgmma) {
    bm = writer.knob("tile_m", upTo({128, 64, 256}, shape.m),
                     "rows of a block's tile: whole 64 rows of wgmma for each "
                     "consumer warpgroup; at most M, " +
                         Twine(shape.m));
    // A warpgroup holds 64 x 256 sums at most.
    SmallVector<int64_t> columns = {256, 128, 64, 192};
    if (shape.m < 128)
      columns = {128, 64, 192};
    bn = writer.knob("tile_n", upTo(columns, shape.n),
                     "columns of a block's tile and of one wgmma: at most 256, "
                     "and at most N, " +
                         Twine(shape.n));
    warpsM = writer.knob("consumers",
                         shape.m >= 128 ? SmallVector<int64_t>{2, 1}
                                        : SmallVector<int64_t>{1},
                         "warpgroups that compute, 64 rows or more each; a "
                         "third one only copies");
  } else {
    bm =
        writer.knob("tile_m", upTo({128, 64, 256, 32, 16}, shape.m),
                    "rows of a block's tile: whole 16 rows for each warp along "
                    "M; at most M, " +
                        Twine(shape.m));
    // Rows of the right operand that lie along N are swizzled over the
    // narrowest tile, so that wide tiles stand alone where N allows.
    SmallVector<int64_t> columns = {128, 64, 256, 32, 16, 8};
    if (!alongK[1] && shape.n >= 64)
      columns = {128, 64, 256};
    bn = writer.knob("tile_n", upTo(columns, shape.n),
                     "columns of a block's tile: whole 8 columns for each warp "
                     "along N; at most N, " +
                         Twine(shape.n) +
                         (columns.size() == 3
                              ? "; at least 64, the 128 bytes of the swizzle"
                              : ""));
    SmallVector<int64_t> along = {2, 1, 4};
    warpsM =
        writer.knob("warps_m", shape.m >= 32 ? along : SmallVector<int64_t>{1},
                    "warps along M");
    warpsN =
        writer.knob("warps_n", shape.n >= 16 ? along : SmallVector<int64_t>{1},
                    "warps along N");
  }
  std::string stages = writer.knob("stages",
                                   wgmma ? SmallVector<int64_t>{4, 3, 2, 5, 6}
                                         : SmallVector<int64_t>{3, 2, 4, 5},
                                   "slots of the ring; all of them fit into " +
                                       Twine(target.sharedBytesPerBlock) +
                                       " bytes of shared memory");
  std::string group =
      writer.knob("group_m",
                  wgmma ? SmallVector<int64_t>{16, 8, 4, 0}
                        : SmallVector<int64_t>{8, 16, 4, 0},
                  "rows of tiles that run together and share operands in the "
                  "L2 cache; 0 is row by row");
  grid.push_back(bm);
  grid.push_back(bn);

  size_t before = matmul->before.size(), behind = matmul->behind.size();
  std::string names, fuse, tiles;
  auto add = [](std::string &text, StringRef more) {
    if (!more.empty())
      text += (text.empty() ? "" : ", ") + more.str();
  };
  std::string body = handles("p", before);
  add(body, "%mm");
  add(body, handles("e", behind));
  add(fuse, handles("p", before));
  add(fuse, handles("e", behind));
  add(tiles, "%m");
  add(tiles, handles("q", before));
  add(tiles, handles("f", behind));
  writer.step(body + " = transform.kz.body %t");
  writer.step(tiles + ", %grid = transform.kz.tile_grid %mm" +
              (fuse.empty() ? "" : " fuse(" + fuse + ")") + " tile " +
              list(grid) + " raster group_m(" + group + ")" +
              (wgmma ? " persistent" : ""));
  std::string inner = "%m2";
  add(inner, handles("r", before));
  writer.step(inner + ", %k = transform.kz.tile_loop %m" +
              (before ? " fuse(" + handles("q", before) + ")" : "") +
              " reduction [" + bk + "]");
  // An operand that is computed goes through registers.
  auto computed = [&](unsigned operand) {
    Operation *producer = matmul->op->getOperand(operand).getDefiningOp();
    return producer && llvm::is_contained(matmul->before, producer);
  };
  for (unsigned operand : {0, 1}) {
    // Bytes of one row of the tile.
    int64_t rowBytes = alongK[operand] ? kTile * 2 : 128;
    int64_t swizzle = rowBytes >= 128 ? 128 : rowBytes >= 64 ? 64 : 32;
    if (!alongK[operand] && !wgmma)
      // The narrowest tile that the knob allows decides.
      for (const Knob &knob : writer.peek())
        if (knob.name == "tile_n")
          for (int64_t value : knob.values)
            while (swizzle > 32 && value * 2 < swizzle)
              swizzle /= 2;
    StringRef copy = computed(operand) ? "plain" : wgmma ? "tma" : "cp_async";
    std::string step =
        ("%" + Twine(operand ? "b" : "a") +
         " = transform.kz.stage %m2 operand(" + Twine(operand) +
         ") shared copy(" + copy + ") swizzle(" + Twine(swizzle) + ")")
            .str();
    if (!wgmma)
      step += " width(" +
              std::to_string(computed(operand) ? 16 : widths[operand]) + ")";
    writer.step(step);
  }
  writer.step("transform.kz.pipeline %k ring(%a, %b) stages(" + stages + ")");
  if (wgmma) {
    writer.step("transform.kz.tile_warps %m2 warpgroups [" + warpsM + ", 1]");
    writer.step("transform.kz.mma %m2 wgmma [64, " + bn + ", 16] acc(f32)");
    writer.step(
        "transform.kz.warp_specialize %k producers(1) registers(40, 232)");
  } else {
    writer.step("transform.kz.tile_warps %m2 warps [" + warpsM + ", " + warpsN +
                "]");
    writer.step("transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)");
  }
  for (size_t index = 0; index < behind; ++index) {
    std::string handle = "%f" + std::to_string(index);
    writer.step("transform.kz.epilogue " + handle + " on_accumulator");
    writeMath(writer, matmul->behind[index], handle, isNarrow(ops.back()),
              /*fast=*/true);
  }
  if (store) {
    SmallVector<int64_t> widths;
    for (int64_t width : {128, 64})
      if (width <= shape.n)
        widths.push_back(width);
    std::string chunk = writer.knob("chunk_n", widths,
                                    "columns of the result in flight at a "
                                    "time, in whole 128 bytes; divides "
                                    "tile_n");
    writer.step("transform.kz.stage " +
                (behind ? "%f" + std::to_string(behind - 1) : "%m2") +
                " result(0) shared copy(tma_store) swizzle(128) chunk [64, " +
                chunk + "]");
  }
  return writer.take();
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
    error = "the task sums everything to one element; accepted are rows, which "
            "leave at least one dimension";
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
    if (ranges.size() > 1)
      grid[ranges.size() - 2] = writer.knob(
          "block_rows", upTo({2, 1, 4, 8}, ranges[ranges.size() - 2]),
          "rows of a block; what is read once a column is read once for all; "
          "at "
          "most " +
              Twine(ranges[ranges.size() - 2]));
    grid.back() =
        writer.knob("block_columns", upTo({2048, 1024, 4096, 512}, columns),
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
  return contracts ? makeMatmul(ops, target, error)
                   : makeRows(ops, target, error);
}
