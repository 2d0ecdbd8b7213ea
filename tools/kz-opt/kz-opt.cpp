//===- kz-opt.cpp - mlir-opt with KernelZero ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Runtime/LaunchList.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Target/PTX.h"
#include "KernelZero/Tools/Tools.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "KernelZero/Transforms/Passes.h"
#include "KernelZero/Transforms/TileToNVVM.h"
#include "KernelZero/Version.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

/// What evidence keeps of code: of its PTX for GPUs, else of its LLVM IR.
static std::string hashCode(mlir::ModuleOp module,
                            const kernelzero::Target &target,
                            std::string &error) {
  return target.isGPU() ? kernelzero::hashGPUCode(module, target, error)
                        : kernelzero::hashHostCode(module, error);
}

/// Puts the check of scripts in front of every pass that interprets them: the
/// interpreter crashes on what is no step. A pipeline can only be rewritten as
/// text, so others are left alone.
static mlir::LogicalResult setUpPipeline(const mlir::MlirOptMainConfig &config,
                                         mlir::PassManager &pm) {
  if (mlir::failed(config.setupPassPipeline(pm)))
    return mlir::failure();
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  pm.printAsTextualPipeline(os);
  std::string checked;
  llvm::StringRef rest = pipeline, name = "transform-interpreter";
  for (size_t at; (at = rest.find(name)) != llvm::StringRef::npos;
       rest = rest.drop_front(at + name.size())) {
    checked += rest.take_front(at);
    if (at && llvm::StringRef("(,").contains(rest[at - 1]))
      checked += "kz-check-transform-scripts,";
    checked += name;
  }
  if (checked.empty())
    return mlir::success();
  checked += rest;
  mlir::FailureOr<mlir::OpPassManager> parsed =
      mlir::parsePassPipeline(checked, llvm::errs());
  if (mlir::failed(parsed))
    return mlir::failure();
  static_cast<mlir::OpPassManager &>(pm) = std::move(*parsed);
  return mlir::success();
}

/// `mlir::MlirOptMain` over the command line, but for `setUpPipeline`.
static mlir::LogicalResult runOptimizer(int argc, char **argv,
                                        mlir::DialectRegistry &registry) {
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "KernelZero optimizer driver\n", registry);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Available Dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ",");
    llvm::outs() << "\n";
    return mlir::success();
  }
  if (config.shouldListPasses()) {
    mlir::printRegisteredPasses();
    return mlir::success();
  }
  mlir::MlirOptMainConfig asked = config;
  config.setPassPipelineSetupFn(
      [asked](mlir::PassManager &pm) { return setUpPipeline(asked, pm); });
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(reading standard input; Ctrl-D ends it)\n";
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> written =
      file ? mlir::openOutputFile(output, &error) : nullptr;
  if (!written) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (mlir::failed(
          mlir::MlirOptMain(written->os(), std::move(file), registry, config)))
    return mlir::failure();
  written->keep();
  return mlir::success();
}

int kernelzero::kzOptMain(int argc, char **argv) {
  llvm::sys::Process::FixupStandardFileDescriptors();
  // The host and NVPTX are what passes generate code for; other targets of
  // this LLVM stay out of the portable program.
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "KernelZero version " KERNELZERO_VERSION "\n";
  });

  mlir::registerAllPasses();
  kernelzero::registerTaskPasses(hashCode);
  kernelzero::registerToTilePass();
  kernelzero::registerTilePasses();
  kernelzero::registerVerifySchedulePass();
  kernelzero::registerBindKnobsPass();
  kernelzero::registerCheckTransformScriptsPass();
  kernelzero::registerCompleteSchedulePass();
  kernelzero::registerPrintSkeletonPass();
  kernelzero::registerTargetPasses();
  kernelzero::registerRuntimePasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registry.insert<kernelzero::kz::KZDialect>();
  kernelzero::kz::registerTransformExtension(registry);
  kernelzero::registerHostLowering(registry);
  kernelzero::registerHostPasses();
  // An error is a sentence; whole functions behind it are for those who ask.
  llvm::SmallVector<char *> words(argv, argv + argc);
  static char quiet[] = "--mlir-print-op-on-diagnostic=false";
  if (llvm::none_of(words, [](llvm::StringRef word) {
        return word.ltrim('-').starts_with("mlir-print-op-on-diagnostic");
      }))
    words.insert(words.begin() + 1, quiet);
  return mlir::asMainReturnCode(
      runOptimizer(words.size(), words.data(), registry));
}
