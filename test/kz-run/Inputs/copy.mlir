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
