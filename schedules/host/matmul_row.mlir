// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32, one row (or few) times a matrix of K x N: nothing is read twice, so nothing
// is packed; 128 columns at a time.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matmul_row(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [1, 128]
    %r, %k = transform.kz.tile_loop %m reduction [4]
    transform.kz.vectorize %r lanes(16) accumulate(registers)
    transform.yield
  }
}
