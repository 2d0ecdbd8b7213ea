// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task --split-input-file --verify-diagnostics

// Unknown instruction.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{'transform.kz.mma' op uses 'imma'; accepted are mma_sync, wgmma}}
    transform.kz.mma %m imma [16, 8, 16] acc(f32)
    transform.yield
  }
}

// -----

// Too few sizes.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{'transform.kz.mma' op has a shape of 2 sizes; M, N and K are needed}}
    transform.kz.mma %m wgmma [64, 16] acc(f32)
    transform.yield
  }
}

// -----

// No such shape.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{'transform.kz.mma' op mma_sync has no shape [16, 16, 16]; accepted is [16, 8, 16]}}
    transform.kz.mma %m mma_sync [16, 16, 16] acc(f32)
    transform.yield
  }
}

// -----

// No such shape, in part a param.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %p = transform.param.constant 264 : i64 -> !transform.any_param
    // expected-error @below {{wgmma has no shape [64, 264, 16]; accepted is [64, n, 16] with n a multiple of 8 in 8..256}}
    transform.kz.mma %m wgmma [64, %p, 16] acc(f32)
    transform.yield
  }
}

// -----

// Known to be wrong before the param is.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %p = transform.param.constant 128 : i64 -> !transform.any_param
    // expected-error @below {{'transform.kz.mma' op wgmma has no shape [32, ?, 16]; accepted is [64, n, 16] with n a multiple of 8 in 8..256}}
    transform.kz.mma %m wgmma [32, %p, 16] acc(f32)
    transform.yield
  }
}

// -----

// Tile and instruction.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [32, 128]
    // expected-error @below {{the tile's M of 32 is not a multiple of the instruction's 64}}
    transform.kz.mma %m wgmma [64, 128, 16] acc(f32)
    transform.yield
  }
}

// -----

// Not a contraction.
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.exp %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %x = transform.kz.body %t
    // expected-error @below {{'linalg.generic' multiplies and adds nothing; a contraction is needed}}
    transform.kz.mma %x mma_sync [16, 8, 16] acc(f32)
    transform.yield
  }
}

// -----

// Operands of f32.
func.func @task(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{mma_sync takes no operands of 'f32'; accepted are f16, bf16, and fma for all types}}
    transform.kz.mma %m mma_sync [16, 8, 16] acc(f32)
    transform.yield
  }
}

// -----

// Operands of two types.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xbf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xbf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{mma_sync takes operands of one type, these are 'f16' and 'bf16'}}
    transform.kz.mma %m mma_sync [16, 8, 16] acc(f32)
    transform.yield
  }
}

// -----

// Narrow sums.
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{acc 'f16' is narrower than the task's sums; accepted is f32}}
    transform.kz.mma %m mma_sync [16, 8, 16] acc(f16)
    transform.yield
  }
}

// -----

// A dot product.
func.func @task(%a: tensor<128xf16>, %b: tensor<128xf16>, %f: tensor<f32>) -> tensor<f32> attributes {transform.target_tag = "task"} {
  %0 = linalg.dot ins(%a, %b : tensor<128xf16>, tensor<128xf16>) outs(%f : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{'linalg.dot' has not all of M, N and K}}
    transform.kz.mma %mm mma_sync [16, 8, 16] acc(f32)
    transform.yield
  }
}

// -----

func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{acc 'f16' is not the task's own; accepted is 'f32'}}
    transform.kz.mma %m fma [4, 8, 1] acc(f16)
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    // expected-error @below {{fma has no shape [4, 4, 1]; accepted is [m, n, 1] with m * n = 32 lanes}}
    transform.kz.mma %m fma [4, 4, 1] acc(f32)
    transform.yield
  }
}
