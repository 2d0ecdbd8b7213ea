// RUN: kz-opt %s --split-input-file --transform-interpreter --kz-to-tile --verify-diagnostics

// Sums of a thread.
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2048x2048xf16>, %B: tensor<2048x2048xf16>) -> tensor<2048x2048xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.matmul ins(%A, %B : tensor<2048x2048xf16>, tensor<2048x2048xf16>) outs(%f : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %e2 = tensor.empty() : tensor<2048x2048xf16>
  // expected-error @below {{a thread would hold 4096 elements of the tile, a thread has 255 registers; use smaller tiles or more threads}}
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<2048x2048xf32>) outs(%e2 : tensor<2048x2048xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2048x2048xf16>
  return %g : tensor<2048x2048xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [2048, 2048]
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(32) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(32) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(2)
  transform.kz.tile_warps %m2 warps [4, 8]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}

// -----

// Shared memory of a ring.
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<2048x2048xf16>, %B: tensor<2048x2048xf16>) -> tensor<2048x2048xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x2048xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  // expected-error @below {{a ring of 64 slots of 49152 bytes is more shared memory than a block of any target has, 232448 bytes}}
  %r = linalg.matmul ins(%A, %B : tensor<2048x2048xf16>, tensor<2048x2048xf16>) outs(%f : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %e2 = tensor.empty() : tensor<2048x2048xf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<2048x2048xf32>) outs(%e2 : tensor<2048x2048xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2048x2048xf16>
  return %g : tensor<2048x2048xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256]
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(32) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(32) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(64)
  transform.kz.tile_warps %m2 warps [2, 4]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}
