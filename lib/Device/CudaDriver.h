//===- CudaDriver.h - the part of the CUDA driver that we use --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Declared here and found by name at run time, so that a build needs no CUDA.
// Layouts and numbers are the driver's binary interface, fixed since CUDA 12.
#ifndef KERNELZERO_LIB_DEVICE_CUDADRIVER_H
#define KERNELZERO_LIB_DEVICE_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace kernelzero::cuda {

using Result = int;
using DeviceHandle = int;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;
using Pointer = uint64_t;

struct alignas(64) TensorMapBytes {
  uint64_t opaque[16];
};

struct LaunchAttribute {
  uint32_t id;
  uint32_t pad;
  union {
    uint32_t clusterDim[3];
    char bytes[64];
  };
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};
static_assert(sizeof(LaunchConfig) == 56);

enum : int {
  attributeClockKilohertz = 13,
  attributeMultiprocessors = 16,
  attributeCapabilityMajor = 75,
  attributeCapabilityMinor = 76,
  attributeSharedBytesPerBlock = 97,

  functionStaticSharedBytes = 1,
  functionLocalBytes = 3,
  functionRegisters = 4,
  functionMaxDynamicSharedBytes = 8,

  jitErrorLog = 5,
  jitErrorLogBytes = 6,

  launchClusterDimension = 4,
  captureThreadLocal = 1,

  mapUInt8 = 0,
  mapUInt16 = 1,
  mapInt32 = 3,
  mapInt64 = 5,
  mapFloat16 = 6,
  mapFloat32 = 7,
  mapFloat64 = 8,
  mapBFloat16 = 9,
  mapL2Promotion256 = 3,
};

/// The driver's entry points.
struct Driver {
  Result (*init)(unsigned);
  Result (*driverVersion)(int *);
  Result (*errorName)(Result, const char **);
  Result (*errorText)(Result, const char **);
  Result (*deviceCount)(int *);
  Result (*deviceGet)(DeviceHandle *, int);
  Result (*deviceName)(char *, int, DeviceHandle);
  Result (*deviceAttribute)(int *, int, DeviceHandle);
  Result (*contextRetain)(Context *, DeviceHandle);
  Result (*contextRelease)(DeviceHandle);
  Result (*contextSet)(Context);
  Result (*contextSynchronize)();
  Result (*memoryAllocate)(Pointer *, size_t);
  Result (*memoryFree)(Pointer);
  Result (*memoryToDevice)(Pointer, const void *, size_t);
  Result (*memoryToHost)(void *, Pointer, size_t);
  Result (*memoryCopy)(Pointer, Pointer, size_t, Stream);
  Result (*memorySet)(Pointer, unsigned char, size_t, Stream);
  Result (*moduleLoad)(Module *, const void *, unsigned, int *, void **);
  Result (*moduleUnload)(Module);
  Result (*moduleFunction)(Function *, Module, const char *);
  Result (*functionGet)(int *, int, Function);
  Result (*functionSet)(Function, int, int);
  Result (*launch)(const LaunchConfig *, Function, void **, void **);
  Result (*encodeTiled)(TensorMapBytes *, int type, uint32_t rank, void *,
                        const uint64_t *dims, const uint64_t *pitches,
                        const uint32_t *box, const uint32_t *steps,
                        int interleave, int swizzle, int promotion, int fill);
  Result (*eventCreate)(Event *, unsigned);
  Result (*eventDestroy)(Event);
  Result (*eventRecord)(Event, Stream);
  Result (*eventSynchronize)(Event);
  Result (*eventElapsed)(float *, Event, Event);
  Result (*streamCreate)(Stream *, unsigned);
  Result (*streamDestroy)(Stream);
  Result (*streamBeginCapture)(Stream, int mode);
  Result (*streamEndCapture)(Stream, Graph *);
  Result (*graphInstantiate)(GraphExec *, Graph, unsigned long long flags);
  Result (*graphLaunch)(GraphExec, Stream);
  Result (*graphDestroy)(Graph);
  Result (*graphExecDestroy)(GraphExec);

  /// "out of memory (CUDA_ERROR_OUT_OF_MEMORY)".
  std::string text(Result result) const;
};

/// The driver of this process, loaded and initialised once; null and one
/// sentence in `error` where there is none.
const Driver *loadDriver(std::string &error);

} // namespace kernelzero::cuda

#endif // KERNELZERO_LIB_DEVICE_CUDADRIVER_H
