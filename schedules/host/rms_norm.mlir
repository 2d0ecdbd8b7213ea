// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of f32: sum of squares, scaled.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rms_norm(%t: !transform.any_op {transform.readonly}) {
    %sum, %out = transform.kz.body %t
    %o, %s, %grid = transform.kz.tile_grid %out fuse(%sum) tile [1, 0]
    transform.kz.vectorize %s lanes(16) interleave(4)
    transform.kz.vectorize %o lanes(16) interleave(4)
    transform.yield
  }
}
