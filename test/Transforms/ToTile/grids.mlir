// RUN: kz-opt %s --transform-interpreter --kz-to-tile | FileCheck %s
// Three grids are three kernels; what only passes between them is workspace.

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#r = affine_map<(i, j) -> (i)>
module attributes {transform.with_named_sequence} {
func.func @task(%A: tensor<300x200xf16>) -> (tensor<200x300xf16>, tensor<200xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<200x300xf16>
  %g = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%A : tensor<300x200xf16>) outs(%e : tensor<200x300xf16>) {
  ^bb0(%x: f16, %o: f16):
    %n = arith.negf %x : f16
    linalg.yield %n : f16
  } -> tensor<200x300xf16>
  %e1 = tensor.empty() : tensor<200xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<200xf32>) -> tensor<200xf32>
  %s = linalg.generic {indexing_maps = [#id, #r], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<200x300xf16>) outs(%f : tensor<200xf32>) {
  ^bb0(%x: f16, %o: f32):
    %n = arith.extf %x : f16 to f32
    %a = arith.addf %n, %o : f32
    linalg.yield %a : f32
  } -> tensor<200xf32>
  %e4 = tensor.empty() : tensor<200xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : tensor<200xf32>) outs(%e4 : tensor<200xf32>) {
  ^bb0(%x: f32, %o: f32):
    %a = math.exp %x : f32
    linalg.yield %a : f32
  } -> tensor<200xf32>
  return %g, %q : tensor<200x300xf16>, tensor<200xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %g, %s, %q = transform.kz.body %t
  %g1, %grid = transform.kz.tile_grid %g tile [32, 32]
  transform.kz.tile_threads %grid dim(1) threads(128) vector(4)
  %s1, %grid2 = transform.kz.tile_grid %s tile [4]
  transform.kz.tile_threads %grid2 dim(1) threads(128) vector(4)
  transform.kz.reduce %s1 combine [shuffle, shared]
  %q1, %grid3 = transform.kz.tile_grid %q tile [128]
  transform.kz.tile_threads %grid3 dim(0) threads(32) vector(4)
  transform.yield
}
}

// CHECK: module attributes {kz.workspace = array<i64: 800>
// CHECK: kz.kernel @task_0(%{{.*}}: memref<300x200xf16> {kz.buffer = 0 : i64}, %{{.*}}: memref<200x300xf16> {kz.buffer = 1 : i64})
// CHECK: kz.load %arg0[%{{.*}}, %{{.*}}] dims [1, 0]
// CHECK: kz.kernel @task_1(%{{.*}}: memref<200x300xf16> {kz.buffer = 1 : i64}, %{{.*}}: memref<200xf32> {kz.workspace = 0 : i64})
// CHECK: kz.kernel @task_2(%{{.*}}: memref<200xf32> {kz.buffer = 2 : i64}, %{{.*}}: memref<200xf32> {kz.workspace = 0 : i64})
// CHECK: kz.load %arg1
// CHECK: kz.store %{{.*}}, %arg0
