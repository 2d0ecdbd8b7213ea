//===- HostMatmulTest.cpp - contractions on the host against double -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostHarness.h"

#include <gtest/gtest.h>

using namespace kernelzero;

namespace {
struct Case {
  int64_t batch = 0, m = 1, n = 1, k = 1;
  bool transposed = false;
  std::string input = "f32", output = "f32";
  bool relu = false;
};

std::string shape(std::vector<int64_t> dims, const std::string &type) {
  std::string text = "tensor<";
  for (int64_t dim : dims)
    if (dim)
      text += std::to_string(dim) + "x";
  return text + type + ">";
}

std::string writeTask(const Case &c) {
  std::string a = shape({c.batch, c.m, c.k}, c.input);
  std::string b = c.transposed ? shape({c.batch, c.n, c.k}, c.input)
                               : shape({c.batch, c.k, c.n}, c.input);
  std::string r = shape({c.batch, c.m, c.n}, c.output);
  std::string lead = c.batch ? "b, " : "";
  std::string dims = "(" + lead + "i, j, k)";
  auto map = [&](std::string what) {
    return "affine_map<" + dims + " -> (" + lead + what + ")>";
  };
  std::string wide =
      c.input == c.output
          ? "    %x = arith.mulf %p, %q : " + c.output + "\n"
          : "    %pw = arith.extf %p : " + c.input + " to " + c.output +
                "\n    %qw = arith.extf %q : " + c.input + " to " + c.output +
                "\n    %x = arith.mulf %pw, %qw : " + c.output + "\n";
  std::string text =
      "func.func @task(%a: " + a + ", %b: " + b + ") -> " + r +
      " {\n  %z = arith.constant 0.0 : " + c.output +
      "\n  %e = tensor.empty() : " + r +
      "\n  %f = linalg.fill ins(%z : " + c.output + ") outs(%e : " + r +
      ") -> " + r + "\n  %c = linalg.generic {indexing_maps = [" + map("i, k") +
      ", " + map(c.transposed ? "j, k" : "k, j") + ", " + map("i, j") +
      "], iterator_types = [" + (c.batch ? "\"parallel\", " : "") +
      "\"parallel\", \"parallel\", \"reduction\"]} ins(%a, %b : " + a + ", " +
      b + ") outs(%f : " + r + ") {\n  ^bb0(%p: " + c.input +
      ", %q: " + c.input + ", %o: " + c.output + "):\n" + wide +
      "    %y = arith.addf %o, %x : " + c.output +
      "\n    linalg.yield %y : " + c.output + "\n  } -> " + r + "\n";
  if (!c.relu)
    return text + "  return %c : " + r + "\n}\n";
  std::string id = c.batch ? "affine_map<(b, i, j) -> (b, i, j)>"
                           : "affine_map<(i, j) -> (i, j)>";
  return text + "  %g = linalg.generic {indexing_maps = [" + id + ", " + id +
         "], iterator_types = [" + (c.batch ? "\"parallel\", " : "") +
         "\"parallel\", \"parallel\"]} ins(%c : " + r + ") outs(%e : " + r +
         ") {\n  ^bb0(%p: " + c.output + ", %o: " + c.output +
         "):\n    %x = arith.maximumf %p, %z : " + c.output +
         "\n    linalg.yield %x : " + c.output + "\n  } -> " + r +
         "\n  return %g : " + r + "\n}\n";
}

/// Runs `c` by `steps` and compares every element with a sum in double.
void check(const Case &c, const std::string &steps) {
  SCOPED_TRACE(writeTask(c) + steps);
  std::string error;
  std::unique_ptr<HostKernel> kernel = compileTask(writeTask(c), steps, error);
  ASSERT_TRUE(kernel) << error;
  int64_t batch = std::max<int64_t>(c.batch, 1);
  FloatArray a(c.input, batch * c.m * c.k), b(c.input, batch * c.k * c.n),
      r(c.output, batch * c.m * c.n);
  std::mt19937 random(c.m * 31 + c.n * 7 + c.k);
  a.fill(random);
  b.fill(random);
  r.poison();
  kernel->run({a.raw(), b.raw(), r.raw()});
  double unit = c.output == "f64" ? 1e-15 : c.output == "f32" ? 1e-6 : 1e-3;
  double allowed = unit * (4 + c.k);
  for (int64_t at = 0; at < batch * c.m * c.n; ++at) {
    int64_t z = at / (c.m * c.n), i = at / c.n % c.m, j = at % c.n;
    double sum = 0;
    for (int64_t k = 0; k < c.k; ++k)
      sum += a.get((z * c.m + i) * c.k + k) *
             b.get(c.transposed ? (z * c.n + j) * c.k + k
                                : (z * c.k + k) * c.n + j);
    if (c.relu)
      sum = std::max(sum, 0.0);
    double got = r.get(at);
    ASSERT_TRUE(std::abs(got - sum) <= allowed)
        << "element (" << z << ", " << i << ", " << j << ") is " << got
        << ", expected " << sum;
  }
  EXPECT_TRUE(r.guardIntact());
}

std::string number(int64_t value) { return std::to_string(value); }

/// Random sizes and choices; what a schedule may say is drawn as freely as the
/// steps allow.
std::string drawSteps(const Case &c, std::mt19937 &random) {
  auto pick = [&](std::vector<int64_t> values, int64_t limit) {
    int64_t value = values[random() % values.size()];
    return std::min(value, limit);
  };
  int64_t block = pick({4, 16, 24, 64, 100}, c.m);
  int64_t tileM =
      pick({1, 2, 3, 5, 6, 8},
           std::max<int64_t>(c.m % block ? std::min(block, c.m) : block, 1));
  tileM = std::min(tileM, block);
  int64_t tileN = pick({1, 3, 8, 16, 20, 32}, c.n);
  int64_t tileK = pick({1, 2, 3, 4}, c.k);
  int64_t lanes = 1 << (random() % 5);
  // Where both operands lie along the sum, each element has a vector of sums.
  int64_t bytes = c.input == "f64" ? 8 : 4;
  auto registers = [&] {
    int64_t vectors = c.transposed ? tileN : (tileN + lanes - 1) / lanes;
    return tileM * vectors * ((lanes * bytes + 63) / 64);
  };
  while (registers() > 32)
    (tileM > 1 ? tileM : tileN) /= 2;
  std::string one = c.batch ? "1, " : "", none = c.batch ? "0, " : "";
  std::string steps = c.relu ? "%mm, %epi = transform.kz.body %t\n"
                             : "%mm = transform.kz.body %t\n";
  bool fuse = c.relu && random() % 2;
  steps += fuse
               ? "%m, %e2, %grid = transform.kz.tile_grid %mm fuse(%epi) tile ["
               : "%m, %grid = transform.kz.tile_grid %mm tile [";
  steps += one + number(block) + ", 0]\n";
  std::string order = c.batch ? (random() % 2 ? " order [0, 2, 1]" : "")
                              : (random() % 2 ? " order [1, 0]" : "");
  // The consumer moves into the register tile's loops, or stays behind them.
  bool inTile = fuse && random() % 2;
  steps += inTile ? "%r, %e3, %n = transform.kz.tile_loop %m fuse(%e2)"
                  : "%r, %n = transform.kz.tile_loop %m";
  steps += " parallel [" + none + number(tileM) + ", " + number(tileN) + "]" +
           order + "\n";
  if (inTile && random() % 2)
    steps += "transform.kz.vectorize %e3 lanes(16)\n";
  std::string tile = "%r";
  if (random() % 4) {
    steps += "%r2, %k = transform.kz.tile_loop %r reduction [" + number(tileK) +
             "]\n";
    tile = "%r2";
  }
  auto panels = [&](int64_t size) {
    switch (random() % 4) {
    case 0:
      return size;
    case 1:
      return int64_t(8);
    case 2:
      return int64_t(32);
    default:
      return int64_t(1 + random() % 12);
    }
  };
  if (random() % 3)
    steps += "%sb = transform.kz.stage " + tile + " operand(1) memory panels(" +
             number(panels(tileN)) + ") before(" +
             (random() % 2 ? "%grid" : "%n") + ")\n";
  if (random() % 3)
    steps += "%sa = transform.kz.stage " + tile + " operand(0) memory panels(" +
             number(panels(tileM)) + ") before(" +
             (random() % 2 ? "%grid" : "%n") + ")\n";
  if (random() % 4)
    steps += "transform.kz.vectorize " + tile + " lanes(" + number(lanes) +
             ") accumulate(" + (random() % 4 ? "registers" : "memory") + ")\n";
  if (c.relu && !fuse && random() % 2)
    steps += "transform.kz.vectorize %epi lanes(8) interleave(2)\n";
  return steps;
}
} // namespace

TEST(HostMatmul, WithoutSchedule) {
  check({0, 5, 7, 9}, "");
  check({0, 5, 7, 9, true}, "");
  check({3, 5, 7, 9, false, "f32", "f32", true}, "");
  check({0, 4, 6, 33, false, "f16", "f32"}, "");
}

TEST(HostMatmul, RandomShapesAndSchedules) {
  // Another draw by --gtest_random_seed.
  std::mt19937 random(7 + testing::UnitTest::GetInstance()->random_seed());
  for (int round = 0; round < 60; ++round) {
    auto size = [&](int64_t limit) {
      return random() % 5 == 0 ? int64_t(1) : int64_t(1 + random() % limit);
    };
    Case c;
    c.batch = random() % 4 == 0 ? 1 + random() % 3 : 0;
    c.m = size(70);
    c.n = size(90);
    c.k = size(80);
    c.transposed = random() % 2;
    switch (random() % 6) {
    case 0:
      c.input = c.output = "f64";
      break;
    case 1:
      c.input = "f16";
      break;
    case 2:
      c.input = "bf16";
      break;
    default:
      break;
    }
    c.relu = random() % 3 == 0;
    check(c, drawSteps(c, random));
    if (HasFatalFailure())
      return;
  }
}
