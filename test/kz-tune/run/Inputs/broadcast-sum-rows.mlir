// Both operations in one loop over rows.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%t: !transform.any_op {transform.readonly}) {
    %square, %sum = transform.kz.body %t
    %s, %q, %grid = transform.kz.tile_grid %sum fuse(%square) tile [4]
    transform.kz.vectorize %q lanes(4) interleave(1)
    transform.kz.vectorize %s lanes(4) interleave(1)
    transform.yield
  }
}
