//===- MathForms.cpp - our own transcendental functions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/MathForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <limits>

using namespace mlir;
using namespace kernelzero;

namespace {

/// 1.5 * 2^23: adding it to |x| < 2^22 rounds x to an integer, which then sits
/// in the low bits of the sum.
constexpr float kMagic = 12582912.0f;
constexpr int32_t kMagicBits = 0x4B400000;
constexpr int32_t kOneBits = 0x3F800000;
constexpr float kLog2E = 0x1.715476p+0f;
/// ln 2 in two pieces; n * kLn2Hi is exact inside of an fma.
constexpr float kLn2Hi = 0x1.62e430p-1f;
constexpr float kLn2Lo = -0x1.05c610p-29f;

/// Spells one function as operations on an f32 or a vector of f32.
class MathEmitter {
public:
  MathEmitter(OpBuilder &builder, Location loc, Type type, MathTarget target)
      : b(loc, builder), type(type), intType(getIntType(type, builder)),
        target(target) {}

  Value exp(Value x, int64_t ulp);
  Value exp2(Value x, int64_t ulp);
  Value log(Value x);
  Value erf(Value x, int64_t ulp);
  Value tanh(Value x, int64_t ulp);
  Value reciprocal(Value x, int64_t ulp);

private:
  static Type getIntType(Type type, OpBuilder &builder) {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(builder.getI32Type());
    return builder.getI32Type();
  }
  Value constant(float value) {
    TypedAttr attr = b.getF32FloatAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  }
  Value integer(int32_t value) {
    TypedAttr attr = b.getI32IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(intType))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  Value addi(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value subi(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value bits(Value x) { return arith::BitcastOp::create(b, intType, x); }
  Value floating(Value x) { return arith::BitcastOp::create(b, type, x); }
  Value shiftToExponent(Value x) {
    return arith::ShLIOp::create(b, x, integer(23));
  }
  Value select(arith::CmpFPredicate predicate, Value x, Value y, Value yes,
               Value no) {
    Value condition = arith::CmpFOp::create(b, predicate, x, y);
    return arith::SelectOp::create(b, condition, yes, no);
  }
  /// Minimum and maximum that keep a NaN in `x`. On x86 the select with the
  /// bound first is one instruction; PTX has min.NaN.
  Value atMost(Value x, float bound) {
    Value limit = constant(bound);
    if (target == MathTarget::NVIDIA)
      return arith::MinimumFOp::create(b, limit, x);
    return select(arith::CmpFPredicate::OLT, limit, x, limit, x);
  }
  Value atLeast(Value x, float bound) {
    Value limit = constant(bound);
    if (target == MathTarget::NVIDIA)
      return arith::MaximumFOp::create(b, limit, x);
    return select(arith::CmpFPredicate::OGT, limit, x, limit, x);
  }
  /// c[0] + c[1] x + c[2] x^2 + ...
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value sum = constant(coefficients.back());
    for (float coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }
  /// Quotient with the accuracy that a rational form needs.
  Value quotient(Value x, Value y) {
    auto flags = arith::FastMathFlags::none;
    if (target == MathTarget::NVIDIA) // div.approx, 2 units.
      flags = arith::FastMathFlags::afn | arith::FastMathFlags::arcp;
    return arith::DivFOp::create(b, x, y, flags);
  }
  /// Applies an operation on f32 to each element of `x`.
  template <typename Emit> Value mapScalars(Value x, Emit emit) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return emit(x);
    SmallVector<Value> elements;
    for (Value element : vector::ToElementsOp::create(b, x).getElements())
      elements.push_back(emit(element));
    return vector::FromElementsOp::create(b, vector, elements);
  }
  Value approximateExp2(Value x) {
    return mapScalars(x, [&](Value scalar) -> Value {
      return LLVM::CallIntrinsicOp::create(
                 b, b.getF32Type(), b.getStringAttr("llvm.nvvm.ex2.approx.ftz"),
                 ValueRange(scalar))
          .getResult(0);
    });
  }
  /// m * 2^n for n of `shifted` = n + kMagic, rounded once also where the
  /// result is subnormal: half of the scale at a time.
  Value scaleTwice(Value m, Value shifted) {
    Value n = subi(bits(shifted), integer(kMagicBits));
    Value half = arith::ShRSIOp::create(b, n, integer(1));
    Value scaled = m;
    for (Value part : {half, subi(n, half)})
      scaled = mul(scaled, floating(shiftToExponent(addi(part, integer(127)))));
    return scaled;
  }
  /// m * 2^n for n in [-127, 128]; 2^-127 becomes zero and 2^128 infinity.
  Value scaleOnce(Value m, Value shifted) {
    return mul(
        m, floating(addi(shiftToExponent(bits(shifted)), integer(kOneBits))));
  }
  /// 2^x for finite x where the result is normal, of at most 2 units.
  Value normalExp2(Value x) {
    Value shifted = add(x, constant(kMagic));
    Value f = sub(x, sub(shifted, constant(kMagic)));
    return scaleOnce(fractionExp2(f), shifted);
  }
  /// 2^f for f in [-0.5, 0.5], 0.05 units before rounding.
  Value fractionExp2(Value f) {
    return polynomial(f, {1.0f, 0x1.62e430p-1f, 0x1.ebfbdcp-3f, 0x1.c6af7cp-5f,
                          0x1.3b2de0p-7f, 0x1.5f082ep-10f, 0x1.416b52p-13f});
  }

  ImplicitLocOpBuilder b;
  Type type, intType;
  MathTarget target;
};

Value MathEmitter::exp2(Value x, int64_t ulp) {
  if (ulp == 1) {
    Value c = atMost(atLeast(x, -152.0f), 129.0f);
    Value shifted = add(c, constant(kMagic));
    Value f = sub(c, sub(shifted, constant(kMagic)));
    return scaleTwice(fractionExp2(f), shifted);
  }
  if (target == MathTarget::NVIDIA)
    return approximateExp2(x);
  // The fraction is in [0, 1], so the scale overflows and underflows where the
  // result does.
  Value c = atMost(atLeast(x, -126.5f), 128.0f);
  Value shifted = add(sub(c, constant(0.5f)), constant(kMagic));
  Value f = sub(c, sub(shifted, constant(kMagic)));
  Value m = polynomial(f, {1.0f, 0x1.62e514p-1f, 0x1.ebce1ap-3f, 0x1.c9ba70p-5f,
                           0x1.24918ep-7f, 0x1.f2eab4p-10f});
  return scaleOnce(m, shifted);
}

Value MathEmitter::exp(Value x, int64_t ulp) {
  if (ulp == 128)
    return exp2(mul(x, constant(kLog2E)), 2);
  if (ulp == 1) {
    Value c = atMost(atLeast(x, -105.0f), 89.0f);
    Value shifted = fma(c, constant(kLog2E), constant(kMagic));
    Value n = sub(shifted, constant(kMagic));
    Value r = fma(n, constant(-kLn2Lo), fma(n, constant(-kLn2Hi), c));
    Value m = polynomial(r, {1.0f, 1.0f, 0x1.fffffcp-2f, 0x1.555492p-3f,
                             0x1.5558aep-5f, 0x1.123986p-7f, 0x1.6a4f70p-10f});
    return scaleTwice(m, shifted);
  }
  Value c = atMost(atLeast(x, -87.6f), 0x1.62e430p+6f);
  Value shifted =
      add(fma(c, constant(kLog2E), constant(-0.5f)), constant(kMagic));
  Value n = sub(shifted, constant(kMagic));
  if (target == MathTarget::NVIDIA) {
    // log2(e) in two pieces.
    Value f = fma(c, constant(kLog2E), arith::NegFOp::create(b, n));
    f = fma(c, constant(0x1.4ae0c0p-26f), f);
    return scaleOnce(approximateExp2(f), shifted);
  }
  Value r = fma(n, constant(-kLn2Lo), fma(n, constant(-kLn2Hi), c));
  Value m = polynomial(r, {1.0f, 1.0f, 0x1.000066p-1f, 0x1.553efcp-3f,
                           0x1.571b78p-5f, 0x1.007354p-7f, 0x1.fb3dacp-10f});
  return scaleOnce(m, shifted);
}

Value MathEmitter::log(Value x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Half of the bits of sqrt(1/2) and more are those of an exponent above.
  constexpr int32_t kRootBits = 0x3F3504F3;
  // Subnormal numbers come up to where the exponent says their size.
  auto small = [&](Value yes, Value no) {
    return select(arith::CmpFPredicate::OLT, x, constant(0x1p-126f), yes, no);
  };
  Value i = bits(small(mul(x, constant(0x1p23f)), x));
  Value e = arith::ShRSIOp::create(b, subi(i, integer(kRootBits)), integer(23));
  Value f = sub(floating(subi(i, shiftToExponent(e))), constant(1.0f));
  Value n = arith::SIToFPOp::create(b, type, e);
  n = add(n, small(constant(-23.0f), constant(0.0f)));
  // log(1 + f) = f + f^2 (-1/2 + f p(f)); p is the polynomial of degree 6 whose
  // largest error relative to the logarithm is least, 0.53 * 2^-24.
  Value p = polynomial(f, {-0.5f, 0x1.5556d8p-2f, -0x1.000382p-2f,
                           0x1.98d7f2p-3f, -0x1.53824ap-3f, 0x1.317458p-3f,
                           -0x1.2432b8p-3f, 0x1.645ea0p-4f});
  Value r = fma(p, mul(f, f), f);
  r = fma(n, constant(kLn2Hi), fma(n, constant(kLn2Lo), r));
  Value positive =
      select(arith::CmpFPredicate::OLT, x, constant(kInfinity), r, x);
  Value other =
      select(arith::CmpFPredicate::OEQ, x, constant(0.0f), constant(-kInfinity),
             constant(std::numeric_limits<float>::quiet_NaN()));
  return select(arith::CmpFPredicate::OGT, x, constant(0.0f), positive, other);
}

Value MathEmitter::erf(Value x, int64_t ulp) {
  if (ulp == 8) {
    // erf(3.925) is 1 within half a unit.
    Value t = atMost(atLeast(x, -3.925f), 3.925f);
    Value s = mul(t, t);
    Value numerator = polynomial(
        s, {0x1.20dd74p+0f, 0x1.9a5902p-3f, 0x1.9ec558p-5f, 0x1.e77b04p-9f,
            0x1.2a27b4p-13f, -0x1.069bfcp-19f, 0x1.555b1cp-26f});
    Value denominator = polynomial(s, {1.0f, 0x1.0594c2p-1f, 0x1.d7c6f2p-4f,
                                       0x1.d78848p-7f, 0x1.f74cc4p-11f});
    return quotient(mul(numerator, t), denominator);
  }
  Value s = mul(x, x);
  Value small =
      polynomial(s, {0x1.06eba6p-3f, -0x1.8126eep-2f, 0x1.ce1bf4p-4f,
                     -0x1.b6a314p-6f, 0x1.47cffep-8f, -0x1.3c9b90p-11f});
  small = fma(small, x, x);
  // log2(1 - erf) is smooth where erf is not small.
  Value magnitude = math::AbsFOp::create(b, x);
  Value t = atMost(magnitude, 3.95f);
  Value exponent =
      polynomial(t, {-0x1.a0cc5ap+0f, -0x1.d58d32p-1f, -0x1.3728e2p-3f,
                     0x1.0ee928p-5f, -0x1.30ef20p-8f, 0x1.45985ep-12f});
  Value large = sub(constant(1.0f), normalExp2(mul(exponent, t)));
  large = math::CopySignOp::create(b, large, x);
  return select(arith::CmpFPredicate::OGT, magnitude, constant(0.875f), large,
                small);
}

Value MathEmitter::tanh(Value x, int64_t ulp) {
  if (ulp == 8192 && target == MathTarget::NVIDIA)
    return mapScalars(x, [&](Value scalar) -> Value {
      return LLVM::TanhOp::create(b, b.getF32Type(), scalar,
                                  LLVM::FastmathFlags::afn);
    });
  if (ulp == 8192) {
    Value t = atMost(atLeast(x, -4.5f), 4.5f);
    Value s = mul(t, t);
    Value numerator =
        polynomial(s, {0x1.fffc50p-1f, 0x1.a9a576p-4f, 0x1.793d8ap-11f});
    Value denominator = polynomial(s, {1.0f, 0x1.bf8d48p-2f, 0x1.b3809ep-7f});
    return quotient(mul(numerator, t), denominator);
  }
  if (ulp == 8) {
    Value t = atMost(atLeast(x, -9.0f), 9.0f);
    Value s = mul(t, t);
    Value numerator =
        polynomial(s, {0x1.fffffep-1f, 0x1.0895f2p-3f, 0x1.7ed464p-9f,
                       0x1.36f64ep-17f, -0x1.b72162p-27f, 0x1.4125c4p-36f});
    Value denominator =
        polynomial(s, {1.0f, 0x1.d9a02ep-2f, 0x1.8555e4p-6f, 0x1.de5c20p-13f});
    return quotient(mul(numerator, t), denominator);
  }
  Value s = mul(x, x);
  Value small = polynomial(s, {-0x1.55554ap-2f, 0x1.110cf0p-3f, -0x1.b91f22p-5f,
                               0x1.58ec9cp-6f, -0x1.995794p-8f});
  Value magnitude = math::AbsFOp::create(b, x);
  small = fma(mul(small, s), magnitude, magnitude);
  Value t = atMost(magnitude, 10.0f);
  Value e = normalExp2(mul(t, constant(2.0f * kLog2E)));
  Value large =
      sub(constant(1.0f),
          arith::DivFOp::create(b, constant(2.0f), add(e, constant(1.0f))));
  Value result = select(arith::CmpFPredicate::OGT, magnitude, constant(0.55f),
                        large, small);
  return math::CopySignOp::create(b, result, x);
}

Value MathEmitter::reciprocal(Value x, int64_t ulp) {
  if (ulp == 1 || target != MathTarget::NVIDIA)
    return arith::DivFOp::create(b, constant(1.0f), x);
  return mapScalars(x, [&](Value scalar) -> Value {
    return LLVM::CallIntrinsicOp::create(
               b, b.getF32Type(), b.getStringAttr("llvm.nvvm.rcp.approx.ftz.f"),
               ValueRange(scalar))
        .getResult(0);
  });
}

} // namespace

Value kernelzero::emitMath(OpBuilder &builder, Location loc, StringRef function,
                           int64_t ulp, Value x, MathTarget target) {
  if (explainUnknownForm(function, ulp) ||
      !getElementTypeOrSelf(x.getType()).isF32())
    return nullptr;
  MathEmitter emitter(builder, loc, x.getType(), target);
  if (function == "exp")
    return emitter.exp(x, ulp);
  if (function == "exp2")
    return emitter.exp2(x, ulp);
  if (function == "log")
    return emitter.log(x);
  if (function == "erf")
    return emitter.erf(x, ulp);
  if (function == "div")
    return emitter.reciprocal(x, ulp);
  return emitter.tanh(x, ulp);
}

LogicalResult kernelzero::expandMath(Operation *root, MathTarget target) {
  SmallVector<std::pair<Operation *, StringRef>> calls;
  root->walk([&](Operation *op) {
    for (StringRef function : getMathFunctions())
      if (evaluatesMath(op, function))
        calls.push_back({op, function});
  });
  for (auto [op, function] : calls) {
    Type type = op->getResult(0).getType(),
         element = getElementTypeOrSelf(type);
    if (!isa<VectorType>(type) && type != element)
      continue; // On tensors: not a scalar of a region.
    if (!element.isF32() && !element.isF16() && !element.isBF16())
      continue;
    int64_t ulp = getChosenUlp(op, function);
    if (std::optional<std::string> why = explainUnknownForm(function, ulp))
      return op->emitError() << *why;
    bool quotient = function == "div";
    if (quotient && ulp == 1)
      continue; // The operation itself.
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type wide = builder.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
    auto widen = [&](Value x) -> Value {
      if (wide == type)
        return x;
      return arith::ExtFOp::create(builder, loc, wide, x);
    };
    Value x = widen(op->getOperand(quotient ? 1 : 0));
    Value result = emitMath(builder, loc, function, ulp, x, target);
    if (quotient)
      result =
          arith::MulFOp::create(builder, loc, widen(op->getOperand(0)), result);
    if (wide != type)
      result = arith::TruncFOp::create(builder, loc, type, result);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
  return success();
}
