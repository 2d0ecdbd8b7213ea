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

  /// Times the peers and `candidate` in turns. Where there is no peer `peers`
  /// stays empty.
  [[nodiscard]] DeviceError time(const Device::Work &candidate,
                                 const TimingOptions &options,
                                 std::vector<Peer> &peers);

private:
  DeviceError prepare();

  Device &device;
  PreparedTask &task;
  bool prepared = false;
  std::string name;
  Device::Work work;
  std::unique_ptr<Cublas> cublas;
  std::vector<GPUBuffer> buffers;
};

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_GPUPEERS_H
