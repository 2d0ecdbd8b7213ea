// RUN: kz-opt %s --kz-verify-schedule=target=sm_90a -o /dev/null
// RUN: kz-opt %s --transform-interpreter='entry-point=softmax_rows debug-payload-root-tag=task' --kz-to-tile=target=sm_90a --kz-tile-to-nvvm | FileCheck %s
// The row is read once.
// CHECK: nvvm.shfl.sync
// CHECK: nvvm.barrier
// CHECK: llvm.nvvm.ex2.approx.ftz
func.func @task(%x: tensor<8192x8192xf16>) -> tensor<8192x8192xf16> attributes {transform.target_tag = "task"} {
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

module attributes {transform.with_named_sequence} {
// f16 8192 x 8192
transform.named_sequence @softmax_rows(%t: !transform.any_op {transform.readonly}) {
  %max, %exp, %sum, %div = transform.kz.body %t
  %d, %m, %x, %s, %grid  = transform.kz.tile_grid %div fuse(%max, %exp, %sum) tile [1, 0]  // a block a row
  %in = transform.kz.stage %d task_input(0) registers copy(plain) width(16)                // read once
  transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
  transform.kz.reduce %m combine [shuffle, shared]
  transform.kz.reduce %s combine [shuffle, shared]
  transform.kz.math %x math(exp) ulp(128)                                                  // enough for f16
  transform.kz.math %d math(div) ulp(2)
  transform.yield
}
}
