//===- GPUBuffers.h - memory of a GPU between guard zones -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_GPUBUFFERS_H
#define KERNELZERO_LIB_JUDGE_GPUBUFFERS_H

#include "KernelZero/Device/Device.h"

#include <vector>

namespace kernelzero {

/// Memory on a device between two guard zones that nobody may write.
class GPUBuffer {
public:
  GPUBuffer() = default;
  GPUBuffer(GPUBuffer &&other) { *this = std::move(other); }
  GPUBuffer &operator=(GPUBuffer &&other) {
    std::swap(device, other.device);
    std::swap(whole, other.whole);
    std::swap(size, other.size);
    return *this;
  }
  ~GPUBuffer() {
    if (device && whole)
      device->release(whole);
  }

  [[nodiscard]] DeviceError allocate(Device &on, int64_t bytes) {
    device = &on;
    size = bytes;
    if (DeviceError error = on.allocate(bytes + 2 * kGuard, whole)) {
      whole = 0;
      return error;
    }
    if (DeviceError error = on.fill(whole, kEdge, kGuard))
      return error;
    return on.fill(whole + kGuard + bytes, kEdge, kGuard);
  }

  [[nodiscard]] DeviceError checkGuards(bool &intact) const {
    std::vector<uint8_t> edge(kGuard);
    for (DeviceAddress at : {whole, whole + kGuard + size}) {
      if (DeviceError error = device->download(edge.data(), at, kGuard))
        return error;
      for (uint8_t byte : edge)
        intact &= byte == kEdge;
    }
    return std::nullopt;
  }

  DeviceAddress address() const { return whole + kGuard; }
  int64_t bytes() const { return size; }

private:
  /// Keeps the alignment that the driver gives, 256 bytes.
  static constexpr int64_t kGuard = 4096;
  static constexpr uint8_t kEdge = 0xC3;

  Device *device = nullptr;
  DeviceAddress whole = 0;
  int64_t size = 0;
};

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_GPUBUFFERS_H
