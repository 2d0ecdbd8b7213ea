// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// CHECK: kz.reduce = #kz.reduce<[shuffle, shared]>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @task(%x: tensor<64x256xf32>, %f: tensor<64xf32>) -> tensor<64xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %sum = transform.kz.body %t
    transform.kz.reduce %sum combine [shuffle, shared]
    transform.yield
  }
}
