//===- Target.h - one row of hardware facts -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RECORD_TARGET_H
#define KERNELZERO_RECORD_TARGET_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelzero {

/// What schedules and lowerings have to know of the hardware that a kernel is
/// made for. Facts that a kind of target lacks are 0.
struct Target {
  /// The name on the command line and in file names: `host`, `sm_90a`.
  std::string name;
  /// What LLVM calls the processor; empty lets the JIT ask the machine.
  std::string processor;
  bool isGpu = false;

  // Host.
  int64_t vectorBytes = 0;
  int64_t vectorRegisters = 0;
  int64_t l1Bytes = 0;
  int64_t l2Bytes = 0;

  // GPU.
  int64_t computeCapability = 0; ///< 80, 90
  int64_t multiprocessors = 0;
  int64_t sharedBytesPerBlock = 0;
  int64_t sharedBytesPerMultiprocessor = 0;
  int64_t registersPerMultiprocessor = 0;
  int64_t registersPerThread = 0;
  int64_t threadsPerBlock = 0;
  int64_t warpsPerMultiprocessor = 0;
  bool hasMmaSync = false;
  bool hasCpAsync = false;
  bool hasWgmma = false;
  bool hasTma = false;
};

/// The row called `name`; `host` describes the machine that this runs on.
/// Nothing where there is no such row.
std::optional<Target> findTarget(const std::string &name);

/// The names of all rows, for messages.
std::vector<std::string> listTargets();

} // namespace kernelzero

#endif // KERNELZERO_RECORD_TARGET_H
