//===- TilePasses.td - passes over the tile level ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KZ_TILE_PASSES
#define KZ_TILE_PASSES

include "mlir/Pass/PassBase.td"

def TileToNVVMPass : Pass<"kz-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "lower kernels over tiles to explicit NVVM operations";
  let description = [{
    Every `kz.kernel` becomes an `llvm.func` in the `gpu.module` `@kernels`,
    with what a launch needs in the attribute `kz.launch`. Nothing is chosen
    here: layouts, copies, instructions and depths are in the kernel; masks,
    widths of accesses and the places in shared memory follow from sizes.
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "number of kernels lowered">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // KZ_TILE_PASSES
