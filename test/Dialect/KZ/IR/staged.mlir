// RUN: kz-opt %s --verify-roundtrip | FileCheck %s
// RUN: kz-opt %s --mlir-print-op-generic | kz-opt | FileCheck %s

// CHECK-LABEL: @staged
func.func @staged(%a: tensor<128x64xf16>, %b: tensor<?x64xf32>) -> (tensor<128x64xf16>, tensor<?x64xf32>) {
  // CHECK: kz.staged %{{.+}} <shared, copy = tma, swizzle = 128> ring(0) : tensor<128x64xf16>
  %0 = kz.staged %a <shared, copy = tma, swizzle = 128> ring(0) : tensor<128x64xf16>
  // CHECK: kz.staged %{{.+}} <shared, copy = tma_store, swizzle = 64, width = 8, panels = 4, chunk = [64, 32]> : tensor<128x64xf16>
  %1 = kz.staged %0 <shared, chunk = [64, 32], panels = 4, width = 8, swizzle = 64, copy = tma_store> : tensor<128x64xf16>
  // CHECK: kz.staged %{{.+}} <memory, panels = 32> : tensor<?x64xf32>
  %2 = kz.staged %b <memory, panels = 32> : tensor<?x64xf32>
  return %1, %2 : tensor<128x64xf16>, tensor<?x64xf32>
}

// CHECK: func.func private @markers() attributes {
// CHECK-SAME: epilogue
// CHECK-SAME: grid = #kz.grid<groupM = 16, persistent = true>
// CHECK-SAME: grid2 = #kz.grid<>
// CHECK-SAME: lang = #kz.lang<1>
// CHECK-SAME: math = #kz.math<"erf", ulp = 2>
// CHECK-SAME: mma = #kz.mma<mma_sync, [16, 8, 16], f32>
// CHECK-SAME: pipeline = #kz.pipeline<stages = 4>
// CHECK-SAME: reduce = #kz.reduce<[shuffle, shared]>
// CHECK-SAME: roles = #kz.roles<producers = 1, producerRegisters = 40, consumerRegisters = 232>
// CHECK-SAME: threads = #kz.threads<dim = 1, threads = 256, vector = 8>
// CHECK-SAME: vectorize = #kz.vectorize<lanes = 16, interleave = 2, registers = true>
// CHECK-SAME: warps = #kz.warps<warpgroups = true, counts = [2, 1]>
func.func private @markers() attributes {
  epilogue,
  grid = #kz.grid<persistent = true, groupM = 16>,
  grid2 = #kz.grid<>,
  lang = #kz.lang<1>,
  math = #kz.math<"erf", ulp = 2>,
  mma = #kz.mma<mma_sync, [16, 8, 16], f32>,
  pipeline = #kz.pipeline<stages = 4>,
  reduce = #kz.reduce<[shuffle, shared]>,
  roles = #kz.roles<producers = 1, producerRegisters = 40, consumerRegisters = 232>,
  threads = #kz.threads<dim = 1, threads = 256, vector = 8>,
  vectorize = #kz.vectorize<lanes = 16, interleave = 2, registers = true>,
  warps = #kz.warps<warpgroups = true, counts = [2, 1]>}
