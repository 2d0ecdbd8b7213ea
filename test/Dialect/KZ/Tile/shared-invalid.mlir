// RUN: kz-opt %s --split-input-file --verify-diagnostics

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @alloc() grid [1, 1, 1] threads 32 {
  %true = arith.constant true
  scf.if %true {
    // expected-error @+1 {{stands inside of 'scf.if'; accepted is the top of a kz.kernel}}
    %a = kz.alloc : !a
  }
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @ring() grid [1, 1, 1] threads 32 {
  %true = arith.constant true
  scf.if %true {
    // expected-error @+1 {{stands inside of 'scf.if'; accepted is the top of a kz.kernel}}
    %a = kz.ring : !kz.ring<2, !a>
  }
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!b = !kz.tile<16x16xf16, shared, #kz.swizzle<0>>
kz.kernel @slot() grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a>
  // expected-error @+1 {{gives tiles other than those of '!kz.ring<2, !kz.tile<16x16xf16, shared, #kz.swizzle<32>>>'}}
  %t = "kz.slot"(%r, %c0) : (!kz.ring<2, !a>, index) -> !b
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @width(%x: memref<16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  // expected-error @+1 {{moves 32 bytes at a time; accepted are 4, 8, 16}}
  kz.cp_async %x[%c0, %c0] to %a width(32) : memref<16x16xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @pitch(%x: memref<16x18xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  // expected-error @+1 {{row of the buffer has 36 bytes, not a multiple of the 8 bytes moved at a time}}
  kz.cp_async %x[%c0, %c0] to %a width(8) : memref<16x18xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @turned(%x: memref<16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  // expected-error @+1 {{rows of the tile run along dimension 0 of the buffer; accepted is the last, 1}}
  kz.cp_async %x[%c0, %c0] to %a width(16) dims [1, 0] : memref<16x16xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @tma_place(%x: memref<16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %a = kz.alloc : !a
  // expected-error @+1 {{fills a tile that is no slot of a ring; accepted are results of kz.produce}}
  kz.tma_load %x[%c0, %c0] to %a : memref<16x16xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @tma_pitch(%x: memref<16x20xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a>
  %a = kz.produce %r[%c0] : !kz.ring<2, !a>
  // expected-error @+1 {{row of the buffer has 40 bytes; TMA moves multiples of 16; try cp_async}}
  kz.tma_load %x[%c0, %c0] to %a : memref<16x20xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @tma_rank(%x: memref<1x1x1x1x16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a>
  %a = kz.produce %r[%c0] : !kz.ring<2, !a>
  // expected-error @+1 {{buffer has 6 dimensions; TMA moves up to 5}}
  kz.tma_load %x[%c0, %c0, %c0, %c0, %c0, %c0] to %a : memref<1x1x1x1x16x16xf16>, !a
}

// -----

!a = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
kz.kernel @tma_turned(%x: memref<16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a>
  %a = kz.produce %r[%c0] : !kz.ring<2, !a>
  // expected-error @+1 {{of the buffer; accepted are rising ones up to the last}}
  kz.tma_load %x[%c0, %c0] to %a dims [1, 0] : memref<16x16xf16>, !a
}

// -----

!a = !kz.tile<264x16xf16, shared, #kz.swizzle<32>>
kz.kernel @tma_box(%x: memref<512x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %r = kz.ring : !kz.ring<2, !a>
  %a = kz.produce %r[%c0] : !kz.ring<2, !a>
  // expected-error @+1 {{box is 264x16; TMA moves up to 256 a side}}
  kz.tma_load %x[%c0, %c0] to %a : memref<512x16xf16>, !a
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!s = !kz.tile<16x16xf16, shared, #kz.swizzle<32>>
!t = !kz.tile<16x8xf16, registers, #acc>
kz.kernel @staging(%y: memref<16x16xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %s = kz.alloc : !s
  %t = kz.splat %z : f16 -> !t
  // expected-error @+1 {{staging is 16x16, which does not divide the tile of 16x8}}
  kz.tma_store %t through %s, %y[%c0, %c0] : !t, !s, memref<16x16xf16>
}

// -----

#acc = #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
!s = !kz.tile<16x8xbf16, shared, #kz.swizzle<0>>
!t = !kz.tile<16x8xf16, registers, #acc>
kz.kernel @staging(%y: memref<16x8xf16>) grid [1, 1, 1] threads 32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %s = kz.alloc : !s
  %t = kz.splat %z : f16 -> !t
  // expected-error @+1 {{stages elements of type 'bf16' of a tile of 'f16'}}
  kz.tma_store %t through %s, %y[%c0, %c0] : !t, !s, memref<16x8xf16>
}

// -----

// expected-error @+1 {{has attributes for 1 arguments of 0}}
"kz.kernel"() <{sym_name = "attributes", grid = array<i64: 1, 1, 1>, threads = 32 : i64, arg_attrs = [{}]}> ({
  "kz.return"() : () -> ()
}) : () -> ()

// -----

kz.kernel @warpgroups() grid [1, 1, 1] threads 160 {
  // expected-error @+1 {{splits a block of 160 threads; accepted are whole warpgroups, multiples of 128}}
  kz.specialize producers(1) registers [40, 232] producer {
  } consumer {
  }
}

// -----

kz.kernel @producers() grid [1, 1, 1] threads 256 {
  // expected-error @+1 {{takes 2 producer warpgroups of 2; accepted are up to 1}}
  kz.specialize producers(2) registers [40, 232] producer {
  } consumer {
  }
}

// -----

kz.kernel @counts() grid [1, 1, 1] threads 256 {
  // expected-error @+1 {{has 1 register counts; accepted are 2, of a producer and of a consumer}}
  kz.specialize producers(1) registers [40] producer {
  } consumer {
  }
}

// -----

kz.kernel @registers() grid [1, 1, 1] threads 256 {
  // expected-error @+1 {{keeps 44 registers a thread; accepted are multiples of 8 from 24 to 256}}
  kz.specialize producers(1) registers [44, 232] producer {
  } consumer {
  }
}

// -----

kz.kernel @file() grid [1, 1, 1] threads 512 {
  // expected-error @+1 {{keeps 94208 registers a block; accepted are up to 65536}}
  kz.specialize producers(1) registers [40, 232] producer {
  } consumer {
  }
}
