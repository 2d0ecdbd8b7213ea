//===- Analytical.h - how long a kernel should take -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Two estimates of the time of a task on a target. The roofline knows the task
// alone and is a bound: nothing is faster. The model knows a candidate's
// kernels and ranks them; it is no measurement and is never shown as one.
//
// Where the numbers come from:
// - Roofline: S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful
//   visual performance model", CACM 52(4), 2009.
// - Waves, residency and latency hiding: S. Hong, H. Kim, "An analytical model
//   for a GPU architecture", ISCA 2009, cut down to what a schedule decides;
//   bytes in flight by Little's law.
// - Occupancy: CUDA C++ Programming Guide, "Multiprocessor Level": registers
//   are dealt to warps in units of 256, a block keeps 1 KiB of shared memory
//   for the system.
// - Latencies and rates of instructions: W. Luo et al., "Benchmarking and
//   dissecting the Nvidia Hopper GPU architecture via microbenchmarking", 2024
//   (mma.sync reaches 62 % of the tensor cores' peak on Hopper, wgmma with 64
//   and more columns all of it), and Z. Jia et al. on earlier ones: global
//   memory some 600 cycles, 900 under load; shared memory 128 bytes, special
//   functions 16 results a cycle and multiprocessor.
// - What follows a product is computed by its warps alone, four cycles from an
//   instruction to one that needs it (Luo et al.): each warp of a scheduler
//   issues 0.35 of what it could, fitted to products with GELU on an H200.
// - From L2 to one multiprocessor 48 bytes a cycle, between 64, the width of
// the
//   port, and 40, where times of products of 1024 rows fit best. With it ranks
//   by the model and by the clock of an H200 correlate by 0.74 to 0.98 for the
//   five products of BERT (docs/benchmarks.md).
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_COSTMODEL_ANALYTICAL_H
#define KERNELZERO_COSTMODEL_ANALYTICAL_H

#include "KernelZero/Record/Record.h"
#include "KernelZero/Target/TargetTable.h"

#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace kernelzero {

/// The least time of a task on a target, and what sets it.
struct Roofline {
  double seconds = 0;
  std::string limit; ///< `f16 tensor cores`, `f32`, `DRAM`
};

/// Every byte moved once, every operation done at the peak rate of its kind. On
/// the host the rates are those of one core, measured once a process. Zero
/// seconds where the target's rates are not known.
Roofline getRoofline(const TaskInfo &task, const Target &target);

/// What one core of this machine reaches.
struct HostPeaks {
  double f32Flops = 0;
  double cacheBytesPerSecond = 0; ///< Read and written, in the first level.
  double dramBytesPerSecond = 0;  ///< Read and written, beyond all caches.
};
/// Measured at the first call, in some hundred milliseconds.
const HostPeaks &getHostPeaks();

/// What all blocks of one kernel do, counted on level L2, with what its launch
/// takes. Counts are of the whole grid.
struct KernelWork {
  std::string name;
  double blocks = 1;
  int64_t threads = 32; ///< Of a block.
  int64_t sharedBytes = 0;
  int64_t registers = 0; ///< 0: not known.

  double readBytes = 0, writtenBytes = 0; ///< As asked of the caches.
  double uniqueBytes = 0;                 ///< Each place once.
  double tensorFlops = 0;
  double tensorRate = 1;   ///< Share of the peak that its shape reaches.
  bool mmaSync = false;    ///< Done by mma.sync, not by wgmma.
  double instructions = 0; ///< Of threads, on the plain pipelines.
  /// Those of them behind the product that tensor cores compute, which its
  /// threads wait for, and how many threads of a block these are.
  double tailInstructions = 0;
  double productThreads = 0;
  /// Where a block takes several tiles in turn: the most that one takes over
  /// the mean.
  double imbalance = 1;
  double memoryInstructions = 0; ///< Of threads, to any memory.
  double specials = 0;           ///< Results of the special-function units.
  double sharedTraffic = 0;      ///< Bytes.
  /// Longest chain of a block: turns of the loops in which it waits for memory,
  /// how many of them are under way at a time, and barriers.
  double turns = 0, ahead = 0;
  double turnBytes = 0; ///< That a turn waits for.
  double barriers = 0;
  /// Bytes that a block has under way at a time.
  double bytesInFlight = 0;
};

/// Counts the kernels of `module`, which is on level L2. Loops whose bounds are
/// not constant count once.
std::vector<KernelWork> countWork(mlir::ModuleOp module);

/// Blocks of `kernel` that a multiprocessor holds at a time, and which limit it
/// is: `threads`, `registers`, `shared memory`, `blocks`.
struct Residency {
  int64_t blocks = 0;
  double occupancy = 0; ///< Threads of them over threads that there could be.
  std::string limit;
};
Residency getResidency(const KernelWork &kernel, const Target &target);

/// Seconds that `kernels`, one after the other, should take on `target`. What
/// limits the longest of them goes to `limit`: `tensor cores`, `instructions`,
/// `special functions`, `shared memory`, `memory instructions`, `L2`, `DRAM`,
/// `latency`, `launch`.
double modelSeconds(const std::vector<KernelWork> &kernels,
                    const Target &target, std::string *limit = nullptr);

} // namespace kernelzero

#endif // KERNELZERO_COSTMODEL_ANALYTICAL_H
