//===- SearchFixture.h - a task to search for -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_UNITTESTS_SEARCH_SEARCHFIXTURE_H
#define KERNELZERO_UNITTESTS_SEARCH_SEARCHFIXTURE_H

#include "KernelZero/Search/Proposer.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace kernelzero {

/// A test with a matrix product on the host, or on a GPU.
class SearchFixture : public testing::Test {
protected:
  SearchFixture() {
    mlir::DialectRegistry registry;
    registerScheduleDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    fill(task);
  }

  /// On the host, of so many rows.
  void fill(SearchTask &task, const std::string &target = "host",
            int64_t rows = 64) {
    bool host = target == "host";
    std::string m = std::to_string(rows), a = "tensor<" + m + "x128xf32>",
                b = "tensor<128x96xf32>", r = "tensor<" + m + "x96xf32>";
    if (!host) {
      a = "tensor<1024x512xf16>";
      b = "tensor<512x2048xf16>";
      r = "tensor<1024x2048xf32>";
    }
    task.info.key = "0123456789abcdef";
    task.target = findTarget(target);
    task.module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @task(%x: " + a + ", %w: " + b + ") -> " + r +
            " {\n %zero = arith.constant 0.0 : f32\n %e = tensor.empty() : " +
            r + "\n %f = linalg.fill ins(%zero : f32) outs(%e : " + r +
            ") -> " + r + "\n %0 = linalg.matmul ins(%x, %w : " + a + ", " + b +
            ") outs(%f : " + r + ") -> " + r + "\n return %0 : " + r + "\n}",
        &context);
    std::string error;
    std::optional<Skeleton> skeleton =
        getSkeleton(task.getFunction(), *task.target, error);
    ASSERT_TRUE(skeleton) << error;
    task.skeleton = std::move(*skeleton);
  }

  mlir::MLIRContext context;
  SearchTask task;
};

} // namespace kernelzero

#endif // KERNELZERO_UNITTESTS_SEARCH_SEARCHFIXTURE_H
