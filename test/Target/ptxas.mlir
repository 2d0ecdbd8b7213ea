// The toolkit's assembler takes what we write.
// REQUIRES: ptxas
// RUN: kz-run %s --target=sm_90a --compile-only | FileCheck %s

// CHECK: kernel copy: {{[0-9]+}} registers, 0 bytes of spills, 0 bytes of static shared memory
// CHECK: ptxas {{[0-9.]+}} ms
gpu.module @m {
  llvm.func @copy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {
      grid = array<i64: 1, 1, 1>, block = array<i64: 128, 1, 1>, shared = 0 : i64,
      arguments = [{buffer = 0 : i64, type = memref<128xf32>}, {buffer = 1 : i64, type = memref<128xf32>, written}]}} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %px = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %px : !llvm.ptr<1> -> f32
    %py = llvm.getelementptr %y[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %py : f32, !llvm.ptr<1>
    llvm.return
  }
}
