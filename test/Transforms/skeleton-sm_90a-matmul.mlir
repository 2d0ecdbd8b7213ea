// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a defaults' | kz-opt --kz-verify-schedule=target=sm_90a | FileCheck %s --check-prefix=BOUND
// CHECK: // skeleton of 'task' on sm_90a, 16 knobs
// CHECK-NEXT: // instruction: 1, 0
// CHECK-NEXT: //   the kernel: 1 by wgmma, with a warpgroup that only copies; 0 by mma.sync, where every warp copies and computes
// CHECK-NEXT: // sync_tile_m: 128, 64, 256, 32, 16 (where instruction is 0)
// CHECK: // ulp_erf_f0: 8, 2 (where instruction is 0 or 1)
// CHECK-NEXT: //   units in the last place of f32 by which erf may be off; the forms there are
// CHECK-NEXT: // tile_m: 128, 64, 256 (where instruction is 1)
// CHECK-NEXT: //   rows of a block's tile: whole 64 rows of wgmma for each consumer warpgroup; at most M, 4096
// CHECK-NEXT: // tile_n: 256, 128, 64, 192 (where instruction is 1)
// CHECK-NEXT: //   columns of a block's tile and of one wgmma: at most 256, and at most N, 4096
// CHECK-NEXT: // tile_k: 64, 128 (where instruction is 1)
// CHECK-NEXT: //   steps of the sum in one slot of the ring; at most K, 4096
// CHECK-NEXT: // consumers: 2, 1 (where instruction is 1)
// CHECK-NEXT: //   warpgroups that compute, 64 rows or more each; a third one only copies
// CHECK-NEXT: // stages: 4, 3, 2, 5, 6 (where instruction is 1)
// CHECK-NEXT: //   slots of the ring; all of them fit into 232448 bytes of shared memory
// CHECK-NEXT: // group_m: 16, 8, 4, 0 (where instruction is 1)
// CHECK-NEXT: //   rows of tiles that run together and share operands in the L2 cache; 0 is row by row
// CHECK-NEXT: // chunk_n: 128, 64 (where instruction is 1)
// CHECK-NEXT: //   columns of the result in flight at a time, in whole 128 bytes; divides tile_n
// CHECK: // not tile_m 64 with the other defaults: the tile's M of 64 is not made of 64 for each of 2 warpgroups
// CHECK: // not tile_n 64 with the other defaults: a chunk of 128 does not divide the tile's 64
// CHECK: // not consumers 1 with the other defaults: a thread would hold 256 sums and about 24 other values, it has 232 registers; use a smaller tile or more warps
// CHECK: // not stages 5 with the other defaults: a block would need 278528 bytes of shared memory, sm_90a allows 232448; try stages(4)
// CHECK: transform.named_sequence @schedule
// CHECK: transform.tune.knob<"tile_m"> options = [128, 64, 256]
// CHECK: transform.kz.tile_grid %{{.+}} fuse(%{{.+}}) tile [%{{.+}}, %{{.+}}] raster group_m(%{{.+}}) persistent
// BOUND-NOT: transform.tune
// BOUND: transform.kz.tile_grid %{{.+}} fuse(%{{.+}}) tile [128, 256] raster group_m(16) persistent
// BOUND: transform.kz.tile_loop %{{.+}} reduction [64]
// BOUND: operand(0) shared copy(tma) swizzle(128)
// BOUND: operand(1) shared copy(tma) swizzle(128)
// BOUND: stages(4)
// BOUND: warpgroups [2, 1]
// BOUND: wgmma [64, 256, 16] acc(f32)
// BOUND: producers(1) registers(40, 232)
// BOUND: on_accumulator
// BOUND: math(erf) ulp(8)
// BOUND: result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
func.func @task(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %bias: tensor<4096xf16>) -> tensor<4096x4096xf16> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<4096x4096xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%f0 : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %e1 = tensor.empty() : tensor<4096x4096xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%mm, %bias : tensor<4096x4096xf32>, tensor<4096xf16>) outs(%e1 : tensor<4096x4096xf16>) {
  ^bb0(%x: f32, %c: f16, %o: f16):
    %w = arith.extf %c : f16 to f32
    %v = arith.addf %x, %w : f32
    %g0 = arith.mulf %v, %half : f32
    %g1 = arith.mulf %v, %rsqrt2 : f32
    %g2 = math.erf %g1 : f32
    %g3 = arith.addf %g2, %one : f32
    %y = arith.mulf %g0, %g3 : f32
    %rounded = arith.truncf %y : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<4096x4096xf16>
  return %r : tensor<4096x4096xf16>
}
