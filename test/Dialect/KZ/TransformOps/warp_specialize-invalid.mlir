// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// No producer.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared
    transform.kz.pipeline %k ring(%a) stages(2)
    // expected-error @below {{'transform.kz.warp_specialize' op producers 0 is out of range; at least 1}}
    transform.kz.warp_specialize %k producers(0) registers(40, 232)
    transform.yield
  }
}

// -----

// One count.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared
    transform.kz.pipeline %k ring(%a) stages(2)
    // expected-error @below {{'transform.kz.warp_specialize' op has 1 register counts; one for producers and one for consumers are needed}}
    transform.kz.warp_specialize %k producers(1) registers(40)
    transform.yield
  }
}

// -----

// Not a multiple of 8.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared
    transform.kz.pipeline %k ring(%a) stages(2)
    // expected-error @below {{'transform.kz.warp_specialize' op registers 41 is not a multiple of 8 in 24..256}}
    transform.kz.warp_specialize %k producers(1) registers(41, 232)
    transform.yield
  }
}

// -----

// Too many, as a param.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared
    transform.kz.pipeline %k ring(%a) stages(2)
    %p = transform.param.constant 264 : i64 -> !transform.any_param
    // expected-error @below {{registers 264 is not a multiple of 8 in 24..256}}
    transform.kz.warp_specialize %k producers(1) registers(40, %p)
    transform.yield
  }
}

// -----

// No ring.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    // expected-error @below {{the loop has no ring to specialise; put transform.kz.pipeline before it}}
    transform.kz.warp_specialize %k producers(1) registers(40, 232)
    transform.yield
  }
}

// -----

// Not a loop.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{the specialised loop is 'linalg.matmul'; a sequential loop is needed}}
    transform.kz.warp_specialize %mm producers(1) registers(40, 232)
    transform.yield
  }
}
