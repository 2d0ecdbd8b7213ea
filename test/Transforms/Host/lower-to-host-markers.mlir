// RUN: kz-opt %s --kz-lower-to-host=ignore-foreign-markers --split-input-file | FileCheck %s

// The L1 of a GPU runs on the host: what only a GPU understands is left out.

// CHECK-LABEL: llvm.func @entry_grid0(
// CHECK: llvm.fadd
// CHECK-LABEL: llvm.func @entry(
func.func @gpu_markers(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%out = %e) -> (tensor<64x64xf32>) {
    %in = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %s = kz.staged %in <shared, copy = tma, swizzle = 128> : tensor<16x64xf32>
    %d = tensor.extract_slice %out[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %x = linalg.add {kz.epilogue} ins(%s, %s : tensor<16x64xf32>, tensor<16x64xf32>)
                                  outs(%d : tensor<16x64xf32>) -> tensor<16x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %out[%i, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
    }
  } {kz.grid = #kz.grid<persistent = true>, kz.threads = #kz.threads<dim = 1, threads = 32, vector = 2>}
  return %r : tensor<64x64xf32>
}

// -----

// Sixteen partial sums twice over, combined at the end; the last eight of 40 by
// a mask.

// CHECK-LABEL: llvm.func @entry(
// CHECK-COUNT-2: llvm.fadd {{.*}} : vector<16xf32>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.fadd {{.*}} : vector<8xf32>
// CHECK: llvm.fadd {{.*}} : vector<4xf32>
func.func @partial_sums(%a: tensor<40xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<40xf32>) outs(%s : tensor<f32>) dimensions = [0]
         {kz.vectorize = #kz.vectorize<lanes = 16, interleave = 2>}
  return %r : tensor<f32>
}

// -----

// Three trips written out, the fourth in a loop of its own is the only other.

// CHECK-LABEL: llvm.func @entry(
// CHECK-COUNT-4: llvm.intr.sqrt
// CHECK-NOT: llvm.intr.sqrt
func.func @unrolled(%a: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %e = tensor.empty() : tensor<100xf32>
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%out = %e) -> (tensor<100xf32>) {
    %in = tensor.extract_slice %a[%i] [1] [1] : tensor<100xf32> to tensor<1xf32>
    %d = tensor.extract_slice %out[%i] [1] [1] : tensor<100xf32> to tensor<1xf32>
    %x = linalg.sqrt ins(%in : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    %n = tensor.insert_slice %x into %out[%i] [1] [1] : tensor<1xf32> into tensor<100xf32>
    scf.yield %n : tensor<100xf32>
  } {kz.unroll = 3 : i64}
  return %r : tensor<100xf32>
}

// -----

// Tiles in groups of rows: the id is taken apart by the height of the group.

// CHECK-LABEL: llvm.func @entry_grid0(
// CHECK: llvm.intr.smin
// CHECK: llvm.urem
func.func @grouped(%a: tensor<48x64xf32>) -> tensor<48x64xf32> {
  %e = tensor.empty() : tensor<48x64xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (48, 64) step (16, 16) shared_outs(%out = %e) -> (tensor<48x64xf32>) {
    %in = tensor.extract_slice %a[%i, %j] [16, 16] [1, 1] : tensor<48x64xf32> to tensor<16x16xf32>
    %d = tensor.extract_slice %out[%i, %j] [16, 16] [1, 1] : tensor<48x64xf32> to tensor<16x16xf32>
    %x = linalg.add ins(%in, %in : tensor<16x16xf32>, tensor<16x16xf32>)
                    outs(%d : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %out[%i, %j] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<48x64xf32>
    }
  } {kz.grid = #kz.grid<groupM = 2>}
  return %r : tensor<48x64xf32>
}
