// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host' | FileCheck %s
// RUN: kz-opt %s --split-input-file --kz-print-skeleton='target=host defaults' --transform-interpreter='entry-point=schedule debug-payload-root-tag=task' --kz-lower-to-host | FileCheck %s --check-prefix=CODE

// Blocks are transposed in registers: rows of the operand are loaded whole, and
// no element is moved by itself.
// CHECK: // block_rows: {{.*}}
// CHECK-NEXT: rows of one unit of work, in blocks of [[LANES:[0-9]+]] that are transposed in registers; at most 64
// CHECK: transform.kz.tile_loop %{{.+}} parallel {{\[}}[[LANES]], %{{.+}}]
// CODE-LABEL: llvm.func @entry_grid0
// CODE: llvm.load {{.*}} -> vector<[[LANES:[0-9]+]]xf32>
// CODE: llvm.shufflevector
// CODE-NOT: llvm.insertelement
// CODE: llvm.store {{.*}} : vector<[[LANES]]xf32>
func.func @task(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {transform.target_tag = "task"} {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  return %0 : tensor<64x64xf32>
}

// -----

// Sums over leading dimensions: a unit of work is a piece of what is left.
// CHECK: transform.kz.tile_grid %{{.+}} tile [%{{.+}}]
// CODE-LABEL: llvm.func @entry_grid0
func.func @task(%x: tensor<64x48xf32>) -> tensor<48xf32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x48xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<48xf32>
  return %0 : tensor<48xf32>
}

// -----

// One element in all has no rows, so there is no grid; the sum is in vectors.
// CHECK-NOT: tile_grid
// CHECK: transform.kz.vectorize %op
// CODE-LABEL: llvm.func @entry
// CODE: vector<{{[0-9]+}}xf32>
func.func @task(%x: tensor<640xf32>) -> tensor<f32> attributes {transform.target_tag = "task"} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<640xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
