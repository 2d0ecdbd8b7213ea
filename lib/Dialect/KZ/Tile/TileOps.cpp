//===- TileOps.cpp - operations on tiles ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

// `combine [shuffle, shared]`, without the name of the attribute.
static ParseResult parseCombineSteps(OpAsmParser &parser, ReduceAttr &attr) {
  SmallVector<CombineStep> steps;
  auto parseStep = [&]() -> ParseResult {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<CombineStep> step = symbolizeCombineStep(word);
    if (!step)
      return parser.emitError(loc)
             << "combines by '" << word << "'; accepted are shuffle, shared";
    steps.push_back(*step);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseStep))
    return failure();
  attr = ReduceAttr::get(parser.getContext(), steps);
  return success();
}

static void printCombineSteps(OpAsmPrinter &printer, Operation *,
                              ReduceAttr attr) {
  printer << "[";
  llvm::interleaveComma(attr.getSteps(), printer, [&](CombineStep step) {
    printer << stringifyCombineStep(step);
  });
  printer << "]";
}

#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/Tile/KZTileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> bufferDims(std::optional<ArrayRef<int64_t>> dims,
                                       MemRefType buffer, TileType tile) {
  if (dims)
    return SmallVector<int64_t>(*dims);
  SmallVector<int64_t> result(tile.getRank());
  std::iota(result.begin(), result.end(), buffer.getRank() - tile.getRank());
  return result;
}

#define KZ_BUFFER_DIMS(OP, TILE)                                               \
  SmallVector<int64_t> OP::getBufferDims() {                                   \
    return bufferDims(getDims(), getBufferType(),                              \
                      cast<TileType>(TILE.getType()));                         \
  }
KZ_BUFFER_DIMS(LoadOp, getResult())
KZ_BUFFER_DIMS(StoreOp, getTile())
KZ_BUFFER_DIMS(CpAsyncOp, getTile())
KZ_BUFFER_DIMS(TmaLoadOp, getTile())
KZ_BUFFER_DIMS(TmaStoreOp, getTile())
#undef KZ_BUFFER_DIMS

static LogicalResult verifyAccess(Operation *op, MemRefType buffer,
                                  ValueRange coordinates, TileType tile,
                                  std::optional<ArrayRef<int64_t>> dims) {
  if (static_cast<int64_t>(coordinates.size()) != buffer.getRank())
    return op->emitOpError()
           << "has " << coordinates.size() << " coordinates; the buffer has "
           << buffer.getRank() << " dimensions";
  if (buffer.getElementType() != tile.getElementType())
    return op->emitOpError()
           << "moves elements of type " << buffer.getElementType()
           << " to or from a tile of " << tile.getElementType()
           << "; kz.map converts";
  if (unsigned bits = tile.getElementType().getIntOrFloatBitWidth();
      bits % 8 && bits != 1)
    return op->emitOpError() << "moves elements of " << bits
                             << " bits; accepted are whole bytes and single "
                                "bits, of a byte each";
  if (!dims) {
    if (tile.getRank() > buffer.getRank())
      return op->emitOpError()
             << "tile has " << tile.getRank() << " dimensions, the buffer has "
             << buffer.getRank();
    return success();
  }
  if (static_cast<int64_t>(dims->size()) != tile.getRank())
    return op->emitOpError()
           << "names " << dims->size()
           << " dimensions of the buffer for a tile of " << tile.getRank();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : *dims)
    if (dim < 0 || dim >= buffer.getRank() || !seen.insert(dim).second)
      return op->emitOpError()
             << "runs along dimension " << dim
             << " of the buffer; accepted are different numbers from 0 to "
             << buffer.getRank() - 1;
  return success();
}

static LogicalResult verifyExtents(Operation *op, ValueRange extents,
                                   TileType tile) {
  if (static_cast<int64_t>(extents.size()) != tile.getRank())
    return op->emitOpError()
           << "has " << extents.size() << " extents; the tile has "
           << tile.getRank() << " dimensions";
  return success();
}

static LogicalResult verifyConstant(Operation *op, StringRef what,
                                    TypedAttr value, TileType tile) {
  if (value.getType() != tile.getElementType())
    return op->emitOpError() << what << " is " << value.getType()
                             << ", the tile holds " << tile.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  TileType tile = cast<TileType>(getResult().getType());
  if (failed(verifyAccess(*this, getBufferType(), getCoordinates(), tile,
                          getDims())) ||
      (!getExtents().empty() &&
       failed(verifyExtents(*this, getExtents(), tile))))
    return failure();
  return getPadAttr() ? verifyConstant(*this, "pad", getPadAttr(), tile)
                      : success();
}

LogicalResult StoreOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  if (getCache() == CacheHint::ReadOnly)
    return emitOpError()
           << "writes memory said to be read_only; accepted are streaming, "
              "no_allocate";
  return failure(failed(verifyAccess(*this, getBufferType(), getCoordinates(),
                                     tile, getDims())) ||
                 (!getExtents().empty() &&
                  failed(verifyExtents(*this, getExtents(), tile))));
}

LogicalResult CpAsyncOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  int64_t width = getWidth();
  if (!llvm::is_contained({4, 8, 16}, width))
    return emitOpError() << "moves " << width
                         << " bytes at a time; accepted are 4, 8, 16";
  if (failed(verifyAccess(*this, getBufferType(), getCoordinates(), tile,
                          getDims())))
    return failure();
  MemRefType buffer = getBufferType();
  if (getBufferDims().back() != buffer.getRank() - 1)
    return emitOpError() << "rows of the tile run along dimension "
                         << getBufferDims().back()
                         << " of the buffer; accepted is the last, "
                         << buffer.getRank() - 1;
  int64_t bytes = tile.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t pitch = buffer.getShape().back() * bytes;
  if (buffer.getRank() > 1 && pitch % width)
    return emitOpError() << "row of the buffer has " << pitch
                         << " bytes, not a multiple of the " << width
                         << " bytes moved at a time";
  return success();
}

static LogicalResult verifyTma(Operation *op, MemRefType buffer, TileType tile,
                               ArrayRef<int64_t> dims) {
  int64_t bytes = buffer.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t pitch = buffer.getShape().back() * bytes;
  if (buffer.getRank() > 5)
    return op->emitOpError() << "buffer has " << buffer.getRank()
                             << " dimensions; TMA moves up to 5";
  if (buffer.getRank() > 1 && pitch % 16)
    return op->emitOpError()
           << "row of the buffer has " << pitch
           << " bytes; TMA moves multiples of 16; try cp_async";
  if (!llvm::is_sorted(dims) || dims.back() != buffer.getRank() - 1)
    return op->emitOpError()
           << "tile runs along dimensions [" << dims
           << "] of the buffer; accepted are rising ones up to the last";
  if (tile.getShape()[0] > 256 || tile.getPanelColumns() > 256)
    return op->emitOpError()
           << "box is " << tile.getShape()[0] << "x" << tile.getPanelColumns()
           << "; TMA moves up to 256 a side";
  return success();
}

LogicalResult TmaLoadOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  if (failed(verifyAccess(*this, getBufferType(), getCoordinates(), tile,
                          getDims())))
    return failure();
  if (!getTile().getDefiningOp<ProduceOp>())
    return emitOpError()
           << "fills a tile that is no slot of a ring; accepted are results of "
              "kz.produce";
  return verifyTma(*this, getBufferType(), tile, getBufferDims());
}

LogicalResult PutOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  TileType shared = cast<TileType>(getShared().getType());
  if (tile.getShape() != shared.getShape() ||
      tile.getElementType() != shared.getElementType())
    return emitOpError() << "puts a tile of " << shapeText(tile.getShape())
                         << " " << tile.getElementType() << " into one of "
                         << shapeText(shared.getShape()) << " "
                         << shared.getElementType();
  if (tile.getRank() != 2)
    return emitOpError() << "puts a tile of " << tile.getRank()
                         << " dimensions; accepted are 2";
  return success();
}

LogicalResult TmaStoreOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  TileType staging = cast<TileType>(getStaging().getType());
  if (failed(verifyAccess(*this, getBufferType(), getCoordinates(), tile,
                          getDims())))
    return failure();
  if (staging.getElementType() != tile.getElementType())
    return emitOpError() << "stages elements of type "
                         << staging.getElementType() << " of a tile of "
                         << tile.getElementType();
  if (tile.getRank() != 2 || tile.getShape()[0] % staging.getShape()[0] ||
      tile.getShape()[1] % staging.getShape()[1])
    return emitOpError() << "staging is " << shapeText(staging.getShape())
                         << ", which does not divide the tile of "
                         << shapeText(tile.getShape());
  return verifyTma(*this, getBufferType(), staging, getBufferDims());
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  if (getResults().empty())
    return emitOpError() << "has no results; accepted are 1 and more";
  auto layout = cast<TileType>(getResults()[0].getType()).getLayout();
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(getInputs().getTypes()),
                                SmallVector<Type>(getResultTypes())))
    if (auto tile = dyn_cast<TileType>(type);
        tile && tile.getLayout() != layout)
      return emitOpError() << "works on tiles of different layouts: "
                           << tile.getLayout() << " and " << layout;
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError() << "body has " << body.getNumArguments()
                         << " arguments for " << getInputs().size()
                         << " operands";
  for (auto [argument, input] : llvm::zip(body.getArguments(), getInputs())) {
    auto tile = dyn_cast<TileType>(input.getType());
    Type expected = tile ? tile.getElementType() : input.getType();
    if (argument.getType() != expected)
      return emitOpError() << "body argument " << argument.getArgNumber()
                           << " is " << argument.getType()
                           << ", the operand holds " << expected;
  }
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperands().size() != getNumResults())
    return emitOpError() << "body yields "
                         << (yield ? yield.getOperands().size() : 0)
                         << " values for " << getNumResults() << " results";
  for (auto [index, value, type] :
       llvm::enumerate(yield.getOperands(), getResultTypes()))
    if (value.getType() != cast<TileType>(type).getElementType())
      return emitOpError() << "body yields " << value.getType()
                           << " for result " << index << " of "
                           << cast<TileType>(type).getElementType();
  for (Operation &op : body.without_terminator())
    if (!isa<IndexOp, FetchOp>(op) &&
        !isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
      return emitOpError() << "body holds '" << op.getName()
                           << "'; accepted are arith and math operations, "
                              "kz.index and kz.fetch";
  return success();
}

LogicalResult IndexOp::verify() {
  auto map = cast<MapOp>((*this)->getParentOp());
  int64_t rank = cast<TileType>(map.getResultTypes()[0]).getRank();
  if (static_cast<int64_t>(getDim()) >= rank)
    return emitOpError() << "asks for dimension " << getDim()
                         << " of a tile of " << rank << " dimensions";
  return success();
}

LogicalResult FetchOp::verify() {
  auto buffer = cast<MemRefType>(getBuffer().getType());
  if (static_cast<int64_t>(getCoordinates().size()) != buffer.getRank())
    return emitOpError() << "has " << getCoordinates().size()
                         << " coordinates; the buffer has " << buffer.getRank()
                         << " dimensions";
  if (getResult().getType() != buffer.getElementType())
    return emitOpError() << "reads " << getResult().getType()
                         << ", the buffer holds " << buffer.getElementType();
  return success();
}

LogicalResult SplatOp::verify() {
  if (getValue().getType() !=
      cast<TileType>(getResult().getType()).getElementType())
    return emitOpError()
           << "fills a tile of "
           << cast<TileType>(getResult().getType()).getElementType() << " with "
           << getValue().getType();
  return success();
}

LogicalResult ClipOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  return failure(failed(verifyExtents(*this, getExtents(), tile)) ||
                 failed(verifyConstant(*this, "fill", getFillAttr(), tile)));
}

static LogicalResult verifyDims(Operation *op, ArrayRef<int64_t> dims,
                                int64_t rank) {
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= rank || (index && dims[index - 1] >= dim))
      return op->emitOpError()
             << "names dimension " << dim
             << "; accepted are rising numbers from 0 to " << rank - 1;
  return success();
}

/// `lesser` must be `greater` without `dims`.
static LogicalResult verifyDropped(Operation *op, TileType lesser,
                                   TileType greater, ArrayRef<int64_t> dims) {
  if (failed(verifyDims(op, dims, greater.getRank())))
    return failure();
  if (lesser.getElementType() != greater.getElementType())
    return op->emitOpError()
           << "has tiles of " << lesser.getElementType() << " and "
           << greater.getElementType() << "; accepted is one element type";
  LayoutAttr expected = greater.getLayout().dropDims(dims);
  if (lesser.getLayout() != expected)
    return op->emitOpError()
           << "has a tile of layout " << lesser.getLayout()
           << "; without the dimensions the other's is " << expected;
  return success();
}

LogicalResult BroadcastOp::verify() {
  return verifyDropped(*this, cast<TileType>(getTile().getType()),
                       cast<TileType>(getResult().getType()), getDims());
}

LogicalResult ReduceOp::verify() {
  TileType tile = cast<TileType>(getTile().getType());
  if (getDims().empty())
    return emitOpError() << "names no dimension to combine along";
  if (failed(verifyDropped(*this, cast<TileType>(getResult().getType()), tile,
                           getDims())))
    return failure();
  ArrayRef<CombineStep> steps = getCombine().getSteps();
  for (auto [index, step] : llvm::enumerate(steps))
    if (llvm::is_contained(steps.take_front(index), step) ||
        (index && step == CombineStep::Shuffle))
      return emitOpError()
             << "combines by '" << stringifyCombineStep(step) << "' after '"
             << stringifyCombineStep(steps[index - 1])
             << "'; accepted is shuffle, then shared, each at most once";
  bool shuffle = llvm::is_contained(steps, CombineStep::Shuffle);
  bool shared = llvm::is_contained(steps, CombineStep::Shared);
  if (tile.getLayout().warpsDifferAlong(getDims()) && !shared)
    return emitOpError()
           << "leaves results apart in different warps; add shared to combine";
  if (tile.getLayout().lanesDifferAlong(getDims()) && !shuffle && !shared)
    return emitOpError()
           << "leaves results apart in different lanes; add shuffle to combine";
  return success();
}

//===----------------------------------------------------------------------===//
// MmaOp
//===----------------------------------------------------------------------===//

bool kernelzero::kz::tile::isWgmma(MmaOp op) {
  return op.getMma().getKind() == MmaKind::Wgmma;
}

/// Any types of one kind, no wider than the sums, and any layout.
static LogicalResult verifyFma(MmaOp op) {
  Type sum = cast<TileType>(op.getAcc().getType()).getElementType();
  for (Value operand : {op.getA(), op.getB()}) {
    Type type = cast<TileType>(operand.getType()).getElementType();
    if (isa<FloatType>(type) != isa<FloatType>(sum) ||
        type.getIntOrFloatBitWidth() > sum.getIntOrFloatBitWidth())
      return op.emitOpError()
             << "sums products of " << type << " as " << sum
             << "; accepted are sums of the same kind and no narrower";
  }
  ArrayRef<int64_t> shape = op.getMma().getShape();
  if (shape.size() != 3 || shape[0] * shape[1] != 32 || shape[2] != 1)
    return op.emitOpError() << "fma is [" << shape
                            << "]; accepted is [m, n, 1] with m * n = 32 lanes";
  return success();
}

LogicalResult MmaOp::verify() {
  TileType a = cast<TileType>(getA().getType()),
           b = cast<TileType>(getB().getType());
  TileType acc = cast<TileType>(getAcc().getType());
  if (acc.getRank() != 2)
    return emitOpError() << "accumulates a tile of " << acc.getRank()
                         << " dimensions; accepted are 2";
  int64_t m = acc.getShape()[0], n = acc.getShape()[1], k = a.getShape()[1];
  ArrayRef<int64_t> shapeB = b.getShape();
  int64_t bK = getTransposeB() ? shapeB[1] : shapeB[0],
          bN = getTransposeB() ? shapeB[0] : shapeB[1];
  if (a.getShape()[0] != m || bN != n || bK != k)
    return emitOpError() << "multiplies " << shapeText(a.getShape()) << " by "
                         << shapeText(shapeB)
                         << (getTransposeB() ? " transposed" : "") << " into "
                         << shapeText(acc.getShape());
  if (getMma().getKind() == MmaKind::Fma)
    return verifyFma(*this);
  Type element = a.getElementType();
  if (!(element.isF16() || element.isBF16()) || b.getElementType() != element ||
      !acc.getElementType().isF32() || !getMma().getAccumulator().isF32())
    return emitOpError() << "multiplies " << element << " by "
                         << b.getElementType() << " into "
                         << acc.getElementType()
                         << "; accepted are f16 or bf16, both alike, into f32";
  ArrayRef<int64_t> shape = getMma().getShape();
  if (shape.size() != 3)
    return emitOpError() << "instruction has " << shape.size()
                         << " sizes; accepted are 3: m, n, k";
  if (k % shape[2])
    return emitOpError() << "adds up " << k
                         << " products, not a multiple of the instruction's "
                         << shape[2];
  bool wgmma = isWgmma(*this);
  if (!wgmma) {
    if (shape != ArrayRef<int64_t>{16, 8, 16})
      return emitOpError() << "mma_sync is [" << shape
                           << "]; accepted is [16, 8, 16]";
    if (!acc.getLayout().isMmaSyncAccumulator())
      return emitOpError() << "accumulates into layout " << acc.getLayout()
                           << ", not one of mma_sync fragments";
    return success();
  }
  if (shape[0] != 64 || shape[2] != 16 || shape[1] < 8 || shape[1] > 256 ||
      shape[1] % 8)
    return emitOpError()
           << "wgmma is [" << shape
           << "]; accepted is [64, n, 16] with n a multiple of 8 up to 256";
  if (!acc.getLayout().isWgmmaAccumulator(shape[1]))
    return emitOpError() << "accumulates into layout " << acc.getLayout()
                         << ", not one of wgmma fragments of n = " << shape[1];
  for (TileType operand : {a, b})
    if (operand.getSwizzle() == 0)
      return emitOpError()
             << "wgmma reads a tile without swizzle; accepted are 32, 64, 128";
  return success();
}
