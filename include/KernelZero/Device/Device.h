//===- Device.h - where kernels run ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DEVICE_DEVICE_H
#define KERNELZERO_DEVICE_DEVICE_H

#include "KernelZero/Runtime/LaunchList.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelzero {

/// One sentence, or nothing where all went well.
using DeviceError = std::optional<std::string>;

/// A place in the device's memory. On the host an address as it stands.
using DeviceAddress = uint64_t;

/// Code for a device.
struct DeviceImage {
  enum class Kind {
    Cubin, ///< Machine code of one GPU.
    PTX,   ///< Left to the driver's compiler.
    Host,  ///< Entry points in this process, by kernel of the launch list.
  };
  Kind kind = Kind::Cubin;
  std::string bytes;
  /// Host only: takes the addresses of the arguments in order.
  std::vector<void (*)(void *const *)> entries;
};

/// What the device says of one loaded kernel.
struct LoadedKernel {
  std::string name;
  int64_t registers = 0;
  int64_t localBytes = 0; ///< Spills and stack, a thread.
  int64_t staticSharedBytes = 0;
};

/// A launch list with its code loaded and its workspaces allocated.
class DeviceProgram {
public:
  virtual ~DeviceProgram();

  /// Says which buffers (the task's arguments and results) the next runs use.
  [[nodiscard]] virtual DeviceError
  bind(const std::vector<DeviceAddress> &buffers) = 0;

  /// Starts all kernels in order; does not wait.
  [[nodiscard]] virtual DeviceError run() = 0;

  std::vector<LoadedKernel> kernels;
  double loadMilliseconds = 0;
};

struct TimingOptions {
  int samples = 30;
  int warmups = 3;
  /// Bytes overwritten before each sample, so that caches hold nothing of it.
  int64_t flushBytes = 256 << 20;
};

/// One device. Not safe for use by several threads at once.
class Device {
public:
  virtual ~Device();

  virtual std::string describe() const = 0;
  /// The row of the target table whose code runs here; empty where none does.
  virtual std::string targetName() const = 0;
  /// Compute capability times ten; 0 where there is none.
  virtual int64_t capability() const = 0;
  /// The queue that all work goes to, for libraries that launch their own.
  virtual void *queue() const = 0;

  [[nodiscard]] virtual DeviceError allocate(size_t bytes,
                                             DeviceAddress &address) = 0;
  virtual void release(DeviceAddress address) = 0;
  [[nodiscard]] virtual DeviceError upload(DeviceAddress to, const void *from,
                                           size_t bytes) = 0;
  [[nodiscard]] virtual DeviceError download(void *to, DeviceAddress from,
                                             size_t bytes) = 0;
  /// The next two do not wait.
  [[nodiscard]] virtual DeviceError copy(DeviceAddress to, DeviceAddress from,
                                         size_t bytes) = 0;
  [[nodiscard]] virtual DeviceError fill(DeviceAddress to, uint8_t byte,
                                         size_t bytes) = 0;
  [[nodiscard]] virtual DeviceError synchronize() = 0;

  [[nodiscard]] virtual DeviceError
  load(const DeviceImage &image, const LaunchList &list,
       std::unique_ptr<DeviceProgram> &program) = 0;

  /// Times several pieces of work against each other: in each round every one
  /// runs once, caches flushed before, in an order that rotates. Microseconds
  /// of each sample, for each piece of work.
  using Work = std::function<DeviceError()>;
  [[nodiscard]] DeviceError
  time(const std::vector<Work> &works, const TimingOptions &options,
       std::vector<std::vector<double>> &microseconds);

  /// Keeps what `work` starts, and makes `replay` start all of it at the cost
  /// of one launch. `work` runs once without effect; it must only launch.
  [[nodiscard]] virtual DeviceError record(const Work &work, Work &replay) = 0;

  /// Clock of the processors in MHz, now: cycles that a kernel of a tenth of a
  /// millisecond counts, over the time that it sees pass. Waits for all work.
  [[nodiscard]] virtual DeviceError measureClock(double &megahertz) = 0;
  /// The clock in MHz that the driver names as the highest; 0: it names none.
  virtual double highestClock() const = 0;

protected:
  /// Time of one run of `work`, from its first to its last instruction there.
  [[nodiscard]] virtual DeviceError timeOnce(const Work &work,
                                             double &microseconds) = 0;

  /// Memory that is overwritten to flush caches, kept between calls.
  DeviceAddress flushBuffer = 0;
  int64_t flushBufferBytes = 0;
};

/// Opens `cuda:N`. Messages say what was looked for and what is accepted.
[[nodiscard]] DeviceError openDevice(const std::string &spec,
                                     std::unique_ptr<Device> &device);

/// The CUDA device `ordinal`, by the driver library alone.
[[nodiscard]] DeviceError openCudaDevice(int ordinal,
                                         std::unique_ptr<Device> &device);

} // namespace kernelzero

#endif // KERNELZERO_DEVICE_DEVICE_H
