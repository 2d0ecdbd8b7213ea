//===- Elements.cpp - elements of buffers as doubles ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Reference.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace kernelzero;

static double readBFloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

static uint16_t writeBFloat(double value) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                 &lost);
  return number.bitcastToAPInt().getZExtValue();
}

int64_t kernelzero::getElementBytes(Type type) {
  if (type.isF32())
    return 4;
  if (type.isF64())
    return 8;
  if (type.isF16() || type.isBF16())
    return 2;
  if (type.isIndex())
    return 8;
  if (auto integer = dyn_cast<IntegerType>(type))
    switch (integer.getWidth()) {
    case 1:
    case 8:
      return 1;
    case 16:
      return 2;
    case 32:
      return 4;
    case 64:
      return 8;
    default:
      return 0;
    }
  return 0;
}

template <typename T>
static void read(const void *data, int64_t first, int64_t count,
                 double *values) {
  const T *source = static_cast<const T *>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(source[i]);
}

template <typename T>
static void write(const double *values, int64_t first, int64_t count,
                  void *data) {
  T *target = static_cast<T *>(data) + first;
  for (int64_t i = 0; i < count; ++i)
    target[i] = static_cast<T>(values[i]);
}

void kernelzero::readElements(Type type, const void *data, int64_t first,
                              int64_t count, double *values) {
  if (type.isF32())
    return read<float>(data, first, count, values);
  if (type.isF64())
    return read<double>(data, first, count, values);
  if (type.isF16())
    return read<_Float16>(data, first, count, values);
  if (type.isBF16()) {
    const uint16_t *source = static_cast<const uint16_t *>(data) + first;
    for (int64_t i = 0; i < count; ++i)
      values[i] = readBFloat(source[i]);
    return;
  }
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  switch (getElementBytes(type)) {
  case 1:
    return isUnsigned ? read<uint8_t>(data, first, count, values)
                      : read<int8_t>(data, first, count, values);
  case 2:
    return isUnsigned ? read<uint16_t>(data, first, count, values)
                      : read<int16_t>(data, first, count, values);
  case 4:
    return isUnsigned ? read<uint32_t>(data, first, count, values)
                      : read<int32_t>(data, first, count, values);
  default:
    return isUnsigned ? read<uint64_t>(data, first, count, values)
                      : read<int64_t>(data, first, count, values);
  }
}

void kernelzero::writeElements(Type type, const double *values, int64_t first,
                               int64_t count, void *data) {
  if (type.isF32())
    return write<float>(values, first, count, data);
  if (type.isF64())
    return write<double>(values, first, count, data);
  if (type.isF16())
    return write<_Float16>(values, first, count, data);
  if (type.isBF16()) {
    uint16_t *target = static_cast<uint16_t *>(data) + first;
    for (int64_t i = 0; i < count; ++i)
      target[i] = writeBFloat(values[i]);
    return;
  }
  switch (getElementBytes(type)) {
  case 1:
    return write<int8_t>(values, first, count, data);
  case 2:
    return write<int16_t>(values, first, count, data);
  case 4:
    return write<int32_t>(values, first, count, data);
  default:
    return write<int64_t>(values, first, count, data);
  }
}

/// The smallest normal value of `type`: kernels may flush what is below.
static double getSmallest(Type type) {
  auto floating = dyn_cast<FloatType>(type);
  if (!floating)
    return 0;
  return llvm::APFloat::getSmallestNormalized(floating.getFloatSemantics())
      .convertToDouble();
}

Comparison kernelzero::compareWithReference(const ReferenceTensor &reference,
                                            const void *data) {
  constexpr int64_t kChunk = 4096;
  Comparison result;
  Type type = reference.type.getElementType();
  result.elements = reference.values.size();
  bool isFloat = isa<FloatType>(type);
  double smallest = getSmallest(type);
  double got[kChunk];
  for (int64_t first = 0; first < result.elements; first += kChunk) {
    int64_t count = std::min(kChunk, result.elements - first);
    readElements(type, data, first, count, got);
    for (int64_t i = 0; i < count; ++i) {
      double expected = reference.values[first + i];
      double bound = reference.errors[first + i] + (isFloat ? smallest : 0);
      double error = std::fabs(got[i] - expected);
      double ratio;
      if (std::isnan(expected) || std::isnan(got[i]))
        ratio = std::isnan(expected) == std::isnan(got[i]) ||
                        std::isinf(reference.errors[first + i])
                    ? 0
                    : std::numeric_limits<double>::infinity();
      else if (std::isinf(expected) || std::isinf(got[i]))
        ratio = expected == got[i] || std::isinf(reference.errors[first + i])
                    ? 0
                    : std::numeric_limits<double>::infinity();
      else if (error == 0)
        ratio = 0;
      else
        ratio =
            bound > 0 ? error / bound : std::numeric_limits<double>::infinity();
      if (std::isfinite(error))
        result.largestError = std::max(result.largestError, error);
      result.wrong += ratio > 1;
      if (result.worstIndex < 0 || ratio > result.largestRatio) {
        result.largestRatio = std::max(result.largestRatio, ratio);
        result.worstIndex = first + i;
        result.expected = expected;
        result.got = got[i];
      }
    }
  }
  return result;
}
