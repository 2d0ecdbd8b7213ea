// RUN: kz-opt %s --transform-interpreter --split-input-file --verify-diagnostics
// RUN: sed '/expected-/d' %s | not kz-opt --pass-pipeline='builtin.module(strip-debuginfo,transform-interpreter{entry-point=__transform_main})' --split-input-file 2>&1 | FileCheck %s
// A library is a script too.
// RUN: sed '/expected-/d; /^\/\/ -----/,$d' %s > %t.library.mlir
// RUN: echo 'module {}' | not kz-opt --transform-preload-library='transform-library-paths=%t.library.mlir' --transform-interpreter 2>&1 | FileCheck %s
// Without the interpreter a script is text like any other.
// RUN: sed '/expected-/d' %s | kz-opt --strip-debuginfo --split-input-file | FileCheck %s --check-prefix=TEXT
// TEXT: tensor.empty
// CHECK: error: 'arith.constant' is no step of a transform script
// CHECK-NOT: PLEASE submit a bug report

// The interpreter takes everything in a sequence for a step, and used to crash
// on what is none.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'arith.constant' is no step of a transform script; accepted are operations of the transform dialect}}
    %c = arith.constant 1 : index
    transform.yield
  }
}

// -----

// So it did in sequences that others include, and in regions of steps.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @included(%op: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'tensor.empty' is no step of a transform script}}
    %e = tensor.empty() : tensor<4xf32>
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.foreach %root : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      // expected-error @below {{'arith.constant' is no step of a transform script}}
      %c = arith.constant 1 : index
    }
    transform.include @included failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// What upstream can run goes on to run, patterns in their regions included.
func.func @payload(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{found}}
  %0 = math.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["math.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %exp, "found" : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
