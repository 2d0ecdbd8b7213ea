// RUN: kz-opt %s --kz-tile-to-nvvm | FileCheck %s

#row = #kz.layout<reg [], lane [32 : (1)], warp []>
!row = !kz.tile<32xf32, registers, #row>

// Two kernels of one task in one module, in their order: the first writes a
// workspace that the second reads. A buffer that a kernel does not touch is no
// argument of it.
// CHECK: gpu.module @kernels
// CHECK: llvm.func @first(%{{.+}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.+}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
// CHECK-SAME: kz.launch = {arguments = [{buffer = 1 : i64, type = memref<64xf32>}, {type = memref<64xf32>, workspace = 0 : i64, written}], block = array<i64: 32, 1, 1>, cluster = array<i64: 2, 1, 1>, grid = array<i64: 2, 1, 1>, shared = 0 : i64}
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 32>
kz.kernel @first(%unused: memref<8xf32>, %x: memref<64xf32>, %w: memref<64xf32> {kz.workspace = 0 : i64})
    grid [2, 1, 1] threads 32 cluster [2, 1, 1] {
  %i = kz.block_id 0
  %c32 = arith.constant 32 : index
  %at = arith.muli %i, %c32 : index
  %t = kz.load %x[%at] : memref<64xf32> -> !row
  kz.store %t, %w[%at] : !row, memref<64xf32>
}

// CHECK: llvm.func @second
// CHECK-SAME: arguments = [{type = memref<64xf32>, workspace = 0 : i64}, {buffer = 2 : i64, type = memref<64xf32>, written}]
// CHECK-NOT: kz.kernel
kz.kernel @second(%w: memref<64xf32> {kz.workspace = 0 : i64}, %y: memref<64xf32> {kz.buffer = 2 : i64})
    grid [2, 1, 1] threads 32 {
  %i = kz.block_id 0
  %c32 = arith.constant 32 : index
  %at = arith.muli %i, %c32 : index
  %t = kz.load %w[%at] : memref<64xf32> -> !row
  kz.store %t, %y[%at] : !row, memref<64xf32>
}
