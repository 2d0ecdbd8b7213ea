//===- L1Analysis.cpp - what L1 says about tiles and buffers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "L1Analysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::l1;

Value l1::skipMarkers(Value value) {
  while (auto staged = value.getDefiningOp<kz::StagedOp>())
    value = staged.getSource();
  return value;
}

/// Adds an L1 offset to `sum`.
static void addOffset(View::Offset &sum, OpFoldResult offset) {
  if (std::optional<int64_t> constant = getConstantIntValue(offset))
    sum.constant += *constant;
  else
    sum.terms.push_back(cast<Value>(offset));
}

std::optional<View> l1::getView(Value value) {
  // Slices from the value outwards; each adds its offsets to the dimensions of
  // its source.
  SmallVector<tensor::ExtractSliceOp> slices;
  value = skipMarkers(value);
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.hasUnitStride())
      return std::nullopt;
    slices.push_back(slice);
    value = skipMarkers(slice.getSource());
  }
  View view;
  view.root = value;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  view.offsets.resize(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    view.dims.push_back(dim);
  for (tensor::ExtractSliceOp slice : llvm::reverse(slices)) {
    for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets()))
      addOffset(view.offsets[view.dims[dim]], offset);
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<int64_t> kept;
    for (auto [dim, rootDim] : llvm::enumerate(view.dims))
      if (!dropped.test(dim))
        kept.push_back(rootDim);
    view.dims = kept;
  }
  return view;
}

/// The largest value of an L1 size: a constant, or the constants among the
/// results of an `affine.min`.
static std::optional<int64_t> getSizeBound(OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return constant;
  auto min = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  if (!min)
    return std::nullopt;
  std::optional<int64_t> bound;
  auto take = [&](int64_t value) {
    if (!bound || value < *bound)
      bound = value;
  };
  for (AffineExpr result : min.getMap().getResults()) {
    if (auto constant = dyn_cast<AffineConstantExpr>(result)) {
      take(constant.getValue());
      continue;
    }
    // A size taken over from a larger tile.
    std::optional<int64_t> inner;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(result))
      inner = getSizeBound(
          min.getOperand(min.getMap().getNumDims() + symbol.getPosition()));
    else if (auto dim = dyn_cast<AffineDimExpr>(result))
      inner = getSizeBound(min.getOperand(dim.getPosition()));
    if (inner)
      take(*inner);
  }
  return bound;
}

std::optional<OpFoldResult> l1::getTileSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return OpFoldResult(
        Builder(tensor.getContext()).getIndexAttr(type.getDimSize(dim)));
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(tensor);
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
    return init ? getTileSize(init->get(), dim) : std::nullopt;
  }
  if (auto staged = dyn_cast<kz::StagedOp>(op))
    return getTileSize(staged.getSource(), dim);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t kept = -1;
    for (auto [source, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(source) && ++kept == dim)
        return size;
    return std::nullopt;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return getTileSize(insert.getDest(), dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return empty.getMixedSizes()[dim];
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    OpOperand *init = loop.getTiedLoopInit(
        loop.getRegionIterArgs()[cast<OpResult>(tensor).getResultNumber()]);
    return init ? getTileSize(init->get(), dim) : std::nullopt;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getTileSize(linalgOp.getTiedOpOperand(cast<OpResult>(tensor))->get(),
                       dim);
  return std::nullopt;
}

std::optional<int64_t> l1::getTileBound(Value tensor, int64_t dim) {
  std::optional<OpFoldResult> size = getTileSize(tensor, dim);
  return size ? getSizeBound(*size) : std::nullopt;
}

std::optional<SmallVector<int64_t>> l1::getTileShape(Value tensor) {
  SmallVector<int64_t> shape;
  for (int64_t dim = 0,
               rank = cast<RankedTensorType>(tensor.getType()).getRank();
       dim < rank; ++dim) {
    std::optional<int64_t> bound = getTileBound(tensor, dim);
    if (!bound)
      return std::nullopt;
    shape.push_back(*bound);
  }
  return shape;
}

std::optional<int64_t> l1::getLoopBound(linalg::LinalgOp op, int64_t dim) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (auto dimExpr = dyn_cast<AffineDimExpr>(expr);
          dimExpr && static_cast<int64_t>(dimExpr.getPosition()) == dim)
        if (std::optional<int64_t> bound =
                getTileBound(operand.get(), position))
          return bound;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

kz::LayoutAttr l1::dealThreads(MLIRContext *context, ArrayRef<int64_t> shape,
                               kz::ThreadsAttr step,
                               ArrayRef<int64_t> spareDims) {
  using kz::LayoutStep;
  int64_t dim = step.getDim(), vector = step.getVector();
  // Threads along the dimension: all, or as many (a power of two that divides
  // the block) as it takes to cover it once.
  int64_t needed = llvm::divideCeil(shape[dim], vector);
  int64_t along = step.getThreads();
  while (along % 2 == 0 && along / 2 >= needed)
    along /= 2;
  if (along % 32 && 32 % along)
    return {};
  // Threads for which no row of any spare dimension is left hold copies.
  int64_t copies = step.getThreads() / along;
  SmallVector<int64_t> dealt(shape.size(), 1);
  for (int64_t spareDim : spareDims) {
    int64_t spare = copies;
    while (spare % 2 == 0 && spare / 2 >= shape[spareDim])
      spare /= 2;
    dealt[spareDim] = spare;
    copies /= spare;
  }
  SmallVector<LayoutStep> reg, lane, warp;
  auto push = [](SmallVectorImpl<LayoutStep> &steps, int64_t extent,
                 int64_t along, int64_t stride) {
    if (extent > 1)
      steps.push_back({extent, along, stride});
  };
  // Lanes first, then warps; of each, first along the dimension.
  push(reg, vector, dim, 1);
  int64_t laneAlong = std::min<int64_t>(along, 32);
  int64_t lanes = 32 / laneAlong;
  push(lane, laneAlong, dim, vector);
  push(warp, along / laneAlong, dim, vector * laneAlong);
  for (int64_t spareDim : spareDims) {
    int64_t laneSpare = std::gcd(dealt[spareDim], lanes);
    lanes /= laneSpare;
    push(lane, laneSpare, spareDim, 1);
    push(warp, dealt[spareDim] / laneSpare, spareDim, laneSpare);
  }
  if (copies % lanes)
    return {};
  push(lane, lanes, -1, 0);
  push(warp, copies / lanes, -1, 0);
  if (int64_t trips = llvm::divideCeil(shape[dim], vector * along); trips > 1)
    reg.push_back({trips, dim, vector * along});
  for (auto [other, size] : llvm::enumerate(shape)) {
    if (static_cast<int64_t>(other) == dim)
      continue;
    if (int64_t trips = llvm::divideCeil(size, dealt[other]); trips > 1)
      reg.push_back({trips, static_cast<int64_t>(other), dealt[other]});
  }
  return kz::LayoutAttr::get(context, shape.size(), reg, lane, warp);
}

kz::LayoutAttr l1::dealThreads(MLIRContext *context, ArrayRef<int64_t> shape,
                               kz::ThreadsAttr step) {
  // Spare threads take the longest other dimension, then the next.
  SmallVector<int64_t> spareDims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != step.getDim() && size > 1)
      spareDims.push_back(dim);
  llvm::sort(spareDims, [&](int64_t left, int64_t right) {
    return shape[left] != shape[right] ? shape[left] > shape[right]
                                       : left < right;
  });
  return dealThreads(context, shape, step, spareDims);
}

std::optional<std::string> l1::explainRegisters(kz::LayoutAttr layout) {
  constexpr int64_t limit = 255;
  if (layout.getNumRegisters() <= 2 * limit)
    return std::nullopt;
  return ("a thread would hold " + Twine(layout.getNumRegisters()) +
          " elements of the tile, a thread has " + Twine(limit) +
          " registers; use smaller tiles or more threads")
      .str();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<Combiner> l1::getCombiner(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  if (op.getNumDpsInits() != 1 || yield.getNumOperands() != 1)
    return std::nullopt;
  BlockArgument acc = op.getRegionOutputArgs().front();
  Operation *combine = yield.getOperand(0).getDefiningOp();
  if (!combine || combine->getNumOperands() != 2 || !acc.hasOneUse())
    return std::nullopt;
  Combiner result;
  if (combine->getOperand(0) == acc)
    result.element = combine->getOperand(1);
  else if (combine->getOperand(1) == acc)
    result.element = combine->getOperand(0);
  else
    return std::nullopt;
  Type type = acc.getType();
  Builder builder(op.getContext());
  auto floating = dyn_cast<FloatType>(type);
  auto infinity = [&](bool negative) {
    return builder.getFloatAttr(
        type, APFloat::getInf(floating.getFloatSemantics(), negative));
  };
  using vector::CombiningKind;
  if (isa<arith::AddFOp>(combine)) {
    result.kind = CombiningKind::ADD;
    // -0 + x is x for every x, +0 turns -0 into +0.
    result.neutral = builder.getFloatAttr(
        type,
        APFloat::getZero(floating.getFloatSemantics(), /*Negative=*/true));
  } else if (isa<arith::MulFOp>(combine)) {
    result.kind = CombiningKind::MUL;
    result.neutral = builder.getFloatAttr(type, 1.0);
  } else if (isa<arith::MaximumFOp>(combine)) {
    result.kind = CombiningKind::MAXIMUMF;
    result.neutral = infinity(/*negative=*/true);
  } else if (isa<arith::MinimumFOp>(combine)) {
    result.kind = CombiningKind::MINIMUMF;
    result.neutral = infinity(/*negative=*/false);
  } else if (isa<arith::MaxNumFOp>(combine)) {
    result.kind = CombiningKind::MAXNUMF;
    result.neutral = infinity(/*negative=*/true);
  } else if (isa<arith::MinNumFOp>(combine)) {
    result.kind = CombiningKind::MINNUMF;
    result.neutral = infinity(/*negative=*/false);
  } else if (isa<arith::AddIOp>(combine)) {
    result.kind = CombiningKind::ADD;
    result.neutral = builder.getIntegerAttr(type, 0);
  } else if (isa<arith::MaxSIOp>(combine)) {
    result.kind = CombiningKind::MAXSI;
    result.neutral = builder.getIntegerAttr(
        type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
  } else if (isa<arith::MinSIOp>(combine)) {
    result.kind = CombiningKind::MINSI;
    result.neutral = builder.getIntegerAttr(
        type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth()));
  } else if (isa<arith::MulIOp>(combine)) {
    result.kind = CombiningKind::MUL;
    result.neutral = builder.getIntegerAttr(type, 1);
  } else {
    return std::nullopt;
  }
  return result;
}

std::optional<TypedAttr> l1::getFillConstant(Value value) {
  value = skipMarkers(value);
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill) {
    // Any part of a constant of one value is one.
    while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      value = skipMarkers(slice.getSource());
    SplatElementsAttr splat;
    if (!matchPattern(value, m_Constant(&splat)))
      return std::nullopt;
    return cast<TypedAttr>(splat.getSplatValue<Attribute>());
  }
  TypedAttr attr;
  if (!matchPattern(fill.getInputs().front(), m_Constant(&attr)))
    return std::nullopt;
  return attr;
}
