// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// Larger than its dimension.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{tile size 129 of parallel dimension 0 is larger than the dimension, 128}}
    %m, %grid = transform.kz.tile_grid %mm tile [129, 64]
    transform.yield
  }
}

// -----

// Negative, as a param.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %p = transform.param.constant -1 : i64 -> !transform.any_param
    // expected-error @below {{tile size -1 is negative; 0 leaves a dimension whole}}
    %m, %grid = transform.kz.tile_grid %mm tile [%p]
    transform.yield
  }
}

// -----

// A size for a summed dimension.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{3 sizes are given, 'linalg.matmul' has 2 parallel dimensions}}
    %m, %grid = transform.kz.tile_grid %mm tile [64, 64, 32]
    transform.yield
  }
}

// -----

// No grid at all.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{every size is 0; a grid needs one dimension that is tiled}}
    %m, %grid = transform.kz.tile_grid %mm tile [0, 0]
    transform.yield
  }
}

// -----

// A grid in a grid.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{the target is in a grid already; tile it further with transform.kz.tile_loop}}
    %m3, %grid2 = transform.kz.tile_grid %m tile [64]
    transform.yield
  }
}

// -----

// Raster as a param.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %p = transform.param.constant -2 : i64 -> !transform.any_param
    // expected-error @below {{raster group_m -2 is out of range; at least 0}}
    %m, %grid = transform.kz.tile_grid %mm tile [64] raster group_m(%p)
    transform.yield
  }
}

// -----

// Neither feeds nor reads.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#in = affine_map<(j, i) -> (i, j)>
func.func @task(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %s: tensor<32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>) attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<64x32xf32>) outs(%s : tensor<32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32xf32>
  // expected-note @below {{payload op}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.sqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  return %1, %2 : tensor<32xf32>, tensor<64x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %neg, %sum, %sqrt = transform.kz.body %t
    // expected-error @below {{'linalg.generic' does not read what the step computes before it}}
    %a, %b, %grid = transform.kz.tile_grid %neg fuse(%sqrt) tile [16, 16]
    transform.yield
  }
}

// -----

// Not read in the grid.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#in = affine_map<(j, i) -> (i, j)>
func.func @task(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %s: tensor<32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>) attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x32xf32>
  // expected-note @below {{payload op}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<64x32xf32>) outs(%s : tensor<32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.sqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  return %1, %2 : tensor<32xf32>, tensor<64x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %neg, %sum, %sqrt = transform.kz.body %t
    // expected-error @below {{'linalg.generic' is not read tile by tile in the loop; leave it out of fuse}}
    %a, %b, %grid = transform.kz.tile_grid %sqrt fuse(%neg) tile [16, 16]
    transform.yield
  }
}

// -----

// The consumer sums over a tiled dimension.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#in = affine_map<(j, i) -> (i, j)>
func.func @task(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %s: tensor<32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>) attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<64x32xf32>) outs(%s : tensor<32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.sqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  return %1, %2 : tensor<32xf32>, tensor<64x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %neg, %sum, %sqrt = transform.kz.body %t
    // expected-error @below {{'linalg.generic' sums over dimension 0, which is tiled; give it size 0}}
    %a, %b, %grid = transform.kz.tile_grid %neg fuse(%sum) tile [16, 16]
    transform.yield
  }
}

// -----

// Not beside the target.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#in = affine_map<(j, i) -> (i, j)>
func.func @task(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>, %s: tensor<32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>) attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  %1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<64x32xf32>) outs(%s : tensor<32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<32xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.sqrt %p : f32
    linalg.yield %q : f32
  } -> tensor<64x32xf32>
  return %1, %2 : tensor<32xf32>, tensor<64x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %neg, %sum, %sqrt = transform.kz.body %t
    %a, %grid = transform.kz.tile_grid %sum tile [16]
    // expected-error @below {{'linalg.generic' is not beside the target}}
    %b, %c, %grid2 = transform.kz.tile_grid %sqrt fuse(%a) tile [16]
    transform.yield
  }
}

// -----

// Not an operation of Linalg.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{the target is 'scf.forall'; a Linalg operation is needed}}
    %a, %g = transform.kz.tile_grid %grid tile [16]
    transform.yield
  }
}

// -----

// A param of two values.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %p = transform.param.constant 1 : i64 -> !transform.any_param
    %q = transform.merge_handles %p, %p : !transform.any_param
    // expected-error @below {{tile is a param of 2 values; exactly 1 is needed}}
    %m, %grid = transform.kz.tile_grid %mm tile [%q]
    transform.yield
  }
}

// -----

// A param that is a word.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %p = transform.param.constant "big" -> !transform.any_param
    // expected-error @below {{tile is "big"; an integer is needed}}
    %m, %grid = transform.kz.tile_grid %mm tile [%p]
    transform.yield
  }
}

// -----

// The same in fuse.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  // expected-note @below {{payload op}}
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{an operation to fuse is 'scf.forall'; a Linalg operation is needed}}
    %a, %b, %g = transform.kz.tile_grid %m fuse(%grid) tile [16]
    transform.yield
  }
}

// -----

// No elements.
func.func @task(%a: tensor<128x0xf16>, %b: tensor<0x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x0xf16>, tensor<0x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{dimension 2 of 'linalg.matmul' has size 0; at least 1 is needed}}
    %m, %grid = transform.kz.tile_grid %mm tile [1, 1]
    transform.yield
  }
}

// -----

// A raster of more rows than a grid can have.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{'transform.kz.tile_grid' op raster group_m 9223372036854775807 is out of range; at most 65536}}
    %m, %grid = transform.kz.tile_grid %mm tile [32, 32] raster group_m(9223372036854775807)
    transform.yield
  }
}
