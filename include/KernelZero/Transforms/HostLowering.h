//===- HostLowering.h - from L1 to code for the host ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TRANSFORMS_HOSTLOWERING_H
#define KERNELZERO_TRANSFORMS_HOSTLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LogicalResult.h"

namespace kernelzero {

/// Attributes that the lowering leaves on the module: how many bytes of memory
/// a call needs, shared by all threads and for each of them, and the number of
/// arguments and results of the task.
inline constexpr llvm::StringLiteral kSharedBytes = "kz.shared_bytes";
inline constexpr llvm::StringLiteral kPrivateBytes = "kz.private_bytes";
inline constexpr llvm::StringLiteral kHostInputs = "kz.inputs";
inline constexpr llvm::StringLiteral kHostOutputs = "kz.outputs";

struct HostLoweringOptions {
  /// Markers that only a GPU understands (rings, tensor cores, warps, threads,
  /// shared memory) are errors; with this they are left out, which is legal
  /// because markers are identities. For running the L1 of a GPU on the host.
  bool ignoreForeignMarkers = false;
};

/// Lowers the task in `module` (its only public function besides schedules,
/// at L1 or L0) to the LLVM dialect, in place. Chooses nothing: tiles, packing
/// and vectors are what the schedule said, and what it did not say is done in
/// plain loops. Afterwards the module holds
/// - `entry(ptr args)`: the whole task. `args` are the inputs, the outputs, the
///   shared workspace, the private workspace, each a pointer to flat row-major
///   data, 64-byte aligned for the workspaces;
/// - `entry_grid<i>(ptr args, i64 begin, i64 end)`: the i-th grid, over a range
///   of its tiles, which threads can share when each has a private workspace.
llvm::LogicalResult lowerToHost(mlir::ModuleOp module,
                                const HostLoweringOptions &options = {});

/// Dialects and interfaces that the lowering and the translation to LLVM IR
/// need in a context.
void registerHostLowering(mlir::DialectRegistry &registry);

/// Registers `--kz-lower-to-host`.
void registerHostPasses();

} // namespace kernelzero

#endif // KERNELZERO_TRANSFORMS_HOSTLOWERING_H
