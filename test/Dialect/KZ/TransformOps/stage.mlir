// RUN: kz-opt %s --transform-interpreter=debug-payload-root-tag=task | FileCheck %s

// Operand, result and task input; the epilogue reads the bias whole.
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @task
// CHECK-SAME: %[[A:.+]]: tensor<128x64xf16>, %[[B:.+]]: tensor<64x256xf16>, %[[BIAS:.+]]: tensor<256xf16>
func.func @task(%a: tensor<128x64xf16>, %b: tensor<64x256xf16>, %bias: tensor<256xf16>) -> tensor<128x256xf16> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x256xf16>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %e1 = tensor.empty() : tensor<128x256xf16>
  %q = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%mm, %bias : tensor<128x256xf32>, tensor<256xf16>) outs(%e1 : tensor<128x256xf16>) {
  ^bb0(%x: f32, %y: f16, %o: f16):
    %z = arith.truncf %x : f32 to f16
    %w = arith.addf %z, %y : f16
    linalg.yield %w : f16
  } -> tensor<128x256xf16>
  // Staged once, in front of the loop that is named; slices read it.
  // CHECK: %[[PB:.+]] = kz.staged %[[B]] <memory, panels = 32> : tensor<64x256xf16>
  // CHECK: scf.forall
  // CHECK: %[[SBIAS:.+]] = kz.staged %[[BIAS]] <registers, width = 8> : tensor<256xf16>
  // CHECK: scf.for
  // CHECK: %[[TB:.+]] = tensor.extract_slice %[[PB]]
  // CHECK: %[[SA:.+]] = kz.staged %{{.+}} <shared, copy = cp_async, swizzle = 64, width = 16> : tensor<64x16xf16>
  // CHECK: linalg.matmul ins(%[[SA]], %[[TB]]
  // CHECK: %[[EPI:.+]] = linalg.generic {{.*}} ins(%{{.+}}, %[[SBIAS]]
  // CHECK: %[[OUT:.+]] = kz.staged %[[EPI]] <shared, copy = tma_store, swizzle = 128, chunk = [32, 64]> : tensor<64x256xf16>
  // CHECK: tensor.parallel_insert_slice %[[OUT]]
  return %q : tensor<128x256xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%t: !transform.any_op {transform.readonly}) {
    %mm, %epi = transform.kz.body %t
    %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [64, 0]
    %m2, %k = transform.kz.tile_loop %m reduction [16]
    %b = transform.kz.stage %m2 operand(1) memory panels(32) before(%grid)
    %width = transform.param.constant 16 : i64 -> !transform.any_param
    %copy = transform.param.constant "cp_async" -> !transform.any_param
    %a = transform.kz.stage %m2 operand(0) shared copy(%copy) swizzle(64) width(%width)
    %v = transform.kz.stage %e task_input(2) registers width(8)
    %o = transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) chunk [32, 64]
    transform.yield
  }
}
