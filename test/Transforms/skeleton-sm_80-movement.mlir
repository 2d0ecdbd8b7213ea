// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --kz-print-skeleton='target=sm_80' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_80 defaults' | kz-opt --kz-verify-schedule=target=sm_80 | FileCheck %s --check-prefix=BOUND
// Rows of 64 are too short for a block of threads: 4 of the 12 fit whole, so
// that steps of the next loop fill the block.
// CHECK: // block_rows: 4, 2, 1, 8
// CHECK: // block_dim1: 8, 1
// CHECK-NEXT: //   steps of a block along loop 1; at most 128
// BOUND: tile [1, 8, 4, 64]
// BOUND: dim(3) threads(256) vector(8)
func.func @task(%x: tensor<8x12x128x64xf16>) -> tensor<8x128x12x64xf16> {
  %e = tensor.empty() : tensor<8x128x12x64xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b, h, s, d)>, affine_map<(b, s, h, d) -> (b, s, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x12x128x64xf16>) outs(%e : tensor<8x128x12x64xf16>) {
  ^bb0(%p: f16, %o: f16):
    linalg.yield %p : f16
  } -> tensor<8x128x12x64xf16>
  return %0 : tensor<8x128x12x64xf16>
}
