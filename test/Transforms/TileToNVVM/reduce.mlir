// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

#row = #kz.layout<reg [4 : (0, 1)], lane [32 : (0, 4)], warp []>
#one = #kz.layout<reg [], lane [32 : (0)], warp []>
!row = !kz.tile<1x128xf32, registers, #row>
!one = !kz.tile<1xf32, registers, #one>

// A tree within the thread, five shuffles, no shared memory. NaN wins.
// CHECK-LABEL: llvm.func @lanes
// CHECK-SAME: shared = 0 : i64
// CHECK-COUNT-3: arith.maximumf
// CHECK-COUNT-5: nvvm.shfl.sync{{ +}}bfly
// CHECK-NOT: nvvm.barrier
kz.kernel @lanes(%x: memref<4x128xf32>, %y: memref<4xf32>) grid [4, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<4x128xf32> -> !row
  %m = kz.reduce max %t dims [1] combine [shuffle] : !row -> !one
  kz.store %m, %y[%i] : !one, memref<4xf32>
}

// -----

#tile = #kz.layout<reg [4 : (0, 1)], lane [8 : (0, 4), 4 : (1, 0)], warp [4 : (4, 0)]>
#cols = #kz.layout<reg [4 : (1)], lane [8 : (4), 4 : (0)], warp [4 : (0)]>
!tile = !kz.tile<16x32xf32, registers, #tile>
!cols = !kz.tile<32xf32, registers, #cols>

// Two bits of the lane go by shuffles, the warps through shared memory: 4
// registers x 8 lanes x 4 warps of 4 bytes. In a loop a second barrier keeps
// the next round off what is still read.
// CHECK-LABEL: llvm.func @columns
// CHECK-SAME: shared = 512 : i64
// CHECK: scf.for
// CHECK-COUNT-8: nvvm.shfl.sync{{ +}}bfly
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK-COUNT-4: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-4: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
kz.kernel @columns(%x: memref<96x32xf32>, %y: memref<32xf32>) grid [1, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 96 : index
  %z = arith.constant 0.0 : f32
  %init = kz.splat %z : f32 -> !cols
  %r = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %init) -> !cols {
    %a = kz.load %x[%i, %c0] : memref<96x32xf32> -> !tile
    %s = kz.reduce add %a dims [0] combine [shuffle, shared] : !tile -> !cols
    %t = kz.map ins(%s, %acc : !cols, !cols) -> !cols {
    ^bb0(%p: f32, %q: f32):
      %0 = arith.addf %p, %q : f32
      kz.yield %0 : f32
    }
    scf.yield %t : !cols
  }
  kz.store %r, %y[%c0] : !cols, memref<32xf32>
}

// -----

#row = #kz.layout<reg [2 : (0, 1)], lane [32 : (0, 2)], warp [2 : (0, 64)]>
#one = #kz.layout<reg [], lane [32 : (0)], warp [2 : (0)]>
!row = !kz.tile<1x128xf32, registers, #row>
!one = !kz.tile<1xf32, registers, #one>

// Without shuffles every thread leaves its part: 64 of 4 bytes.
// CHECK-LABEL: llvm.func @shared
// CHECK-SAME: shared = 256 : i64
// CHECK-NOT: nvvm.shfl.sync{{ +}}bfly
// CHECK: nvvm.barrier0
// CHECK-COUNT-16: llvm.load %{{.+}} : !llvm.ptr<3> -> vector<4xf32>
kz.kernel @shared(%x: memref<4x128xf32>, %y: memref<4xf32>) grid [4, 1, 1] threads 64 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<4x128xf32> -> !row
  %m = kz.reduce add %t dims [1] combine [shared] : !row -> !one
  kz.store %m, %y[%i] : !one, memref<4xf32>
}

// -----

#row = #kz.layout<reg [2 : (0, 1)], lane [32 : (0, 2)], warp []>
#one = #kz.layout<reg [], lane [32 : (0)], warp []>
!row = !kz.tile<1x64xf16, registers, #row>
!one = !kz.tile<1xf16, registers, #one>

// Narrow elements travel in a word.
// CHECK-LABEL: llvm.func @narrow
// CHECK: %[[BITS:.+]] = arith.bitcast %{{.+}} : f16 to i16
// CHECK: %[[WORD:.+]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: nvvm.shfl.sync{{ +}}bfly %{{.+}}, %[[WORD]]
kz.kernel @narrow(%x: memref<4x64xf16>, %y: memref<4xf16>) grid [4, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<4x64xf16> -> !row
  %m = kz.reduce min %t dims [1] combine [shuffle] : !row -> !one
  kz.store %m, %y[%i] : !one, memref<4xf16>
}
