//===- Cublas.h - NVIDIA's products of matrices, as a peer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DEVICE_CUBLAS_H
#define KERNELZERO_DEVICE_CUBLAS_H

#include "KernelZero/Device/Device.h"

namespace kernelzero {

/// C = A * B for every batch, all row-major and dense: A is m x k (k x m with
/// `transposeA`), B is k x n (n x k with `transposeB`), C is m x n. Sums are
/// f32, and f64 where the elements are.
struct Product {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool transposeA = false, transposeB = false;
  ElementType input = ElementType::f16, output = ElementType::f16;
};

/// cuBLAS, found at run time; never linked.
class Cublas {
public:
  ~Cublas();
  /// Works on the queue of `device`, which has to be a CUDA device and to live
  /// longer. Null and one sentence in `error` where it is not to be found.
  static std::unique_ptr<Cublas> load(const Device &device, std::string &error);

  const std::string &path() const { return where; }

  /// Starts the product; does not wait.
  [[nodiscard]] DeviceError multiply(const Product &product, DeviceAddress a,
                                     DeviceAddress b, DeviceAddress c);

private:
  Cublas() = default;

  void *handle = nullptr;
  std::string where;
  int (*create)(void **) = nullptr;
  int (*destroy)(void *) = nullptr;
  int (*setStream)(void *, void *) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, const void *, int,
              int, const void *, int, int, const void *, void *, int, int, int,
              int) = nullptr;
  int (*gemmBatched)(void *, int, int, int, int, int, const void *,
                     const void *, int, int, long long, const void *, int, int,
                     long long, const void *, void *, int, int, long long, int,
                     int, int) = nullptr;
};

} // namespace kernelzero

#endif // KERNELZERO_DEVICE_CUBLAS_H
