//===- GPUMatmulSkeleton.cpp - skeletons of contractions on GPUs ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SkeletonWriter.h"
#include "ToTile/L1Analysis.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

namespace {
/// How one operand reaches shared memory.
struct Source {
  /// An operation in front of the contraction computes it.
  bool computed = false;
  /// Rows of its tile lie along K, else along M or N.
  bool alongK = true;
  /// Rows of its tile are rows of the buffer.
  bool contiguous = false;
  /// It is a part of a buffer that goes on along K.
  bool part = false;
  int64_t elementBytes = 0;
  /// The widest copy, in bytes, that keeps to the buffer's rows.
  int64_t width = 0;
  /// Bytes from one row of the buffer to the next, and of what stands in front.
  int64_t pitch = 0;
};

/// A contraction with the elementwise operations before and behind it.
struct Matmul {
  linalg::LinalgOp op;
  unsigned mDim = 0, nDim = 0, kDim = 0;
  int64_t m = 0, n = 0, k = 0;
  SmallVector<linalg::LinalgOp> before, behind;
  Source left, right;
  Type sum;
  /// Bytes from one row of the result to the next.
  int64_t resultPitch = 0;
};
} // namespace

static int64_t getBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

static Source getSource(Matmul &matmul, unsigned number) {
  OpOperand &operand = matmul.op->getOpOperand(number);
  ArrayRef<AffineExpr> results =
      matmul.op.getMatchingIndexingMap(&operand).getResults();
  auto isDim = [&](AffineExpr expr, unsigned dim) {
    return expr == getAffineDimExpr(dim, matmul.op.getContext());
  };
  unsigned own = number == 0 ? matmul.mDim : matmul.nDim;
  int64_t kAt = -1, ownAt = -1;
  for (auto [position, expr] : llvm::enumerate(results)) {
    if (isDim(expr, matmul.kDim))
      kAt = position;
    if (isDim(expr, own))
      ownAt = position;
  }
  Source source;
  source.elementBytes = getBytes(getElementTypeOrSelf(operand.get().getType()));
  source.computed = llvm::is_contained(
      matmul.before, operand.get().getDefiningOp<linalg::LinalgOp>());
  // The left tile is always M x K.
  source.alongK = number == 0 || kAt > ownAt;
  int64_t column = source.alongK ? kAt : ownAt;
  std::optional<l1::View> view = l1::getView(operand.get());
  if (!view || source.computed)
    return source;
  auto root = cast<RankedTensorType>(view->root.getType());
  int64_t last = root.getRank() - 1;
  source.contiguous = view->dims[column] == last;
  source.part = root.getDimSize(view->dims[kAt]) != matmul.k;
  source.pitch = root.getDimSize(last) * source.elementBytes;
  int64_t step = std::gcd(source.pitch,
                          view->offsets[last].constant * source.elementBytes);
  for (int64_t width : {16, 8, 4, 2})
    if (!source.width && step % width == 0 && width >= source.elementBytes)
      source.width = width;
  return source;
}

/// M, N and K of a contraction. Where several loops are M (or N), the last one
/// is dealt in tiles, the others are walked like batches.
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
  if (failed(dims) || dims->m.empty() || dims->n.empty() ||
      dims->k.size() != 1) {
    error = "the contraction has not M, N and one K; accepted are matmul and "
            "batch matmul";
    return std::nullopt;
  }
  SmallVector<int64_t> ranges = matmul.op.getStaticLoopRanges();
  matmul.mDim = dims->m.back();
  matmul.nDim = dims->n.back();
  matmul.kDim = dims->k.back();
  matmul.m = ranges[matmul.mDim];
  matmul.n = ranges[matmul.nDim];
  matmul.k = ranges[matmul.kDim];
  matmul.left = getSource(matmul, 0);
  matmul.right = getSource(matmul, 1);
  matmul.sum = getElementTypeOrSelf(matmul.op->getResult(0).getType());
  auto result = cast<RankedTensorType>(ops.back()->getResult(0).getType());
  matmul.resultPitch =
      result.getShape().back() * getBytes(result.getElementType());
  return matmul;
}

/// The widest swizzle that rows of `bytes` are made of.
static int64_t getSwizzle(int64_t bytes) {
  for (int64_t span : {128, 64, 32})
    if (bytes % span == 0)
      return span;
  return 0;
}

namespace {
/// What the kinds of kernels differ in.
struct Kind {
  bool wgmma = false, fma = false;
  bool asynchronous = true; ///< Copies do not go through registers.
  bool store = false;       ///< The result leaves by TMA.
  /// In front of the names of its choices, where another kind has some too.
  std::string prefix = "";
};

/// The names of the choices, as steps use them.
struct Choices {
  std::string m, n, k, warpsM, warpsN, stages, group;
  /// Elements of K in a tile as it stands in shared memory, and the fewest
  /// columns of one.
  int64_t depth = 0, columns = 0;
  /// The default of `n`.
  int64_t tileN = 0;
};
} // namespace

/// Moves `value` to the front of `values`, where it is one of them.
static SmallVector<int64_t> withDefault(SmallVector<int64_t> values,
                                        int64_t value) {
  auto *found = llvm::find(values, value);
  if (found != values.end())
    std::rotate(values.begin(), found, std::next(found));
  return values;
}

/// A tile of `m` x `n`, halved down to `leastM` x `leastN` until there is a
/// block for every multiprocessor.
static std::pair<int64_t, int64_t> fillTarget(Matmul &matmul,
                                              const Target &target, int64_t m,
                                              int64_t n, int64_t leastM,
                                              int64_t leastN) {
  int64_t others = 1;
  SmallVector<int64_t> ranges = matmul.op.getStaticLoopRanges();
  for (auto [dim, iterator] :
       llvm::enumerate(matmul.op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) && dim != matmul.mDim &&
        dim != matmul.nDim)
      others *= ranges[dim];
  auto blocks = [&]() -> int64_t {
    return others * llvm::divideCeil(matmul.m, m) *
           llvm::divideCeil(matmul.n, n);
  };
  while (blocks() < target.multiprocessors && (m > leastM || n > leastN))
    (n > leastN && (n >= m || m <= leastM) ? n : m) /= 2;
  return {m, n};
}

static Choices writeWgmmaKnobs(Writer &writer, Matmul &matmul,
                               const std::string &prefix,
                               const Target &target) {
  Choices choices;
  choices.m =
      writer.knob(prefix + "tile_m", upTo({128, 64, 256}, matmul.m),
                  "rows of a block's tile: whole 64 rows of wgmma for each "
                  "consumer warpgroup; at most M, " +
                      Twine(matmul.m));
  // A warpgroup holds 64 x 256 sums at most.
  SmallVector<int64_t> columns = {256, 128, 64, 192};
  if (matmul.m < 128)
    columns = {128, 64, 192};
  columns = upTo(columns, matmul.n);
  choices.tileN = fillTarget(matmul, target, matmul.m < 128 ? 64 : 128,
                             columns.front(), 256, 64)
                      .second;
  choices.n =
      writer.knob(prefix + "tile_n", withDefault(columns, choices.tileN),
                  "columns of a block's tile and of one wgmma: at most "
                  "256, and at most N, " +
                      Twine(matmul.n));
  choices.columns = 64;
  choices.depth = 64;
  choices.k = "64";
  if (matmul.k >= 128)
    choices.k = writer.knob(prefix + "tile_k", {64, 128},
                            "steps of the sum in one slot of the ring; at most "
                            "K, " +
                                Twine(matmul.k));
  choices.warpsM = writer.knob(
      prefix + "consumers",
      matmul.m >= 128 ? SmallVector<int64_t>{2, 1} : SmallVector<int64_t>{1},
      "warpgroups that compute, 64 rows or more each; a "
      "third one only copies");
  choices.warpsN = "1";
  return choices;
}

/// The steps of a short sum in one tile: all of them, filled up to `unit`, or,
/// where an operand goes through registers, whose vectors deal powers of two
/// evenly, the largest power of two among them.
static int64_t getShortDepth(const Matmul &matmul, int64_t unit) {
  bool simple = true;
  for (const Source &source : {matmul.left, matmul.right})
    simple &= !source.computed && source.contiguous && source.width >= 4 &&
              !source.part;
  return simple || matmul.k < unit ? llvm::alignTo(matmul.k, unit)
                                   : llvm::bit_floor(uint64_t(matmul.k));
}

static Choices writeMmaKnobs(Writer &writer, Matmul &matmul,
                             const std::string &prefix, const Target &target) {
  Choices choices;
  SmallVector<int64_t> rows = upTo({128, 64, 256, 32, 16}, matmul.m);
  // Rows of the right operand that lie along N are swizzled over the
  // narrowest tile, so that wide tiles stand alone where N allows.
  SmallVector<int64_t> columns = {128, 64, 256, 32, 16, 8};
  bool wide = !matmul.right.alongK && matmul.n >= 64;
  if (wide)
    columns = {128, 64, 256};
  columns = upTo(columns, matmul.n);
  auto [tileM, tileN] = fillTarget(matmul, target, rows.front(),
                                   columns.front(), 32, wide ? 64 : 32);
  choices.m = writer.knob(prefix + "tile_m", withDefault(rows, tileM),
                          "rows of a block's tile: whole 16 rows for each warp "
                          "along M; at most M, " +
                              Twine(matmul.m));
  choices.n = writer.knob(
      prefix + "tile_n", withDefault(columns, tileN),
      "columns of a block's tile: whole 8 columns for each warp along N; at "
      "most N, " +
          Twine(matmul.n) +
          (wide ? "; at least 64, the 128 bytes of the swizzle" : ""));
  // A tile that is smaller than an instruction is filled up.
  choices.columns =
      llvm::alignTo(*std::min_element(columns.begin(), columns.end()), 8);
  // All of K in one tile is filled up to whole instructions.
  choices.depth = 64;
  choices.k = "64";
  if (matmul.k < 64) {
    choices.depth = getShortDepth(matmul, 16);
    choices.k = std::to_string(std::min(matmul.k, choices.depth));
  } else if (matmul.k >= 128) {
    choices.k = writer.knob(prefix + "tile_k", {64, 128},
                            "steps of the sum in one slot of the ring; at most "
                            "K, " +
                                Twine(matmul.k));
  }
  SmallVector<int64_t> along = {2, 1, 4};
  choices.warpsM = writer.knob(prefix + "warps_m",
                               matmul.m >= 32 ? along : SmallVector<int64_t>{1},
                               "warps along M");
  choices.warpsN = writer.knob(prefix + "warps_n",
                               matmul.n >= 16 ? along : SmallVector<int64_t>{1},
                               "warps along N");
  return choices;
}

/// Lanes of a warp along M and N of plain multiply-adds: along a row of 8 one
/// element of the left operand is read for all.
static constexpr int64_t kLanesM = 4, kLanesN = 8;

static Choices writeFmaKnobs(Writer &writer, Matmul &matmul,
                             const Target &target) {
  Choices choices;
  SmallVector<int64_t> rows = upTo({64, 128, 32, 16, 8}, matmul.m);
  SmallVector<int64_t> columns = upTo({128, 64, 32, 16, 8}, matmul.n);
  auto [tileM, tileN] =
      fillTarget(matmul, target, rows.front(), columns.front(), 32, 32);
  choices.m = writer.knob("tile_m", withDefault(rows, tileM),
                          "rows of a block's tile: whole " + Twine(kLanesM) +
                              " rows for each warp along M; at most M, " +
                              Twine(matmul.m));
  choices.n = writer.knob("tile_n", withDefault(columns, tileN),
                          "columns of a block's tile: whole " + Twine(kLanesN) +
                              " columns for each warp along N; at most N, " +
                              Twine(matmul.n));
  choices.columns =
      llvm::alignTo(*std::min_element(columns.begin(), columns.end()), kLanesN);
  // Rows of 64 bytes or more in shared memory, of whole pieces of 16 bytes.
  int64_t bytes = std::min(matmul.left.elementBytes, matmul.right.elementBytes);
  int64_t depth = 64 / bytes;
  choices.depth = depth;
  if (matmul.k < depth) {
    choices.depth = getShortDepth(matmul, 16 / bytes);
    choices.k = std::to_string(std::min(matmul.k, choices.depth));
  } else {
    choices.k = writer.knob("tile_k", upTo({depth, 2 * depth}, matmul.k),
                            "steps of the sum in one slot of the ring; at most "
                            "K, " +
                                Twine(matmul.k));
  }
  auto warps = [&](int64_t tile, int64_t unit) {
    SmallVector<int64_t> values;
    for (int64_t count : {2, 1, 4})
      if (tile % (count * unit) == 0)
        values.push_back(count);
    return values.empty() ? SmallVector<int64_t>{1} : values;
  };
  choices.warpsM =
      writer.knob("warps_m", warps(tileM, kLanesM), "warps along M");
  choices.warpsN =
      writer.knob("warps_n", warps(tileN, kLanesN), "warps along N");
  return choices;
}

/// The step that stages operand `number` in the ring.
static void writeStage(Writer &writer, Matmul &matmul, unsigned number,
                       const Kind &kind, const Choices &choices) {
  const Source &source = number == 0 ? matmul.left : matmul.right;
  int64_t rowBytes =
      (source.alongK ? choices.depth : choices.columns) * source.elementBytes;
  // Plain multiply-adds read rows as they lie, save where neighbouring lanes
  // read neighbouring rows.
  int64_t swizzle =
      kind.fma && (number == 0 || !source.alongK) ? 0 : getSwizzle(rowBytes);
  bool ragged = matmul.k % choices.depth;
  bool plain = source.computed || !source.contiguous || source.width < 4 ||
               (source.part && ragged) || !kind.asynchronous;
  std::string step =
      ("%" + Twine(number ? "b" : "a") + " = transform.kz.stage %m2 operand(" +
       Twine(number) + ") shared copy(" +
       (plain        ? "plain"
        : kind.wgmma ? "tma"
                     : "cp_async") +
       ") swizzle(" + Twine(swizzle) + ")")
          .str();
  int64_t width = source.width;
  if (plain) {
    // What moves through registers is dealt in vectors of this many bytes.
    width = source.computed ? 16 : source.contiguous ? source.width : 0;
    width = std::max(width, std::max<int64_t>(2, source.elementBytes));
  }
  if (!kind.wgmma)
    step += " width(" + std::to_string(width) + ")";
  writer.step(step);
}

static void writeMatmul(Writer &writer, Matmul &matmul, Type resultType,
                        const Kind &kind, const Target &target) {
  const std::string &prefix = kind.prefix;
  Choices choices = kind.wgmma ? writeWgmmaKnobs(writer, matmul, prefix, target)
                    : kind.fma ? writeFmaKnobs(writer, matmul, target)
                               : writeMmaKnobs(writer, matmul, prefix, target);
  choices.stages = writer.knob(prefix + "stages",
                               kind.wgmma ? SmallVector<int64_t>{4, 3, 2, 5, 6}
                                          : SmallVector<int64_t>{3, 2, 4, 5},
                               "slots of the ring; all of them fit into " +
                                   Twine(target.sharedBytesPerBlock) +
                                   " bytes of shared memory");
  choices.group = writer.knob(
      prefix + "group_m",
      kind.wgmma ? SmallVector<int64_t>{16, 8, 4, 0}
                 : SmallVector<int64_t>{8, 16, 4, 0},
      "rows of tiles that run together and share operands in the L2 cache; 0 "
      "is row by row");
  SmallVector<std::string> grid;
  for (auto [dim, iterator] :
       llvm::enumerate(matmul.op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator))
      grid.push_back(dim == matmul.mDim   ? choices.m
                     : dim == matmul.nDim ? choices.n
                                          : "1");

  size_t before = matmul.before.size(), behind = matmul.behind.size();
  std::string fuse, tiles;
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
              list(grid) + " raster group_m(" + choices.group + ")" +
              (kind.wgmma ? " persistent" : ""));
  std::string inner = "%m2";
  add(inner, handles("r", before));
  writer.step(inner + ", %k = transform.kz.tile_loop %m" +
              (before ? " fuse(" + handles("q", before) + ")" : "") +
              " reduction [" + choices.k + "]");
  writeStage(writer, matmul, 0, kind, choices);
  writeStage(writer, matmul, 1, kind, choices);
  writer.step("transform.kz.pipeline %k ring(%a, %b) stages(" + choices.stages +
              ")");
  std::string sum;
  llvm::raw_string_ostream(sum) << matmul.sum;
  if (kind.wgmma) {
    writer.step("transform.kz.tile_warps %m2 warpgroups [" + choices.warpsM +
                ", 1]");
    writer.step("transform.kz.mma %m2 wgmma [64, " + choices.n +
                ", 16] acc(f32)");
    writer.step(
        "transform.kz.warp_specialize %k producers(1) registers(40, 232)");
  } else {
    writer.step("transform.kz.tile_warps %m2 warps [" + choices.warpsM + ", " +
                choices.warpsN + "]");
    writer.step(kind.fma ? "transform.kz.mma %m2 fma [" + Twine(kLanesM) +
                               ", " + Twine(kLanesN) + ", 1] acc(" + sum + ")"
                         : Twine("transform.kz.mma %m2 mma_sync [16, 8, 16] "
                                 "acc(f32)"));
  }
  for (size_t index = 0; index < behind; ++index) {
    std::string handle = "%f" + std::to_string(index);
    writer.step("transform.kz.epilogue " + handle + " on_accumulator");
    writeMath(writer, matmul.behind[index], handle,
              resultType.getIntOrFloatBitWidth() <= 16,
              /*fast=*/true);
  }
  if (kind.store) {
    SmallVector<int64_t> widths;
    for (int64_t width : {128, 64})
      if (width <= matmul.n)
        widths.push_back(width);
    if (choices.tileN % widths.front())
      widths = withDefault(widths, 64);
    std::string chunk = writer.knob(prefix + "chunk_n", widths,
                                    "columns of the result in flight at a "
                                    "time, in whole 128 bytes; divides "
                                    "tile_n");
    writer.step("transform.kz.stage " +
                (behind ? "%f" + std::to_string(behind - 1) : "%m2") +
                " result(0) shared copy(tma_store) swizzle(128) chunk [64, " +
                chunk + "]");
  }
}

std::optional<Skeleton> skeleton::makeGPUMatmul(ArrayRef<linalg::LinalgOp> ops,
                                                const Target &target,
                                                std::string &error) {
  std::optional<Matmul> matmul = getMatmul(ops, error);
  if (!matmul)
    return std::nullopt;
  Type left = getElementTypeOrSelf(matmul->op->getOperand(0).getType());
  Type right = getElementTypeOrSelf(matmul->op->getOperand(1).getType());
  Type result = getElementTypeOrSelf(ops.back()->getResult(0).getType());
  bool cores = left == right && (left.isF16() || left.isBF16()) &&
               matmul->sum.isF32() && target.mmaSync;
  if (!cores)
    for (Type type : {left, right})
      if (isa<FloatType>(type) != isa<FloatType>(matmul->sum) ||
          type.getIntOrFloatBitWidth() > matmul->sum.getIntOrFloatBitWidth() ||
          type.getIntOrFloatBitWidth() < 8) {
        llvm::raw_string_ostream(error)
            << "a contraction of " << left << " and " << right
            << " with sums of " << matmul->sum << " has no kernel on "
            << target.name
            << "; accepted are sums of the same kind that are no narrower";
        return std::nullopt;
      }
  Kind kind;
  kind.fma = !cores;
  kind.asynchronous = target.cpAsync;
  // TMA wants rows in multiples of 16 bytes and does not compute.
  auto boxed = [&](const Source &source) {
    return source.contiguous && source.width == 16 &&
           !(source.part && matmul->k % 64);
  };
  kind.wgmma = cores && target.wgmma && target.tma && matmul->before.empty() &&
               matmul->m >= 64 && matmul->n >= 64 && matmul->k >= 64 &&
               boxed(matmul->left) && boxed(matmul->right);
  kind.store = kind.wgmma && result.getIntOrFloatBitWidth() == 16 &&
               matmul->resultPitch % 16 == 0;
  Writer writer;
  if (!kind.wgmma) {
    writeMatmul(writer, *matmul, result, kind, target);
    return writer.take();
  }
  Kind sync;
  sync.asynchronous = target.cpAsync;
  sync.prefix = "sync_";
  writer.alternatives(
      "instruction", {1, 0},
      "the kernel: 1 by wgmma, with a warpgroup that only copies; 0 by "
      "mma.sync, where every warp copies and computes",
      {},
      {[&] { writeMatmul(writer, *matmul, result, sync, target); },
       [&] { writeMatmul(writer, *matmul, result, kind, target); }});
  return writer.take();
}
