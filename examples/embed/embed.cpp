//===- embed.cpp - The dialect in a program of one's own ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// embed FILE.mlir: reads a module, and says what of it KernelZero staged.
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Version.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: embed FILE.mlir\n";
    return 1;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect, scf::SCFDialect,
                      tensor::TensorDialect, kernelzero::kz::KZDialect>();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  int staged = 0;
  module->walk([&](kernelzero::kz::StagedOp op) {
    llvm::outs() << op.getType() << " is staged\n";
    ++staged;
  });
  llvm::outs() << "KernelZero " KERNELZERO_VERSION ": " << staged
               << " staged tensors\n";
  return 0;
}
