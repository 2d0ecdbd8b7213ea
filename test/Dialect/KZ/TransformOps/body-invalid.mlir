// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// Another number of operations.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{'linalg.matmul'}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{the task has 1 computing operations, the schedule names 2}}
    %a, %b = transform.kz.body %t
    transform.yield
  }
}

// -----

// Not a task.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{the task is 'linalg.matmul'; a function is needed}}
    %x = transform.kz.body %mm
    transform.yield
  }
}

// -----

// Nothing at all.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %none = transform.structured.match ops{["scf.for"]} in %t : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the task stands for 0 operations; exactly 1 is needed}}
    %x = transform.kz.body %none
    transform.yield
  }
}
