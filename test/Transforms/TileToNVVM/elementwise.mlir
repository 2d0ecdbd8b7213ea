// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

#t = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
#v = #kz.layout<reg [2 : (1)], lane [4 : (2), 8 : (0)], warp []>
!t = !kz.tile<16x8xf16, registers, #t>
!v = !kz.tile<8xf16, registers, #v>

// A broadcast moves nothing: both rows of a thread add the same two values.
// Pairs are worked on together.
// CHECK-LABEL: llvm.func @bias
// CHECK: %[[A:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> vector<2xf16>
// CHECK: %[[A0:.+]] = llvm.extractelement %[[A]]
// CHECK: %[[B:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> vector<2xf16>
// CHECK: %[[V:.+]] = llvm.load %{{.+}} : !llvm.ptr<1> -> vector<2xf16>
// CHECK: %[[V0:.+]] = llvm.extractelement %[[V]]
// CHECK: %[[V1:.+]] = llvm.extractelement %[[V]]
// CHECK: arith.addf %[[A0]], %[[V0]] : f16
// CHECK-NEXT: arith.addf %{{.+}}, %[[V1]] : f16
// CHECK: arith.addf %{{.+}}, %[[V0]] : f16
// CHECK-NEXT: arith.addf %{{.+}}, %[[V1]] : f16
kz.kernel @bias(%x: memref<16x8xf16>, %w: memref<8xf16>, %y: memref<16x8xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.load %x[%c0, %c0] : memref<16x8xf16> -> !t
  %b = kz.load %w[%c0] : memref<8xf16> -> !v
  %bb = kz.broadcast %b dims [0] : !v -> !t
  %o = kz.map ins(%a, %bb : !t, !t) -> !t {
  ^bb0(%p: f16, %q: f16):
    %0 = arith.addf %p, %q : f16
    kz.yield %0 : f16
  }
  kz.store %o, %y[%c0, %c0] : !t, memref<16x8xf16>
}

// -----

#row = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
!row = !kz.tile<64xf32, registers, #row>

// The coordinate of an element: the thread's first, and a constant.
// CHECK-LABEL: llvm.func @index
// CHECK-DAG: %[[C1:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.+]] = arith.constant 2 : i32
// CHECK: %[[LANE:.+]] = arith.andi
// CHECK: %[[BASE:.+]] = arith.muli %[[LANE]], %[[C2]] : i32
// CHECK: %[[NEXT:.+]] = arith.addi %[[BASE]], %[[C1]] : i32
// CHECK: arith.sitofp %[[BASE]] : i32 to f32
// CHECK: arith.sitofp %[[NEXT]] : i32 to f32
kz.kernel @index(%y: memref<64xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %o = kz.map -> !row {
    %i = kz.index 0
    %w = arith.index_cast %i : index to i32
    %f = arith.sitofp %w : i32 to f32
    kz.yield %f : f32
  }
  kz.store %o, %y[%c0] : !row, memref<64xf32>
}

// -----

#row = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
!row = !kz.tile<64xf32, registers, #row>

// Both extents are tested against the thread's coordinates; an extent that
// covers the tile would not be.
// CHECK-LABEL: llvm.func @clip
// CHECK-DAG: %[[FILL:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[N:.+]] = arith.constant 50 : i32
// CHECK: %[[IN:.+]] = arith.cmpi slt, %{{.+}}, %[[N]] : i32
// CHECK: arith.select %[[IN]], %{{.+}}, %[[FILL]] : f32
kz.kernel @clip(%x: memref<64xf32>, %y: memref<64xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %n = arith.constant 50 : index
  %t = kz.load %x[%c0] : memref<64xf32> -> !row
  %o = kz.clip %t extents [%n] fill(1.0 : f32) : !row
  kz.store %o, %y[%c0] : !row, memref<64xf32>
}

// -----

#row = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
!row = !kz.tile<64xf32, registers, #row>

// Tiles that a loop or a condition gives are as many values as registers.
// CHECK-LABEL: llvm.func @control
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (f32, f32) : i32
// CHECK: scf.if %{{.+}} -> (f32, f32)
kz.kernel @control(%x: memref<8x64xf32>, %y: memref<64xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %init = kz.splat %z : f32 -> !row
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %init) -> !row {
    %half = arith.cmpi ult, %i, %c4 : index
    %next = scf.if %half -> !row {
      %t = kz.load %x[%i, %c0] : memref<8x64xf32> -> !row
      scf.yield %t : !row
    } else {
      scf.yield %acc : !row
    }
    scf.yield %next : !row
  }
  kz.store %r, %y[%c0] : !row, memref<64xf32>
}
