// RUN: kz-opt %s --transform-interpreter --kz-to-tile | FileCheck %s
// An operand that is computed in the loop goes through registers, and what lies
// beyond the ragged end of K counts as 0.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<512x200xf16>, %s: tensor<200xf16>, %B: tensor<200x384xf16>) -> tensor<512x384xf16> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512x200xf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%A, %s : tensor<512x200xf16>, tensor<200xf16>) outs(%e0 : tensor<512x200xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %t = arith.mulf %x, %y : f16
    linalg.yield %t : f16
  } -> tensor<512x200xf16>
  %e = tensor.empty() : tensor<512x384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x384xf32>) -> tensor<512x384xf32>
  %r = linalg.matmul ins(%p, %B : tensor<512x200xf16>, tensor<200x384xf16>) outs(%f : tensor<512x384xf32>) -> tensor<512x384xf32>
  %e2 = tensor.empty() : tensor<512x384xf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<512x384xf32>) outs(%e2 : tensor<512x384xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<512x384xf16>
  return %g : tensor<512x384xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %pro, %mm, %epi      = transform.kz.body %t
  %m, %p, %e, %grid  = transform.kz.tile_grid %mm fuse(%pro, %epi) tile [128, 128] raster group_m(8)
  %m2, %p2, %k        = transform.kz.tile_loop %m fuse(%p) reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(plain) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}

// CHECK: kz.ring : !kz.ring<3,
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[A:.+]] = kz.load %arg0
// CHECK: %[[S:.+]] = kz.load %arg1
// CHECK: %[[B:.+]] = kz.broadcast %[[S]] dims [0]
// CHECK: %[[P:.+]] = kz.map ins(%[[A]], %[[B]]
// CHECK: %[[C:.+]] = kz.clip %[[P]] extents[%{{.*}}, %{{.*}}] fill(0.000000e+00 : f16)
// CHECK: kz.put %[[C]] to %{{.*}}#0
// CHECK: kz.cp_async %arg2[%{{.*}}, %{{.*}}] to %{{.*}}#1
