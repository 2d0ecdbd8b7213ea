//===- BufferPlanTest.cpp - buffers of a model do not overlap -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/ModelPlan.h"
#include <gtest/gtest.h>
#include <random>

using namespace kernelzero;

static int64_t addBuffer(ModelPlan &plan, int64_t bytes, int64_t first,
                         int64_t last) {
  ModelMemory memory;
  memory.bytes = bytes;
  memory.firstStep = first;
  memory.lastStep = last;
  plan.memories.push_back(memory);
  return plan.memories.size() - 1;
}

/// Whether two buffers that live at the same time share a byte.
static bool overlaps(const ModelPlan &plan) {
  for (const ModelMemory &a : plan.memories)
    for (const ModelMemory &b : plan.memories)
      if (&a != &b && a.firstStep <= b.lastStep && b.firstStep <= a.lastStep &&
          a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
        return true;
  return false;
}

TEST(BufferPlan, ReusesWhatIsReadForTheLastTime) {
  ModelPlan plan;
  // A chain: each step reads the buffer of the one before.
  for (int64_t step = 0; step < 10; ++step)
    addBuffer(plan, 1024, step, step + 1);
  placeBuffers(plan);
  EXPECT_FALSE(overlaps(plan));
  EXPECT_EQ(plan.arenaBytes, 2 * 1024);
  EXPECT_EQ(plan.bufferBytes, 10 * 1024);
}

TEST(BufferPlan, KeepsWhatIsReadLate) {
  ModelPlan plan;
  addBuffer(plan, 100, 0, 9);
  for (int64_t step = 1; step < 9; ++step)
    addBuffer(plan, 1000, step, step + 1);
  placeBuffers(plan);
  EXPECT_FALSE(overlaps(plan));
  EXPECT_EQ(plan.arenaBytes, 2 * 1024 + kBufferAlignment);
}

TEST(BufferPlan, RandomListsDoNotOverlap) {
  std::minstd_rand random(1);
  for (int round = 0; round < 50; ++round) {
    ModelPlan plan;
    for (int64_t step = 0; step < 60; ++step)
      addBuffer(plan, random() % 5000, step, step + random() % 8);
    placeBuffers(plan);
    EXPECT_FALSE(overlaps(plan)) << "round " << round;
    EXPECT_LE(plan.arenaBytes, plan.bufferBytes);
    for (const ModelMemory &memory : plan.memories) {
      EXPECT_EQ(memory.offset % kBufferAlignment, 0);
      EXPECT_LE(memory.offset + memory.bytes, plan.arenaBytes);
    }
  }
}
