// Four elements a thread, every thread busy.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%arg0: !transform.any_op {transform.readonly}) {
    %op = transform.kz.body %arg0
    %tiled, %grid = transform.kz.tile_grid %op tile [2, 512]
    transform.kz.tile_threads %grid dim(1) threads(256) vector(4)
    transform.yield
  }
}
