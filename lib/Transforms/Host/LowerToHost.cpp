//===- LowerToHost.cpp - from L1 to the LLVM dialect ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostBuffers.h"
#include "HostEmitter.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "KernelZero/Transforms/MathForms.h"
#include "KernelZero/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Markers of other targets
//===----------------------------------------------------------------------===//

static LogicalResult checkMarkers(func::FuncOp task, bool ignore) {
  auto foreign = [&](Operation *op, const Twine &what, StringRef instead) {
    return op->emitError() << what << " has no meaning on the host; "
                           << instead;
  };
  WalkResult walked = task.walk([&](Operation *op) -> WalkResult {
    if (auto staged = dyn_cast<kz::StagedOp>(op)) {
      if (staged.getStage().getSpace() == kz::Space::Memory)
        return WalkResult::advance();
      if (ignore) {
        staged.replaceAllUsesWith(staged.getSource());
        staged.erase();
        return WalkResult::advance();
      }
      return foreign(
          op, "staging in " + kz::stringifySpace(staged.getStage().getSpace()),
          "accepted is memory");
    }
    for (StringRef name : {kz::kThreads, kz::kPipeline, kz::kRoles, kz::kWarps,
                           kz::kMma, kz::kReduce, kz::kEpilogue}) {
      if (!op->hasAttr(name))
        continue;
      if (!ignore)
        return foreign(op, "the marker '" + name + "'", "leave the step out");
      op->removeAttr(name);
    }
    if (auto grid = op->getAttrOfType<kz::GridAttr>(kz::kGrid);
        grid && grid.getPersistent()) {
      if (!ignore)
        return foreign(op, "a persistent grid", "leave 'persistent' out");
      op->setAttr(kz::kGrid,
                  kz::GridAttr::get(op->getContext(), grid.getGroupM(), false));
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// To the LLVM dialect
//===----------------------------------------------------------------------===//

static LogicalResult convertToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return failure();
  }
  {
    // Processors that round f32 to bf16 take denormals for zeros, and for the
    // others code generation wants a library: integers do it everywhere.
    RewritePatternSet patterns(context);
    arith::populateExpandBFloat16Patterns(patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<arith::TruncFOp, arith::ExtFOp>(
        [](Operation *op) {
          Type from = getElementTypeOrSelf(op->getOperand(0).getType());
          Type to = getElementTypeOrSelf(op->getResult(0).getType());
          return !(from.isBF16() && to.isF32()) &&
                 !(from.isF32() && to.isBF16());
        });
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return failure();
  }
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false);
  populateMathToLibmConversionPatterns(patterns, PatternBenefit(0));
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

LogicalResult kernelzero::lowerToHost(ModuleOp module,
                                      const HostLoweringOptions &options) {
  // No-ops in a pass, where these are loaded already.
  module.getContext()
      ->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                    cf::ControlFlowDialect, LLVM::LLVMDialect,
                    math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    ub::UBDialect, vector::VectorDialect>();
  func::FuncOp task;
  for (func::FuncOp func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    if (task)
      return func.emitError()
             << "the module has two tasks, '" << task.getSymName() << "' and '"
             << func.getSymName() << "'; one is lowered at a time";
    task = func;
  }
  if (!task)
    return module.emitError(
        "the module has no task, a public function over tensors");
  // Schedules have done their work.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<transform::NamedSequenceOp>(op) || isa<ModuleOp>(op))
      op.erase();
  module->removeAttr(transform::TransformDialect::kWithNamedSequenceAttrName);

  int64_t inputs = task.getNumArguments(), outputs = task.getNumResults();
  if (failed(checkMarkers(task, options.ignoreForeignMarkers)))
    return failure();
  host::fuseElementwise(task);
  if (failed(expandMath(task, MathTarget::Host)) ||
      failed(host::describePanels(task)) || failed(host::bufferize(task)))
    return failure();
  host::Emitter emitter(task, module);
  if (failed(emitter.emit()))
    return failure();
  task.erase();
  Builder b(module.getContext());
  module->setAttr(kSharedBytes, b.getI64IntegerAttr(emitter.getSharedBytes()));
  module->setAttr(kPrivateBytes,
                  b.getI64IntegerAttr(emitter.getPrivateBytes()));
  module->setAttr(kHostInputs, b.getI64IntegerAttr(inputs));
  module->setAttr(kHostOutputs, b.getI64IntegerAttr(outputs));
  return convertToLLVM(module);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace kernelzero {
#define GEN_PASS_DEF_LOWERTOHOSTPASS
#include "KernelZero/Transforms/Passes.h.inc"
} // namespace kernelzero

namespace {
class LowerToHostPass
    : public kernelzero::impl::LowerToHostPassBase<LowerToHostPass> {
public:
  using LowerToHostPassBase::LowerToHostPassBase;
  void getDependentDialects(DialectRegistry &registry) const final {
    registerHostLowering(registry);
  }
  void runOnOperation() final {
    HostLoweringOptions options;
    options.ignoreForeignMarkers = ignoreForeignMarkers;
    if (failed(lowerToHost(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace

void kernelzero::registerHostLowering(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, kz::KZDialect, linalg::LinalgDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                  vector::VectorDialect>();
  host::registerBufferization(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void kernelzero::registerHostPasses() { PassRegistration<LowerToHostPass>(); }
