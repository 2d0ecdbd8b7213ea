// RUN: kz-opt %s --kz-print-skeleton='target=sm_80' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_80 defaults' | kz-opt --kz-verify-schedule=target=sm_80 | FileCheck %s --check-prefix=BOUND
// CHECK: // block_rows: 2, 1, 4, 8
// CHECK-NEXT: //   rows of a block; what is read once a column is read once for all; at most 8192
// CHECK-NEXT: // block_columns: 2048, 1024, 4096, 512
// CHECK-NEXT: //   columns of a block; at most 8192
// CHECK-NEXT: // ulp_erf_x: 8, 2
// CHECK-NEXT: //   units in the last place of f32 by which erf may be off; the forms there are, without those for results of 16 bits
// BOUND: tile [2, 2048]
// BOUND: dim(1) threads(256) vector(4)
// BOUND: math(erf) ulp(8)
func.func @task(%x: tensor<8192x8192xf32>, %w0: tensor<8192xf32>) -> tensor<8192x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %count = arith.constant 8192.0 : f32
  %er = tensor.empty() : tensor<8192xf32>
  %ef = tensor.empty() : tensor<8192x8192xf32>
  %ex = tensor.empty() : tensor<8192x8192xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %w0 : tensor<8192x8192xf32>, tensor<8192xf32>) outs(%ex : tensor<8192x8192xf32>) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %q = arith.addf %p, %minus_zero : f32
    %bw = arith.addf %b, %minus_zero : f32
    %v = arith.addf %q, %bw : f32
    %g0 = arith.mulf %v, %half : f32
    %g1 = arith.mulf %v, %rsqrt2 : f32
    %g2 = math.erf %g1 : f32
    %g3 = arith.addf %g2, %one : f32
    %y = arith.mulf %g0, %g3 : f32
    linalg.yield %y : f32
  } -> tensor<8192x8192xf32>
  return %r : tensor<8192x8192xf32>
}
