// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of the GPU benchmarks, by mma.sync and cp.async: Ampere and later.
module attributes {transform.with_named_sequence} {

transform.named_sequence @matmul(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(8)
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 4]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}

// Tiles of 128 x 128 for problems with few of them.
transform.named_sequence @matmul_128(%t: !transform.any_op {transform.readonly}) {
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 128] raster group_m(8)
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}

// An elementwise operation on the left operand on its way into shared memory.
transform.named_sequence @scaled_matmul(%t: !transform.any_op {transform.readonly}) {
  %pro, %mm, %epi = transform.kz.body %t
  %m, %p, %e, %grid = transform.kz.tile_grid %mm fuse(%pro, %epi) tile [128, 128] raster group_m(8)
  %m2, %p2, %k = transform.kz.tile_loop %m fuse(%p) reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(plain) swizzle(128) width(16)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(3)
  transform.kz.tile_warps %m2 warps [2, 2]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.yield
}
}
