// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --kz-lower-to-host | FileCheck %s

// Roundings to bf16 are integer operations: the processor's own
// instructions for it take denormals for zeros, and not every one has
// them.
// CHECK-LABEL: llvm.func @entry
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.lshr {{.*}} : vector<16xi32>
// CHECK: llvm.trunc {{.*}} : vector<16xi32> to vector<16xi16>
// CHECK: llvm.bitcast {{.*}} : vector<16xi16> to vector<16xbf16>
// CHECK-NOT: llvm.fptrunc
func.func @task(%x: tensor<35xf32>) -> tensor<35xbf16> {
  %e = tensor.empty() : tensor<35xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
       ins(%x : tensor<35xf32>) outs(%e : tensor<35xbf16>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<35xbf16>
  return %0 : tensor<35xbf16>
}
