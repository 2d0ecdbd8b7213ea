//===- KZTransformOps.td - the schedule language -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORM_OPS
#define KZ_TRANSFORM_OPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

// Handle types are never written: one handle is !transform.any_op, one param
// is !transform.any_param. Upstream's types are not buildable, so ODS would ask
// for them in the text.
def AnyOp : Type<Transform_AnyOpType.predicate, "handle to any operation",
                 "::mlir::transform::AnyOpType">,
    BuildableType<"::mlir::transform::AnyOpType::get($_builder.getContext())">;
def AnyParam : Type<Transform_AnyParamType.predicate, "parameter of any type",
                    "::mlir::transform::AnyParamType">,
    BuildableType<"::mlir::transform::AnyParamType::get($_builder.getContext())">;

class KZ_TransformOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "kz." # mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let cppNamespace = "::kernelzero::kz";
}

//===----------------------------------------------------------------------===//
// Finding and tiling
//===----------------------------------------------------------------------===//

def BodyOp : KZ_TransformOp<"body",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "handles to the operations of a task, in order";
  let description = [{
    Returns one handle for every computing operation in the body of `task`, in
    program order. Fills of initial values, empty tensors and constants are not
    counted. The number of results is the number of names on the left-hand side.

    Example:

    ```mlir
    %mm, %epi = transform.kz.body %t
    ```

    #### Return modes

    Reads `task`. A silenceable failure where the task has another number of
    computing operations than the schedule names; it says how many, and which.
  }];
  let arguments = (ins AnyOp:$task);
  let results = (outs Variadic<AnyOp>:$ops);
  let assemblyFormat = "$task attr-dict `` custom<AsManyAsNamed>(type($ops))";
}

def TileGridOp : KZ_TransformOp<"tile_grid", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tile over the grid and fuse producers and consumers";
  let description = [{
    Cuts the parallel dimensions of `target` into tiles of the sizes given, one
    a block (on the host: one a unit of work that threads share). Sizes are in
    the order of the parallel dimensions (for a matmul M, N; batch first); 0, or
    a size left out, keeps a dimension whole. Operations in `fuse` are computed
    tile by tile in the same grid: producers of `target` and consumers of it
    alike. The grid loop runs over the outermost of them.

    `raster group_m(g)` walks tiles in groups of `g` rows of tiles, so that
    blocks that run together share operands in cache; 0 is row by row.
    `persistent` starts one block a multiprocessor, which walks its share of
    tiles; without it every tile is a block.

    Example:

    ```mlir
    %m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [128, 256] raster group_m(16) persistent
    ```

    #### Return modes

    Consumes `target` and `fuse`, returns a new handle for each, in that order,
    and a handle to the grid loop. Silenceable failures: a target that is in a
    grid already; a tile size larger than its dimension; a size given for a
    dimension that is not there or that is summed over; nothing but zeros; an
    operation in `fuse` that neither feeds nor reads the others, that is read as
    several tiles, or that sums over a tiled dimension.
  }];
  let arguments = (ins AnyOp:$target, Variadic<AnyOp>:$fused,
                       Variadic<AnyParam>:$tile, DenseI64ArrayAttr:$static_tile,
                       Optional<AnyParam>:$group_m,
                       OptionalAttr<I64Attr>:$static_group_m,
                       UnitAttr:$persistent);
  let results = (outs AnyOp:$tiled, Variadic<AnyOp>:$tiled_fused, AnyOp:$grid);
  let assemblyFormat = [{
    $target (`fuse` `(` $fused^ `)`)?
    `tile` custom<DynamicIndexList>($tile, $static_tile)
    (`raster` `group_m` `` custom<Choice>($group_m, $static_group_m)^)?
    (`persistent` $persistent^)? attr-dict
    `` custom<AsManyAs>(ref($fused), type($tiled_fused))
  }];
  let hasVerifier = 1;
}

def TileLoopOp : KZ_TransformOp<"tile_loop", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tile the parallel or the summed dimensions by sequential loops";
  let description = [{
    Cuts `target` once more, by loops that run one after another inside the
    grid. `parallel` takes sizes for the parallel dimensions, `reduction` for
    the summed ones, each in the operation's order; 0 keeps a dimension whole.
    `order` lists the tiled dimensions from the outermost loop to the innermost,
    as positions in the size list. Producers in `fuse` move into the loops.

    A tile of a summed dimension adds to the same accumulator in the original
    order: the result is bit for bit the untiled one.

    Example:

    ```mlir
    %r, %n = transform.kz.tile_loop %m parallel [8, 32] order [1, 0]
    %r2, %k = transform.kz.tile_loop %r reduction [2]
    ```

    #### Return modes

    Consumes `target` and `fuse`, returns the tile, a handle for each fused
    operation, and the outermost loop. Silenceable failures: a target in no grid;
    no size but 0; a size larger than its dimension; more sizes than dimensions
    of that kind; a consumer in `fuse` where a summed dimension is tiled. The
    verifier refuses an `order` that is not a permutation.
  }];
  let arguments = (ins AnyOp:$target, Variadic<AnyOp>:$fused, UnitAttr:$reduction,
                       Variadic<AnyParam>:$tile, DenseI64ArrayAttr:$static_tile,
                       OptionalAttr<DenseI64ArrayAttr>:$order);
  let results = (outs AnyOp:$tiled, Variadic<AnyOp>:$tiled_fused, AnyOp:$loop);
  let assemblyFormat = [{
    $target (`fuse` `(` $fused^ `)`)?
    (`reduction` $reduction^) : (`parallel`)?
    custom<DynamicIndexList>($tile, $static_tile)
    (`order` custom<IntegerList>($order)^)? attr-dict
    `` custom<AsManyAs>(ref($fused), type($tiled_fused))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

def StageOp : KZ_TransformOp<"stage", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "keep one value of an operation in a nearer memory";
  let description = [{
    Marks a value: `operand(i)` is the i-th operand of `target` in its order,
    `result(i)` its i-th result, `task_input(i)` the tile of the task's i-th
    argument that `target` and the operations fused with it read. The value is
    kept in `registers`, in `shared` memory, or packed in host `memory`.

    - `copy(plain | cp_async | tma | tma_store)`: the instruction that moves it.
    - `swizzle(bytes)`: 16-byte pieces of a row are permuted over 32, 64 or 128
      bytes, so that reads of a column of pieces meet no bank conflict.
    - `width(bytes)`: what one thread moves at a time: 2, 4, 8 or 16. In
      `registers` it is a claim that the threads' vectors have to meet.
    - `panels(n)`: packed as panels of n columns (right operand) or n rows (left
      operand), each panel contiguous, in the order of use.
    - `chunk [m, n]`: the part of a result in flight at a time.
    - `before(%loop)`: staged once in front of that loop, whole as seen there.

    Example:

    ```mlir
    %a = transform.kz.stage %m operand(0) shared copy(tma) swizzle(128)
    ```

    #### Return modes

    Reads `target` and returns a handle to the marker, a `kz.staged`.
    Silenceable failures: an index out of range; a loop of `before` that is not
    around the target, or that the value depends on; a task input outside of a
    grid, or read as no tile or as several. Choices that do not go together (a
    swizzle outside of shared memory, TMA with a width, panels on a GPU's
    spaces) are refused by the verifier, or by the step where they are params.
  }];
  let arguments = (ins AnyOp:$target, StrAttr:$value, I64Attr:$index, StrAttr:$space,
                       Optional<AnyParam>:$copy, OptionalAttr<StrAttr>:$static_copy,
                       Optional<AnyParam>:$swizzle, OptionalAttr<I64Attr>:$static_swizzle,
                       Optional<AnyParam>:$width, OptionalAttr<I64Attr>:$static_width,
                       Optional<AnyParam>:$panels, OptionalAttr<I64Attr>:$static_panels,
                       Variadic<AnyParam>:$chunk,
                       OptionalAttr<DenseI64ArrayAttr>:$static_chunk,
                       Optional<AnyOp>:$before);
  let results = (outs AnyOp:$staged);
  let assemblyFormat = [{
    $target custom<Word>($value) `` `(` $index `)` custom<Word>($space)
    oilist(`copy` `` custom<WordChoice>($copy, $static_copy)
         | `swizzle` `` custom<Choice>($swizzle, $static_swizzle)
         | `width` `` custom<Choice>($width, $static_width)
         | `panels` `` custom<Choice>($panels, $static_panels)
         | `chunk` custom<DynamicIndexList>($chunk, $static_chunk)
         | `before` `(` $before `)`) attr-dict
  }];
  let hasVerifier = 1;
}

def PipelineOp : KZ_TransformOp<"pipeline", [AttrSizedOperandSegments]> {
  let summary = "let a loop fill a ring of buffers ahead of use";
  let description = [{
    The tiles staged in shared memory that `ring` names share one ring of
    `stages` slots: while one slot is in use, the copies of the next ones are
    under way. Depth belongs to the ring.

    Example:

    ```mlir
    transform.kz.pipeline %k ring(%a, %b) stages(4)
    ```

    #### Return modes

    Reads its handles. Silenceable failures: a loop that is not sequential; fewer
    than 1 stage; a tile that is not staged in shared memory, or not inside the
    loop. Slots that together exceed the shared memory of the target are found
    when the schedule is checked against a target.
  }];
  let arguments = (ins AnyOp:$loop, Variadic<AnyOp>:$ring,
                       Optional<AnyParam>:$stages, OptionalAttr<I64Attr>:$static_stages);
  let assemblyFormat = [{
    $loop `ring` `(` $ring `)` `stages` `` custom<Choice>($stages, $static_stages) attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Warps, threads, instructions
//===----------------------------------------------------------------------===//

def TileWarpsOp : KZ_TransformOp<"tile_warps"> {
  let summary = "deal a tile to warps or warpgroups";
  let description = [{
    Splits the M and N of the tile `target` evenly over `warps [m, n]`, or over
    `warpgroups [m, n]` of four warps each.

    Example:

    ```mlir
    transform.kz.tile_warps %m warpgroups [2, 1]
    ```

    #### Return modes

    Reads `target`. Silenceable failures: a count below 1; a tile that the
    counts do not divide.
  }];
  let arguments = (ins AnyOp:$target, UnitAttr:$warpgroups,
                       Variadic<AnyParam>:$counts, DenseI64ArrayAttr:$static_counts);
  let assemblyFormat = [{
    $target (`warpgroups` $warpgroups^) : (`warps`)?
    custom<DynamicIndexList>($counts, $static_counts) attr-dict
  }];
  let hasVerifier = 1;
}

def TileThreadsOp : KZ_TransformOp<"tile_threads", [AttrSizedOperandSegments]> {
  let summary = "deal one dimension of the grid's tile to threads";
  let description = [{
    Each block has `threads` threads; they lie side by side along dimension
    `dim` of the tile, each with `vector` neighbouring elements at a time, and
    walk over the rest of the dimension.

    Example:

    ```mlir
    transform.kz.tile_threads %grid dim(1) threads(256) vector(8)
    ```

    #### Return modes

    Reads `grid`. Silenceable failures: threads not a multiple of 32 up to 1024;
    a vector that is not a power of two up to 16; no such dimension.
  }];
  let arguments = (ins AnyOp:$grid, I64Attr:$dim,
                       Optional<AnyParam>:$threads, OptionalAttr<I64Attr>:$static_threads,
                       Optional<AnyParam>:$vector, OptionalAttr<I64Attr>:$static_vector);
  let assemblyFormat = [{
    $grid `dim` `(` $dim `)` `threads` `` custom<Choice>($threads, $static_threads)
    `vector` `` custom<Choice>($vector, $static_vector) attr-dict
  }];
  let hasVerifier = 1;
}

def MmaOp : KZ_TransformOp<"mma"> {
  let summary = "choose the instruction of a contraction";
  let description = [{
    On tensor cores `mma_sync [16, 8, 16]` (sm_80 and later) or `wgmma [64, n, 16]`
    (sm_90a), on f16 or bf16 operands, sums kept as `acc`. `fma [m, n, 1]`
    multiplies and adds in the type of `acc`, without tensor cores, for operands
    of any type: the 32 lanes of a warp lie `m` along M and `n` along N, and each
    takes every m-th row and its columns of the warp's part of the tile.

    Example:

    ```mlir
    transform.kz.mma %m2 wgmma [64, 256, 16] acc(f32)
    ```

    #### Return modes

    Reads `target`. Silenceable failures: not a contraction of M, N and K; a
    shape that the instruction does not have, or that does not divide the tile;
    operand types that it does not take; an accumulator narrower than the task's
    own.
  }];
  let arguments = (ins AnyOp:$target, StrAttr:$kind, Variadic<AnyParam>:$shape,
                       DenseI64ArrayAttr:$static_shape, TypeAttr:$acc);
  let assemblyFormat = [{
    $target custom<Word>($kind) custom<DynamicIndexList>($shape, $static_shape)
    `acc` `(` $acc `)` attr-dict
  }];
  let hasVerifier = 1;
}

def WarpSpecializeOp : KZ_TransformOp<"warp_specialize"> {
  let summary = "give copying and computing to different warpgroups";
  let description = [{
    Of the block's warpgroups, `producers` only issue the copies of the pipelined
    `loop`, the others only compute. `registers(p, c)` moves registers between
    them: each producer thread keeps `p`, each consumer thread takes `c`.

    Example:

    ```mlir
    transform.kz.warp_specialize %k producers(1) registers(40, 232)
    ```

    #### Return modes

    Reads `loop`. Silenceable failures: a loop without a pipeline; register
    counts that are not multiples of 8 in 24..256. Counts that exceed what the
    block was launched with are found when the schedule is checked against a
    target.
  }];
  let arguments = (ins AnyOp:$loop, I64Attr:$producers, Variadic<AnyParam>:$registers,
                       DenseI64ArrayAttr:$static_registers);
  let assemblyFormat = [{
    $loop `producers` `(` $producers `)` `registers` ``
    custom<ChoiceList>($registers, $static_registers) attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Row reductions, elementwise work, accuracy
//===----------------------------------------------------------------------===//

def ReduceOp : KZ_TransformOp<"reduce"> {
  let summary = "choose how threads combine their partial results";
  let description = [{
    `combine [shuffle, shared]`: the lanes of a warp by shuffles, then the warps
    of a block through shared memory. `[shuffle]` alone needs the whole row in
    one warp; `[shared]` sends every thread's partial result through memory.

    Example:

    ```mlir
    transform.kz.reduce %m combine [shuffle, shared]
    ```

    #### Return modes

    Reads `target`. Silenceable failures: an operation that reduces nothing; an
    empty list, an unknown step, or the same step twice.
  }];
  let arguments = (ins AnyOp:$target, StrArrayAttr:$steps);
  let assemblyFormat = "$target `combine` custom<WordList>($steps) attr-dict";
  let hasVerifier = 1;
}

def MathOp : KZ_TransformOp<"math", [AttrSizedOperandSegments]> {
  let summary = "choose the form of a transcendental function";
  let description = [{
    The operation `target` evaluates `exp`, `exp2`, `log`, `erf`, `tanh` or a division
    (`div`) by a form of our own, off by at most `ulp` units in the last place of
    f32. A step names one function; an operation with two takes two steps. Where
    no step says otherwise, functions are evaluated by their form of 2, and
    divisions are correctly rounded.

    | function | ulp | form |
    | --- | --- | --- |
    | `exp`, `exp2` | 1 | polynomial; subnormal results are rounded once |
    | `exp`, `exp2` | 2 | polynomial, on NVIDIA `ex2.approx`; subnormal results become zero |
    | `exp` | 128 | `exp2` of the rounded product: 2 + 1.2 \|x\| units, below 3 units of 1 for x <= 0 |
    | `log` | 2 | one polynomial |
    | `erf` | 2 | two polynomials and an exponential |
    | `erf` | 8 | one rational function |
    | `tanh` | 2 | a polynomial, or an exponential and a quotient |
    | `tanh` | 8 | one rational function |
    | `tanh` | 8192 | a shorter one, on NVIDIA `tanh.approx`: enough for f16 |
    | `div` | 1 | correctly rounded |
    | `div` | 2 | product with the reciprocal, for divisors of 2^-126 to 2^126 |

    Example:

    ```mlir
    transform.kz.math %x math(exp) ulp(2)
    ```

    #### Return modes

    Reads `target`. Silenceable failures: an operation without that function; an
    accuracy for which there is no form (it says which there are).
  }];
  let arguments = (ins AnyOp:$target, Optional<AnyParam>:$function,
                       OptionalAttr<StrAttr>:$static_function,
                       Optional<AnyParam>:$ulp, OptionalAttr<I64Attr>:$static_ulp);
  let assemblyFormat = [{
    $target `math` `` custom<WordChoice>($function, $static_function)
    `ulp` `` custom<Choice>($ulp, $static_ulp) attr-dict
  }];
  let hasVerifier = 1;
}

def EpilogueOp : KZ_TransformOp<"epilogue"> {
  let summary = "compute an operation on the accumulators of a contraction";
  let description = [{
    The elementwise operation `target`, fused in the grid behind a contraction,
    is applied to the accumulators while they are in registers.

    Example:

    ```mlir
    transform.kz.epilogue %e on_accumulator
    ```

    #### Return modes

    Reads `target`. Silenceable failures: an operation that is not elementwise,
    or does not read the result of a contraction in its grid.
  }];
  let arguments = (ins AnyOp:$target);
  let assemblyFormat = "$target `on_accumulator` attr-dict";
}

def VectorizeOp : KZ_TransformOp<"vectorize", [AttrSizedOperandSegments]> {
  let summary = "choose the vectors of a tile on the host";
  let description = [{
    The tile `target` is computed in vectors of `lanes` elements, `interleave`
    of them side by side (default 1), along the dimension that is innermost in
    memory: that of the results, where an input of the highest rank is contiguous
    along it too; else the summed dimension of such an input, and then the lanes
    hold partial results. An operation without a vector form is computed element
    by element, with a warning.

    `accumulate(registers)` keeps the tile of a contraction in vector registers
    over the innermost loop around it, whose trips are written out; `interleave`
    writes out as many times more. Columns of the right operand go side by side
    in a vector, or, where both operands are contiguous along the sum and none is
    in panels, partial sums of one element. `accumulate(memory)`, the default,
    stores the sums every trip.

    Example:

    ```mlir
    transform.kz.vectorize %r2 lanes(16) accumulate(registers)
    ```

    #### Return modes

    Reads `target`. Silenceable failures: lanes or interleave not a power of two
    in 1..64. A tile that needs more vector registers than there are is refused
    by the lowering, with the numbers.
  }];
  let arguments = (ins AnyOp:$target,
                       Optional<AnyParam>:$lanes, OptionalAttr<I64Attr>:$static_lanes,
                       Optional<AnyParam>:$interleave, OptionalAttr<I64Attr>:$static_interleave,
                       OptionalAttr<StrAttr>:$accumulate);
  let assemblyFormat = [{
    $target `lanes` `` custom<Choice>($lanes, $static_lanes)
    (`interleave` `` custom<Choice>($interleave, $static_interleave)^)?
    (`accumulate` `(` custom<Word>($accumulate)^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def UnrollOp : KZ_TransformOp<"unroll"> {
  let summary = "repeat the body of a loop";
  let description = [{
    `factor` trips of `loop` are written one after another; a remainder runs in
    a loop of its own.

    Example:

    ```mlir
    transform.kz.unroll %k factor(4)
    ```

    #### Return modes

    Reads `loop`. Silenceable failures: a factor below 1 or above 64; a handle
    that is not a sequential loop.
  }];
  let arguments = (ins AnyOp:$loop, Optional<AnyParam>:$factor,
                       OptionalAttr<I64Attr>:$static_factor);
  let assemblyFormat = "$loop `factor` `` custom<Choice>($factor, $static_factor) attr-dict";
  let hasVerifier = 1;
}

#endif // KZ_TRANSFORM_OPS
