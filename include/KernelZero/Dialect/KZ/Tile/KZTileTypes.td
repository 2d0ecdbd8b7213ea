//===- KZTileTypes.td - types of the tile level ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TILE_TYPES
#define KZ_TILE_TYPES

include "KernelZero/Dialect/KZ/IR/KZAttrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class KZ_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<KZ_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def KZ_TileType : KZ_Type<"Tile", "tile"> {
  let summary = "a tile of static shape in registers or in shared memory";
  let description = [{
    A tile in registers is a value, dealt to the threads of a block by a
    `#kz.layout`. A tile in shared memory is a place, laid out by a
    `#kz.swizzle`.

    Example:

    ```mlir
    !kz.tile<16x8xf32, registers, #kz.layout<reg [2 : (0, 1), 2 : (8, 0)], lane [4 : (0, 2), 8 : (1, 0)], warp []>>
    !kz.tile<128x64xf16, shared, #kz.swizzle<128>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::kernelzero::kz::Space":$space, "::mlir::Attribute":$encoding);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::kernelzero::kz::LayoutAttr":$layout,
                                        "::mlir::Type":$elementType), [{
      return $_get(layout.getContext(), layout.getShape(), elementType,
                   ::kernelzero::kz::Space::Registers, layout);
    }]>,
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType, "int64_t":$swizzle), [{
      return $_get(elementType.getContext(), shape, elementType, ::kernelzero::kz::Space::Shared,
                   ::kernelzero::kz::SwizzleAttr::get(elementType.getContext(), swizzle));
    }]>,
  ];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumElements() const;
    bool inRegisters() const { return getSpace() == ::kernelzero::kz::Space::Registers; }
    bool inShared() const { return getSpace() == ::kernelzero::kz::Space::Shared; }
    /// Of a tile in registers.
    ::kernelzero::kz::LayoutAttr getLayout() const;
    /// Of a tile in shared memory: span of the swizzle, its size, and what its
    /// start must be a multiple of, all in bytes.
    int64_t getSwizzle() const;
    int64_t getNumBytes() const;
    int64_t getByteAlignment() const;
    /// Columns of one panel: of the swizzle's span, or all of them.
    int64_t getPanelColumns() const;
    /// The same tile with another element type.
    TileType cloneWith(::mlir::Type elementType) const;
  }];
}

def KZ_RingType : KZ_Type<"Ring", "ring"> {
  let summary = "a ring of slots in shared memory, each holding one of every tile";
  let description = [{
    Use number i (a counter that loops carry, from 0) goes to slot i modulo
    `stages`, the (i / stages)-th time that the slot is used.

    Example:

    ```mlir
    !kz.ring<4, !kz.tile<128x64xf16, shared, #kz.swizzle<128>>, !kz.tile<64x256xf16, shared, #kz.swizzle<128>>>
    ```
  }];
  let parameters = (ins "int64_t":$stages, ArrayRefParameter<"::kernelzero::kz::TileType">:$tiles);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // KZ_TILE_TYPES
