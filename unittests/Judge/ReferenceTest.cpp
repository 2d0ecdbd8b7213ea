//===- ReferenceTest.cpp - the double-precision reference -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Reference.h"
#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace kernelzero;

namespace {
class ReferenceTest : public testing::Test {
protected:
  ReferenceTest() {
    DialectRegistry registry;
    registerScheduleDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  std::vector<ReferenceTensor> evaluate(const std::string &text,
                                        std::vector<const void *> inputs) {
    std::vector<ReferenceTensor> outputs;
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return outputs;
    auto task = *module->getOps<func::FuncOp>().begin();
    evaluateReference(task, inputs, outputs, error);
    return outputs;
  }
  /// One elementwise operation on f32.
  std::vector<ReferenceTensor> evaluateUnary(const std::string &body,
                                             std::vector<float> &x) {
    std::string type = "tensor<" + std::to_string(x.size()) + "xf32>";
    return evaluate(
        "func.func @task(%x: " + type + ") -> " + type +
            " { %e = tensor.empty() : " + type +
            " %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, "
            "affine_map<(m) -> (m)>], iterator_types = [\"parallel\"]} ins(%x "
            ": " +
            type + ") outs(%e : " + type + ") { ^bb0(%a: f32, %o: f32): " +
            body + " linalg.yield %r : f32 } -> " + type +
            " return %0 : " + type + " }",
        {x.data()});
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string error;
};
} // namespace

/// A sum is right in any order, however short, and wrong where it is not that
/// sum: by a narrower type, or without its last term.
TEST_F(ReferenceTest, SumsInAnyOrder) {
  for (int64_t columns : {3, 4, 8, 16, 64, 768}) {
    const int64_t rows = 20000;
    std::string in = "tensor<20000x" + std::to_string(columns) + "xf32>";
    std::vector<float> x(rows * columns);
    uint32_t state = 1;
    for (float &value : x) {
      // A sum of uniform numbers: signs vary, and so do sizes.
      value = 0;
      for (int i = 0; i < 4; ++i) {
        state = state * 1664525 + 1013904223;
        value += float(state >> 8) / float(1 << 24) - 0.5f;
      }
    }
    auto outputs = evaluate(
        "func.func @task(%x: " + in +
            ") -> tensor<20000xf32> { %z = arith.constant 0.0 : f32 %e = "
            "tensor.empty() : tensor<20000xf32> %f = linalg.fill ins(%z : f32) "
            "outs(%e : tensor<20000xf32>) -> tensor<20000xf32> %0 = "
            "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
            "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", "
            "\"reduction\"]} ins(%x : " +
            in +
            ") outs(%f : tensor<20000xf32>) { ^bb0(%a: f32, %o: f32): %r = "
            "arith.addf %a, %o : f32 linalg.yield %r : f32 } -> "
            "tensor<20000xf32> return %0 : tensor<20000xf32> }",
        {x.data()});
    ASSERT_EQ(outputs.size(), 1u) << error;
    std::vector<float> forward(rows), backward(rows), tree(rows), narrow(rows),
        short_(rows);
    for (int64_t row = 0; row < rows; ++row) {
      const float *line = x.data() + row * columns;
      for (int64_t j = 0; j < columns; ++j) {
        forward[row] += line[j];
        backward[row] += line[columns - 1 - j];
        // As bf16 holds partial sums.
        float sum = narrow[row] + line[j];
        uint32_t bits;
        std::memcpy(&bits, &sum, 4);
        bits = (bits + 0x8000) & 0xffff0000;
        std::memcpy(&narrow[row], &bits, 4);
      }
      short_[row] = forward[row] - line[columns - 1];
      std::vector<float> part(line, line + columns);
      for (; part.size() > 1; part.resize((part.size() + 1) / 2))
        for (size_t j = 0; j < part.size() / 2; ++j)
          part[j] += part[part.size() - 1 - j];
      tree[row] = part[0];
    }
    for (const std::vector<float> *order : {&forward, &backward, &tree})
      EXPECT_EQ(compareWithReference(outputs[0], order->data()).wrong, 0)
          << columns;
    EXPECT_GT(compareWithReference(outputs[0], narrow.data()).wrong, rows / 2)
        << columns;
    EXPECT_GT(compareWithReference(outputs[0], short_.data()).wrong,
              rows * 9 / 10)
        << columns;
  }
}

/// Layouts and odd sizes of contractions, against sums written out.
TEST_F(ReferenceTest, Contractions) {
  const int64_t batch = 2, m = 7, n = 37, k = 529;
  for (bool transposed : {false, true}) {
    std::vector<float> a(batch * m * k), b(batch * k * n);
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = int(i * 7 % 11) - 5;
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = int(i * 5 % 13) - 6;
    std::string bType =
        transposed ? "tensor<2x37x529xf32>" : "tensor<2x529x37xf32>";
    std::string maps =
        "affine_map<(b, m, n, k) -> (b, m, k)>, " +
        std::string(transposed ? "affine_map<(b, m, n, k) -> (b, n, k)>"
                               : "affine_map<(b, m, n, k) -> (b, k, n)>") +
        ", affine_map<(b, m, n, k) -> (b, m, n)>";
    auto outputs =
        evaluate("func.func @task(%a: tensor<2x7x529xf32>, %b: " + bType +
                     ") -> tensor<2x7x37xf32> { %z = arith.constant 2.0 : f32 "
                     "%e = tensor.empty() : tensor<2x7x37xf32> %f = "
                     "linalg.fill ins(%z : f32) "
                     "outs(%e : tensor<2x7x37xf32>) -> tensor<2x7x37xf32> "
                     "%0 = linalg.batch_matmul indexing_maps = [" +
                     maps + "] ins(%a, %b : tensor<2x7x529xf32>, " + bType +
                     ") outs(%f : tensor<2x7x37xf32>) -> tensor<2x7x37xf32> "
                     "return %0 : tensor<2x7x37xf32> }",
                 {a.data(), b.data()});
    ASSERT_EQ(outputs.size(), 1u) << error;
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t r = 0; r < m; ++r)
        for (int64_t c = 0; c < n; ++c) {
          double sum = 2;
          for (int64_t s = 0; s < k; ++s)
            sum +=
                double(a[(i * m + r) * k + s]) *
                (transposed ? b[(i * n + c) * k + s] : b[(i * k + s) * n + c]);
          size_t at = (i * m + r) * n + c;
          ASSERT_EQ(outputs[0].values[at], sum);
          ASSERT_GT(outputs[0].errors[at], 0);
          // Far below the size of one product.
          ASSERT_LT(outputs[0].errors[at], 1);
        }
  }
}

TEST_F(ReferenceTest, ElementwiseAndItsErrors) {
  std::vector<float> x = {0.0f,
                          -1.5f,
                          3.0f,
                          100.0f,
                          std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity()};
  auto outputs = evaluateUnary("%r = math.exp %a : f32", x);
  ASSERT_EQ(outputs.size(), 1u) << error;
  EXPECT_DOUBLE_EQ(outputs[0].values[1], std::exp(-1.5));
  // Beyond the largest f32 is infinity, also in double precision.
  EXPECT_TRUE(std::isinf(outputs[0].values[3]));
  EXPECT_TRUE(std::isnan(outputs[0].values[4]));
  EXPECT_TRUE(std::isinf(outputs[0].values[5]));
  EXPECT_GT(outputs[0].errors[1], 1e-9);
  EXPECT_LT(outputs[0].errors[1], 1e-6);

  std::vector<float> near = {1.0f, 1.0f + 1e-6f};
  // Cancellation keeps the error of what was rounded before.
  outputs =
      evaluateUnary("%c = arith.constant 1.0 : f32 %p = math.exp %a : f32 "
                    "%q = math.log %p : f32 %r = arith.subf %q, %c : f32",
                    near);
  EXPECT_GT(outputs[0].errors[0], 1e-8);
}

TEST_F(ReferenceTest, MinimaMaximaAndSelections) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x = {-1, 2, nan};
  std::string zero = "%z = arith.constant 0.0 : f32 ";
  EXPECT_TRUE(
      std::isnan(evaluateUnary(zero + "%r = arith.maximumf %a, %z : f32", x)[0]
                     .values[2]));
  EXPECT_EQ(
      evaluateUnary(zero + "%r = arith.maxnumf %a, %z : f32", x)[0].values[2],
      0);
  auto selected = evaluateUnary(zero + "%p = arith.cmpf ogt, %a, %z : f32 %r = "
                                       "arith.select %p, %a, %z : f32",
                                x);
  EXPECT_EQ(selected[0].values, (std::vector<double>{0, 2, 0}));
}

TEST_F(ReferenceTest, ReductionsOfRowsAndColumns) {
  std::vector<float> x(6);
  for (int i = 0; i < 6; ++i)
    x[i] = i;
  auto sum = [&](const char *map, int size) {
    std::string type = "tensor<" + std::to_string(size) + "xf32>";
    return evaluate(
               "func.func @task(%x: tensor<2x3xf32>) -> " + type +
                   " { %z = arith.constant 0.0 : f32 %e = tensor.empty() : " +
                   type + " %f = linalg.fill ins(%z : f32) outs(%e : " + type +
                   ") -> " + type +
                   " %0 = linalg.generic {indexing_maps = [affine_map<(m, n) "
                   "-> (m, n)>, "
                   "affine_map<(m, n) -> (" +
                   map + ")>], iterator_types = [" +
                   (std::string(map) == "m" ? "\"parallel\", \"reduction\""
                                            : "\"reduction\", \"parallel\"") +
                   "]} ins(%x : tensor<2x3xf32>) outs(%f : " + type +
                   ") { ^bb0(%a: f32, %o: f32): %r = arith.addf %a, %o : f32 "
                   "linalg.yield %r : f32 } -> " +
                   type + " return %0 : " + type + " }",
               {x.data()})[0]
        .values;
  };
  EXPECT_EQ(sum("m", 2), (std::vector<double>{3, 12}));
  EXPECT_EQ(sum("n", 3), (std::vector<double>{3, 5, 7}));
}

TEST_F(ReferenceTest, NamesWhatItDoesNotKnow) {
  std::vector<float> x = {1};
  EXPECT_TRUE(evaluateUnary("%b = arith.bitcast %a : f32 to i32 "
                            "%c = math.ctlz %b : i32 "
                            "%r = arith.bitcast %c : i32 to f32",
                            x)
                  .empty());
  EXPECT_EQ(error, "the reference does not know 'math.ctlz'");
}

/// Integers are exact, with and without a sign, and wrap.
TEST_F(ReferenceTest, Integers) {
  std::vector<int8_t> x = {1, -3, 0, 7};
  auto run = [&](const std::string &body, const std::string &type) {
    std::vector<ReferenceTensor> outputs = evaluate(
        "func.func @task(%x: tensor<4xi8>) -> tensor<4x" + type +
            "> { %e = tensor.empty() : tensor<4x" + type +
            "> %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, "
            "affine_map<(m) -> (m)>], iterator_types = [\"parallel\"]} ins(%x "
            ": tensor<4xi8>) outs(%e : tensor<4x" +
            type + ">) { ^bb0(%a: i8, %o: " + type + "): " + body +
            " linalg.yield %r : " + type + " } -> tensor<4x" + type +
            "> return %0 : tensor<4x" + type + "> }",
        {x.data()});
    EXPECT_EQ(error, "");
    return outputs.empty() ? std::vector<double>() : outputs[0].values;
  };
  using V = std::vector<double>;
  EXPECT_EQ(
      run("%c = arith.constant -5 : i8 %r = arith.addi %a, %c : i8", "i8"),
      (V{-4, -8, -5, 2}));
  EXPECT_EQ(run("%c = arith.constant 3 : i8 %r = math.ipowi %a, %c : i8", "i8"),
            (V{1, -27, 0, 343 - 256}));
  EXPECT_EQ(
      run("%c = arith.constant 2 : i8 %r = arith.cmpi ugt, %a, %c : i8", "i1"),
      (V{0, 1, 0, 1}));
  EXPECT_EQ(
      run("%c = arith.constant 2 : i8 %r = arith.divui %a, %c : i8", "i8"),
      (V{0, 126, 0, 3}));
  EXPECT_EQ(run("%c = arith.constant 1 : i8 %s = arith.cmpi eq, %a, %c : i8 "
                "%r = arith.extsi %s : i1 to i8",
                "i8"),
            (V{-1, 0, 0, 0}));
  EXPECT_EQ(run("%c = arith.constant 22 : i32 %w = arith.extsi %a : i8 to i32 "
                "%s = arith.shli %w, %c : i32 %r = arith.bitcast %s : i32 to "
                "f32",
                "f32")[0],
            std::ldexp(1.0, -126) / 2);
}

/// Reads at coordinates, and what lies outside of a tensor is no coordinate.
TEST_F(ReferenceTest, Gathers) {
  std::vector<float> table(10);
  std::iota(table.begin(), table.end(), 0.f);
  std::vector<int64_t> rows = {4, 0, 3};
  const std::string text = R"(
func.func @task(%table: tensor<5x2xf32>, %rows: tensor<3xi64>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%rows : tensor<3xi64>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %r = tensor.extract %table[%i, %j] : tensor<5x2xf32>
    linalg.yield %r : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
})";
  std::vector<ReferenceTensor> outputs =
      evaluate(text, {table.data(), rows.data()});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].values, (std::vector<double>{8, 9, 0, 1, 6, 7}));
  rows[1] = 5;
  EXPECT_TRUE(evaluate(text, {table.data(), rows.data()}).empty());
  EXPECT_EQ(error, "the task reads at 5 along dimension 0 of a tensor, which "
                   "has 5 elements there");
  // A judge draws what is inside.
  auto task = *module->getOps<func::FuncOp>().begin();
  Buffer buffer;
  ASSERT_TRUE(buffer.allocate(
      RankedTensorType::get({3}, IntegerType::get(&context, 64))));
  bool reachesEnd = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    drawInput(task.getArgument(1), buffer, seed);
    sprinkleInput(task.getArgument(1), buffer, seed);
    for (int64_t i = 0; i < 3; ++i) {
      int64_t row = static_cast<int64_t *>(buffer.data())[i];
      EXPECT_GE(row, 0);
      EXPECT_LT(row, 5);
      reachesEnd |= row == 4;
    }
  }
  EXPECT_TRUE(reachesEnd);
}

/// A finite value whose error nobody can bound is not held to be exact.
TEST_F(ReferenceTest, UnknownErrorsAreNoBounds) {
  // The sigmoid of a sum that cancels: x may be of either sign.
  std::vector<float> x = {1e19f};
  std::vector<ReferenceTensor> outputs = evaluateUnary(
      "%b = arith.mulf %a, %a : f32 %c = arith.addf %b, %a : f32 "
      "%d = arith.subf %c, %b : f32 %n = arith.negf %d : f32 "
      "%h = math.exp %n : f32 %i = math.log %h : f32 "
      "%z = arith.constant 0.0 : f32 %q = arith.mulf %i, %z : f32 "
      "%r = arith.addf %q, %a : f32",
      x);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_TRUE(std::isinf(outputs[0].errors[0]) ||
              !std::isfinite(outputs[0].values[0]));
}

TEST_F(ReferenceTest, HalfPrecisionBuffers) {
  for (Type type :
       {Type(Float16Type::get(&context)), Type(BFloat16Type::get(&context))}) {
    double values[] = {1.0, -2.5, 1e30,
                       std::numeric_limits<double>::quiet_NaN()};
    uint16_t buffer[4];
    double back[4];
    writeElements(type, values, 0, 4, buffer);
    readElements(type, buffer, 0, 4, back);
    EXPECT_EQ(back[0], 1.0);
    EXPECT_EQ(back[1], -2.5);
    EXPECT_EQ(std::isinf(back[2]), type.isF16());
    EXPECT_TRUE(std::isnan(back[3]));
  }
}
