// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-bind-knobs='values=bm=96,loop=2,word=fast'

// Not an option; the other names are unknown here.
// expected-error @below {{the schedule has no knob 'loop'}}
// expected-error @below {{the schedule has no knob 'word'}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.tune.knob' op 'bm' cannot be 96; options are 64, 128}}
    %bm = transform.tune.knob<"bm"> options = [64, 128] -> !transform.any_param
    transform.yield
  }
}

// -----

// No value.
// expected-error @below {{the schedule has no knob 'loop'}}
// expected-error @below {{the schedule has no knob 'word'}}
// expected-error @below {{the schedule has no knob 'bm'}}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.tune.knob' op 'bn' has no value; options are 64, 128}}
    %bn = transform.tune.knob<"bn"> options = [64, 128] -> !transform.any_param
    transform.yield
  }
}

// -----

// No such region.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.tune.alternatives' op 'loop' cannot be 2; its regions are 0 to 1}}
    transform.tune.alternatives<"loop"> {
    }, {
    }
    transform.yield
  }
}

// -----

// A region that nothing chooses.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.tune.alternatives' op 'other' has no value; its regions are 0 to 1}}
    transform.tune.alternatives<"other"> {
    }, {
    }
    transform.yield
  }
}

// -----

// A word for a number.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %bm = transform.tune.knob<"bm"> options = [96] -> !transform.any_param
    %word = transform.tune.knob<"word"> options = ["fast"] -> !transform.any_param
    transform.tune.alternatives<"loop"> {
    }, {
    }, {
    }
    %mm = transform.kz.body %t
    // expected-error @below {{'transform.kz.tile_grid' op takes fast from a knob; an integer is needed}}
    %m, %grid = transform.kz.tile_grid %mm tile [%word]
    transform.yield
  }
}

// -----

// A number for a word, and a word for the only number of a step.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %bm = transform.tune.knob<"bm"> options = [96] -> !transform.any_param
    %word = transform.tune.knob<"word"> options = ["fast"] -> !transform.any_param
    transform.tune.alternatives<"loop"> {
    }, {
    }, {
    }
    %mm = transform.kz.body %t
    // expected-error @below {{'transform.kz.stage' op takes 96 from a knob; a word is needed}}
    %m = transform.kz.stage %mm operand(0) shared copy(%bm)
    // expected-error @below {{'transform.kz.unroll' op takes fast from a knob; an integer is needed}}
    transform.kz.unroll %mm factor(%word)
    transform.yield
  }
}
