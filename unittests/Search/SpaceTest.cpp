//===- SpaceTest.cpp - the choices that a skeleton leaves open ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Space.h"

#include <gtest/gtest.h>
#include <set>

using namespace kernelzero;

/// Two sides of a tile in one group, a knob alone, two pieces of script of
/// which the second has a knob of its own.
static Space makeSpace(Space::Explain explain = [](const Choices &) {
  return std::nullopt;
}) {
  return Space({{"m", {8, 4, 16}, "", "tile"},
                {"n", {32, 16}, "", "tile"},
                {"stages", {3, 2, 4}, ""},
                {"order", {0, 1}, "", "", /*isStructure=*/true},
                {"depth", {64, 128}, "", "", false, "order", {1}}},
               std::move(explain));
}

TEST(SpaceTest, LeavesOutWhatMeansNothing) {
  Space space = makeSpace();
  EXPECT_EQ(space.getDefaults(),
            (Choices{{"m", 8}, {"n", 32}, {"stages", 3}, {"order", 0}}));
  EXPECT_EQ(space.normalize({{"order", 0}, {"depth", 128}}).count("depth"), 0u);
  EXPECT_EQ(space.normalize({{"order", 1}, {"depth", 128}}).at("depth"), 128);
  EXPECT_EQ(space.count(1000), 3u * 2 * 3 * 3);
  EXPECT_EQ(space.count(7), 7u);
  std::vector<Choices> all = space.enumerate();
  EXPECT_EQ(all.size(), 54u);
  EXPECT_EQ(std::set<Choices>(all.begin(), all.end()).size(), 54u);
}

TEST(SpaceTest, ForeignValuesBecomeTheNearest) {
  Space space = makeSpace();
  EXPECT_EQ(space.normalize({{"m", 64}, {"n", 20}, {"other", 1}}),
            (Choices{{"m", 16}, {"n", 16}, {"stages", 3}, {"order", 0}}));
  EXPECT_EQ(space.normalize({{"order", 5}}).at("order"), 0);
}

TEST(SpaceTest, CrossingKeepsGroupsTogether) {
  Space space = makeSpace();
  Choices first = {{"m", 8}, {"n", 32}, {"stages", 3}, {"order", 0}};
  Choices second = {
      {"m", 4}, {"n", 16}, {"stages", 2}, {"order", 1}, {"depth", 128}};
  Random random(1);
  std::set<Choices> children;
  for (int i = 0; i < 100; ++i) {
    Choices child = space.cross(first, second, random);
    EXPECT_EQ(child["m"] == 8, child["n"] == 32);
    if (child["order"] == 1)
      EXPECT_EQ(child["depth"], 128);
    children.insert(child);
  }
  EXPECT_EQ(children.size(), 8u);
}

TEST(SpaceTest, OneSentenceMakesAGroup) {
  Space space = makeSpace([](const Choices &choices) {
    return choices.at("stages") == 4
               ? std::optional<std::string>("stages 4 needs a smaller n")
               : std::nullopt;
  });
  EXPECT_EQ(space.getGroup("stages"), space.getGroup("n"));
  EXPECT_EQ(space.getGroup("m"), space.getGroup("n"));
  EXPECT_NE(space.getGroup("order"), space.getGroup("n"));
  EXPECT_NE(makeSpace().getGroup("stages"), makeSpace().getGroup("n"));
}

TEST(SpaceTest, MutationChangesLittle) {
  Space space = makeSpace();
  Choices parent = space.getDefaults();
  Random random(3);
  int64_t changes = 0, neighbours = 0, far = 0, structure = 0;
  for (int i = 0; i < 1000; ++i) {
    Choices child = space.mutate(parent, random);
    EXPECT_NE(child, parent);
    EXPECT_EQ(child, space.normalize(child));
    for (const auto &[name, value] : parent)
      changes += child.at(name) != value;
    structure += child.at("order") == 1;
  }
  EXPECT_LT(changes, 2000);
  EXPECT_GT(structure, 100);
  // From an end of the order, the neighbour comes more often.
  Space line({{"k", {1, 2, 4, 8, 16, 32}, ""}},
             [](const Choices &) { return std::nullopt; });
  for (int i = 0; i < 1000; ++i) {
    int64_t value = line.mutate({{"k", 1}}, random).at("k");
    neighbours += value == 2;
    far += value == 32;
  }
  EXPECT_GT(neighbours, 5 * far);
  EXPECT_GT(far, 0);
}
