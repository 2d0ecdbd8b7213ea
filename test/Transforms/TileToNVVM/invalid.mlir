// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file --verify-diagnostics

kz.kernel @place(%x: memref<4xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has no place in a kernel; accepted are operations of the tile level, arith, math, scf.for and scf.if}}
  %v = memref.load %x[%c0] : memref<4xf32>
}

// -----

#row = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @math(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%c0] : memref<32xf32> -> !kz.tile<32xf32, registers, #row>
  %u = kz.map ins(%t : !kz.tile<32xf32, registers, #row>) -> !kz.tile<32xf32, registers, #row> {
  ^bb0(%p: f32):
    // expected-error @+1 {{has no form on a GPU; accepted are abs, fma, sqrt, rsqrt, roundings, copysign, counts of bits, and those that kz.math names}}
    %0 = math.sin %p : f32
    kz.yield %0 : f32
  }
  kz.store %u, %x[%c0] : !kz.tile<32xf32, registers, #row>, memref<32xf32>
}

// -----

kz.kernel @coordinate(%x: memref<4xf32>) grid [1, 1, 1] threads 32 {
  // expected-error @+1 {{is 4294967296; coordinates have 32 bits}}
  %c = arith.constant 4294967296 : index
}

// -----

!a = !kz.tile<16x64xf16, shared, #kz.swizzle<128>>
kz.kernel @column(%x: memref<16x512xf16>) grid [8, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %i = kz.block_id 0
  %k = arith.muli %i, %c4 : index
  %a = kz.alloc : !a
  // expected-error @+1 {{starts at a column known to be a multiple of 8 bytes, not of the 16 bytes moved at a time}}
  kz.cp_async %x[%c0, %k] to %a width(16) : memref<16x512xf16>, !a
}
