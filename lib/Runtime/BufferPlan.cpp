//===- BufferPlan.cpp - where the buffers of a model lie ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/ModelPlan.h"
#include <algorithm>
#include <tuple>

using namespace kernelzero;

static int64_t align(int64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

/// Largest first, each in the smallest gap that holds it between those that
/// live at the same time: simple, and for such lists close to the least.
void kernelzero::placeBuffers(ModelPlan &plan) {
  std::vector<ModelMemory *> buffers;
  for (ModelMemory &memory : plan.memories)
    if (memory.kind == ModelMemory::Kind::Buffer)
      buffers.push_back(&memory);
  std::sort(buffers.begin(), buffers.end(),
            [](const ModelMemory *a, const ModelMemory *b) {
              return std::make_tuple(-a->bytes, a->firstStep, a) <
                     std::make_tuple(-b->bytes, b->firstStep, b);
            });
  plan.arenaBytes = plan.bufferBytes = 0;
  std::vector<ModelMemory *> placed;
  for (ModelMemory *buffer : buffers) {
    int64_t bytes = align(buffer->bytes);
    plan.bufferBytes += bytes;
    std::vector<const ModelMemory *> others;
    for (const ModelMemory *other : placed)
      if (other->firstStep <= buffer->lastStep &&
          buffer->firstStep <= other->lastStep)
        others.push_back(other);
    std::sort(others.begin(), others.end(),
              [](const ModelMemory *a, const ModelMemory *b) {
                return a->offset < b->offset;
              });
    int64_t end = 0, best = -1, bestGap = INT64_MAX;
    for (const ModelMemory *other : others) {
      int64_t gap = other->offset - end;
      if (gap >= bytes && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      end = std::max(end, other->offset + align(other->bytes));
    }
    buffer->offset = best >= 0 ? best : end;
    plan.arenaBytes = std::max(plan.arenaBytes, buffer->offset + bytes);
    placed.push_back(buffer);
  }
}
