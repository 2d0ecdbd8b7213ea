//===- KZAttrs.td - markers that schedules leave on L1 -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_ATTRS
#define KZ_ATTRS

include "KernelZero/Dialect/KZ/IR/KZDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class KZ_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<KZ_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

class KZ_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelzero::kz";
  let genSpecializedAttr = 0;
}

def KZ_Space : KZ_Enum<"Space", "where a staged tile lives", [
  I32EnumAttrCase<"Registers", 0, "registers">,
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Memory", 2, "memory">]>;

def KZ_CopyKind : KZ_Enum<"CopyKind", "which instruction moves a staged tile", [
  I32EnumAttrCase<"Plain", 0, "plain">,
  I32EnumAttrCase<"CpAsync", 1, "cp_async">,
  I32EnumAttrCase<"Tma", 2, "tma">,
  I32EnumAttrCase<"TmaStore", 3, "tma_store">]>;

def KZ_MmaKind : KZ_Enum<"MmaKind", "instruction family of a contraction", [
  I32EnumAttrCase<"MmaSync", 0, "mma_sync">,
  I32EnumAttrCase<"Wgmma", 1, "wgmma">,
  I32EnumAttrCase<"Fma", 2, "fma">]>;

def KZ_CombineStep : KZ_Enum<"CombineStep", "how partial sums of threads meet", [
  I32EnumAttrCase<"Shuffle", 0, "shuffle">,
  I32EnumAttrCase<"Shared", 1, "shared">]>;

//===----------------------------------------------------------------------===//
// Markers
//===----------------------------------------------------------------------===//

def KZ_GridAttr : KZ_Attr<"Grid", "grid"> {
  let summary = "how the tiles of a grid loop are dealt to blocks";
  let description = [{
    On the `scf.forall` that a schedule's `tile_grid` makes. Tiles are walked in
    groups of `group_m` rows of tiles (0: row by row). With `persistent`, one
    block per multiprocessor walks the tiles; otherwise one block a tile.
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$groupM,
                        DefaultValuedParameter<"bool", "false">:$persistent);
  let assemblyFormat = "`<` struct(params) `>`";
}

def KZ_ThreadsAttr : KZ_Attr<"Threads", "threads"> {
  let summary = "how one dimension of a tile is dealt to the threads of a block";
  let description = [{
    `threads` threads side by side along dimension `dim` of the tile, each with
    `vector` neighbouring elements at a time.
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$threads, "int64_t":$vector);
  let assemblyFormat = "`<` struct(params) `>`";
}

def KZ_StageAttr : KZ_Attr<"Stage", "stage"> {
  let summary = "where and how a staged tile is kept";
  let description = [{
    `swizzle` is the span in bytes over which 16-byte pieces of a row are
    permuted (0, 32, 64, 128), `width` the bytes a thread moves at a time,
    `panels` the columns (or rows, for a left operand) of one packed panel in
    host memory, `chunk` the part of the tile that is in flight at a time.
    Zero or empty means: not said.
  }];
  let parameters = (ins "::kernelzero::kz::Space":$space,
    DefaultValuedParameter<"::kernelzero::kz::CopyKind", "::kernelzero::kz::CopyKind::Plain">:$copy,
    DefaultValuedParameter<"int64_t", "0">:$swizzle,
    DefaultValuedParameter<"int64_t", "0">:$width,
    DefaultValuedParameter<"int64_t", "0">:$panels,
    OptionalArrayRefParameter<"int64_t">:$chunk);
  let hasCustomAssemblyFormat = 1;
}

def KZ_PipelineAttr : KZ_Attr<"Pipeline", "pipeline"> {
  let summary = "depth of the ring of buffers that a loop fills ahead of use";
  let description = [{
    On an `scf.for`. The tiles staged in its body that carry `ring` share one
    ring of `stages` slots.
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` struct(params) `>`";
}

def KZ_RolesAttr : KZ_Attr<"Roles", "roles"> {
  let summary = "warps of a block split into producers and consumers";
  let description = [{
    On the `scf.for` of a pipeline: `producers` warpgroups only copy, the others
    only compute; a thread of either keeps the registers said.
  }];
  let parameters = (ins "int64_t":$producers, "int64_t":$producerRegisters,
                        "int64_t":$consumerRegisters);
  let assemblyFormat = "`<` struct(params) `>`";
}

def KZ_WarpsAttr : KZ_Attr<"Warps", "warps"> {
  let summary = "how a tile is dealt to warps or warpgroups";
  let parameters = (ins "bool":$warpgroups, ArrayRefParameter<"int64_t">:$counts);
  let assemblyFormat = "`<` `warpgroups` `=` $warpgroups `,` `counts` `=` `[` $counts `]` `>`";
}

def KZ_MmaAttr : KZ_Attr<"Mma", "mma"> {
  let summary = "instruction of a contraction";
  let description = [{
    `shape` is M, N, K of what one instruction does for a warp: a block of a
    tensor core, or, for `fma`, M x N lanes with one product each.
  }];
  let parameters = (ins "::kernelzero::kz::MmaKind":$kind,
                        ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$accumulator);
  let assemblyFormat = "`<` $kind `,` `[` $shape `]` `,` $accumulator `>`";
}

def KZ_ReduceAttr : KZ_Attr<"Reduce", "reduce"> {
  let summary = "how the partial results of threads are combined, in order";
  let parameters = (ins ArrayRefParameter<"::kernelzero::kz::CombineStep">:$steps);
  let assemblyFormat = "`<` `[` $steps `]` `>`";
}

def KZ_MathAttr : KZ_Attr<"Math", "math"> {
  let summary = "the form of one transcendental function and its accuracy";
  let description = [{
    `function` is evaluated by our own approximation, off by at most `ulp` units
    in the last place of f32.
  }];
  let parameters = (ins "::mlir::StringAttr":$function, "int64_t":$ulp);
  let assemblyFormat = "`<` $function `,` `ulp` `=` $ulp `>`";
}

def KZ_VectorizeAttr : KZ_Attr<"Vectorize", "vectorize"> {
  let summary = "host vector width of a tile, and where its sums are kept";
  let description = [{
    `lanes` elements a vector, `interleave` vectors side by side. With
    `registers`, the accumulators of the tile stay in vector registers over the
    innermost loop around it.
  }];
  let parameters = (ins "int64_t":$lanes, DefaultValuedParameter<"int64_t", "1">:$interleave,
                        DefaultValuedParameter<"bool", "false">:$registers);
  let assemblyFormat = "`<` struct(params) `>`";
}

def KZ_LangAttr : KZ_Attr<"Lang", "lang"> {
  let summary = "version of the schedule language";
  let description = [{
    What is written in a version that this program does not know is refused
    wherever it is read.
  }];
  let parameters = (ins "int64_t":$version);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $version `>`";
}

def KZ_TargetAttr : KZ_Attr<"Target", "target"> {
  let summary = "a what-if row of the target table";
  let description = [{
    Hardware that is the row `base` but for `facts`. `--target` takes such an
    attribute, or a file that holds one (alone, or as `kz.target` of a module),
    wherever it takes the name of a row. `name` is what people read; rows of one
    name and other facts are other targets, and results are kept under the whole
    attribute. A fact is a number of the row, or an instruction that is taken
    away; integers are bytes, counts or MHz, floats are rates a second.

    Example:

    ```mlir
    #kz.target<"h200-half" from "sm_90a" {multiprocessors = 66, dram_bytes_per_second = 2.4e12}>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$base,
                        OptionalParameter<"::mlir::DictionaryAttr">:$facts);
  // A group that may be absent cannot start with a dictionary.
  let hasCustomAssemblyFormat = 1;
}

// One generator run must see all attributes of the dialect.
include "KernelZero/Dialect/KZ/Tile/KZTileAttrs.td"

#endif // KZ_ATTRS
