// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// CHECK: linalg.matmul {kz.vectorize = #kz.vectorize<lanes = 16, interleave = 2, registers = true>}
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %n = transform.param.constant 2 : i64 -> !transform.any_param
    transform.kz.vectorize %m2 lanes(16) interleave(%n) accumulate(registers)
    transform.yield
  }
}
