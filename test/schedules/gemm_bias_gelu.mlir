// RUN: kz-opt %s --kz-verify-schedule=target=sm_90a -o /dev/null
// RUN: kz-opt %s --transform-interpreter='entry-point=gemm_bias_gelu debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s
// CHECK-COUNT-4: nvvm.wgmma.mma_async
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
func.func @task(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %bias: tensor<4096xf16>) -> tensor<4096x4096xf16> attributes {transform.target_tag = "task"} {
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

module attributes {transform.with_named_sequence} {
// f16 on sm_90a
transform.named_sequence @gemm_bias_gelu(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi      = transform.kz.body %t                                    // root and its consumers
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(16) persistent
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(4)                          // depth belongs to the ring
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.math %e math(erf) ulp(8)                                    // one rational function
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}
}
