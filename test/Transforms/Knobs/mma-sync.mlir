// Every choice of an mma.sync kernel reaches its code.
// RUN: kz-opt %s --kz-bind-knobs=defaults --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=BASE
// RUN: kz-opt %s --kz-bind-knobs='values=tile_m=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=TILE_M
// RUN: kz-opt %s --kz-bind-knobs='values=tile_n=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=TILE_N
// RUN: kz-opt %s --kz-bind-knobs='values=tile_k=32,swizzle=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=TILE_K
// RUN: kz-opt %s --kz-bind-knobs='values=stages=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=STAGES
// RUN: kz-opt %s --kz-bind-knobs='values=warps_m=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=WARPS_M
// RUN: kz-opt %s --kz-bind-knobs='values=warps_n=1 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=WARPS_N
// RUN: kz-opt %s --kz-bind-knobs='values=width=8 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=WIDTH
// RUN: kz-opt %s --kz-bind-knobs='values=ulp=2 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 --kz-tile-to-nvvm | FileCheck %s --check-prefix=ULP
// RUN: kz-opt %s --kz-bind-knobs='values=swizzle=64 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 | FileCheck %s --check-prefix=SWIZZLE
// RUN: kz-opt %s --kz-bind-knobs='values=group_m=8 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 | FileCheck %s --check-prefix=GROUP8
// RUN: kz-opt %s --kz-bind-knobs='values=group_m=4 defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-to-tile=target=sm_80 | FileCheck %s --check-prefix=GROUP4
// BASE: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 64, 1, 1>, shared = 98304 : i64
// BASE: arith.constant -3.925000e+00 : f32
// BASE: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 16,
// BASE-NOT: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 8,
// TILE_M: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 128, 1, 1>, shared = 73728 : i64
// TILE_N: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 128, 1, 1>, shared = 73728 : i64
// TILE_K: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 64, 1, 1>, shared = 49152 : i64
// STAGES: kz.launch = {{.*}}block = array<i64: 128, 1, 1>, grid = array<i64: 64, 1, 1>, shared = 131072 : i64
// WARPS_M: kz.launch = {{.*}}block = array<i64: 256, 1, 1>, grid = array<i64: 64, 1, 1>, shared = 98304 : i64
// WARPS_N: kz.launch = {{.*}}block = array<i64: 64, 1, 1>, grid = array<i64: 64, 1, 1>, shared = 98304 : i64
// WIDTH: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 8,
// ULP-NOT: arith.constant -3.925000e+00 : f32
// ULP: arith.constant 3.950000e+00 : f32
// SWIZZLE: !kz.ring<3, !kz.tile<128x64xf16, shared, #kz.swizzle<64>>, !kz.tile<64x128xf16, shared, #kz.swizzle<128>>>
// GROUP8: %[[G:.+]] = arith.constant 64 : index
// GROUP8: arith.divui %{{.+}}, %[[G]]
// GROUP4: %[[G:.+]] = arith.constant 32 : index
// GROUP4: arith.divui %{{.+}}, %[[G]]
func.func @task(%a: tensor<1024x512xf16>, %b: tensor<512x1024xf16>, %bias: tensor<1024xf16>) -> tensor<1024x1024xf16> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<1024x1024xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<1024x512xf16>, tensor<512x1024xf16>) outs(%f0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %e1 = tensor.empty() : tensor<1024x1024xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%mm, %bias : tensor<1024x1024xf32>, tensor<1024xf16>) outs(%e1 : tensor<1024x1024xf16>) {
  ^bb0(%x: f32, %c: f16, %o: f16):
    %w = arith.extf %c : f16 to f32
    %v = arith.addf %x, %w : f32
    %g0 = arith.mulf %v, %half : f32
    %g1 = arith.mulf %v, %rsqrt2 : f32
    %g2 = math.erf %g1 : f32
    %g3 = arith.addf %g2, %one : f32
    %y = arith.mulf %g0, %g3 : f32
    %rounded = arith.truncf %y : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<1024x1024xf16>
  return %r : tensor<1024x1024xf16>
}
module attributes {transform.with_named_sequence} {
transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
  %tile_m = transform.tune.knob<"tile_m"> options = [128, 64] -> !transform.any_param
  %tile_n = transform.tune.knob<"tile_n"> options = [128, 64] -> !transform.any_param
  %tile_k = transform.tune.knob<"tile_k"> options = [64, 32] -> !transform.any_param
  %group_m = transform.tune.knob<"group_m"> options = [8, 4] -> !transform.any_param
  %stages = transform.tune.knob<"stages"> options = [3, 4] -> !transform.any_param
  %swizzle = transform.tune.knob<"swizzle"> options = [128, 64] -> !transform.any_param
  %width = transform.tune.knob<"width"> options = [16, 8] -> !transform.any_param
  %warps_m = transform.tune.knob<"warps_m"> options = [2, 4] -> !transform.any_param
  %warps_n = transform.tune.knob<"warps_n"> options = [2, 1] -> !transform.any_param
  %ulp = transform.tune.knob<"ulp"> options = [8, 2] -> !transform.any_param
  %mm, %epi = transform.kz.body %t
  %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [%tile_m, %tile_n] raster group_m(%group_m)
  %m2, %k = transform.kz.tile_loop %m reduction [%tile_k]
  %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(%swizzle) width(%width)
  %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
  transform.kz.pipeline %k ring(%a, %b) stages(%stages)
  transform.kz.tile_warps %m2 warps [%warps_m, %warps_n]
  transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
  transform.kz.epilogue %e on_accumulator
  transform.kz.math %e math(erf) ulp(%ulp)
  transform.yield
}
}
