// A schedule of layer.mlir, right and simple.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%t: !transform.any_op {transform.readonly}) {
    %mm, %add = transform.kz.body %t
    %e, %m, %grid = transform.kz.tile_grid %add fuse(%mm) tile [4, 0]
    transform.yield
  }
}
