// RUN: kz-opt %s --transform-interpreter --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s
// A logarithm has a form on a GPU: integer arithmetic on the exponent and one
// polynomial; no function of a library stays.

#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
func.func @logarithm(%x: tensor<300x1000xf32>) -> tensor<300x1000xf32> {
  %e = tensor.empty() : tensor<300x1000xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<300x1000xf32>) outs(%e : tensor<300x1000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.absf %a : f32
    %l = math.log %m : f32
    linalg.yield %l : f32
  } -> tensor<300x1000xf32>
  return %r : tensor<300x1000xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %op = transform.kz.body %f
  %t, %grid = transform.kz.tile_grid %op tile [2, 512]
  transform.kz.tile_threads %grid dim(1) threads(256) vector(4)
  transform.kz.math %t math(log) ulp(2)
  transform.yield
}
}
// CHECK: llvm.func @logarithm
// CHECK-NOT: math.log
// CHECK: arith.shrsi
// CHECK: math.fma
// CHECK-NOT: math.log
// CHECK: llvm.return
