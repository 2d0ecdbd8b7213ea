//===- kz-opt.cpp - mlir-opt with KernelZero ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
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
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

int kernelzero::kzOptMain(int argc, char **argv) {
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
  kernelzero::registerTaskPasses(kernelzero::hashHostCode);
  kernelzero::registerToTilePass();
  kernelzero::registerTilePasses();
  kernelzero::registerVerifySchedulePass();
  kernelzero::registerBindKnobsPass();
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
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      words.size(), words.data(), "KernelZero optimizer driver\n", registry));
}
