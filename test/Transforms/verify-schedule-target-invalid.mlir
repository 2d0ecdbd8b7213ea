// RUN: not kz-opt %s --kz-verify-schedule=target=sm_70 2>&1 | FileCheck %s
// CHECK: error: unknown target 'sm_70'; known are host, sm_80, sm_90a
module {}
