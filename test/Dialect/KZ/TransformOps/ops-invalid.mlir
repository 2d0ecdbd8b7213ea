// RUN: kz-opt %s --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op fuses 1 operations but returns 2 handles for them}}
    %0:4 = "transform.kz.tile_grid"(%h, %h) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_tile = array<i64: 8>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_loop' op fuses 1 operations but returns 2 handles for them}}
    %0:4 = "transform.kz.tile_loop"(%h, %h) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_tile = array<i64: 8>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op tile has 1 open entries and 0 params for them}}
    %0:2 = "transform.kz.tile_grid"(%h) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_tile = array<i64: -9223372036854775808>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op raster group_m is given both as a number and as a param}}
    %0:2 = "transform.kz.tile_grid"(%h, %p) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>, static_tile = array<i64: 8>, static_group_m = 8 : i64}> : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op needs at least one tile size}}
    %a, %b = transform.kz.tile_grid %h tile []
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op tile size -8 is negative; 0 leaves a dimension whole}}
    %a, %b = transform.kz.tile_grid %h tile [-8]
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.consumed}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.tile_grid' op raster group_m -1 is out of range; at least 0}}
    %a, %b = transform.kz.tile_grid %h tile [8] raster group_m(-1)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.readonly}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.unroll' op factor is missing}}
    "transform.kz.unroll"(%h) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%h: !transform.any_op {transform.readonly}, %p: !transform.any_param {transform.readonly}) {
    // expected-error @below {{'transform.kz.pipeline' op stages is missing}}
    "transform.kz.pipeline"(%h, %h) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!transform.any_op, !transform.any_op) -> ()
    transform.yield
  }
}
