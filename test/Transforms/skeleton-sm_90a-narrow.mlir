// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a defaults' | kz-opt --kz-verify-schedule=target=sm_90a | FileCheck %s --check-prefix=BOUND
// Rows of 200 bytes are no multiple of 16: the road of sm_80, 8 bytes at a time.
// CHECK: // skeleton of 'task' on sm_90a
// CHECK: // tile_n: 64, 128, 256
// CHECK-NEXT: //   columns of a block's tile: whole 8 columns for each warp along N; at most N, 512; at least 64, the 128 bytes of the swizzle
// BOUND: operand(0) shared copy(cp_async) swizzle(128) width(8)
// BOUND: operand(1) shared copy(cp_async) swizzle(128) width(16)
// BOUND: mma_sync [16, 8, 16] acc(f32)
func.func @task(%a: tensor<512x100xf16>, %b: tensor<100x512xf16>) -> tensor<512x512xf16> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<512x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<512x100xf16>, tensor<100x512xf16>) outs(%f0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %e1 = tensor.empty() : tensor<512x512xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<512x512xf32>) outs(%e1 : tensor<512x512xf16>) {
  ^bb0(%x: f32, %o: f16):
    %rounded = arith.truncf %x : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<512x512xf16>
  return %r : tensor<512x512xf16>
}
