//===- HostBuffers.cpp - L1 from tensors to buffers -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostBuffers.h"
#include "HostEmitter.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// The operand of a Linalg operation that reads `value`, through slices that
/// keep the rank.
static OpOperand *findReader(Value value) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<linalg::LinalgOp>(user))
      return &use;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
      if (slice.getType().getRank() != slice.getSourceType().getRank())
        continue;
      if (OpOperand *reader = findReader(slice.getResult()))
        return reader;
    }
    if (auto staged = dyn_cast<kz::StagedOp>(user))
      if (OpOperand *reader = findReader(staged.getResult()))
        return reader;
  }
  return nullptr;
}

LogicalResult host::describePanels(func::FuncOp task) {
  WalkResult walked = task.walk([&](kz::StagedOp staged) -> WalkResult {
    int64_t width = staged.getStage().getPanels();
    if (!width)
      return WalkResult::advance();
    OpOperand *reader = findReader(staged.getResult());
    auto op = reader ? dyn_cast<linalg::LinalgOp>(reader->getOwner())
                     : linalg::LinalgOp();
    FailureOr<linalg::ContractionDimensions> dims = failure();
    if (op)
      dims = linalg::inferContractionDims(op);
    if (failed(dims))
      return staged.emitError()
             << "panels(" << width
             << ") on a value that no contraction reads; panels are "
                "for the operands of one";
    AffineMap map = op.getMatchingIndexingMap(reader);
    int64_t panelDim = -1, batch = 0;
    bool leading = true;
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return staged.emitError(
            "panels on an operand that is not read by whole dimensions");
      unsigned number = dim.getPosition();
      if (llvm::is_contained(dims->m, number) ||
          llvm::is_contained(dims->n, number))
        panelDim = position;
      leading &= llvm::is_contained(dims->batch, number);
      batch += leading;
    }
    if (panelDim < 0)
      return staged.emitError()
             << "panels(" << width
             << ") on an operand that has only summed dimensions; "
                "stage the other one";
    Builder b(staged.getContext());
    staged->setAttr(kPanelDim, b.getI64IntegerAttr(panelDim));
    staged->setAttr(kPanelWidth, b.getI64IntegerAttr(width));
    staged->setAttr(kPanelBatch, b.getI64IntegerAttr(batch));
    // Inputs that are only widened are widened once, as they are packed.
    Type element = cast<RankedTensorType>(staged.getType()).getElementType();
    BlockArgument argument = op.getMatchingBlockArgument(reader);
    if (argument.hasOneUse())
      if (auto wide = dyn_cast<arith::ExtFOp>(*argument.user_begin()))
        if (wide.getType() != element)
          staged->setAttr(kPanelType, TypeAttr::get(wide.getType()));
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

namespace {
/// A staged value is a copy of its source, in a buffer of its own.
struct StagedInterface
    : public bufferization::BufferizableOpInterface::ExternalModel<
          StagedInterface, kz::StagedOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const bufferization::AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const bufferization::AnalysisState &) const {
    return false;
  }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  bufferization::AliasingValueList
  getAliasingValues(Operation *, OpOperand &,
                    const bufferization::AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto staged = cast<kz::StagedOp>(op);
    FailureOr<Value> source =
        bufferization::getBuffer(rewriter, staged.getSource(), options, state);
    if (failed(source))
      return failure();
    auto type = cast<RankedTensorType>(staged.getType());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            memref::DimOp::create(rewriter, op->getLoc(), *source, dim));
    auto alloc = memref::AllocOp::create(
        rewriter, op->getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()), sizes);
    for (StringRef name :
         {StringRef(host::kPanelDim), StringRef(host::kPanelWidth),
          StringRef(host::kPanelBatch), StringRef(host::kPanelType)})
      if (Attribute attr = op->getAttr(name))
        alloc->setAttr(name, attr);
    linalg::CopyOp::create(rewriter, op->getLoc(), *source, alloc.getMemref());
    bufferization::replaceOpWithBufferizedValues(rewriter, op,
                                                 alloc.getMemref());
    return success();
  }
};
} // namespace

void host::registerBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, kz::KZDialect *) {
    kz::StagedOp::attachInterface<StagedInterface>(*context);
    context->loadDialect<bufferization::BufferizationDialect,
                         linalg::LinalgDialect, memref::MemRefDialect>();
  });
}

/// Buffers that a loop carries are the same in every trip; drops them from the
/// loop.
static LogicalResult dropCarriedBuffers(RewriterBase &rewriter,
                                        scf::ForOp loop) {
  if (loop.getNumResults() == 0)
    return success();
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [argument, init, result, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInits(),
                       loop.getResults(), yield.getOperands())) {
    if (!isa<MemRefType>(argument.getType()) || yielded != argument)
      return loop.emitError(
          "a loop carries a value that is not updated in place");
    rewriter.replaceAllUsesWith(result, init);
  }
  rewriter.setInsertionPoint(loop);
  auto plain = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep());
  plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  SmallVector<Value> arguments{plain.getInductionVar()};
  llvm::append_range(arguments, loop.getInits());
  rewriter.setInsertionPoint(yield);
  scf::YieldOp::create(rewriter, yield.getLoc());
  rewriter.eraseOp(yield);
  rewriter.eraseOp(plain.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), plain.getBody(), arguments);
  rewriter.eraseOp(loop);
  return success();
}

LogicalResult host::bufferize(func::FuncOp &task) {
  // Inputs and outputs become arguments; a result is written where it is
  // returned, which lets it be computed in place.
  OpBuilder b(task);
  Location loc = task.getLoc();
  SmallVector<Type> types;
  auto add = [&](Type type) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return task.emitError()
             << "the task has a value of type " << type
             << "; arguments and results are tensors of static shape";
    types.push_back(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
    return success();
  };
  for (Type type : task.getArgumentTypes())
    if (failed(add(type)))
      return failure();
  for (Type type : task.getResultTypes())
    if (failed(add(type)))
      return failure();
  auto flat = func::FuncOp::create(b, loc, task.getSymName(),
                                   b.getFunctionType(types, {}));
  flat.setPrivate();
  Block *entry = flat.addEntryBlock();
  b.setInsertionPointToStart(entry);
  IRMapping mapping;
  for (BlockArgument argument : task.getArguments())
    mapping.map(argument, bufferization::ToTensorOp::create(
                              b, loc, argument.getType(),
                              entry->getArgument(argument.getArgNumber()),
                              /*restrict=*/true, /*writable=*/false));
  for (Operation &op : task.getBody().front().without_terminator())
    b.clone(op, mapping);
  Operation *end = task.getBody().front().getTerminator();
  for (auto [index, operand] : llvm::enumerate(end->getOperands())) {
    auto made = bufferization::MaterializeInDestinationOp::create(
        b, loc, mapping.lookup(operand),
        entry->getArgument(task.getNumArguments() + index));
    made.setRestrict(true);
    made.setWritable(true);
  }
  func::ReturnOp::create(b, loc);
  task.erase();
  task = flat;

  RewritePatternSet patterns(task.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  if (failed(
          applyPatternsGreedily(task, std::move(patterns),
                                GreedyRewriteConfig()
                                    .enableFolding(false)
                                    .setRegionSimplificationLevel(
                                        GreedySimplifyRegionLevel::Disabled))))
    return task.emitError("a concatenation has no form as slices");

  IRRewriter rewriter(task.getContext());
  bufferization::OneShotBufferizationOptions options;
  options.allowUnknownOps = false;
  options.bufferizeFunctionBoundaries = false;
  // Grids run one tile after another or each with workspace of its own.
  options.checkParallelRegions = false;
  {
    bufferization::OneShotAnalysisState state(task, options);
    if (failed(bufferization::analyzeOp(task, state)) ||
        failed(bufferization::eliminateEmptyTensors(rewriter, task, state)))
      return failure();
  }
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotBufferize(task, options, state)))
    return failure();
  SmallVector<scf::ForOp> loops;
  task.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    if (failed(dropCarriedBuffers(rewriter, loop)))
      return failure();
  // Slices written in place are copies onto themselves, which are seen as such
  // once both sides are one value.
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, task);
  return success();
}
