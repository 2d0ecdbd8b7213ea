// The space holds the schedules that were written by hand (schedules/host), up
// to the order of steps that do not depend on each other.
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host' | FileCheck %s
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host' --kz-bind-knobs='values=packing=0,block_rows=64,tile_m=8,tile_n=16,tile_k=2,loops=0 defaults' | FileCheck %s --check-prefix=WHOLE
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host' --kz-bind-knobs='values=packing=0,loops=1 defaults' | FileCheck %s --check-prefix=ROWS
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host' --kz-bind-knobs='values=packing=1,block_columns=512,block_depth=512,tile_m=8,tile_n=16,tile_k=2 defaults' | FileCheck %s --check-prefix=PIECES
// CHECK: // skeleton of 'task' on host, 8 knobs
// CHECK-NEXT: // packing: 1, 0
// CHECK-NEXT: //   0: the right operand is packed once, the left one a block of rows at a time; 1: the right one a piece at a time, right before all rows use it
// CHECK-NEXT: // block_rows: {{.*}}(where packing is 0)
// CHECK: // tile_m: 8, {{.*}} (where packing is 0 or 1)
// CHECK: // loops: 0, 1 (where packing is 0)
// CHECK-NEXT: //   0: columns outside, a panel of the right operand stays in the L1 cache while all rows of a block pass; 1: rows outside, a panel of the left operand stays
// CHECK: // block_columns: 512, 256, 1024, 128 (where packing is 1)
// CHECK: // block_depth: 512, {{.*}} (where packing is 1)
// WHOLE: %[[M:.+]], %[[GRID:.+]] = transform.kz.tile_grid %{{.+}} tile [64, 0]
// WHOLE: %[[R:.+]], %[[N:.+]] = transform.kz.tile_loop %[[M]] parallel [8, 16] order [1, 0]
// WHOLE: %[[R2:.+]], %{{.+}} = transform.kz.tile_loop %[[R]] reduction [2]
// WHOLE: stage %[[R2]] operand(1) memory panels(16) before(%[[GRID]])
// WHOLE: stage %[[R2]] operand(0) memory panels(8) before(%[[N]])
// WHOLE: vectorize %[[R2]] lanes({{.+}}) accumulate(registers)
// ROWS: order [0, 1]
// PIECES: %[[M:.+]], %[[GRID:.+]] = transform.kz.tile_grid %{{.+}} tile [0, 512]
// PIECES: %[[D:.+]], %{{.+}} = transform.kz.tile_loop %[[M]] reduction [512]
// PIECES: %[[C:.+]], %{{.+}} = transform.kz.tile_loop %[[D]] parallel [0, 16]
// PIECES: %[[R:.+]], %[[I:.+]] = transform.kz.tile_loop %[[C]] parallel [8, 0]
// PIECES: %[[R2:.+]], %{{.+}} = transform.kz.tile_loop %[[R]] reduction [2]
// PIECES: stage %[[R2]] operand(1) memory panels(16) before(%[[I]])
// PIECES: stage %[[R2]] operand(0) memory panels(8) before(%[[GRID]])
// PIECES: vectorize %[[R2]] lanes({{.+}}) accumulate(registers)
func.func @task(%a: tensor<128x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<128x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<128x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  return %mm : tensor<128x1024xf32>
}
