// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// The contraction is seen through the loop that sums it up.
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}}kz.epilogue
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>, %s: tensor<128xf32>) -> (tensor<128x256xf32>, tensor<128xf32>) attributes {transform.target_tag = "task"} {
  %mm = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %e = tensor.empty() : tensor<128x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<128x256xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<128x256xf32>) outs(%s : tensor<128xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<128x256xf32>, tensor<128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm, %neg, %sum = transform.kz.body %t
    %m, %n, %grid = transform.kz.tile_grid %mm fuse(%neg) tile [64, 64]
    %m2, %k = transform.kz.tile_loop %m reduction [16]
    transform.kz.epilogue %n on_accumulator
    transform.yield
  }
}
