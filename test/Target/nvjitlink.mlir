// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code by the library: the same registers as by ptxas; a kernel that moves
// registers between warps is not left to it.
// REQUIRES: nvjitlink
// RUN: not kz-opt %s --kz-compile-tasks='targets=sm_80,sm_90a ptxas=nvjitlink' -o /dev/null | FileCheck %s

// CHECK: sm_80 task: {{.*}}; {{[1-9][0-9]*}} registers, 0 spilled; {{.*}} mma.sync
// CHECK: sm_90a task: failed: nvJitLink ignores setmaxnreg, on which a kernel depends; use ptxas or the driver
func.func @task(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
