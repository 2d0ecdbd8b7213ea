// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of every kind: what their skeletons are made of in PTX, and that whatever
// is legal by rule compiles.
// REQUIRES: ptxas
// RUN: kz-opt %s --kz-compile-tasks=targets=sm_80 -o /dev/null | FileCheck %s
// RUN: kz-opt %s --kz-compile-tasks='targets=sm_90a,sm_120 draws=4 seed=3' -o /dev/null | FileCheck %s --check-prefix=CHECK-90
// CHECK: sm_80 rows_of_8: 4 x 64 threads, 30720 shared; {{[0-9]+}} registers, 0 spilled; 5 bar.sync, 40 cp.async, 6 cp.async.commit_group, 5 cp.async.wait, 51 ldmatrix, 64 mma.sync, 1 shfl.sync, 4 st.global
// CHECK: sm_80 sum_of_33: 2 x 128 threads, 18432 shared; {{[0-9]+}} registers, 0 spilled; 3 bar.sync, 4 cp.async, 4 cp.async.commit_group, 3 cp.async.wait, 16 ld.global, 15 ldmatrix, 16 mma.sync, 1 shfl.sync, 8 st.global, 16 st.shared
// CHECK: sm_80 left_along_m: 2 x 128 threads, 36864 shared; {{[0-9]+}} registers, 0 spilled; 2 bar.sync, 4 cp.async, 3 cp.async.commit_group, 2 cp.async.wait, 16 ld.global, 15 ldmatrix, 16 mma.sync, 1 shfl.sync, 8 st.global.v2, 16 st.shared
// CHECK: sm_80 odd: 4 x 128 threads, 24576 shared; {{[0-9]+}} registers, 0 spilled; 4 bar.sync, 5 cp.async.commit_group, 4 cp.async.wait, 96 ld.global, 26 ldmatrix, 24 mma.sync, 1 shfl.sync, 8 st.global, 96 st.shared
// CHECK: sm_80 f32_nt: 32 x 128 threads, 12288 shared; {{[0-9]+}} registers, 0 spilled; 1 bar.sync, 6 cp.async, 3 cp.async.commit_group, 1 cp.async.wait, 128 fma.rn.f32, 24 ld.shared.v4, 1 shfl.sync, 8 st.global
// CHECK: sm_80 f64: 4 x 128 threads, 12288 shared; {{[0-9]+}} registers, 0 spilled; 1 bar.sync, 6 cp.async, 3 cp.async.commit_group, 1 cp.async.wait, 64 fma.rn.f64, 24 ld.shared.v2, 1 shfl.sync, 4 st.global.v2
// CHECK: sm_80 i8: 4 x 128 threads, 12288 shared; {{[0-9]+}} registers, 0 spilled; 1 bar.sync, 2 cp.async, 3 cp.async.commit_group, 1 cp.async.wait, 64 ld.shared.v2, 16 ld.shared.v4, 1 shfl.sync, 4 st.global.v2
// CHECK: sm_80 two_batches: 12 x 128 threads, 36864 shared; {{[0-9]+}} registers, 0 spilled; 2 bar.sync, 6 cp.async, 3 cp.async.commit_group, 2 cp.async.wait, 15 ldmatrix, 16 mma.sync, 1 shfl.sync, 8 st.global
// CHECK: sm_80 gather: 128 x 256 threads, 0 shared; {{[0-9]+}} registers, 0 spilled; 1 ld.global, 1 ld.global.v4, 1 shfl.sync, 1 st.global.v4
// CHECK: sm_80 mask: 1 x 256 threads, 0 shared; {{[0-9]+}} registers, 0 spilled; 3 ld.global, 1 ld.global.v4, 1 shfl.sync, 1 st.global
// CHECK: sm_80 part: 48 x 256 threads, 0 shared; {{[0-9]+}} registers, 0 spilled; 8 ld.global, 1 shfl.sync, 2 st.global.v4
// CHECK: sm_80 sum_f64: 64 x 256 threads, 64 shared; {{[0-9]+}} registers, 0 spilled; 1 bar.sync, 2 ld.global.v2, 4 ld.shared.v2, 11 shfl.sync, 1 st.global, 1 st.shared
// CHECK-90: sm_90a two_batches: 6 x 256 threads, 74752 shared; {{[0-9]+}} registers, 0 spilled; 1 bar.sync, 10 mbarrier, 1 setmaxnreg, 1 shfl.sync, 4 wgmma.mma_async
// CHECK-90: [[N:[0-9]+]] of [[N]] compiled, further draws {{[1-9][0-9]*}}, illegal

func.func @rows_of_8(%a: tensor<8x256xf16>, %b: tensor<256x256xf16>) -> tensor<8x256xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x256xf32>) -> tensor<8x256xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x256xf16>, tensor<256x256xf16>) outs(%f : tensor<8x256xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x256xf32>
  %e1 = tensor.empty() : tensor<8x256xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x256xf32>) outs(%e1 : tensor<8x256xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x256xf16>
  return %1 : tensor<8x256xf16>
}

func.func @sum_of_33(%a: tensor<64x33xf16>, %b: tensor<33x64xf16>) -> tensor<64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x33xf16>, tensor<33x64xf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  %e1 = tensor.empty() : tensor<64x64xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x64xf32>) outs(%e1 : tensor<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

func.func @left_along_m(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

func.func @odd(%a: tensor<37x129xf16>, %b: tensor<129x51xf16>) -> tensor<37x51xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x51xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<37x51xf32>) -> tensor<37x51xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<37x129xf16>, tensor<129x51xf16>) outs(%f : tensor<37x51xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<37x51xf32>
  %e1 = tensor.empty() : tensor<37x51xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<37x51xf32>) outs(%e1 : tensor<37x51xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<37x51xf16>
  return %1 : tensor<37x51xf16>
}

func.func @f32_nt(%a: tensor<128x768xf32>, %b: tensor<250x768xf32>) -> tensor<128x250xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x250xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x250xf32>) -> tensor<128x250xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<128x768xf32>, tensor<250x768xf32>) outs(%f : tensor<128x250xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<128x250xf32>
  return %0 : tensor<128x250xf32>
}

func.func @f32_small(%a: tensor<7x5xf32>, %b: tensor<5x13xf32>) -> tensor<7x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x13xf32>) -> tensor<7x13xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<7x5xf32>, tensor<5x13xf32>) outs(%f : tensor<7x13xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<7x13xf32>
  return %0 : tensor<7x13xf32>
}

func.func @f64(%a: tensor<64x100xf64>, %b: tensor<100x48xf64>) -> tensor<64x48xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64x48xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<64x48xf64>) -> tensor<64x48xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x100xf64>, tensor<100x48xf64>) outs(%f : tensor<64x48xf64>) {
  ^bb0(%x: f64, %y: f64, %o: f64):
    %p = arith.mulf %x, %y : f64
    %q = arith.addf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<64x48xf64>
  return %0 : tensor<64x48xf64>
}

func.func @i8(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %q = arith.addi %o, %p : i32
    linalg.yield %q : i32
  } -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}

func.func @two_batches(%a: tensor<2x3x64x64xf16>, %b: tensor<2x3x64x64xf16>) -> tensor<2x3x64x64xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x64x64xf32>) -> tensor<2x3x64x64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b0, b1, m, n, k) -> (b0, b1, m, k)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, k, n)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x3x64x64xf16>, tensor<2x3x64x64xf16>) outs(%f : tensor<2x3x64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x3x64x64xf32>
  %e1 = tensor.empty() : tensor<2x3x64x64xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x3x64x64xf32>) outs(%e1 : tensor<2x3x64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x3x64x64xf16>
  return %1 : tensor<2x3x64x64xf16>
}

func.func @gather(%table: tensor<50257x768xf32>, %at: tensor<1x128xi64>) -> tensor<1x128x768xf32> {
  %e = tensor.empty() : tensor<1x128x768xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%at : tensor<1x128xi64>) outs(%e : tensor<1x128x768xf32>) {
  ^bb0(%n: i64, %o: f32):
    %i = arith.index_cast %n : i64 to index
    %j = linalg.index 2 : index
    %x = tensor.extract %table[%i, %j] : tensor<50257x768xf32>
    linalg.yield %x : f32
  } -> tensor<1x128x768xf32>
  return %0 : tensor<1x128x768xf32>
}

func.func @mask(%m: tensor<4x100xi1>, %x: tensor<4x100xf16>) -> (tensor<4x100xi1>) {
  %e = tensor.empty() : tensor<4x100xi1>
  %zero = arith.constant 0.0 : f16
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%m, %x : tensor<4x100xi1>, tensor<4x100xf16>) outs(%e : tensor<4x100xi1>) {
  ^bb0(%p: i1, %y: f16, %o: i1):
    %q = arith.cmpf ogt, %y, %zero : f16
    %r = arith.andi %p, %q : i1
    linalg.yield %r : i1
  } -> tensor<4x100xi1>
  return %0 : tensor<4x100xi1>
}

func.func @part(%x: tensor<128x2304xf32>) -> tensor<768x128xf32> {
  %s = tensor.extract_slice %x[0, 768] [128, 768] [1, 1] : tensor<128x2304xf32> to tensor<128x768xf32>
  %e = tensor.empty() : tensor<768x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d, t) -> (t, d)>, affine_map<(d, t) -> (d, t)>], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<128x768xf32>) outs(%e : tensor<768x128xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<768x128xf32>
  return %0 : tensor<768x128xf32>
}

func.func @sum_f64(%x: tensor<64x1000xf64>) -> tensor<64xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<64xf64>) -> tensor<64xf64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x1000xf64>) outs(%f : tensor<64xf64>) {
  ^bb0(%p: f64, %o: f64):
    %q = arith.addf %p, %o : f64
    linalg.yield %q : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}
