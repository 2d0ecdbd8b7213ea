// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not kz-opt %s --kz-compile-tasks=targets=host 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: not kz-opt %s --kz-compile-tasks 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not kz-opt %s --kz-compile-tasks='targets=sm_80 ptxas=none' -o /dev/null | FileCheck %s

// HOST: error: target host is no GPU; name one, sm_80 say
// NONE: error: no target: say targets=sm_80, for example
// CHECK: sm_80 columns: failed: there is no skeleton for 'linalg.generic', which sums over dimension 0 of 2
// CHECK: 0 of 1 compiled, further draws 0, illegal 0
func.func @columns(%x: tensor<64x256xf32>, %f: tensor<256xf32>) -> tensor<256xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
