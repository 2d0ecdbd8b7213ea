//===- Elementwise.cpp - maps, broadcasts, clips --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

LogicalResult TileEmitter::emitMap(MapOp op) {
  LayoutAttr layout = cast<TileType>(op.getResultTypes()[0]).getLayout();
  Block &body = op.getBody().front();
  SmallVector<SmallVector<Value>> inputs;
  for (Value input : op.getInputs())
    inputs.emplace_back(isa<TileType>(input.getType()) ? registers(input)
                                                       : ArrayRef<Value>());
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  // Two neighbours at a time, operation by operation: chains of dependent
  // operations overlap, and a pair of truncations becomes one conversion.
  int64_t count = layout.getNumRegisters();
  for (int64_t start = 0; start < count; start += 2) {
    int64_t width = std::min<int64_t>(2, count - start);
    DenseMap<Value, Value> of[2];
    for (int64_t i = 0; i < width; ++i)
      for (auto [argument, input, list] :
           llvm::zip(body.getArguments(), op.getInputs(), inputs))
        of[i][argument] =
            isa<TileType>(input.getType()) ? list[start + i] : lookup(input);
    for (Operation &inner : body.without_terminator())
      for (int64_t i = 0; i < width; ++i) {
        for (Value operand : inner.getOperands()) {
          auto it = of[i].find(operand);
          if (it != of[i].end())
            bind(operand, it->second);
        }
        b.setLoc(inner.getLoc());
        if (auto index = dyn_cast<IndexOp>(inner)) {
          Value base = baseCoordinates(layout)[index.getDim()];
          int64_t offset = layout.getOffsets(start + i)[index.getDim()];
          of[i][index.getResult()] = add(base, i32(offset));
          continue;
        }
        if (auto fetch = dyn_cast<FetchOp>(inner)) {
          SmallVector<Value> coordinates;
          for (Value coordinate : fetch.getCoordinates())
            coordinates.push_back(lookup(coordinate));
          of[i][fetch.getResult()] = emitFetch(fetch, coordinates);
          continue;
        }
        if (failed(emitScalar(&inner)))
          return failure();
        for (Value result : inner.getResults())
          of[i][result] = lookup(result);
      }
    for (auto [number, yielded] :
         llvm::enumerate(body.getTerminator()->getOperands()))
      for (int64_t i = 0; i < width; ++i) {
        auto it = of[i].find(yielded);
        results[number].push_back(it != of[i].end() ? it->second
                                                    : lookup(yielded));
      }
  }
  for (auto [result, list] : llvm::zip(op.getResults(), results))
    bind(result, list);
  return success();
}

Value TileEmitter::emitFetch(FetchOp op, ArrayRef<Value> coordinates) {
  auto buffer = cast<MemRefType>(op.getBuffer().getType());
  Type element = buffer.getElementType();
  bool wide = buffer.getNumElements() * storedBytes(element) > INT32_MAX;
  // A map also runs on places beyond a ragged edge, whose coordinates may lie
  // anywhere: they read the first row.
  Value offset;
  for (auto [coordinate, extent] :
       llvm::zip_equal(coordinates, buffer.getShape())) {
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                         coordinate, i32(extent));
    Value at = arith::SelectOp::create(b, inside, coordinate, i32(0));
    if (wide)
      at = arith::ExtUIOp::create(b, b.getI64Type(), at);
    offset = offset ? add(mul(offset, extent), at) : at;
  }
  Value pointer = bufferPointer(op.getBuffer(), /*written=*/false);
  if (offset)
    pointer = LLVM::GEPOp::create(b, pointer.getType(), storedType(element),
                                  pointer, ArrayRef<LLVM::GEPArg>{offset});
  Value loaded = LLVM::LoadOp::create(b, storedType(element), pointer,
                                      storedBytes(element));
  return fromStored(loaded, element);
}

LogicalResult TileEmitter::emitSplat(SplatOp op) {
  auto tile = cast<TileType>(op.getResult().getType());
  bind(op.getResult(), SmallVector<Value>(tile.getLayout().getNumRegisters(),
                                          lookup(op.getValue())));
  return success();
}

LogicalResult TileEmitter::emitBroadcast(BroadcastOp op) {
  // The operand holds the registers of the result that differ along the kept
  // dimensions, in their order.
  LayoutAttr layout = cast<TileType>(op.getResult().getType()).getLayout();
  ArrayRef<Value> from = registers(op.getTile());
  SmallVector<Value> result;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
    result.push_back(from[layout.getKeptRegister(reg, op.getDims())]);
  bind(op.getResult(), result);
  return success();
}

LogicalResult TileEmitter::emitClip(ClipOp op) {
  auto tile = cast<TileType>(op.getTile().getType());
  LayoutAttr layout = tile.getLayout();
  SmallVector<Value> result(registers(op.getTile()));
  ExtentMasks masks(*this, layout, op.getExtents());
  Value fill = constant(op.getFill());
  for (auto [reg, value] : llvm::enumerate(result))
    if (Value mask = masks.at(layout.getOffsets(reg)))
      value = arith::SelectOp::create(b, mask, value, fill);
  bind(op.getResult(), result);
  return success();
}
