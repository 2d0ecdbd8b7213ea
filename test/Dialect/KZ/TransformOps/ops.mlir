// RUN: kz-opt %s --verify-roundtrip | FileCheck %s
// RUN: kz-opt %s --mlir-print-op-generic | kz-opt | FileCheck %s
// RUN: kz-opt %s --emit-bytecode | kz-opt | FileCheck %s

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: @everything
  transform.named_sequence @everything(%t: !transform.any_op {transform.readonly}) {
    // CHECK: %[[P:.+]] = transform.param.constant 4
    %p = transform.param.constant 4 : i64 -> !transform.any_param
    %w = transform.param.constant "plain" -> !transform.any_param
    // CHECK: %{{.+}}, %{{.+}}, %{{.+}} = transform.kz.body %{{.+}}
    %mm, %epi, %sum = transform.kz.body %t
    // CHECK: transform.kz.tile_grid %{{.+}} fuse(%{{.+}}) tile [128, %[[P]]] raster group_m(16) persistent
    %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, %p] raster group_m(16) persistent
    // CHECK: transform.kz.tile_grid %{{.+}} tile [1, 0] raster group_m(%[[P]])
    %s, %grid2 = transform.kz.tile_grid %sum tile [1, 0] raster group_m(%p)
    // CHECK: transform.kz.tile_loop %{{.+}} fuse(%{{.+}}) parallel [8, %[[P]]] order [1, 0]
    %m2, %e2, %l = transform.kz.tile_loop %m fuse(%e) parallel [8, %p] order [1, 0]
    // CHECK: transform.kz.tile_loop %{{.+}} reduction [%[[P]]]
    %m3, %k = transform.kz.tile_loop %m2 reduction [%p]
    // CHECK: transform.kz.stage %{{.+}} operand(0) shared copy(tma) swizzle(128)
    %a = transform.kz.stage %m3 operand(0) shared copy(tma) swizzle(128)
    // CHECK: transform.kz.stage %{{.+}} operand(1) memory panels(%[[P]]) before(%{{.+}})
    %b = transform.kz.stage %m3 operand(1) memory panels(%p) before(%l)
    // CHECK: transform.kz.stage %{{.+}} result(0) shared copy(%{{.+}}) width(%[[P]]) chunk [64, %[[P]]]
    %c = transform.kz.stage %e2 result(0) shared copy(%w) width(%p) chunk [64, %p]
    // CHECK: transform.kz.stage %{{.+}} task_input(2) registers
    %d = transform.kz.stage %e2 task_input(2) registers
    // CHECK: transform.kz.pipeline %{{.+}} ring(%{{.+}}, %{{.+}}) stages(%[[P]])
    transform.kz.pipeline %k ring(%a, %c) stages(%p)
    // CHECK: transform.kz.tile_warps %{{.+}} warpgroups [2, %[[P]]]
    transform.kz.tile_warps %m3 warpgroups [2, %p]
    // CHECK: transform.kz.tile_warps %{{.+}} warps [2, 2]
    transform.kz.tile_warps %m3 warps [2, 2]
    // CHECK: transform.kz.tile_threads %{{.+}} dim(1) threads(%[[P]]) vector(8)
    transform.kz.tile_threads %grid dim(1) threads(%p) vector(8)
    // CHECK: transform.kz.mma %{{.+}} wgmma [64, %[[P]], 16] acc(f32)
    transform.kz.mma %m3 wgmma [64, %p, 16] acc(f32)
    // CHECK: transform.kz.warp_specialize %{{.+}} producers(1) registers(40, %[[P]])
    transform.kz.warp_specialize %k producers(1) registers(40, %p)
    // CHECK: transform.kz.reduce %{{.+}} combine [shuffle, shared]
    transform.kz.reduce %s combine [shuffle, shared]
    // CHECK: transform.kz.math %{{.+}} math(erf) ulp(%[[P]])
    transform.kz.math %e2 math(erf) ulp(%p)
    // CHECK: transform.kz.epilogue %{{.+}} on_accumulator
    transform.kz.epilogue %e2 on_accumulator
    // CHECK: transform.kz.vectorize %{{.+}} lanes(16) interleave(%[[P]]) accumulate(registers)
    transform.kz.vectorize %m3 lanes(16) interleave(%p) accumulate(registers)
    // CHECK: transform.kz.unroll %{{.+}} factor(%[[P]])
    transform.kz.unroll %k factor(%p)
    transform.yield
  }
}
