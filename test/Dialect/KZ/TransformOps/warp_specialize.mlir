// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// CHECK: kz.roles = #kz.roles<producers = 1, producerRegisters = 40, consumerRegisters = 232>
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %f: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {transform.target_tag = "task"} {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    %m, %grid = transform.kz.tile_grid %mm tile [128, 128]
    %m2, %k = transform.kz.tile_loop %m reduction [32]
    %a = transform.kz.stage %m2 operand(0) shared
    transform.kz.pipeline %k ring(%a) stages(2)
    %n = transform.param.constant 232 : i64 -> !transform.any_param
    transform.kz.warp_specialize %k producers(1) registers(40, %n)
    transform.yield
  }
}
