//===- AnalyticalTest.cpp - what the model ranks above what ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/ToTile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace kernelzero;

static TaskInfo describe(int64_t flops, int64_t products, int64_t bytes,
                         const std::string &element) {
  TaskInfo task;
  task.flops = flops;
  task.matmulFlops = products;
  task.bytes = bytes;
  task.element = element;
  return task;
}

TEST(RooflineTest, TheSlowestOfItsPartsSetsIt) {
  const Target &target = *findTarget("sm_90a");
  int64_t cube = int64_t(2) * 4096 * 4096 * 4096;
  Roofline product =
      getRoofline(describe(cube, cube, 3 * 4096 * 4096 * 2, "f16"), target);
  EXPECT_EQ(product.limit, "f16 tensor cores");
  EXPECT_NEAR(product.seconds, cube / target.f16TensorFlops, 1e-9);
  Roofline rows =
      getRoofline(describe(8192 * 8192, 0, 2 * 8192 * 8192 * 2, "f16"), target);
  EXPECT_EQ(rows.limit, "DRAM");
  EXPECT_NEAR(rows.seconds, 4.0 * 8192 * 8192 / target.dramBytesPerSecond,
              1e-9);
  // f32 products do not run on tensor cores.
  EXPECT_EQ(getRoofline(describe(cube, cube, 1, "f32"), target).limit, "f32");
}

TEST(RooflineTest, TheHostIsMeasured) {
  const HostPeaks &peaks = getHostPeaks();
  EXPECT_GT(peaks.f32Flops, 1e9);
  EXPECT_LT(peaks.f32Flops, 1e13);
  EXPECT_GT(peaks.cacheBytesPerSecond, 1e9);
  EXPECT_GT(peaks.cacheBytesPerSecond, 0.5 * peaks.dramBytesPerSecond);
  Roofline bound =
      getRoofline(describe(int64_t(1) << 32, int64_t(1) << 32, 1 << 20, "f32"),
                  *findTarget("host"));
  EXPECT_EQ(bound.limit, "f32");
  EXPECT_NEAR(bound.seconds, double(int64_t(1) << 32) / peaks.f32Flops, 1e-6);
}

TEST(ResidencyTest, NamesWhatLimitsIt) {
  const Target &target = *findTarget("sm_80");
  KernelWork kernel;
  kernel.threads = 256;
  EXPECT_EQ(getResidency(kernel, target).blocks, 8);
  EXPECT_EQ(getResidency(kernel, target).limit, "threads");
  kernel.registers = 128; // 65536 / (128 * 256)
  EXPECT_EQ(getResidency(kernel, target).blocks, 2);
  EXPECT_EQ(getResidency(kernel, target).limit, "registers");
  EXPECT_NEAR(getResidency(kernel, target).occupancy, 0.25, 1e-9);
  kernel.sharedBytes = 163 << 10;
  EXPECT_EQ(getResidency(kernel, target).blocks, 1);
  EXPECT_EQ(getResidency(kernel, target).limit, "shared memory");
  kernel = KernelWork();
  EXPECT_EQ(getResidency(kernel, target).limit, "blocks");
}

//===----------------------------------------------------------------------===//
// Monotonic facts
//===----------------------------------------------------------------------===//

namespace {
class ModelTest : public testing::Test {
protected:
  ModelTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerScheduleDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The work of `steps` on `task` for `target`.
  std::vector<KernelWork> count(const std::string &task,
                                const std::string &steps,
                                const std::string &target) {
    auto module =
        parseSourceString<ModuleOp>(task, ParserConfig(&context), "task");
    if (!module)
      return {};
    ScheduleError error;
    auto script =
        parseSchedule(&context,
                      "module attributes {transform.with_named_sequence} {\n"
                      "transform.named_sequence @s(%t: !transform.any_op "
                      "{transform.readonly}) {\n" +
                          steps + "\ntransform.yield\n}\n}\n",
                      error);
    auto sequence = script ? findSchedule(*script, error) : nullptr;
    OwningOpRef<ModuleOp> scheduled;
    if (sequence)
      scheduled = applySchedule(module->lookupSymbol<func::FuncOp>("task"),
                                sequence, error);
    for (const std::string &sentence : error.sentences)
      ADD_FAILURE() << sentence;
    if (!scheduled || failed(lowerToTile(*scheduled, findTarget(target))))
      return {};
    return countWork(*scheduled);
  }

  static std::string makeMatmul(int64_t m, int64_t n, int64_t k) {
    auto type = [](int64_t a, int64_t b, const char *element) {
      return "tensor<" + std::to_string(a) + "x" + std::to_string(b) + "x" +
             element + ">";
    };
    std::string a = type(m, k, "f16"), b = type(k, n, "f16"),
                c = type(m, n, "f32"), h = type(m, n, "f16");
    return "func.func @task(%a: " + a + ", %b: " + b + ") -> " + h +
           " {\n%z = arith.constant 0.0 : f32\n%e = tensor.empty() : " + c +
           "\n%f = linalg.fill ins(%z : f32) outs(%e : " + c + ") -> " + c +
           "\n%r = linalg.matmul ins(%a, %b : " + a + ", " + b +
           ") outs(%f : " + c + ") -> " + c + "\n%e2 = tensor.empty() : " + h +
           "\n%g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, "
           "j)>, affine_map<(i, j) -> (i, j)>], iterator_types = "
           "[\"parallel\", \"parallel\"]} ins(%r : " +
           c + ") outs(%e2 : " + h +
           ") {\n^bb0(%x: f32, %o: f16):\n%t = arith.truncf %x : f32 to "
           "f16\nlinalg.yield %t : f16\n} -> " +
           h + "\nreturn %g : " + h + "\n}";
  }
  static std::string makeSteps(int64_t m, int64_t n, int64_t k, int64_t stages,
                               int64_t wm, int64_t wn) {
    auto text = [](int64_t x) { return std::to_string(x); };
    return "%mm, %epi = transform.kz.body %t\n"
           "%m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [" +
           text(m) + ", " + text(n) +
           "]\n%m2, %k = transform.kz.tile_loop %m reduction [" + text(k) +
           "]\n%a = transform.kz.stage %m2 operand(0) shared copy(cp_async) "
           "swizzle(" +
           text(std::min<int64_t>(128, 2 * k)) +
           ") width(16)\n%b = transform.kz.stage %m2 operand(1) shared "
           "copy(cp_async) swizzle(128) width(16)\n"
           "transform.kz.pipeline %k ring(%a, %b) stages(" +
           text(stages) + ")\ntransform.kz.tile_warps %m2 warps [" + text(wm) +
           ", " + text(wn) +
           "]\ntransform.kz.mma %m2 mma_sync [16, 8, 16] acc(f32)\n"
           "transform.kz.epilogue %e on_accumulator";
  }
  double model(const std::string &task, const std::string &steps,
               const std::string &target = "sm_80",
               std::string *limit = nullptr) {
    std::vector<KernelWork> work = count(task, steps, target);
    EXPECT_EQ(work.size(), 1u);
    return modelSeconds(work, *findTarget(target), limit);
  }

  MLIRContext context;
};
} // namespace

TEST_F(ModelTest, CountsWhatAProductDoes) {
  std::vector<KernelWork> work = count(
      makeMatmul(1024, 2048, 512), makeSteps(128, 128, 32, 3, 2, 2), "sm_80");
  ASSERT_EQ(work.size(), 1u);
  const KernelWork &kernel = work.front();
  EXPECT_EQ(kernel.blocks, 8 * 16);
  EXPECT_EQ(kernel.threads, 128);
  EXPECT_EQ(kernel.tensorFlops, 2.0 * 1024 * 2048 * 512);
  // A is read once for each of 16 columns of tiles, B for each of 8 rows.
  double once = 2.0 * 1024 * 512 * 16 + 2.0 * 512 * 2048 * 8;
  EXPECT_NEAR(kernel.readBytes, once, 0.01 * once);
  EXPECT_EQ(kernel.writtenBytes, 2.0 * 1024 * 2048);
  EXPECT_EQ(kernel.uniqueBytes, 2.0 * (1024 * 512 + 512 * 2048 + 1024 * 2048));
  EXPECT_TRUE(kernel.mmaSync);
  EXPECT_GE(kernel.sharedBytes, 3 * 2 * (128 * 32 + 32 * 128));
}

TEST_F(ModelTest, NoCandidateBeatsTheRoofline) {
  for (int64_t size : {256, 1024, 4096}) {
    TaskInfo task = describe(2 * size * size * size, 2 * size * size * size,
                             6 * size * size, "f16");
    EXPECT_GT(
        model(makeMatmul(size, size, size), makeSteps(128, 128, 32, 4, 2, 2)),
        getRoofline(task, *findTarget("sm_80")).seconds);
  }
}

TEST_F(ModelTest, ADeeperRingHidesLatency) {
  std::string task = makeMatmul(1024, 1024, 4096);
  double two = model(task, makeSteps(128, 128, 32, 2, 2, 2));
  double three = model(task, makeSteps(128, 128, 32, 3, 2, 2));
  double four = model(task, makeSteps(128, 128, 32, 4, 2, 2));
  EXPECT_LT(three, two);
  EXPECT_LE(four, three);
}

TEST_F(ModelTest, LargeTilesForLargeProductsSmallOnesForWaves) {
  std::string large = makeMatmul(8192, 8192, 4096);
  EXPECT_LT(model(large, makeSteps(128, 128, 32, 3, 2, 2)),
            model(large, makeSteps(64, 64, 32, 3, 2, 2)));
  // 16 blocks of 128 x 128 leave most multiprocessors idle.
  std::string small = makeMatmul(512, 512, 4096);
  EXPECT_LT(model(small, makeSteps(64, 64, 32, 3, 2, 2)),
            model(small, makeSteps(128, 128, 32, 3, 2, 2)));
}

TEST_F(ModelTest, WiderVectorsCopyFaster) {
  std::string task = R"(
func.func @task(%x: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %e = tensor.empty() : tensor<4096x4096xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%x : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>) {
  ^bb0(%a: f16, %o: f16):
    %r = arith.addf %a, %a : f16
    linalg.yield %r : f16
  } -> tensor<4096x4096xf16>
  return %0 : tensor<4096x4096xf16>
})";
  auto steps = [](int64_t vector) {
    return "%b = transform.kz.body %t\n%m, %grid = transform.kz.tile_grid %b "
           "tile [1, " +
           std::to_string(256 * vector) +
           "]\ntransform.kz.tile_threads %grid dim(1) threads(256) vector(" +
           std::to_string(vector) + ")";
  };
  std::string limit;
  double one = model(task, steps(1)), two = model(task, steps(2)),
         eight = model(task, steps(8), "sm_80", &limit);
  EXPECT_LT(two, one);
  EXPECT_LT(eight, two);
}

TEST_F(ModelTest, AGatherAsksForItsRowsAtOnce) {
  std::string task = R"(
func.func @task(%table: tensor<30522x768xf16>, %ids: tensor<8192xi64>) -> tensor<8192x768xf16> {
  %e = tensor.empty() : tensor<8192x768xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%ids : tensor<8192xi64>) outs(%e : tensor<8192x768xf16>) {
  ^bb0(%id: i64, %o: f16):
    %j = linalg.index 1 : index
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %table[%i, %j] : tensor<30522x768xf16>
    linalg.yield %x : f16
  } -> tensor<8192x768xf16>
  return %0 : tensor<8192x768xf16>
})";
  double seconds =
      model(task, "%b = transform.kz.body %t\n"
                  "%m, %grid = transform.kz.tile_grid %b tile [2, 512]\n"
                  "transform.kz.tile_threads %grid dim(1) threads(256) "
                  "vector(2)");
  // What is read and written, once each. Elements by themselves cost more than
  // a copy, though not by much.
  double least = 2 * 2.0 * 8192 * 768 / findTarget("sm_80")->dramBytesPerSecond;
  EXPECT_GT(seconds, least);
  EXPECT_LT(seconds, 4 * least);
}

TEST_F(ModelTest, MoreTimeForMoreWork) {
  std::string steps = makeSteps(128, 128, 32, 3, 2, 2);
  double last = 0;
  for (int64_t depth : {512, 1024, 2048, 4096}) {
    double seconds = model(makeMatmul(2048, 2048, depth), steps);
    EXPECT_GT(seconds, last);
    last = seconds;
  }
}

namespace {
/// Steps of a persistent product by wgmma with roles.
std::string makeWgmmaSteps(int64_t m, int64_t n, int64_t k, int64_t stages,
                           int64_t instruction) {
  auto text = [](int64_t x) { return std::to_string(x); };
  return "%mm, %epi = transform.kz.body %t\n"
         "%m, %e, %grid = transform.kz.tile_grid %mm fuse(%epi) tile [" +
         text(m) + ", " + text(n) +
         "] raster group_m(16) persistent\n"
         "%m2, %k = transform.kz.tile_loop %m reduction [" +
         text(k) +
         "]\n"
         "%a = transform.kz.stage %m2 operand(0) shared copy(tma) "
         "swizzle(128)\n"
         "%b = transform.kz.stage %m2 operand(1) shared copy(tma) "
         "swizzle(128)\n"
         "transform.kz.pipeline %k ring(%a, %b) stages(" +
         text(stages) + ")\ntransform.kz.tile_warps %m2 warpgroups [" +
         text(m / 64 > 1 ? 2 : 1) + ", 1]\ntransform.kz.mma %m2 wgmma [64, " +
         text(instruction) +
         ", 16] acc(f32)\n"
         "transform.kz.warp_specialize %k producers(1) registers(40, 232)\n"
         "transform.kz.epilogue %e on_accumulator\n"
         "transform.kz.stage %e result(0) shared copy(tma_store) swizzle(128) "
         "chunk [64, 64]";
}
} // namespace

TEST_F(ModelTest, RanksProductsAsTheyWereMeasured) {
  // The order of docs/gpu.md, measured on an H200.
  std::string task = makeMatmul(4096, 4096, 4096);
  auto time = [&](int64_t m, int64_t n, int64_t k, int64_t stages) {
    return model(task,
                 makeWgmmaSteps(m, n, k, stages,
                                std::min(n, m == 256 ? int64_t(128) : n)),
                 "sm_90a");
  };
  double best = time(128, 256, 64, 4);
  EXPECT_NEAR(best, 180e-6, 25e-6);
  EXPECT_NEAR(best / time(256, 128, 64, 4), 0.978, 0.05);
  EXPECT_NEAR(best / time(128, 192, 64, 4), 0.889, 0.05);
  EXPECT_LT(best / time(128, 256, 128, 2), 0.889); // Measured: 0.702.
  // Few tiles: smaller ones fill the chip.
  std::string few = makeMatmul(512, 4096, 4096);
  EXPECT_LT(model(few, makeWgmmaSteps(128, 128, 64, 6, 128), "sm_90a"),
            model(few, makeWgmmaSteps(128, 256, 64, 4, 256), "sm_90a"));
}

TEST(ModelLaunchTest, EveryKernelHasItsLaunch) {
  KernelWork tiny;
  const Target &target = *findTarget("sm_90a");
  std::string limit;
  double one = modelSeconds({tiny}, target, &limit);
  EXPECT_EQ(limit, "launch");
  EXPECT_GT(modelSeconds({tiny, tiny}, target), one + 0.9e-6);
}
