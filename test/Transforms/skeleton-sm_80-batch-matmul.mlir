// RUN: kz-opt %s --kz-print-skeleton='target=sm_80' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_80 defaults' | kz-opt --kz-verify-schedule=target=sm_80 | FileCheck %s --check-prefix=BOUND
// CHECK: // skeleton of 'task' on sm_80, 6 knobs
// CHECK-NEXT: // tile_m: 128, 64, 256, 32, 16
// CHECK-NEXT: //   rows of a block's tile: whole 16 rows for each warp along M; at most M, 1000
// CHECK: // warps_n: 2, 1, 4
// CHECK: // not tile_m 32 with warps_m 4: the tile's M of 32 is not made of 16 for each of 4 warps
// BOUND: tile [1, 128, 128] raster group_m(8)
// BOUND: operand(0) shared copy(cp_async) swizzle(128) width(16)
// BOUND: operand(1) shared copy(cp_async) swizzle(128) width(16)
// BOUND: stages(3)
// BOUND: warps [2, 2]
// BOUND: mma_sync [16, 8, 16] acc(f32)
func.func @task(%a: tensor<12x1000x64xf16>, %b: tensor<12x1000x64xf16>) -> tensor<12x1000x1000xf16> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<12x1000x1000xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12x1000x1000xf32>) -> tensor<12x1000x1000xf32>
  %mm = linalg.batch_matmul indexing_maps = [affine_map<(z, m, n, k) -> (z, m, k)>, affine_map<(z, m, n, k) -> (z, n, k)>, affine_map<(z, m, n, k) -> (z, m, n)>] ins(%a, %b : tensor<12x1000x64xf16>, tensor<12x1000x64xf16>) outs(%f0 : tensor<12x1000x1000xf32>) -> tensor<12x1000x1000xf32>
  %e1 = tensor.empty() : tensor<12x1000x1000xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(z, m, n) -> (z, m, n)>, affine_map<(z, m, n) -> (z, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%mm : tensor<12x1000x1000xf32>) outs(%e1 : tensor<12x1000x1000xf16>) {
  ^bb0(%x: f32, %o: f16):
    %rounded = arith.truncf %x : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<12x1000x1000xf16>
  return %r : tensor<12x1000x1000xf16>
}
