//===- JudgeFixture.h - a task for tests of the judge ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_UNITTESTS_JUDGE_JUDGEFIXTURE_H
#define KERNELZERO_UNITTESTS_JUDGE_JUDGEFIXTURE_H

#include "KernelZero/Judge/Bench.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace kernelzero;

inline const char *const kMatmulRelu = R"(
func.func @task(%x: tensor<24x40xf32>, %w: tensor<40x48xf32>) -> tensor<24x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x48xf32>)
                     outs(%f : tensor<24x48xf32>) -> tensor<24x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%0 : tensor<24x48xf32>) outs(%e : tensor<24x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x48xf32>
  return %1 : tensor<24x48xf32>
})";

inline std::string wrapSchedule(const std::string &steps) {
  return "module attributes {transform.with_named_sequence} {\n"
         "transform.named_sequence @schedule(%t: !transform.any_op "
         "{transform.readonly}) {\n" +
         steps + "\ntransform.yield\n}\n}\n";
}

inline const std::string kGood = wrapSchedule(R"(
  %mm, %e = transform.kz.body %t
  %m, %f, %grid = transform.kz.tile_grid %mm fuse(%e) tile [8, 0]
  %r, %g, %n = transform.kz.tile_loop %m fuse(%f) parallel [4, 16] order [1, 0]
  %r2, %k = transform.kz.tile_loop %r reduction [2]
  transform.kz.vectorize %r2 lanes(16) accumulate(registers)
  transform.kz.vectorize %g lanes(16))");

/// A small product for tensor cores.
inline const char *const kProduct = R"(
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x128xf16>) -> tensor<128x128xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x128xf16>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %e2 = tensor.empty() : tensor<128x128xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} ins(%r : tensor<128x128xf32>) outs(%e2 : tensor<128x128xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<128x128xf16>
  return %g : tensor<128x128xf16>
})";

inline std::string makeProductSchedule(int64_t m, int64_t n, int64_t stages,
                                       const std::string &mma = "mma_sync") {
  return wrapSchedule(
      "%mm, %epi = transform.kz.body %t\n"
      "%m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [" +
      std::to_string(m) + ", " + std::to_string(n) +
      "]\n%m2, %k = transform.kz.tile_loop %m reduction [32]\n"
      "%a = transform.kz.stage %m2 operand(0) shared copy(cp_async) "
      "swizzle(64) width(16)\n"
      "%b = transform.kz.stage %m2 operand(1) shared copy(cp_async) "
      "swizzle(128) width(16)\n"
      "transform.kz.pipeline %k ring(%a, %b) stages(" +
      std::to_string(stages) +
      ")\ntransform.kz.tile_warps %m2 warps [2, 2]\n"
      "transform.kz.mma %m2 " +
      mma +
      " [16, 8, 16] acc(f32)\n"
      "transform.kz.epilogue %e on_accumulator");
}

/// A context, and a small product with a ReLU behind it.
class JudgeFixture : public testing::Test {
protected:
  JudgeFixture() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerJudge(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    task.key = "0123456789abcdef";
    task.name = "matmul";
    task.flops = task.matmulFlops = 2 * 24 * 40 * 48;
    task.bytes = 4 * (24 * 40 + 40 * 48 + 24 * 48);
    task.element = "f32";
    task.text = kMatmulRelu;
  }

  MLIRContext context;
  TaskInfo task;
  std::string error;
};

#endif // KERNELZERO_UNITTESTS_JUDGE_JUDGEFIXTURE_H
