// RUN: kz-opt %s --verify-roundtrip | FileCheck %s

// CHECK-DAG: #[[ROW:.+]] = #kz.layout<reg [8 : (0, 1), 4 : (0, 2048)], lane [32 : (0, 8)], warp [8 : (0, 256)]>
#row = #kz.layout<reg [8 : (0, 1), 4 : (0, 2048)], lane [32 : (0, 8)], warp [8 : (0, 256)]>
#one = #kz.layout<reg [], lane [32 : (0)], warp [8 : (0)]>
#col = #kz.layout<reg [8 : (1), 4 : (2048)], lane [32 : (8)], warp [8 : (256)]>
!row16 = !kz.tile<1x8192xf16, registers, #row>
!row32 = !kz.tile<1x8192xf32, registers, #row>
!one32 = !kz.tile<1xf32, registers, #one>

// CHECK-LABEL: kz.kernel @rows(%{{.*}}: memref<64x8000xf16> {kz.buffer = 2 : i64}, %{{.*}}: memref<8000xf16>, %{{.*}}: memref<64x8000xf16> {kz.workspace = 0 : i64}) grid [64, 1, 1] threads 256 {
kz.kernel @rows(%x: memref<64x8000xf16> {kz.buffer = 2 : i64}, %v: memref<8000xf16>,
                %y: memref<64x8000xf16> {kz.workspace = 0 : i64}) grid [64, 1, 1] threads 256 {
  // CHECK: %[[I:.+]] = kz.block_id 0
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8000 : index
  %s = arith.constant 2.0 : f32
  // CHECK: %[[T:.+]] = kz.load %{{.*}}[%[[I]], %{{.*}}] extents[%{{.*}}, %{{.*}}] dims [0, 1] pad(0xFC00 : f16) cache(read_only) : memref<64x8000xf16> -> !kz.tile<1x8192xf16, registers, #[[ROW]]>
  %t = kz.load %x[%i, %c0] extents [%c1, %n] dims [0, 1] pad(0xFC00 : f16) cache(read_only) : memref<64x8000xf16> -> !row16
  %w = kz.load %v[%c0] : memref<8000xf16> -> !kz.tile<8192xf16, registers, #col>
  // CHECK: kz.broadcast %{{.*}} dims [0]
  %b = kz.broadcast %w dims [0] : !kz.tile<8192xf16, registers, #col> -> !row16
  // CHECK: kz.map ins(%[[T]], %{{.*}}, %{{.*}} : {{.*}}, f32) -> !kz.tile<1x8192xf32, registers, #[[ROW]]> attributes {kz.math = #kz.math<"exp2", ulp = 2>} {
  %z = kz.map ins(%t, %b, %s : !row16, !row16, f32) -> !row32 attributes {kz.math = #kz.math<"exp2", ulp = 2>} {
  ^bb0(%p: f16, %q: f16, %r: f32):
    // CHECK: kz.index 1
    %j = kz.index 1
    %k = arith.index_cast %j : index to i32
    %l = arith.sitofp %k : i32 to f32
    %0 = arith.extf %p : f16 to f32
    %1 = math.exp2 %0 : f32
    %2 = arith.mulf %1, %r : f32
    %3 = arith.addf %2, %l : f32
    // CHECK: kz.yield %{{.*}} : f32
    kz.yield %3 : f32
  }
  // CHECK: kz.clip %{{.*}} extents[%{{.*}}, %{{.*}}] fill(0.000000e+00 : f32) : !kz.tile
  %c = kz.clip %z extents [%c1, %n] fill(0.0 : f32) : !row32
  // CHECK: kz.reduce max %{{.*}} dims [1] combine [shuffle, shared] : !kz.tile<1x8192xf32, registers, #[[ROW]]> -> !kz.tile<1xf32, registers, #{{.+}}>
  %m = kz.reduce max %c dims [1] combine [shuffle, shared] : !row32 -> !one32
  // CHECK: kz.splat %{{.*}} : f32 -> !kz.tile
  %u = kz.splat %s : f32 -> !one32
  %d = kz.map ins(%m, %u : !one32, !one32) -> !one32 {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.subf %p, %q : f32
    kz.yield %0 : f32
  }
  %e = kz.broadcast %d dims [1] : !one32 -> !row32
  %f = kz.map ins(%e : !row32) -> !row16 {
  ^bb0(%p: f32):
    %0 = arith.truncf %p : f32 to f16
    kz.yield %0 : f16
  }
  // CHECK: kz.store %{{.*}}, %{{.*}}[%[[I]], %{{.*}}] extents[%{{.*}}, %{{.*}}] cache(streaming) : !kz.tile
  kz.store %f, %y[%i, %c0] extents [%c1, %n] cache(streaming) : !row16, memref<64x8000xf16>
  // CHECK: kz.barrier
  kz.barrier
}

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8), 4 : (16, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp [2 : (0, 64), 2 : (64, 0)]>
!a = !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
!b = !kz.tile<64x128xf16, shared, #kz.swizzle<128>>
!acc = !kz.tile<128x128xf32, registers, #acc>

// CHECK-LABEL: kz.kernel @mma_sync
kz.kernel @mma_sync(%x: memref<256x256xf16>, %w: memref<256x256xf16>) grid [2, 2, 1] threads 128 {
  %i = arith.constant 0 : index
  // CHECK: kz.ring : !kz.ring<3, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x128xf16, shared, #kz.swizzle<128>>>
  %r = kz.ring : !kz.ring<3, !a, !b>
  // CHECK: kz.alloc : !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
  %s = kz.alloc : !a
  // CHECK: %{{.*}}:2 = kz.slot %{{.*}}[%{{.*}}] : !kz.ring
  %ta, %tb = kz.slot %r[%i] : !kz.ring<3, !a, !b>
  // CHECK: kz.cp_async %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}} width(16) : memref<256x256xf16>, !kz.tile
  kz.cp_async %x[%i, %i] to %ta width(16) : memref<256x256xf16>, !a
  // CHECK: kz.cp_async_commit
  kz.cp_async_commit
  // CHECK: kz.cp_async_wait 1
  kz.cp_async_wait 1
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // CHECK: kz.mma %{{.*}}, %{{.*}}, %{{.*}} <mma_sync, [16, 8, 16], f32> : !kz.tile
  %d = kz.mma %ta, %tb, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
  // CHECK: kz.mma %{{.*}}, %{{.*}} transposed, %{{.*}} <mma_sync, [16, 8, 16], f32> : !kz.tile
  %e = kz.mma %ta, %s transposed, %d <mma_sync, [16, 8, 16], f32> : !a, !a, !acc
}

#wacc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 32 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0), 2 : (64, 0)]>
!wb = !kz.tile<64x256xf16, shared, #kz.swizzle<128>>
!wacc = !kz.tile<128x256xf32, registers, #wacc>
!wout = !kz.tile<128x256xf16, registers, #wacc>
!ring = !kz.ring<4, !a, !wb>

// CHECK-LABEL: kz.kernel @specialized
kz.kernel @specialized(%x: memref<4096x4096xf16>, %w: memref<4096x4096xf16>, %y: memref<4096x4096xf16>)
    grid [132, 1, 1] threads 384 cluster [1, 1, 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = kz.ring : !ring
  %stage = kz.alloc : !kz.tile<128x128xf16, shared, #kz.swizzle<128>>
  // CHECK: kz.specialize producers(1) registers [40, 232] producer {
  kz.specialize producers(1) registers [40, 232] producer {
    %last = scf.for %k = %c0 to %c64 step %c1 iter_args(%use = %c0) -> index {
      // CHECK: %[[P:.+]]:2 = kz.produce %{{.*}}[%{{.*}}] : !kz.ring
      %a, %b = kz.produce %r[%use] : !ring
      // CHECK: kz.tma_load %{{.*}}[%{{.*}}, %{{.*}}] to %[[P]]#0 : memref<4096x4096xf16>, !kz.tile
      kz.tma_load %x[%c0, %k] to %a : memref<4096x4096xf16>, !a
      kz.tma_load %w[%k, %c0] to %b : memref<4096x4096xf16>, !wb
      %next = arith.addi %use, %c1 : index
      scf.yield %next : index
    }
  // CHECK: } consumer {
  } consumer {
    %z = arith.constant 0.0 : f32
    %zero = kz.splat %z : f32 -> !wacc
    %last, %acc = scf.for %k = %c0 to %c64 step %c1 iter_args(%use = %c0, %c = %zero) -> (index, !wacc) {
      // CHECK: kz.consume %{{.*}}[%{{.*}}] : !kz.ring
      %a, %b = kz.consume %r[%use] : !ring
      %d = kz.mma %a, %b, %c <wgmma, [64, 256, 16], f32> : !a, !wb, !wacc
      // CHECK: kz.mma_wait %{{.*}} pending(0) : !kz.tile
      %e = kz.mma_wait %d pending(0) : !wacc
      // CHECK: kz.release %{{.*}}[%{{.*}}] : !kz.ring
      kz.release %r[%use] : !ring
      %next = arith.addi %use, %c1 : index
      scf.yield %next, %e : index, !wacc
    }
    %h = kz.map ins(%acc : !wacc) -> !wout {
    ^bb0(%p: f32):
      %0 = arith.truncf %p : f32 to f16
      kz.yield %0 : f16
    }
    // CHECK: kz.tma_store %{{.*}} through %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : !kz.tile
    kz.tma_store %h through %stage, %y[%c0, %c0] : !wout, !kz.tile<128x128xf16, shared, #kz.swizzle<128>>, memref<4096x4096xf16>
    // CHECK: kz.tma_store_wait
    kz.tma_store_wait
  }
}
