//===- HostPeaks.cpp - what one core of this machine reaches --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/CostModel/Analytical.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

using namespace kernelzero;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Compilers must neither know these numbers nor do without the sums.
static volatile float factorOfAll = 0.999f, addendOfAll = 0.001f;
static volatile float sumOfAll;

typedef float Narrow __attribute__((vector_size(16)));
typedef float Middle __attribute__((vector_size(32)));
typedef float Wide __attribute__((vector_size(64)));

/// Multiply-adds in vectors, in enough chains that none waits for another. Each
/// chain is a variable of its own, so that every level of optimisation keeps it
/// in a register, and starts from a number of its own, so that no two are one.
/// Operations done.
template <typename Vector>
[[gnu::always_inline]] static inline double multiplyAdd(int64_t rounds) {
  constexpr int kLanes = sizeof(Vector) / sizeof(float), kChains = 12;
  const Vector zero = {};
  const Vector factor = zero + factorOfAll, addend = zero + addendOfAll;
  Vector a = zero + addendOfAll, b = zero + addendOfAll, c = zero + addendOfAll;
  Vector d = zero + addendOfAll, e = zero + addendOfAll, f = zero + addendOfAll;
  Vector g = zero + addendOfAll, h = zero + addendOfAll, i = zero + addendOfAll;
  Vector j = zero + addendOfAll, k = zero + addendOfAll, l = zero + addendOfAll;
  for (int64_t round = 0; round < rounds; ++round) {
    a = a * factor + addend;
    b = b * factor + addend;
    c = c * factor + addend;
    d = d * factor + addend;
    e = e * factor + addend;
    f = f * factor + addend;
    g = g * factor + addend;
    h = h * factor + addend;
    i = i * factor + addend;
    j = j * factor + addend;
    k = k * factor + addend;
    l = l * factor + addend;
  }
  Vector sum = a + b + c + d + e + f + g + h + i + j + k + l;
  sumOfAll = sum[0];
  return 2.0 * rounds * kChains * kLanes;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] static double multiplyAddWide(int64_t rounds) {
  return multiplyAdd<Wide>(rounds);
}
[[gnu::target("avx2,fma")]] static double multiplyAddMiddle(int64_t rounds) {
  return multiplyAdd<Middle>(rounds);
}
#endif
static double multiplyAddNarrow(int64_t rounds) {
  return multiplyAdd<Narrow>(rounds);
}

static double measureFlops() {
  double (*run)(int64_t) = multiplyAddNarrow;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    run = multiplyAddWide;
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    run = multiplyAddMiddle;
#endif
  // Other work may come in between: some of many short looks are undisturbed.
  constexpr int64_t kRounds = 2000;
  constexpr int kLooks = 4000;
  double best = 0;
  for (int look = 0; look < kLooks; ++look) {
    auto start = Clock::now();
    double operations = run(kRounds);
    best = std::max(best, operations / std::max(secondsSince(start), 1e-9));
  }
  return best;
}

/// Bytes read and written in a second by copies of `bytes`.
static double measureCopy(size_t bytes, int repeats, int looks) {
  std::unique_ptr<char[]> from(new char[bytes]), to(new char[bytes]);
  std::memset(from.get(), 1, bytes);
  std::memset(to.get(), 2, bytes);
  double best = 0;
  for (int look = 0; look < looks; ++look) {
    auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
      std::memcpy(to.get(), from.get(), bytes);
      asm volatile("" : : "r"(to.get()), "r"(from.get()) : "memory");
    }
    best = std::max(best, 2.0 * bytes * repeats /
                              std::max(secondsSince(start), 1e-9));
  }
  return best;
}

const HostPeaks &kernelzero::getHostPeaks() {
  static const HostPeaks peaks = [] {
    HostPeaks peaks;
    peaks.f32Flops = measureFlops();
    peaks.cacheBytesPerSecond = measureCopy(8 << 10, 20, 4000);
    peaks.dramBytesPerSecond = measureCopy(64 << 20, 1, 4);
    return peaks;
  }();
  return peaks;
}
