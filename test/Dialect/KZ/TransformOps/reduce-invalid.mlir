// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// No step.
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
    // expected-error @below {{'transform.kz.reduce' op combines by no step; accepted are shuffle, shared}}
    transform.kz.reduce %sum combine []
    transform.yield
  }
}

// -----

// Unknown step.
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
    // expected-error @below {{'transform.kz.reduce' op combines by 'atomic'; accepted are shuffle, shared}}
    transform.kz.reduce %sum combine [atomic]
    transform.yield
  }
}

// -----

// Twice.
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
    // expected-error @below {{'transform.kz.reduce' op combines by "shared" twice}}
    transform.kz.reduce %sum combine [shared, shared]
    transform.yield
  }
}

// -----

// Nothing to combine.
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
    // expected-error @below {{'linalg.generic' reduces no dimension}}
    transform.kz.reduce %x combine [shuffle]
    transform.yield
  }
}
