// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

!a = !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
!b = !kz.tile<16x24xf16, shared, #kz.swizzle<0>>

// Places: a ring of two slots (each 16384 and 768 bytes, rounded up to 1024),
// then a tile. The copy of the second tile takes half a round: 48 pieces for
// 128 threads.
// CHECK-LABEL: llvm.func @places
// CHECK-SAME: shared = 51200 : i64
// CHECK-DAG: %[[SLOT:.+]] = arith.constant 17408 : i32
// CHECK-DAG: %[[WORKERS:.+]] = arith.constant 48 : i32
// CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: %[[WORKS:.+]] = arith.cmpi ult, %{{.+}}, %[[WORKERS]] : i32
// CHECK: scf.if %[[WORKS]]
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
kz.kernel @places(%x: memref<128x64xf16>, %w: memref<16x24xf16>) grid [1, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a, !b>
  %s = kz.alloc : !a
  %ta, %tb = kz.slot %r[%c0] : !kz.ring<2, !a, !b>
  kz.cp_async %x[%c0, %c0] to %ta width(16) : memref<128x64xf16>, !a
  kz.cp_async %w[%c0, %c0] to %tb width(16) : memref<16x24xf16>, !b
  kz.cp_async_commit
  kz.cp_async_wait 0
  kz.barrier
}

// -----

!a = !kz.tile<16x64xf16, shared, #kz.swizzle<128>>

// Beyond the buffer nothing is read and zeros are written: a size of 0.
// CHECK-LABEL: llvm.func @ragged
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C8:.+]] = arith.constant 8 : i32
// CHECK: %[[SIZE:.+]] = arith.select %{{.+}}, %[[C8]], %[[C0]] : i32
// CHECK: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 8, cache =  ca, %[[SIZE]]
kz.kernel @ragged(%x: memref<20x60xf16>) grid [2, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %i = kz.block_id 0
  %m = arith.muli %i, %c16 : index
  %a = kz.alloc : !a
  kz.cp_async %x[%m, %c0] to %a width(8) : memref<20x60xf16>, !a
}

// -----

#copy = #kz.layout<reg [8 : (0, 1), 8 : (16, 0)], lane [8 : (0, 8), 4 : (1, 0)], warp [4 : (4, 0)]>
!a = !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
!t = !kz.tile<128x64xf16, registers, #copy>

// Rows 16 apart have the same place in the cycle of the swizzle: eight stores
// from one address.
// CHECK-LABEL: llvm.func @put
// CHECK: arith.xori
// CHECK-NOT: arith.xori
// CHECK: %[[AT:.+]] = llvm.getelementptr %{{.+}}[%{{.+}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: llvm.store %{{.+}}, %[[AT]] {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
// CHECK: llvm.getelementptr %{{.+}}[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
kz.kernel @put(%x: memref<128x64xf16>) grid [1, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  %t = kz.load %x[%c0, %c0] : memref<128x64xf16> -> !t
  kz.put %t to %a : !t, !a
}
