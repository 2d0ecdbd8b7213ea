//===- Normalize.cpp - the one form in which models are cut ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "Movement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace kernelzero;

bool kernelzero::isWork(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || isa<linalg::FillOp>(op) ||
      !linalgOp.hasPureTensorSemantics())
    return false;
  return !llvm::any_of(linalgOp.getStaticLoopRanges(), ShapedType::isDynamic) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           auto shaped = dyn_cast<RankedTensorType>(type);
           return !shaped || shaped.hasStaticShape();
         });
}

bool kernelzero::isPointwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true);
         });
}

bool kernelzero::usesIndices(linalg::LinalgOp op) {
  return op
      ->walk([](Operation *inner) {
        return isa<linalg::IndexOp, tensor::ExtractOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool kernelzero::isView(tensor::ExtractSliceOp slice) {
  return slice.getType().hasStaticShape() &&
         slice.getSourceType().hasStaticShape() && slice.hasUnitStride() &&
         llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic);
}

//===----------------------------------------------------------------------===//
// Reshapes of slices
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> getAttributes(Builder &b,
                                               ArrayRef<int64_t> values) {
  return getAsIndexOpFoldResult(b.getContext(), values);
}

/// Dimensions of the source of `slice` that the result has, in order.
static SmallVector<int64_t> getKeptDims(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim)
    if (!dropped.test(dim))
      kept.push_back(dim);
  return kept;
}

namespace {

/// A slice whose dimensions are cut up is a slice of what is cut up: heads of
/// one of three parts are some of the heads of all parts.
struct ExpandSlice : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    RankedTensorType type = op.getResultType();
    if (!slice || !isView(slice) || !type.hasStaticShape())
      return failure();
    SmallVector<int64_t> kept = getKeptDims(slice);
    RankedTensorType sourceType = slice.getSourceType();
    // What each dimension of the source becomes; sizes of 1 come in later.
    SmallVector<SmallVector<int64_t>> parts(sourceType.getRank());
    bool cuts = false;
    for (auto [position, group] :
         llvm::enumerate(op.getReassociationIndices())) {
      SmallVector<int64_t> &factors = parts[kept[position]];
      for (int64_t dim : group)
        if (type.getDimSize(dim) != 1)
          factors.push_back(type.getDimSize(dim));
      cuts |= factors.size() > 1;
    }
    if (!cuts)
      return failure();
    SmallVector<int64_t> shape, offsets, sizes, resultShape;
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < sourceType.getRank(); ++dim) {
      int64_t size = sourceType.getDimSize(dim);
      int64_t offset = slice.getStaticOffsets()[dim];
      groups.emplace_back();
      auto addDim = [&](int64_t whole, int64_t first, int64_t count) {
        groups.back().push_back(shape.size());
        shape.push_back(whole);
        offsets.push_back(first);
        sizes.push_back(count);
      };
      ArrayRef<int64_t> factors = parts[dim];
      if (factors.size() < 2) {
        addDim(size, offset, slice.getStaticSizes()[dim]);
        if (llvm::is_contained(kept, dim))
          resultShape.push_back(sizes.back());
        continue;
      }
      int64_t inner = 1;
      for (int64_t factor : factors.drop_front())
        inner *= factor;
      if (size % inner || offset % inner)
        return failure();
      addDim(size / inner, offset / inner, factors.front());
      for (int64_t factor : factors.drop_front())
        addDim(factor, 0, factor);
      llvm::append_range(resultShape, factors);
    }
    Type element = type.getElementType();
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), RankedTensorType::get(shape, element),
        slice.getSource(), groups);
    auto resultType = RankedTensorType::get(resultShape, element);
    Value result = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), resultType, expanded,
        getAttributes(rewriter, offsets), getAttributes(rewriter, sizes),
        getAttributes(rewriter, SmallVector<int64_t>(shape.size(), 1)));
    if (resultType != type) {
      std::optional<SmallVector<ReassociationIndices>> units =
          getReassociationIndicesForReshape(resultType, type);
      if (!units)
        return failure();
      result = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type,
                                             result, *units);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A slice whose dimensions are merged is a slice of what is merged, where it
/// cuts the outermost of them only.
struct CollapseSlice : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !isView(slice) ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return failure();
    RankedTensorType sourceType = slice.getSourceType();
    SmallVector<int64_t> shape, offsets, sizes;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      int64_t whole = 1, offset = 0, size = 1;
      bool hasRows = false;
      for (int64_t dim : group) {
        int64_t full = sourceType.getDimSize(dim);
        int64_t count = slice.getStaticSizes()[dim];
        // Behind a dimension with several elements all of the rest is taken.
        if (hasRows && count != full)
          return failure();
        hasRows |= count != 1;
        whole *= full;
        offset = offset * full + slice.getStaticOffsets()[dim];
        size *= count;
      }
      shape.push_back(whole);
      offsets.push_back(offset);
      sizes.push_back(size);
    }
    Type element = sourceType.getElementType();
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), RankedTensorType::get(shape, element),
        slice.getSource(), op.getReassociationIndices());
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, RankedTensorType::get(sizes, element), collapsed,
        getAttributes(rewriter, offsets), getAttributes(rewriter, sizes),
        getAttributes(rewriter, SmallVector<int64_t>(shape.size(), 1)));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// The dimensions of size 1 that `op` does without. Rows keep one dimension
/// that is not summed over, for the grid to run along.
static SmallVector<unsigned> getDroppedLoops(Operation *candidate) {
  auto op = dyn_cast<linalg::GenericOp>(candidate);
  if (!op || !isWork(op) || linalg::isaContractionOpInterface(op))
    return {};
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<unsigned> dropped;
  bool keepsParallel = false;
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    if (ranges[dim] == 1)
      dropped.push_back(dim);
    else
      keepsParallel |= linalg::isParallelIterator(kinds[dim]);
  }
  if (keepsParallel)
    return dropped;
  for (size_t last = dropped.size(); last-- > 0;)
    if (linalg::isParallelIterator(kinds[dropped[last]])) {
      dropped.erase(dropped.begin() + last);
      break;
    }
  return dropped;
}

/// Whether a reshape in front of `operand` goes behind the operation that reads
/// it: where that computes the same on merged dimensions. Indices of merged
/// dimensions would have to be taken apart again. Reshapes behind an operation
/// stay there: they would take apart what is one group otherwise.
static bool passesReshape(OpOperand *operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  return op && isWork(op) && !usesIndices(op);
}

namespace {

/// Operands are read without their dimensions of size 1.
struct DropOperandUnits : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isWork(op))
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getInputs();
    bool changes = false;
    for (unsigned index = 0; index < inputs.size(); ++index) {
      auto type = dyn_cast<RankedTensorType>(inputs[index].getType());
      if (!type)
        continue;
      SmallVector<ReassociationIndices> groups;
      SmallVector<int64_t> shape;
      SmallVector<AffineExpr> exprs;
      ReassociationIndices units;
      for (auto [dim, expr] : llvm::enumerate(maps[index].getResults())) {
        if (isa<AffineConstantExpr>(expr) && type.getDimSize(dim) == 1) {
          (groups.empty() ? units : groups.back()).push_back(dim);
          continue;
        }
        groups.push_back(units);
        units.clear();
        groups.back().push_back(dim);
        shape.push_back(type.getDimSize(dim));
        exprs.push_back(expr);
      }
      if (int64_t(shape.size()) == type.getRank())
        continue;
      inputs[index] = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(shape, type.getElementType()), inputs[index],
          groups);
      maps[index] = AffineMap::get(op.getNumLoops(), 0, exprs, getContext());
      changes = true;
    }
    if (!changes)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputsMutable().assign(inputs);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// A tensor that is one number everywhere is a number of the body.
struct InlineSplats : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *input : op.getDpsInputOperands()) {
      DenseElementsAttr splat;
      if (!op.payloadUsesValueFromOperand(input) || !isWork(op) ||
          !matchPattern(input->get(), m_Constant(&splat)) || !splat.isSplat())
        continue;
      // The operand that is read no more goes by another pattern.
      rewriter.setInsertionPointToStart(op.getBody());
      Value number = arith::ConstantOp::create(
          rewriter, op.getLoc(),
          cast<TypedAttr>(splat.getSplatValue<Attribute>()));
      rewriter.replaceAllUsesWith(op.getMatchingBlockArgument(input), number);
      return success();
    }
    return failure();
  }
};

/// A reshape of what nobody defined. Upstream's pattern asks an interface that
/// not every context has.
template <typename ReshapeOp>
struct ReshapeEmpty : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern<ReshapeOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!op.getSrc().template getDefiningOp<tensor::EmptyOp>() ||
        !type.hasStaticShape())
      return failure();
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(),
                                                 type.getElementType());
    return success();
  }
};

/// What is read at coordinates of a reshape that only adds or drops dimensions
/// of size 1 is read in front of it.
struct ExtractFromReshape : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getTensor().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand.getType().hasStaticShape())
      return failure();
    SmallVector<Value> indices;
    for (const ReassociationIndices &group : expand.getReassociationIndices()) {
      Value index;
      for (int64_t dim : group) {
        if (expand.getType().getDimSize(dim) == 1)
          continue;
        if (index)
          return failure();
        index = op.getIndices()[dim];
      }
      indices.push_back(index ? index : op.getIndices()[group.front()]);
    }
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, expand.getSrc(),
                                                   indices);
    return success();
  }
};

} // namespace

/// Slices that something else than work reads are copied for it. A product
/// copies tiles in wide pieces, which have to begin where they may.
static void copySlices(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  SmallVector<tensor::ExtractSliceOp> slices;
  function.walk([&](tensor::ExtractSliceOp slice) {
    if (isView(slice))
      slices.push_back(slice);
  });
  for (tensor::ExtractSliceOp slice : slices) {
    auto readsView = [&](OpOperand &use) {
      auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
      return op && isWork(op) && op.isDpsInput(&use) &&
             !linalg::isaContractionOpInterface(op);
    };
    if (llvm::all_of(slice->getUses(), readsView))
      continue;
    builder.setInsertionPointAfter(slice);
    Value copy = createCopy(builder, slice);
    slice.getResult().replaceUsesWithIf(copy, [&](OpOperand &use) {
      return use.getOwner() != copy.getDefiningOp() && !readsView(use);
    });
  }
}

LogicalResult kernelzero::normalizeModel(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  IRRewriter rewriter(context);
  SmallVector<linalg::LinalgOp> named;
  function.walk([&](linalg::LinalgOp op) {
    if (isWork(op) && !isa<linalg::GenericOp>(op) &&
        !linalg::isaContractionOpInterface(op) &&
        (op.getNumReductionLoops() == 0 || isa<linalg::ReduceOp>(op)))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
  rewriteMovement(function);

  RewritePatternSet patterns(context);
  linalg::ControlDropUnitDims units;
  units.controlFn = getDroppedLoops;
  linalg::populateFoldUnitExtentDimsPatterns(patterns, units);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, passesReshape);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  patterns.add<ExpandSlice, CollapseSlice, DropOperandUnits, ExtractFromReshape,
               InlineSplats, ReshapeEmpty<tensor::CollapseShapeOp>,
               ReshapeEmpty<tensor::ExpandShapeOp>>(context);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return function.emitError(
        "the model does not come to rest as its reshapes are moved");
  copySlices(function);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}
