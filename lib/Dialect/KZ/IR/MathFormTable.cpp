//===- MathFormTable.cpp - which forms of a function there are ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace kernelzero;

// The bounds are what MathFormsTest measures on the host, rounded up. NVIDIA
// states 2 units for ex2.approx and div.approx, and 2^-11 of the result for
// tanh.approx.
static constexpr MathForm kExp[] = {
    {1, "polynomial of degree 6; subnormal results are rounded once"},
    {2, "polynomial of degree 6, or ex2.approx of the fraction; subnormal "
        "results become zero"},
    {128, "exp2(2) of the rounded product x * log2(e): 2 + 1.2 |x| units, so "
          "below 3 units of 1 where x <= 0; subnormal results become zero"}};
static constexpr MathForm kExp2[] = {
    {1, "polynomial of degree 6; subnormal results are rounded once"},
    {2,
     "polynomial of degree 5, or ex2.approx; subnormal results become zero"}};
static constexpr MathForm kErf[] = {
    {2, "polynomial below 0.875, 1 - 2^polynomial above"},
    {8,
     "one rational function (13 over 8) of the clamped argument, no branch"}};
static constexpr MathForm kLog[] = {
    {2, "polynomial of degree 8 between the roots of 1/2 and 2"}};
static constexpr MathForm kTanh[] = {
    {2, "polynomial below 0.55, 1 - 2 / (exp(2x) + 1) above"},
    {8, "one rational function (11 over 6) of the clamped argument, no branch"},
    {8192, "one rational function (5 over 4), or tanh.approx: enough for f16"}};
static constexpr MathForm kDiv[] = {
    {1, "correctly rounded"},
    {2, "product with the reciprocal, which is rcp.approx or a quotient that "
        "rows share; the reciprocal has to be normal, so divisors of 2^-126 to "
        "2^126 are kept"}};
static constexpr StringRef kFunctions[] = {"exp", "exp2", "log",
                                           "erf", "tanh", "div"};

ArrayRef<StringRef> kernelzero::getMathFunctions() { return kFunctions; }

ArrayRef<MathForm> kernelzero::getMathForms(StringRef function) {
  if (function == "exp")
    return kExp;
  if (function == "exp2")
    return kExp2;
  if (function == "log")
    return kLog;
  if (function == "erf")
    return kErf;
  if (function == "tanh")
    return kTanh;
  if (function == "div")
    return kDiv;
  return {};
}

bool kernelzero::evaluatesMath(Operation *op, StringRef function) {
  StringRef name = op->getName().getStringRef();
  if (function == "div")
    return name == "arith.divf";
  return name.consume_front("math.") && name == function;
}

int64_t kernelzero::getDefaultUlp(StringRef function) {
  return function == "div" ? 1 : 2;
}

std::optional<std::string> kernelzero::explainUnknownForm(StringRef function,
                                                          int64_t ulp) {
  ArrayRef<MathForm> forms = getMathForms(function);
  if (llvm::any_of(forms,
                   [&](const MathForm &form) { return form.ulp == ulp; }))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (forms.empty()) {
    os << "there is no form of '" << function << "'; accepted are ";
    llvm::interleaveComma(kFunctions, os);
    return text;
  }
  os << "there is no form of " << function << " of ulp " << ulp
     << "; accepted are ";
  llvm::interleaveComma(forms, os,
                        [&](const MathForm &form) { os << form.ulp; });
  return text;
}

int64_t kernelzero::getChosenUlp(Operation *op, StringRef function) {
  for (; op; op = op->getParentOp()) {
    Attribute attr = op->getAttr(kz::kMath);
    SmallVector<Attribute, 2> choices;
    if (auto list = dyn_cast_or_null<ArrayAttr>(attr))
      llvm::append_range(choices, list);
    else if (attr)
      choices.push_back(attr);
    for (Attribute choice : choices)
      if (auto math = dyn_cast<kz::MathAttr>(choice);
          math && math.getFunction().getValue() == function)
        return math.getUlp();
  }
  return getDefaultUlp(function);
}
