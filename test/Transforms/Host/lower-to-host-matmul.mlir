// RUN: kz-opt %s --transform-interpreter --kz-lower-to-host | FileCheck %s

// The register tile: 8 x 2 sums carried by the loop, A broadcast, B in vectors,
// two steps of the sum a trip. No other loop of it computes.

// CHECK: module attributes {
// CHECK-SAME: kz.inputs = 2 : i64, kz.outputs = 1 : i64
// CHECK-SAME: kz.private_bytes = 4096 : i64, kz.shared_bytes = 16384 : i64
// CHECK-LABEL: llvm.func @entry_grid0(
// CHECK: llvm.br ^[[LOOP:bb[0-9]+]]({{.*}} : i64, vector<16xf32>, vector<16xf32>,
// CHECK-COUNT-32: llvm.intr.fma(
// CHECK-NOT: llvm.intr.fma(
// CHECK-LABEL: llvm.func @entry(
// CHECK: llvm.call @entry_grid0(

func.func @task(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %t = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [16, 0]
    %r, %n = transform.kz.tile_loop %m parallel [8, 32] order [1, 0]
    %r2, %k = transform.kz.tile_loop %r reduction [2]
    %b = transform.kz.stage %r2 operand(1) memory panels(32) before(%grid)
    %a = transform.kz.stage %r2 operand(0) memory panels(8) before(%n)
    transform.kz.vectorize %r2 lanes(16) accumulate(registers)
    transform.yield
  }
}
