//===- Layout.cpp - how a tile is dealt to threads ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

// One list of steps, `extent : (distance along each dimension)`. The number of
// dimensions is that of the first step met.
static ParseResult parseSteps(AsmParser &parser, StringRef keyword,
                              int64_t &rank,
                              SmallVectorImpl<LayoutStep> &steps) {
  auto parseStep = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    LayoutStep step;
    SmallVector<int64_t> distances;
    if (parser.parseInteger(step.extent) || parser.parseColon() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
          return parser.parseInteger(distances.emplace_back());
        }))
      return failure();
    if (rank < 0)
      rank = distances.size();
    if (rank != static_cast<int64_t>(distances.size()))
      return parser.emitError(loc)
             << "step moves along " << distances.size()
             << " dimensions, the first step of the layout along " << rank;
    for (auto [dim, distance] : llvm::enumerate(distances)) {
      if (!distance)
        continue;
      if (!step.isCopy())
        return parser.emitError(loc)
               << "step moves along dimensions " << step.dim << " and " << dim
               << "; accepted is a distance along at most one";
      step.dim = dim;
      step.stride = distance;
    }
    steps.push_back(step);
    return success();
  };
  return failure(
      parser.parseKeyword(keyword) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseStep));
}

// The generated builder; with exact types, for overloads of the base compete.
static LayoutAttr makeLayout(MLIRContext *context, int64_t rank,
                             ArrayRef<LayoutStep> reg,
                             ArrayRef<LayoutStep> lane,
                             ArrayRef<LayoutStep> warp) {
  return LayoutAttr::get(context, rank, reg, lane, warp);
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  int64_t rank = -1;
  SmallVector<LayoutStep> reg, lane, warp;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseSteps(parser, "reg", rank, reg) ||
      parser.parseComma() || parseSteps(parser, "lane", rank, lane) ||
      parser.parseComma() || parseSteps(parser, "warp", rank, warp) ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  if (failed(verify(emitError, std::max<int64_t>(rank, 0), reg, lane, warp)))
    return {};
  return makeLayout(parser.getContext(), std::max<int64_t>(rank, 0), reg, lane,
                    warp);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto printSteps = [&](StringRef keyword, ArrayRef<LayoutStep> steps) {
    printer << keyword << " [";
    llvm::interleaveComma(steps, printer, [&](const LayoutStep &step) {
      printer << step.extent << " : (";
      llvm::interleaveComma(
          llvm::seq<int64_t>(0, getRank()), printer,
          [&](int64_t dim) { printer << (dim == step.dim ? step.stride : 0); });
      printer << ")";
    });
    printer << "]";
  };
  printer << "<";
  printSteps("reg", getReg());
  printer << ", ";
  printSteps("lane", getLane());
  printer << ", ";
  printSteps("warp", getWarp());
  printer << ">";
}

static int64_t extentsOf(ArrayRef<LayoutStep> steps) {
  int64_t product = 1;
  for (const LayoutStep &step : steps)
    product *= step.extent;
  return product;
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rank, ArrayRef<LayoutStep> reg,
                                 ArrayRef<LayoutStep> lane,
                                 ArrayRef<LayoutStep> warp) {
  SmallVector<SmallVector<LayoutStep>> along(rank);
  for (ArrayRef<LayoutStep> list : {reg, lane, warp})
    for (const LayoutStep &step : list) {
      if (step.extent < 2)
        return emitError() << "layout has a step of extent " << step.extent
                           << "; accepted are 2 and more";
      if (step.stride < 0)
        return emitError() << "layout has a step of distance " << step.stride
                           << "; accepted are 0 and more";
      if (!step.isCopy())
        along[step.dim].push_back(step);
    }
  for (const LayoutStep &step : reg)
    if (step.isCopy())
      return emitError()
             << "layout keeps " << step.extent
             << " copies in the registers of one thread; accepted is one";
  if (extentsOf(lane) != 32)
    return emitError() << "layout deals to " << extentsOf(lane)
                       << " lanes; a warp has 32";
  if (extentsOf(warp) > 32)
    return emitError() << "layout deals to " << extentsOf(warp)
                       << " warps; a block has at most 32";
  // Sorted by distance, the steps along a dimension must be the digits of a
  // mixed-radix number: then every coordinate is met exactly once.
  for (auto [dim, steps] : llvm::enumerate(along)) {
    llvm::sort(steps, [](const LayoutStep &a, const LayoutStep &b) {
      return a.stride < b.stride;
    });
    int64_t next = 1;
    for (const LayoutStep &step : steps) {
      if (step.stride != next)
        return emitError() << "layout steps by " << step.stride
                           << " along dimension " << dim
                           << " where the steps before it cover " << next
                           << " elements; accepted is " << next;
      next *= step.extent;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Layouts of hardware
//===----------------------------------------------------------------------===//

static void push(SmallVectorImpl<LayoutStep> &steps, int64_t extent,
                 int64_t dim, int64_t stride) {
  if (extent > 1)
    steps.push_back({extent, dim, stride});
}

LayoutAttr LayoutAttr::forWgmmaAccumulator(MLIRContext *context, int64_t n,
                                           int64_t mWarpgroups,
                                           int64_t nWarpgroups,
                                           ArrayRef<int64_t> shape) {
  if (shape.size() != 2 || n < 8 || n % 8 || mWarpgroups < 1 ||
      nWarpgroups < 1 || shape[0] % (64 * mWarpgroups) ||
      shape[1] % (n * nWarpgroups))
    return {};
  int64_t mRepeats = shape[0] / (64 * mWarpgroups),
          nRepeats = shape[1] / (n * nWarpgroups);
  SmallVector<LayoutStep> reg, lane, warp;
  push(reg, 2, 1, 1);
  push(reg, 2, 0, 8);
  push(reg, n / 8, 1, 8);
  push(reg, nRepeats, 1, n);
  push(reg, mRepeats, 0, 64 * mWarpgroups);
  push(lane, 4, 1, 2);
  push(lane, 8, 0, 1);
  push(warp, 4, 0, 16);
  push(warp, mWarpgroups, 0, 64);
  push(warp, nWarpgroups, 1, n * nRepeats);
  return makeLayout(context, 2, reg, lane, warp);
}

LayoutAttr LayoutAttr::forMmaSyncAccumulator(MLIRContext *context,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> warps) {
  if (shape.size() != 2 || warps.size() != 2 || warps[0] < 1 || warps[1] < 1 ||
      shape[0] % (16 * warps[0]) || shape[1] % (8 * warps[1]))
    return {};
  int64_t m = shape[0] / warps[0], n = shape[1] / warps[1];
  SmallVector<LayoutStep> reg, lane, warp;
  push(reg, 2, 1, 1);
  push(reg, 2, 0, 8);
  push(reg, n / 8, 1, 8);
  push(reg, m / 16, 0, 16);
  push(lane, 4, 1, 2);
  push(lane, 8, 0, 1);
  push(warp, warps[1], 1, n);
  push(warp, warps[0], 0, m);
  return makeLayout(context, 2, reg, lane, warp);
}

LayoutAttr LayoutAttr::forFmaAccumulator(MLIRContext *context,
                                         ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> warps,
                                         ArrayRef<int64_t> lanes,
                                         int64_t vector) {
  if (shape.size() != 2 || warps.size() != 2 || warps[0] < 1 || warps[1] < 1 ||
      shape[0] % (lanes[0] * warps[0]) || shape[1] % (lanes[1] * warps[1]))
    return {};
  int64_t m = shape[0] / warps[0], n = shape[1] / warps[1];
  while (vector > 1 && n % (lanes[1] * vector))
    vector /= 2;
  SmallVector<LayoutStep> reg, lane, warp;
  push(reg, vector, 1, 1);
  push(reg, n / (lanes[1] * vector), 1, lanes[1] * vector);
  push(reg, m / lanes[0], 0, lanes[0]);
  push(lane, lanes[1], 1, vector);
  push(lane, lanes[0], 0, 1);
  push(warp, warps[1], 1, n);
  push(warp, warps[0], 0, m);
  return makeLayout(context, 2, reg, lane, warp);
}

LayoutAttr LayoutAttr::forRows(MLIRContext *context, int64_t rows, int64_t cols,
                               int64_t threads, int64_t vector,
                               int64_t blockThreads) {
  return forThreads(context, {rows, cols}, 1, threads, vector,
                    blockThreads ? blockThreads : threads, 0);
}

LayoutAttr LayoutAttr::forThreads(MLIRContext *context, ArrayRef<int64_t> shape,
                                  int64_t dim, int64_t threads, int64_t vector,
                                  int64_t blockThreads, int64_t spareDim) {
  int64_t rank = shape.size(), last = rank - 1;
  if (rank == 0 || dim < 0 || dim >= rank || threads < 1 || vector < 1 ||
      blockThreads < threads || blockThreads % 32 || blockThreads % threads ||
      (threads < 32 && 32 % threads) || (threads > 32 && threads % 32))
    return {};
  // Where the threads run along another dimension than the last, the vector of
  // a thread still lies along the last one: that is what memory can move.
  int64_t spare = blockThreads / threads;
  int64_t step = dim == last ? vector : 1;
  if (shape[last] % vector || shape[dim] % (threads * step) ||
      (spare > 1 && (spareDim < 0 || spareDim >= rank || spareDim == dim)))
    return {};
  int64_t spareStep = spareDim == last ? vector : 1;
  if (spare > 1 && shape[spareDim] % (spare * spareStep))
    return {};
  SmallVector<LayoutStep> reg, lane, warp;
  push(reg, vector, last, 1);
  for (int64_t d = last; d >= 0; --d) {
    int64_t dealt = d == last ? vector : 1;
    if (d == dim)
      dealt *= threads;
    if (d == spareDim)
      dealt *= spare;
    push(reg, shape[d] / dealt, d, dealt);
  }
  int64_t inWarp = std::min<int64_t>(threads, 32), spareInWarp = 32 / inWarp;
  push(lane, inWarp, dim, step);
  push(lane, spareInWarp, spareDim, spareStep);
  push(warp, threads / inWarp, dim, step * inWarp);
  push(warp, spare / spareInWarp, spareDim, spareStep * spareInWarp);
  return makeLayout(context, rank, reg, lane, warp);
}

LayoutAttr LayoutAttr::dropDims(ArrayRef<int64_t> dims) const {
  auto rename = [&](ArrayRef<LayoutStep> steps, bool keepCopies) {
    SmallVector<LayoutStep> result;
    for (LayoutStep step : steps) {
      if (!step.isCopy()) {
        if (llvm::is_contained(dims, step.dim))
          step = {step.extent, -1, 0};
        else
          step.dim -=
              llvm::count_if(dims, [&](int64_t dim) { return dim < step.dim; });
      }
      if (step.isCopy() && !keepCopies)
        continue;
      // Neighbouring digits of copies are one digit of copies.
      if (step.isCopy() && !result.empty() && result.back().isCopy())
        result.back().extent *= step.extent;
      else
        result.push_back(step);
    }
    return result;
  };
  return makeLayout(getContext(), getRank() - dims.size(),
                    rename(getReg(), false), rename(getLane(), true),
                    rename(getWarp(), true));
}

int64_t LayoutAttr::getKeptRegister(int64_t reg, ArrayRef<int64_t> dims) const {
  int64_t result = 0, radix = 1;
  for (const LayoutStep &step : getReg()) {
    if (!llvm::is_contained(dims, step.dim)) {
      result += reg % step.extent * radix;
      radix *= step.extent;
    }
    reg /= step.extent;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> LayoutAttr::getShape() const {
  SmallVector<int64_t> shape(getRank(), 1);
  for (ArrayRef<LayoutStep> list : {getReg(), getLane(), getWarp()})
    for (const LayoutStep &step : list)
      if (!step.isCopy())
        shape[step.dim] *= step.extent;
  return shape;
}

int64_t LayoutAttr::getNumRegisters() const { return extentsOf(getReg()); }
int64_t LayoutAttr::getNumWarps() const { return extentsOf(getWarp()); }

static void addDigits(ArrayRef<LayoutStep> steps, int64_t number,
                      SmallVectorImpl<int64_t> &coordinates) {
  for (const LayoutStep &step : steps) {
    if (!step.isCopy())
      coordinates[step.dim] += number % step.extent * step.stride;
    number /= step.extent;
  }
}

SmallVector<int64_t> LayoutAttr::getOffsets(int64_t reg) const {
  return getCoordinates(reg, 0, 0);
}

SmallVector<int64_t> LayoutAttr::getCoordinates(int64_t reg, int64_t lane,
                                                int64_t warp) const {
  SmallVector<int64_t> coordinates(getRank(), 0);
  addDigits(getReg(), reg, coordinates);
  addDigits(getLane(), lane, coordinates);
  addDigits(getWarp(), warp, coordinates);
  return coordinates;
}

int64_t LayoutAttr::getContiguous(int64_t dim) const {
  int64_t run = 1;
  for (const LayoutStep &step : getReg()) {
    if (step.dim != dim || step.stride != run)
      break;
    run *= step.extent;
  }
  return run;
}

int64_t LayoutAttr::getAlignment(int64_t dim, int64_t width) const {
  int64_t alignment = 0;
  for (ArrayRef<LayoutStep> list : {getReg(), getLane(), getWarp()})
    for (const LayoutStep &step : list) {
      if (step.dim != dim)
        continue;
      // The digits within a group do not move its first register; a digit that
      // is partly within one moves it by the group's width.
      int64_t stride = step.stride;
      if (list.data() == getReg().data() && stride < width)
        stride = stride * step.extent <= width ? 0 : width;
      alignment = std::gcd(alignment, stride);
    }
  return alignment ? alignment : width;
}

static bool anyStep(ArrayRef<LayoutStep> steps,
                    function_ref<bool(const LayoutStep &)> test) {
  return llvm::any_of(steps, test);
}

bool LayoutAttr::hasCopies() const {
  auto isCopy = [](const LayoutStep &step) { return step.isCopy(); };
  return anyStep(getLane(), isCopy) || anyStep(getWarp(), isCopy);
}

bool LayoutAttr::lanesDifferAlong(ArrayRef<int64_t> dims) const {
  return anyStep(getLane(), [&](const LayoutStep &step) {
    return llvm::is_contained(dims, step.dim);
  });
}

bool LayoutAttr::warpsDifferAlong(ArrayRef<int64_t> dims) const {
  return anyStep(getWarp(), [&](const LayoutStep &step) {
    return llvm::is_contained(dims, step.dim);
  });
}

bool LayoutAttr::isMmaSyncAccumulator() const {
  ArrayRef<LayoutStep> reg = getReg(), lane = getLane();
  if (getRank() != 2 || lane.size() != 2 || !(lane[0] == LayoutStep{4, 1, 2}) ||
      !(lane[1] == LayoutStep{8, 0, 1}) || reg.size() < 2 ||
      !(reg[0] == LayoutStep{2, 1, 1}) || !(reg[1] == LayoutStep{2, 0, 8}))
    return false;
  auto isWhole = [](const LayoutStep &step) {
    return !step.isCopy() && step.stride % (step.dim == 0 ? 16 : 8) == 0;
  };
  return llvm::all_of(reg.drop_front(2), isWhole) &&
         llvm::all_of(getWarp(), isWhole);
}

bool LayoutAttr::isWgmmaAccumulator(int64_t n) const {
  if (!isMmaSyncAccumulator() || getWarp().empty() ||
      !(getWarp()[0] == LayoutStep{4, 0, 16}))
    return false;
  // The columns of one instruction are the registers behind the pair of rows;
  // everything else moves by whole instructions.
  int64_t columns = 8;
  ArrayRef<LayoutStep> rest = getReg().drop_front(2);
  while (columns < n && !rest.empty() && rest[0].dim == 1 &&
         rest[0].stride == columns) {
    columns *= rest[0].extent;
    rest = rest.drop_front();
  }
  auto isWhole = [&](const LayoutStep &step) {
    return step.stride % (step.dim ? n : 64) == 0;
  };
  return columns % n == 0 && llvm::all_of(rest, isWhole) &&
         llvm::all_of(getWarp().drop_front(), isWhole);
}
