// RUN: kz-opt %s --transform-interpreter --kz-to-tile=target=sm_90a | FileCheck %s
// A persistent wgmma kernel: tiles dealt in groups of 16 rows, a ring of four
// slots that one warpgroup fills, bias and erf on the accumulators.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<4096x4096xf16>, %B: tensor<4096x4096xf16>, %bias: tensor<4096xf16>) -> tensor<4096x4096xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096x4096xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %r = linalg.matmul ins(%A, %B : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%f : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %e2 = tensor.empty() : tensor<4096x4096xf16>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %bias : tensor<4096x4096xf32>, tensor<4096xf16>) outs(%e2 : tensor<4096x4096xf16>) {
  ^bb0(%x: f32, %b: f16, %o: f16):
    %b32 = arith.extf %b : f16 to f32
    %s = arith.addf %x, %b32 : f32
    %y = math.erf %s : f32
    %t = arith.truncf %y : f32 to f16
    linalg.yield %t : f16
  } -> tensor<4096x4096xf16>
  return %g : tensor<4096x4096xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(16) persistent
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(4)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.math %e math(erf) ulp(2)
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}
}

// CHECK: #[[ACC:.+]] = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 32 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0), 2 : (64, 0)]>
// CHECK: kz.kernel @task({{.*}}) grid [132, 1, 1] threads 384
// CHECK: %[[RING:.+]] = kz.ring : !kz.ring<4, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x256xf16, shared, #kz.swizzle<128>>>
// CHECK: %[[STAGING:.+]] = kz.alloc : !kz.tile<128x128xf16, shared, #kz.swizzle<128>>
// CHECK: kz.specialize producers(1) registers [40, 232] producer {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[SLOT:.+]]:2 = kz.produce %[[RING]]
// CHECK: kz.tma_load %{{.*}} to %[[SLOT]]#0
// CHECK: kz.tma_load %{{.*}} to %[[SLOT]]#1
// CHECK: } consumer {
// CHECK: %[[ZERO:.+]] = kz.splat %{{.*}} : f32 -> !kz.tile<128x256xf32, registers, #[[ACC]]>
// CHECK: kz.mma %{{.*}}, %[[ZERO]] <wgmma, [64, 256, 16], f32>
// CHECK: scf.for
// CHECK: kz.mma_wait %{{.*}} pending(1)
// CHECK: kz.release
// CHECK: kz.mma_wait %{{.*}} pending(0)
// CHECK: kz.release
// CHECK: kz.load
// CHECK: kz.broadcast %{{.*}} dims [0]
// CHECK: kz.map {{.*}}kz.math = #kz.math<"erf", ulp = 2>
// CHECK: kz.tma_store %{{.*}} through %[[STAGING]]
// CHECK: kz.tma_store_wait
