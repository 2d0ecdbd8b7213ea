// The same with an open choice.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @rows(%t: !transform.any_op {transform.readonly}) {
    %mm, %add = transform.kz.body %t
    %rows = transform.tune.knob<"rows"> options = [4, 8] -> !transform.any_param
    %e, %m, %grid = transform.kz.tile_grid %add fuse(%mm) tile [%rows, 0]
    transform.yield
  }
}
