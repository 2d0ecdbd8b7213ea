// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of f32: maximum, exponentials, their sum, quotient.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @softmax(%t: !transform.any_op {transform.readonly}) {
    %max, %exp, %sum, %div = transform.kz.body %t
    %d, %m, %x, %s, %grid = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [1, 0]
    transform.kz.vectorize %m lanes(16) interleave(4)
    transform.kz.vectorize %x lanes(16) interleave(4)
    transform.kz.vectorize %s lanes(16) interleave(4)
    transform.kz.vectorize %d lanes(16) interleave(4)
    transform.kz.math %x math(exp) ulp(2)
    transform.yield
  }
}
