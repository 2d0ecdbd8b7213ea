//===- CompileGPU.h - from any level to code for a GPU ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_COMPILEGPU_H
#define KERNELZERO_RUNTIME_COMPILEGPU_H

#include "KernelZero/Runtime/LaunchList.h"
#include "KernelZero/Target/PTX.h"
#include <string>
#include <utility>
#include <vector>

namespace kernelzero {

struct GPUCompileOptions {
  /// Path of ptxas; empty: look for it, and for nvJitLink where there is none;
  /// "nvjitlink": that library; "none": leave the PTX to the driver.
  std::string ptxas;
  unsigned ptxasSeconds = 120;
};

/// Kernels ready to be loaded.
struct GPUCode {
  LaunchList list;
  std::string ptx;
  bool assembled = false; ///< Whether `machine` holds a cubin.
  Assembled machine;
  std::string note; ///< What assembled it, or why nothing did.
  /// Where compiling failed: the assembler was killed, so it may have been an
  /// accident.
  bool lostAssembler = false;
  /// Milliseconds of each step, in order.
  std::vector<std::pair<std::string, double>> steps;
};

/// Brings `module` from the level that it is on (L1, L2 or L3) to code for
/// `target`, in place. An assembler that was found and does not work is as
/// good as none: the PTX is left to the driver, and the note says why. Returns
/// false and one sentence in `error`, or with diagnostics emitted on the module
/// and `error` empty.
bool compileForGPU(mlir::ModuleOp module, const Target &target,
                   const GPUCompileOptions &options, GPUCode &code,
                   std::string &error);

/// Hash of the PTX that `module`, with one scheduled task, becomes for
/// `target`: what evidence keeps of code for a GPU. Empty, and a sentence in
/// `error`, where it does not compile. Changes the module.
std::string hashGPUCode(mlir::ModuleOp module, const Target &target,
                        std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_COMPILEGPU_H
