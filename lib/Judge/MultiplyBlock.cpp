//===- MultiplyBlock.cpp - the reference's product of blocks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Compiled with optimisation in every build type, and once per instruction
// set: the reference of a large task has to take seconds.

namespace kernelzero::reference {

typedef double Vector __attribute__((vector_size(64), aligned(8)));

template <int Rows>
[[gnu::always_inline]] static inline void
multiplyRows(const double *a, const double *b, double *c, long depth,
             long pitch) {
  Vector sums[Rows][4];
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < 4; ++j)
      sums[i][j] = *reinterpret_cast<const Vector *>(c + i * pitch + 8 * j);
  for (long k = 0; k < depth; ++k) {
    const Vector *row = reinterpret_cast<const Vector *>(b + 32 * k);
    Vector b0 = row[0], b1 = row[1], b2 = row[2], b3 = row[3];
    for (int i = 0; i < Rows; ++i) {
      double x = a[i * depth + k];
      sums[i][0] += x * b0;
      sums[i][1] += x * b1;
      sums[i][2] += x * b2;
      sums[i][3] += x * b3;
    }
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < 4; ++j)
      *reinterpret_cast<Vector *>(c + i * pitch + 8 * j) = sums[i][j];
}

[[gnu::always_inline]] static inline void multiply(const double *a,
                                                   const double *b, double *c,
                                                   long rows, long depth,
                                                   long pitch) {
  for (; rows >= 6; rows -= 6, a += 6 * depth, c += 6 * pitch)
    multiplyRows<6>(a, b, c, depth, pitch);
  for (; rows > 0; --rows, a += depth, c += pitch)
    multiplyRows<1>(a, b, c, depth, pitch);
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] static void multiply512(const double *a,
                                                   const double *b, double *c,
                                                   long rows, long depth,
                                                   long pitch) {
  multiply(a, b, c, rows, depth, pitch);
}
[[gnu::target("avx2,fma")]] static void multiply256(const double *a,
                                                    const double *b, double *c,
                                                    long rows, long depth,
                                                    long pitch) {
  multiply(a, b, c, rows, depth, pitch);
}
#endif

void multiplyBlock(const double *a, const double *b, double *c, long rows,
                   long depth, long pitch) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return multiply512(a, b, c, rows, depth, pitch);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return multiply256(a, b, c, rows, depth, pitch);
#endif
  multiply(a, b, c, rows, depth, pitch);
}

} // namespace kernelzero::reference
