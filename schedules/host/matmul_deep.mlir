// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32, few rows and large N and K, either form of the right operand: B is packed
// a panel of 32 columns and 512 steps of the sum at a time, right before all rows
// use it, so that it is read from memory once and never written back.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matmul_deep(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [0, 512]
    %d, %deep = transform.kz.tile_loop %m reduction [512]
    %c, %n = transform.kz.tile_loop %d parallel [0, 32]
    %r, %i = transform.kz.tile_loop %c parallel [8, 0]
    %r2, %k = transform.kz.tile_loop %r reduction [2]
    %b = transform.kz.stage %r2 operand(1) memory panels(32) before(%i)
    %a = transform.kz.stage %r2 operand(0) memory panels(8) before(%grid)
    transform.kz.vectorize %r2 lanes(16) accumulate(registers)
    transform.yield
  }
}
