// Every choice of a host contraction reaches its code.
// RUN: kz-opt %s --kz-bind-knobs=defaults --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=BASE
// RUN: kz-opt %s --kz-bind-knobs='values=rows=32 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=ROWS
// RUN: kz-opt %s --kz-bind-knobs='values=tile_m=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=TILE_M
// RUN: kz-opt %s --kz-bind-knobs='values=tile_n=8 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=TILE_N
// RUN: kz-opt %s --kz-bind-knobs='values=tile_k=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=TILE_K
// RUN: kz-opt %s --kz-bind-knobs='values=lanes=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=LANES
// RUN: kz-opt %s --kz-bind-knobs='values=factor=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=FACTOR
// RUN: kz-opt %s --kz-bind-knobs='values=interleave=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=INTERLEAVE
// RUN: kz-opt %s --kz-bind-knobs='values=before=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=BEFORE
// RUN: kz-opt %s --kz-bind-knobs='values=accumulate=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=ACCUMULATE
// RUN: kz-opt %s --kz-bind-knobs='values=panels_b=16 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=PANELS_B16
// RUN: kz-opt %s --kz-bind-knobs='values=panels_b=8 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=PANELS_B8
// RUN: kz-opt %s --kz-bind-knobs='values=panels_a=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=PANELS_A4
// RUN: kz-opt %s --kz-bind-knobs='values=panels_a=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=PANELS_A2
// RUN: kz-opt %s --kz-bind-knobs='values=order=0 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=COLUMNS
// RUN: kz-opt %s --kz-bind-knobs='values=order=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=ROWSFIRST
// BASE: kz.private_bytes = 65536 : i64, kz.shared_bytes = 524288 : i64
// BASE-COUNT-16: llvm.intr.fma({{.*}} -> vector<8xf32>
// BASE-NOT: llvm.intr.fma
// ROWS: kz.private_bytes = 32768 : i64
// TILE_M-COUNT-8: llvm.intr.fma({{.*}} -> vector<8xf32>
// TILE_M-NOT: llvm.intr.fma
// TILE_N-COUNT-8: llvm.intr.fma({{.*}} -> vector<8xf32>
// TILE_N-NOT: llvm.intr.fma
// TILE_K-COUNT-32: llvm.intr.fma({{.*}} -> vector<8xf32>
// TILE_K-NOT: llvm.intr.fma
// LANES-COUNT-32: llvm.intr.fma({{.*}} -> vector<4xf32>
// LANES-NOT: llvm.intr.fma
// FACTOR-COUNT-64: llvm.intr.fma({{.*}} -> vector<8xf32>
// FACTOR-NOT: llvm.intr.fma
// INTERLEAVE-COUNT-32: llvm.intr.fma({{.*}} -> vector<8xf32>
// INTERLEAVE-NOT: llvm.intr.fma
// BEFORE: kz.private_bytes = 589824 : i64, kz.shared_bytes = 0 : i64
// ACCUMULATE-NOT: llvm.intr.fma({{.*}}vector<8xf32>
// PANELS_B16: llvm.func @entry_grid
// PANELS_B16: llvm.mlir.constant(4096 : i64)
// PANELS_B8-NOT: llvm.mlir.constant(4096 : i64)
// PANELS_B8: llvm.mlir.constant(519 : i64)
// PANELS_A4: llvm.mlir.constant(67 : i64)
// PANELS_A2: llvm.mlir.constant(65 : i64)
// Bound and step of the column loop, then those of the row loop; or the other way.
// COLUMNS: constant(512 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(16 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(64 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(4 : i64)
// ROWSFIRST: constant(64 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(4 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(512 : i64) : i64{{[[:space:]]+}}%{{[0-9]+}} = llvm.mlir.constant(16 : i64)
func.func @task(%a: tensor<256x256xf32>, %b: tensor<256x512xf32>) -> tensor<256x512xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<256x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<256x256xf32>, tensor<256x512xf32>) outs(%f0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %mm : tensor<256x512xf32>
}
module attributes {transform.with_named_sequence} {
transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
  %rows = transform.tune.knob<"rows"> options = [64, 32] -> !transform.any_param
  %tile_m = transform.tune.knob<"tile_m"> options = [4, 2] -> !transform.any_param
  %tile_n = transform.tune.knob<"tile_n"> options = [16, 8] -> !transform.any_param
  %tile_k = transform.tune.knob<"tile_k"> options = [2, 4] -> !transform.any_param
  %panels_b = transform.tune.knob<"panels_b"> options = [16, 8] -> !transform.any_param
  %panels_a = transform.tune.knob<"panels_a"> options = [4, 2] -> !transform.any_param
  %lanes = transform.tune.knob<"lanes"> options = [8, 4] -> !transform.any_param
  %factor = transform.tune.knob<"factor"> options = [1, 4] -> !transform.any_param
  %interleave = transform.tune.knob<"interleave"> options = [1, 2] -> !transform.any_param
  %mm = transform.kz.body %t
  %m, %grid = transform.kz.tile_grid %mm tile [%rows, 0]
  %r, %n = transform.tune.alternatives<"order"> -> !transform.any_op, !transform.any_op {
    %0, %1 = transform.kz.tile_loop %m parallel [%tile_m, %tile_n] order [1, 0]
    transform.yield %0, %1 : !transform.any_op, !transform.any_op
  }, {
    %0, %1 = transform.kz.tile_loop %m parallel [%tile_m, %tile_n] order [0, 1]
    transform.yield %0, %1 : !transform.any_op, !transform.any_op
  }
  %r2, %k = transform.kz.tile_loop %r reduction [%tile_k]
  %b = transform.tune.alternatives<"before"> -> !transform.any_op {
    %0 = transform.kz.stage %r2 operand(1) memory panels(%panels_b) before(%grid)
    transform.yield %0 : !transform.any_op
  }, {
    %0 = transform.kz.stage %r2 operand(1) memory panels(%panels_b) before(%n)
    transform.yield %0 : !transform.any_op
  }
  %a = transform.kz.stage %r2 operand(0) memory panels(%panels_a) before(%n)
  transform.kz.unroll %k factor(%factor)
  transform.tune.alternatives<"accumulate"> {
    transform.kz.vectorize %r2 lanes(%lanes) interleave(%interleave) accumulate(registers)
  }, {
    transform.kz.vectorize %r2 lanes(%lanes) interleave(%interleave) accumulate(memory)
  }
  transform.yield
}
}
