// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --kz-extract-tasks --split-input-file | FileCheck %s

// Heads of a part are transposed out of the whole: the slice is a view in the
// task, and the reshape has moved in front of it.
// CHECK-LABEL: func.func @heads
// CHECK-SAME: (%[[X:.+]]: tensor<1x6x24xf32>)
// CHECK-NEXT: %[[ALL:.+]] = tensor.expand_shape %[[X]] {{.*}} into tensor<1x6x6x4xf32>
// CHECK-NEXT: %[[HEADS:.+]] = tensor.collapse_shape %[[ALL]] {{.*}} into tensor<6x6x4xf32>
// CHECK-NEXT: call @movement_transpose_2x6x4_f32_{{[0-9a-f]+}}(%[[HEADS]])
// CHECK-NOT: tensor.extract_slice
// CHECK: return
// CHECK: func.func private @movement_transpose_2x6x4_f32
// CHECK-SAME: (%[[ARG:.+]]: tensor<6x6x4xf32>)
// CHECK: tensor.extract_slice %[[ARG]][0, 2, 0] [6, 2, 4] [1, 1, 1]
// CHECK: linalg.generic
func.func @heads(%x: tensor<1x6x24xf32>) -> tensor<1x2x6x4xf32> {
  %part = tensor.extract_slice %x[0, 0, 8] [1, 6, 8] [1, 1, 1] : tensor<1x6x24xf32> to tensor<1x6x8xf32>
  %heads = tensor.expand_shape %part [[0], [1], [2, 3]] output_shape [1, 6, 2, 4] : tensor<1x6x8xf32> into tensor<1x6x2x4xf32>
  %e = tensor.empty() : tensor<1x2x6x4xf32>
  %0 = linalg.transpose ins(%heads : tensor<1x6x2x4xf32>) outs(%e : tensor<1x2x6x4xf32>) permutation = [0, 2, 1, 3]
  return %0 : tensor<1x2x6x4xf32>
}

// -----

// Both halves, one of them negated, in another order: one generic that reads
// where each element comes from, together with what is computed of it.
// CHECK-LABEL: func.func @rotate
// CHECK-NEXT: call @elementwise_mul_neg_mul_add_4x8_f32_
// CHECK-NEXT: return
// CHECK: func.func private
// CHECK: linalg.generic
// CHECK: %[[LEFT:.+]] = tensor.extract
// CHECK: %[[NEG:.+]] = arith.negf %[[LEFT]]
// CHECK: %[[RIGHT:.+]] = tensor.extract
// CHECK: arith.select %{{.+}}, %[[RIGHT]], %[[NEG]]
// CHECK-NOT: linalg.generic
#id = affine_map<(m, n) -> (m, n)>
func.func @rotate(%x: tensor<4x8xf32>, %cos: tensor<4x8xf32>, %sin: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %h = tensor.empty() : tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %cos : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %low = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %high = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%high : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %first = tensor.insert_slice %neg into %e[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %both = tensor.insert_slice %low into %first[0, 4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%both, %sin : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}

// -----

// What only moves elements is of its own class: concatenation, padding, steps
// other than 1, slices that are results.
// CHECK-LABEL: func.func @movement
// CHECK: call @movement_concat_2x7_f32_
// CHECK: call @movement_pad_4x6_f32_
// CHECK: call @movement_slice_2x2_f32_
// CHECK: call @movement_slice_1x3_f32_
// CHECK-NOT: tensor.
// CHECK: return
func.func @movement(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>)
    -> (tensor<2x7xf32>, tensor<4x6xf32>, tensor<2x2xf32>, tensor<1x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  %1 = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<4x6xf32>
  %2 = tensor.extract_slice %y[0, 1] [2, 2] [1, 2] : tensor<2x4xf32> to tensor<2x2xf32>
  %3 = tensor.extract_slice %x[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
  return %0, %1, %2, %3 : tensor<2x7xf32>, tensor<4x6xf32>, tensor<2x2xf32>, tensor<1x3xf32>
}

// -----

// Elementwise work behind a product goes through the reshape between them, the
// other operand too.
// CHECK-LABEL: func.func @reshaped_epilogue
// CHECK-SAME: (%[[X:.+]]: tensor<2x3x8xf32>, %[[W:.+]]: tensor<8x4xf32>, %[[R:.+]]: tensor<2x3x4xf32>)
// CHECK-DAG: %[[X2:.+]] = tensor.collapse_shape %[[X]]
// CHECK-DAG: %[[R2:.+]] = tensor.collapse_shape %[[R]]
// CHECK: %[[Y:.+]] = call @matmul_nn_add_6x4x8_f32_{{[0-9a-f]+}}(%[[X2]], %[[W]], %[[R2]])
// CHECK: tensor.expand_shape %[[Y]]
#all = affine_map<(a, b, c) -> (a, b, c)>
func.func @reshaped_epilogue(%x: tensor<2x3x8xf32>, %w: tensor<8x4xf32>, %r: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
  %0 = linalg.matmul ins(%flat, %w : tensor<6x8xf32>, tensor<8x4xf32>) outs(%f : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %e3 = tensor.empty() : tensor<2x3x4xf32>
  %2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %r : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%e3 : tensor<2x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// -----

// A norm is one task, whose statistics run over the rows only; here with the
// dimension that was summed over kept as one of size 1.
// CHECK-LABEL: func.func @rms_norm
// CHECK-COUNT-1: call @rows_mul_add_div_sqrt_div_16x32_f32_
// CHECK-NOT: call
// CHECK: return
// CHECK: func.func private @rows
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: iterator_types = ["parallel"]
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK-NOT: linalg.generic
#rows = affine_map<(a, b, c) -> (a, b)>
#kept = affine_map<(a, b, c) -> (a, b, 0)>
#ident = affine_map<(a, b, c) -> (a, b, c)>
func.func @rms_norm(%x: tensor<1x16x32xf32>) -> tensor<1x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 32.0 : f32
  %er = tensor.empty() : tensor<1x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<1x16xf32>) -> tensor<1x16xf32>
  %sum = linalg.generic {indexing_maps = [#ident, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x16x32xf32>) outs(%f : tensor<1x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  %wide = tensor.expand_shape %sum [[0], [1, 2]] output_shape [1, 16, 1] : tensor<1x16xf32> into tensor<1x16x1xf32>
  %ek = tensor.empty() : tensor<1x16x1xf32>
  %root = linalg.generic {indexing_maps = [#ident, #ident], iterator_types = ["parallel", "parallel", "parallel"]} ins(%wide : tensor<1x16x1xf32>) outs(%ek : tensor<1x16x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.divf %a, %count : f32
    %s = math.sqrt %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x1xf32>
  %e = tensor.empty() : tensor<1x16x32xf32>
  %r = linalg.generic {indexing_maps = [#ident, #kept, #ident], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %root : tensor<1x16x32xf32>, tensor<1x16x1xf32>) outs(%e : tensor<1x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x16x32xf32>
  return %r : tensor<1x16x32xf32>
}
