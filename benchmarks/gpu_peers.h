//===- gpu_peers.h - what our kernels are measured against -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_GPU_PEERS_H
#define KERNELZERO_BENCHMARKS_GPU_PEERS_H

#include "gpu_case.h"
#include <memory>

namespace kernelzero::bench {

/// cuBLAS, found at run time; never linked.
class Cublas {
public:
  ~Cublas();
  /// Null and one sentence in `error` where it is not to be found.
  static std::unique_ptr<Cublas> load(std::string &error);

  const std::string &path() const { return where; }

  /// C = A * B as `plan` says, without bias and epilogue, f32 sums.
  DeviceError product(const GpuCase &plan, DeviceAddress a, DeviceAddress b,
                      DeviceAddress c);
  /// The same with f64 throughout.
  DeviceError productF64(const GpuCase &plan, DeviceAddress a, DeviceAddress b,
                         DeviceAddress c);

private:
  Cublas() = default;
  DeviceError call(const GpuCase &plan, DeviceAddress a, DeviceAddress b,
                   DeviceAddress c, int inputType, int outputType, int compute);

  void *handle = nullptr;
  std::string where;
  int (*create)(void **) = nullptr;
  int (*destroy)(void *) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, const void *, int,
              int, const void *, int, int, const void *, void *, int, int, int,
              int) = nullptr;
  int (*gemmBatched)(void *, int, int, int, int, int, const void *,
                     const void *, int, int, long long, const void *, int, int,
                     long long, const void *, void *, int, int, long long, int,
                     int, int) = nullptr;
};

/// The whole product in double precision: by cuBLAS on upcast inputs, checked
/// against dot products of the host at sampled places; or on the host alone
/// where cuBLAS is missing and the product small. `note` says which it was.
DeviceError referenceProduct(const GpuCase &plan,
                             const std::vector<HostBuffer> &inputs,
                             Device &device, Cublas *cublas,
                             std::vector<double> &reference, std::string &note);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_GPU_PEERS_H
