// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a defaults' | kz-opt --kz-verify-schedule=target=sm_90a | FileCheck %s --check-prefix=BOUND
// CHECK: // skeleton of
// An operand that is computed goes through registers, and so by mma.sync.
// BOUND: transform.kz.tile_grid %{{.+}} fuse(%{{.+}}, %{{.+}})
// BOUND: transform.kz.tile_loop %{{.+}} fuse(%{{.+}}) reduction [64]
// BOUND: operand(0) shared copy(plain) swizzle(128) width(16)
// BOUND: operand(1) shared copy(cp_async)
// BOUND: mma_sync
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @task(%A: tensor<512x200xf16>, %s: tensor<200xf16>, %B: tensor<200x384xf16>) -> tensor<512x384xf16> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512x200xf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%A, %s : tensor<512x200xf16>, tensor<200xf16>) outs(%e0 : tensor<512x200xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %t = arith.mulf %x, %y : f16
    linalg.yield %t : f16
  } -> tensor<512x200xf16>
  %e = tensor.empty() : tensor<512x384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x384xf32>) -> tensor<512x384xf32>
  %r = linalg.matmul ins(%p, %B : tensor<512x200xf16>, tensor<200x384xf16>) outs(%f : tensor<512x384xf32>) -> tensor<512x384xf32>
  %e2 = tensor.empty() : tensor<512x384xf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<512x384xf32>) outs(%e2 : tensor<512x384xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<512x384xf16>
  return %g : tensor<512x384xf16>
}
