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

/// Multiply-adds in vectors of `Bytes`, in enough chains that none waits for
/// another. Operations done.
template <int Bytes, int Chains>
[[gnu::always_inline]] static inline double multiplyAdd(int64_t rounds) {
  typedef float Vector __attribute__((vector_size(Bytes)));
  constexpr int kLanes = Bytes / sizeof(float);
  Vector sums[Chains], factor, addend;
  for (int lane = 0; lane < kLanes; ++lane) {
    factor[lane] = factorOfAll;
    addend[lane] = addendOfAll;
  }
  for (Vector &sum : sums)
    sum = addend;
  for (int64_t i = 0; i < rounds; ++i)
    for (int chain = 0; chain < Chains; ++chain)
      sums[chain] = sums[chain] * factor + addend;
  for (int chain = 1; chain < Chains; ++chain)
    sums[0] += sums[chain];
  sumOfAll = sums[0][0];
  return 2.0 * rounds * Chains * kLanes;
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] static double multiplyAddWide(int64_t rounds) {
  return multiplyAdd<64, 16>(rounds);
}
[[gnu::target("avx2,fma")]] static double multiplyAddMiddle(int64_t rounds) {
  return multiplyAdd<32, 12>(rounds);
}
#endif
static double multiplyAddNarrow(int64_t rounds) {
  return multiplyAdd<16, 12>(rounds);
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
