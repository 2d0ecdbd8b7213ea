// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16 GEMM of sm_90a by wgmma with bias and erf-GELU, written by hand at the tile level: one
// warpgroup copies by TMA into a ring of four slots, two multiply 64 x 256
// each, results leave through shared memory by TMA. 132 blocks walk the 128 x
// 256 tiles in groups of 16 tile rows. Shapes: replace 4096 throughout.

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 32 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0), 2 : (64, 0)]>
#cols = #kz.layout<reg [2 : (1), 32 : (8)], lane [4 : (2), 8 : (0)], warp [8 : (0)]>
!row = !kz.tile<256xf16, registers, #cols>
!sums = !kz.tile<128x256xf32, registers, #acc>
!out = !kz.tile<128x256xf16, registers, #acc>
!a = !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
!b = !kz.tile<64x256xf16, shared, #kz.swizzle<128>>
!chunk = !kz.tile<128x128xf16, shared, #kz.swizzle<128>>
!ring = !kz.ring<4, !a, !b>

kz.kernel @gemm_bias_gelu(%a: memref<4096x4096xf16>, %b: memref<4096x4096xf16>, %bias: memref<4096xf16>, %c: memref<4096x4096xf16>) grid [132, 1, 1] threads 384 {
  %ring = kz.ring : !ring
  %staging = kz.alloc : !chunk
  %block = kz.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 132 : index
  %m = arith.constant 4096 : index
  %n = arith.constant 4096 : index
  %k = arith.constant 4096 : index
  %bm = arith.constant 128 : index
  %bn = arith.constant 256 : index
  %bk = arith.constant 64 : index
  %group = arith.constant 16 : index
  %tiles_m = arith.ceildivui %m, %bm : index
  %tiles_n = arith.ceildivui %n, %bn : index
  %tiles = arith.muli %tiles_m, %tiles_n : index
  %rows = arith.minui %group, %tiles_m : index
  %span = arith.muli %rows, %tiles_n : index
  kz.specialize producers(1) registers [40, 232] producer {
    %end = scf.for %t = %block to %tiles step %blocks iter_args(%use0 = %c0) -> (index) {
      %g = arith.divui %t, %span : index
      %r = arith.remui %t, %span : index
      %gm = arith.muli %g, %rows : index
      %rm = arith.remui %r, %rows : index
      %tm = arith.addi %gm, %rm : index
      %tn = arith.divui %r, %rows : index
      %m0 = arith.muli %tm, %bm : index
      %n0 = arith.muli %tn, %bn : index
      %last = scf.for %kk = %c0 to %k step %bk iter_args(%use = %use0) -> (index) {
        %sa, %sb = kz.produce %ring[%use] : !ring
        kz.tma_load %a[%m0, %kk] to %sa : memref<4096x4096xf16>, !a
        kz.tma_load %b[%kk, %n0] to %sb : memref<4096x4096xf16>, !b
        %next = arith.addi %use, %c1 : index
        scf.yield %next : index
      }
      scf.yield %last : index
    }
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %end = scf.for %t = %block to %tiles step %blocks iter_args(%use0 = %c0) -> (index) {
      %g = arith.divui %t, %span : index
      %r = arith.remui %t, %span : index
      %gm = arith.muli %g, %rows : index
      %rm = arith.remui %r, %rows : index
      %tm = arith.addi %gm, %rm : index
      %tn = arith.divui %r, %rows : index
      %m0 = arith.muli %tm, %bm : index
      %n0 = arith.muli %tn, %bn : index
      // The first step by itself: it starts from zero at no cost.
      %sa0, %sb0 = kz.consume %ring[%use0] : !ring
      %first = kz.mma %sa0, %sb0, %none <wgmma, [64, 256, 16], f32> : !a, !b, !sums
      %use1 = arith.addi %use0, %c1 : index
      %last, %sums = scf.for %kk = %bk to %k step %bk iter_args(%use = %use1, %acc = %first) -> (index, !sums) {
        %sa, %sb = kz.consume %ring[%use] : !ring
        %now = kz.mma %sa, %sb, %acc <wgmma, [64, 256, 16], f32> : !a, !b, !sums
        // The step before is over: its slot can be filled again.
        %waited = kz.mma_wait %now pending(1) : !sums
        %before = arith.subi %use, %c1 : index
        kz.release %ring[%before] : !ring
        %next = arith.addi %use, %c1 : index
        scf.yield %next, %waited : index, !sums
      }
      %done = kz.mma_wait %sums pending(0) : !sums
      %final = arith.subi %last, %c1 : index
      kz.release %ring[%final] : !ring
      %v = kz.load %bias[%n0] : memref<4096xf16> -> !row
      %vs = kz.broadcast %v dims [0] : !row -> !out
      %y = kz.map ins(%done, %vs : !sums, !out) -> !out attributes {kz.math = #kz.math<"erf", ulp = 8>} {
      ^bb0(%s: f32, %bv: f16):
        %half = arith.constant 0.5 : f32
        %rsqrt2 = arith.constant 0.70710678118654752 : f32
        %0 = arith.extf %bv : f16 to f32
        %x = arith.addf %s, %0 : f32
        %1 = arith.mulf %x, %rsqrt2 : f32
        %2 = math.erf %1 : f32
        %3 = arith.mulf %x, %half : f32
        %4 = math.fma %3, %2, %3 : f32
        %5 = arith.truncf %4 : f32 to f16
        kz.yield %5 : f16
      }
      kz.tma_store %y through %staging, %c[%m0, %n0] : !out, !chunk, memref<4096x4096xf16>
      scf.yield %last : index
    }
    kz.tma_store_wait
  }
}
