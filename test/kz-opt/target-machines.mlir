// PTX is made in the process, without a program of the CUDA toolkit.
// RUN: kz-opt %s --nvvm-attach-target="chip=sm_90a features=+ptx80" --gpu-module-to-binary="format=isa" | FileCheck %s

// CHECK: gpu.binary @m
// CHECK-SAME: .target sm_90a
gpu.module @m {
  llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
