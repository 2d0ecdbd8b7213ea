// RUN: kz-opt %s --kz-tile-to-nvvm --split-input-file --verify-diagnostics

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 12 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!sums = !kz.tile<64x96xf32, registers, #acc>
kz.kernel @k(%a: memref<64x64xf16>, %b: memref<64x96xf16>, %c: memref<64x96xf32>) grid [1, 1, 1] threads 256 {
  %ring = kz.ring : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>>
  %staging = kz.alloc : !kz.tile<64x32xf32, shared, #kz.swizzle<128>>
  %c0 = arith.constant 0 : index
  kz.specialize producers(1) registers [24, 160] producer {
    %sa, %sb = kz.produce %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>>
    kz.tma_load %a[%c0, %c0] to %sa : memref<64x64xf16>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
    kz.tma_load %b[%c0, %c0] to %sb : memref<64x96xf16>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %sa, %sb = kz.consume %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>>
    // expected-error @below {{'kz.mma' op has blocks of 48 columns of b, whose panels have 32; n must be a multiple of that (a narrower swizzle makes panels narrower)}}
    %0 = kz.mma %sa, %sb, %none <wgmma, [64, 48, 16], f32> : !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>, !sums
    %1 = kz.mma_wait %0 pending(0) : !sums
    kz.release %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x96xf16, shared, #kz.swizzle<64>>>
    kz.tma_store %1 through %staging, %c[%c0, %c0] : !sums, !kz.tile<64x32xf32, shared, #kz.swizzle<128>>, memref<64x96xf32>
    kz.tma_store_wait
  }
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!sums = !kz.tile<64x64xf32, registers, #acc>
kz.kernel @k(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) grid [1, 1, 1] threads 256 {
  %ring = kz.ring : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
  %staging = kz.alloc : !kz.tile<32x32xf32, shared, #kz.swizzle<128>>
  %c0 = arith.constant 0 : index
  kz.specialize producers(1) registers [24, 160] producer {
    %sa, %sb = kz.produce %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    kz.tma_load %a[%c0, %c0] to %sa : memref<64x64xf16>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
    kz.tma_load %b[%c0, %c0] to %sb : memref<64x64xf16>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %sa, %sb = kz.consume %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    %0 = kz.mma %sa, %sb, %none <wgmma, [64, 64, 16], f32> : !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !sums
    %1 = kz.mma_wait %0 pending(0) : !sums
    kz.release %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    // expected-error @below {{'kz.tma_store' op goes through a tile of 32x32, swizzled over 128 bytes; each of 1x1 warpgroups needs a part of its own, of whole panels and blocks of 64 rows, that divides its part of the tile, 64x64}}
    kz.tma_store %1 through %staging, %c[%c0, %c0] : !sums, !kz.tile<32x32xf32, shared, #kz.swizzle<128>>, memref<64x64xf32>
    kz.tma_store_wait
  }
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!sums = !kz.tile<64x64xf32, registers, #acc>
kz.kernel @k(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) grid [1, 1, 1] threads 256 {
  %ring = kz.ring : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
  %staging = kz.alloc : !kz.tile<64x32xf32, shared, #kz.swizzle<0>>
  %c0 = arith.constant 0 : index
  kz.specialize producers(1) registers [24, 160] producer {
    %sa, %sb = kz.produce %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    kz.tma_load %a[%c0, %c0] to %sa : memref<64x64xf16>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
    kz.tma_load %b[%c0, %c0] to %sb : memref<64x64xf16>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %sa, %sb = kz.consume %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    %0 = kz.mma %sa, %sb, %none <wgmma, [64, 64, 16], f32> : !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !sums
    %1 = kz.mma_wait %0 pending(0) : !sums
    kz.release %ring[%c0] : !kz.ring<2, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>>
    // expected-error @below {{'kz.tma_store' op goes through a tile of 64x32, swizzled over 0 bytes}}
    kz.tma_store %1 through %staging, %c[%c0, %c0] : !sums, !kz.tile<64x32xf32, shared, #kz.swizzle<0>>, memref<64x64xf32>
    kz.tma_store_wait
  }
}

// -----

#rows = #kz.layout<reg [8 : (0, 1), 4 : (16, 0)], lane [8 : (0, 8), 4 : (1, 0)], warp [4 : (4, 0)]>
!t = !kz.tile<64x64xf16, registers, #rows>
kz.kernel @rows(%x: memref<64x64xf16>, %y: memref<64x64xf16>) grid [1, 1, 1] threads 128 {
  %staging = kz.alloc : !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
  %c0 = arith.constant 0 : index
  %t = kz.load %x[%c0, %c0] : memref<64x64xf16> -> !t
  // expected-error @below {{'kz.tma_store' op stores a tile that is not dealt as accumulators of wgmma, with elements of 2 or 4 bytes}}
  kz.tma_store %t through %staging, %y[%c0, %c0] : !t, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, memref<64x64xf16>
  kz.tma_store_wait
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0)]>
!sums = !kz.tile<64x64xf32, registers, #acc>
kz.kernel @wait(%y: memref<64x64xf32>) grid [1, 1, 1] threads 128 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = kz.splat %zero : f32 -> !sums
  // expected-error @below {{'kz.mma_wait' op waits for accumulators that no wgmma made}}
  %1 = kz.mma_wait %0 pending(0) : !sums
  kz.store %1, %y[%c0, %c0] : !sums, memref<64x64xf32>
}

// -----

!a = !kz.tile<64x64xf16, shared, #kz.swizzle<128>>
kz.kernel @roles(%x: memref<64x64xf16>) grid [1, 1, 1] threads 128 {
  // expected-error @below {{'kz.ring' op is produced and consumed in a kernel without kz.specialize}}
  %ring = kz.ring : !kz.ring<2, !a>
  %c0 = arith.constant 0 : index
  %s = kz.produce %ring[%c0] : !kz.ring<2, !a>
  kz.tma_load %x[%c0, %c0] to %s : memref<64x64xf16>, !a
}
