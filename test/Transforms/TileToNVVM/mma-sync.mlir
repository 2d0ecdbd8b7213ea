// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file | FileCheck %s

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x32xf16, shared, #kz.swizzle<64>>
!b = !kz.tile<32x16xf16, shared, #kz.swizzle<32>>
!acc = !kz.tile<16x16xf32, registers, #acc>

// B stored K x N is read transposed; both steps' fragments come first.
// CHECK-LABEL: llvm.func @nn
// CHECK: nvvm.ldmatrix %{{.+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.+}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK-COUNT-4: nvvm.mma.sync {{.+}}layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK-NOT: nvvm.mma.sync
kz.kernel @nn(%y: memref<16x16xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
  kz.store %d, %y[%c0, %c0] : !acc, memref<16x16xf32>
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 3 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xbf16, shared, #kz.swizzle<32>>
!b = !kz.tile<24x16xbf16, shared, #kz.swizzle<32>>
!acc = !kz.tile<16x24xf32, registers, #acc>

// B stored N x K is read as it is; the third block of columns by itself.
// CHECK-LABEL: llvm.func @nt
// CHECK: nvvm.ldmatrix {{.+}}num = 4
// CHECK: nvvm.ldmatrix {{.+}}layout = #nvvm.mma_layout<row>, num = 4
// CHECK: nvvm.ldmatrix {{.+}}layout = #nvvm.mma_layout<row>, num = 2
// CHECK-COUNT-3: nvvm.mma.sync {{.+}}multiplicandAPtxType = #nvvm.mma_type<bf16>{{.+}}(i32, i32, f32)
kz.kernel @nt(%y: memref<16x24xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  %d = kz.mma %a, %b transposed, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
  kz.store %d, %y[%c0, %c0] : !acc, memref<16x24xf32>
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!ring = !kz.ring<2, !a, !a>
!acc = !kz.tile<16x16xf32, registers, #acc>

// The loop is written a step late: 4 + 4 words of fragments go round beside 8
// sums. The last round, which copies nothing, is a loop of its own and asks for
// its own slot again.
// CHECK-LABEL: llvm.func @ring
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK: scf.for {{.+}} -> (f32, f32, f32, f32, f32, f32, f32, f32, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)
// CHECK-NOT: scf.if
// CHECK-NOT: arith.minsi
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: scf.for
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: arith.minsi
// CHECK-COUNT-2: nvvm.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync
// CHECK: scf.yield
kz.kernel @ring(%x: memref<16x128xf16>, %y: memref<16x16xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %r = kz.ring : !ring
  %z = arith.constant 0.0 : f32
  %init = kz.splat %z : f32 -> !acc
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %init) -> !acc {
    kz.cp_async_wait 0
    kz.barrier
    %ahead = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %ahead, %c8 : index
    scf.if %more {
      %k = arith.muli %ahead, %c16 : index
      %na, %nb = kz.slot %r[%ahead] : !ring
      kz.cp_async %x[%c0, %k] to %na width(16) : memref<16x128xf16>, !a
      kz.cp_async %x[%c0, %k] to %nb width(16) : memref<16x128xf16>, !a
    }
    kz.cp_async_commit
    %a, %b = kz.slot %r[%i] : !ring
    %d = kz.mma %a, %b transposed, %c <mma_sync, [16, 8, 16], f32> : !a, !a, !acc
    scf.yield %d : !acc
  }
  kz.store %sum, %y[%c0, %c0] : !acc, memref<16x16xf32>
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 2 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!acc = !kz.tile<16x16xf32, registers, #acc>

// A second barrier: the loop stays as it is written.
// CHECK-LABEL: llvm.func @barriers
// CHECK-NOT: nvvm.ldmatrix
// CHECK: scf.for {{.+}} -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK: nvvm.ldmatrix
// CHECK: nvvm.barrier0
kz.kernel @barriers(%x: memref<16x128xf16>, %y: memref<16x16xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = kz.alloc : !a
  %z = arith.constant 0.0 : f32
  %init = kz.splat %z : f32 -> !acc
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%c = %init) -> !acc {
    %k = arith.muli %i, %c16 : index
    kz.cp_async %x[%c0, %k] to %a width(16) : memref<16x128xf16>, !a
    kz.cp_async_commit
    kz.cp_async_wait 0
    kz.barrier
    %d = kz.mma %a, %a transposed, %c <mma_sync, [16, 8, 16], f32> : !a, !a, !acc
    kz.barrier
    scf.yield %d : !acc
  }
  kz.store %sum, %y[%c0, %c0] : !acc, memref<16x16xf32>
}
