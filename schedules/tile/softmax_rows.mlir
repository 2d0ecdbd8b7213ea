// Row softmax, f16, 8192 x 8192: a block of 256 threads a row, the row stays in
// registers.
// Run by: kz-run softmax_rows.mlir --target=sm_90a --op=softmax

#row = #kz.layout<reg [8 : (0, 1), 4 : (0, 2048)], lane [32 : (0, 8)], warp [8 : (0, 256)]>
#one = #kz.layout<reg [], lane [32 : (0)], warp [8 : (0)]>
!row16 = !kz.tile<1x8192xf16, registers, #row>
!row32 = !kz.tile<1x8192xf32, registers, #row>
!one32 = !kz.tile<1xf32, registers, #one>

kz.kernel @softmax_rows(%x: memref<8192x8192xf16>, %y: memref<8192x8192xf16>) grid [8192, 1, 1] threads 256 {
  %i = kz.block_id 0
  %c0 = arith.constant 0 : index
  %in = kz.load %x[%i, %c0] : memref<8192x8192xf16> -> !row16
  %wide = kz.map ins(%in : !row16) -> !row32 {
  ^bb0(%p: f16):
    %0 = arith.extf %p : f16 to f32
    kz.yield %0 : f32
  }
  %max = kz.reduce max %wide dims [1] combine [shuffle, shared] : !row32 -> !one32
  %maxes = kz.broadcast %max dims [1] : !one32 -> !row32
  %exp = kz.map ins(%wide, %maxes : !row32, !row32) -> !row32 attributes {kz.math = #kz.math<"exp", ulp = 128>} {
  ^bb0(%p: f32, %m: f32):
    %0 = arith.subf %p, %m : f32
    %1 = math.exp %0 : f32
    kz.yield %1 : f32
  }
  %sum = kz.reduce add %exp dims [1] combine [shuffle, shared] : !row32 -> !one32
  %inverse = kz.map ins(%sum : !one32) -> !one32 {
  ^bb0(%s: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.divf %one, %s : f32
    kz.yield %0 : f32
  }
  %inverses = kz.broadcast %inverse dims [1] : !one32 -> !row32
  %out = kz.map ins(%exp, %inverses : !row32, !row32) -> !row16 {
  ^bb0(%e: f32, %s: f32):
    %0 = arith.mulf %e, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    kz.yield %1 : f16
  }
  kz.store %out, %y[%i, %c0] : !row16, memref<8192x8192xf16>
}
