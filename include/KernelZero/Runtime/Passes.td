//===- Passes.td - passes over launches --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_RUNTIME_PASSES
#define KZ_RUNTIME_PASSES

include "mlir/Pass/PassBase.td"

def PrintLaunchListPass : Pass<"kz-print-launch-list", "::mlir::ModuleOp"> {
  let summary = "print what the kernels of an L3 module need to be launched";
  let description = [{
    Reads the `kz.launch` attributes of the functions in the `gpu.module`, checks
    them, and writes the launch list as JSON to standard output.
  }];
}

#endif // KZ_RUNTIME_PASSES
