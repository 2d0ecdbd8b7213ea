// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the GPU benchmarks, Hopper. Tasks come from benchmarks/tasks.py;
// a sequence is applied to the function of a task, for example
//   kz-opt TASK.mlir --pass-pipeline='builtin.module(
//     transform-preload-library{transform-library-paths=sm_90a.mlir},
//     func.func(transform-interpreter{entry-point=matmul}))'
module attributes {transform.with_named_sequence} {

// f16 or bf16 matmul whose sums are rounded, or have bias and activation added,
// on the accumulators.
transform.named_sequence @matmul(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(16) persistent
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(4)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}

// The same with tiles of 128 x 128 for problems with few of them.
transform.named_sequence @matmul_128(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 128] raster group_m(16) persistent
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(6)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}

// A batch of products.
transform.named_sequence @batch_matmul(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [1, 128, 128] raster group_m(16) persistent
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(4)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 128, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}

// Matmul with bias and GELU: erf in its cheapest form.
transform.named_sequence @matmul_gelu(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(16) persistent
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(4)
  transform.kz.tile_warps %m2 warpgroups [2, 1]
  transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(40, 232)
  transform.kz.epilogue %e on_accumulator
  transform.kz.math %e math(erf) ulp(8)
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, 128]
  transform.yield
}

// A block a row, the row kept in registers and read once.
transform.named_sequence @softmax(%t: !transform.any_op {transform.readonly}) {
  %max, %exp, %sum, %div = transform.kz.body %t
  %d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [1, 0]
  %in = transform.kz.stage %d task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
  transform.kz.reduce %m combine [shuffle, shared]
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.math %x math(exp) ulp(128)
  transform.kz.math %d math(div) ulp(2)
  transform.yield
}
// Four f32 are the 16 bytes that a thread reads at a time.
transform.named_sequence @softmax_f32(%t: !transform.any_op {transform.readonly}) {
  %max, %exp, %sum, %div = transform.kz.body %t
  %d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [1, 0]
  %in = transform.kz.stage %d task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(256) vector(4)
  transform.kz.reduce %m combine [shuffle, shared]
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.math %x math(exp) ulp(2)
  transform.kz.math %d math(div) ulp(2)
  transform.yield
}
transform.named_sequence @layer_norm(%t: !transform.any_op {transform.readonly}) {
  %sum, %mean, %var, %rstd, %out = transform.kz.body %t
  %o, %s, %mu, %v, %r, %grid = transform.kz.tile_grid %out fuse(%sum, %mean, %var, %rstd) tile [1, 0]
  %in = transform.kz.stage %o task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.reduce %v combine [shuffle, shared]
  transform.yield
}
transform.named_sequence @rms_norm(%t: !transform.any_op {transform.readonly}) {
  %sum, %rstd, %out = transform.kz.body %t
  %o, %s, %r, %grid = transform.kz.tile_grid %out fuse(%sum, %rstd) tile [1, 0]
  %in = transform.kz.stage %o task_input(0) registers copy(plain) width(16)
  transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
  transform.kz.reduce %s combine [shuffle, shared]
  transform.yield
}

// Four rows by 1024 columns a block: the bias is read once for all.
transform.named_sequence @bias_gelu(%t: !transform.any_op {transform.readonly}) {
  %out = transform.kz.body %t
  %o, %grid = transform.kz.tile_grid %out tile [4, 1024]
  transform.kz.tile_threads %grid dim(1) threads(128) vector(8)
  transform.kz.math %o math(erf) ulp(8)
  transform.yield
}
}
