// RUN: kz-opt %s --kz-bind-knobs='values=bm=128,copy=cp_async,loop=1,bk=32' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: kz-opt %s --kz-bind-knobs='values=loop=0 defaults' | FileCheck %s --check-prefixes=CHECK,TWO

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: @schedule
  transform.named_sequence @schedule(%t: !transform.any_op {transform.readonly}) {
    // CHECK-NOT: transform.tune
    %bm = transform.tune.knob<"bm"> options = [64, 128] -> !transform.any_param
    %copy = transform.tune.knob<"copy"> options = ["plain", "cp_async"] -> !transform.any_param
    %ring = transform.tune.knob<"stages"> = 3 from options = [2, 3] -> !transform.any_param
    %mm = transform.kz.body %t
    // ONE: tile [128, 64]
    // TWO: tile [64, 64]
    %m, %grid = transform.kz.tile_grid %mm tile [%bm, 64]
    // What stands in a region that is not taken needs no value.
    // ONE: transform.kz.tile_loop %{{.+}} reduction [32]
    // TWO: transform.kz.tile_loop %{{.+}} reduction [8]
    %m2, %k = transform.tune.alternatives<"loop"> -> !transform.any_op, !transform.any_op {
      %a, %l = transform.kz.tile_loop %m reduction [8]
      transform.yield %a, %l : !transform.any_op, !transform.any_op
    }, {
      %bk = transform.tune.knob<"bk"> options = [16, 32] -> !transform.any_param
      %a, %l = transform.kz.tile_loop %m reduction [%bk]
      transform.yield %a, %l : !transform.any_op, !transform.any_op
    }
    // ONE: copy(cp_async)
    // TWO: copy(plain)
    %s = transform.kz.stage %m2 operand(0) shared copy(%copy) width(16)
    // A selection stays where no value names it.
    // CHECK: stages(3)
    transform.kz.pipeline %k ring(%s) stages(%ring)
    transform.yield
  }
}
