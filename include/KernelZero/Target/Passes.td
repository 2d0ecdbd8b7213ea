//===- Passes.td - passes from L3 to PTX -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TARGET_PASSES
#define KZ_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def NVVMToPTXPass : Pass<"kz-nvvm-to-ptx", "::mlir::ModuleOp"> {
  let summary = "lower the kernels of every gpu.module to PTX, kept as kz.ptx";
  let description = [{
    A copy of each `gpu.module` at level L3 is lowered to LLVM IR, optimised and
    printed as PTX, inside this process. The text becomes the attribute `kz.ptx`
    of the module, whose operations stay as they are.
  }];
  let options = [
    Option<"targetName", "target", "std::string", /*default=*/"\"\"",
           "row of the target table (default: the module's attribute kz.target)">,
  ];
  let statistics = [
    Statistic<"numBytes", "ptx-bytes", "bytes of PTX written">,
    Statistic<"microseconds", "microseconds", "time spent">,
  ];
}

#endif // KZ_TARGET_PASSES
