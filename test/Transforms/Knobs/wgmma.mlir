// Every choice of a wgmma kernel reaches its code.
// RUN: kz-opt %s --kz-bind-knobs=defaults --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=BASE
// RUN: kz-opt %s --kz-bind-knobs='values=tile_n=256,stages=3 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=TILE_N
// RUN: kz-opt %s --kz-bind-knobs='values=stages=3 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=STAGES
// RUN: kz-opt %s --kz-bind-knobs='values=warpgroups=1,tile_m=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=CONSUMERS
// RUN: kz-opt %s --kz-bind-knobs='values=producer_registers=24,consumer_registers=216 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=REGISTERS
// RUN: kz-opt %s --kz-bind-knobs='values=chunk_n=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=CHUNK
// RUN: kz-opt %s --kz-bind-knobs='values=columns=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=COLUMNS
// RUN: kz-opt %s --kz-bind-knobs='values=persistent=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s --check-prefix=PERSISTENT
// RUN: kz-opt %s --kz-bind-knobs='values=group_m=16 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a | FileCheck %s --check-prefix=GROUP16
// RUN: kz-opt %s --kz-bind-knobs='values=group_m=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_90a | FileCheck %s --check-prefix=GROUP4
// BASE: kz.launch = {{.*}}block = array<i64: 384, 1, 1>, grid = array<i64: 256, 1, 1>, shared = 164864 : i64
// BASE: setmaxregister  decrease 40
// BASE: setmaxregister  increase 232
// BASE: n = 128, k = 16
// TILE_N: kz.launch = {{.*}}block = array<i64: 384, 1, 1>, grid = array<i64: 128, 1, 1>, shared = 181248 : i64
// STAGES: kz.launch = {{.*}}block = array<i64: 384, 1, 1>, grid = array<i64: 256, 1, 1>, shared = 132096 : i64
// CONSUMERS: kz.launch = {{.*}}block = array<i64: 256, 1, 1>, grid = array<i64: 512, 1, 1>, shared = 115712 : i64
// REGISTERS: setmaxregister  decrease 24
// REGISTERS: setmaxregister  increase 216
// CHUNK: kz.launch = {{.*}}block = array<i64: 384, 1, 1>, grid = array<i64: 256, 1, 1>, shared = 148480 : i64
// COLUMNS-NOT: n = 128, k = 16
// COLUMNS: n = 64, k = 16
// PERSISTENT: kz.launch = {{.*}}block = array<i64: 384, 1, 1>, grid = array<i64: 132, 1, 1>, shared = 164864 : i64
// GROUP16: %[[G:.+]] = arith.constant 256 : index
// GROUP16: arith.divui %{{.+}}, %[[G]]
// GROUP4: %[[G:.+]] = arith.constant 64 : index
// GROUP4: arith.divui %{{.+}}, %[[G]]
func.func @task(%a: tensor<2048x512xf16>, %b: tensor<512x2048xf16>) -> tensor<2048x2048xf16> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<2048x2048xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<2048x512xf16>, tensor<512x2048xf16>) outs(%f0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %e1 = tensor.empty() : tensor<2048x2048xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%mm : tensor<2048x2048xf32>) outs(%e1 : tensor<2048x2048xf16>) {
  ^bb0(%x: f32, %o: f16):
    %rounded = arith.truncf %x : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<2048x2048xf16>
  return %r : tensor<2048x2048xf16>
}
module attributes {transform.with_named_sequence} {
transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
  %tile_m = transform.tune.knob<"tile_m"> options = [128, 64] -> !transform.any_param
  %tile_n = transform.tune.knob<"tile_n"> options = [128, 256] -> !transform.any_param
  %group_m = transform.tune.knob<"group_m"> options = [16, 4] -> !transform.any_param
  %stages = transform.tune.knob<"stages"> options = [4, 3] -> !transform.any_param
  %warpgroups = transform.tune.knob<"warpgroups"> options = [2, 1] -> !transform.any_param
  %producer_registers = transform.tune.knob<"producer_registers"> options = [40, 24] -> !transform.any_param
  %consumer_registers = transform.tune.knob<"consumer_registers"> options = [232, 216] -> !transform.any_param
  %chunk_n = transform.tune.knob<"chunk_n"> options = [128, 64] -> !transform.any_param
  %columns = transform.tune.knob<"columns"> options = [128, 64] -> !transform.any_param
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.tune.alternatives<"persistent"> -> !transform.any_op, !transform.any_op, !transform.any_op {
    %0, %1, %2 = transform.kz.tile_grid %mm fuse(%epi) tile [%tile_m, %tile_n] raster group_m(%group_m)
    transform.yield %0, %1, %2 : !transform.any_op, !transform.any_op, !transform.any_op
  }, {
    %0, %1, %2 = transform.kz.tile_grid %mm fuse(%epi) tile [%tile_m, %tile_n] raster group_m(%group_m) persistent
    transform.yield %0, %1, %2 : !transform.any_op, !transform.any_op, !transform.any_op
  }
  %m2, %k = transform.kz.tile_loop %m reduction [64]
  %a = transform.kz.stage %m2 operand(0) shared copy(tma) swizzle(128)
  %b = transform.kz.stage %m2 operand(1) shared copy(tma) swizzle(128)
  transform.kz.pipeline %k ring(%a, %b) stages(%stages)
  transform.kz.tile_warps %m2 warpgroups [%warpgroups, 1]
  transform.kz.mma %m2 wgmma [64, %columns, 16] acc(f32)
  transform.kz.warp_specialize %k producers(1) registers(%producer_registers, %consumer_registers)
  transform.kz.epilogue %e on_accumulator
  transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [64, %chunk_n]
  transform.yield
}
}
