// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a' | FileCheck %s
// RUN: kz-opt %s --kz-print-skeleton='target=sm_90a defaults' | kz-opt --kz-verify-schedule=target=sm_90a | FileCheck %s --check-prefix=BOUND
// CHECK: // vector: 8, 4, 2, 1
// CHECK-NEXT: //   neighbouring elements of a thread; a power of two up to 16 bytes that divides the row of 8192
// CHECK: // threads: 256, 128, 512, 1024, 64
// CHECK-NEXT: //   threads of a block, which share a row; a thread holds at most 128 elements of it
// CHECK: // ulp_exp_f1: 128, 1, 2
// CHECK: // ulp_div_x: 2, 1
// BOUND: fuse(%{{.+}}, %{{.+}}, %{{.+}}) tile [1]
// BOUND: task_input(0) registers copy(plain)
// BOUND: dim(1) threads(256) vector(8)
// BOUND: combine [shuffle, shared]
// BOUND: math(exp) ulp(128)
// BOUND: combine [shuffle, shared]
func.func @task(%x: tensor<8192x8192xf16>) -> tensor<8192x8192xf16> {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %count = arith.constant 8192.0 : f32
  %er = tensor.empty() : tensor<8192xf32>
  %ef = tensor.empty() : tensor<8192x8192xf32>
  %ex = tensor.empty() : tensor<8192x8192xf16>
  %f0 = linalg.fill ins(%zero : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %fm = linalg.fill ins(%minus_inf : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8192x8192xf16>) outs(%fm : tensor<8192xf32>) {
  ^bb0(%p: f16, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.maximumf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<8192xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %max : tensor<8192x8192xf16>, tensor<8192xf32>) outs(%ef : tensor<8192x8192xf32>) {
  ^bb0(%p: f16, %m: f32, %o: f32):
    %q = arith.extf %p : f16 to f32
    %s = arith.subf %q, %m : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<8192x8192xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp : tensor<8192x8192xf32>) outs(%f0 : tensor<8192xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<8192xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : tensor<8192x8192xf32>, tensor<8192xf32>) outs(%ex : tensor<8192x8192xf16>) {
  ^bb0(%p: f32, %s: f32, %o: f16):
    %q = arith.divf %p, %s : f32
    %rounded = arith.truncf %q : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8192x8192xf16>
  return %r : tensor<8192x8192xf16>
}
