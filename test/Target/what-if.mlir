// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not kz-opt %s --kz-verify-schedule=target=%S/Inputs/small.mlir 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not kz-opt %s --kz-verify-schedule=target=%S/Inputs/small-module.mlir 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not kz-opt %s --kz-verify-schedule=target=%S/Inputs/plain.mlir 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: kz-opt %s --kz-print-skeleton='target=%S/Inputs/plain.mlir defaults' | FileCheck %s --check-prefix=DEFAULT
// RUN: kz-opt %s --kz-verify-schedule=target=sm_80 -o /dev/null
// RUN: not kz-opt %s --kz-print-skeleton=target=%S/Inputs/small.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: kz-opt %s --transform-interpreter='entry-point=by_hand debug-payload-root-tag=task' --kz-to-tile=target=%S/Inputs/small.mlir | FileCheck %s --check-prefix=KEPT
// RUN: kz-opt %s --transform-interpreter='entry-point=by_hand debug-payload-root-tag=task' --kz-to-tile=target=%S/Inputs/small.mlir --kz-tile-to-nvvm --kz-nvvm-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: not kz-opt %s --kz-print-skeleton=target=%S/Inputs/none-in-it.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not kz-opt %s --kz-print-skeleton=target=/dev/zero 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: sh -c 'echo "module attributes {kz.target = \"%S/Inputs/small.mlir\"} {}" > %t.mlir'
// RUN: not kz-opt %t.mlir --kz-nvvm-to-ptx 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not kz-opt %t.mlir --kz-to-tile 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not kz-tune model.onnx --target %S/Inputs/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

// LIMIT: a block would need 49152 bytes of shared memory, small allows 16384
// PLAIN: plain has no cp.async; accepted is plain
// PLAIN: plain has no mma.sync; accepted is fma
// DEFAULT-COUNT-2: shared copy(plain)
// DEFAULT: fma [4, 8, 1]
// NAME: no choice of the skeleton fits small: a block would need 20480 bytes of shared memory, small allows 16384
// KEPT: kz.target = "#kz.target<\22small\22 from \22sm_80\22 {multiprocessors = 10 : i64, shared_bytes_per_block = 16384 : i64}>"
// PTX: .target sm_80
// NONE: none-in-it.mlir: it holds no #kz.target, alone or as kz.target of its module
// DEVICE: target file /dev/zero is no regular file; accepted are regular files of at most 1048576 bytes
// PATH: unknown target '{{.*}}small.mlir'; known are host
// MISSING: target file {{.*}}none.mlir cannot be read: No such file or directory
module attributes {transform.with_named_sequence} {
  func.func @task(%a: tensor<256x256xf16>, %b: tensor<256x256xf16>) -> tensor<256x256xf32> attributes {transform.target_tag = "task"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<256x256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
    return %0 : tensor<256x256xf32>
  }
  transform.named_sequence @by_hand(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [64, 64]
    %m2, %k = transform.kz.tile_loop %m reduction [64]
    %a = transform.kz.stage %m2 operand(0) shared copy(cp_async) swizzle(128) width(16)
    %b = transform.kz.stage %m2 operand(1) shared copy(cp_async) swizzle(128) width(16)
    transform.kz.pipeline %k ring(%a, %b) stages(3)
    transform.kz.tile_warps %m2 warps [2, 2]
    transform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)
    transform.yield
  }
}
