// RUN: kz-opt %s --kz-lower-to-host --split-input-file --verify-diagnostics

func.func @needs_too_many_registers(%a: tensor<16x8xf32>, %b: tensor<8x64xf32>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  // expected-error @below {{the tile of 16 x 64 needs 64 vector registers for its sums, the host has 32; tile it smaller by transform.kz.tile_loop}}
  %0 = linalg.matmul {kz.vectorize = #kz.vectorize<lanes = 16, registers = true>}
         ins(%a, %b : tensor<16x8xf32>, tensor<8x64xf32>) outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// -----

func.func @stages_in_shared_memory(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // expected-error @below {{staging in shared has no meaning on the host; accepted is memory}}
  %0 = kz.staged %a <shared> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

func.func @panels_without_contraction(%a: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // expected-error @below {{panels(8) on a value that no contraction reads; panels are for the operands of one}}
  %0 = kz.staged %a <memory, panels = 8> : tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

// expected-error @below {{the task has a value of type 'tensor<?xf32>'; arguments and results are tensors of static shape}}
func.func @dynamic_shape(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

// expected-error @below {{the module has no task, a public function over tensors}}
module {}

// -----

func.func @one(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{the module has two tasks, 'one' and 'two'; one is lowered at a time}}
func.func @two(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

func.func @summed_only(%a: tensor<8xf32>, %b: tensor<8x4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{panels(8) on an operand that has only summed dimensions; stage the other one}}
  %0 = kz.staged %a <memory, panels = 8> : tensor<8xf32>
  %1 = linalg.vecmat ins(%0, %b : tensor<8xf32>, tensor<8x4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @persistent(%a: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @below {{a persistent grid has no meaning on the host; leave 'persistent' out}}
  %r = scf.forall (%i) = (0) to (16) step (8) shared_outs(%out = %e) -> (tensor<16xf32>) {
    %in = tensor.extract_slice %a[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %in into %out[%i] [8] [1] : tensor<8xf32> into tensor<16xf32>
    }
  } {kz.grid = #kz.grid<persistent = true>}
  return %r : tensor<16xf32>
}

// -----

func.func @tensor_cores(%a: tensor<16x8xf32>, %b: tensor<8x64xf32>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  // expected-error @below {{the marker 'kz.warps' has no meaning on the host; leave the step out}}
  %0 = linalg.matmul {kz.warps = #kz.warps<warpgroups = false, counts = [1, 1]>}
         ins(%a, %b : tensor<16x8xf32>, tensor<8x64xf32>) outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// -----

func.func @too_long_a_trip(%a: tensor<8x1024xf32>, %b: tensor<1024x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %r = scf.for %k = %c0 to %c1024 step %c512 iter_args(%out = %c) -> (tensor<8x32xf32>) {
    %x = tensor.extract_slice %a[0, %k] [8, 512] [1, 1] : tensor<8x1024xf32> to tensor<8x512xf32>
    %y = tensor.extract_slice %b[%k, 0] [512, 32] [1, 1] : tensor<1024x32xf32> to tensor<512x32xf32>
    // expected-error @below {{a trip of 512 summed steps writes out 8192 multiply-adds, at most 2048; tile the summed dimension once more}}
    %0 = linalg.matmul {kz.vectorize = #kz.vectorize<lanes = 16, registers = true>}
           ins(%x, %y : tensor<8x512xf32>, tensor<512x32xf32>) outs(%out : tensor<8x32xf32>) -> tensor<8x32xf32>
    scf.yield %0 : tensor<8x32xf32>
  }
  return %r : tensor<8x32xf32>
}

// -----

func.func @batch_innermost(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{the innermost dimension of the result is a batch dimension; accumulate(registers) needs one of a single operand}}
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k) -> (k, b)>, affine_map<(b, k) -> (k, b)>, affine_map<(b, k) -> (b)>],
                       iterator_types = ["parallel", "reduction"]}
         ins(%a, %b : tensor<4x2xf32>, tensor<4x2xf32>) outs(%c : tensor<2xf32>)
         attrs = {kz.vectorize = #kz.vectorize<lanes = 2, registers = true>} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @no_partial_results(%a: tensor<40xf32>, %s: tensor<f32>) -> tensor<f32> {
  // expected-warning @below {{partial results of this reduction cannot be combined; it is computed element by element}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
         ins(%a : tensor<40xf32>) outs(%s : tensor<f32>)
         attrs = {kz.vectorize = #kz.vectorize<lanes = 8>} {
  ^bb0(%x: f32, %o: f32):
    %y = arith.subf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
