//===- NVVMToPTX.cpp - L3 to PTX, in process ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>

namespace kernelzero {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_NVVMTOPTXPASS
#include "KernelZero/Target/Passes.h.inc"
} // namespace kernelzero

using namespace mlir;
using namespace kernelzero;

namespace {

class Stopwatch {
public:
  /// Milliseconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double ms = std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
    return ms;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// Translates, optimises and prints; the base class does the first two.
class PTXEmitter : public LLVM::ModuleToObject {
public:
  PTXEmitter(Operation &module, const Target &target, PTXTimes &times)
      : LLVM::ModuleToObject(module, "nvptx64-nvidia-cuda", target.chip,
                             target.ptxFeatures, /*optLevel=*/3),
        times(times) {
    linkedLlvmIRCallback = onLinked;
    optimizedLlvmIRCallback = onOptimized;
  }

private:
  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &ir) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return getOperation().emitError()
             << "this build of LLVM has no NVPTX back end for " << chip;
    FailureOr<SmallString<0>> isa = translateModuleToISA(
        ir, **machine, [&] { return getOperation().emitError(); });
    times.emit = watch.lap();
    if (failed(isa))
      return failure();
    return SmallVector<char, 0>(isa->begin(), isa->end());
  }

  PTXTimes &times;
  Stopwatch watch;
  // The base class keeps references to these.
  std::function<void(llvm::Module &)> onLinked = [this](llvm::Module &) {
    times.translate = watch.lap();
  };
  std::function<void(llvm::Module &)> onOptimized = [this](llvm::Module &) {
    times.optimize = watch.lap();
  };
};

} // namespace

/// What of the hardware an operation needs that not every GPU has; empty: none
/// of it. LLVM has no diagnostic for an instruction that a chip lacks, it
/// aborts.
static StringRef missingFeature(Operation *op, const Target &target) {
  if (!target.wgmma &&
      isa<NVVM::WgmmaMmaAsyncOp, NVVM::WgmmaFenceAlignedOp,
          NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp,
          NVVM::SetMaxRegisterOp>(op))
    return "wgmma";
  if (!target.tma &&
      isa<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
          NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp,
          NVVM::CpAsyncBulkCommitGroupOp, NVVM::CpAsyncBulkWaitGroupOp,
          NVVM::MBarrierTryWaitParityOp, NVVM::MBarrierArriveExpectTxOp,
          NVVM::FenceMbarrierInitOp, NVVM::FenceProxyOp, NVVM::PrefetchOp,
          NVVM::StMatrixOp, NVVM::ClusterArriveOp, NVVM::ClusterWaitOp>(op))
    return "TMA";
  return "";
}

static LogicalResult checkFeatures(gpu::GPUModuleOp module,
                                   const Target &target) {
  WalkResult result = module.walk([&](Operation *op) {
    StringRef feature = missingFeature(op, target);
    if (feature.empty())
      return WalkResult::advance();
    op->emitOpError() << "needs " << feature << ", which " << target.name
                      << " lacks; name a target that has it";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FailureOr<std::string> kernelzero::translateToPTX(gpu::GPUModuleOp module,
                                                  const Target &target,
                                                  PTXTimes *times) {
  if (!target.isGPU())
    return module.emitError()
           << "target " << target.name << " has no PTX; name a GPU";
  if (failed(checkFeatures(module, target)))
    return failure();
  static bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;

  // Lowered in a module of its own: the L3 form stays as it is, and passes
  // that insist on a builtin.module (control flow) have one.
  PTXTimes local;
  PTXTimes &t = times ? *times : local;
  Stopwatch watch;
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(scratch->getBody());
  auto copy = cast<gpu::GPUModuleOp>(builder.clone(*module));

  PassManager pm(module.getContext());
  pm.enableVerifier(true);
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertNVVMToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(pm.run(*scratch)))
    return failure();
  t.passes = watch.lap();

  PTXEmitter emitter(*copy, target, t);
  std::optional<SmallVector<char, 0>> isa = emitter.run();
  if (!isa)
    return module.emitError("could not be translated to PTX");
  return std::string(isa->begin(), isa->end());
}

//===----------------------------------------------------------------------===//
// kz-nvvm-to-ptx
//===----------------------------------------------------------------------===//

namespace {

struct NVVMToPTXPass
    : public kernelzero::impl::NVVMToPTXPassBase<NVVMToPTXPass> {
  using NVVMToPTXPassBase::NVVMToPTXPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerTargetDialects(registry);
    registry.insert<cf::ControlFlowDialect, LLVM::LLVMDialect,
                    NVVM::NVVMDialect, scf::SCFDialect, arith::ArithDialect,
                    math::MathDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    std::string kept = getTargetText(getOperation()), error;
    if (targetName.empty() && kept.empty()) {
      getOperation().emitError(
          "no target: neither the option target nor the module's attribute "
          "kz.target names one");
      return signalPassFailure();
    }
    const Target *target = targetName.empty()
                               ? resolveTargetText(kept, error)
                               : resolveTarget(targetName, error);
    if (!target) {
      getOperation().emitError(error);
      return signalPassFailure();
    }
    WalkResult result = getOperation().walk([&](gpu::GPUModuleOp module) {
      PTXTimes times;
      FailureOr<std::string> ptx = translateToPTX(module, *target, &times);
      if (failed(ptx))
        return WalkResult::interrupt();
      numBytes += ptx->size();
      microseconds += static_cast<uint64_t>(
          1e3 * (times.passes + times.translate + times.optimize + times.emit));
      module->setAttr(kPTXAttr, StringAttr::get(&getContext(), *ptx));
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

#define GEN_PASS_REGISTRATION
#include "KernelZero/Target/Passes.h.inc"

void kernelzero::registerTargetPasses() { registerNVVMToPTXPass(); }

void kernelzero::registerTargetDialects(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}
