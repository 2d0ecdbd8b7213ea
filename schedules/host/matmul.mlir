// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32, M x N x K, either form of the right operand: B is packed once, A a block of
// rows at a time, 8 x 32 sums stay in registers.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matmul(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 0]
    %r, %n = transform.kz.tile_loop %m parallel [8, 32] order [1, 0]
    %r2, %k = transform.kz.tile_loop %r reduction [2]
    %b = transform.kz.stage %r2 operand(1) memory panels(32) before(%grid)
    %a = transform.kz.stage %r2 operand(0) memory panels(8) before(%n)
    transform.kz.vectorize %r2 lanes(16) accumulate(registers)
    transform.yield
  }
}
