//===- Access.cpp - tiles in registers to and from buffers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

ExtentMasks::ExtentMasks(TileEmitter &emitter, LayoutAttr layout,
                         ValueRange extents)
    : emitter(emitter), layout(layout), extents(extents.begin(), extents.end()),
      cache(layout.getRank()) {
  SmallVector<int64_t> shape = layout.getShape();
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    std::optional<Interval> interval = emitter.facts.getInterval(extent);
    if (interval && interval->low >= shape[dim])
      this->extents[dim] = {};
  }
}

Value ExtentMasks::at(ArrayRef<int64_t> offsets) {
  Value mask;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (!extent)
      continue;
    Value &cached = cache[dim][offsets[dim]];
    if (!cached) {
      Value coordinate = emitter.add(emitter.baseCoordinates(layout)[dim],
                                     emitter.i32(offsets[dim]));
      cached = arith::CmpIOp::create(emitter.b, arith::CmpIPredicate::slt,
                                     coordinate, emitter.lookup(extent));
    }
    mask = emitter.andMasks(mask, cached);
  }
  return mask;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {

/// How a tile meets a buffer: widths, addresses and masks of its groups of
/// registers.
class Access {
public:
  template <typename OpT>
  Access(TileEmitter &emitter, OpT op, TileType tile, bool written)
      : emitter(emitter), layout(tile.getLayout()),
        element(TileEmitter::storedType(tile.getElementType())),
        buffer(op.getBufferType()), dims(op.getBufferDims()),
        coordinates(op.getCoordinates()),
        extentMasks(emitter, layout, op.getExtents()), cache(buffer.getRank()) {
    elementBytes = TileEmitter::storedBytes(element);
    findMasks(tile);
    findWidth(op.getExtents());
    emitBase(emitter.bufferPointer(op.getBuffer(), written));
  }

  /// Registers moved at a time.
  int64_t width() const { return vector; }
  int64_t bytes() const { return vector * elementBytes; }

  /// Whether the group of register `reg` is inside; null: always.
  Value maskAt(int64_t reg) {
    SmallVector<int64_t> offsets = layout.getOffsets(reg);
    Value mask = extentMasks.at(offsets);
    for (auto [tileDim, dim] : llvm::enumerate(dims)) {
      if (!masked[dim])
        continue;
      Value &cached = cache[dim][offsets[tileDim]];
      if (!cached) {
        Value coordinate =
            emitter.add(start[dim], emitter.i32(offsets[tileDim]));
        cached = outside(coordinate, dim);
      }
      mask = emitter.andMasks(mask, cached);
    }
    return emitter.andMasks(mask, fixedMask);
  }

  /// Address of the group of register `reg`.
  Value addressAt(int64_t reg) {
    SmallVector<int64_t> offsets = layout.getOffsets(reg);
    int64_t offset = 0;
    for (auto [tileDim, dim] : llvm::enumerate(dims))
      offset += offsets[tileDim] * strides[dim];
    return emitter.pointerAt(base, offset * elementBytes);
  }

  Value pointer() const { return whole; }
  /// The type that one access moves.
  Type type() const {
    return vector == 1 ? element : Type(VectorType::get({vector}, element));
  }

private:
  Value outside(Value coordinate, int64_t dim) {
    // Unsigned, so that coordinates before the first element fail too.
    return arith::CmpIOp::create(emitter.b, arith::CmpIPredicate::ult,
                                 coordinate,
                                 emitter.i32(buffer.getShape()[dim]));
  }

  void findMasks(TileType tile) {
    strides.assign(buffer.getRank(), 1);
    for (int64_t dim = buffer.getRank() - 1; dim > 0; --dim)
      strides[dim - 1] = strides[dim] * buffer.getShape()[dim];
    masked.assign(buffer.getRank(), false);
    for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
      auto *it = llvm::find(dims, dim);
      int64_t extent =
          it == dims.end() ? 1 : tile.getShape()[it - dims.begin()];
      std::optional<Interval> interval =
          emitter.facts.getInterval(coordinates[dim]);
      masked[dim] = !interval || interval->low < 0 ||
                    interval->high + extent > buffer.getShape()[dim];
    }
  }

  void findWidth(ValueRange extents) {
    int64_t last = buffer.getRank() - 1;
    auto *it = llvm::find(dims, last);
    if (it == dims.end())
      return;
    int64_t tileDim = it - dims.begin();
    vector = std::gcd(layout.getContiguous(tileDim), 16 / elementBytes);
    vector = std::gcd(vector, layout.getAlignment(tileDim, vector));
    vector = std::gcd(vector, emitter.facts.getDivisor(coordinates[last]));
    // A row must begin where a group can, and an edge must not cut a group.
    if (buffer.getRank() > 1 || masked[last])
      vector = std::gcd(vector, buffer.getShape()[last]);
    if (!extents.empty() && extentMasks.has(tileDim))
      vector = std::gcd(vector, emitter.facts.getDivisor(extents[tileDim]));
  }

  void emitBase(Value bufferStart) {
    whole = bufferStart;
    OpBuilder &b = emitter.b;
    Location loc = emitter.b.getLoc();
    bool wide = buffer.getNumElements() * elementBytes > INT32_MAX;
    Value offset;
    start.assign(buffer.getRank(), Value());
    for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
      Value coordinate = emitter.lookup(coordinates[dim]);
      auto *it = llvm::find(dims, dim);
      if (it != dims.end())
        coordinate = emitter.add(
            coordinate, emitter.baseCoordinates(layout)[it - dims.begin()]);
      else if (masked[dim])
        fixedMask = emitter.andMasks(fixedMask, outside(coordinate, dim));
      start[dim] = coordinate;
      Value factor = coordinate;
      if (wide)
        factor = arith::ExtSIOp::create(b, loc, b.getI64Type(), factor);
      factor = emitter.mul(factor, strides[dim]);
      offset = offset ? emitter.add(offset, factor) : factor;
    }
    base = offset ? LLVM::GEPOp::create(emitter.b, bufferStart.getType(),
                                        element, bufferStart,
                                        ArrayRef<LLVM::GEPArg>{offset})
                        .getResult()
                  : bufferStart;
  }

  TileEmitter &emitter;
  LayoutAttr layout;
  Type element;
  MemRefType buffer;
  SmallVector<int64_t> dims;
  ValueRange coordinates;
  ExtentMasks extentMasks;
  SmallVector<DenseMap<int64_t, Value>> cache;
  int64_t elementBytes = 1, vector = 1;
  SmallVector<int64_t> strides;
  SmallVector<bool> masked;
  SmallVector<Value> start;
  Value fixedMask, whole, base;
};

} // namespace

// Loads and stores with a cache operator, which LLVM has no spelling for: 4
// bytes a register, at most four registers.
static StringRef cacheSuffix(CacheHint hint, bool load) {
  if (hint == CacheHint::Streaming)
    return ".cs";
  if (hint == CacheHint::NoAllocate)
    return load ? ".L1::no_allocate" : ".L1::no_allocate";
  return ".nc";
}

static Value emitHintedLoad(TileEmitter &emitter, Value pointer, Type type,
                            int64_t bytes, CacheHint hint) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t words = bytes / 4;
  std::string text = "ld.global" + cacheSuffix(hint, true).str();
  std::string results, constraints;
  for (int64_t i = 0; i < words; ++i) {
    results += (i ? ", $" : "$") + std::to_string(i);
    constraints += "=r,";
  }
  if (words > 1)
    text += ".v" + std::to_string(words) + ".b32 {" + results + "}";
  else
    text += ".b32 " + results;
  text += ", [$" + std::to_string(words) + "];";
  Type word = b.getI32Type();
  Type resultType = words == 1 ? word : TileEmitter::structOf(word, words);
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, resultType, ValueRange{pointer}, text, constraints + "l",
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
          ArrayAttr())
          .getResult(0);
  Value wordsValue = loaded;
  if (words > 1) {
    wordsValue = LLVM::PoisonOp::create(b, VectorType::get({words}, word));
    for (int64_t i = 0; i < words; ++i)
      wordsValue = LLVM::InsertElementOp::create(
          b, wordsValue, LLVM::ExtractValueOp::create(b, loaded, i),
          emitter.i32(i));
  }
  return LLVM::BitcastOp::create(b, type, wordsValue);
}

static void emitHintedStore(TileEmitter &emitter, Value value, Value pointer,
                            int64_t bytes, CacheHint hint) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t words = bytes / 4;
  Type word = b.getI32Type();
  SmallVector<Value> operands{pointer};
  Value wordsValue = LLVM::BitcastOp::create(
      b, words == 1 ? word : Type(VectorType::get({words}, word)), value);
  std::string list, constraints = "l";
  for (int64_t i = 0; i < words; ++i) {
    operands.push_back(words == 1 ? wordsValue
                                  : Value(LLVM::ExtractElementOp::create(
                                        b, wordsValue, emitter.i32(i))));
    list += (i ? ", $" : "$") + std::to_string(i + 1);
    constraints += ",r";
  }
  std::string text = "st.global" + cacheSuffix(hint, false).str();
  if (words > 1)
    text += ".v" + std::to_string(words) + ".b32 [$0], {" + list + "};";
  else
    text += ".b32 [$0], " + list + ";";
  LLVM::InlineAsmOp::create(
      b, TypeRange(), operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      ArrayAttr());
}

LogicalResult TileEmitter::emitLoad(LoadOp op) {
  auto tile = cast<TileType>(op.getResult().getType());
  LayoutAttr layout = tile.getLayout();
  Access access(*this, op, tile, /*written=*/false);
  Type element = tile.getElementType();
  Value pad =
      constant(op.getPadAttr() ? op.getPadAttr()
                               : cast<TypedAttr>(b.getZeroAttr(element)));
  SmallVector<Value> result;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += access.width()) {
    Value mask = access.maskAt(reg);
    Value address = access.addressAt(reg);
    // Outside, the start of the buffer is read instead and thrown away: no
    // branch, and the line is in the cache.
    if (mask)
      address = arith::SelectOp::create(b, mask, address, access.pointer());
    Value loaded;
    if (op.getCache() && *op.getCache() != CacheHint::ReadOnly &&
        access.bytes() >= 4) {
      loaded = emitHintedLoad(*this, address, access.type(), access.bytes(),
                              *op.getCache());
    } else {
      auto load =
          LLVM::LoadOp::create(b, access.type(), address, access.bytes());
      load.setInvariant(op.getCache() == CacheHint::ReadOnly);
      loaded = load;
    }
    for (int64_t i = 0; i < access.width(); ++i) {
      Value value =
          access.width() == 1
              ? loaded
              : Value(LLVM::ExtractElementOp::create(b, loaded, i32(i)));
      value = fromStored(value, element);
      result.push_back(
          mask ? Value(arith::SelectOp::create(b, mask, value, pad)) : value);
    }
  }
  bind(op.getResult(), result);
  return success();
}

LogicalResult TileEmitter::emitStore(StoreOp op) {
  auto tile = cast<TileType>(op.getTile().getType());
  LayoutAttr layout = tile.getLayout();
  SmallVector<Value> values(registers(op.getTile()));
  Access access(*this, op, tile, /*written=*/true);
  Value first = isFirstCopy(layout);
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += access.width()) {
    Value mask = andMasks(access.maskAt(reg), first);
    OpBuilder::InsertionGuard guard(b);
    if (mask) {
      auto guarded = scf::IfOp::create(b, mask, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    Value value = toStored(values[reg]);
    if (access.width() > 1) {
      Value first = value;
      value = LLVM::PoisonOp::create(b, access.type());
      for (int64_t i = 0; i < access.width(); ++i)
        value = LLVM::InsertElementOp::create(
            b, value, i ? toStored(values[reg + i]) : first, i32(i));
    }
    if (op.getCache() && access.bytes() >= 4)
      emitHintedStore(*this, value, access.addressAt(reg), access.bytes(),
                      *op.getCache());
    else
      LLVM::StoreOp::create(b, value, access.addressAt(reg), access.bytes());
  }
  return success();
}
