//===- gpu_case.h - what a GPU kernel should compute -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_BENCHMARKS_GPU_CASE_H
#define KERNELZERO_BENCHMARKS_GPU_CASE_H

#include "KernelZero/Device/Device.h"
#include <cstdint>
#include <string>
#include <vector>

namespace kernelzero::bench {

/// A buffer's bytes on the host.
struct HostBuffer {
  BufferType type;
  std::vector<uint8_t> bytes;

  explicit HostBuffer(BufferType type = {})
      : type(std::move(type)), bytes(this->type.bytes()) {}
  double at(int64_t i) const;
  void set(int64_t i, double value);
};

/// Fills with fresh numbers, evenly spread over [-scale, scale).
void fillRandom(HostBuffer &buffer, uint64_t seed, double scale);

/// What is computed, by name, and which buffer plays which part. Operations:
///   gemm        A (M x K), B (K x N, or N x K), perhaps a bias (N): C (M x N);
///               with one more leading dimension each but the bias: batched
///   softmax     X: rows sum to one
///   layer-norm  X, scale, shift; rms-norm: X, scale; epsilon 1e-5
///   bias-gelu   X, bias; gelu: X; the form with erf
///   copy        X
struct GpuCase {
  std::string op;
  std::string epilogue; ///< none, gelu, relu, behind gemm (and its bias).
  bool transposeB = false;
  int64_t batch = 1, m = 0, n = 0, k = 0; ///< Rows are m x n.
  std::vector<BufferType> inputs;
  BufferType output;
  double inputScale = 1;

  bool isGemm() const { return op == "gemm"; }
  double flops() const;
  /// Each input read once, the output written once.
  double bytes() const;
};

/// Matches the buffers of a launch list to an operation. False and one
/// sentence where they do not fit.
bool planCase(const LaunchList &list, const std::string &op,
              const std::string &epilogue, const std::string &layoutB,
              GpuCase &plan, std::string &error);

/// How an output compares with the double-precision reference, element by
/// element, all of them.
struct Comparison {
  double frobenius = 0; ///< Norm of the difference over norm of the reference.
  double worst = 0;     ///< Largest error over what is allowed there.
  int64_t wrong = 0;    ///< Elements beyond it, or not numbers.
  int64_t first = -1;   ///< The first of them.
  double expected = 0, got = 0;
  int64_t elements = 0;
  bool passed() const { return wrong == 0 && elements > 0; }
  std::string text() const;
};
Comparison compare(const GpuCase &plan, const HostBuffer &output,
                   const std::vector<double> &reference);

/// The reference of everything but products of matrices, on the host.
void referenceRows(const GpuCase &plan, const std::vector<HostBuffer> &inputs,
                   std::vector<double> &reference);
/// Bias and epilogue of a product, in place.
void finishProduct(const GpuCase &plan, const std::vector<HostBuffer> &inputs,
                   std::vector<double> &reference);
/// One element of a product, by a dot product on the host.
double dotProduct(const GpuCase &plan, const std::vector<HostBuffer> &inputs,
                  int64_t batch, int64_t row, int64_t column);

/// Calls `body(begin, end)` for parts of [0, count) on all cores.
void parallelFor(int64_t count,
                 const std::function<void(int64_t, int64_t)> &body);

} // namespace kernelzero::bench

#endif // KERNELZERO_BENCHMARKS_GPU_CASE_H
