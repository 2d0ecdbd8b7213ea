// RUN: kz-opt %s --kz-print-skeleton='target=host' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=host defaults' | kz-opt --kz-verify-schedule=target=host | FileCheck %s --check-prefix=BOUND
// Short rows come by several.
// RUN: sed 's/x1024x/x128x/g' %s | kz-opt --kz-print-skeleton='target=host defaults' | FileCheck %s --check-prefix=SHORT
// SHORT: tile [4]
// CHECK: // block_rows: 1, 4, 16, 64
// CHECK-NEXT: //   rows of one unit of work; at most 4096
// CHECK-NEXT: // interleave: 4, 1, 2, 8
// CHECK-NEXT: //   vectors side by side, so that sums do not wait for each other
// BOUND: fuse(%{{.+}}, %{{.+}}, %{{.+}}) tile [1]
// BOUND-COUNT-2: interleave(4)
// BOUND: math(exp) ulp(2)
// BOUND-COUNT-2: interleave(4)
// A row is divided by one number.
// BOUND: math(div) ulp(2)
func.func @task(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %count = arith.constant 1024.0 : f32
  %er = tensor.empty() : tensor<4096xf32>
  %ef = tensor.empty() : tensor<4096x1024xf32>
  %ex = tensor.empty() : tensor<4096x1024xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %fm = linalg.fill ins(%minus_inf : f32) outs(%er : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf32>) outs(%fm : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %p, %minus_zero : f32
    %s = arith.maximumf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%ef : tensor<4096x1024xf32>) {
  ^bb0(%p: f32, %m: f32, %o: f32):
    %q = arith.addf %p, %minus_zero : f32
    %s = arith.subf %q, %m : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<4096x1024xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<4096x1024xf32>) outs(%f0 : tensor<4096xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%ex : tensor<4096x1024xf32>) {
  ^bb0(%p: f32, %s: f32, %o: f32):
    %q = arith.divf %p, %s : f32
    linalg.yield %q : f32
  } -> tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
}
