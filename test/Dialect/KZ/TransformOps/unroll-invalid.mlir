// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// Zero.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    // expected-error @below {{'transform.kz.unroll' op factor 0 is out of range; 1..64}}
    transform.kz.unroll %k factor(0)
    transform.yield
  }
}

// -----

// Too much, as a param.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %p = transform.param.constant 65 : i64 -> !transform.any_param
    // expected-error @below {{factor 65 is out of range; 1..64}}
    transform.kz.unroll %k factor(%p)
    transform.yield
  }
}

// -----

// A grid.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    // expected-error @below {{the loop is 'scf.forall'; a sequential loop is needed}}
    transform.kz.unroll %grid factor(2)
    transform.yield
  }
}
