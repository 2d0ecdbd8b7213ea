//===- LaunchListTest.cpp - launch lists as JSON, devices without a GPU ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/LaunchList.h"
#include "KernelZero/Device/Device.h"
#include "gtest/gtest.h"

using namespace kernelzero;

static LaunchList example() {
  LaunchList list;
  list.workspaceBytes = {4096};
  KernelLaunch kernel;
  kernel.name = "gemm";
  kernel.grid = {132, 1, 2};
  kernel.block = {384, 1, 1};
  kernel.cluster = {2, 1, 1};
  kernel.sharedBytes = 230464;
  LaunchArgument map;
  map.type = {ElementType::bf16, {256, 512}};
  map.isMap = true;
  map.map = {{512, 256}, {1024}, {64, 128}, 128};
  LaunchArgument workspace;
  workspace.isWorkspace = true;
  workspace.type = {ElementType::f32, {1024}};
  workspace.written = true;
  kernel.arguments = {map, workspace};
  list.kernels = {kernel};
  return list;
}

TEST(LaunchList, RoundTrip) {
  LaunchList list = example(), back;
  std::string error, text = toJSON(list);
  ASSERT_TRUE(fromJSON(text, back, error)) << error;
  EXPECT_EQ(toJSON(back), text);
  EXPECT_EQ(back.kernels[0].arguments[0].map.swizzle, 128);
  EXPECT_EQ(back.kernels[0].arguments[1].type.bytes(), 4096);
  EXPECT_EQ(back.buffers().size(), 1u);
}

TEST(LaunchList, RefusesWhatIsNotOne) {
  LaunchList list;
  std::string error;
  EXPECT_FALSE(fromJSON("{", list, error));
  EXPECT_EQ(error.find("not a launch list: "), 0u);
  EXPECT_FALSE(fromJSON("{\"version\": 7}", list, error));
  EXPECT_EQ(error, "launch list of version 7; this program reads version 1");
  LaunchList wrong = example();
  wrong.kernels[0].arguments[0].map.swizzle = 48;
  EXPECT_FALSE(fromJSON(toJSON(wrong), list, error));
  EXPECT_EQ(error, "kernel gemm: a tensor map's swizzle is 48; 0, 32, 64 and "
                   "128 are possible");
  wrong = example();
  wrong.kernels[0].arguments[1].type.shape = {1025};
  EXPECT_FALSE(checkLaunchList(wrong, error));
  EXPECT_EQ(error, "kernel gemm: workspace 0 is used as 4100 bytes and has "
                   "4096");
  wrong = example();
  wrong.kernels[0].block[1] = 0;
  EXPECT_FALSE(checkLaunchList(wrong, error));
  EXPECT_EQ(error, "kernel gemm: a launch extent is 0; at least 1 is needed");
}

TEST(Device, RefusesOtherNames) {
  std::unique_ptr<Device> device;
  for (const char *name : {"cuda", "cuda:", "cuda:x", "cuda:-1", "gpu:0", ""})
    EXPECT_EQ(openDevice(name, device),
              "no device is called '" + std::string(name) +
                  "'; cuda:N with a number from 0 is accepted");
  EXPECT_FALSE(device);
}
