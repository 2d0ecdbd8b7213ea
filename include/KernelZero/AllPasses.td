//===- AllPasses.td - every pass, for the reference page ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
include "KernelZero/Runtime/Passes.td"
include "KernelZero/Target/Passes.td"
include "KernelZero/Transforms/Passes.td"
include "KernelZero/Transforms/TilePasses.td"
