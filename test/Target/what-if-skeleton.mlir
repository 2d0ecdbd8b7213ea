// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The defaults of a skeleton fit the row, by other values, or by another kernel.
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_80" {shared_bytes_per_block = 32768}>} defaults' > %t.shared
// RUN: kz-opt %t.shared --kz-verify-schedule='target={#kz.target<"x" from "sm_80" {shared_bytes_per_block = 32768}>}' | FileCheck %s --check-prefix=SHARED
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_80" {shared_bytes_per_block = 32768}>}' | FileCheck %s --check-prefix=KNOBS
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_80" {threads_per_block = 64}>} defaults' > %t.threads
// RUN: kz-opt %t.threads --kz-verify-schedule='target={#kz.target<"x" from "sm_80" {threads_per_block = 64}>}' | FileCheck %s --check-prefix=THREADS
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_90a" {threads_per_block = 128}>} defaults' > %t.kernel
// RUN: kz-opt %t.kernel --kz-verify-schedule='target={#kz.target<"x" from "sm_90a" {threads_per_block = 128}>}' | FileCheck %s --check-prefix=KERNEL
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_90a" {tma = false}>} defaults' > %t.tma
// RUN: kz-opt %t.tma --kz-verify-schedule='target={#kz.target<"x" from "sm_90a" {tma = false}>}' | FileCheck %s --check-prefix=KERNEL
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "host" {vector_bytes = 16, vector_registers = 16}>} defaults' > %t.host
// RUN: kz-opt %t.host --kz-verify-schedule='target={#kz.target<"x" from "host" {vector_bytes = 16, vector_registers = 16}>}' | FileCheck %s --check-prefix=HOST

// Where none of its choices fits, the task is refused.
// RUN: not kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_80" {shared_bytes_per_block = 20479}>}' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: kz-opt %s --kz-print-skeleton='target={#kz.target<"x" from "sm_80" {shared_bytes_per_block = 20480}>} defaults' | FileCheck %s --check-prefix=LEAST

// SHARED: pipeline {{.*}} stages(2)
// KNOBS: // stages: 2, 3, 4, 5
// KNOBS-NEXT: all of them fit into 32768 bytes of shared memory
// KNOBS: transform.tune.knob<"stages"> options = [2, 3, 4, 5]
// THREADS: tile_warps {{.*}} warps [2, 1]
// KERNEL-NOT: tma
// KERNEL: copy(cp_async)
// KERNEL-NOT: warp_specialize
// KERNEL: mma_sync
// HOST: tile_loop {{.*}} parallel [8, 4]
// NONE: error: no choice of the skeleton fits x: a block would need 20480 bytes of shared memory, x allows 20479; try stages(1)
// LEAST: tile [16, 64]
// LEAST: stages(2)
func.func @task(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
