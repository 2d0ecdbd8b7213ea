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

def CompileTasksPass : Pass<"kz-compile-tasks", "::mlir::ModuleOp"> {
  let summary = "compile the skeleton of every task for GPUs";
  let description = [{
    For every task of the module (every function marked `kz.task`; without any,
    every function) and every target: the skeleton with the defaults of its
    knobs is verified, lowered to PTX and, where there is an assembler,
    assembled. A line on standard output says what came out: blocks and threads,
    registers, spills, and how many instructions of each kind that matters the
    PTX has. `draws` further sets of values of the knobs are drawn; those that
    are legal by rule have to compile too. The pass fails where one does not.
    `save` keeps the code of the defaults in a folder, `TARGET-TASK.ptx` and
    `TARGET-TASK.cubin`, for scripts/ptx_histogram.py and other tools.
  }];
  let options = [
    ListOption<"targets", "targets", "std::string", "targets to compile for">,
    Option<"draws", "draws", "int64_t", /*default=*/"0",
           "sets of knob values to draw for each task and target">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0", "seed of the draws">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"\"\"",
           "path of ptxas, nvjitlink or none (default: look for it)">,
    Option<"save", "save", "std::string", /*default=*/"\"\"",
           "folder for the code of every task (default: none is kept)">,
  ];
}

#endif // KZ_RUNTIME_PASSES
