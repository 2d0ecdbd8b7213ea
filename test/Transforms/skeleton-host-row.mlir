// A product of one row packs nothing: columns side by side, or sums in parts
// where the columns lie along the sum.
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host defaults' | FileCheck %s
// CHECK: skeleton of 'task'
// CHECK-NEXT: // packing: 2, 1, 0
// CHECK-NEXT: //{{.*}}; 2: nothing is packed
// CHECK: // direct_m: 1 (where packing is 2)
// CHECK: // direct_k: 4, 2, 1, 8 (where packing is 2)
// CHECK: %[[M:.+]], %{{.+}} = transform.kz.tile_grid %{{.+}} tile [1, {{[0-9]+}}]
// CHECK: %[[R:.+]], %{{.+}} = transform.kz.tile_loop %[[M]] reduction [4]
// CHECK: vectorize %[[R]] lanes({{.+}}) accumulate(registers)
func.func @task(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %mm : tensor<1x1024xf32>
}

// -----

// CHECK: skeleton of 'task'
// CHECK: // direct_n: 8, 4, 2, 16 (where packing is 2)
// CHECK: // interleave: 2, 1, 4 (where packing is 2)
// CHECK: %[[M:.+]], %{{.+}} = transform.kz.tile_grid %{{.+}} tile [1, 8]
// CHECK: vectorize %[[M]] lanes({{.+}}) interleave(2) accumulate(registers)
func.func @task(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%f : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  return %mm : tensor<1x1024xf32>
}
