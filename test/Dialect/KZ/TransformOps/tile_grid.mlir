// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// A contraction with its prologue and epilogue in one grid; the prologue is
// also a result of the task, so it stays in front as well.
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @task
func.func @task(%a: tensor<256x512xf16>, %b: tensor<512x100xf16>) -> (tensor<256x100xf16>, tensor<256x512xf16>) attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f16
  %e0 = tensor.empty() : tensor<256x512xf16>
  // CHECK: %[[PRO:.+]] = linalg.generic
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<256x512xf16>) outs(%e0 : tensor<256x512xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = arith.mulf %x, %two : f16
    linalg.yield %y : f16
  } -> tensor<256x512xf16>
  %e = tensor.empty() : tensor<256x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x100xf32>) -> tensor<256x100xf32>
  %mm = linalg.matmul ins(%p, %b : tensor<256x512xf16>, tensor<512x100xf16>) outs(%f : tensor<256x100xf32>) -> tensor<256x100xf32>
  %e1 = tensor.empty() : tensor<256x100xf16>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<256x100xf32>) outs(%e1 : tensor<256x100xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<256x100xf16>
  // CHECK: %[[RESULT:.+]] = scf.forall (%[[I:.+]], %[[J:.+]]) = (0, 0) to (256, 100) step (64, 32)
  // The last tile of a row is ragged.
  // CHECK: %[[N:.+]] = affine.min #{{.+}}(%[[J]])
  // CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<64x512xf16>)
  // CHECK: linalg.fill {{.*}} -> tensor<64x?xf32>
  // CHECK: linalg.matmul {kz.mma
  // CHECK-NOT: tensor.dim
  // CHECK: linalg.generic {{.*}}kz.epilogue
  // CHECK: kz.grid = #kz.grid<groupM = 8, persistent = true>
  // CHECK: return %[[RESULT]], %[[PRO]]
  return %q, %p : tensor<256x100xf16>, tensor<256x512xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %pro, %mm, %epi = transform.kz.body %t
    %m, %p, %e, %grid = transform.kz.tile_grid %mm fuse(%pro, %epi) tile [64, 32] raster group_m(8) persistent
    transform.kz.mma %m mma_sync [16, 8, 16] acc(f32)
    transform.kz.epilogue %e on_accumulator
    transform.yield
  }
}
