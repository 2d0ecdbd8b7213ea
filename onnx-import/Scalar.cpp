//===- Scalar.cpp - what elementwise operators compute --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Scalar.h"
#include "Building.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace kernelzero::onnx {

using Context = const ScalarContext &;
using Values = ArrayRef<Value>;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

Value ScalarContext::constant(Type type, double value) const {
  return createScalar(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// One operation on one or two values
//===----------------------------------------------------------------------===//

template <typename Op, typename... Operands>
static Value make(Context c, Operands... operands) {
  return Op::create(c.builder, c.loc, operands...);
}

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

/// The float or the integer form of one operation.
template <typename FloatOp, typename IntOp>
static Value either(Context c, Values x) {
  if constexpr (FloatOp::template hasTrait<OpTrait::OneOperand>())
    return isFloat(x[0]) ? make<FloatOp>(c, x[0]) : make<IntOp>(c, x[0]);
  else
    return isFloat(x[0]) ? make<FloatOp>(c, x[0], x[1])
                         : make<IntOp>(c, x[0], x[1]);
}

/// The same from left to right over any number of values.
template <typename FloatOp, typename IntOp>
static Value chain(Context c, Values x) {
  Value result = x[0];
  for (Value value : x.drop_front())
    result = either<FloatOp, IntOp>(c, {result, value});
  return result;
}

template <typename Op> static Value unary(Context c, Values x) {
  return make<Op>(c, x[0]);
}
template <typename Op> static Value binary(Context c, Values x) {
  return make<Op>(c, x[0], x[1]);
}

template <CmpFPredicate floats, CmpIPredicate ints>
static Value compare(Context c, Values x) {
  return isFloat(x[0])
             ? Value(
                   arith::CmpFOp::create(c.builder, c.loc, floats, x[0], x[1]))
             : Value(arith::CmpIOp::create(c.builder, c.loc, ints, x[0], x[1]));
}

static Value add(Context c, Value a, Value b) {
  return either<arith::AddFOp, arith::AddIOp>(c, {a, b});
}
static Value sub(Context c, Value a, Value b) {
  return either<arith::SubFOp, arith::SubIOp>(c, {a, b});
}
static Value mul(Context c, Value a, Value b) {
  return either<arith::MulFOp, arith::MulIOp>(c, {a, b});
}
static Value div(Context c, Value a, Value b) {
  return either<arith::DivFOp, arith::DivSIOp>(c, {a, b});
}
/// NaN where one is NaN; +0 is above -0.
static Value larger(Context c, Value a, Value b) {
  return either<arith::MaximumFOp, arith::MaxSIOp>(c, {a, b});
}
static Value smaller(Context c, Value a, Value b) {
  return either<arith::MinimumFOp, arith::MinSIOp>(c, {a, b});
}
static Value isLess(Context c, Value a, Value b) {
  return compare<CmpFPredicate::OLT, CmpIPredicate::slt>(c, {a, b});
}
static Value select(Context c, Value condition, Value a, Value b) {
  return make<arith::SelectOp>(c, condition, a, b);
}
static Value clamp(Context c, Value x, double low, double high) {
  return smaller(c, larger(c, x, c.like(x, low)), c.like(x, high));
}

//===----------------------------------------------------------------------===//
// Activations and other functions of one value
//===----------------------------------------------------------------------===//

static Value relu(Context c, Values x) {
  return larger(c, x[0], c.like(x[0], 0));
}

static Value negative(Context c, Values x) {
  return isFloat(x[0]) ? make<arith::NegFOp>(c, x[0])
                       : sub(c, c.like(x[0], 0), x[0]);
}

static Value reciprocal(Context c, Values x) {
  return div(c, c.like(x[0], 1), x[0]);
}

static Value sigmoidOf(Context c, Value x) {
  Value e = make<math::ExpOp>(c, make<arith::NegFOp>(c, x));
  return div(c, c.like(x, 1), add(c, e, c.like(x, 1)));
}
static Value sigmoid(Context c, Values x) { return sigmoidOf(c, x[0]); }

static Value swish(Context c, Values x) {
  float alpha = c.node.floatAttribute("alpha", 1);
  Value scaled = alpha == 1 ? x[0] : mul(c, x[0], c.like(x[0], alpha));
  return mul(c, x[0], sigmoidOf(c, scaled));
}

/// NaN stays NaN, -0 stays -0.
static Value sign(Context c, Values x) {
  Value zero = c.like(x[0], 0);
  Value below = select(c, isLess(c, x[0], zero), c.like(x[0], -1), x[0]);
  return select(c, isLess(c, zero, x[0]), c.like(x[0], 1), below);
}

/// log(1 + exp(x)) without overflow.
static Value softplusOf(Context c, Value x) {
  Value e =
      make<math::ExpOp>(c, make<arith::NegFOp>(c, make<math::AbsFOp>(c, x)));
  return add(c, larger(c, x, c.like(x, 0)), make<math::Log1pOp>(c, e));
}
static Value softplus(Context c, Values x) { return softplusOf(c, x[0]); }

static Value softsign(Context c, Values x) {
  return div(c, x[0], add(c, make<math::AbsFOp>(c, x[0]), c.like(x[0], 1)));
}

static Value mish(Context c, Values x) {
  return mul(c, x[0], make<math::TanhOp>(c, softplusOf(c, x[0])));
}

/// x above 0, `factor` * (exp(x / width) - 1) elsewhere, all times `scale`.
static Value exponentialUnit(Context c, Value x, double factor, double width,
                             double scale) {
  Value in = width == 1 ? x : div(c, x, c.like(x, width));
  Value below = mul(c, make<math::ExpM1Op>(c, in), c.like(x, factor));
  Value result = select(c, isLess(c, c.like(x, 0), x), x, below);
  return scale == 1 ? result : mul(c, result, c.like(x, scale));
}
static Value elu(Context c, Values x) {
  return exponentialUnit(c, x[0], c.node.floatAttribute("alpha", 1), 1, 1);
}
static Value celu(Context c, Values x) {
  double alpha = c.node.floatAttribute("alpha", 1);
  return exponentialUnit(c, x[0], alpha, alpha, 1);
}
static Value selu(Context c, Values x) {
  // The defaults changed their digits in opset 6.
  bool early = c.node.opset < 6;
  return exponentialUnit(
      c, x[0],
      c.node.floatAttribute("alpha", early ? 1.6732f : 1.67326319217681884766f),
      1,
      c.node.floatAttribute("gamma",
                            early ? 1.0507f : 1.05070102214813232422f));
}

static Value leakyRelu(Context c, Values x) {
  Value scaled =
      mul(c, x[0], c.like(x[0], c.node.floatAttribute("alpha", 0.01f)));
  return select(c, isLess(c, x[0], c.like(x[0], 0)), scaled, x[0]);
}
static Value prelu(Context c, Values x) {
  return select(c, isLess(c, x[0], c.like(x[0], 0)), mul(c, x[0], x[1]), x[0]);
}
static Value thresholdedRelu(Context c, Values x) {
  Value alpha = c.like(x[0], c.node.floatAttribute("alpha", 1));
  return select(c, isLess(c, alpha, x[0]), x[0], c.like(x[0], 0));
}

static Value hardSigmoidOf(Context c, Value x, double alpha, double beta) {
  Value line = add(c, mul(c, x, c.like(x, alpha)), c.like(x, beta));
  return clamp(c, line, 0, 1);
}
static Value hardSigmoid(Context c, Values x) {
  return hardSigmoidOf(c, x[0], c.node.floatAttribute("alpha", 0.2f),
                       c.node.floatAttribute("beta", 0.5f));
}
static Value hardSwish(Context c, Values x) {
  return mul(c, x[0], hardSigmoidOf(c, x[0], 1.0 / 6, 0.5));
}

static LogicalResult checkGelu(const NodeContext &node) {
  std::string form = node.stringAttribute("approximate", "none");
  if (form == "none" || form == "tanh")
    return success();
  return node.fail("attribute 'approximate' is '" + form +
                   "', none and tanh are accepted");
}
static Value gelu(Context c, Values x) {
  Value half = mul(c, x[0], c.like(x[0], 0.5)), inner;
  if (c.node.stringAttribute("approximate", "none") == "tanh") {
    Value cube = mul(c, mul(c, x[0], x[0]), x[0]);
    Value sum = add(c, x[0], mul(c, cube, c.like(x[0], 0.044715)));
    inner =
        make<math::TanhOp>(c, mul(c, sum, c.like(x[0], 0.79788456080286536)));
  } else {
    inner =
        make<math::ErfOp>(c, mul(c, x[0], c.like(x[0], 0.70710678118654752)));
  }
  return mul(c, half, add(c, inner, c.like(x[0], 1)));
}

static Value invert(Context c, Values x) {
  return make<arith::XOrIOp>(c, x[0], c.like(x[0], -1));
}

static Value isNan(Context c, Values x) {
  return compare<CmpFPredicate::UNO, CmpIPredicate::ne>(c, {x[0], x[0]});
}
static Value isInf(Context c, Values x) {
  bool down = c.node.intAttribute("detect_negative", 1);
  bool up = c.node.intAttribute("detect_positive", 1);
  if (!down && !up)
    return c.constant(c.resultType, 0);
  Value value = down && up ? make<math::AbsFOp>(c, x[0]) : x[0];
  double infinity = std::numeric_limits<double>::infinity();
  return compare<CmpFPredicate::OEQ, CmpIPredicate::eq>(
      c, {value, c.like(x[0], up ? infinity : -infinity)});
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

static Value convert(Context c, Value x, Type to) {
  Type from = x.getType();
  if (from == to)
    return x;
  bool toBool = to.isInteger(1), fromBool = from.isInteger(1);
  if (toBool)
    return compare<CmpFPredicate::UNE, CmpIPredicate::ne>(c, {x, c.like(x, 0)});
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return convertFloat(c.builder, c.loc, x, to);
  if (isa<FloatType>(from))
    return make<arith::FPToSIOp>(c, to, x);
  if (isa<FloatType>(to))
    return fromBool ? make<arith::UIToFPOp>(c, to, x)
                    : make<arith::SIToFPOp>(c, to, x);
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return make<arith::TruncIOp>(c, to, x);
  return fromBool ? make<arith::ExtUIOp>(c, to, x)
                  : make<arith::ExtSIOp>(c, to, x);
}
static Value castTo(Context c, Values x) {
  return convert(c, x[0], c.resultType);
}

//===----------------------------------------------------------------------===//
// Functions of two values and more
//===----------------------------------------------------------------------===//

/// Small whole exponents multiply, and 0.5 is a root.
static Value power(Context c, Values x) {
  Value base = x[0], exponent = x[1];
  bool floats = isFloat(base);
  if (floats && isFloat(exponent)) {
    FloatAttr known;
    if (matchPattern(exponent, m_Constant(&known))) {
      double value = known.getValueAsDouble();
      if (value == 0.5)
        return make<math::SqrtOp>(c, base);
      if (value == 1)
        return base;
      if (value == 2)
        return mul(c, base, base);
      if (value == 3)
        return mul(c, mul(c, base, base), base);
    }
  }
  if (!floats && !isFloat(exponent))
    return make<math::IPowIOp>(c, base, convert(c, exponent, base.getType()));
  // An integer and a float meet in f64, the result has the type of the base.
  Type wide = floats ? base.getType() : c.builder.getF64Type();
  Value result =
      make<math::PowFOp>(c, convert(c, base, wide), convert(c, exponent, wide));
  return convert(c, result, base.getType());
}

static LogicalResult checkMod(const NodeContext &node) {
  if (node.intAttribute("fmod", 0) ||
      !isa<FloatType>(node.inputType(0).getElementType()))
    return success();
  return node.fail("floats need fmod = 1, it is 0");
}
/// The sign of the divisor, as in Python; of the dividend with fmod.
static Value modulo(Context c, Values x) {
  if (isFloat(x[0]))
    return make<arith::RemFOp>(c, x[0], x[1]);
  Value rest = make<arith::RemSIOp>(c, x[0], x[1]);
  if (c.node.intAttribute("fmod", 0))
    return rest;
  Value zero = c.like(x[0], 0);
  Value differs = isLess(c, make<arith::XOrIOp>(c, rest, x[1]), zero);
  Value some = compare<CmpFPredicate::UNE, CmpIPredicate::ne>(c, {rest, zero});
  return select(c, make<arith::AndIOp>(c, differs, some), add(c, rest, x[1]),
                rest);
}

static Value mean(Context c, Values x) {
  Value sum = chain<arith::AddFOp, arith::AddIOp>(c, x);
  return x.size() == 1 ? sum : div(c, sum, c.like(sum, x.size()));
}

static Value choose(Context c, Values x) { return select(c, x[0], x[1], x[2]); }

static LogicalResult checkClip(const NodeContext &node) {
  for (size_t k : {1, 2})
    if (node.input(k) &&
        (node.inputType(k).getNumElements() != 1 ||
         node.inputType(k).getRank() > node.inputType(0).getRank()))
      return node.fail(node.inputText(k) + " has shape " +
                       shapeText(node.inputType(k).getShape().vec()) +
                       ", a scalar is accepted");
  return success();
}
/// Bounds are attributes until opset 10, inputs after.
static Value clip(Context c, Values x) {
  auto bound = [&](size_t index, const char *name) -> Value {
    if (c.node.opset >= 11)
      return index < x.size() ? x[index] : Value();
    if (!c.node.findAttribute(name))
      return {};
    return c.like(x[0], c.node.floatAttribute(name, 0));
  };
  Value result = x[0];
  if (Value low = bound(1, "min"))
    result = larger(c, result, low);
  if (Value high = bound(2, "max"))
    result = smaller(c, result, high);
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

ArrayRef<ScalarRow> scalarRows() {
  using R = ScalarRow;
  using CF = CmpFPredicate;
  using CI = CmpIPredicate;
  constexpr auto F = Attribute::Float, I = Attribute::Int,
                 S = Attribute::String;
  static const ScalarAttribute alpha[] = {{"alpha", F}};
  static const ScalarAttribute alphaBeta[] = {{"alpha", F}, {"beta", F}};
  static const ScalarAttribute alphaGamma[] = {{"alpha", F}, {"gamma", F}};
  static const ScalarAttribute approximate[] = {{"approximate", S}};
  static const ScalarAttribute fmod[] = {{"fmod", I}};
  static const ScalarAttribute detect[] = {{"detect_negative", I},
                                           {"detect_positive", I}};
  static const ScalarAttribute minMax[] = {{"min", F, 1, 10},
                                           {"max", F, 1, 10}};
  // The type was a name before opset 6.
  static const ScalarAttribute to[] = {{"to", S, 1, 5},
                                       {"to", I, 6},
                                       {"saturate", I, 19},
                                       {"round_mode", S, 24}};
  static const ElementType numbers[] = {Float16, BFloat16, Float32, Float64,
                                        Int8,    Int16,    Int32,   Int64};
  static const ElementType boolean[] = {Bool};
  constexpr size_t many = std::numeric_limits<int32_t>::max();
  const int64_t no = never;
  // Name, body, inputs, first opset; then the first opsets with float16 to
  // float64, bfloat16, integers and bool, and the rule for types.
  static const ScalarRow rows[] = {
      {"Abs", either<math::AbsFOp, math::AbsIOp>, 1, 1, 1, 1, 13, 6, no,
       R::Result},
      {"Acos", unary<math::AcosOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Acosh", unary<math::AcoshOp>, 1, 1, 9, 9, 22, no, no, R::Wide},
      {"Add", either<arith::AddFOp, arith::AddIOp>, 2, 2, 1, 1, 13, 6, no,
       R::Result},
      {"And", binary<arith::AndIOp>, 2, 2, 1, no, no, no, 1, R::Result},
      {"Asin", unary<math::AsinOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Asinh", unary<math::AsinhOp>, 1, 1, 9, 9, 22, no, no, R::Wide},
      {"Atan", unary<math::AtanOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Atanh", unary<math::AtanhOp>, 1, 1, 9, 9, 22, no, no, R::Wide},
      {"BitwiseAnd", binary<arith::AndIOp>, 2, 2, 18, no, no, 18, no,
       R::Result},
      {"BitwiseNot", invert, 1, 1, 18, no, no, 18, no, R::Result},
      {"BitwiseOr", binary<arith::OrIOp>, 2, 2, 18, no, no, 18, no, R::Result},
      {"BitwiseXor", binary<arith::XOrIOp>, 2, 2, 18, no, no, 18, no,
       R::Result},
      {"Cast", castTo, 1, 1, 1, 1, 13, 1, 1, R::CastTo, to},
      {"Ceil", unary<math::CeilOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Celu", celu, 1, 1, 12, 12, no, no, no, R::Wide, alpha},
      {"Clip",
       clip,
       1,
       3,
       1,
       1,
       13,
       12,
       no,
       R::Result,
       minMax,
       0,
       {},
       checkClip},
      {"Cos", unary<math::CosOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Cosh", unary<math::CoshOp>, 1, 1, 9, 9, 22, no, no, R::Wide},
      {"Div", either<arith::DivFOp, arith::DivSIOp>, 2, 2, 1, 1, 13, 6, no,
       R::Result},
      {"Elu", elu, 1, 1, 1, 1, 22, no, no, R::Wide, alpha},
      {"Equal", compare<CF::OEQ, CI::eq>, 2, 2, 1, 11, 13, 1, 1, R::Truth},
      {"Erf", unary<math::ErfOp>, 1, 1, 9, 9, 13, no, no, R::Wide},
      {"Exp", unary<math::ExpOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Floor", unary<math::FloorOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Gelu",
       gelu,
       1,
       1,
       20,
       20,
       20,
       no,
       no,
       R::Wide,
       approximate,
       0,
       {},
       checkGelu},
      {"Greater", compare<CF::OGT, CI::sgt>, 2, 2, 1, 1, 13, 9, no, R::Truth},
      {"GreaterOrEqual", compare<CF::OGE, CI::sge>, 2, 2, 12, 12, 13, 12, no,
       R::Truth},
      {"HardSigmoid", hardSigmoid, 1, 1, 1, 1, 22, no, no, R::Wide, alphaBeta},
      {"HardSwish", hardSwish, 1, 1, 14, 14, 22, no, no, R::Wide},
      {"IsInf", isInf, 1, 1, 10, 10, 20, no, no, R::Truth, detect},
      {"IsNaN", isNan, 1, 1, 9, 9, 13, no, no, R::Truth},
      {"LeakyRelu", leakyRelu, 1, 1, 1, 1, 16, no, no, R::Wide, alpha},
      {"Less", compare<CF::OLT, CI::slt>, 2, 2, 1, 1, 13, 9, no, R::Truth},
      {"LessOrEqual", compare<CF::OLE, CI::sle>, 2, 2, 12, 12, 13, 12, no,
       R::Truth},
      {"Log", unary<math::LogOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Max", chain<arith::MaximumFOp, arith::MaxSIOp>, 1, many, 1, 1, 13, 12,
       no, R::Result},
      {"Mean", mean, 1, many, 1, 1, 13, no, no, R::Wide},
      {"Min", chain<arith::MinimumFOp, arith::MinSIOp>, 1, many, 1, 1, 13, 12,
       no, R::Result},
      {"Mish", mish, 1, 1, 18, 18, 22, no, no, R::Wide},
      {"Mod", modulo, 2, 2, 10, 10, 13, 10, no, R::Wide, fmod, 0, {}, checkMod},
      {"Mul", either<arith::MulFOp, arith::MulIOp>, 2, 2, 1, 1, 13, 6, no,
       R::Result},
      {"Neg", negative, 1, 1, 1, 1, 13, 6, no, R::Result},
      {"Not", invert, 1, 1, 1, no, no, no, 1, R::Result},
      {"Or", binary<arith::OrIOp>, 2, 2, 1, no, no, no, 1, R::Result},
      {"PRelu", prelu, 2, 2, 1, 1, 16, 9, no, R::Wide},
      // An exponent of another type than the base came with opset 12.
      {"Pow", power, 2, 2, 1, 1, 13, 12, no, R::Wide, {}, 2, numbers},
      {"Reciprocal", reciprocal, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Relu", relu, 1, 1, 1, 1, 13, 14, no, R::Result},
      {"Round", unary<math::RoundEvenOp>, 1, 1, 11, 11, 22, no, no, R::Wide},
      {"Selu", selu, 1, 1, 1, 1, 22, no, no, R::Wide, alphaGamma},
      {"Sigmoid", sigmoid, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Sign", sign, 1, 1, 9, 9, 13, 9, no, R::Result},
      {"Sin", unary<math::SinOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Sinh", unary<math::SinhOp>, 1, 1, 9, 9, 22, no, no, R::Wide},
      {"Softplus", softplus, 1, 1, 1, 1, 22, no, no, R::Wide},
      {"Softsign", softsign, 1, 1, 1, 1, 22, no, no, R::Wide},
      {"Sqrt", unary<math::SqrtOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"Sub", either<arith::SubFOp, arith::SubIOp>, 2, 2, 1, 1, 13, 6, no,
       R::Result},
      {"Sum", chain<arith::AddFOp, arith::AddIOp>, 1, many, 1, 1, 13, no, no,
       R::Wide},
      {"Swish", swish, 1, 1, 24, 24, 24, no, no, R::Wide, alpha},
      {"Tan", unary<math::TanOp>, 1, 1, 7, 7, 22, no, no, R::Wide},
      {"Tanh", unary<math::TanhOp>, 1, 1, 1, 1, 13, no, no, R::Wide},
      {"ThresholdedRelu", thresholdedRelu, 1, 1, 10, 10, 22, no, no, R::Result,
       alpha},
      {"Where", choose, 3, 3, 9, 9, 9, 9, 9, R::Result, {}, 1, boolean},
      {"Xor", binary<arith::XOrIOp>, 2, 2, 1, no, no, no, 1, R::Result},
  };
  return rows;
}

} // namespace kernelzero::onnx
