// C = A B, f16 with f32 accumulation, 4096^3, by mma.sync: 128 x 128 x 64 a
// block, four warps of 64 x 64, a ring of three slots filled by cp.async.
// Run by: kz-run gemm_mma_sync.mlir --target=sm_80 --op=gemm

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0), 8 : (0, 8), 4 : (16, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp [2 : (0, 64), 2 : (64, 0)]>
!a = !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
!b = !kz.tile<64x128xf16, shared, #kz.swizzle<128>>
!ring = !kz.ring<3, !a, !b>
!acc = !kz.tile<128x128xf32, registers, #acc>
!out = !kz.tile<128x128xf16, registers, #acc>

kz.kernel @gemm(%x: memref<4096x4096xf16>, %w: memref<4096x4096xf16>, %y: memref<4096x4096xf16>)
    grid [1024, 1, 1] threads 128 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %steps = arith.constant 64 : index
  // Tiles in groups of eight rows of tiles.
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %id = kz.block_id 0
  %group = arith.divui %id, %c256 : index
  %in = arith.remui %id, %c256 : index
  %g8 = arith.muli %group, %c8 : index
  %r8 = arith.remui %in, %c8 : index
  %mt = arith.addi %g8, %r8 : index
  %nt = arith.divui %in, %c8 : index
  %m = arith.muli %mt, %c128 : index
  %n = arith.muli %nt, %c128 : index

  %ring = kz.ring : !ring
  scf.for %s = %c0 to %c2 step %c1 {
    %k = arith.muli %s, %c64 : index
    %a, %b = kz.slot %ring[%s] : !ring
    kz.cp_async %x[%m, %k] to %a width(16) : memref<4096x4096xf16>, !a
    kz.cp_async %w[%k, %n] to %b width(16) : memref<4096x4096xf16>, !b
    kz.cp_async_commit
  }
  %zero = arith.constant 0.0 : f32
  %init = kz.splat %zero : f32 -> !acc
  %acc = scf.for %s = %c0 to %steps step %c1 iter_args(%c = %init) -> !acc {
    kz.cp_async_wait 1
    kz.barrier
    %a, %b = kz.slot %ring[%s] : !ring
    %ahead = arith.addi %s, %c2 : index
    %more = arith.cmpi ult, %ahead, %steps : index
    scf.if %more {
      %k = arith.muli %ahead, %c64 : index
      %na, %nb = kz.slot %ring[%ahead] : !ring
      kz.cp_async %x[%m, %k] to %na width(16) : memref<4096x4096xf16>, !a
      kz.cp_async %w[%k, %n] to %nb width(16) : memref<4096x4096xf16>, !b
    }
    kz.cp_async_commit
    %d = kz.mma %a, %b, %c <mma_sync, [16, 8, 16], f32> : !a, !b, !acc
    scf.yield %d : !acc
  }
  %half = kz.map ins(%acc : !acc) -> !out {
  ^bb0(%p: f32):
    %0 = arith.truncf %p : f32 to f16
    kz.yield %0 : f16
  }
  kz.store %half, %y[%m, %n] : !out, memref<4096x4096xf16>
}
