// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --split-input-file --kz-lower-to-host | FileCheck %s

// Rows that are gathered are copied as vectors: neighbours along the vector are
// neighbours in the table, whatever index the row has.
// CHECK-LABEL: llvm.func @entry
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.insertelement
// CHECK: llvm.store {{.*}} : vector<16xf32>
func.func @task(%table: tensor<100x64xf32>, %rows: tensor<8xi64>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
       ins(%rows : tensor<8xi64>) outs(%e : tensor<8x64xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %j = linalg.index 1 : index
    %r = tensor.extract %table[%i, %j] : tensor<100x64xf32>
    linalg.yield %r : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

// Every third element: lane by lane, and lanes beyond the end read what the
// last one inside reads, never behind the tensor.
// CHECK-LABEL: llvm.func @entry
// CHECK: llvm.intr.smin
// CHECK: llvm.insertelement
// CHECK: llvm.intr.masked.store
func.func @task(%x: tensor<8x64xf32>) -> tensor<8x21xf32> {
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8x21xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
       outs(%e : tensor<8x21xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %j, %c3 : index
    %r = tensor.extract %x[%i, %k] : tensor<8x64xf32>
    linalg.yield %r : f32
  } -> tensor<8x21xf32>
  return %0 : tensor<8x21xf32>
}

// -----

// Indices of loops of a tile count from the start of the tensor.
// CHECK-LABEL: llvm.func @entry
// CHECK-NOT: affine
// CHECK: llvm.return
func.func @task(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<8x64xf32>
  %0 = scf.for %t = %c0 to %c64 step %c32 iter_args(%d = %e) -> (tensor<8x64xf32>) {
    %part = tensor.extract_slice %d[0, %t] [8, 32] [1, 1] : tensor<8x64xf32> to tensor<8x32xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
         outs(%part : tensor<8x32xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = affine.apply affine_map<(a, b) -> (63 - (a + b))>(%j, %t)
      %r = tensor.extract %x[%i, %k] : tensor<8x64xf32>
      linalg.yield %r : f32
    } -> tensor<8x32xf32>
    %2 = tensor.insert_slice %1 into %d[0, %t] [8, 32] [1, 1] : tensor<8x32xf32> into tensor<8x64xf32>
    scf.yield %2 : tensor<8x64xf32>
  }
  return %0 : tensor<8x64xf32>
}
