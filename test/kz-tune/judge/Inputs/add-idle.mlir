// Rows of 512 by 1024 threads of two elements: three of four stand idle.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%arg0: !transform.any_op {transform.readonly}) {
    %op = transform.kz.body %arg0
    %tiled, %grid = transform.kz.tile_grid %op tile [1, 512]
    transform.kz.tile_threads %grid dim(1) threads(1024) vector(2)
    transform.yield
  }
}
