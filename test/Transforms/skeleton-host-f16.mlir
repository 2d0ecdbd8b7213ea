// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --kz-print-skeleton='target=host defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s

// Operands of 16 bits are widened as they are packed, sums and products are of
// the type that the task sums in.
// CHECK: llvm.load {{.*}} -> vector<{{[0-9]+}}xf16>
// CHECK: llvm.fpext {{.*}} vector<{{[0-9]+}}xf16> to vector<{{[0-9]+}}xf32>
// CHECK: llvm.intr.fma{{.*}}vector<{{[0-9]+}}xf32>
// CHECK: llvm.fptrunc
func.func @task(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e16 = tensor.empty() : tensor<64x64xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x64xf32>) outs(%e16 : tensor<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}
