// RUN: kz-opt %s --transform-interpreter='entry-point=matmul_host debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s
// CHECK: vector<16xf32>
func.func @task(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.70710678118654752 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e0 = tensor.empty() : tensor<512x512xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %mm = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %mm : tensor<512x512xf32>
}

module attributes {transform.with_named_sequence} {
// f32 on the host, vectors of 16
transform.named_sequence @matmul_host(%t: !transform.any_op {transform.readonly}) {
  %mm       = transform.kz.body %t
  %m, %grid = transform.kz.tile_grid %mm tile [64, 0]                      // row blocks: what threads share
  %r, %n    = transform.kz.tile_loop %m parallel [8, 32] order [1, 0]      // the register tile
  %r2, %k   = transform.kz.tile_loop %r reduction [2]                      // k steps per trip, unrolled
  %b = transform.kz.stage %r2 operand(1) memory panels(32) before(%grid)   // B packed once,
  %a = transform.kz.stage %r2 operand(0) memory panels(8) before(%n)       // A once a row block
  transform.kz.vectorize %r2 lanes(16) accumulate(registers)
  transform.yield
}
}
