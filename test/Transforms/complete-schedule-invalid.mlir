// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-complete-schedule

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{the choice 'bm' is open; bind it with kz-bind-knobs first}}
    %bm = transform.tune.knob<"bm"> options = [64, 128] -> !transform.any_param
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{the choice 'loop' is open; bind it with kz-bind-knobs first}}
    transform.tune.alternatives<"loop"> {
    }
    transform.yield
  }
}

