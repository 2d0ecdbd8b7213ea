// RUN: kz-opt %s --allow-unregistered-dialect --kz-bind-knobs=defaults | FileCheck %s

// What is no step at all is left alone; kz-verify-schedule names it.
// CHECK: "foo.bar"
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    "foo.bar"() : () -> ()
    transform.yield
  }
}
