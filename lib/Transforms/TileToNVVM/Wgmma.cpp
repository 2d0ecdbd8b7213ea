//===- Wgmma.cpp - asynchronous products of warpgroups --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

static TileType tileType(Value tile) { return cast<TileType>(tile.getType()); }

namespace {

/// One operand of wgmma in shared memory, swizzled over `span` bytes: panels
/// of `span` bytes of columns, each `rows` rows of `span` bytes.
struct Operand {
  int64_t span = 0;
  int64_t rows = 0;   ///< Of a panel.
  bool kMajor = true; ///< Columns run along k.
  int64_t panelColumns() const { return span / 2; }
  int64_t panelBytes() const { return rows * span; }

  /// Fields of the descriptor other than the address. Groups of eight rows lie
  /// 8 * span bytes apart. Along m or n a panel follows a panel; with columns
  /// along k the hardware takes 16 of them, never more than a panel has.
  uint64_t descriptorBits() const {
    uint64_t mode = span == 128 ? 1 : span == 64 ? 2 : 3;
    uint64_t leading = kMajor ? 16 : uint64_t(panelBytes());
    uint64_t stride = 8 * uint64_t(span);
    return mode << 62 | stride >> 4 << 32 | leading >> 4 << 16;
  }
  /// Bytes from the tile's start to where row or column `outer` along m or n
  /// meets `k`.
  int64_t offset(int64_t outer, int64_t k) const {
    int64_t row = kMajor ? outer : k, column = kMajor ? k : outer;
    return column / panelColumns() * panelBytes() + row * span +
           column % panelColumns() * 2;
  }
};

} // namespace

Value TileEmitter::warpgroup() {
  Role &r = role();
  if (r.warpgroup)
    return r.warpgroup;
  r.warpgroup = inPrologue(
      [&]() -> Value { return arith::ShRUIOp::create(b, r.warp, i32(2)); });
  return r.warpgroup;
}

SmallVector<Value> TileEmitter::warpgroupBase(LayoutAttr layout) {
  auto found = role().warpgroupBases.find(layout);
  if (found != role().warpgroupBases.end())
    return found->second;
  Value group = warpgroup();
  SmallVector<Value> base = inPrologue([&] {
    Value warp = mul(group, 4);
    SmallVector<Value> sums(layout.getRank(), i32(0));
    ArrayRef<LayoutStep> steps = layout.getWarp();
    for (auto [index, step] : llvm::enumerate(steps))
      if (!step.isCopy())
        sums[step.dim] =
            add(sums[step.dim], mul(digit(steps, index, warp), step.stride));
    return sums;
  });
  role().warpgroupBases[layout] = base;
  return base;
}

LogicalResult TileEmitter::emitWgmma(MmaOp op) {
  TileType aType = tileType(op.getA()), bType = tileType(op.getB());
  LayoutAttr layout = tileType(op.getAcc()).getLayout();
  int64_t n = op.getMma().getShape()[1];
  int64_t k = aType.getShape()[1];
  Operand a{aType.getSwizzle(), aType.getShape()[0], /*kMajor=*/true};
  Operand bo{bType.getSwizzle(), bType.getShape()[0], op.getTransposeB()};

  int64_t perStruct = n / 2;
  SmallVector<Value> acc = packed(op.getAcc(), perStruct);
  SmallVector<Value> base = warpgroupBase(layout);

  // From one panel to the next the hardware steps at multiples of a panel's
  // columns, counted from where the block starts.
  int64_t columns = bo.panelColumns();
  if (!bo.kMajor && n % columns != 0 && bType.getShape()[1] > columns)
    return op.emitOpError()
           << "has blocks of " << n << " columns of b, whose panels have "
           << columns << "; n must be a multiple of that (a narrower swizzle "
           << "makes panels narrower)";

  // Byte address over 16, in 14 bits: all of shared memory.
  auto descriptor = [&](Value tile, const Operand &operand, Value outer) {
    Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), lookup(tile));
    // The part of the warpgroup: whole groups of rows, or whole panels.
    Value shift;
    if (operand.kMajor) {
      shift = mul(outer, operand.span);
    } else {
      Value columns = i32(operand.panelColumns());
      Value panel = arith::DivUIOp::create(b, outer, columns);
      Value column = arith::RemUIOp::create(b, outer, columns);
      shift = add(mul(panel, operand.panelBytes()), mul(column, 2));
    }
    address = add(address, shift);
    address = arith::ShRUIOp::create(b, address, i32(4));
    address = arith::AndIOp::create(b, address, i32(0x3fff));
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), address);
    return arith::OrIOp::create(b, wide, i64(int64_t(operand.descriptorBits())))
        .getResult();
  };
  Value aBase = descriptor(op.getA(), a, base[0]);
  Value bBase = descriptor(op.getB(), bo, base[1]);
  auto advanced = [&](Value from, int64_t bytes) -> Value {
    return bytes == 0 ? from : arith::AddIOp::create(b, from, i64(bytes >> 4));
  };

  auto types = aType.getElementType().isF16() ? NVVM::WGMMATypes::f16
                                              : NVVM::WGMMATypes::bf16;
  auto shape = NVVM::MMAShapeAttr::get(b.getContext(), 64, n, 16);
  NVVM::WgmmaFenceAlignedOp::create(b);
  for (int64_t kk = 0; kk < k; kk += 16)
    for (size_t i = 0; i < acc.size(); ++i) {
      SmallVector<int64_t> at = layout.getOffsets(i * perStruct);
      acc[i] = NVVM::WgmmaMmaAsyncOp::create(
          b, acc[i].getType(), acc[i], advanced(aBase, a.offset(at[0], kk)),
          advanced(bBase, bo.offset(at[1], kk)), shape, types, types,
          NVVM::WGMMATypes::f32, NVVM::WGMMAScaleOut::one,
          NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
          NVVM::MMALayout::row,
          bo.kMajor ? NVVM::MMALayout::col : NVVM::MMALayout::row,
          NVVM::MMAIntOverflowAttr());
    }
  NVVM::WgmmaGroupSyncAlignedOp::create(b);
  bind(op.getResult(), acc);
  return success();
}

LogicalResult TileEmitter::emitMmaWait(MmaWaitOp op) {
  int64_t perStruct = registersPerStruct(op.getAcc());
  if (perStruct == 0)
    return op.emitOpError("waits for accumulators that no wgmma made");
  SmallVector<Value> acc = packed(op.getAcc(), perStruct);
  if (op.getPending() != 0) {
    NVVM::WgmmaWaitGroupSyncOp::create(b, op.getPending());
    bind(op.getResult(), acc);
    return success();
  }
  // The accumulators pass through the wait: nothing else keeps a read of them
  // behind it.
  std::string constraints;
  for (int64_t i = 0; i < perStruct; ++i)
    constraints += "=f,";
  for (int64_t i = 0; i < perStruct; ++i)
    constraints += std::to_string(i) + (i + 1 < perStruct ? "," : "");
  for (Value &part : acc) {
    SmallVector<Value> elements;
    for (int64_t i = 0; i < perStruct; ++i)
      elements.push_back(LLVM::ExtractValueOp::create(b, part, i));
    part =
        LLVM::InlineAsmOp::create(
            b, part.getType(), elements,
            b.getStringAttr("wgmma.wait_group.sync.aligned 0;"),
            b.getStringAttr(constraints), b.getUnitAttr(), UnitAttr(),
            LLVM::TailCallKindAttr::get(b.getContext(),
                                        LLVM::TailCallKind::None),
            LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
            ArrayAttr())
            .getRes();
  }
  bind(op.getResult(), acc);
  return success();
}
