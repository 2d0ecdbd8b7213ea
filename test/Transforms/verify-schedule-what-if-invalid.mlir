// RUN: kz-opt %s --verify-diagnostics --kz-verify-schedule='target={#kz.target<"x" from "sm_90a" {registers_per_thread = 200}>}'

// The block has the registers, a thread may not have them.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{registers(40, 232) give a thread more registers than the 200 that x allows; try registers(40, 200)}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 256]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(3)
    transform.kz.tile_warps %m2 warpgroups [2, 1]
    transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(40, 232)
    transform.yield
  }
}
