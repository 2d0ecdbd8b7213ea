//===- KZTile.cpp - types of the tile level -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

#define GET_TYPEDEF_CLASSES
#include "KernelZero/Dialect/KZ/Tile/KZTileTypes.cpp.inc"

namespace {
/// Layouts are long and few: print each once, as an alias.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<LayoutAttr>(attr))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void KZDialect::registerTileLevel() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "KernelZero/Dialect/KZ/Tile/KZTileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "KernelZero/Dialect/KZ/Tile/KZTileOps.cpp.inc"
      >();
  addInterfaces<TileAsmInterface>();
}

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t bytes) {
  if (!llvm::is_contained({0, 32, 64, 128}, bytes))
    return emitError() << "swizzle " << bytes
                       << " is not a span of bytes that the hardware has; "
                          "accepted are 0, 32, "
                          "64, 128";
  return success();
}

//===----------------------------------------------------------------------===//
// TileType
//===----------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  StringRef word;
  Attribute encoding;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma())
    return {};
  SMLoc wordLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<Space> space = symbolizeSpace(word);
  if (!space) {
    parser.emitError(wordLoc)
        << "tile in '" << word << "'; accepted are registers, shared";
    return {};
  }
  if (parser.parseComma() || parser.parseAttribute(encoding) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape,
                                     elementType, *space, encoding);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType() << ", " << stringifySpace(getSpace()) << ", "
          << getEncoding() << ">";
}

std::string kernelzero::kz::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return shape.empty() ? "a scalar" : text;
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               Space space, Attribute encoding) {
  if (!elementType.isIntOrIndexOrFloat() || elementType.isIndex())
    return emitError() << "tile has elements of type " << elementType
                       << "; accepted are integers and floats";
  for (int64_t size : shape)
    if (size < 1)
      return emitError() << "tile has a dimension of " << size
                         << " elements; accepted are 1 and more";
  if (space == Space::Registers) {
    auto layout = dyn_cast<LayoutAttr>(encoding);
    if (!layout)
      return emitError() << "tile in registers has the encoding " << encoding
                         << "; accepted is a #kz.layout";
    if (layout.getShape() != shape)
      return emitError() << "tile is " << shapeText(shape)
                         << ", its layout deals "
                         << shapeText(layout.getShape());
    return success();
  }
  if (space != Space::Shared)
    return emitError() << "tile in '" << stringifySpace(space)
                       << "'; accepted are registers, shared";
  auto swizzle = dyn_cast<SwizzleAttr>(encoding);
  if (!swizzle)
    return emitError() << "tile in shared memory has the encoding " << encoding
                       << "; accepted is a #kz.swizzle";
  if (shape.size() != 2)
    return emitError() << "tile in shared memory has " << shape.size()
                       << " dimensions; accepted are 2";
  unsigned bits = elementType.getIntOrFloatBitWidth();
  if (bits % 8)
    return emitError() << "tile in shared memory has elements of " << bits
                       << " bits; accepted are whole bytes";
  int64_t row = shape[1] * bits / 8;
  if (row % 16)
    return emitError() << "row of a tile in shared memory has " << row
                       << " bytes; accepted are multiples of 16";
  if (swizzle.getBytes() && row % swizzle.getBytes())
    return emitError() << "row of a tile in shared memory has " << row
                       << " bytes, not a multiple of the swizzle of "
                       << swizzle.getBytes();
  return success();
}

int64_t TileType::getNumElements() const {
  return ShapedType::getNumElements(getShape());
}

LayoutAttr TileType::getLayout() const {
  return cast<LayoutAttr>(getEncoding());
}

int64_t TileType::getSwizzle() const {
  return cast<SwizzleAttr>(getEncoding()).getBytes();
}

int64_t TileType::getNumBytes() const {
  return getNumElements() * getElementType().getIntOrFloatBitWidth() / 8;
}

int64_t TileType::getByteAlignment() const { return getSwizzle() ? 1024 : 128; }

int64_t TileType::getPanelColumns() const {
  return getSwizzle()
             ? getSwizzle() * 8 / getElementType().getIntOrFloatBitWidth()
             : getShape()[1];
}

TileType TileType::cloneWith(Type elementType) const {
  return get(getContext(), getShape(), elementType, getSpace(), getEncoding());
}

//===----------------------------------------------------------------------===//
// RingType
//===----------------------------------------------------------------------===//

Type RingType::parse(AsmParser &parser) {
  int64_t stages;
  SmallVector<TileType> tiles;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(stages))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseType(tiles.emplace_back()))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<RingType>(loc, parser.getContext(), stages, tiles);
}

void RingType::print(AsmPrinter &printer) const {
  printer << "<" << getStages();
  for (TileType tile : getTiles())
    printer << ", " << tile;
  printer << ">";
}

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t stages, ArrayRef<TileType> tiles) {
  if (tiles.empty())
    return emitError() << "ring holds no tile; accepted are 1 and more";
  if (stages < 1)
    return emitError() << "ring has " << stages
                       << " stages; accepted are 1 and more";
  for (TileType tile : tiles)
    if (!tile.inShared())
      return emitError() << "ring holds " << tile
                         << "; accepted are tiles in shared memory";
  return success();
}
