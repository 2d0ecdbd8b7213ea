// The example of docs/levels.md: sums of squares of rows, on a GPU and on the host.
// RUN: kz-opt %s --transform-interpreter='entry-point=gpu debug-payload-root-tag=task' | FileCheck %s --check-prefix=L1
// L1: kz.reduce = #kz.reduce<[shuffle, shared]>
func.func @row_sums(%x: tensor<64x1024xf16>) -> tensor<64xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<64x1024xf16>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f16, %s: f32):
    %w = arith.extf %a : f16 to f32
    %q = arith.mulf %w, %w : f32
    %t = arith.addf %q, %s : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %sum : tensor<64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @gpu(%t: !transform.any_op {transform.readonly}) {
    %sum = transform.kz.body %t
    %s, %grid = transform.kz.tile_grid %sum tile [1]
    transform.kz.tile_threads %grid dim(1) threads(128) vector(8)
    transform.kz.reduce %s combine [shuffle, shared]
    transform.yield
  }
  transform.named_sequence @host(%t: !transform.any_op {transform.readonly}) {
    %sum = transform.kz.body %t
    %s, %grid = transform.kz.tile_grid %sum tile [4]
    transform.kz.vectorize %s lanes(8) interleave(2)
    transform.yield
  }
}
