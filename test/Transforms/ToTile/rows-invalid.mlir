// RUN: kz-opt %s --split-input-file --kz-to-tile --verify-diagnostics

#id = affine_map<(i, j) -> (i, j)>
// expected-error @below {{the task has no grid; put transform.kz.tile_grid on its operations}}
func.func @no_grid(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  return %x : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func @outside_of_grids(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  // expected-error @below {{'linalg.generic' is in no grid; put transform.kz.tile_grid on it or fuse it}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @not_marked(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  // expected-error @below {{a loop over tiles that is not marked as a grid; make it by transform.kz.tile_grid}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x64xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  }
  return %0 : tensor<8x64xf32>
}

// -----

func.func @computes_nothing(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  // expected-error @below {{the result of the grid is not computed by a Linalg operation}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x64xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {kz.grid = #kz.grid<>}
  return %0 : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func @no_threads(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  // expected-error @below {{the tile is not dealt to threads; add transform.kz.tile_threads}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x64xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x64xf32>) outs(%d : tensor<1x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {kz.grid = #kz.grid<>}
  return %0 : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func @persistent_without_target(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  // expected-error @below {{a persistent grid needs the number of multiprocessors; pass the target}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x64xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x64xf32>) outs(%d : tensor<1x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {kz.grid = #kz.grid<persistent = true>, kz.threads = #kz.threads<dim = 1, threads = 32, vector = 2>}
  return %0 : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
func.func @too_many_registers(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  %e = tensor.empty() : tensor<8x65536xf32>
  // expected-error @below {{a thread would hold 2048 elements of the tile, a thread has 255 registers; use smaller tiles or more threads}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x65536xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 65536] [1, 1] : tensor<8x65536xf32> to tensor<1x65536xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 65536] [1, 1] : tensor<8x65536xf32> to tensor<1x65536xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x65536xf32>) outs(%d : tensor<1x65536xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<1x65536xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 65536] [1, 1] : tensor<1x65536xf32> into tensor<8x65536xf32>
    }
  } {kz.grid = #kz.grid<>, kz.threads = #kz.threads<dim = 1, threads = 32, vector = 4>}
  return %0 : tensor<8x65536xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @not_combined(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    // expected-error @below {{the partial results of threads are not combined; add transform.kz.reduce}}
    %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<1x64xf32>) outs(%f : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      linalg.yield %n : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {kz.grid = #kz.grid<>, kz.threads = #kz.threads<dim = 1, threads = 32, vector = 2>}
  return %0 : tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @combines_by_division(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<1xf32>) -> tensor<1xf32>
    // expected-error @below {{the reduction combines by something else than addition, multiplication, maximum and minimum}}
    %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<1x64xf32>) outs(%f : tensor<1xf32>) attrs = {kz.reduce = #kz.reduce<[shuffle]>} {
    ^bb0(%a: f32, %b: f32):
      %n = arith.divf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {kz.grid = #kz.grid<>, kz.threads = #kz.threads<dim = 1, threads = 32, vector = 2>}
  return %0 : tensor<8xf32>
}
