// RUN: kz-opt %s --transform-interpreter="debug-payload-root-tag=task disable-expensive-checks" --split-input-file --verify-diagnostics

// The same operation twice.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %again = transform.kz.body %t
    // expected-error @below {{'linalg.matmul' is named twice}}
    %m, %e, %grid = transform.kz.tile_grid %mm fuse(%again) tile [64]
    transform.yield
  }
}
