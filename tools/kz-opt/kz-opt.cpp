//===- kz-opt.cpp - mlir-opt with KernelZero ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  registry.insert<kernelzero::kz::KZDialect>();
  kernelzero::kz::registerTransformExtension(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "KernelZero optimizer driver\n", registry));
}
