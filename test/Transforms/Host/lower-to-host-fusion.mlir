// Elementwise operations run inside of the one that reads them: no buffer is
// left between them, with a schedule or without.
// RUN: kz-opt %s --split-input-file --kz-lower-to-host | FileCheck %s

// CHECK: kz.private_bytes = 0 : i64, kz.shared_bytes = 0 : i64
// CHECK-LABEL: llvm.func @entry
func.func @chain(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %p = tensor.empty() : tensor<8x64xi1>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.exp ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x64xf32>) outs(%p : tensor<8x64xi1>) {
  ^bb0(%a: f32, %o: i1):
    %c = arith.cmpf uno, %a, %a : f32
    linalg.yield %c : i1
  } -> tensor<8x64xi1>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1, %0 : tensor<8x64xi1>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %zero, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// -----

// A maximum takes in what it reads, and needs no order of zeros; what two
// operations read is stored.
// CHECK: kz.private_bytes = 0 : i64, kz.shared_bytes = 2048 : i64
// CHECK-LABEL: llvm.func @entry
// CHECK: llvm.intr.maximum({{.*}}) {fastmathFlags = #llvm.fastmath<nsz>}
func.func @read_twice(%x: tensor<8x64xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = tensor.empty() : tensor<8xf32>
  %least = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%least : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.mulf %a, %a : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.negf %a : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.maximumf %a, %o : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %r3 = tensor.empty() : tensor<8xf32>
  %f3 = linalg.fill ins(%least : f32) outs(%r3 : tensor<8xf32>) -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x64xf32>) outs(%f3 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.maximumf %a, %o : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A sum takes in what others read as well: one loop writes the elements and
// carries the sum, a second one divides.
// CHECK-LABEL: llvm.func @entry
// CHECK: %[[E:.*]] = llvm.fsub {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.fadd {{.*}} : vector<16xf32>
// CHECK-NOT: ^bb
// CHECK: llvm.store %[[E]], {{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: llvm.fdiv {{.*}} : vector<16xf32>
func.func @mixed(%x: tensor<8x64xf32>, %m: tensor<8xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %r = tensor.empty() : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.subf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x64xf32>) outs(%f : tensor<8xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%a: f32, %o: f32):
    %y = arith.addf %a, %o : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<8x64xf32>, tensor<8xf32>) outs(%e : tensor<8x64xf32>) attrs = {kz.vectorize = #kz.vectorize<lanes = 16>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// -----

// What is computed inside of another operation keeps the form chosen for it:
// the product with a reciprocal.
// CHECK-LABEL: llvm.func @entry
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
// CHECK: llvm.fdiv %[[ONE]], {{.*}} : f32
func.func @form(%x: tensor<8x64xf32>, %m: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) attrs = {kz.math = #kz.math<"div", ulp = 2>} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.divf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = arith.negf %a : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
