// RUN: not kz-opt %s --kz-verify-schedule=target=sm_70 2>&1 | FileCheck %s
// CHECK: error: unknown target 'sm_70'; kernels need cp.async and mma.sync of bf16, which came with sm_80; known are host, sm_80, sm_86, sm_89, sm_90a, sm_120, and files of a #kz.target
module {}
