// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One elementwise operation over rows.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @elementwise(%t: !transform.any_op {transform.readonly}) {
    %op = transform.kz.body %t
    %o, %grid = transform.kz.tile_grid %op tile [1, 0]
    transform.kz.vectorize %o lanes(16) interleave(4)
    transform.yield
  }
}
