//===- ToTile.cpp - kz-to-tile: L1 to L2 ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ToTile.h"
#include "KernelEmitter.h"
#include "KernelZero/Target/TargetTable.h"
#include "KernelZero/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace kernelzero {
#define GEN_PASS_DEF_TOTILEPASS
#include "KernelZero/Transforms/Passes.h.inc"
} // namespace kernelzero

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::l1;

/// Numbers the buffers of a task: its arguments, its results, and a workspace
/// for every grid whose result only other grids read.
static FailureOr<TaskBuffers> numberBuffers(func::FuncOp task) {
  TaskBuffers buffers;
  auto toBuffer = [](RankedTensorType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  };
  auto check = [&](Type type) -> FailureOr<RankedTensorType> {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return task.emitError() << "the task has a value of type " << type
                              << "; accepted are tensors of static shape";
    return tensor;
  };
  for (BlockArgument argument : task.getArguments()) {
    FailureOr<RankedTensorType> type = check(argument.getType());
    if (failed(type))
      return failure();
    buffers.byValue[argument] = {toBuffer(*type), false,
                                 static_cast<int64_t>(argument.getArgNumber())};
  }
  Operation *terminator = task.getBody().front().getTerminator();
  for (auto [number, operand] : llvm::enumerate(terminator->getOperands())) {
    FailureOr<RankedTensorType> type = check(operand.getType());
    if (failed(type))
      return failure();
    if (!operand.getDefiningOp<scf::ForallOp>())
      return task.emitError()
             << "result " << number
             << " of the task is not computed by a grid; put "
                "transform.kz.tile_grid on the operation that computes it";
    if (buffers.byValue.count(operand))
      return task.emitError()
             << "result " << number << " of the task is returned twice";
    buffers.byValue[operand] = {
        toBuffer(*type), false,
        static_cast<int64_t>(task.getNumArguments() + number)};
  }
  for (auto grid : task.getBody().front().getOps<scf::ForallOp>())
    for (Value result : grid->getResults())
      if (!buffers.byValue.count(result)) {
        auto type = cast<RankedTensorType>(result.getType());
        buffers.byValue[result] = {
            toBuffer(type), true,
            static_cast<int64_t>(buffers.workspaceBytes.size())};
        buffers.workspaceBytes.push_back(
            type.getNumElements() *
            llvm::divideCeil(type.getElementTypeBitWidth(), 8));
      }
  return buffers;
}

LogicalResult kernelzero::lowerToTile(ModuleOp module, const Target *target) {
  SmallVector<func::FuncOp> tasks(module.getOps<func::FuncOp>());
  if (tasks.size() != 1)
    return module.emitError() << "the module has " << tasks.size()
                              << " functions; exactly 1 task is accepted";
  func::FuncOp task = tasks.front();
  SmallVector<scf::ForallOp> grids;
  for (Operation &op : task.getBody().front().without_terminator()) {
    if (auto grid = dyn_cast<scf::ForallOp>(op)) {
      if (!grid->hasAttr(kz::kGrid))
        return grid.emitError() << "a loop over tiles that is not marked as a "
                                   "grid; make it by transform.kz.tile_grid";
      grids.push_back(grid);
    } else if (isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op)) {
      return op.emitError() << "'" << op.getName()
                            << "' is in no grid; put transform.kz.tile_grid "
                               "on it or fuse it";
    }
  }
  if (grids.empty())
    return task.emitError() << "the task has no grid; put "
                               "transform.kz.tile_grid on its operations";
  FailureOr<TaskBuffers> buffers = numberBuffers(task);
  if (failed(buffers))
    return failure();
  for (auto [number, grid] : llvm::enumerate(grids)) {
    std::string name = task.getName().str();
    if (grids.size() > 1)
      name += "_" + std::to_string(number);
    else
      task.setName(name + "_l1"); // the kernel takes the name of the task
    KernelEmitter emitter(task, grid, *buffers,
                          target ? target->multiprocessors : 0);
    if (failed(emitter.emit(name)))
      return failure();
  }
  task.erase();
  Builder builder(module.getContext());
  if (!buffers->workspaceBytes.empty())
    module->setAttr("kz.workspace",
                    builder.getDenseI64ArrayAttr(buffers->workspaceBytes));
  if (target)
    module->setAttr(kTargetAttr, builder.getStringAttr(getTargetText(*target)));
  // Coordinates are computed where they are used; say each once.
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, module);
  return success();
}

namespace {
struct ToTilePass : kernelzero::impl::ToTilePassBase<ToTilePass> {
  using Base::Base;

  void runOnOperation() override {
    const Target *row = nullptr;
    std::string kept = getTargetText(getOperation()), error;
    if (!target.empty())
      row = resolveTarget(target, error);
    else if (!kept.empty())
      row = resolveTargetText(kept, error);
    if (!error.empty()) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    if (failed(lowerToTile(getOperation(), row)))
      signalPassFailure();
  }
};
} // namespace
