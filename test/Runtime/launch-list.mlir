// RUN: kz-opt %s --kz-print-launch-list -o /dev/null | FileCheck %s

// Innermost dimension first in a tensor map; pitches in bytes.
// CHECK: "buffer": 0
// CHECK: "element": "bf16"
// CHECK: "box": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 128
// CHECK: "byte_strides": [
// CHECK-NEXT: 1024
// CHECK: "dims": [
// CHECK-NEXT: 512,
// CHECK-NEXT: 256
// CHECK: "swizzle": 128
// CHECK: "workspace": 0
// CHECK: "cluster": [
// CHECK-NEXT: 2,
// CHECK: "shared_bytes": 1024
// CHECK: "workspace_bytes": [
// CHECK-NEXT: 4096
module attributes {kz.workspace = array<i64: 4096>} {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}, %w: !llvm.ptr<1>) attributes {nvvm.kernel, kz.launch = {
        grid = array<i64: 4, 1, 1>, block = array<i64: 128, 1, 1>, cluster = array<i64: 2, 1, 1>, shared = 1024 : i64,
        arguments = [{buffer = 0 : i64, type = memref<256x512xbf16>, box = array<i64: 128, 64>, swizzle = 128 : i64},
                     {workspace = 0 : i64, type = memref<1024xf32>, written}]}} {
      llvm.return
    }
  }
}
