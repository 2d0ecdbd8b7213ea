//===- CudaDriver.cpp - finding the CUDA driver at run time ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaDriver.h"
#include <dlfcn.h>

using namespace kernelzero::cuda;

std::string Driver::text(Result result) const {
  const char *name = nullptr, *sentence = nullptr;
  errorName(result, &name);
  errorText(result, &sentence);
  return std::string(sentence ? sentence : "unknown error") + " (" +
         (name ? name : std::to_string(result).c_str()) + ")";
}

static bool load(Driver &driver, std::string &error) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    error = "no CUDA driver: libcuda.so.1 could not be loaded";
    return false;
  }
  std::string missing;
  auto find = [&](auto &pointer, const char *name) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
        dlsym(library, name));
    if (!pointer)
      missing += std::string(missing.empty() ? "" : ", ") + name;
  };
  find(driver.init, "cuInit");
  find(driver.driverVersion, "cuDriverGetVersion");
  find(driver.errorName, "cuGetErrorName");
  find(driver.errorText, "cuGetErrorString");
  find(driver.deviceCount, "cuDeviceGetCount");
  find(driver.deviceGet, "cuDeviceGet");
  find(driver.deviceName, "cuDeviceGetName");
  find(driver.deviceAttribute, "cuDeviceGetAttribute");
  find(driver.contextRetain, "cuDevicePrimaryCtxRetain");
  find(driver.contextRelease, "cuDevicePrimaryCtxRelease_v2");
  find(driver.contextSet, "cuCtxSetCurrent");
  find(driver.contextSynchronize, "cuCtxSynchronize");
  find(driver.memoryAllocate, "cuMemAlloc_v2");
  find(driver.memoryFree, "cuMemFree_v2");
  find(driver.memoryToDevice, "cuMemcpyHtoD_v2");
  find(driver.memoryToHost, "cuMemcpyDtoH_v2");
  find(driver.memoryCopy, "cuMemcpyDtoDAsync_v2");
  find(driver.memorySet, "cuMemsetD8Async");
  find(driver.moduleLoad, "cuModuleLoadDataEx");
  find(driver.moduleUnload, "cuModuleUnload");
  find(driver.moduleFunction, "cuModuleGetFunction");
  find(driver.functionGet, "cuFuncGetAttribute");
  find(driver.functionSet, "cuFuncSetAttribute");
  find(driver.launch, "cuLaunchKernelEx");
  find(driver.encodeTiled, "cuTensorMapEncodeTiled");
  find(driver.eventCreate, "cuEventCreate");
  find(driver.eventDestroy, "cuEventDestroy_v2");
  find(driver.eventRecord, "cuEventRecord");
  find(driver.eventSynchronize, "cuEventSynchronize");
  find(driver.eventElapsed, "cuEventElapsedTime");
  find(driver.streamCreate, "cuStreamCreate");
  find(driver.streamDestroy, "cuStreamDestroy_v2");
  find(driver.streamBeginCapture, "cuStreamBeginCapture_v2");
  find(driver.streamEndCapture, "cuStreamEndCapture");
  find(driver.graphInstantiate, "cuGraphInstantiateWithFlags");
  find(driver.graphLaunch, "cuGraphLaunch");
  find(driver.graphDestroy, "cuGraphDestroy");
  find(driver.graphExecDestroy, "cuGraphExecDestroy");
  if (!missing.empty()) {
    error = "the CUDA driver here lacks " + missing +
            "; one of CUDA 12 or newer is needed";
    return false;
  }
  if (Result result = driver.init(0)) {
    error = "the CUDA driver could not be started: " + driver.text(result);
    return false;
  }
  return true;
}

const Driver *kernelzero::cuda::loadDriver(std::string &error) {
  static Driver driver;
  static std::string failure;
  static bool loaded = load(driver, failure);
  error = failure;
  return loaded ? &driver : nullptr;
}
