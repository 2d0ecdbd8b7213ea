// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a task stays in a folder, where its instructions are counted: rows
// that a transposition keeps are moved 16 bytes at a time, by every thread.
// REQUIRES: ptxas
// RUN: rm -rf %t && kz-opt %s --kz-compile-tasks='targets=sm_80 save=%t' -o /dev/null | FileCheck %s
// RUN: %python %kz_src/scripts/ptx_histogram.py %t/sm_80-heads.ptx | FileCheck %s --check-prefix=PTX
// RUN: %python %kz_src/scripts/ptx_histogram.py %t/sm_80-heads.ptx --filter=v4 | FileCheck %s --check-prefix=ONLY
// RUN: kz-opt %s --kz-compile-tasks='targets={#kz.target<"x" from "sm_80" {clock_mhz = 100}>} save=%t' -o /dev/null
// RUN: kz-opt %s --kz-compile-tasks='targets={#kz.target<"x" from "sm_80" {clock_mhz = 200}>} save=%t' -o /dev/null
// RUN: sh -c 'ls %t/x-*-heads.ptx' | count 2
// RUN: not %python %kz_src/scripts/ptx_histogram.py %t/none.ptx 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not kz-opt %s --kz-compile-tasks='targets=sm_80 save=%s' -o /dev/null | FileCheck %s --check-prefix=FILE
// CHECK: sm_80 heads: 384 x 256 threads, 0 shared; {{[0-9]+}} registers, 0 spilled; 1 ld.global.v4, 1 shfl.sync, 1 st.global.v4
// PTX-DAG: 1 ld.global{{.*}}.v4
// PTX-DAG: 1 st.global.v4
// PTX-DAG: 1 ret
// ONLY: 1 ld.global{{.*}}v4{{.*}}
// ONLY: 1 st.global{{.*}}v4{{.*}}
// ONLY-NOT: {{.}}
// NONE: none.ptx cannot be read: No such file or directory
// FILE: sm_80 heads: failed: the code cannot be written: '{{.*}}compile-tasks-save.mlir/sm_80-heads.ptx': Not a directory

func.func @heads(%x: tensor<8x12x128x64xf16>) -> tensor<8x128x12x64xf16> {
  %e = tensor.empty() : tensor<8x128x12x64xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b, h, s, d)>, affine_map<(b, s, h, d) -> (b, s, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<8x12x128x64xf16>) outs(%e : tensor<8x128x12x64xf16>) {
  ^bb0(%p: f16, %o: f16):
    linalg.yield %p : f16
  } -> tensor<8x128x12x64xf16>
  return %0 : tensor<8x128x12x64xf16>
}
