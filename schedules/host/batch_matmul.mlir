// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32, one matrix of the batch and a block of its rows a tile of the grid.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @batch_matmul(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [1, 64, 0]
    %r, %n = transform.kz.tile_loop %m parallel [0, 8, 32] order [0, 2, 1]
    %r2, %k = transform.kz.tile_loop %r reduction [2]
    %b = transform.kz.stage %r2 operand(1) memory panels(32) before(%grid)
    %a = transform.kz.stage %r2 operand(0) memory panels(8) before(%n)
    transform.kz.vectorize %r2 lanes(16) accumulate(registers)
    transform.yield
  }
}
