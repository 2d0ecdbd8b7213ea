// RUN: kz-opt %s --split-input-file --verify-diagnostics

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x32xf16, shared, #kz.swizzle<64>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<16x8xf32, registers, #acc>
kz.kernel @shapes() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{multiplies 16x32 by 16x8 into 16x8}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xf32, shared, #kz.swizzle<64>>
!acc = !kz.tile<16x8xf32, registers, #acc>
kz.kernel @elements() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !kz.tile<16x8xf32, shared, #kz.swizzle<0>>
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{multiplies 'f32' by 'f32' into 'f32'; accepted are f16 or bf16, both alike, into f32}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !kz.tile<16x8xf32, shared, #kz.swizzle<0>>, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x24xf16, shared, #kz.swizzle<0>>
!b = !kz.tile<24x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<16x8xf32, registers, #acc>
kz.kernel @depth() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{adds up 24 products, not a multiple of the instruction's 16}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<16x8xf32, registers, #acc>
kz.kernel @sizes() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{instruction has 2 sizes; accepted are 3: m, n, k}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<16x8xf32, registers, #acc>
kz.kernel @mma_sync_shape() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{; accepted is [16, 8, 16]}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 8], f32> : !a, !b, !acc
}

// -----

#row = #kz.layout<reg [4 : (0, 1)], lane [2 : (0, 4), 16 : (1, 0)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<16x8xf32, registers, #row>
kz.kernel @mma_sync_layout() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{accumulates into layout #kz.layout<reg [4 : (0, 1)], lane [2 : (0, 4), 16 : (1, 0)], warp []>, not one of mma_sync fragments}}
  %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!a = !kz.tile<64x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<64x8xf32, registers, #acc>
kz.kernel @wgmma_shape() grid [1, 1, 1] threads 128 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{; accepted is [64, n, 16] with n a multiple of 8 up to 256}}
  %d = kz.mma %a, %b, %c <wgmma, [64, 4, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!a = !kz.tile<64x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<64x8xf32, registers, #acc>
kz.kernel @wgmma_layout() grid [1, 1, 1] threads 128 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{not one of wgmma fragments of n = 16}}
  %d = kz.mma %a, %b, %c <wgmma, [64, 16, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!a = !kz.tile<64x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x8xf16, shared, #kz.swizzle<0>>
!acc = !kz.tile<64x8xf32, registers, #acc>
kz.kernel @wgmma_swizzle() grid [1, 1, 1] threads 128 {
  %a = kz.alloc : !a
  %b = kz.alloc : !b
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{wgmma reads a tile without swizzle; accepted are 32, 64, 128}}
  %d = kz.mma %a, %b, %c <wgmma, [64, 8, 16], f32> : !a, !b, !acc
}

// -----

#acc = #kz.layout<reg [], lane [32 : (1)], warp []>
!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!acc = !kz.tile<32xf32, registers, #acc>
kz.kernel @rank() grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !a
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !acc
  // expected-error @+1 {{accumulates a tile of 1 dimensions; accepted are 2}}
  %d = kz.mma %a, %a, %c <mma_sync, [16, 8, 16], f32> : !a, !a, !acc
}

// -----

#acc = #kz.layout<reg [], lane [8 : (0, 1), 4 : (1, 0)], warp []>
kz.kernel @narrow(%x: memref<4x8xf16>) grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !kz.tile<4x4xf32, shared, #kz.swizzle<0>>
  %b = kz.alloc : !kz.tile<4x8xf32, shared, #kz.swizzle<0>>
  %z = arith.constant 0.0 : f16
  %c = kz.splat %z : f16 -> !kz.tile<4x8xf16, registers, #acc>
  // expected-error @+1 {{sums products of 'f32' as 'f16'; accepted are sums of the same kind and no narrower}}
  %d = kz.mma %a, %b, %c <fma, [4, 8, 1], f16> : !kz.tile<4x4xf32, shared, #kz.swizzle<0>>, !kz.tile<4x8xf32, shared, #kz.swizzle<0>>, !kz.tile<4x8xf16, registers, #acc>
}

// -----

#acc = #kz.layout<reg [], lane [8 : (0, 1), 4 : (1, 0)], warp []>
kz.kernel @lanes(%x: memref<4x8xf32>) grid [1, 1, 1] threads 32 {
  %a = kz.alloc : !kz.tile<4x4xf32, shared, #kz.swizzle<0>>
  %b = kz.alloc : !kz.tile<4x8xf32, shared, #kz.swizzle<0>>
  %z = arith.constant 0.0 : f32
  %c = kz.splat %z : f32 -> !kz.tile<4x8xf32, registers, #acc>
  // expected-error @+1 {{fma is [4, 4, 1]; accepted is [m, n, 1] with m * n = 32 lanes}}
  %d = kz.mma %a, %b, %c <fma, [4, 4, 1], f32> : !kz.tile<4x4xf32, shared, #kz.swizzle<0>>, !kz.tile<4x8xf32, shared, #kz.swizzle<0>>, !kz.tile<4x8xf32, registers, #acc>
}
