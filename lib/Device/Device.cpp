//===- Device.cpp - what all devices share --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Device/Device.h"
#include <charconv>

using namespace kernelzero;

DeviceProgram::~DeviceProgram() = default;
Device::~Device() = default;

DeviceError Device::time(const std::vector<Work> &works,
                         const TimingOptions &options,
                         std::vector<std::vector<double>> &microseconds) {
  microseconds.assign(works.size(), {});
  if (options.flushBytes > flushBufferBytes) {
    if (flushBuffer)
      release(flushBuffer);
    flushBuffer = 0;
    flushBufferBytes = 0;
    if (DeviceError error = allocate(options.flushBytes, flushBuffer))
      return error;
    flushBufferBytes = options.flushBytes;
  }
  for (int i = 0; i < options.warmups; ++i)
    for (const Work &work : works)
      if (DeviceError error = work())
        return error;
  if (DeviceError error = synchronize())
    return error;
  for (int i = 0; i < options.samples; ++i)
    for (size_t j = 0; j < works.size(); ++j) {
      // Whoever comes first meets a cooler chip: rotate.
      size_t which = (i + j) % works.size();
      if (options.flushBytes > 0)
        if (DeviceError error = fill(flushBuffer, i, options.flushBytes))
          return error;
      double sample = 0;
      if (DeviceError error = timeOnce(works[which], sample))
        return error;
      microseconds[which].push_back(sample);
    }
  return std::nullopt;
}

DeviceError kernelzero::openDevice(const std::string &spec,
                                   std::unique_ptr<Device> &device) {
  const std::string prefix = "cuda:";
  if (spec.compare(0, prefix.size(), prefix) == 0) {
    int ordinal = -1;
    const char *end = spec.data() + spec.size();
    auto [rest, ec] =
        std::from_chars(spec.data() + prefix.size(), end, ordinal);
    if (ec == std::errc() && rest == end && ordinal >= 0)
      return openCudaDevice(ordinal, device);
  }
  return "no device is called '" + spec +
         "'; cuda:N with a number from 0 is accepted";
}
