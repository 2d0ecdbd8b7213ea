//===- KZDialect.td - the kz dialect -----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_DIALECT
#define KZ_DIALECT

include "mlir/IR/OpBase.td"

def KZ_Dialect : Dialect {
  let name = "kz";
  let cppNamespace = "::kernelzero::kz";
  let summary = "tuned kernels: markers of schedules, and the tile level";
  let description = [{
    The dialect has two layers. *Markers* (`kz.staged` and the attributes that
    schedules hang on loops and Linalg operations) make up level L1: they say
    how a computation is to be carried out and never change what it computes.
    The *tile level* (L2, `kz.kernel` and the operations inside it) spells one
    GPU kernel with tiles in registers and shared memory.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Registers the types and operations of the tile level.
    void registerTileLevel();
  }];
}

#endif // KZ_DIALECT
