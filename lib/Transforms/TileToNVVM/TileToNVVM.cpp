//===- TileToNVVM.cpp - the pass kz-tile-to-nvvm --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/TileToNVVM.h"
#include "KernelZero/Transforms/MathForms.h"
#include "TileEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

namespace kernelzero {
#define GEN_PASS_DEF_TILETONVVMPASS
#include "KernelZero/Transforms/TilePasses.h.inc"
} // namespace kernelzero

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::kz;

static constexpr StringLiteral kSharedSymbol = "kz_shared";

LogicalResult kernelzero::lowerTileKernels(ModuleOp module) {
  SmallVector<tile::KernelOp> kernels(module.getOps<tile::KernelOp>());
  if (kernels.empty())
    return success();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SymbolTable symbols(module);
  auto gpuModule =
      gpu::GPUModuleOp::create(builder, kernels.front().getLoc(), "kernels");
  symbols.insert(gpuModule);
  builder.setInsertionPointToStart(gpuModule.getBody());
  LLVM::GlobalOp::create(builder, kernels.front().getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedSymbol, Attribute(),
                         /*alignment=*/1024, /*addrSpace=*/3);
  for (tile::KernelOp kernel : kernels) {
    if (failed(expandMath(kernel, MathTarget::NVIDIA)))
      return failure();
    builder.setInsertionPointToEnd(gpuModule.getBody());
    tile::TileEmitter emitter(kernel, builder, kSharedSymbol);
    if (failed(emitter.run()))
      return failure();
  }
  for (tile::KernelOp kernel : kernels)
    kernel.erase();
  return success();
}

namespace {
struct TileToNVVMPass
    : public kernelzero::impl::TileToNVVMPassBase<TileToNVVMPass> {
  void runOnOperation() override {
    numKernels += llvm::range_size(getOperation().getOps<tile::KernelOp>());
    if (failed(lowerTileKernels(getOperation())))
      signalPassFailure();
  }
};
} // namespace

void kernelzero::registerTilePasses() { registerTileToNVVMPass(); }
