//===- Passes.td - passes over tasks and models ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TRANSFORMS_PASSES
#define KZ_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def ExtractTasksPass : Pass<"kz-extract-tasks", "::mlir::ModuleOp"> {
  let summary = "cut a model into tasks";
  let description = [{
    Brings the model into one form first: what moves elements is a generic or a
    slice that generics read, dimensions of size 1 are dropped, reshapes move
    behind elementwise operations. Then every fused group (a contraction with
    the elementwise operations behind it, row operations that belong together,
    elementwise operations, what moves elements) becomes a private function
    marked `kz.task`, with a call in its place; in it, pointwise operations at
    the same point are one. Equal groups share one function, whose `weight` says
    how often it is called. Of a model of static shape nothing is left but
    calls, reshapes that move nothing, and constants.
  }];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "number of different tasks">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def ApplySchedulesPass : Pass<"kz-apply-schedules", "::mlir::ModuleOp"> {
  let summary = "apply the winners of a schedule library to a model";
  let description = [{
    Cuts the module into tasks (see `kz-extract-tasks`), finds the entry for
    each by its key and target, and applies its schedule. Of several entries the
    one of the earlier library counts, and within one library the newest.

    An entry is applied only where the code that it gives is the code that was
    judged: the hash of its LLVM IR (host) or PTX (GPU) is that of its evidence,
    and the evidence is of this toolchain. One remark a task says which entry
    was applied, or why none was; one an operation that belongs to no task says
    so. A library that cannot be read is an error, and a warning says where no
    task at all has a schedule.
  }];
  let options = [
    ListOption<"libraries", "library", "std::string",
               "folders of winners (a store's folder will do) or .mlir files; "
               "the first one counts, so users' before those that are shipped">,
    Option<"target", "target", "std::string", /*default=*/"\"host\"",
           "target that entries have to be for">,
    Option<"allowToolchain", "allow-toolchain", "bool", /*default=*/"false",
           "apply entries whose evidence is of another toolchain">,
    Option<"allowUnchecked", "allow-unchecked", "bool", /*default=*/"false",
           "apply entries whose evidence holds no code, or other code than they give">,
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

def VerifySchedulePass : Pass<"kz-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "check schedules against the rules of scripts and a target";
  let description = [{
    Reports everything in the named sequences of a module that a schedule may
    not hold, and, with `target`, every step that the target has no instruction
    or memory for. Where tasks stand beside a schedule without open knobs, it is
    applied to copies of them, and what the result asks for (threads, shared
    memory, registers, boxes and row pitches of copies, vector registers) is
    held against the target as well. The module itself is not changed.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "target whose limits apply; without one, only the rules of scripts">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::affine::AffineDialect", "::kernelzero::kz::KZDialect",
                           "::mlir::transform::TransformDialect"];
}

def CheckTransformScriptsPass : Pass<"kz-check-transform-scripts"> {
  let summary = "refuse steps that the transform interpreter cannot run";
  let description = [{
    The interpreter of transform scripts takes every operation of a sequence for
    a step, and crashes on one that is none, `arith.constant` say. Reports each
    of them, in the module and in the libraries that were preloaded. `kz-opt`
    runs this in front of every `transform-interpreter`.
  }];
}

def BindKnobsPass : Pass<"kz-bind-knobs", "::mlir::ModuleOp"> {
  let summary = "make the open choices of schedules concrete";
  let description = [{
    Writes the value of every `transform.tune.knob` into the steps that use it,
    and puts the chosen region of every `transform.tune.alternatives` in its
    place. A value is a number or a word; of alternatives, the number of the
    region, from 0. A choice that already has a selection keeps it where
    `values` does not name it; every other choice needs a value.
  }];
  let options = [
    Option<"values", "values", "std::string", /*default=*/"\"\"",
           "name=value pairs, separated by commas">,
    Option<"defaults", "defaults", "bool", /*default=*/"false",
           "take the first option of a choice that has no value">,
  ];
}

def CompleteSchedulePass : Pass<"kz-complete-schedule", "::mlir::ModuleOp"> {
  let summary = "write every default of a schedule out";
  let description = [{
    A stored schedule is concrete and complete: no open choice, no default that
    a later version could change. Adds the values that steps leave out, and the
    attribute `kz.lang = #kz.lang<1>`, the version of the language. Open knobs
    and an unknown version are errors.
  }];
  let dependentDialects = ["::kernelzero::kz::KZDialect"];
}

def PrintSkeletonPass : Pass<"kz-print-skeleton", "::mlir::ModuleOp"> {
  let summary = "put the skeleton of the task into the module and explain its knobs";
  let description = [{
    Adds the schedule that a search would start from to a module with one task,
    its choices open, and prints for each knob the legal values, the default
    first, what it means, and why other values are not legal. `defaults` binds
    the knobs at once.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"host\"",
           "target that the skeleton is for">,
    Option<"defaults", "defaults", "bool", /*default=*/"false",
           "bind every knob to its default">,
  ];
  let dependentDialects = ["::kernelzero::kz::KZDialect",
                           "::mlir::transform::TransformDialect"];
}


def LowerToHostPass : Pass<"kz-lower-to-host", "::mlir::ModuleOp"> {
  let summary = "lower a scheduled task to the LLVM dialect, for the host";
  let description = [{
    Replaces the one task of a module, at level L1 or L0, by functions over raw
    pointers: `entry` for the whole task and `entry_grid<i>` for a range of tiles
    of each grid. Nothing is chosen here: tiles, panels and vectors are what the
    schedule said, what it did not say is done in plain loops.
  }];
  let options = [
    Option<"ignoreForeignMarkers", "ignore-foreign-markers", "bool", /*default=*/"false",
           "leave out the markers that only a GPU understands, instead of refusing them">,
  ];
}

#endif // KZ_TRANSFORMS_PASSES
