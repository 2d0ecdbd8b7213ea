//===- LayoutStep.h - one step of a register layout -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_TILE_LAYOUTSTEP_H
#define KERNELZERO_DIALECT_KZ_TILE_LAYOUTSTEP_H

#include "llvm/ADT/Hashing.h"
#include <cstdint>

namespace kernelzero::kz {

/// One digit of a mixed-radix number (a register, lane or warp number) and how
/// far it moves: digit value `i` in [0, extent) adds `i * stride` to coordinate
/// `dim`. A digit of copies moves along no dimension: `dim` is -1.
struct LayoutStep {
  int64_t extent = 1;
  int64_t dim = -1;
  int64_t stride = 0;

  bool isCopy() const { return dim < 0; }
  bool operator==(const LayoutStep &other) const {
    return extent == other.extent && dim == other.dim && stride == other.stride;
  }
};

inline llvm::hash_code hash_value(const LayoutStep &step) {
  return llvm::hash_combine(step.extent, step.dim, step.stride);
}

} // namespace kernelzero::kz

#endif // KERNELZERO_DIALECT_KZ_TILE_LAYOUTSTEP_H
