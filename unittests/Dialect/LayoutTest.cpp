//===- LayoutTest.cpp - layouts against what the hardware does ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace kernelzero::kz;

namespace {

struct LayoutTest : ::testing::Test {
  LayoutTest() { context.loadDialect<KZDialect>(); }
  MLIRContext context;
};

/// How often each coordinate is held.
std::map<std::vector<int64_t>, int> holders(LayoutAttr layout) {
  std::map<std::vector<int64_t>, int> counts;
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
        SmallVector<int64_t> at = layout.getCoordinates(reg, lane, warp);
        ++counts[std::vector<int64_t>(at.begin(), at.end())];
      }
  return counts;
}

void expectEachOnce(LayoutAttr layout) {
  auto counts = holders(layout);
  int64_t elements = 1;
  for (int64_t size : layout.getShape())
    elements *= size;
  EXPECT_EQ(static_cast<int64_t>(counts.size()), elements);
  for (auto &[at, count] : counts)
    EXPECT_EQ(count, 1);
}

// Sums of plain multiply-adds: lanes side by side, 16 bytes of columns each.
TEST_F(LayoutTest, FmaAccumulator) {
  LayoutAttr layout =
      LayoutAttr::forFmaAccumulator(&context, {64, 128}, {2, 2}, {4, 8}, 4);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout.getShape(), (SmallVector<int64_t>{64, 128}));
  EXPECT_EQ(layout.getNumRegisters(), 64);
  EXPECT_EQ(layout.getContiguous(1), 4);
  EXPECT_EQ(layout.getCoordinates(0, 9, 3), (SmallVector<int64_t>{33, 68}));
  expectEachOnce(layout);
  // Fewer columns than four a lane; a part that is no whole block of lanes.
  EXPECT_EQ(LayoutAttr::forFmaAccumulator(&context, {32, 16}, {1, 1}, {4, 8}, 4)
                .getContiguous(1),
            2);
  EXPECT_FALSE(
      LayoutAttr::forFmaAccumulator(&context, {30, 16}, {1, 1}, {4, 8}, 4));
}

// Register 4j + c of lane l of warp w holds row 16w + l/4 + 8(c/2), column
// 8j + 2(l%4) + c%2 (PTX ISA, accumulators of wgmma m64nN).
TEST_F(LayoutTest, WgmmaAccumulator) {
  for (int64_t n : {8, 64, 192, 256}) {
    LayoutAttr layout =
        LayoutAttr::forWgmmaAccumulator(&context, n, 2, 1, {128, n});
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout.getNumRegisters(), n / 2);
    EXPECT_EQ(layout.getNumThreads(), 256);
    EXPECT_TRUE(layout.isWgmmaAccumulator(n));
    EXPECT_TRUE(layout.isMmaSyncAccumulator());
    expectEachOnce(layout);
    for (int64_t w = 0; w < 8; ++w)
      for (int64_t l = 0; l < 32; ++l)
        for (int64_t r = 0; r < n / 2; ++r) {
          int64_t j = r / 4, c = r % 4;
          EXPECT_EQ(layout.getCoordinates(r, l, w),
                    (SmallVector<int64_t>{64 * (w / 4) + 16 * (w % 4) + l / 4 +
                                              8 * (c / 2),
                                          8 * j + 2 * (l % 4) + c % 2}));
        }
  }
}

TEST_F(LayoutTest, WgmmaAccumulatorOfSeveralInstructions) {
  // Two warpgroups side by side, each with 2 x 2 blocks of 64 x 64.
  LayoutAttr layout =
      LayoutAttr::forWgmmaAccumulator(&context, 64, 1, 2, {128, 256});
  ASSERT_TRUE(layout);
  EXPECT_TRUE(layout.isWgmmaAccumulator(64));
  EXPECT_FALSE(layout.isWgmmaAccumulator(48));
  expectEachOnce(layout);
  EXPECT_EQ(layout.getOffsets(32), (SmallVector<int64_t>{0, 64}));
  EXPECT_EQ(layout.getOffsets(64), (SmallVector<int64_t>{64, 0}));
  EXPECT_EQ(layout.getCoordinates(0, 0, 4), (SmallVector<int64_t>{0, 128}));
  EXPECT_FALSE(LayoutAttr::forWgmmaAccumulator(&context, 64, 1, 2, {96, 256}));
  EXPECT_FALSE(LayoutAttr::forWgmmaAccumulator(&context, 12, 1, 1, {64, 12}));
}

TEST_F(LayoutTest, MmaSyncAccumulator) {
  LayoutAttr layout =
      LayoutAttr::forMmaSyncAccumulator(&context, {128, 96}, {2, 2});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout.getNumRegisters(), 4 * 4 * 6);
  EXPECT_TRUE(layout.isMmaSyncAccumulator());
  EXPECT_FALSE(layout.isWgmmaAccumulator(96));
  expectEachOnce(layout);
  // Lane 5 of warp 3 (second row, second column of warps), third register.
  EXPECT_EQ(layout.getCoordinates(2, 5, 3),
            (SmallVector<int64_t>{64 + 1 + 8, 48 + 2}));
  EXPECT_FALSE(LayoutAttr::forMmaSyncAccumulator(&context, {24, 96}, {2, 2}));
}

TEST_F(LayoutTest, Rows) {
  LayoutAttr layout = LayoutAttr::forRows(&context, 1, 8192, 256, 8);
  ASSERT_TRUE(layout);
  expectEachOnce(layout);
  EXPECT_EQ(layout.getContiguous(1), 8);
  EXPECT_EQ(layout.getAlignment(1, 8), 8);
  EXPECT_EQ(layout.getCoordinates(8, 1, 1),
            (SmallVector<int64_t>{0, 2048 + 8 + 256}));
  // Eight threads a row: four rows a warp, sixteen a block, four times.
  LayoutAttr narrow = LayoutAttr::forRows(&context, 64, 64, 8, 4, 128);
  ASSERT_TRUE(narrow);
  expectEachOnce(narrow);
  EXPECT_EQ(narrow.getNumThreads(), 128);
  EXPECT_EQ(narrow.getCoordinates(0, 9, 1), (SmallVector<int64_t>{5, 4}));
  EXPECT_FALSE(LayoutAttr::forRows(&context, 1, 1000, 256, 8));
  EXPECT_FALSE(LayoutAttr::forRows(&context, 1, 768, 96, 8, 128));
  // An extent that is no power of two.
  LayoutAttr three = LayoutAttr::forRows(&context, 1, 768, 96, 8);
  ASSERT_TRUE(three);
  expectEachOnce(three);
}

TEST_F(LayoutTest, DropDims) {
  LayoutAttr layout =
      LayoutAttr::forMmaSyncAccumulator(&context, {64, 64}, {2, 2});
  LayoutAttr columns = layout.dropDim(0);
  EXPECT_EQ(columns.getShape(), (SmallVector<int64_t>{64}));
  EXPECT_EQ(columns.getNumThreads(), 128);
  EXPECT_TRUE(columns.hasCopies());
  EXPECT_FALSE(layout.hasCopies());
  // Every register of the tile finds its column.
  for (int64_t warp : {0, 3})
    for (int64_t lane : {0, 17})
      for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg)
        EXPECT_EQ(columns.getCoordinates(layout.getKeptRegister(reg, {0}), lane,
                                         warp)[0],
                  layout.getCoordinates(reg, lane, warp)[1]);
  // Held once by each of 8 lanes x 2 warps.
  for (auto &[at, count] : holders(columns))
    EXPECT_EQ(count, 16);
  LayoutAttr scalar = layout.dropDims({0, 1});
  EXPECT_EQ(scalar.getRank(), 0);
  EXPECT_EQ(scalar.getNumRegisters(), 1);
  EXPECT_EQ(scalar.getNumThreads(), 128);
  EXPECT_TRUE(layout.lanesDifferAlong({0}));
  EXPECT_TRUE(layout.warpsDifferAlong({1}));
  EXPECT_FALSE(columns.dropDim(0).lanesDifferAlong({0}));
}

TEST_F(LayoutTest, Alignment) {
  // Groups of three: every group starts at a multiple of 3, pairs do not align.
  LayoutStep three{3, 0, 1}, lanes{32, 0, 3};
  LayoutAttr layout = LayoutAttr::get(&context, 1, ArrayRef(three),
                                      ArrayRef(lanes), ArrayRef<LayoutStep>());
  EXPECT_EQ(layout.getContiguous(0), 3);
  EXPECT_EQ(layout.getAlignment(0, 3), 3);
  EXPECT_EQ(layout.getAlignment(0, 1), 1);
}

} // namespace
