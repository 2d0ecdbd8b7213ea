//===- HostValues.cpp - numbers and memory accesses of the emitter --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace kernelzero::host;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Emitter::number(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

std::optional<int64_t> Emitter::constant(Value value) {
  APInt result;
  if (value && matchPattern(value, m_ConstantInt(&result)))
    return result.getSExtValue();
  return std::nullopt;
}

Value Emitter::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(loc, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}
Value Emitter::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(loc, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}
Value Emitter::mul(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value Emitter::minimum(Value x, Value y) {
  Range rx = range(x), ry = range(y);
  if (rx.high && ry.low && *rx.high <= *ry.low)
    return x;
  if (ry.high && rx.low && *ry.high <= *rx.low)
    return y;
  return b.createOrFold<arith::MinSIOp>(loc, x, y);
}

Value Emitter::maximum(Value x, Value y) {
  Range rx = range(x), ry = range(y);
  if (rx.high && ry.low && *rx.high <= *ry.low)
    return y;
  if (ry.high && rx.low && *ry.high <= *rx.low)
    return x;
  return b.createOrFold<arith::MaxSIOp>(loc, x, y);
}

// Sizes and offsets are never negative where these are used, so that the
// unsigned forms hold; they are cheaper.
Value Emitter::floorDiv(Value x, int64_t y) {
  if (y == 1)
    return x;
  return b.createOrFold<arith::DivUIOp>(loc, x, number(y));
}
Value Emitter::ceilDiv(Value x, int64_t y) {
  return y == 1 ? x : floorDiv(add(x, number(y - 1)), y);
}
Value Emitter::remainder(Value x, int64_t y) {
  int64_t known = divisor(x);
  if (known % y == 0)
    return number(0);
  return b.createOrFold<arith::RemUIOp>(loc, x, number(y));
}

int64_t Emitter::divisor(Value value) {
  if (std::optional<int64_t> known = constant(value))
    return std::abs(*known);
  auto found = divisors.find(value);
  if (found != divisors.end())
    return found->second;
  int64_t result = 1;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::MulIOp>(op))
    result = divisor(op->getOperand(0)) * divisor(op->getOperand(1));
  else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MinSIOp,
                           arith::MaxSIOp>(op))
    result = std::gcd(divisor(op->getOperand(0)), divisor(op->getOperand(1)));
  return divisors[value] = result;
}

Emitter::Range Emitter::range(Value value) {
  if (std::optional<int64_t> known = constant(value))
    return {known, known};
  auto found = ranges.find(value);
  if (found != ranges.end())
    return found->second;
  Range result;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return result;
  Range x = range(op->getOperand(0)), y = range(op->getOperand(1));
  auto pick = [](std::optional<int64_t> a, std::optional<int64_t> b,
                 bool least) {
    if (!a || !b)
      return a ? a : b;
    return std::optional<int64_t>(least ? std::min(*a, *b) : std::max(*a, *b));
  };
  if (isa<arith::AddIOp>(op)) {
    if (x.low && y.low)
      result.low = *x.low + *y.low;
    if (x.high && y.high)
      result.high = *x.high + *y.high;
  } else if (isa<arith::SubIOp>(op)) {
    if (x.low && y.high)
      result.low = *x.low - *y.high;
    if (x.high && y.low)
      result.high = *x.high - *y.low;
  } else if (isa<arith::MulIOp>(op)) {
    if (x.low && x.high && y.low && y.high) {
      int64_t products[] = {*x.low * *y.low, *x.low * *y.high, *x.high * *y.low,
                            *x.high * *y.high};
      result.low = *std::min_element(products, products + 4);
      result.high = *std::max_element(products, products + 4);
    }
  } else if (isa<arith::MinSIOp>(op)) {
    if (x.low && y.low)
      result.low = std::min(*x.low, *y.low);
    result.high = pick(x.high, y.high, true);
  } else if (isa<arith::MaxSIOp>(op)) {
    if (x.high && y.high)
      result.high = std::max(*x.high, *y.high);
    result.low = pick(x.low, y.low, false);
  } else if (isa<arith::DivUIOp, arith::RemUIOp>(op)) {
    std::optional<int64_t> by = constant(op->getOperand(1));
    if (by && *by > 0 && x.low && *x.low >= 0) {
      result.low = 0;
      if (isa<arith::RemUIOp>(op)) {
        result.high = *by - 1;
      } else {
        result.low = *x.low / *by;
        if (x.high)
          result.high = *x.high / *by;
      }
    }
  }
  return ranges[value] = result;
}

Value Emitter::evaluate(AffineExpr expr, ValueRange dims, ValueRange symbols) {
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    return number(known.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = evaluate(binary.getLHS(), dims, symbols);
  Value y = evaluate(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(x, y);
  case AffineExprKind::Mul:
    return mul(x, y);
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::FloorDivSIOp>(loc, x, y);
  case AffineExprKind::CeilDiv:
    return b.createOrFold<arith::CeilDivSIOp>(loc, x, y);
  default: {
    // The affine remainder is never negative.
    Value rest = b.createOrFold<arith::RemSIOp>(loc, x, y);
    Value negative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           rest, number(0));
    return b.createOrFold<arith::SelectOp>(loc, negative, add(rest, y), rest);
  }
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Type Emitter::storage(Type type) {
  // LLVM packs vectors of i1 into bits; buffers hold one byte an element.
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  if (isa<IndexType>(type))
    return IntegerType::get(type.getContext(), 64);
  return type;
}

int64_t Emitter::bytes(Type type) {
  return llvm::divideCeil(storage(type).getIntOrFloatBitWidth(), 8);
}

Value Emitter::offset(Value base, Type element, Value index) {
  if (std::optional<int64_t> known = constant(index))
    return offset(base, element, *known);
  return LLVM::GEPOp::create(b, loc, base.getType(), storage(element), base,
                             ArrayRef<LLVM::GEPArg>{index},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::offset(Value base, Type element, int64_t index) {
  if (index == 0)
    return base;
  if (index != static_cast<int32_t>(index))
    return LLVM::GEPOp::create(b, loc, base.getType(), storage(element), base,
                               ArrayRef<LLVM::GEPArg>{number(index)},
                               LLVM::GEPNoWrapFlags::inbounds);
  return LLVM::GEPOp::create(
      b, loc, base.getType(), storage(element), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)},
      LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::address(const View &view, ArrayRef<Value> indices) {
  Value sum = number(0);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (static_cast<int64_t>(dim) != view.panelDim) {
      sum = add(sum, mul(index, view.strides[dim]));
      continue;
    }
    Value position = view.panelOffset ? add(view.panelOffset, index) : index;
    sum = add(sum, mul(floorDiv(position, view.panelWidth), view.panelStride));
    sum = add(sum, remainder(position, view.panelWidth));
  }
  return offset(view.base, view.element, sum);
}

Value Emitter::zero(Type type) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

Value Emitter::splat(Value scalar, int64_t lanes) {
  if (!lanes)
    return scalar;
  if (auto known = scalar.getDefiningOp<arith::ConstantOp>()) {
    auto type = VectorType::get(lanes, scalar.getType());
    return arith::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type, ArrayRef<Attribute>(known.getValue())));
  }
  return vector::BroadcastOp::create(
      b, loc, VectorType::get(lanes, scalar.getType()), scalar);
}

Value Emitter::maskBelow(Value count, int64_t lanes) {
  SmallVector<int32_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto type = VectorType::get(lanes, b.getI32Type());
  Value lane = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  Value limit = minimum(maximum(count, number(0)), number(lanes));
  Value narrow = b.createOrFold<arith::TruncIOp>(loc, b.getI32Type(), limit);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lane,
                               splat(narrow, lanes));
}

Value Emitter::load(Value pointer, Type type, int64_t lanes, Value mask) {
  Type element = storage(type);
  Type whole = lanes ? Type(VectorType::get(lanes, element)) : element;
  unsigned alignment = bytes(type);
  Value value;
  if (mask)
    value = LLVM::MaskedLoadOp::create(b, loc, whole, pointer, mask,
                                       zero(whole), alignment);
  else
    value = LLVM::LoadOp::create(b, loc, whole, pointer, alignment);
  if (type.isInteger(1))
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                 zero(whole));
  if (isa<IndexType>(type)) {
    Type index = lanes ? Type(VectorType::get(lanes, type)) : type;
    return arith::IndexCastOp::create(b, loc, index, value);
  }
  return value;
}

void Emitter::store(Value value, Value pointer, Value mask) {
  Type type = getElementTypeOrSelf(value.getType());
  auto vector = dyn_cast<VectorType>(value.getType());
  Type element = storage(type);
  Type whole = vector ? Type(vector.clone(element)) : element;
  if (type.isInteger(1))
    value = arith::ExtUIOp::create(b, loc, whole, value);
  else if (isa<IndexType>(type))
    value = arith::IndexCastOp::create(b, loc, whole, value);
  unsigned alignment = bytes(type);
  if (mask)
    LLVM::MaskedStoreOp::create(b, loc, value, pointer, mask, alignment);
  else
    LLVM::StoreOp::create(b, loc, value, pointer, alignment);
}

/// Widens a float; panels only ever hold a wider type than the value's.
Value Emitter::convert(Value value, Type element) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type) == element)
    return value;
  Type target = element;
  if (auto vector = dyn_cast<VectorType>(type))
    target = vector.clone(element);
  return arith::ExtFOp::create(b, loc, target, value);
}
