//===- HostHarness.h - run a task with a schedule in a test ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_UNITTESTS_TRANSFORMS_HOST_HOSTHARNESS_H
#define KERNELZERO_UNITTESTS_TRANSFORMS_HOST_HOSTHARNESS_H

#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace kernelzero {

/// A flat array of one of the float types, read and written as double.
class FloatArray {
public:
  FloatArray(std::string type, int64_t count)
      : type(std::move(type)), count(count), data(count * size() + 64) {}

  int64_t size() const { return type == "f64" ? 8 : type == "f32" ? 4 : 2; }
  void *raw() { return data.data(); }
  int64_t length() const { return count; }

  double get(int64_t index) const {
    const char *at = data.data() + index * size();
    if (type == "f64") {
      double value;
      std::memcpy(&value, at, 8);
      return value;
    }
    if (type == "f32") {
      float value;
      std::memcpy(&value, at, 4);
      return value;
    }
    uint16_t bits;
    std::memcpy(&bits, at, 2);
    llvm::APFloat value(semantics(), llvm::APInt(16, bits));
    bool lost;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    return value.convertToDouble();
  }

  void set(int64_t index, double number) {
    char *at = data.data() + index * size();
    if (type == "f64") {
      std::memcpy(at, &number, 8);
    } else if (type == "f32") {
      float value = number;
      std::memcpy(at, &value, 4);
    } else {
      llvm::APFloat value(number);
      bool lost;
      value.convert(semantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
      uint16_t bits = value.bitcastToAPInt().getZExtValue();
      std::memcpy(at, &bits, 2);
    }
  }

  void fill(std::mt19937 &random) {
    std::uniform_real_distribution<double> draw(-1, 1);
    for (int64_t index = 0; index < count; ++index)
      set(index, draw(random));
  }
  void poison() { std::fill(data.begin(), data.end(), char(0x7f)); }
  /// Whether the bytes behind the end are still those of poison().
  bool guardIntact() const {
    for (size_t at = count * size(); at < data.size(); ++at)
      if (data[at] != 0x7f)
        return false;
    return true;
  }

private:
  const llvm::fltSemantics &semantics() const {
    return type == "f16" ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
  }
  std::string type;
  int64_t count;
  std::vector<char> data;
};

/// Compiles the function in `task` by `steps`, the body of a schedule over %t;
/// no steps leave it on L0. Null and `error` where something fails.
inline std::unique_ptr<HostKernel>
compileTask(const std::string &task, const std::string &steps,
            std::string &error, const HostOptions &options = {}) {
  static mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry made;
    registerScheduleDialects(made);
    registerHostLowering(made);
    return made;
  }();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    error += diag.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      task, mlir::ParserConfig(&context));
  if (!module)
    return nullptr;
  if (!steps.empty()) {
    ScheduleError failed;
    auto library =
        parseSchedule(&context,
                      "module attributes {transform.with_named_sequence} {\n"
                      "transform.named_sequence @s(%t: !transform.any_op "
                      "{transform.readonly}) {\n" +
                          steps + "transform.yield\n}\n}\n",
                      failed);
    mlir::OwningOpRef<mlir::ModuleOp> made;
    if (library)
      if (auto schedule = findSchedule(*library, failed))
        made = applySchedule(*module->getOps<mlir::func::FuncOp>().begin(),
                             schedule, failed);
    if (!made) {
      for (const std::string &sentence : failed.sentences)
        error += sentence + "\n";
      return nullptr;
    }
    module = std::move(made);
  }
  if (failed(lowerToHost(*module)))
    return nullptr;
  auto kernel = HostKernel::compile(*module, options);
  if (!kernel) {
    error += llvm::toString(kernel.takeError());
    return nullptr;
  }
  return std::move(*kernel);
}

} // namespace kernelzero

#endif // KERNELZERO_UNITTESTS_TRANSFORMS_HOST_HOSTHARNESS_H
