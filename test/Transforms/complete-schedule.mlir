// RUN: kz-opt %s --kz-complete-schedule | FileCheck %s
// Completing twice changes nothing.
// RUN: kz-opt %s --kz-complete-schedule | kz-opt --kz-complete-schedule | FileCheck %s

// CHECK: attributes {kz.lang = #kz.lang<1>}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm, %sum = transform.kz.body %t
    // CHECK: tile [64, 32] raster group_m(0)
    %m, %grid = transform.kz.tile_grid %mm tile [64, 32]
    // CHECK: parallel [8, 8] order [0, 1]
    %m1, %l = transform.kz.tile_loop %m parallel [8, 8]
    // CHECK: reduction [8] order [0]
    %m2, %k = transform.kz.tile_loop %m1 reduction [8]
    // CHECK: operand(0) shared copy(plain) swizzle(0)
    %a = transform.kz.stage %m2 operand(0) shared
    // CHECK: operand(1) memory copy(plain) panels(8) before
    %b = transform.kz.stage %m2 operand(1) memory panels(8) before(%l)
    // CHECK: lanes(8) interleave(1) accumulate(memory)
    transform.kz.vectorize %m2 lanes(8)
    // What was said stays.
    // CHECK: lanes(8) interleave(2) accumulate(registers)
    transform.kz.vectorize %m2 lanes(8) interleave(2) accumulate(registers)
    transform.yield
  }
}
