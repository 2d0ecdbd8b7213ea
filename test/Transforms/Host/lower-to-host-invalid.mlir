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
