// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s
// RUN: kz-opt %kz_src/schedules/tile/gemm_wgmma.mlir --kz-tile-to-nvvm | FileCheck %s --check-prefix=GEMM
// RUN: kz-opt %kz_src/schedules/tile/gemm_wgmma_bias_gelu.mlir --kz-tile-to-nvvm | FileCheck %s --check-prefix=GELU

// The whole warp-specialised kernel: 132 blocks, three tensor maps, slots of
// 48 KiB, staging of 32 KiB, two barriers a slot.
// GEMM: llvm.func @gemm(%[[A:.+]]: !llvm.ptr {{.*}}nvvm.grid_constant}, %[[B:.+]]: !llvm.ptr {{.*}}nvvm.grid_constant}, %[[C:.+]]: !llvm.ptr {{.*}}nvvm.grid_constant})
// GEMM-SAME: box = array<i64: 128, 64>
// GEMM-SAME: box = array<i64: 64, 64>
// GEMM-SAME: box = array<i64: 64, 64>
// GEMM-SAME: written
// GEMM-SAME: grid = array<i64: 132, 1, 1>
// GEMM-SAME: shared = 230400
// GEMM-COUNT-8: nvvm.mbarrier.init
// GEMM: nvvm.fence.mbarrier.init
// GEMM-COUNT-3: nvvm.prefetch tensormap
// GEMM: nvvm.barrier0
// GEMM: nvvm.setmaxregister decrease 40
// GEMM: nvvm.mbarrier.try_wait.parity
// GEMM: nvvm.mbarrier.arrive.expect_tx
// One box of A, four of B.
// GEMM-COUNT-5: nvvm.cp.async.bulk.tensor.shared.cluster.global
// GEMM: nvvm.setmaxregister increase 232
// The first step takes zeros, the loop carries one struct of 128 registers.
// GEMM: %[[ZERO:.+]] = llvm.mlir.zero
// GEMM: nvvm.wgmma.fence.aligned
// GEMM-COUNT-4: nvvm.wgmma.mma_async {{.*}}<m = 64, n = 256, k = 16>
// GEMM: nvvm.wgmma.commit.group.sync.aligned
// GEMM: scf.for
// GEMM-COUNT-4: nvvm.wgmma.mma_async
// GEMM: nvvm.wgmma.wait.group.sync.aligned 1
// GEMM: nvvm.mbarrier.arrive
// GEMM: llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 0;"
// GEMM: nvvm.cp.async.bulk.wait_group 0 {read}
// GEMM: nvvm.inline_ptx "cvt.rn.f16x2.f32
// GEMM-COUNT-8: nvvm.stmatrix
// GEMM: nvvm.fence.proxy
// GEMM-COUNT-2: nvvm.cp.async.bulk.tensor.global.shared.cta
// GEMM: nvvm.cp.async.bulk.commit.group
// GEMM: nvvm.cp.async.bulk.wait_group 0

// The bias is read once a column, in pairs, and no erf is left.
// GELU: llvm.func @gemm_bias_gelu
// GELU-NOT: math.erf

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0), 2 : (0, 64)]>
!sums = !kz.tile<64x128xf32, registers, #acc>
!a = !kz.tile<64x64xbf16, shared, #kz.swizzle<128>>
!b = !kz.tile<128x64xbf16, shared, #kz.swizzle<128>>
!chunk = !kz.tile<64x64xf32, shared, #kz.swizzle<128>>
!ring = !kz.ring<2, !a, !b>

// bf16, B stored N x K, warpgroups side by side along N, results of f32 that
// stmatrix cannot move, three-dimensional buffers.
// CHECK: llvm.func @batched
// CHECK-SAME: box = array<i64: 1, 64, 64>
// CHECK-SAME: box = array<i64: 1, 128, 64>
// CHECK-SAME: box = array<i64: 1, 64, 32>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}box[%{{.+}}, %{{.+}}, %{{.+}}]
// CHECK: nvvm.setmaxregister decrease 160
// CHECK: nvvm.wgmma.mma_async {{.*}}<m = 64, n = 64, k = 16>
// CHECK-SAME: <bf16>, {{.*}}<one>, {{.*}}<row>
// CHECK-SAME: <bf16>, {{.*}}<one>, {{.*}}<col>
// CHECK-NOT: nvvm.stmatrix
// CHECK: llvm.store {{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
kz.kernel @batched(%a: memref<2x64x64xbf16>, %b: memref<2x128x64xbf16>, %c: memref<2x64x128xf32>) grid [2, 1, 1] threads 384 {
  %ring = kz.ring : !ring
  %staging = kz.alloc : !chunk
  %z = kz.block_id 0
  %c0 = arith.constant 0 : index
  kz.specialize producers(1) registers [24, 160] producer {
    %sa, %sb = kz.produce %ring[%c0] : !ring
    kz.tma_load %a[%z, %c0, %c0] to %sa : memref<2x64x64xbf16>, !a
    kz.tma_load %b[%z, %c0, %c0] to %sb : memref<2x128x64xbf16>, !b
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %sa, %sb = kz.consume %ring[%c0] : !ring
    %0 = kz.mma %sa, %sb transposed, %none <wgmma, [64, 64, 16], f32> : !a, !b, !sums
    %1 = kz.mma_wait %0 pending(0) : !sums
    kz.release %ring[%c0] : !ring
    kz.tma_store %1 through %staging, %c[%z, %c0, %c0] : !sums, !chunk, memref<2x64x128xf32>
    kz.tma_store_wait
  }
}
