//===- Buffer.h - memory for candidates to read and write -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_BUFFER_H
#define KERNELZERO_JUDGE_BUFFER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <cstdint>

namespace kernelzero {

/// Memory between guard pages: an access in front of it or behind it is a
/// fault, not a silent error. The data starts on a 64-byte boundary and ends at
/// most 63 bytes before the guard.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) { *this = std::move(other); }
  Buffer &operator=(Buffer &&other);
  ~Buffer();

  /// False where there is no memory.
  bool allocate(mlir::RankedTensorType type);
  /// From here on a write is a fault.
  void protect();
  /// Fills with a pattern that no right result has: NaN, or 0xA5.
  void poison();
  /// Whether the bytes between the data and the guard pages are untouched.
  bool areEdgesIntact() const;

  void *data() const { return start; }
  int64_t bytes() const { return size; }
  mlir::RankedTensorType getType() const { return type; }

private:
  mlir::RankedTensorType type;
  char *mapping = nullptr;
  int64_t mapped = 0;
  char *start = nullptr;
  int64_t size = 0;
};

/// Draws elements from a seed: normal(0, 1) for floats, small integers.
void drawNormal(const Buffer &buffer, uint64_t seed);
/// Draws integers from 0 up to below `limit`.
void drawIntegers(const Buffer &buffer, uint64_t seed, int64_t limit);
/// Sprinkles NaN, infinities, zeros of both signs, denormals and large values.
void sprinkleHostile(const Buffer &buffer, uint64_t seed);

/// Draws the elements of one argument of a task: indices of what the task reads
/// by them, all of them inside; otherwise normal(0, 1) and small integers.
void drawInput(mlir::BlockArgument argument, const Buffer &buffer,
               uint64_t seed);
/// Adds hostile values; of indices those from the end and outside, where the
/// task brings them inside by itself.
void sprinkleInput(mlir::BlockArgument argument, const Buffer &buffer,
                   uint64_t seed);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_BUFFER_H
