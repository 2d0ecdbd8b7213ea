//===- CompileGPU.cpp - from any level to code for a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Record/Record.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <chrono>
#include <utility>

using namespace mlir;
using namespace kernelzero;

namespace {
class Steps {
public:
  Steps(GPUCode &code) : code(code) {}
  void done(std::string name) {
    auto now = std::chrono::steady_clock::now();
    code.steps.emplace_back(
        std::move(name),
        std::chrono::duration<double, std::milli>(now - last).count());
    last = now;
  }

private:
  GPUCode &code;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};
} // namespace

/// Runs passes given by name. They live in libraries that use this one's, so
/// they are found in the registry.
static bool runPasses(ModuleOp module, StringRef pipeline, std::string &error) {
  PassManager pm(module.getContext());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, pm, os))) {
    error = "this program lacks the passes " + pipeline.str();
    return false;
  }
  return succeeded(pm.run(module));
}

static bool contains(ModuleOp module, StringRef name) {
  return module
      .walk([&](Operation *op) {
        return op->getName().getStringRef() == name ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

bool kernelzero::compileForGPU(ModuleOp module, const Target &target,
                               const GPUCompileOptions &options, GPUCode &code,
                               std::string &error) {
  code = GPUCode();
  error.clear();
  if (!target.isGPU()) {
    error = "target " + target.name.str() + " is no GPU; name one, sm_80 say";
    return false;
  }
  Steps steps(code);
  module->setAttr(kTargetAttr,
                  StringAttr::get(module.getContext(), getTargetText(target)));

  if (!contains(module, "kz.kernel") && contains(module, "func.func")) {
    if (!runPasses(module, "kz-to-tile", error))
      return false;
    steps.done("L1 to L2");
  }
  if (contains(module, "kz.kernel")) {
    if (!runPasses(module, "kz-tile-to-nvvm", error))
      return false;
    steps.done("L2 to L3");
  }
  if (!buildLaunchList(module, code.list))
    return false;

  gpu::GPUModuleOp kernels;
  int64_t count = 0;
  module.walk([&](gpu::GPUModuleOp op) {
    kernels = op;
    ++count;
  });
  if (count != 1) {
    error = "the kernels lie in " + std::to_string(count) +
            " gpu.modules; one is possible";
    return false;
  }
  PTXTimes times;
  FailureOr<std::string> ptx = translateToPTX(kernels, target, &times);
  if (failed(ptx))
    return false;
  code.ptx = std::move(*ptx);
  code.steps.emplace_back("L3 to LLVM dialect", times.passes);
  code.steps.emplace_back("to LLVM IR", times.translate);
  code.steps.emplace_back("LLVM -O3", times.optimize);
  code.steps.emplace_back("LLVM to PTX", times.emit);

  if (options.ptxas == "none") {
    code.note = "ptxas was not asked for: the PTX is left to the driver";
    return true;
  }
  std::optional<std::string> ptxas =
      options.ptxas.empty() ? findPtxas() : options.ptxas;
  if (options.ptxas == "nvjitlink" || (!ptxas && isLeftToNVJitLink(code.ptx))) {
    if (!linkPTX(code.ptx, target, code.machine, error))
      return false;
    code.assembled = true;
    code.note = "assembled by " + describeNVJitLink();
    code.steps.emplace_back("nvJitLink", code.machine.milliseconds);
    return true;
  }
  if (!ptxas) {
    code.note = missingPtxasMessage();
    if (!describeNVJitLink().empty())
      code.note += "; nvJitLink ignores setmaxnreg, on which a kernel depends";
    return true;
  }
  switch (assemblePTX(*ptxas, code.ptx, target, options.ptxasSeconds,
                      code.machine, error)) {
  case Assembly::Done:
    break;
  case Assembly::Killed:
    code.lostAssembler = true;
    return false;
  case Assembly::Refused:
    return false;
  case Assembly::Unusable:
    // Who names one wants that one.
    if (!options.ptxas.empty())
      return false;
    code.note = std::exchange(error, "") + ": the PTX is left to the driver";
    return true;
  }
  code.assembled = true;
  code.note = "assembled by " + *ptxas;
  code.steps.emplace_back("ptxas", code.machine.milliseconds);
  return true;
}

std::string kernelzero::hashGPUCode(ModuleOp module, const Target &target,
                                    std::string &error) {
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diag) {
    if (first.empty() && diag.getSeverity() == DiagnosticSeverity::Error)
      first = diag.str();
    return success();
  });
  GPUCompileOptions options;
  options.ptxas = "none";
  GPUCode code;
  if (compileForGPU(module, target, options, code, error))
    return hashText(code.ptx);
  if (error.empty())
    error = first.empty() ? "there is no code for " + target.name.str() : first;
  return "";
}
