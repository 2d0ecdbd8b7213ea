// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp [4 : (0, 256)]>
!row = !kz.tile<1x1024xf16, registers, #row>

// The row of 1000 elements ends on a vector of 8: one test a vector, at full
// width. What is outside is read from the start instead and replaced.
// CHECK-LABEL: llvm.func @ragged
// CHECK-SAME: %[[X:[^:]+]]: !llvm.ptr<1>
// CHECK-DAG: %[[PAD:.+]] = arith.constant 0xFC00 : f16
// CHECK-DAG: %[[N:.+]] = arith.constant 1000 : i32
// CHECK: %[[IN:.+]] = arith.cmpi ult, %{{.+}}, %[[N]] : i32
// CHECK: %[[P:.+]] = arith.select %[[IN]], %{{.+}}, %[[X]] : !llvm.ptr<1>
// CHECK: llvm.load %[[P]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: arith.select %[[IN]], %{{.+}}, %[[PAD]] : f16
// CHECK: scf.if
// CHECK: llvm.store %{{.+}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
kz.kernel @ragged(%x: memref<5x1000xf16>, %y: memref<5x1000xf16>) grid [5, 1, 1] threads 128 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] pad(0xFC00 : f16) : memref<5x1000xf16> -> !row
  kz.store %t, %y[%i, %c0] : !row, memref<5x1000xf16>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp [4 : (0, 256)]>
!row = !kz.tile<1x1024xf16, registers, #row>

// A pitch of 1028 elements keeps groups of four aligned, and the tile fits.
// CHECK-LABEL: llvm.func @pitch
// CHECK-NOT: arith.cmpi
// CHECK-COUNT-2: llvm.load %{{.+}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
// CHECK-NOT: llvm.load
// CHECK-COUNT-2: llvm.store %{{.+}} {alignment = 8 : i64} : vector<4xf16>, !llvm.ptr<1>
kz.kernel @pitch(%x: memref<5x1028xf16>, %y: memref<5x1028xf16>) grid [5, 1, 1] threads 128 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<5x1028xf16> -> !row
  kz.store %t, %y[%i, %c0] : !row, memref<5x1028xf16>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp [4 : (0, 256)]>
!row = !kz.tile<1x1024xf16, registers, #row>

// An odd pitch leaves single elements.
// CHECK-LABEL: llvm.func @odd
// CHECK-COUNT-8: llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
// CHECK-NOT: llvm.load
kz.kernel @odd(%x: memref<5x1025xf16>, %y: memref<5x1025xf16>) grid [5, 1, 1] threads 128 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<5x1025xf16> -> !row
  kz.store %t, %y[%i, %c0] : !row, memref<5x1025xf16>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp [4 : (0, 256)]>
!row = !kz.tile<1x1024xf16, registers, #row>

// A column that is only known to be even allows pairs.
// CHECK-LABEL: llvm.func @column
// CHECK-COUNT-4: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
kz.kernel @column(%x: memref<5x4096xf16>, %y: memref<5x4096xf16>) grid [5, 1, 1] threads 128 {
  %i = kz.block_id 0
  %c2 = arith.constant 2 : index
  %j = arith.muli %i, %c2 : index
  %t = kz.load %x[%i, %j] : memref<5x4096xf16> -> !row
  kz.store %t, %y[%i, %j] : !row, memref<5x4096xf16>
}

// -----

#row = #kz.layout<reg [4 : (0, 1)], lane [32 : (0, 4)], warp []>
!row = !kz.tile<1x128xf32, registers, #row>

// 2^31 bytes and more: offsets have 64 bits.
// CHECK-LABEL: llvm.func @large
// CHECK: arith.extsi %{{.+}} : i32 to i64
// CHECK: llvm.getelementptr %{{.+}}[%{{.+}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
kz.kernel @large(%x: memref<65536x8192xf32>, %y: memref<65536x8192xf32>) grid [65536, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] : memref<65536x8192xf32> -> !row
  kz.store %t, %y[%i, %c0] : !row, memref<65536x8192xf32>
}

// -----

#one = #kz.layout<reg [], lane [32 : (0)], warp [4 : (1)]>
!one = !kz.tile<4xf32, registers, #one>

// Of 32 copies, lane 0's is written.
// CHECK-LABEL: llvm.func @copies
// CHECK-DAG: %[[C0:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[C31:.+]] = arith.constant 31 : i32
// CHECK: %[[TID:.+]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[LANE:.+]] = arith.andi %[[TID]], %[[C31]]
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[LANE]], %[[C0]]
// CHECK: scf.if %[[FIRST]]
// CHECK: llvm.store
kz.kernel @copies(%y: memref<4xf32>) grid [1, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %t = kz.splat %z : f32 -> !one
  kz.store %t, %y[%c0] : !one, memref<4xf32>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp []>
!row = !kz.tile<1x256xf16, registers, #row>

// CHECK-LABEL: llvm.func @hints
// CHECK: "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];"
// CHECK: "st.global.L1::no_allocate.v4.b32 [$0], {$1, $2, $3, $4};"
kz.kernel @hints(%x: memref<4x256xf16>, %y: memref<4x256xf16>) grid [4, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%i, %c0] cache(streaming) : memref<4x256xf16> -> !row
  kz.store %t, %y[%i, %c0] cache(no_allocate) : !row, memref<4x256xf16>
}

// -----

#tile = #kz.layout<reg [4 : (0, 1), 4 : (1, 0)], lane [8 : (0, 4), 4 : (4, 0)], warp []>
!tile = !kz.tile<16x32xf32, registers, #tile>

// Rows of the tile along columns of the buffer: single elements, and the
// tile's columns are a pitch apart.
// CHECK-LABEL: llvm.func @transposed
// CHECK-COUNT-4: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-16: llvm.store %{{.+}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
kz.kernel @transposed(%x: memref<32x64xf32>, %y: memref<64x32xf32>) grid [2, 2, 1] threads 32 {
  %bi = kz.block_id 0
  %bj = kz.block_id 1
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %i = arith.muli %bi, %c16 : index
  %j = arith.muli %bj, %c32 : index
  %a = kz.load %x[%i, %j] : memref<32x64xf32> -> !tile
  kz.store %a, %y[%j, %i] dims [1, 0] : !tile, memref<64x32xf32>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp []>
!row = !kz.tile<1x256xf16, registers, #row>

// Extents beyond which the tile counts as outside; here a multiple of 4.
// CHECK-LABEL: llvm.func @extents
// CHECK: arith.cmpi slt
// CHECK: llvm.load %{{.+}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
kz.kernel @extents(%x: memref<4x256xf16>, %y: memref<4x256xf16>) grid [4, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %i, %c4 : index
  %t = kz.load %x[%i, %c0] extents [%c1, %n] : memref<4x256xf16> -> !row
  kz.store %t, %y[%i, %c0] : !row, memref<4x256xf16>
}

// -----

#row = #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp []>
!row = !kz.tile<1x256xf16, registers, #row>

// A condition that bounds a coordinate takes the mask away.
// CHECK-LABEL: llvm.func @guarded
// CHECK: scf.if
// CHECK-NOT: arith.select
// CHECK: llvm.load
kz.kernel @guarded(%x: memref<4x256xf16>, %y: memref<4x256xf16>) grid [4, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %c4 : index
  scf.if %more {
    %t = kz.load %x[%next, %c0] : memref<4x256xf16> -> !row
    kz.store %t, %y[%i, %c0] : !row, memref<4x256xf16>
  }
}
