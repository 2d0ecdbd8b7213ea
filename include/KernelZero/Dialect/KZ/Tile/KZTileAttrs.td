//===- KZTileAttrs.td - attributes of the tile level -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TILE_ATTRS
#define KZ_TILE_ATTRS

// Included at the end of KZAttrs.td, which defines KZ_Attr and KZ_Enum.

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

def KZ_ReduceKind : KZ_Enum<"ReduceKind", "how elements are combined", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">]> {
  let genSpecializedAttr = 1;
}

def KZ_CacheHint : KZ_Enum<"CacheHint", "what the caches should know of an access", [
  I32EnumAttrCase<"ReadOnly", 0, "read_only">,
  I32EnumAttrCase<"Streaming", 1, "streaming">,
  I32EnumAttrCase<"NoAllocate", 2, "no_allocate">]> {
  let genSpecializedAttr = 1;
}

//===----------------------------------------------------------------------===//
// Encodings of tiles
//===----------------------------------------------------------------------===//

def KZ_LayoutAttr : KZ_Attr<"Layout", "layout"> {
  let summary = "how the elements of a tile are dealt to the threads of a block";
  let description = [{
    Three lists of steps, fastest first: `reg` for the elements that one thread
    holds, `lane` (extents multiply to 32) and `warp`. A step is an extent and
    the distance it moves along each dimension, of which at most one is not
    zero; all zeros mean copies. The element in register r of lane l of warp w
    has the coordinates that the digits of r, l and w (mixed radix over the
    extents) add up to. Extents need not be powers of two. Every element of the
    tile is held, and, copies aside, held once.

    Threads are counted from the first thread that runs the region around: in
    the consumer region of `kz.specialize` the first consumer is thread 0.

    Example (16x8 accumulators of one `mma.sync`, a row vector dealt to a warp):

    ```mlir
    #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>
    #kz.layout<reg [8 : (0, 1)], lane [32 : (0, 8)], warp []>
    ```
  }];
  let parameters = (ins "int64_t":$rank,
    OptionalArrayRefParameter<"::kernelzero::kz::LayoutStep">:$reg,
    OptionalArrayRefParameter<"::kernelzero::kz::LayoutStep">:$lane,
    OptionalArrayRefParameter<"::kernelzero::kz::LayoutStep">:$warp);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Accumulators of `wgmma` m64 x n x k over a tile of `shape` (M x N), its
    /// rows dealt to `mWarpgroups` and its columns to `nWarpgroups`: each
    /// warpgroup owns whole blocks of 64 x n; where it owns several, the rows
    /// come after the columns. Null when the tile is not made of such blocks.
    static LayoutAttr forWgmmaAccumulator(::mlir::MLIRContext *context, int64_t n,
        int64_t mWarpgroups, int64_t nWarpgroups, ::llvm::ArrayRef<int64_t> shape);
    /// Accumulators of `mma.sync` m16n8 over a tile of `shape`, dealt to
    /// `warps[0]` x `warps[1]` warps, each with one contiguous part. Null when
    /// a part is not made of 16 x 8 blocks.
    static LayoutAttr forMmaSyncAccumulator(::mlir::MLIRContext *context,
        ::llvm::ArrayRef<int64_t> shape, ::llvm::ArrayRef<int64_t> warps);
    /// Sums of plain multiply-adds over a tile of `shape`, dealt to `warps[0]` x
    /// `warps[1]` warps, each with one contiguous part, in which `lanes[0]` x
    /// `lanes[1]` lanes take every lanes[0]-th row and, `vector` neighbours (or
    /// as many as there are) at a time, the columns in turn. Null when a part is
    /// not made of blocks of lanes.
    static LayoutAttr forFmaAccumulator(::mlir::MLIRContext *context,
        ::llvm::ArrayRef<int64_t> shape, ::llvm::ArrayRef<int64_t> warps,
        ::llvm::ArrayRef<int64_t> lanes, int64_t vector);
    /// `rows` x `cols`, dealt in vectors of `vector` elements to `threads`
    /// threads along a row; the other threads of a block of `blockThreads` (0:
    /// just `threads`) take other rows. Null unless `cols` is a multiple of
    /// threads * vector, the block is made of whole warps and the rows divide.
    static LayoutAttr forRows(::mlir::MLIRContext *context, int64_t rows, int64_t cols,
        int64_t threads, int64_t vector, int64_t blockThreads = 0);
    /// Any rank: the last dimension as in forRows, `threads` along dimension
    /// `dim`; dimensions other than `dim` stay within a thread, save that spare
    /// threads of the block take dimension `spareDim` (-1: none may be spare).
    static LayoutAttr forThreads(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape,
        int64_t dim, int64_t threads, int64_t vector, int64_t blockThreads,
        int64_t spareDim = -1);

    /// The layout of what is left when dimensions go: of a reduction over them,
    /// or of an operand that is broadcast along them. Lanes and warps that
    /// moved along one become copies, registers are dropped.
    LayoutAttr dropDims(::llvm::ArrayRef<int64_t> dims) const;
    LayoutAttr dropDim(int64_t dim) const { return dropDims({dim}); }

    /// The register of dropDims(dims) that holds what is left of register `reg`
    /// when `dims` go.
    int64_t getKeptRegister(int64_t reg, ::llvm::ArrayRef<int64_t> dims) const;

    /// The tile that the layout deals.
    ::llvm::SmallVector<int64_t> getShape() const;
    int64_t getNumRegisters() const;
    int64_t getNumWarps() const;
    int64_t getNumThreads() const { return 32 * getNumWarps(); }
    /// Coordinates of register `reg` relative to register 0, lane 0, warp 0.
    ::llvm::SmallVector<int64_t> getOffsets(int64_t reg) const;
    /// Coordinates of an element, for tests and constant folding.
    ::llvm::SmallVector<int64_t> getCoordinates(int64_t reg, int64_t lane, int64_t warp) const;
    /// How many registers from register 0 on are neighbours along `dim`; every
    /// group of so many registers is.
    int64_t getContiguous(int64_t dim) const;
    /// The largest number that divides coordinate `dim` of the first register of
    /// every group of `width` neighbours, for every thread.
    int64_t getAlignment(int64_t dim, int64_t width) const;
    /// Whether some element is held by more than one thread.
    bool hasCopies() const;
    /// Whether lanes (or warps) differ along one of `dims`.
    bool lanesDifferAlong(::llvm::ArrayRef<int64_t> dims) const;
    bool warpsDifferAlong(::llvm::ArrayRef<int64_t> dims) const;
    /// Whether each warp holds fragments of `mma.sync` m16n8 accumulators, and
    /// whether each warpgroup holds those of `wgmma` m64 x n.
    bool isMmaSyncAccumulator() const;
    bool isWgmmaAccumulator(int64_t n) const;
  }];
}

def KZ_SwizzleAttr : KZ_Attr<"Swizzle", "swizzle"> {
  let summary = "how a tile is laid out in shared memory";
  let description = [{
    With `bytes` = 0: row after row. With 32, 64 or 128: the tile is cut into
    panels of `bytes` bytes of columns, stored one after the other; a panel is
    row after row of `bytes` bytes, starting at a multiple of 1024, and bits 4
    to 6 of an address in it are exclusive-ored with bits 7 to 9, as many of
    them as the span has: what TMA, `wgmma` and conflict-free `ldmatrix` want.
  }];
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
  let genVerifyDecl = 1;
}

#endif // KZ_TILE_ATTRS
