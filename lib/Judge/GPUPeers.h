//===- GPUPeers.h - what candidates are measured beside -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_GPUPEERS_H
#define KERNELZERO_LIB_JUDGE_GPUPEERS_H

#include "GPUBuffers.h"
#include "KernelZero/Device/Cublas.h"
#include "KernelZero/Judge/PreparedTask.h"

namespace kernelzero {

/// The product that the task computes, and whether it computes more; nothing
/// where it is no single product of matrices as cuBLAS knows them.
std::optional<Product> findProduct(mlir::func::FuncOp task, bool &hasMore);

/// The peer of a task: cuBLAS for products, a copy of as many bytes for the
/// rest.
class PeerBench {
public:
  PeerBench(Device &device, PreparedTask &task);

  /// Times the peer and `candidate` in turns. `candidate` starts `launches`
  /// runs on as many sets of buffers, and so does the peer. `peers` stays empty
  /// where there is none.
  [[nodiscard]] DeviceError time(const Device::Work &candidate,
                                 int64_t launches, const TimingOptions &options,
                                 std::vector<Peer> &peers);

private:
  DeviceError prepare();
  DeviceError addSet();
  DeviceError start(const std::vector<GPUBuffer> &set);

  Device &device;
  PreparedTask &task;
  bool prepared = false;
  std::string name;
  std::optional<Product> product;
  std::unique_ptr<Cublas> cublas;
  std::vector<std::vector<GPUBuffer>> sets;
};

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_GPUPEERS_H
