// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// CHECK: kz.threads = #kz.threads<dim = 1, threads = 128, vector = 8>
#id = affine_map<(i, j) -> (i, j)>
func.func @task(%x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x256xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = math.exp %p : f32
    linalg.yield %q : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %x = transform.kz.body %t
    %y, %grid = transform.kz.tile_grid %x tile [1, 0]
    %n = transform.param.constant 128 : i64 -> !transform.any_param
    transform.kz.tile_threads %grid dim(1) threads(%n) vector(8)
    transform.yield
  }
}
