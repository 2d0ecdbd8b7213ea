//===- ScalarProgram.cpp - the body of a Linalg operation in doubles ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScalarProgram.h"
#include "KernelZero/Judge/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace kernelzero;

double kernelzero::getRoundingUnit(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  return floating ? std::ldexp(1.0, -int(llvm::APFloat::semanticsPrecision(
                                        floating.getFloatSemantics())))
                  : 0;
}

namespace kernelzero {
/// The steps. Each takes the strips of its operands and fills its own.
struct Functions {
  using Step = ScalarProgram::Step;
  using Strip = ScalarProgram::Strip;

  /// An integer as `width` bits hold it: signed, truth values 0 and 1.
  static double wrap(double value, unsigned width) {
    double modulus = std::ldexp(1.0, width), half = modulus / 2;
    if (width == 1)
      return value - 2 * std::floor(value / 2);
    if (width >= 64 || (value >= -half && value < half))
      return value;
    return value - modulus * std::floor((value + half) / modulus);
  }
  /// The same bits without a sign.
  static double unsign(double value, unsigned width) {
    return value < 0 ? value + std::ldexp(1.0, width) : value;
  }

  /// Adds the rounding of the result's type, and turns what the type cannot
  /// hold into an infinity.
  static void round(const Step &step, Strip &out, int64_t count) {
    if (step.width) {
      for (int64_t i = 0; i < count; ++i)
        out.value[i] = wrap(out.value[i], step.width);
      return;
    }
    if (!step.unit)
      return;
    for (int64_t i = 0; i < count; ++i) {
      double size = std::fabs(out.value[i]);
      if (size > step.largest)
        out.value[i] = std::copysign(std::numeric_limits<double>::infinity(),
                                     out.value[i]);
      else if (size <= step.largest)
        out.error[i] += step.unit * size;
      // No bound at all for what is finite; infinities and NaN are exact.
      if (std::isnan(out.error[i]))
        out.error[i] = std::isfinite(out.value[i])
                           ? std::numeric_limits<double>::infinity()
                           : 0;
    }
  }

  template <typename F>
  static void each(const Step &step, Strip &out, int64_t count, F f) {
    for (int64_t i = 0; i < count; ++i)
      f(i);
    round(step, out, count);
  }

  static void add(const Step &s, Strip &o, const Strip *a, const Strip *b,
                  const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      o.value[i] = a->value[i] + b->value[i];
      o.error[i] = a->error[i] + b->error[i];
    });
  }
  static void subtract(const Step &s, Strip &o, const Strip *a, const Strip *b,
                       const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      o.value[i] = a->value[i] - b->value[i];
      o.error[i] = a->error[i] + b->error[i];
    });
  }
  static void multiply(const Step &s, Strip &o, const Strip *a, const Strip *b,
                       const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      double x = a->value[i], y = b->value[i], dx = a->error[i],
             dy = b->error[i];
      o.value[i] = x * y;
      o.error[i] =
          dx || dy ? std::fabs(x) * dy + std::fabs(y) * dx + dx * dy : 0;
    });
  }
  static void divide(const Step &s, Strip &o, const Strip *a, const Strip *b,
                     const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      double x = a->value[i], y = b->value[i];
      o.value[i] = x / y;
      double room = std::fabs(y) - b->error[i];
      o.error[i] = !a->error[i] && !b->error[i] ? 0
                   : room <= 0
                       ? std::numeric_limits<double>::infinity()
                       : (a->error[i] + std::fabs(x / y) * b->error[i]) / room;
      // Quotients are often products with a reciprocal.
      if (std::isfinite(o.value[i]))
        o.error[i] += 2 * s.unit * std::fabs(o.value[i]);
    });
  }
  static void nothing(const Step &, Strip &, const Strip *, const Strip *,
                      const Strip *, int64_t) {}
  /// Integers without a sign: `predicate` is their width.
  template <double (*F)(double, double)>
  static void unsignedNumeric(const Step &s, Strip &o, const Strip *a,
                              const Strip *b, const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      o.value[i] = wrap(
          F(unsign(a->value[i], s.predicate), unsign(b->value[i], s.predicate)),
          s.predicate);
      o.error[i] = a->error[i] + b->error[i];
    }
  }
  template <double (*F)(double, double)>
  static void integers(const Step &s, Strip &o, const Strip *a, const Strip *b,
                       const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      o.value[i] = F(a->value[i], b->value[i]);
      o.error[i] = a->error[i] + b->error[i];
    });
  }
  /// Floats are bits only where they are known exactly.
  static void seeAs(const Step &s, Strip &o, const Strip *a, const Strip *,
                    const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      char bytes[8] = {};
      double again;
      writeElements(s.from, &a->value[i], 0, 1, bytes);
      readElements(s.from, bytes, 0, 1, &again);
      bool isExact =
          a->error[i] == 0 && (again == a->value[i] || std::isnan(a->value[i]));
      readElements(s.to, bytes, 0, 1, &o.value[i]);
      o.error[i] = isExact ? 0 : std::numeric_limits<double>::infinity();
    }
  }
  static void extendSign(const Step &s, Strip &o, const Strip *a, const Strip *,
                         const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      // Truth values are 0 and 1; as numbers with a sign, 0 and -1.
      o.value[i] = s.predicate == 1 ? -a->value[i] : a->value[i];
      o.error[i] = a->error[i];
    }
  }
  static void divideIntegers(const Step &s, Strip &o, const Strip *a,
                             const Strip *b, const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      o.value[i] = b->value[i] ? std::trunc(a->value[i] / b->value[i]) : 0;
      o.error[i] = a->error[i] + b->error[i];
    });
  }
  template <bool Maximum, bool KeepNaN>
  static void extreme(const Step &s, Strip &o, const Strip *a, const Strip *b,
                      const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      double x = a->value[i], y = b->value[i];
      if (std::isnan(x) || std::isnan(y))
        o.value[i] = KeepNaN ? std::numeric_limits<double>::quiet_NaN()
                             : (std::isnan(x) ? y : x);
      else
        o.value[i] = Maximum ? std::max(x, y) : std::min(x, y);
      o.error[i] = std::max(a->error[i], b->error[i]);
    }
  }
  template <double (*F)(double, double)>
  static void numeric(const Step &s, Strip &o, const Strip *a, const Strip *b,
                      const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      double x = a->value[i], y = b->value[i], dx = a->error[i],
             dy = b->error[i];
      double v = o.value[i] = F(x, y);
      double e = 0;
      for (double sign : {-1.0, 1.0}) {
        if (dx)
          e = std::max(e, std::fabs(F(x + sign * dx, y) - v));
        if (dy)
          e = std::max(e, std::fabs(F(x, y + sign * dy) - v));
      }
      o.error[i] = 2 * e + (std::isfinite(v) ? 4 * s.unit * std::fabs(v) : 0);
    });
  }
  static void unary(const Step &s, Strip &o, const Strip *a, const Strip *,
                    const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      double x = a->value[i], dx = a->error[i];
      double v = o.value[i] = s.unary(x);
      double e = dx ? std::max(std::fabs(s.unary(x + dx) - v),
                               std::fabs(s.unary(x - dx) - v))
                    : 0;
      // Of the forms of a function (MathFormTable.h), those of up to 8 units in
      // the last place are legal for results of any type.
      o.error[i] = e + (std::isfinite(v) ? 16 * s.unit * std::fabs(v) : 0);
    });
  }
  /// Exact: negation, absolute value, widening.
  static void exact(const Step &s, Strip &o, const Strip *a, const Strip *,
                    const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      o.value[i] = s.unary ? s.unary(a->value[i]) : a->value[i];
      o.error[i] = a->error[i];
    }
  }
  static void convert(const Step &s, Strip &o, const Strip *a, const Strip *,
                      const Strip *, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      o.value[i] = a->value[i];
      o.error[i] = a->error[i];
    });
  }
  static void toInteger(const Step &s, Strip &o, const Strip *a, const Strip *,
                        const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      double x = a->value[i], dx = a->error[i];
      // What the type does not hold may become anything.
      if (!(std::fabs(x) < std::ldexp(1.0, int(s.width) - 1))) {
        o.value[i] = 0;
        o.error[i] = std::numeric_limits<double>::infinity();
        continue;
      }
      o.value[i] = std::trunc(x);
      o.error[i] = dx && std::trunc(x - dx) != std::trunc(x + dx) ? 1 : 0;
    }
  }
  static void toUnsigned(const Step &s, Strip &o, const Strip *a, const Strip *,
                         const Strip *, int64_t n) {
    double modulus = std::ldexp(1.0, s.predicate);
    for (int64_t i = 0; i < n; ++i) {
      o.value[i] = a->value[i] < 0 ? a->value[i] + modulus : a->value[i];
      o.error[i] = a->error[i];
    }
  }
  static void fused(const Step &s, Strip &o, const Strip *a, const Strip *b,
                    const Strip *c, int64_t n) {
    each(s, o, n, [&](int64_t i) {
      double x = a->value[i], y = b->value[i], dx = a->error[i],
             dy = b->error[i];
      o.value[i] = x * y + c->value[i];
      o.error[i] = std::fabs(x) * dy + std::fabs(y) * dx + dx * dy +
                   c->error[i] +
                   (std::isfinite(x * y) ? s.unit * std::fabs(x * y) : 0);
    });
  }
  static bool holds(int predicate, double x, double y) {
    bool ordered = !std::isnan(x) && !std::isnan(y);
    switch (static_cast<arith::CmpFPredicate>(predicate)) {
    case arith::CmpFPredicate::AlwaysFalse:
      return false;
    case arith::CmpFPredicate::OEQ:
      return ordered && x == y;
    case arith::CmpFPredicate::OGT:
      return ordered && x > y;
    case arith::CmpFPredicate::OGE:
      return ordered && x >= y;
    case arith::CmpFPredicate::OLT:
      return ordered && x < y;
    case arith::CmpFPredicate::OLE:
      return ordered && x <= y;
    case arith::CmpFPredicate::ONE:
      return ordered && x != y;
    case arith::CmpFPredicate::ORD:
      return ordered;
    case arith::CmpFPredicate::UEQ:
      return !ordered || x == y;
    case arith::CmpFPredicate::UGT:
      return !ordered || x > y;
    case arith::CmpFPredicate::UGE:
      return !ordered || x >= y;
    case arith::CmpFPredicate::ULT:
      return !ordered || x < y;
    case arith::CmpFPredicate::ULE:
      return !ordered || x <= y;
    case arith::CmpFPredicate::UNE:
      return !ordered || x != y;
    case arith::CmpFPredicate::UNO:
      return !ordered;
    case arith::CmpFPredicate::AlwaysTrue:
      return true;
    }
    return false;
  }
  /// The error of a truth value is 1 where it may be the other one.
  static void compare(const Step &s, Strip &o, const Strip *a, const Strip *b,
                      const Strip *, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      double x = a->value[i], y = b->value[i], room = a->error[i] + b->error[i];
      o.value[i] = holds(s.predicate, x, y);
      o.error[i] = room && (holds(s.predicate, x + room, y) != o.value[i] ||
                            holds(s.predicate, x - room, y) != o.value[i]);
    }
  }
  /// The width is kept beside the predicate, which is that of numbers.
  static void compareUnsigned(const Step &s, Strip &o, const Strip *a,
                              const Strip *b, const Strip *, int64_t n) {
    unsigned width = s.from.isIndex() ? 64 : s.from.getIntOrFloatBitWidth();
    for (int64_t i = 0; i < n; ++i) {
      double room = a->error[i] + b->error[i];
      o.value[i] = holds(s.predicate, unsign(a->value[i], width),
                         unsign(b->value[i], width));
      o.error[i] = room != 0;
    }
  }
  static void select(const Step &s, Strip &o, const Strip *a, const Strip *b,
                     const Strip *c, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      bool first = a->value[i] != 0;
      o.value[i] = first ? b->value[i] : c->value[i];
      o.error[i] = first ? b->error[i] : c->error[i];
      if (a->error[i])
        o.error[i] = std::max(b->error[i], c->error[i]) +
                     std::fabs(b->value[i] - c->value[i]);
    }
  }
  template <typename F>
  static void bits(Strip &o, const Strip *a, const Strip *b, int64_t n, F f) {
    for (int64_t i = 0; i < n; ++i) {
      o.value[i] = static_cast<double>(f(static_cast<int64_t>(a->value[i]),
                                         static_cast<int64_t>(b->value[i])));
      o.error[i] = std::max(a->error[i], b->error[i]);
    }
  }
  static void bitAnd(const Step &, Strip &o, const Strip *a, const Strip *b,
                     const Strip *, int64_t n) {
    bits(o, a, b, n, [](int64_t x, int64_t y) { return x & y; });
  }
  static void bitOr(const Step &, Strip &o, const Strip *a, const Strip *b,
                    const Strip *, int64_t n) {
    bits(o, a, b, n, [](int64_t x, int64_t y) { return x | y; });
  }
  static void bitXor(const Step &, Strip &o, const Strip *a, const Strip *b,
                     const Strip *, int64_t n) {
    bits(o, a, b, n, [](int64_t x, int64_t y) { return x ^ y; });
  }
};
} // namespace kernelzero

static double negate(double x) { return -x; }
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double takeRemainder(double x, double y) { return std::fmod(x, y); }
static double takeMaximum(double x, double y) { return std::max(x, y); }
static double takeMinimum(double x, double y) { return std::min(x, y); }
static double takeQuotient(double x, double y) {
  return y ? std::trunc(x / y) : 0;
}
static double takeFloor(double x, double y) {
  return y ? std::floor(x / y) : 0;
}
static double takeCeiling(double x, double y) {
  return y ? std::ceil(x / y) : 0;
}
static double shiftLeft(double x, double y) { return x * std::exp2(y); }
static double shiftRight(double x, double y) {
  return std::floor(x * std::exp2(-y));
}
/// Of integers. A power with a negative exponent is a fraction but for bases of
/// 1 and -1, and is cut off.
static double takePower(double x, double y) {
  return x == 0 && y < 0 ? 0 : std::trunc(std::pow(x, y));
}

/// The C function of a math operation; null where there is none.
static double (*getUnary(Operation *op))(double) {
  using F = double (*)(double);
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([](math::ExpOp) { return F(std::exp); })
      .Case([](math::Exp2Op) { return F(std::exp2); })
      .Case([](math::ExpM1Op) { return F(std::expm1); })
      .Case([](math::LogOp) { return F(std::log); })
      .Case([](math::Log2Op) { return F(std::log2); })
      .Case([](math::Log10Op) { return F(std::log10); })
      .Case([](math::Log1pOp) { return F(std::log1p); })
      .Case([](math::SqrtOp) { return F(std::sqrt); })
      .Case([](math::RsqrtOp) { return F(rsqrt); })
      .Case([](math::CbrtOp) { return F(std::cbrt); })
      .Case([](math::TanhOp) { return F(std::tanh); })
      .Case([](math::ErfOp) { return F(std::erf); })
      .Case([](math::ErfcOp) { return F(std::erfc); })
      .Case([](math::SinOp) { return F(std::sin); })
      .Case([](math::CosOp) { return F(std::cos); })
      .Case([](math::TanOp) { return F(std::tan); })
      .Case([](math::AsinOp) { return F(std::asin); })
      .Case([](math::AcosOp) { return F(std::acos); })
      .Case([](math::AtanOp) { return F(std::atan); })
      .Case([](math::SinhOp) { return F(std::sinh); })
      .Case([](math::CoshOp) { return F(std::cosh); })
      .Case([](math::AsinhOp) { return F(std::asinh); })
      .Case([](math::AcoshOp) { return F(std::acosh); })
      .Case([](math::AtanhOp) { return F(std::atanh); })
      .Case([](math::CeilOp) { return F(std::ceil); })
      .Case([](math::FloorOp) { return F(std::floor); })
      .Case([](math::TruncOp) { return F(std::trunc); })
      .Case([](math::RoundOp) { return F(std::round); })
      .Case([](math::RoundEvenOp) { return F(std::nearbyint); })
      .Default([](Operation *) { return F(nullptr); });
}

int ScalarProgram::addStrip() {
  strips.emplace_back();
  return strips.size() - 1;
}

int ScalarProgram::getSlot(Value value, std::string &error) {
  auto found = slots.find(value);
  if (found != slots.end())
    return found->second;
  // A constant, here or outside of the body.
  Attribute attr;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  double number = 0;
  if (constant)
    attr = constant.getValue();
  if (auto floating = dyn_cast_or_null<FloatAttr>(attr)) {
    number = floating.getValueAsDouble();
  } else if (auto integer = dyn_cast_or_null<IntegerAttr>(attr)) {
    if (integer.getType().isInteger(1))
      number = integer.getValue().getZExtValue();
    else
      number = integer.getValue().getSExtValue();
  } else {
    error = "the reference does not know a value from outside of the operation";
    return -1;
  }
  int slot = addStrip();
  std::fill_n(strips[slot].value, kStrip, number);
  std::fill_n(strips[slot].error, kStrip, 0.0);
  slots[value] = slot;
  return slot;
}

bool ScalarProgram::compileOp(Operation *op, std::string &error) {
  if (isa<arith::ConstantOp>(op))
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    int slot = addStrip();
    slots[index] = slot;
    std::fill_n(strips[slot].error, kStrip, 0.0);
    indexUses.push_back({static_cast<unsigned>(index.getDim()), slot});
    return true;
  }
  if (isa<tensor::ExtractOp>(op))
    return compileRead(op, error);
  Step step;
  if (op->getNumResults() == 1) {
    Type type = op->getResult(0).getType();
    step.unit = getRoundingUnit(type);
    if (auto floating = dyn_cast<FloatType>(type))
      step.largest = llvm::APFloat::getLargest(floating.getFloatSemantics())
                         .convertToDouble() *
                     (1 + step.unit / 2);
    if (auto integer = dyn_cast<IntegerType>(type))
      step.width = integer.getWidth();
    if (type.isIndex())
      step.width = 64;
  }
  if (op->getNumOperands()) {
    step.from = op->getOperand(0).getType();
    if (step.from.isIntOrIndex())
      step.predicate =
          step.from.isIndex() ? 64 : step.from.getIntOrFloatBitWidth();
  }
  using F = Functions;
  step.function =
      llvm::TypeSwitch<Operation *, Function>(op)
          .Case<arith::AddFOp, arith::AddIOp>([](auto) { return F::add; })
          .Case<arith::SubFOp, arith::SubIOp>([](auto) { return F::subtract; })
          .Case<arith::MulFOp, arith::MulIOp>([](auto) { return F::multiply; })
          .Case([](arith::DivFOp) { return F::divide; })
          .Case([](arith::DivSIOp) { return F::divideIntegers; })
          .Case([](arith::FloorDivSIOp) { return F::integers<takeFloor>; })
          .Case([](arith::CeilDivSIOp) { return F::integers<takeCeiling>; })
          .Case([](arith::ShLIOp) { return F::integers<shiftLeft>; })
          .Case([](arith::ShRSIOp) { return F::integers<shiftRight>; })
          .Case([](math::IPowIOp) { return F::integers<takePower>; })
          .Case([](arith::ShRUIOp) { return F::unsignedNumeric<shiftRight>; })
          .Case([](arith::DivUIOp) { return F::unsignedNumeric<takeQuotient>; })
          .Case([](arith::CeilDivUIOp) {
            return F::unsignedNumeric<takeCeiling>;
          })
          .Case(
              [](arith::RemUIOp) { return F::unsignedNumeric<takeRemainder>; })
          .Case([](arith::MaxUIOp) { return F::unsignedNumeric<takeMaximum>; })
          .Case([](arith::MinUIOp) { return F::unsignedNumeric<takeMinimum>; })
          .Case<math::FPowIOp>([](auto) {
            return F::numeric<static_cast<double (*)(double, double)>(
                std::pow)>;
          })
          .Case([&](arith::BitcastOp) {
            step.to = op->getResult(0).getType();
            return F::seeAs;
          })
          .Case([](arith::MaximumFOp) { return F::extreme<true, true>; })
          .Case([](arith::MinimumFOp) { return F::extreme<false, true>; })
          .Case<arith::MaxNumFOp, arith::MaxSIOp>(
              [](auto) { return F::extreme<true, false>; })
          .Case<arith::MinNumFOp, arith::MinSIOp>(
              [](auto) { return F::extreme<false, false>; })
          .Case([](math::PowFOp) {
            return F::numeric<static_cast<double (*)(double, double)>(
                std::pow)>;
          })
          .Case([](math::Atan2Op) {
            return F::numeric<static_cast<double (*)(double, double)>(
                std::atan2)>;
          })
          .Case([](math::CopySignOp) {
            return F::numeric<static_cast<double (*)(double, double)>(
                std::copysign)>;
          })
          .Case<arith::RemFOp, arith::RemSIOp>(
              [](auto) { return F::numeric<takeRemainder>; })
          .Case([](math::FmaOp) { return F::fused; })
          .Case([&](arith::NegFOp) {
            step.unary = negate;
            return F::exact;
          })
          .Case<math::AbsFOp, math::AbsIOp>([&](auto) {
            step.unary = std::fabs;
            return F::exact;
          })
          .Case([](arith::ExtFOp) { return F::exact; })
          .Case([](arith::ExtSIOp) { return F::extendSign; })
          .Case<arith::TruncFOp, arith::SIToFPOp, arith::TruncIOp,
                arith::IndexCastOp>([](auto) { return F::convert; })
          .Case([](arith::FPToSIOp) { return F::toInteger; })
          .Case<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>(
              [](auto) { return F::toUnsigned; })
          .Case([&](arith::CmpFOp compare) {
            step.predicate = static_cast<int>(compare.getPredicate());
            return F::compare;
          })
          .Case([&](arith::CmpIOp compare) -> Function {
            using P = arith::CmpIPredicate;
            using Q = arith::CmpFPredicate;
            switch (compare.getPredicate()) {
            case P::eq:
              step.predicate = static_cast<int>(Q::OEQ);
              return F::compare;
            case P::ne:
              step.predicate = static_cast<int>(Q::UNE);
              return F::compare;
            case P::slt:
              step.predicate = static_cast<int>(Q::OLT);
              return F::compare;
            case P::sle:
              step.predicate = static_cast<int>(Q::OLE);
              return F::compare;
            case P::sgt:
              step.predicate = static_cast<int>(Q::OGT);
              return F::compare;
            case P::sge:
              step.predicate = static_cast<int>(Q::OGE);
              return F::compare;
            case P::ult:
              step.predicate = static_cast<int>(Q::OLT);
              break;
            case P::ule:
              step.predicate = static_cast<int>(Q::OLE);
              break;
            case P::ugt:
              step.predicate = static_cast<int>(Q::OGT);
              break;
            case P::uge:
              step.predicate = static_cast<int>(Q::OGE);
              break;
            }
            return F::compareUnsigned;
          })
          .Case([](arith::SelectOp) { return F::select; })
          .Case([](arith::AndIOp) { return F::bitAnd; })
          .Case([](arith::OrIOp) { return F::bitOr; })
          .Case([](arith::XOrIOp) { return F::bitXor; })
          .Default([&](Operation *other) -> Function {
            step.unary = getUnary(other);
            return step.unary ? F::unary : nullptr;
          });
  if (!step.function) {
    error =
        ("the reference does not know '" + op->getName().getStringRef() + "'")
            .str();
    return false;
  }
  for (auto [position, operand] : llvm::enumerate(op->getOperands())) {
    step.in[position] = getSlot(operand, error);
    if (step.in[position] < 0)
      return false;
  }
  step.out = addStrip();
  slots[op->getResult(0)] = step.out;
  steps.push_back(step);
  return true;
}

bool ScalarProgram::compileRead(Operation *op, std::string &error) {
  auto extract = cast<tensor::ExtractOp>(op);
  Step step;
  step.function = Functions::nothing;
  step.source = sources.size();
  if (!(*findSource)(extract.getTensor(), sources.emplace_back())) {
    error = "the reference does not know a tensor that is read at coordinates";
    return false;
  }
  for (Value index : extract.getIndices()) {
    step.coordinates.push_back(getSlot(index, error));
    if (step.coordinates.back() < 0)
      return false;
  }
  step.out = addStrip();
  slots[extract] = step.out;
  steps.push_back(step);
  return true;
}

bool ScalarProgram::read(const Step &step, int64_t count, std::string &error) {
  const Source &source = sources[step.source];
  Strip &out = strips[step.out];
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0;
    bool isKnown = true;
    for (auto [dim, slot] : llvm::enumerate(step.coordinates)) {
      double index = strips[slot].value[i];
      if (!(index >= 0 && index < source.shape[dim])) {
        error = ("the task reads at " + Twine(int64_t(index)) +
                 " along dimension " + Twine(dim) + " of a tensor, which has " +
                 Twine(source.shape[dim]) + " elements there")
                    .str();
        return false;
      }
      isKnown &= strips[slot].error[i] == 0;
      at = at * source.shape[dim] + static_cast<int64_t>(index);
    }
    source.read(at, out.value[i], out.error[i]);
    // Which element it is may depend on a rounding.
    if (!isKnown)
      out.error[i] = std::numeric_limits<double>::infinity();
  }
  return true;
}

bool ScalarProgram::compile(Block &body, const FindSource &find,
                            std::string &error) {
  findSource = &find;
  for (Value argument : body.getArguments())
    slots[argument] = addStrip();
  for (Operation &op : body.without_terminator())
    if (!compileOp(&op, error))
      return false;
  for (Value value : body.getTerminator()->getOperands()) {
    yielded.push_back(getSlot(value, error));
    if (yielded.back() < 0)
      return false;
  }
  ValueRange results = body.getTerminator()->getOperands();
  unsigned inputs = body.getNumArguments() - results.size();
  for (auto [number, value] : llvm::enumerate(results)) {
    auto sum = value.getDefiningOp<arith::AddFOp>();
    if (!sum)
      continue;
    Value before = body.getArgument(inputs + number);
    if (sum.getLhs() == before || sum.getRhs() == before)
      sums.push_back(
          {unsigned(number),
           slots.lookup(sum.getLhs() == before ? sum.getRhs() : sum.getLhs()),
           getRoundingUnit(sum.getType())});
  }
  return true;
}

bool ScalarProgram::run(int64_t count, std::string &error) {
  // All integers up to here are doubles.
  constexpr double kLargestInteger = 0x1p53;
  for (const Step &step : steps) {
    if (step.source >= 0) {
      if (!read(step, count, error))
        return false;
      continue;
    }
    auto get = [&](int slot) { return slot < 0 ? nullptr : &strips[slot]; };
    Strip &out = strips[step.out];
    step.function(step, out, get(step.in[0]), get(step.in[1]), get(step.in[2]),
                  count);
    if (step.width != 64)
      continue;
    for (int64_t i = 0; i < count; ++i)
      if (!(std::fabs(out.value[i]) <= kLargestInteger)) {
        error = "the task computes an integer beyond 2^53, which the reference "
                "cannot hold";
        return false;
      }
  }
  return true;
}
