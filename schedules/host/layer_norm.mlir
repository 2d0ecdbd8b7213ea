// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of f32: sum, sum of squared differences, scaled and shifted.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @layer_norm(%t: !transform.any_op {transform.readonly}) {
    %sum, %var, %out = transform.kz.body %t
    %o, %s, %v, %grid = transform.kz.tile_grid %out fuse(%sum, %var) tile [1, 0]
    transform.kz.vectorize %s lanes(16) interleave(4)
    transform.kz.vectorize %v lanes(16) interleave(4)
    transform.kz.vectorize %o lanes(16) interleave(4)
    transform.yield
  }
}
