//===- HostRowsTest.cpp - row and elementwise work on the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostHarness.h"

#include <gtest/gtest.h>

using namespace kernelzero;

namespace {
std::string number(int64_t value) { return std::to_string(value); }

/// One generic of rows i and columns j: operands are a name and 'f' (full), 'r'
/// (one a row), 'c' (one a column) or 't' (full, transposed).
struct Writer {
  int64_t rows, columns;
  std::string element;
  std::string text;

  std::string type(char kind, const std::string &of) const {
    std::string dims = kind == 'f'   ? number(rows) + "x" + number(columns)
                       : kind == 't' ? number(columns) + "x" + number(rows)
                       : kind == 'r' ? number(rows)
                                     : number(columns);
    return "tensor<" + dims + "x" + of + ">";
  }
  static std::string map(char kind) {
    return std::string("affine_map<(i, j) -> (") +
           (kind == 'f'   ? "i, j"
            : kind == 't' ? "j, i"
            : kind == 'r' ? "i"
                          : "j") +
           ")>";
  }
  struct Operand {
    std::string name;
    char kind;
    std::string element;
  };
  /// `sums` names the iterator that is summed: 0 none, 'i' or 'j'.
  void generic(const std::string &result, char sums,
               std::vector<Operand> inputs, Operand init,
               const std::string &body) {
    std::string maps, names, types, arguments;
    for (size_t index = 0; index < inputs.size(); ++index) {
      maps += map(inputs[index].kind) + ", ";
      names += (index ? ", " : "") + inputs[index].name;
      types +=
          (index ? ", " : "") + type(inputs[index].kind, inputs[index].element);
      arguments += "%x" + number(index) + ": " + inputs[index].element + ", ";
    }
    std::string p = "\"parallel\"", r = "\"reduction\"";
    text += "  " + result + " = linalg.generic {indexing_maps = [" + maps +
            map(init.kind) + "], iterator_types = [" + (sums == 'i' ? r : p) +
            ", " + (sums == 'j' ? r : p) + "]} ins(" + names + " : " + types +
            ") outs(" + init.name + " : " + type(init.kind, init.element) +
            ") {\n  ^bb0(" + arguments + "%o: " + init.element + "):\n" + body +
            "    linalg.yield %y : " + init.element + "\n  } -> " +
            type(init.kind, init.element) + "\n";
  }
};

/// Softmax over f32 arithmetic of `element` rows.
std::string writeSoftmax(int64_t rows, int64_t columns,
                         const std::string &element) {
  std::string wide = element == "f64" ? "f64" : "f32";
  bool narrow = element != wide;
  Writer w{rows, columns, element, {}};
  auto extend = [&](const std::string &to, const std::string &from) {
    return narrow ? "    " + to + " = arith.extf " + from + " : " + element +
                        " to " + wide + "\n"
                  : "    " + to + " = arith.addf " + from +
                        ", %zero : " + wide + "\n";
  };
  std::string infinity = wide == "f64" ? "0xFFF0000000000000" : "0xFF800000";
  w.text = "  %zero = arith.constant 0.0 : " + wide +
           "\n  %lowest = arith.constant " + infinity + " : " + wide +
           "\n  %e1 = tensor.empty() : " + w.type('r', wide) +
           "\n  %e2 = tensor.empty() : " + w.type('f', wide) +
           "\n  %e3 = tensor.empty() : " + w.type('f', element) +
           "\n  %fm = linalg.fill ins(%lowest : " + wide +
           ") outs(%e1 : " + w.type('r', wide) + ") -> " + w.type('r', wide) +
           "\n  %fs = linalg.fill ins(%zero : " + wide +
           ") outs(%e1 : " + w.type('r', wide) + ") -> " + w.type('r', wide) +
           "\n";
  w.generic("%m", 'j', {{"%a", 'f', element}}, {"%fm", 'r', wide},
            extend("%w", "%x0") + "    %y = arith.maximumf %w, %o : " + wide +
                "\n");
  w.generic("%p", 0, {{"%a", 'f', element}, {"%m", 'r', wide}},
            {"%e2", 'f', wide},
            extend("%w", "%x0") + "    %d = arith.subf %w, %x1 : " + wide +
                "\n    %y = math.exp %d : " + wide + "\n");
  w.generic("%s", 'j', {{"%p", 'f', wide}}, {"%fs", 'r', wide},
            "    %y = arith.addf %x0, %o : " + wide + "\n");
  w.generic("%r", 0, {{"%p", 'f', wide}, {"%s", 'r', wide}},
            {"%e3", 'f', element},
            narrow ? "    %q = arith.divf %x0, %x1 : " + wide +
                         "\n    %y = arith.truncf %q : " + wide + " to " +
                         element + "\n"
                   : "    %y = arith.divf %x0, %x1 : " + wide + "\n");
  return "func.func @task(%a: " + w.type('f', element) + ") -> " +
         w.type('f', element) + " {\n" + w.text +
         "  return %r : " + w.type('f', element) + "\n}\n";
}

std::string drawVectors(const std::string &handle, std::mt19937 &random) {
  if (random() % 5 == 0)
    return "";
  return "transform.kz.vectorize " + handle + " lanes(" +
         number(1 << random() % 6) + ") interleave(" +
         number(1 << random() % 3) + ")\n";
}

/// Compares the task by `steps` with the same task in plain loops.
void checkAgainstPlain(const std::string &task, const std::string &steps,
                       std::vector<FloatArray> inputs, FloatArray like,
                       double allowed) {
  SCOPED_TRACE(task + steps);
  std::string error;
  std::unique_ptr<HostKernel> plain = compileTask(task, "", error);
  ASSERT_TRUE(plain) << error;
  std::unique_ptr<HostKernel> kernel = compileTask(task, steps, error);
  ASSERT_TRUE(kernel) << error;
  FloatArray expected = like, got = like;
  expected.poison();
  got.poison();
  std::vector<void *> arguments;
  for (FloatArray &input : inputs)
    arguments.push_back(input.raw());
  arguments.push_back(expected.raw());
  plain->run(arguments);
  arguments.back() = got.raw();
  kernel->run(arguments);
  for (int64_t at = 0; at < like.length(); ++at)
    ASSERT_TRUE(std::abs(got.get(at) - expected.get(at)) <= allowed)
        << "element " << at << " is " << got.get(at) << ", expected "
        << expected.get(at);
  EXPECT_TRUE(got.guardIntact());
}

FloatArray draw(const std::string &type, int64_t count, unsigned seed) {
  FloatArray array(type, count);
  std::mt19937 random(seed);
  array.fill(random);
  return array;
}
} // namespace

TEST(HostRows, Softmax) {
  std::mt19937 random(3);
  for (int round = 0; round < 40; ++round) {
    int64_t rows = 1 + random() % 9, columns = 1 + random() % 200;
    const char *types[] = {"f32", "f16", "bf16", "f64", "f32"};
    std::string element = types[random() % 5];
    std::string task = writeSoftmax(rows, columns, element);
    std::string steps =
        "%max, %exp, %sum, %div = transform.kz.body %t\n"
        "%d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, "
        "%sum) tile [" +
        number(1 + random() % rows) + ", 0]\n";
    for (const char *handle : {"%d", "%m", "%x", "%s"})
      steps += drawVectors(handle, random);
    SCOPED_TRACE(task + steps);
    std::string error;
    std::unique_ptr<HostKernel> kernel =
        compileTask(task, random() % 6 ? steps : "", error);
    ASSERT_TRUE(kernel) << error;
    FloatArray x = draw(element, rows * columns, round),
               y(element, rows * columns);
    for (int64_t at = 0; at < x.length(); ++at)
      x.set(at, 8 * x.get(at));
    y.poison();
    kernel->run({x.raw(), y.raw()});
    double unit = element == "f64"   ? 1e-14
                  : element == "f32" ? 1e-6
                  : element == "f16" ? 1e-3
                                     : 8e-3;
    for (int64_t row = 0; row < rows; ++row) {
      double most = -INFINITY, sum = 0;
      for (int64_t j = 0; j < columns; ++j)
        most = std::max(most, x.get(row * columns + j));
      for (int64_t j = 0; j < columns; ++j)
        sum += std::exp(x.get(row * columns + j) - most);
      for (int64_t j = 0; j < columns; ++j) {
        double expected = std::exp(x.get(row * columns + j) - most) / sum;
        double got = y.get(row * columns + j);
        ASSERT_TRUE(std::abs(got - expected) <= unit * expected + 1e-7)
            << "row " << row << ", column " << j << " is " << got
            << ", expected " << expected;
      }
    }
    ASSERT_TRUE(y.guardIntact());
  }
}

TEST(HostRows, SumsAlongColumnsAndRows) {
  std::mt19937 random(5);
  for (char sums : {'i', 'j'})
    for (char kind : {'f', 't'})
      for (int round = 0; round < 4; ++round) {
        Writer w{
            1 + int64_t(random() % 40), 1 + int64_t(random() % 70), "f32", {}};
        char out = sums == 'i' ? 'c' : 'r';
        w.text = "  %z = arith.constant 0.25 : f32\n  %e = tensor.empty() : " +
                 w.type(out, "f32") +
                 "\n  %f = linalg.fill ins(%z : f32) outs(%e : " +
                 w.type(out, "f32") + ") -> " + w.type(out, "f32") + "\n";
        w.generic("%r", sums, {{"%a", kind, "f32"}, {"%b", 'c', "f32"}},
                  {"%f", out, "f32"},
                  "    %p = arith.mulf %x0, %x1 : f32\n    %y = arith.addf %p, "
                  "%o : f32\n");
        std::string task = "func.func @task(%a: " + w.type(kind, "f32") +
                           ", %b: " + w.type('c', "f32") + ") -> " +
                           w.type(out, "f32") + " {\n" + w.text +
                           "  return %r : " + w.type(out, "f32") + "\n}\n";
        int64_t extent = sums == 'i' ? w.columns : w.rows;
        std::string steps = "%s = transform.kz.body %t\n%v, %grid = "
                            "transform.kz.tile_grid %s tile [" +
                            number(1 + random() % extent) + "]\n" +
                            drawVectors("%v", random);
        checkAgainstPlain(
            task, steps,
            {draw("f32", w.rows * w.columns, 1), draw("f32", w.columns, 2)},
            FloatArray("f32", extent), 2e-5);
        if (HasFatalFailure())
          return;
      }
}

TEST(HostRows, TransposesComparisonsAndNumbers) {
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    Writer w{1 + int64_t(random() % 30), 1 + int64_t(random() % 50), "f32", {}};
    w.text = "  %e = tensor.empty() : " + w.type('f', "f32") +
             "\n  %eb = tensor.empty() : " + w.type('f', "i1") + "\n";
    // A tensor of i1 between two operations, a transposed operand, the index of
    // a column.
    w.generic("%l", 0, {{"%a", 't', "f32"}, {"%b", 'c', "f32"}},
              {"%eb", 'f', "i1"}, "    %y = arith.cmpf olt, %x0, %x1 : f32\n");
    w.generic("%r", 0,
              {{"%l", 'f', "i1"}, {"%a", 't', "f32"}, {"%b", 'c', "f32"}},
              {"%e", 'f', "f32"},
              "    %j = linalg.index 1 : index\n    %k = arith.index_cast %j : "
              "index to i32\n"
              "    %c = arith.sitofp %k : i32 to f32\n    %d = arith.addf %c, "
              "%x2 : f32\n"
              "    %y = arith.select %x0, %x1, %d : f32\n");
    std::string task = "func.func @task(%a: " + w.type('t', "f32") +
                       ", %b: " + w.type('c', "f32") + ") -> " +
                       w.type('f', "f32") + " {\n" + w.text +
                       "  return %r : " + w.type('f', "f32") + "\n}\n";
    std::string steps = "%l, %r = transform.kz.body %t\n%s, %m, %grid = "
                        "transform.kz.tile_grid %r "
                        "fuse(%l) tile [" +
                        number(1 + random() % w.rows) + ", 0]\n" +
                        drawVectors("%s", random) + drawVectors("%m", random);
    checkAgainstPlain(
        task, steps,
        {draw("f32", w.rows * w.columns, round), draw("f32", w.columns, 2)},
        FloatArray("f32", w.rows * w.columns), 0);
    if (HasFatalFailure())
      return;
  }
}

TEST(HostRows, GathersRows) {
  // Row k of the table, k computed from a number: an embedding.
  std::string task = R"(
func.func @task(%table: tensor<10x21xf32>, %at: tensor<7xf32>) -> tensor<7x21xf32> {
  %e = tensor.empty() : tensor<7x21xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
         ins(%at : tensor<7xf32>) outs(%e : tensor<7x21xf32>) {
  ^bb0(%k: f32, %o: f32):
    %n = arith.fptosi %k : f32 to i64
    %row = arith.index_cast %n : i64 to index
    %j = linalg.index 1 : index
    %y = tensor.extract %table[%row, %j] : tensor<10x21xf32>
    linalg.yield %y : f32
  } -> tensor<7x21xf32>
  return %r : tensor<7x21xf32>
}
)";
  FloatArray table = draw("f32", 210, 1), at("f32", 7), got("f32", 147);
  for (int64_t i = 0; i < 7; ++i)
    at.set(i, (i * 7 + 3) % 10);
  for (const char *steps : {"", "%g = transform.kz.body %t\n%v, %grid = "
                                "transform.kz.tile_grid %g tile [2, 0]\n"
                                "transform.kz.vectorize %v lanes(8)\n"}) {
    std::string error;
    std::unique_ptr<HostKernel> kernel = compileTask(task, steps, error);
    ASSERT_TRUE(kernel) << error;
    got.poison();
    kernel->run({table.raw(), at.raw(), got.raw()});
    for (int64_t i = 0; i < 147; ++i)
      ASSERT_EQ(got.get(i), table.get((i / 21 * 7 + 3) % 10 * 21 + i % 21))
          << steps << i;
  }
}

TEST(HostRows, RoundsToBf16) {
  std::string task = R"(
func.func @task(%a: tensor<35xf32>) -> tensor<35xbf16> {
  %e = tensor.empty() : tensor<35xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
         ins(%a : tensor<35xf32>) outs(%e : tensor<35xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<35xbf16>
  return %r : tensor<35xbf16>
}
)";
  // Denormals, ties to either side, the edge of infinity, and what is neither.
  const double special[] = {
      1.38e-40, -1.38e-40, 1e-45,    0x1.01p0,   0x1.03p0,    -0x1.03p0,
      3.39e38,  3.4e38,    HUGE_VAL, -HUGE_VAL,  0.0,         -0.0,
      0x1p-126, 0x1p-133,  0x1p-134, 0x1.8p-134, std::nan("")};
  FloatArray input = draw("f32", 35, 1), want("bf16", 35), got("bf16", 35);
  for (auto [i, value] : llvm::enumerate(special))
    input.set(i, value);
  for (int64_t i = 0; i < 35; ++i)
    want.set(i, input.get(i));
  for (const char *steps : {"", "%g = transform.kz.body %t\n"
                                "transform.kz.vectorize %g lanes(16)\n"}) {
    std::string error;
    std::unique_ptr<HostKernel> kernel = compileTask(task, steps, error);
    ASSERT_TRUE(kernel) << error;
    got.poison();
    kernel->run({input.raw(), got.raw()});
    for (int64_t i = 0; i < 35; ++i) {
      if (std::isnan(want.get(i))) {
        EXPECT_TRUE(std::isnan(got.get(i))) << i;
        continue;
      }
      EXPECT_EQ(got.get(i), want.get(i)) << input.get(i);
      EXPECT_EQ(std::signbit(got.get(i)), std::signbit(want.get(i))) << i;
    }
  }
}

TEST(HostRows, ReturnsArgumentsSlicesAndReshapes) {
  std::string task = R"(
func.func @task(%a: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<2x3xf32>, tensor<24xf32>, tensor<4x12xf32>) {
  %s = tensor.extract_slice %a[1, 2] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
  %f = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %c = tensor.concat dim(1) %a, %a : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
  return %a, %s, %f, %c : tensor<4x6xf32>, tensor<2x3xf32>, tensor<24xf32>, tensor<4x12xf32>
}
)";
  std::string error;
  std::unique_ptr<HostKernel> kernel = compileTask(task, "", error);
  ASSERT_TRUE(kernel) << error;
  FloatArray a = draw("f32", 24, 1), same("f32", 24), slice("f32", 6),
             flat("f32", 24), twice("f32", 48);
  kernel->run({a.raw(), same.raw(), slice.raw(), flat.raw(), twice.raw()});
  for (int64_t i = 0; i < 24; ++i) {
    EXPECT_EQ(same.get(i), a.get(i));
    EXPECT_EQ(flat.get(i), a.get(i));
    EXPECT_EQ(twice.get(i / 6 * 12 + 6 + i % 6), a.get(i));
  }
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ(slice.get(i), a.get((1 + i / 3) * 6 + 2 + i % 3));
}
