//===- Array.h - tensors in host memory, and .npy files --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_ARRAY_H
#define KERNELZERO_RUNTIME_ARRAY_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace kernelzero {

/// What a tensor of a model is in memory: static, row-major, an `i1` a byte.
struct ArrayType {
  std::string element; ///< `f32`, as MLIR spells it.
  std::vector<int64_t> shape;

  int64_t elements() const;
  int64_t bytes() const;
  bool operator==(const ArrayType &other) const {
    return element == other.element && shape == other.shape;
  }
};

/// Bytes of one element, 0 for a type that arrays cannot hold.
int64_t getArrayElementBytes(const std::string &element);

/// `1x128 of i64`; a scalar is `() of f32`.
std::string toText(const ArrayType &type);

/// Bytes that start at a page, so that vectors cross no cache line.
struct FreeBytes {
  void operator()(char *bytes) const { std::free(bytes); }
};
using ArrayBytes = std::unique_ptr<char, FreeBytes>;
ArrayBytes allocateBytes(int64_t bytes);

struct Array {
  ArrayType type;
  ArrayBytes data;
};

/// Reads the file at `path`, which NumPy's `save` wrote: floats of 16, 32 and
/// 64 bits, bfloat16 (as two opaque bytes, which is how NumPy keeps it), signed
/// integers, booleans; C order and little-endian. Empty on success, else one
/// sentence.
std::string readNpy(const std::string &path, Array &array);

/// Writes an array as NumPy's `save` does, atomically. Empty on success, else
/// one sentence.
std::string writeNpy(const std::string &path, const ArrayType &type,
                     const void *data);

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_ARRAY_H
