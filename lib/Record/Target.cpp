//===- Target.cpp - the table of targets ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Record/Target.h"

#include <unistd.h>

using namespace kernelzero;

static int64_t askMachine(int name, int64_t otherwise) {
  long value = sysconf(name);
  return value > 0 ? value : otherwise;
}

static Target describeHost() {
  Target host;
  host.name = "host";
  host.vectorBytes = 16;
  host.vectorRegisters = 16;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    host.vectorBytes = 64;
    host.vectorRegisters = 32;
  } else if (__builtin_cpu_supports("avx2")) {
    host.vectorBytes = 32;
  }
#elif defined(__aarch64__)
  host.vectorRegisters = 32;
#endif
  host.l1Bytes = askMachine(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  host.l2Bytes = askMachine(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
  return host;
}

static Target describeGpu(const char *name, int64_t computeCapability,
                          int64_t multiprocessors,
                          int64_t sharedBytesPerBlock) {
  Target gpu;
  gpu.name = gpu.processor = name;
  gpu.isGpu = true;
  gpu.computeCapability = computeCapability;
  gpu.multiprocessors = multiprocessors;
  gpu.sharedBytesPerBlock = sharedBytesPerBlock;
  gpu.sharedBytesPerMultiprocessor = sharedBytesPerBlock + 1024;
  gpu.registersPerMultiprocessor = 65536;
  gpu.registersPerThread = 255;
  gpu.threadsPerBlock = 1024;
  gpu.warpsPerMultiprocessor = 64;
  gpu.hasMmaSync = gpu.hasCpAsync = true;
  gpu.hasWgmma = gpu.hasTma = computeCapability == 90;
  return gpu;
}

std::vector<std::string> kernelzero::listTargets() {
  return {"host", "sm_80", "sm_90a"};
}

std::optional<Target> kernelzero::findTarget(const std::string &name) {
  if (name == "host")
    return describeHost();
  if (name == "sm_80")
    return describeGpu("sm_80", 80, 108, 166912);
  if (name == "sm_90a")
    return describeGpu("sm_90a", 90, 132, 232448);
  return std::nullopt;
}
