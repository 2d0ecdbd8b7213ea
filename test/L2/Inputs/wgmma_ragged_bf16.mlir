// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp-specialised product by wgmma: bf16, edges that no tile divides, two tiles a block.
#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 32 : (0, 8)], lane [4 : (0, 2), 8 : (1, 0)], warp [4 : (16, 0), 2 : (64, 0)]>
!sums = !kz.tile<128x256xf32, registers, #acc>
!out = !kz.tile<128x256xbf16, registers, #acc>
!a = !kz.tile<128x64xbf16, shared, #kz.swizzle<128>>
!b = !kz.tile<64x256xbf16, shared, #kz.swizzle<128>>
!chunk = !kz.tile<128x128xbf16, shared, #kz.swizzle<128>>
!ring = !kz.ring<4, !a, !b>
kz.kernel @gemm(%a: memref<200x168xbf16>, %b: memref<168x312xbf16>, %c: memref<200x312xbf16>) grid [1, 1, 1] threads 384 {
  %ring = kz.ring : !ring
  %staging = kz.alloc : !chunk
  %block = kz.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %k = arith.constant 168 : index
  %bm = arith.constant 128 : index
  %bn = arith.constant 256 : index
  %bk = arith.constant 64 : index
  %tiles_m = arith.constant 2 : index
  %per = arith.constant 4 : index
  %tiles = arith.constant 4 : index
  %rows = arith.constant 2 : index
  %span = arith.constant 4 : index
  kz.specialize producers(1) registers [40, 232] producer {
    %end = scf.for %t = %block to %tiles step %blocks iter_args(%use0 = %c0) -> (index) {
      %tile = arith.remui %t, %per : index
      %bz = arith.divui %t, %per : index
      %g = arith.divui %tile, %span : index
      %r = arith.remui %tile, %span : index
      %gm = arith.muli %g, %rows : index
      %left = arith.subi %tiles_m, %gm : index
      %cur = arith.minui %rows, %left : index
      %rm = arith.remui %r, %cur : index
      %tm = arith.addi %gm, %rm : index
      %tn = arith.divui %r, %cur : index
      %m0 = arith.muli %tm, %bm : index
      %n0 = arith.muli %tn, %bn : index
      %last = scf.for %kk = %c0 to %k step %bk iter_args(%use = %use0) -> (index) {
        %sa, %sb = kz.produce %ring[%use] : !ring
        kz.tma_load %a[%m0, %kk] to %sa : memref<200x168xbf16>, !a
        kz.tma_load %b[%kk, %n0] to %sb : memref<168x312xbf16>, !b
        %next = arith.addi %use, %c1 : index
        scf.yield %next : index
      }
      scf.yield %last : index
    }
  } consumer {
    %zero = arith.constant 0.0 : f32
    %none = kz.splat %zero : f32 -> !sums
    %end = scf.for %t = %block to %tiles step %blocks iter_args(%use0 = %c0) -> (index) {
      %tile = arith.remui %t, %per : index
      %bz = arith.divui %t, %per : index
      %g = arith.divui %tile, %span : index
      %r = arith.remui %tile, %span : index
      %gm = arith.muli %g, %rows : index
      %left = arith.subi %tiles_m, %gm : index
      %cur = arith.minui %rows, %left : index
      %rm = arith.remui %r, %cur : index
      %tm = arith.addi %gm, %rm : index
      %tn = arith.divui %r, %cur : index
      %m0 = arith.muli %tm, %bm : index
      %n0 = arith.muli %tn, %bn : index
      %sa0, %sb0 = kz.consume %ring[%use0] : !ring
      %first = kz.mma %sa0, %sb0, %none <wgmma, [64, 256, 16], f32> : !a, !b, !sums
      %use1 = arith.addi %use0, %c1 : index
      %last, %sums = scf.for %kk = %bk to %k step %bk iter_args(%use = %use1, %acc = %first) -> (index, !sums) {
        %sa, %sb = kz.consume %ring[%use] : !ring
        %now = kz.mma %sa, %sb, %acc <wgmma, [64, 256, 16], f32> : !a, !b, !sums
        %waited = kz.mma_wait %now pending(1) : !sums
        %before = arith.subi %use, %c1 : index
        kz.release %ring[%before] : !ring
        %next = arith.addi %use, %c1 : index
        scf.yield %next, %waited : index, !sums
      }
      %done = kz.mma_wait %sums pending(0) : !sums
      %final = arith.subi %last, %c1 : index
      kz.release %ring[%final] : !ring
      %y = kz.map ins(%done : !sums) -> !out {
      ^bb0(%s: f32):
        %0 = arith.truncf %s : f32 to bf16
        kz.yield %0 : bf16
      }
      kz.tma_store %y through %staging, %c[%m0, %n0] : !out, !chunk, memref<200x312xbf16>
      scf.yield %last : index
    }
    kz.tma_store_wait
  }
}
