// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-verify-schedule=target=sm_90a

// Shared memory.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{a block would need 245760 bytes of shared memory, sm_90a allows 232448; try stages(4)}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 256]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(5)
    transform.kz.tile_warps %m2 warpgroups [2, 1]
    transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(40, 232)
    transform.yield
  }
}

// -----

// More registers than the block was launched with.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{registers(40, 240) need 66560 registers, a block of 384 threads is launched with 64512; try registers(40, 232)}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 256]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(3)
    transform.kz.tile_warps %m2 warpgroups [2, 1]
    transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(40, 240)
    transform.yield
  }
}

// -----

// Four consumers: each thread starts with 96, so the pool is smaller.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{registers(24, 120) need 64512 registers, a block of 640 threads is launched with 61440; try registers(24, 112)}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [256, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(3)
    transform.kz.tile_warps %m2 warpgroups [4, 1]
    transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(24, 120)
    transform.yield
  }
}

// -----

// Too many sums.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{a thread would hold 256 sums and about 24 other values, it has 232 registers; use a smaller tile or more warps}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [256, 256]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(2)
    transform.kz.tile_warps %m2 warpgroups [2, 1]
    transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(40, 232)
    transform.yield
  }
}

// -----

// Not whole instructions.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{the tile's M of 128 is not made of 64 for each of 4 warpgroups}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(3)
    transform.kz.tile_warps %m2 warpgroups [4, 1]
    transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(24, 112)
    transform.yield
  }
}

// -----

// A box of more than 256 elements; findings about copies stand at the operation that reads them.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{a box of tma has 512 elements in dimension 1; at most 256}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 0]
    %m2, %k = transform.kz.tile_loop %m reduction [16]
    %b = transform.kz.stage %m2 operand(1) shared copy(tma)
    transform.yield
  }
}

// -----

// Rows of 2008 bytes are no multiple of 16.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x1004xf16>) -> tensor<512x1004xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1004xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x1004xf32>) -> tensor<512x1004xf32>
  // expected-error @below {{rows of the buffer are 2008 bytes apart, tma needs multiples of 16; accepted is cp_async of a smaller width}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x1004xf16>) outs(%f : tensor<512x1004xf32>) -> tensor<512x1004xf32>
  return %0 : tensor<512x1004xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 64]
    %m2, %k = transform.kz.tile_loop %m reduction [16]
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.yield
  }
}

// -----

// The same for 16 bytes at a time.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x1004xf16>) -> tensor<512x1004xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x1004xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x1004xf32>) -> tensor<512x1004xf32>
  // expected-error @below {{rows of the buffer are 2008 bytes apart, a copy of 16 bytes needs a multiple; use a smaller width or copy(plain)}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x1004xf16>) outs(%f : tensor<512x1004xf32>) -> tensor<512x1004xf32>
  return %0 : tensor<512x1004xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 64]
    %m2, %k = transform.kz.tile_loop %m reduction [16]
    %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
    transform.yield
  }
}

// -----

// Rows of a tile that are too short for tma.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{rows of 8 bytes cannot be copied by tma; accepted are multiples of 16}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 64]
    %m2, %k = transform.kz.tile_loop %m reduction [4]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(32)
    transform.yield
  }
}

// -----

// Threads.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  // expected-error @below {{a block would have 1152 threads, sm_90a allows 1024}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [256, 32]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
    %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
    transform.kz.pipeline %k ring(%a, %b) stages(2)
    transform.kz.tile_warps %m2 warpgroups [4, 2]
    transform.kz.mma %m2 wgmma [64, 16, 16] acc(f32)
    transform.kz.warp_specialize %k producers(1) registers(24, 32)
    transform.yield
  }
}

// -----

// The schedule does not fit.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  // expected-error @below {{the task has 1 computing operations, the schedule names 2}}
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm, %epi = transform.kz.body %t
    transform.yield
  }
}

// -----

// Steps of the host.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{'transform.kz.vectorize' is for the host; leave it out on sm_90a}}
    transform.kz.vectorize %mm lanes(8)
    // expected-error @below {{a value cannot be staged in memory on sm_90a; accepted are registers, shared}}
    %a = transform.kz.stage %mm operand(0) memory
    transform.yield
  }
}

// -----

// Chunks.
func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>, %f: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-error @below {{a chunk of 96 does not divide the tile's 128}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %c = transform.kz.stage %m result(0) shared copy(tma_store) swizzle(128) chunk [64, 96]
    transform.yield
  }
}

// -----

func.func @task(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>, %f: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-error @below {{the chunk has 3 sizes, the tile has 2 dimensions}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %c = transform.kz.stage %m result(0) shared copy(tma_store) swizzle(128) chunk [1, 64, 64]
    transform.yield
  }
}
