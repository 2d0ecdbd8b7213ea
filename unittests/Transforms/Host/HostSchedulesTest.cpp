//===- HostSchedulesTest.cpp - the schedules that are shipped -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostHarness.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace kernelzero;

/// The steps of a shipped schedule, without the frame around them.
static std::string readSteps(const std::string &name) {
  auto file =
      llvm::MemoryBuffer::getFile(KERNELZERO_SCHEDULES "/" + name + ".mlir");
  if (!file)
    return "";
  std::string text = (*file)->getBuffer().str();
  size_t from = text.find("{transform.readonly}) {") + 24,
         to = text.find("transform.yield");
  return text.substr(from, to - from);
}

static std::string matmul(const std::string &lead, int64_t m, int64_t n,
                          int64_t k, bool transposed) {
  std::string dims = lead.empty() ? "" : "b, ";
  auto tensor = [&](int64_t rows, int64_t columns) {
    return "tensor<" + lead + std::to_string(rows) + "x" +
           std::to_string(columns) + "xf32>";
  };
  auto map = [&](const std::string &what) {
    return "affine_map<(" + dims + "i, j, k) -> (" + dims + what + ")>";
  };
  std::string a = tensor(m, k), b = transposed ? tensor(n, k) : tensor(k, n),
              r = tensor(m, n);
  return "func.func @task(%a: " + a + ", %b: " + b + ") -> " + r +
         " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + r +
         "\n  %f = linalg.fill ins(%z : f32) outs(%e : " + r + ") -> " + r +
         "\n  %c = linalg." + (lead.empty() ? "matmul" : "batch_matmul") +
         " indexing_maps = [" + map("i, k") + ", " +
         map(transposed ? "j, k" : "k, j") + ", " + map("i, j") +
         "] ins(%a, %b : " + a + ", " + b + ") outs(%f : " + r + ") -> " + r +
         "\n  return %c : " + r + "\n}\n";
}

/// The scheduled task computes what the plain one does, and other code does it.
static void check(const std::string &task, const std::string &name,
                  std::vector<int64_t> inputs, int64_t outputs) {
  SCOPED_TRACE(name + "\n" + task);
  std::string error, steps = readSteps(name);
  ASSERT_FALSE(steps.empty());
  std::unique_ptr<HostKernel> plain = compileTask(task, "", error);
  std::unique_ptr<HostKernel> kernel = compileTask(task, steps, error);
  std::unique_ptr<HostKernel> again = compileTask(task, steps, error);
  ASSERT_TRUE(plain && kernel && again) << error;
  EXPECT_EQ(kernel->hash(), again->hash());
  EXPECT_NE(kernel->hash(), plain->hash());
  std::vector<FloatArray> arrays;
  std::mt19937 random(1);
  for (int64_t count : inputs) {
    arrays.emplace_back("f32", count);
    arrays.back().fill(random);
  }
  FloatArray expected("f32", outputs), got("f32", outputs);
  expected.poison();
  got.poison();
  std::vector<void *> arguments;
  for (FloatArray &array : arrays)
    arguments.push_back(array.raw());
  arguments.push_back(expected.raw());
  plain->run(arguments);
  arguments.back() = got.raw();
  kernel->run(arguments);
  for (int64_t at = 0; at < outputs; ++at)
    ASSERT_NEAR(got.get(at), expected.get(at), 2e-5) << "element " << at;
  EXPECT_TRUE(got.guardIntact());
}

TEST(HostSchedules, Contractions) {
  check(matmul("", 131, 70, 33, false), "matmul", {131 * 33, 33 * 70},
        131 * 70);
  check(matmul("", 131, 70, 33, true), "matmul", {131 * 33, 33 * 70}, 131 * 70);
  check(matmul("3x", 67, 50, 20, false), "batch_matmul",
        {3 * 67 * 20, 3 * 20 * 50}, 3 * 67 * 50);
  check(matmul("3x", 67, 50, 20, true), "batch_matmul",
        {3 * 67 * 20, 3 * 20 * 50}, 3 * 67 * 50);
  check(matmul("", 19, 520, 530, true), "matmul_deep", {19 * 530, 530 * 520},
        19 * 520);
  check(matmul("", 1, 300, 70, false), "matmul_row", {70, 70 * 300}, 300);
  check(matmul("", 1, 43, 170, true), "matmul_row_nt", {170, 170 * 43}, 43);
}

TEST(HostSchedules, Rows) {
  std::string head = "  %zero = arith.constant 0.0 : f32\n  %e1 = "
                     "tensor.empty() : tensor<9xf32>\n"
                     "  %e2 = tensor.empty() : tensor<9x77xf32>\n"
                     "  %f = linalg.fill ins(%zero : f32) outs(%e1 : "
                     "tensor<9xf32>) -> tensor<9xf32>\n";
  std::string full = "affine_map<(i, j) -> (i, j)>",
              row = "affine_map<(i, j) -> (i)>";
  auto sum = [&](const std::string &result, const std::string &inputs,
                 const std::string &maps, const std::string &arguments,
                 const std::string &body) {
    return "  " + result + " = linalg.generic {indexing_maps = [" + maps + row +
           "], iterator_types = [\"parallel\", \"reduction\"]} ins(" + inputs +
           ") outs(%f : tensor<9xf32>) {\n  ^bb0(" + arguments + "%o: f32):\n" +
           body + "    linalg.yield %y : f32\n  } -> tensor<9xf32>\n";
  };
  auto map = [&](const std::string &inputs, const std::string &maps,
                 const std::string &arguments, const std::string &body) {
    return "  %r = linalg.generic {indexing_maps = [" + maps + full +
           "], iterator_types = [\"parallel\", \"parallel\"]} ins(" + inputs +
           ") outs(%e2 : tensor<9x77xf32>) {\n  ^bb0(" + arguments +
           "%o: f32):\n" + body +
           "    linalg.yield %y : f32\n  } -> tensor<9x77xf32>\n  return %r : "
           "tensor<9x77xf32>\n}\n";
  };
  std::string x = "%a : tensor<9x77xf32>",
              xr = "%a, %s : tensor<9x77xf32>, tensor<9xf32>";
  std::string task =
      "func.func @task(%a: tensor<9x77xf32>) -> tensor<9x77xf32> {\n" + head;
  std::string squares = sum(
      "%s", x, full + ", ", "%x: f32, ",
      "    %t = arith.mulf %x, %x : f32\n    %y = arith.addf %t, %o : f32\n");
  check(task + squares +
            map(xr, full + ", " + row + ", ", "%x: f32, %q: f32, ",
                "    %k = math.sqrt %q : f32\n    %y = arith.divf %x, %k : "
                "f32\n"),
        "rms_norm", {9 * 77}, 9 * 77);
  std::string total = sum("%s", x, full + ", ", "%x: f32, ",
                          "    %y = arith.addf %x, %o : f32\n");
  std::string spread =
      sum("%v", xr, full + ", " + row + ", ", "%x: f32, %q: f32, ",
          "    %d = arith.subf %x, %q : f32\n    %t = arith.mulf %d, %d : f32\n"
          "    %y = arith.addf %t, %o : f32\n");
  check(
      task + total + spread +
          map("%a, %s, %v : tensor<9x77xf32>, tensor<9xf32>, tensor<9xf32>",
              full + ", " + row + ", " + row + ", ",
              "%x: f32, %q: f32, %w: f32, ",
              "    %d = arith.subf %x, %q : f32\n    %k = math.sqrt %w : f32\n"
              "    %y = arith.divf %d, %k : f32\n"),
      "layer_norm", {9 * 77}, 9 * 77);
  std::string most = sum("%m", x, full + ", ", "%x: f32, ",
                         "    %y = arith.maximumf %x, %o : f32\n");
  std::string power =
      "  %p = linalg.generic {indexing_maps = [" + full + ", " + row + ", " +
      full +
      "], iterator_types = [\"parallel\", \"parallel\"]} ins(%a, %m : "
      "tensor<9x77xf32>, tensor<9xf32>) outs(%e2 : tensor<9x77xf32>) {\n"
      "  ^bb0(%x: f32, %q: f32, %o: f32):\n    %d = arith.subf %x, %q : f32\n"
      "    %y = math.exp %d : f32\n    linalg.yield %y : f32\n  } -> "
      "tensor<9x77xf32>\n";
  std::string all = sum("%s", "%p : tensor<9x77xf32>", full + ", ", "%x: f32, ",
                        "    %y = arith.addf %x, %o : f32\n");
  check(task + most + power + all +
            map("%p, %s : tensor<9x77xf32>, tensor<9xf32>",
                full + ", " + row + ", ", "%x: f32, %q: f32, ",
                "    %y = arith.divf %x, %q : f32\n"),
        "softmax", {9 * 77}, 9 * 77);
  check(task + map(x, full + ", ", "%x: f32, ", "    %y = math.erf %x : f32\n"),
        "elementwise", {9 * 77}, 9 * 77);
}

TEST(HostKernel, RefusesWhatWasNotLowered) {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto kernel = HostKernel::compile(*module);
  ASSERT_FALSE(static_cast<bool>(kernel));
  EXPECT_EQ(llvm::toString(kernel.takeError()),
            "the module was not lowered for the host: it lacks 'kz.inputs', "
            "'kz.outputs', 'kz.shared_bytes' or 'kz.private_bytes'");
}

TEST(HostKernel, RefusesAnotherNumberOfArrays) {
  std::string error;
  std::unique_ptr<HostKernel> kernel =
      compileTask("func.func @task(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                  "  return %a : tensor<4xf32>\n}\n",
                  "", error);
  ASSERT_TRUE(kernel) << error;
  EXPECT_EQ(kernel->getNumInputs(), 1u);
  EXPECT_EQ(kernel->getNumOutputs(), 1u);
  EXPECT_DEATH(kernel->run({nullptr}),
               "a kernel of 2 arrays was called with 1");
}

TEST(HostKernel, NarrowerVectorsComputeTheSame) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "needs a processor with AVX2";
  std::string task = matmul("", 37, 50, 40, true), error;
  HostOptions narrow;
  narrow.cpu = "haswell";
  std::unique_ptr<HostKernel> wide =
      compileTask(task, readSteps("matmul_row_nt"), error);
  std::unique_ptr<HostKernel> kernel =
      compileTask(task, readSteps("matmul_row_nt"), error, narrow);
  ASSERT_TRUE(wide && kernel) << error;
  EXPECT_NE(wide->hash(), kernel->hash());
  FloatArray a("f32", 37 * 40), b("f32", 40 * 50), one("f32", 37 * 50),
      two("f32", 37 * 50);
  std::mt19937 random(1);
  a.fill(random);
  b.fill(random);
  wide->run({a.raw(), b.raw(), one.raw()});
  kernel->run({a.raw(), b.raw(), two.raw()});
  for (int64_t at = 0; at < two.length(); ++at)
    ASSERT_EQ(one.get(at), two.get(at)) << "element " << at;
}
