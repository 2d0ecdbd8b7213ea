//===- MathFormsTest.cpp - measured accuracy of our own functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/MathForms.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace kernelzero;

namespace {

constexpr int kLanes = 16;
constexpr float kInf = std::numeric_limits<float>::infinity();

MLIRContext &getContext() {
  static MLIRContext *context = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerAllToLLVMIRTranslations(registry);
    registerAllExtensions(registry);
    auto *context = new MLIRContext(registry);
    context->loadDialect<LLVM::LLVMDialect, arith::ArithDialect,
                         math::MathDialect, vector::VectorDialect>();
    return context;
  }();
  return *context;
}

/// A form compiled for this machine: 16 numbers at a time.
class CompiledForm {
public:
  CompiledForm(StringRef function, int64_t ulp) {
    MLIRContext *context = &getContext();
    OpBuilder b(context);
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    auto pointer = LLVM::LLVMPointerType::get(context);
    auto vector = VectorType::get({kLanes}, b.getF32Type());
    auto f = LLVM::LLVMFuncOp::create(
        b, loc, "f",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                    {pointer, pointer}));
    Block *entry = f.addEntryBlock(b);
    b.setInsertionPointToEnd(entry);
    Value x = LLVM::LoadOp::create(b, loc, vector, entry->getArgument(0), 4);
    Value y = emitMath(b, loc, function, ulp, x, MathTarget::Host);
    LLVM::StoreOp::create(b, loc, y, entry->getArgument(1), 4);
    LLVM::ReturnOp::create(b, loc, ValueRange());
    PassManager passes(context);
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    ExecutionEngineOptions options;
    auto optimize = makeOptimizingTransformer(2, 0, nullptr);
    options.transformer = optimize;
    auto created = ExecutionEngine::create(*module, options);
    EXPECT_TRUE(static_cast<bool>(created));
    engine = std::move(*created);
    compiled = reinterpret_cast<void (*)(const float *, float *)>(
        cantFail(engine->lookup("f")));
  }
  void operator()(const float *x, float *y) const { compiled(x, y); }
  float operator()(float x) const {
    float in[kLanes], out[kLanes];
    std::fill(in, in + kLanes, x);
    compiled(in, out);
    return out[0];
  }

private:
  std::unique_ptr<ExecutionEngine> engine;
  void (*compiled)(const float *, float *);
};

double reference(StringRef function, double x) {
  if (function == "exp")
    return std::exp(x);
  if (function == "exp2")
    return std::exp2(x);
  if (function == "log")
    return std::log(x);
  return function == "erf" ? std::erf(x) : std::tanh(x);
}

/// Units in the last place of f32 between `got` and `exact`.
double measure(float got, double exact) {
  if (std::isnan(exact))
    return std::isnan(got) ? 0 : kInf;
  if (std::isinf(static_cast<float>(exact)) && std::isinf(got))
    return std::signbit(got) == std::signbit(exact) ? 0 : kInf;
  if (!std::isfinite(got) && exact < 0x1.fffffep127)
    return kInf;
  int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  double value = std::isinf(got) ? 0x1p128 : got;
  return std::fabs(value - exact) / std::ldexp(1.0, exponent - 23);
}

struct Case {
  const char *function;
  int64_t ulp;
  bool flushes; ///< Subnormal results become zero.
};

class MathFormsTest : public testing::TestWithParam<Case> {};

TEST_P(MathFormsTest, StaysWithinItsBound) {
  const Case &c = GetParam();
  CompiledForm form(c.function, c.ulp);
  double worst = 0;
  float at = 0, in[kLanes], out[kLanes];
  // An odd stride through all bit patterns: every exponent and sign, with
  // about 16000 numbers each. Then densely where the results are normal.
  auto check = [&](uint32_t first, uint32_t last, uint32_t stride) {
    for (uint64_t bits = first; bits <= last;) {
      for (float &x : in) {
        uint32_t pattern = std::min<uint64_t>(bits, last);
        std::memcpy(&x, &pattern, 4);
        bits += stride;
      }
      form(in, out);
      for (int lane = 0; lane < kLanes; ++lane) {
        double exact = reference(c.function, in[lane]);
        if (c.flushes && std::fabs(exact) < 0x1p-126 &&
            std::fabs(out[lane]) < 0x1p-126)
          continue;
        double error = measure(out[lane], exact);
        if (!(error <= worst))
          worst = error, at = in[lane];
      }
    }
  };
  check(0, 0xFFFFFFFF, 1021);
  for (uint32_t sign : {0u, 0x80000000u})
    check(0x3A000000 | sign, 0x43000000 | sign, 67);
  RecordProperty("worst", std::to_string(worst));
  if (std::getenv("KZ_PRINT_ULP"))
    std::printf("%s(%ld): %.3f units at %.9g\n", c.function, long(c.ulp), worst,
                at);
  EXPECT_LE(worst, double(c.ulp)) << "at " << at;
}

TEST_P(MathFormsTest, KeepsSpecialValues) {
  auto [function, ulp, flushes] = GetParam();
  CompiledForm form(function, ulp);
  for (uint32_t bits : {0x7FC00000u, 0xFFC00000u, 0x7FC00001u, 0x7FFFFFFFu,
                        0xFFFFFFFFu, 0x7F800001u}) {
    float nan;
    std::memcpy(&nan, &bits, 4);
    EXPECT_TRUE(std::isnan(form(nan))) << function << " of NaN " << bits;
  }
  if (StringRef(function) == "log") {
    EXPECT_EQ(form(kInf), kInf);
    EXPECT_EQ(form(0.0f), -kInf);
    EXPECT_EQ(form(-0.0f), -kInf);
    for (float negative : {-kInf, -1.0f, -0x1p-149f, -0x1.fffffep127f})
      EXPECT_TRUE(std::isnan(form(negative))) << negative;
    EXPECT_EQ(form(1.0f), 0.0f);
    EXPECT_FALSE(std::signbit(form(1.0f)));
    EXPECT_NEAR(form(0x1p-149f), -103.2789f, 1e-4f);
    EXPECT_NEAR(form(0x1.fffffep127f), 88.72284f, 1e-5f);
    return;
  }
  bool exponential = StringRef(function).starts_with("exp");
  float tolerance = ulp == 8192 ? 0x1p-11f : 0.0f;
  if (exponential)
    EXPECT_EQ(form(kInf), kInf);
  else
    EXPECT_NEAR(form(kInf), 1.0f, tolerance);
  EXPECT_NEAR(form(-kInf), exponential ? 0.0f : -1.0f, tolerance);
  EXPECT_EQ(form(0.0f), exponential ? 1.0f : 0.0f);
  EXPECT_EQ(form(-0.0f), exponential ? 1.0f : 0.0f);
  EXPECT_EQ(std::signbit(form(-0.0f)), !exponential);
  if (!exponential)
    return;
  EXPECT_EQ(form(1e30f), kInf);
  EXPECT_EQ(form(-1e30f), 0.0f);
  // The largest argument with a finite result, and the next one.
  float last = StringRef(function) == "exp" ? 0x1.62e42ep+6f : 0x1.fffffep+6f;
  EXPECT_LT(form(last), kInf);
  EXPECT_GT(form(last), ulp == 128 ? 3.402e38f : 3.4027e38f);
  EXPECT_EQ(form(std::nextafter(last, kInf)), kInf);
}

TEST_P(MathFormsTest, IsListed) {
  auto [function, ulp, flushes] = GetParam();
  EXPECT_FALSE(explainUnknownForm(function, ulp));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, MathFormsTest,
    testing::Values(Case{"exp", 1, false}, Case{"exp", 2, true},
                    Case{"exp", 128, true}, Case{"exp2", 1, false},
                    Case{"exp2", 2, true}, Case{"log", 2, false},
                    Case{"erf", 2, false}, Case{"erf", 8, false},
                    Case{"tanh", 2, false}, Case{"tanh", 8, false},
                    Case{"tanh", 8192, false}),
    [](const testing::TestParamInfo<Case> &info) {
      return std::string(info.param.function) + std::to_string(info.param.ulp);
    });

/// For "div" a form is tested by the reciprocal of its argument.
TEST(MathFormsDivTest, StaysWithinItsBound) {
  for (const MathForm &form : getMathForms("div")) {
    CompiledForm compiled("div", form.ulp);
    double worst = 0;
    for (uint64_t bits = 0x00800000; bits <= 0x7E800000; bits += 1021)
      for (uint32_t sign : {0u, 0x80000000u}) {
        uint32_t pattern = static_cast<uint32_t>(bits) | sign;
        float x;
        std::memcpy(&x, &pattern, 4);
        worst = std::max(worst, measure(compiled(x), 1.0 / double(x)));
      }
    EXPECT_LE(worst, double(form.ulp));
    EXPECT_TRUE(std::isnan(compiled(std::nanf(""))));
    EXPECT_EQ(compiled(kInf), 0.0f);
    EXPECT_EQ(compiled(0.0f), kInf);
    EXPECT_EQ(compiled(-0.0f), -kInf);
  }
}

TEST(MathFormTableTest, CasesCoverEveryForm) {
  size_t forms = 0;
  for (StringRef function : getMathFunctions())
    forms += getMathForms(function).size();
  EXPECT_EQ(forms, 13u);
}

TEST(MathFormTableTest, ExplainsWhatThereIsNot) {
  EXPECT_EQ(*explainUnknownForm("erf", 3),
            "there is no form of erf of ulp 3; accepted are 2, 8");
  EXPECT_EQ(
      *explainUnknownForm("sin", 1),
      "there is no form of 'sin'; accepted are exp, exp2, log, erf, tanh, div");
}

/// Operations of the module whose name starts with `prefix`.
int count(ModuleOp module, StringRef prefix) {
  int found = 0;
  module.walk([&](Operation *op) {
    found += op->getName().getStringRef().starts_with(prefix);
  });
  return found;
}

TEST(ExpandMathTest, ComputesNarrowTypesInF32AndLeavesF64) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"(llvm.func @f(%a: f16, %b: vector<8xbf16>, %c: f64) {
           %0 = math.exp %a : f16
           %1 = math.tanh %b : vector<8xbf16>
           %2 = math.erf %c : f64
           llvm.return
         })",
      &getContext());
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(expandMath(*module, MathTarget::Host)));
  EXPECT_EQ(count(*module, "math.exp") + count(*module, "math.tanh"), 0);
  EXPECT_EQ(count(*module, "math.erf"), 1);
  EXPECT_EQ(count(*module, "arith.extf"), 2);
  EXPECT_EQ(count(*module, "arith.truncf"), 2);
}

TEST(ExpandMathTest, UsesInstructionsOfTheTarget) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "llvm.func @f(%a: f32) { %0 = math.exp2 %a : f32\n llvm.return }",
      &getContext());
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(expandMath(*module, MathTarget::NVIDIA)));
  EXPECT_EQ(count(*module, "llvm.call_intrinsic"), 1);
}

TEST(MathFormTableTest, GivesNoValueForAnUnknownForm) {
  OpBuilder b(&getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  Value x =
      arith::ConstantOp::create(b, b.getUnknownLoc(), b.getF32FloatAttr(1));
  EXPECT_FALSE(emitMath(b, b.getUnknownLoc(), "erf", 3, x, MathTarget::Host));
}

} // namespace
