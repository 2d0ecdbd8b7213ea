//===- gpu_peers.h - what our kernels are measured against -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_GPU_PEERS_H
#define KERNELZERO_BENCHMARKS_GPU_PEERS_H

#include "KernelZero/Device/Cublas.h"
#include "gpu_case.h"

namespace kernelzero::bench {

/// The product of `plan`, without bias and epilogue, for cuBLAS.
Product getProduct(const GpuCase &plan);

/// The whole product in double precision: by cuBLAS on upcast inputs, checked
/// against dot products of the host at sampled places; or on the host alone
/// where cuBLAS is missing and the product small. `note` says which it was.
DeviceError referenceProduct(const GpuCase &plan,
                             const std::vector<HostBuffer> &inputs,
                             Device &device, Cublas *cublas,
                             std::vector<double> &reference, std::string &note);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_GPU_PEERS_H
