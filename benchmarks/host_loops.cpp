//===- host_loops.cpp - row kernels as a C++ programmer writes them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// The peer of host-rows: built by g++ -O3 -march=native -ffast-math into a
// library of its own.
#include <cmath>
#include <cstdint>

extern "C" {

void loop_softmax(const float *__restrict x, float *__restrict y, int64_t rows,
                  int64_t columns) {
  for (int64_t r = 0; r < rows; r++, x += columns, y += columns) {
    float most = x[0], sum = 0;
    for (int64_t i = 0; i < columns; i++)
      most = x[i] > most ? x[i] : most;
    for (int64_t i = 0; i < columns; i++) {
      float e = expf(x[i] - most);
      y[i] = e;
      sum += e;
    }
    float scale = 1 / sum;
    for (int64_t i = 0; i < columns; i++)
      y[i] *= scale;
  }
}

void loop_layer_norm(const float *__restrict x, const float *__restrict g,
                     const float *__restrict b, float *__restrict y,
                     int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; r++, x += columns, y += columns) {
    float sum = 0, squares = 0;
    for (int64_t i = 0; i < columns; i++)
      sum += x[i];
    sum /= columns;
    for (int64_t i = 0; i < columns; i++) {
      float d = x[i] - sum;
      squares += d * d;
    }
    float scale = 1 / sqrtf(squares / columns + 1e-5f);
    for (int64_t i = 0; i < columns; i++)
      y[i] = (x[i] - sum) * scale * g[i] + b[i];
  }
}

void loop_rms_norm(const float *__restrict x, const float *__restrict g,
                   float *__restrict y, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; r++, x += columns, y += columns) {
    float squares = 0;
    for (int64_t i = 0; i < columns; i++)
      squares += x[i] * x[i];
    float scale = 1 / sqrtf(squares / columns + 1e-5f);
    for (int64_t i = 0; i < columns; i++)
      y[i] = x[i] * scale * g[i];
  }
}

void loop_bias_gelu(const float *__restrict x, const float *__restrict b,
                    float *__restrict y, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; r++, x += columns, y += columns)
    for (int64_t i = 0; i < columns; i++) {
      float v = x[i] + b[i];
      y[i] = 0.5f * v * (1 + erff(v * 0.70710678f));
    }
}
}
