// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// Fills, empty tensors and constants are not counted; order is program order.
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%a: tensor<32x64xf32>, %b: tensor<64x32xf32>) -> tensor<32x32xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: linalg.matmul {kz.vectorize = #kz.vectorize<lanes = 4>}
  %0 = linalg.matmul ins(%a, %b : tensor<32x64xf32>, tensor<64x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: linalg.generic {{.*}}kz.vectorize = #kz.vectorize<lanes = 8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm, %neg = transform.kz.body %t
    transform.kz.vectorize %mm lanes(4)
    transform.kz.vectorize %neg lanes(8)
    transform.yield
  }
}
