//===- Passes.td - passes over tasks and models ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORMS_PASSES
#define KZ_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def ExtractTasksPass : Pass<"kz-extract-tasks", "::mlir::ModuleOp"> {
  let summary = "cut a model into tasks";
  let description = [{
    Every fused group of a model (a contraction with the elementwise operations
    behind it, row operations that belong together, elementwise operations)
    becomes a private function marked `kz.task`, with a call in its place. Equal
    groups share one function, whose `weight` says how often it is called. What
    belongs to no group stays as it is.
  }];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "number of different tasks">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ApplySchedulesPass : Pass<"kz-apply-schedules", "::mlir::ModuleOp"> {
  let summary = "apply the winners of a schedule library to a model";
  let description = [{
    Cuts the module into tasks (see `kz-extract-tasks`), finds the entry of the
    library for each by its key and target, and applies its schedule. One remark
    a task says which entry was applied, or why none was. A library that cannot
    be read is an error.
  }];
  let options = [
    Option<"library", "library", "std::string", /*default=*/"\"\"",
           "folder of winners (a store's folder will do), or one .mlir file">,
    Option<"target", "target", "std::string", /*default=*/"\"host\"",
           "target that entries have to be for">,
    Option<"allowToolchain", "allow-toolchain", "bool", /*default=*/"false",
           "apply entries whose code this toolchain makes differently">,
  ];
  let statistics = [
    Statistic<"numApplied", "num-applied", "number of tasks with a schedule">,
    Statistic<"numUnmatched", "num-unmatched", "number of tasks without one">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect", "::kernelzero::kz::KZDialect",
                           "::mlir::transform::TransformDialect"];
}

def ToTilePass : Pass<"kz-to-tile", "::mlir::ModuleOp"> {
  let summary = "turn the grids of a scheduled task into kernels";
  let description = [{
    Replaces the one task of a module, at level L1, by a `kz.kernel` for each of
    its grids, in order. Nothing is chosen here: what the schedule did not say is
    an error that names the step to add.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "target whose multiprocessors a persistent grid fills">,
  ];
  let dependentDialects = ["::kernelzero::kz::KZDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // KZ_TRANSFORMS_PASSES
