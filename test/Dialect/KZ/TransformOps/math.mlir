// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// One choice a function; a later step replaces an earlier one.
// CHECK: kz.math = [#kz.math<"tanh", ulp = 8>, #kz.math<"exp", ulp = 1>]
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.exp %p : f32
    %r = math.tanh %q : f32
    linalg.yield %r : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %x = transform.kz.body %t
    %u = transform.param.constant 2 : i64 -> !transform.any_param
    transform.kz.math %x math(exp) ulp(%u)
    %f = transform.param.constant "tanh" -> !transform.any_param
    transform.kz.math %x math(%f) ulp(8)
    transform.kz.math %x math(exp) ulp(1)
    transform.yield
  }
}
