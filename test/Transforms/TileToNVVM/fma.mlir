// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

#acc = #kz.layout<reg [4 : (0, 1), 2 : (4, 0)], lane [8 : (0, 4), 4 : (1, 0)], warp []>
!a = !kz.tile<8x8xf32, shared, #kz.swizzle<0>>
!b = !kz.tile<8x32xf32, shared, #kz.swizzle<0>>
!acc = !kz.tile<8x32xf32, registers, #acc>

// Two rows of A, four steps each, and four rows of B, four columns each, for 32
// products; twice. Rows as they lie: distances are constants.
// CHECK-LABEL: llvm.func @nn
// CHECK-COUNT-6: llvm.load {{.+}}alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-32: math.fma {{.+}} : f32
// CHECK-COUNT-6: llvm.load {{.+}}-> vector<4xf32>
// CHECK-COUNT-32: math.fma
// CHECK-NOT: math.fma
// CHECK-NOT: arith.xori
kz.kernel @nn(%y: memref<8x32xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  %d = kz.mma %a, %b, %c <fma, [4, 8, 1], f32> : !a, !b, !acc
  kz.store %d, %y[%c0, %c0] : !acc, memref<8x32xf32>
}

// -----

#acc = #kz.layout<reg [2 : (0, 8)], lane [8 : (0, 1), 4 : (1, 0)], warp []>
!a = !kz.tile<4x16xi8, shared, #kz.swizzle<0>>
!b = !kz.tile<16x16xi8, shared, #kz.swizzle<0>>
!acc = !kz.tile<4x16xi32, registers, #acc>

// N x K: rows of B along the sum; bytes widened with their sign.
// CHECK-LABEL: llvm.func @nt
// CHECK-COUNT-3: llvm.load {{.+}}-> vector<16xi8>
// CHECK: arith.extsi {{.+}} : i8 to i32
// CHECK-COUNT-32: arith.muli
kz.kernel @nt(%y: memref<4x16xi32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0 : i32
  %c = kz.splat %z : i32 -> !acc
  %d = kz.mma %a, %b transposed, %c <fma, [4, 8, 1], i32> : !a, !b, !acc
  kz.store %d, %y[%c0, %c0] : !acc, memref<4x16xi32>
}

// -----

#row = #kz.layout<reg [], lane [32 : (1)], warp []>

// A gather: coordinates beyond the buffer read its first row; one bit is a byte.
// CHECK-LABEL: llvm.func @fetch
// CHECK: arith.cmpi ult
// CHECK: arith.select
// CHECK: llvm.getelementptr {{.+}}, i8
// CHECK: llvm.load {{.+}} : !llvm.ptr<1> -> i8
// CHECK: arith.trunci {{.+}} : i8 to i1
// CHECK: arith.extui {{.+}} : i1 to i8
kz.kernel @fetch(%at: memref<32xi64>, %table: memref<100x3xi1>, %y: memref<32xi1>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %i = kz.load %at[%c0] : memref<32xi64> -> !kz.tile<32xi64, registers, #row>
  %v = kz.map ins(%i : !kz.tile<32xi64, registers, #row>) -> !kz.tile<32xi1, registers, #row> {
  ^bb0(%n: i64):
    %r = arith.index_cast %n : i64 to index
    %c = arith.constant 2 : index
    %x = kz.fetch %table[%r, %c] : memref<100x3xi1> -> i1
    kz.yield %x : i1
  }
  kz.store %v, %y[%c0] : !kz.tile<32xi1, registers, #row>, memref<32xi1>
}
