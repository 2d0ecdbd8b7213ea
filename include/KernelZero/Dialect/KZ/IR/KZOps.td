//===- KZOps.td - marker operations of L1 ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_OPS
#define KZ_OPS

include "KernelZero/Dialect/KZ/IR/KZAttrs.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class KZ_Op<string mnemonic, list<Trait> traits = []>
    : Op<KZ_Dialect, mnemonic, traits>;

def KZ_StagedOp : KZ_Op<"staged", [Pure, SameOperandsAndResultType]> {
  let summary = "a tensor that a schedule keeps in a nearer memory";
  let description = [{
    The result is `source`, element for element: the operation only marks that
    the lowering places this value where `stage` says (registers, shared memory,
    or packed panels in host memory). Tiles with the same `ring` number in one
    loop share that loop's ring of buffers.

    Example:

    ```mlir
    %0 = kz.staged %tile <shared, copy = tma, swizzle = 128> ring(0) : tensor<128x64xf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, KZ_StageAttr:$stage,
                       OptionalAttr<I64Attr>:$ring);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source $stage (`ring` `(` $ring^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // KZ_OPS
