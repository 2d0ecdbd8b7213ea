// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-verify-schedule=target=host

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{raster and persistent order the blocks of a GPU; leave them out on host}}
    %m, %grid = transform.kz.tile_grid %mm tile [64] raster group_m(8)
    // expected-error @below {{host has no tensor cores; leave out transform.kz.mma and use transform.kz.vectorize}}
    transform.kz.mma %m mma_sync [16, 8, 16] acc(f32)
    // expected-error @below {{a value cannot be staged in shared on host; accepted are memory}}
    %a = transform.kz.stage %m operand(0) shared
    // expected-error @below {{'transform.kz.tile_threads' is for GPUs; leave it out on host}}
    transform.kz.tile_threads %grid dim(0) threads(32) vector(1)
    transform.yield
  }
}

// -----

// Wider than any vector of any host.
func.func @task(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{a vector of 64 x f32 is wider than the}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [8, 64]
    transform.kz.vectorize %m lanes(64)
    transform.yield
  }
}

// -----

// More sums than any host has registers.
func.func @task(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{sums of 64 x 16 need}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 16]
    transform.kz.vectorize %m lanes(4) accumulate(registers)
    transform.yield
  }
}
