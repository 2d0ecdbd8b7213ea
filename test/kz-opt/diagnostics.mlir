// An error is a sentence and its place; operations are printed for those who ask.
// RUN: not kz-opt %s --kz-apply-schedules 2>&1 | FileCheck %s
// RUN: not kz-opt %s --kz-apply-schedules --mlir-print-op-on-diagnostic 2>&1 | FileCheck %s --check-prefix=ASKED
// CHECK: error:
// CHECK-NOT: see current operation
// ASKED: see current operation
func.func @task(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
