// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f32, one row (or few) times a matrix of N x K: partial sums along K for eight
// columns at a time.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matmul_row_nt(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [1, 8]
    transform.kz.vectorize %m lanes(16) interleave(2) accumulate(registers)
    transform.yield
  }
}
