// RUN: kz-opt %s --kz-nvvm-to-ptx='target=sm_90a' --split-input-file | FileCheck %s
// RUN: kz-opt %s --kz-nvvm-to-ptx='target=sm_80' --split-input-file | FileCheck %s --check-prefix=AMPERE

// Loops, vectors, math and inline PTX all reach the text; the L3 form stays.
// CHECK: gpu.module @scale attributes {kz.ptx = "
// CHECK-SAME: .target sm_90a
// CHECK-SAME: .visible .entry scale(
// CHECK-SAME: .reqntid 128
// CHECK-SAME: ld.global.v4.b32
// CHECK-SAME: fma.rn.f32
// CHECK-SAME: cvt.rn.f16x2.f32
// CHECK: scf.for
// AMPERE: .target sm_80
gpu.module @scale {
  llvm.func @scale(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %c512 = arith.constant 512 : i32
    %k = arith.constant dense<2.5> : vector<4xf32>
    scf.for %i = %c0 to %c512 step %c128 : i32 {
      %at = arith.addi %i, %tid : i32
      %px = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
      %v = llvm.load %px {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
      %f = math.fma %v, %k, %v : vector<4xf32>
      %a = vector.extract %f[0] : f32 from vector<4xf32>
      %b = vector.extract %f[1] : f32 from vector<4xf32>
      %h = nvvm.inline_ptx "cvt.rn.f16x2.f32 $0, $1, $2;" ro(%b, %a : f32, f32) -> i32
      %py = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %h, %py : i32, !llvm.ptr<1>
    }
    llvm.return
  }
}

// -----

// The module's own target counts where the option is absent; here both agree.
module attributes {kz.target = "sm_80"} {
  // CHECK: .visible .entry first(
  // CHECK-SAME: .visible .entry second(
  gpu.module @two {
    llvm.func @first() attributes {nvvm.kernel} {
      nvvm.barrier0
      llvm.return
    }
    llvm.func @second() attributes {nvvm.kernel} {
      nvvm.barrier0
      llvm.return
    }
  }
}
