//===- GPUCode.h - tier 3 for GPUs ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_GPUCODE_H
#define KERNELZERO_LIB_JUDGE_GPUCODE_H

#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Judge/Artifact.h"
#include "KernelZero/Judge/Bench.h"
#include "Schedules.h"

namespace kernelzero {

/// Tier 3: brings `scheduled` (level L1) to code for `target`, in place, and
/// holds the PTX against what the schedule claims. Fills resources, the model's
/// time and what limits the candidate. False, and the record says why, where it
/// fails; with `lastTier` below 3 behind the model's time, and there is no
/// code.
bool buildForGPU(mlir::ModuleOp scheduled, const Target &target,
                 const Claims &claims, int lastTier,
                 const std::function<void(Stage)> &enter, Record &record,
                 Artifact &artifact);

/// What the PTX lacks of what was claimed, in a sentence; empty where it lacks
/// nothing.
std::string findBrokenClaim(const Claims &claims, llvm::StringRef ptx,
                            int64_t kernels);

/// Adds what limits a candidate of `seconds` on a GPU (by its resources, the
/// model and the roofline) and which steps of a schedule address that.
void explainOnGPU(const TaskInfo &task, const Target &target, double seconds,
                  bool isModelled, Record &record);

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_GPUCODE_H
