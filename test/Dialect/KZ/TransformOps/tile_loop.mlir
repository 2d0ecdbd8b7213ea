// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// Batch, right operand read along its rows, ragged in every dimension, with an
// epilogue: loops in the order asked for, sums in order, nothing left over.
#a = affine_map<(b, i, j, k) -> (b, i, k)>
#bt = affine_map<(b, i, j, k) -> (b, j, k)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#v = affine_map<(b, i, j) -> (j)>
// CHECK-LABEL: func.func @task
func.func @task(%x: tensor<3x100x50xf32>, %y: tensor<3x70x50xf32>, %bias: tensor<70xf32>) -> tensor<3x100x70xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x100x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x100x70xf32>) -> tensor<3x100x70xf32>
  %mm = linalg.batch_matmul indexing_maps = [#a, #bt, #c] ins(%x, %y : tensor<3x100x50xf32>, tensor<3x70x50xf32>) outs(%f : tensor<3x100x70xf32>) -> tensor<3x100x70xf32>
  %g = linalg.generic {indexing_maps = [#id, #v, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%mm, %bias : tensor<3x100x70xf32>, tensor<70xf32>) outs(%e : tensor<3x100x70xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<3x100x70xf32>
  // CHECK: scf.forall
  // CHECK: %[[M:.+]] = affine.min
  // CHECK-NOT: linalg.batch_matmul
  // CHECK: scf.for {{.*}} to %c1
  // CHECK: scf.for %[[J:.+]] = %{{.+}} to %c70{{.*}} step %c32
  // CHECK: scf.for %[[I:.+]] = %{{.+}} to %[[M]] step %c8
  // CHECK-DAG: %[[N2:.+]] = affine.min {{.*}}(%[[J]])
  // CHECK-DAG: %[[M2:.+]] = affine.min {{.*}}(%[[I]])[%[[M]]]
  // CHECK: %[[E:.+]] = tensor.empty(%[[M2]], %[[N2]])
  // CHECK: %[[F:.+]] = linalg.fill {{.*}} outs(%[[E]]
  // CHECK: %[[SUM:.+]] = scf.for {{.*}} to %c50{{.*}} step %c4{{.*}} iter_args(%[[ACC:.+]] = %[[F]])
  // CHECK: %[[T:.+]] = linalg.batch_matmul {{.*}} outs(%[[ACC]]
  // CHECK-NEXT: scf.yield %[[T]]
  // CHECK: linalg.generic {{.*}} ins(%[[SUM]]
  // CHECK-NOT: tensor.dim
  return %g : tensor<3x100x70xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm, %epi = transform.kz.body %t
    %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [1, 64, 0]
    %r, %e2, %n = transform.kz.tile_loop %m fuse(%e) parallel [1, 8, 32] order [0, 2, 1]
    %r2, %k = transform.kz.tile_loop %r reduction [4]
    transform.yield
  }
}
