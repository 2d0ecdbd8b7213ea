// RUN: kz-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{layout deals to 16 lanes; a warp has 32}}
#l = #kz.layout<reg [], lane [16 : (1)], warp []>

// -----

// expected-error @+1 {{layout has a step of extent 1; accepted are 2 and more}}
#l = #kz.layout<reg [1 : (0)], lane [32 : (1)], warp []>

// -----

// expected-error @+1 {{layout has a step of distance -1; accepted are 0 and more}}
#l = #kz.layout<reg [2 : (-1)], lane [32 : (1)], warp []>

// -----

// expected-error @+1 {{layout keeps 2 copies in the registers of one thread; accepted is one}}
#l = #kz.layout<reg [2 : (0)], lane [32 : (1)], warp []>

// -----

// expected-error @+1 {{layout deals to 64 warps; a block has at most 32}}
#l = #kz.layout<reg [], lane [32 : (1)], warp [64 : (32)]>

// -----

// expected-error @+1 {{layout steps by 4 along dimension 0 where the steps before it cover 2 elements; accepted is 2}}
#l = #kz.layout<reg [2 : (1)], lane [32 : (4)], warp []>

// -----

// expected-error @+1 {{step moves along 2 dimensions, the first step of the layout along 1}}
#l = #kz.layout<reg [2 : (1)], lane [32 : (2, 0)], warp []>

// -----

// expected-error @+1 {{step moves along dimensions 0 and 1; accepted is a distance along at most one}}
#l = #kz.layout<reg [2 : (1, 1)], lane [32 : (2, 0)], warp []>

// -----

#l = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
// expected-error @+1 {{tile is 32, its layout deals 64}}
func.func private @shape(!kz.tile<32xf32, registers, #l>)

// -----

// expected-error @+1 {{tile in registers has the encoding #kz.swizzle<0>; accepted is a #kz.layout}}
func.func private @encoding(!kz.tile<32xf32, registers, #kz.swizzle<0>>)

// -----

#l = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
// expected-error @+1 {{tile in shared memory has the encoding}}
func.func private @encoding(!kz.tile<64xf32, shared, #l>)

// -----

// expected-error @+1 {{tile in 'memory'; accepted are registers, shared}}
func.func private @space(!kz.tile<32x64xf32, memory, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{tile in 'tmem'; accepted are registers, shared}}
func.func private @space(!kz.tile<32x64xf32, tmem, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{swizzle 48 is not a span of bytes that the hardware has; accepted are 0, 32, 64, 128}}
func.func private @swizzle(!kz.tile<32x64xf32, shared, #kz.swizzle<48>>)

// -----

// expected-error @+1 {{row of a tile in shared memory has 192 bytes, not a multiple of the swizzle of 128}}
func.func private @swizzle(!kz.tile<32x96xf16, shared, #kz.swizzle<128>>)

// -----

// expected-error @+1 {{row of a tile in shared memory has 8 bytes; accepted are multiples of 16}}
func.func private @row(!kz.tile<32x4xf16, shared, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{tile in shared memory has 1 dimensions; accepted are 2}}
func.func private @rank(!kz.tile<32xf16, shared, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{tile in shared memory has elements of 4 bits; accepted are whole bytes}}
func.func private @bits(!kz.tile<32x32xi4, shared, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{tile has elements of type 'index'; accepted are integers and floats}}
func.func private @element(!kz.tile<32x32xindex, shared, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{tile has a dimension of 0 elements; accepted are 1 and more}}
func.func private @empty(!kz.tile<0x32xf32, shared, #kz.swizzle<0>>)

// -----

// expected-error @+1 {{ring has 0 stages; accepted are 1 and more}}
func.func private @stages(!kz.ring<0, !kz.tile<32x32xf16, shared, #kz.swizzle<0>>>)

// -----

// expected-error @+1 {{ring holds no tile; accepted are 1 and more}}
func.func private @none(!kz.ring<2>)

// -----

#l = #kz.layout<reg [2 : (1)], lane [32 : (2)], warp []>
// expected-error @+1 {{ring holds '!kz.tile<64xf16, registers}}
func.func private @ring(!kz.ring<2, !kz.tile<64xf16, registers, #l>>)

// -----

// expected-error @+1 {{has 48 threads; accepted are multiples of 32 up to 1024}}
kz.kernel @threads() grid [1, 1, 1] threads 48 {
}

// -----

// expected-error @+1 {{grid has 2 sizes; accepted are 3}}
kz.kernel @grid() grid [1, 1] threads 32 {
}

// -----

// expected-error @+1 {{grid has 65536 blocks along dimension 1; accepted are 1 to 65535}}
kz.kernel @grid() grid [1, 65536, 1] threads 32 {
}

// -----

// expected-error @+1 {{argument 0 is 'memref<?xf32>'; accepted are memrefs of static shape, row-major, in the default memory space}}
kz.kernel @argument(%x: memref<?xf32>) grid [1, 1, 1] threads 32 {
}

// -----

// expected-error @+1 {{argument 0 is 'memref<4x3000000000xi8>', 3000000000 long along dimension 1; coordinates have 32 bits, so accepted are up to 2147418112}}
kz.kernel @coordinates(%x: memref<4x3000000000xi8>) grid [1, 65536, 1] threads 32 {
}

// -----

// expected-error @+1 {{argument 0 has kz.buffer = -1 : i64; accepted are numbers from 0}}
kz.kernel @buffer(%x: memref<4xf32> {kz.buffer = -1 : i64}) grid [1, 1, 1] threads 32 {
}

// -----

// expected-error @+1 {{argument 0 is bound to both kz.buffer and kz.workspace; accepted is one}}
kz.kernel @both(%x: memref<4xf32> {kz.buffer = 1 : i64, kz.workspace = 0 : i64}) grid [1, 1, 1] threads 32 {
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @dealt(%x: memref<32xf32>) grid [1, 1, 1] threads 64 {
  %i = kz.block_id 0
  // expected-error @+1 {{deals a tile to 32 threads where 64 run}}
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @coordinates(%x: memref<2x32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{has 1 coordinates; the buffer has 2 dimensions}}
  %t = kz.load %x[%i] : memref<2x32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @element(%x: memref<32xf16>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{moves elements of type 'f16' to or from a tile of 'f32'; kz.map converts}}
  %t = kz.load %x[%i] : memref<32xf16> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @bits(%x: memref<32xi4>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{moves elements of 4 bits; accepted are whole bytes and single bits, of a byte each}}
  %t = kz.load %x[%i] : memref<32xi4> -> !kz.tile<32xi4, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (0, 1)], warp []>
kz.kernel @rank(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{tile has 2 dimensions, the buffer has 1}}
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<1x32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @dims(%x: memref<2x32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{runs along dimension 2 of the buffer; accepted are different numbers from 0 to 1}}
  %t = kz.load %x[%i, %i] dims [2] : memref<2x32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @dims(%x: memref<2x32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{names 2 dimensions of the buffer for a tile of 1}}
  %t = kz.load %x[%i, %i] dims [0, 1] : memref<2x32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @pad(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{pad is 'f16', the tile holds 'f32'}}
  %t = kz.load %x[%i] pad(0.0 : f16) : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @extents(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  // expected-error @+1 {{has 2 extents; the tile has 1 dimensions}}
  %t = kz.load %x[%i] extents [%i, %i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @hint(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{writes memory said to be read_only; accepted are streaming, no_allocate}}
  kz.store %t, %x[%i] cache(read_only) : !kz.tile<32xf32, registers, #l>, memref<32xf32>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#m = #kz.layout<reg [], lane [2 : (16), 16 : (1)], warp []>
kz.kernel @layouts(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{works on tiles of different layouts}}
  %u = kz.map ins(%t : !kz.tile<32xf32, registers, #l>) -> !kz.tile<32xf32, registers, #m> {
  ^bb0(%p: f32):
    kz.yield %p : f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @arguments(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %c = arith.constant 1.0 : f32
  // expected-error @+1 {{body has 0 arguments for 1 operands}}
  %u = kz.map ins(%c : f32) -> !kz.tile<32xf32, registers, #l> {
    kz.yield %c : f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @argument(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %c = arith.constant 1.0 : f32
  // expected-error @+1 {{body argument 0 is 'f16', the operand holds 'f32'}}
  %u = kz.map ins(%c : f32) -> !kz.tile<32xf16, registers, #l> {
  ^bb0(%p: f16):
    kz.yield %p : f16
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @yields(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %c = arith.constant 1.0 : f32
  // expected-error @+1 {{body yields 2 values for 1 results}}
  %u = kz.map -> !kz.tile<32xf32, registers, #l> {
    kz.yield %c, %c : f32, f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @yield(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %c = arith.constant 1.0 : f32
  // expected-error @+1 {{body yields 'f32' for result 0 of 'f16'}}
  %u = kz.map -> !kz.tile<32xf16, registers, #l> {
    kz.yield %c : f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @body(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = arith.constant 0 : index
  // expected-error @+1 {{body holds 'memref.load'; accepted are arith and math operations, kz.index and kz.fetch}}
  %u = kz.map -> !kz.tile<32xf32, registers, #l> {
    %v = memref.load %x[%i] : memref<32xf32>
    kz.yield %v : f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @index() grid [1, 1, 1] threads 32 {
  %u = kz.map -> !kz.tile<32xi32, registers, #l> {
    // expected-error @+1 {{asks for dimension 1 of a tile of 1 dimensions}}
    %v = kz.index 1
    %w = arith.index_cast %v : index to i32
    kz.yield %w : i32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @splat() grid [1, 1, 1] threads 32 {
  %c = arith.constant 1.0 : f32
  // expected-error @+1 {{fills a tile of 'f16' with 'f32'}}
  %u = kz.splat %c : f32 -> !kz.tile<32xf16, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#t = #kz.layout<reg [4 : (1, 0)], lane [32 : (0, 1)], warp []>
kz.kernel @broadcast(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{has a tile of layout #kz.layout<reg [], lane [32 : (1)], warp []>; without the dimensions the other's is #kz.layout<reg [4 : (1)], lane [32 : (0)], warp []>}}
  %u = kz.broadcast %t dims [1] : !kz.tile<32xf32, registers, #l> -> !kz.tile<4x32xf32, registers, #t>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#one = #kz.layout<reg [], lane [32 : ()], warp []>
kz.kernel @dims(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{names dimension 1; accepted are rising numbers from 0 to 0}}
  %u = kz.reduce add %t dims [1] combine [shuffle] : !kz.tile<32xf32, registers, #l> -> !kz.tile<f32, registers, #one>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#one = #kz.layout<reg [], lane [32 : ()], warp []>
kz.kernel @lanes(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{leaves results apart in different lanes; add shuffle to combine}}
  %u = kz.reduce add %t dims [0] combine [] : !kz.tile<32xf32, registers, #l> -> !kz.tile<f32, registers, #one>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp [2 : (32)]>
#one = #kz.layout<reg [], lane [32 : ()], warp [2 : ()]>
kz.kernel @warps(%x: memref<64xf32>) grid [1, 1, 1] threads 64 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<64xf32> -> !kz.tile<64xf32, registers, #l>
  // expected-error @+1 {{leaves results apart in different warps; add shared to combine}}
  %u = kz.reduce add %t dims [0] combine [shuffle] : !kz.tile<64xf32, registers, #l> -> !kz.tile<f32, registers, #one>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#one = #kz.layout<reg [], lane [32 : ()], warp []>
kz.kernel @order(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{combines by 'shuffle' after 'shared'; accepted is shuffle, then shared, each at most once}}
  %u = kz.reduce add %t dims [0] combine [shared, shuffle] : !kz.tile<32xf32, registers, #l> -> !kz.tile<f32, registers, #one>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#one = #kz.layout<reg [], lane [32 : ()], warp []>
kz.kernel @words(%t: memref<32xf32>) grid [1, 1, 1] threads 32 {
  // expected-error @+1 {{combines by 'atomics'; accepted are shuffle, shared}}
  %u = kz.reduce add %t dims [0] combine [atomics] : !kz.tile<32xf32, registers, #l> -> !kz.tile<f32, registers, #one>
}

// -----

kz.kernel @results() grid [1, 1, 1] threads 32 {
  // expected-error @+1 {{has no results; accepted are 1 and more}}
  "kz.map"() ({
    "kz.yield"() : () -> ()
  }) : () -> ()
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @fill(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{fill is 'f16', the tile holds 'f32'}}
  %u = kz.clip %t extents [%i] fill(0.0 : f16) : !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @nothing(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{names no dimension to combine along}}
  %u = kz.reduce add %t dims [] combine [shuffle] : !kz.tile<32xf32, registers, #l> -> !kz.tile<32xf32, registers, #l>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
#one = #kz.layout<reg [], lane [32 : ()], warp []>
kz.kernel @types(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %t = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  // expected-error @+1 {{has tiles of 'f16' and 'f32'; accepted is one element type}}
  %u = kz.reduce add %t dims [0] combine [shuffle] : !kz.tile<32xf32, registers, #l> -> !kz.tile<f16, registers, #one>
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @few(%x: memref<32x4xf32>, %t: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %a = kz.load %t[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  %b = kz.map ins(%a : !kz.tile<32xf32, registers, #l>) -> !kz.tile<32xf32, registers, #l> {
  ^bb0(%p: f32):
    // expected-error @+1 {{has 1 coordinates; the buffer has 2 dimensions}}
    %v = kz.fetch %x[%i] : memref<32x4xf32> -> f32
    kz.yield %v : f32
  }
}

// -----

#l = #kz.layout<reg [], lane [32 : (1)], warp []>
kz.kernel @other(%x: memref<32xf32>) grid [1, 1, 1] threads 32 {
  %i = kz.block_id 0
  %a = kz.load %x[%i] : memref<32xf32> -> !kz.tile<32xf32, registers, #l>
  %b = kz.map ins(%a : !kz.tile<32xf32, registers, #l>) -> !kz.tile<32xf16, registers, #l> {
  ^bb0(%p: f32):
    // expected-error @+1 {{reads 'f16', the buffer holds 'f32'}}
    %v = kz.fetch %x[%i] : memref<32xf32> -> f16
    kz.yield %v : f16
  }
}
