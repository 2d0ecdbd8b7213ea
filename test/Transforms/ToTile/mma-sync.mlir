// RUN: kz-opt %s --transform-interpreter --kz-to-tile | FileCheck %s
// A batch of products by mma.sync whose last tiles are ragged; the loop keeps two
// groups of copies in flight.

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<12x1000x64xf16>, %B: tensor<12x1000x64xf16>) -> tensor<12x1000x1000xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x1000x1000xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x1000x1000xf32>) -> tensor<12x1000x1000xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%A, %B : tensor<12x1000x64xf16>, tensor<12x1000x64xf16>) outs(%f : tensor<12x1000x1000xf32>) -> tensor<12x1000x1000xf32>
  %e2 = tensor.empty() : tensor<12x1000x1000xf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<12x1000x1000xf32>) outs(%e2 : tensor<12x1000x1000xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<12x1000x1000xf16>
  return %g : tensor<12x1000x1000xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi      = transform.kz.body %t
  %m, %e, %grid  = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) 
  %m2, %k        = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}

// CHECK: kz.kernel @task({{.*}}) grid [768, 1, 1] threads 128
// CHECK: kz.ring : !kz.ring<3, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>>
// CHECK: kz.cp_async %arg0[%{{.*}}, %{{.*}}, %{{.*}}] to %{{.*}} width(16) :
// CHECK: kz.cp_async_commit
// CHECK: kz.cp_async_commit
// CHECK: scf.for
// CHECK: kz.cp_async_wait 1
// CHECK: kz.barrier
// CHECK: kz.mma %{{.*}} transposed, %{{.*}} <mma_sync, [16, 8, 16], f32>
// CHECK: kz.store %{{.*}}, %arg2[%{{.*}}, %{{.*}}, %{{.*}}]
