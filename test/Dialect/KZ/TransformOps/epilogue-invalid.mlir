// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// Sums.
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
    // expected-error @below {{'linalg.generic' sums; an epilogue is elementwise}}
    transform.kz.epilogue %sum on_accumulator
    transform.yield
  }
}

// -----

// Behind no contraction.
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.exp %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %x = transform.kz.body %t
    // expected-error @below {{the epilogue does not read the result of a contraction in its grid}}
    transform.kz.epilogue %x on_accumulator
    transform.yield
  }
}
