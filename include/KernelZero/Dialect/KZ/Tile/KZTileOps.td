//===- KZTileOps.td - operations of the tile level ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TILE_OPS
#define KZ_TILE_OPS

include "KernelZero/Dialect/KZ/Tile/KZTileTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class KZ_TileOp<string mnemonic, list<Trait> traits = []>
    : Op<KZ_Dialect, mnemonic, traits> {
  // Transform operations share the dialect's namespace and some of the names.
  let cppNamespace = "::kernelzero::kz::tile";
}

class KZ_TileIn<string space, string words>
    : Type<And<[CPred<"::llvm::isa<::kernelzero::kz::TileType>($_self)">,
        CPred<"::llvm::cast<::kernelzero::kz::TileType>($_self).in" # space # "()">]>,
        words>;
def KZ_RegisterTile : KZ_TileIn<"Registers", "tile in registers">;
def KZ_SharedTile : KZ_TileIn<"Shared", "tile in shared memory">;
def KZ_AnyRing : Type<CPred<"::llvm::isa<::kernelzero::kz::RingType>($_self)">, "ring">;
def KZ_TileOrScalar : AnyTypeOf<[KZ_RegisterTile, AnySignlessInteger, AnyFloat, Index],
                                "tile in registers or scalar">;
def KZ_Buffer : StaticShapeMemRefOf<[AnySignlessInteger, AnyFloat]>;

//===----------------------------------------------------------------------===//
// Kernel and grid
//===----------------------------------------------------------------------===//

def KZ_KernelOp : KZ_TileOp<"kernel", [IsolatedFromAbove, Symbol,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "one GPU kernel over tiles";
  let description = [{
    `grid` blocks of `threads` threads run the body. Arguments are buffers in
    global memory, static and row-major, that do not overlap. Each is bound to
    a buffer of the task (its arguments, then its results) by the attribute
    `kz.buffer`, or to a workspace by `kz.workspace`; without either, argument i
    is buffer i.

    Example:

    ```mlir
    kz.kernel @copy(%x: memref<64x256xf16>, %y: memref<64x256xf16>) grid [64, 1, 1] threads 32 {
      %i = kz.block_id 0
      %c0 = arith.constant 0 : index
      %t = kz.load %x[%i, %c0] : memref<64x256xf16> -> !kz.tile<1x256xf16, registers, #row>
      kz.store %t, %y[%i, %c0] : !kz.tile<1x256xf16, registers, #row>, memref<64x256xf16>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$grid, I64Attr:$threads,
                       OptionalAttr<DenseI64ArrayAttr>:$cluster,
                       OptionalAttr<DictArrayAttr>:$arg_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The attributes of an argument; empty where none were given.
    ::mlir::DictionaryAttr getArgAttrDict(unsigned index);
  }];
}

def KZ_ReturnOp : KZ_TileOp<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def KZ_YieldOp : KZ_TileOp<"yield", [Pure, Terminator,
    ParentOneOf<["MapOp", "SpecializeOp"]>]> {
  let summary = "end of a region of the tile level, and its values";
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def KZ_BlockIdOp : KZ_TileOp<"block_id", [Pure]> {
  let summary = "number of the block along a dimension of the grid";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict";
}

def KZ_BarrierOp : KZ_TileOp<"barrier"> {
  let summary = "wait for the threads of the region around";
  let description = [{
    All threads of the kernel, or of the consumer region of `kz.specialize`,
    arrive before any goes on; what they wrote to shared memory is then seen.
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

class KZ_AccessOp<string mnemonic, list<Trait> traits = []> : KZ_TileOp<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getBufferType() { return ::llvm::cast<::mlir::MemRefType>(getBuffer().getType()); }
    /// Dimension of the buffer that each dimension of the tile runs along.
    ::llvm::SmallVector<int64_t> getBufferDims();
  }];
}

def KZ_LoadOp : KZ_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "tile of a buffer, into registers";
  let description = [{
    Reads the tile whose first element is at `coordinates` of `buffer`. The tile
    runs along the last dimensions of the buffer, or along `dims` (one for each
    dimension of the tile). Elements beyond the buffer, or beyond `extents` of
    the tile, are not read: they are `pad`, or 0.

    Example:

    ```mlir
    %t = kz.load %x[%i, %c0] extents [%c1, %n] pad(0xFC00 : f16) cache(read_only) : memref<64x250xf16> -> !kz.tile<1x256xf16, registers, #row>
    ```
  }];
  let arguments = (ins Arg<KZ_Buffer, "", [MemRead]>:$buffer, Variadic<Index>:$coordinates,
                       Variadic<Index>:$extents, OptionalAttr<DenseI64ArrayAttr>:$dims,
                       OptionalAttr<TypedAttrInterface>:$pad,
                       OptionalAttr<KZ_CacheHint>:$cache);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = [{
    $buffer `[` $coordinates `]` (`extents` `[` $extents^ `]`)? (`dims` $dims^)?
    (`pad` `(` $pad^ `)`)? (`cache` `(` $cache^ `)`)?
    attr-dict `:` type($buffer) `->` type($result)
  }];
}

def KZ_StoreOp : KZ_AccessOp<"store", [AttrSizedOperandSegments]> {
  let summary = "tile in registers, to a buffer";
  let description = [{
    The inverse of `kz.load`: elements beyond the buffer or beyond `extents` are
    not written, and of copies one is.
  }];
  let arguments = (ins KZ_RegisterTile:$tile, Arg<KZ_Buffer, "", [MemWrite]>:$buffer,
                       Variadic<Index>:$coordinates, Variadic<Index>:$extents,
                       OptionalAttr<DenseI64ArrayAttr>:$dims,
                       OptionalAttr<KZ_CacheHint>:$cache);
  let assemblyFormat = [{
    $tile `,` $buffer `[` $coordinates `]` (`extents` `[` $extents^ `]`)? (`dims` $dims^)?
    (`cache` `(` $cache^ `)`)? attr-dict `:` type($tile) `,` type($buffer)
  }];
}

def KZ_MapOp : KZ_TileOp<"map", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a scalar computation on every element";
  let description = [{
    The body is applied to the elements of the operands at one place, for every
    place of the tile: operands and results that are tiles have one layout.
    Scalar operands are the same everywhere. The body holds `arith` and `math`
    operations, `kz.index` and `kz.fetch`. The attribute `kz.math` (a `#kz.math`, or several)
    chooses the form of transcendental functions; without it each has its
    accurate form.

    Example:

    ```mlir
    %y = kz.map ins(%x, %s : !kz.tile<1x256xf16, registers, #row>, f32) -> !kz.tile<1x256xf32, registers, #row> {
    ^bb0(%a: f16, %b: f32):
      %0 = arith.extf %a : f16 to f32
      %1 = arith.mulf %0, %b : f32
      kz.yield %1 : f32
    }
    ```
  }];
  let arguments = (ins Variadic<KZ_TileOrScalar>:$inputs);
  let results = (outs Variadic<KZ_RegisterTile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `->` type($results)
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def KZ_IndexOp : KZ_TileOp<"index", [Pure, HasParent<"MapOp">]> {
  let summary = "coordinate of the element that the body of a map works on";
  let description = "Relative to the first element of the tile.";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict";
  let hasVerifier = 1;
}

def KZ_FetchOp : KZ_TileOp<"fetch", [HasParent<"MapOp">]> {
  let summary = "one element of a buffer, at coordinates that a map computes";
  let description = [{
    A gather: every element of the map reads where its own body says. Where a
    coordinate lies beyond the buffer, which one is read is not said.

    Example:

    ```mlir
    %v = kz.fetch %table[%row, %column] : memref<512x768xf16> -> f16
    ```
  }];
  let arguments = (ins Arg<KZ_Buffer, "", [MemRead]>:$buffer, Variadic<Index>:$coordinates);
  let results = (outs AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$result);
  let assemblyFormat = "$buffer `[` $coordinates `]` attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def KZ_SplatOp : KZ_TileOp<"splat", [Pure]> {
  let summary = "one scalar as every element";
  let arguments = (ins AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def KZ_BroadcastOp : KZ_TileOp<"broadcast", [Pure]> {
  let summary = "copies of a tile along further dimensions";
  let description = [{
    `dims` are the dimensions that the result has and the operand lacks. The
    operand's layout must be the result's without them, so that no element
    moves.

    Example:

    ```mlir
    %b = kz.broadcast %v dims [0] : !kz.tile<256xf16, registers, #v> -> !kz.tile<4x256xf16, registers, #t>
    ```
  }];
  let arguments = (ins KZ_RegisterTile:$tile, DenseI64ArrayAttr:$dims);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = "$tile `dims` $dims attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
}

def KZ_ReduceOp : KZ_TileOp<"reduce", [Pure]> {
  let summary = "a tile combined along dimensions";
  let description = [{
    Every thread first combines what it holds; then, as `combine` says, in
    order: `shuffle` among the lanes of a warp, `shared` through shared memory
    among all threads that are left. All threads that hold copies of a result
    get it. `max` and `min` of a NaN are NaN. The result's layout is the
    operand's without `dims`.

    Example:

    ```mlir
    %m = kz.reduce max %x dims [1] combine [shuffle, shared] : !kz.tile<1x8192xf32, registers, #row> -> !kz.tile<1xf32, registers, #one>
    ```
  }];
  let arguments = (ins KZ_ReduceKind:$kind, KZ_RegisterTile:$tile, DenseI64ArrayAttr:$dims,
                       KZ_ReduceAttr:$combine);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = [{
    $kind $tile `dims` $dims `combine` custom<CombineSteps>($combine) attr-dict
    `:` type($tile) `->` type($result)
  }];
  let hasVerifier = 1;
}

def KZ_ClipOp : KZ_TileOp<"clip", [Pure, AllTypesMatch<["tile", "result"]>]> {
  let summary = "a constant in place of the elements beyond an extent";
  let description = [{
    Example:

    ```mlir
    %c = kz.clip %t extents [%c1, %n] fill(0xFF800000 : f32) : !kz.tile<1x256xf32, registers, #row>
    ```
  }];
  let arguments = (ins KZ_RegisterTile:$tile, Variadic<Index>:$extents,
                       TypedAttrInterface:$fill);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = [{
    $tile `extents` `[` $extents `]` `fill` `(` $fill `)` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

def KZ_AllocOp : KZ_TileOp<"alloc"> {
  let summary = "a tile in shared memory";
  let results = (outs Res<KZ_SharedTile, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def KZ_RingOp : KZ_TileOp<"ring"> {
  let summary = "a ring of slots in shared memory";
  let description = [{
    Where `kz.produce` and `kz.consume` use it, every slot has a pair of
    barriers: *full*, complete when the bytes of all its tiles have arrived, and
    *empty*, complete when every consumer warpgroup has released it. All slots
    are empty at first.

    Example:

    ```mlir
    %r = kz.ring : !kz.ring<3, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>>
    ```
  }];
  let results = (outs Res<KZ_AnyRing, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class KZ_SlotLikeOp<string mnemonic, list<Trait> traits = []> : KZ_TileOp<mnemonic, traits> {
  let arguments = (ins KZ_AnyRing:$ring, Index:$use);
  let results = (outs Variadic<KZ_SharedTile>:$tiles);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$ring, "::mlir::Value":$use), [{
    auto type = ::llvm::cast<::kernelzero::kz::RingType>(ring.getType());
    $_state.addOperands({ring, use});
    for (::kernelzero::kz::TileType tile : type.getTiles())
      $_state.addTypes(tile);
  }]>];
}

def KZ_SlotOp : KZ_SlotLikeOp<"slot", [Pure]> {
  let summary = "the tiles of a slot, without waiting";
  let description = [{
    For rings that are kept in step by `kz.cp_async_wait` and `kz.barrier`.

    Example:

    ```mlir
    %a, %b = kz.slot %ring[%i] : !kz.ring<3, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x128xf16, shared, #kz.swizzle<128>>>
    ```
  }];
}

def KZ_ProduceOp : KZ_SlotLikeOp<"produce"> {
  let summary = "the tiles of a slot, once it is empty, to be filled";
  let description = [{
    Waits until the consumers of the slot's last use have released it. Each of
    its tiles must then be filled by exactly one `kz.tma_load`.
  }];
}

def KZ_ConsumeOp : KZ_SlotLikeOp<"consume"> {
  let summary = "the tiles of a slot, once they are full";
}

def KZ_ReleaseOp : KZ_TileOp<"release"> {
  let summary = "tell the producer that this warpgroup has read a slot";
  let description = [{
    Reads by an asynchronous `kz.mma` are over only after the `kz.mma_wait` that
    covers it. Every warpgroup that consumes releases every use once.
  }];
  let arguments = (ins KZ_AnyRing:$ring, Index:$use);
  let assemblyFormat = "$ring `[` $use `]` attr-dict `:` type($ring)";
}

def KZ_PutOp : KZ_TileOp<"put"> {
  let summary = "tile in registers, into shared memory";
  let description = [{
    Written when the threads that read it have passed a `kz.barrier`.

    Example:

    ```mlir
    kz.put %t to %s : !kz.tile<128x64xf16, registers, #copy>, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
    ```
  }];
  let arguments = (ins KZ_RegisterTile:$tile, Arg<KZ_SharedTile, "", [MemWrite]>:$shared);
  let assemblyFormat = "$tile `to` $shared attr-dict `:` type($tile) `,` type($shared)";
  let hasVerifier = 1;
}

def KZ_CpAsyncOp : KZ_AccessOp<"cp_async"> {
  let summary = "tile of a buffer, into shared memory, by cp.async";
  let description = [{
    All threads of the block copy `width` bytes (4, 8 or 16) at a time. `buffer`,
    `coordinates` and `dims` as for `kz.load`; elements beyond the buffer
    become 0. Done only after `kz.cp_async_wait` and `kz.barrier`.

    Example:

    ```mlir
    kz.cp_async %x[%m, %k] to %a width(16) : memref<4096x4096xf16>, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
    ```
  }];
  let arguments = (ins Arg<KZ_Buffer, "", [MemRead]>:$buffer, Variadic<Index>:$coordinates,
                       Arg<KZ_SharedTile, "", [MemWrite]>:$tile, I64Attr:$width,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $buffer `[` $coordinates `]` `to` $tile `width` `(` $width `)` (`dims` $dims^)? attr-dict
    `:` type($buffer) `,` type($tile)
  }];
}

def KZ_CpAsyncCommitOp : KZ_TileOp<"cp_async_commit"> {
  let summary = "make one group of the copies since the last commit";
  let assemblyFormat = "attr-dict";
}

def KZ_CpAsyncWaitOp : KZ_TileOp<"cp_async_wait"> {
  let summary = "wait until at most `pending` of the last groups are not done";
  let description = "For the copies of the calling thread; `kz.barrier` tells the others.";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def KZ_TmaLoadOp : KZ_AccessOp<"tma_load"> {
  let summary = "tile of a buffer, into a slot, by TMA";
  let description = [{
    `tile` is a result of `kz.produce`, and the slot is told. Elements beyond
    the buffer become 0. The row pitch of the buffer must be a multiple of 16
    bytes. A tile of several panels is several boxes.

    Example:

    ```mlir
    kz.tma_load %x[%m, %k] to %a : memref<4096x4096xf16>, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
    ```
  }];
  let arguments = (ins Arg<KZ_Buffer, "", [MemRead]>:$buffer, Variadic<Index>:$coordinates,
                       Arg<KZ_SharedTile, "", [MemWrite]>:$tile,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $buffer `[` $coordinates `]` `to` $tile (`dims` $dims^)? attr-dict
    `:` type($buffer) `,` type($tile)
  }];
}

def KZ_TmaStoreOp : KZ_AccessOp<"tma_store"> {
  let summary = "tile in registers, through shared memory, to a buffer by TMA";
  let description = [{
    The tile goes chunk by chunk through `staging`, whose shape divides the
    tile's: written with `stmatrix`, stored by TMA, which clips. Every warpgroup
    moves its own rows and waits for nobody else; before it writes `staging`
    again it waits until the last chunk was read. `kz.tma_store_wait` waits for
    the end of all stores.

    Example:

    ```mlir
    kz.tma_store %t through %s, %y[%m, %n] : !kz.tile<64x128xf16, registers, #acc>, !kz.tile<64x64xf16, shared, #kz.swizzle<128>>, memref<4096x4096xf16>
    ```
  }];
  let arguments = (ins KZ_RegisterTile:$tile, Arg<KZ_SharedTile, "", [MemRead, MemWrite]>:$staging,
                       Arg<KZ_Buffer, "", [MemWrite]>:$buffer, Variadic<Index>:$coordinates,
                       OptionalAttr<DenseI64ArrayAttr>:$dims);
  let assemblyFormat = [{
    $tile `through` $staging `,` $buffer `[` $coordinates `]` (`dims` $dims^)? attr-dict
    `:` type($tile) `,` type($staging) `,` type($buffer)
  }];
}

def KZ_TmaStoreWaitOp : KZ_TileOp<"tma_store_wait"> {
  let summary = "wait for the end of all TMA stores of this warpgroup";
  let description = "Needed before a kernel that used `kz.tma_store` ends.";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Matrix products and roles
//===----------------------------------------------------------------------===//

def KZ_MmaOp : KZ_TileOp<"mma", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "accumulators plus the product of two tiles in shared memory";
  let description = [{
    `acc` + a * b by the instruction `mma`; a is M x K, b is K x N, or N x K with
    `transpose_b`. With `fma` every thread multiplies and adds for its own
    elements of `acc`, in their type. Who computes what follows from the layout of
    `acc`. With `wgmma` the product is one asynchronous group: a and b must stay,
    and the result must not be used other than as `acc` of the next `kz.mma`,
    until a `kz.mma_wait` covers it.

    Example:

    ```mlir
    %1 = kz.mma %a, %b, %0 #kz.mma<mma_sync, [16, 8, 16], f32> : !kz.tile<16x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x8xf16, shared, #kz.swizzle<0>>, !kz.tile<16x8xf32, registers, #acc>
    ```
  }];
  let arguments = (ins Arg<KZ_SharedTile, "", [MemRead]>:$a, Arg<KZ_SharedTile, "", [MemRead]>:$b,
                       KZ_RegisterTile:$acc, KZ_MmaAttr:$mma, UnitAttr:$transpose_b);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = [{
    $a `,` $b (`transposed` $transpose_b^)? `,` $acc $mma attr-dict
    `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def KZ_MmaWaitOp : KZ_TileOp<"mma_wait", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "wait until at most `pending` of the last products are not done";
  let description = [{
    The result is `acc`; with `pending` 0 its elements may be read.

    Example:

    ```mlir
    %1 = kz.mma_wait %0 pending(0) : !kz.tile<64x8xf32, registers, #acc>
    ```
  }];
  let arguments = (ins KZ_RegisterTile:$acc, ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let results = (outs KZ_RegisterTile:$result);
  let assemblyFormat = "$acc `pending` `(` $pending `)` attr-dict `:` type($acc)";
}

def KZ_SpecializeOp : KZ_TileOp<"specialize", [HasParent<"KernelOp">, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "producer and consumer warpgroups";
  let description = [{
    The first `producers` warpgroups keep `registers[0]` registers a thread; one
    thread of them runs `producer`. The other warpgroups have `registers[1]` and
    run `consumer`, where threads, warps and barriers count consumers only. The
    two do not meet at the end.

    Example:

    ```mlir
    kz.specialize producers(1) registers [40, 232] producer {
    } consumer {
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$producers,
                       DenseI64ArrayAttr:$registers);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    `producers` `(` $producers `)` `registers` $registers attr-dict-with-keyword
    `producer` $producer `consumer` $consumer
  }];
  let hasVerifier = 1;
}

#endif // KZ_TILE_OPS
