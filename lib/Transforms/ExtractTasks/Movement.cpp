//===- Movement.cpp - what moves elements, in the forms of level L0 -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Movement.h"
#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Reads at coordinates
//===----------------------------------------------------------------------===//

namespace {
/// Index arithmetic in the region of a generic.
struct Indices {
  OpBuilder &b;
  Location loc;

  Value number(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value add(Value x, int64_t y) {
    return y ? Value(arith::AddIOp::create(b, loc, x, number(y))) : x;
  }
  Value mul(Value x, int64_t y) {
    return y != 1 ? Value(arith::MulIOp::create(b, loc, x, number(y))) : x;
  }
};
} // namespace

/// Whether a generic may be evaluated where its one reader reads it.
static bool isInlined(linalg::GenericOp op) {
  return isWork(op) && isPointwise(op) && op->getNumResults() == 1 &&
         op->hasOneUse() && !usesIndices(op) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// The element of `source` at `at`: slices and pointwise operations that only
/// this reads are seen through, so that what is read is a tensor in memory.
static Value readAt(OpBuilder &b, Location loc, Value source,
                    ArrayRef<Value> at) {
  Indices index{b, loc};
  if (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
      slice &&
      llvm::all_of(
          slice.getStaticOffsets(),
          [](int64_t offset) { return !ShapedType::isDynamic(offset); }) &&
      slice.getType().hasStaticShape() &&
      !llvm::any_of(slice.getStaticStrides(), ShapedType::isDynamic)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> inner;
    unsigned next = 0;
    for (auto [dim, offset, stride] :
         llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides()))
      inner.push_back(dropped.test(dim)
                          ? index.number(offset)
                          : index.add(index.mul(at[next++], stride), offset));
    return readAt(b, loc, slice.getSource(), inner);
  }
  if (auto generic = source.getDefiningOp<linalg::GenericOp>();
      generic && isInlined(generic)) {
    AffineMap toLoops = inversePermutation(
        generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)));
    IRMapping mapping;
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input).compose(toLoops);
      SmallVector<Value> inner;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        inner.push_back(dim ? at[dim.getPosition()] : index.number(0));
      }
      mapping.map(generic.getMatchingBlockArgument(input),
                  readAt(b, loc, input->get(), inner));
    }
    for (Operation &op : generic.getBody()->without_terminator())
      b.clone(op, mapping);
    return mapping.lookupOrDefault(
        generic.getBody()->getTerminator()->getOperand(0));
  }
  return tensor::ExtractOp::create(b, loc, source, at);
}

/// A generic over `type` whose elements `body` makes; `inputs` are read by the
/// identity.
static Value
createGeneric(OpBuilder &builder, Location loc, RankedTensorType type,
              ValueRange inputs,
              llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), inputs, empty, maps, loops,
             [&](OpBuilder &b, Location where, ValueRange arguments) {
               linalg::YieldOp::create(b, where, body(b, arguments));
             })
      .getResult(0);
}

Value kernelzero::createCopy(OpBuilder &builder, Value value) {
  return createGeneric(
      builder, value.getLoc(), cast<RankedTensorType>(value.getType()), value,
      [](OpBuilder &, ValueRange arguments) { return arguments.front(); });
}

Value kernelzero::createGather(OpBuilder &builder,
                               tensor::ExtractSliceOp slice) {
  RankedTensorType type = slice.getType();
  Location loc = slice.getLoc();
  return createGeneric(builder, loc, type, {}, [&](OpBuilder &b, ValueRange) {
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      at.push_back(linalg::IndexOp::create(b, loc, dim));
    return readAt(b, loc, slice, at);
  });
}

//===----------------------------------------------------------------------===//
// Tensors laid over each other
//===----------------------------------------------------------------------===//

namespace {
/// A part of a result: where the elements of `source` go.
struct Piece {
  Value source;
  SmallVector<int64_t> offsets, sizes, steps;
  /// Dimensions of the result that `source` lacks; there it has size 1.
  llvm::SmallBitVector dropped;
};
} // namespace

/// One generic that picks every element from the last of `pieces` that holds
/// it, from `base` where none does. `base` is a tensor; an undefined one is
/// read nowhere.
static Value createOverlay(OpBuilder &builder, Location loc,
                           RankedTensorType type, Value base, Value scalar,
                           ArrayRef<Piece> pieces) {
  // What nobody defined may be anything: the first piece goes everywhere.
  bool startsWithPiece = base && base.getDefiningOp<tensor::EmptyOp>();
  SmallVector<Value> inputs;
  if (base && !startsWithPiece)
    inputs.push_back(base);
  return createGeneric(
      builder, loc, type, inputs, [&](OpBuilder &b, ValueRange arguments) {
        Indices index{b, loc};
        Value value = scalar ? scalar : Value();
        if (!inputs.empty())
          value = arguments.front();
        for (const Piece &piece : pieces) {
          SmallVector<Value> at;
          Value inside;
          auto require = [&](Value condition) {
            inside =
                inside ? Value(arith::AndIOp::create(b, loc, inside, condition))
                       : condition;
          };
          using P = arith::CmpIPredicate;
          for (int64_t dim = 0; dim < type.getRank(); ++dim) {
            Value here = linalg::IndexOp::create(b, loc, dim);
            int64_t offset = piece.offsets[dim], size = piece.sizes[dim],
                    step = piece.steps[dim];
            int64_t last = offset + (size - 1) * step;
            if (offset > 0)
              require(arith::CmpIOp::create(b, loc, P::sge, here,
                                            index.number(offset)));
            if (last + 1 < type.getDimSize(dim))
              require(arith::CmpIOp::create(b, loc, P::sle, here,
                                            index.number(last)));
            Value from = index.add(here, -offset);
            if (offset > 0)
              from = arith::MaxSIOp::create(b, loc, from, index.number(0));
            if (step != 1) {
              Value by = index.number(step);
              Value rest = arith::RemSIOp::create(b, loc, from, by);
              require(
                  arith::CmpIOp::create(b, loc, P::eq, rest, index.number(0)));
              from = arith::DivSIOp::create(b, loc, from, by);
            }
            if (last + 1 < type.getDimSize(dim))
              from =
                  arith::MinSIOp::create(b, loc, from, index.number(size - 1));
            if (!piece.dropped.test(dim))
              at.push_back(from);
          }
          Value read = readAt(b, loc, piece.source, at);
          value =
              inside && value
                  ? Value(arith::SelectOp::create(b, loc, inside, read, value))
                  : read;
        }
        return value;
      });
}

/// The insertions that end in `op`, first to last, where nothing else reads
/// what is in between.
static SmallVector<tensor::InsertSliceOp> getChain(tensor::InsertSliceOp op) {
  SmallVector<tensor::InsertSliceOp> chain = {op};
  while (auto before =
             chain.back().getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (!before->hasOneUse())
      break;
    chain.push_back(before);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

static bool isStatic(tensor::InsertSliceOp op) {
  return op.getType().hasStaticShape() && op.getSourceType().hasStaticShape() &&
         llvm::none_of(op.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::none_of(op.getStaticStrides(), ShapedType::isDynamic);
}

static Value rewriteInsertions(OpBuilder &builder, tensor::InsertSliceOp last) {
  SmallVector<Piece> pieces;
  SmallVector<tensor::InsertSliceOp> chain = getChain(last);
  for (tensor::InsertSliceOp op : chain)
    pieces.push_back({op.getSource(), llvm::to_vector(op.getStaticOffsets()),
                      llvm::to_vector(op.getStaticSizes()),
                      llvm::to_vector(op.getStaticStrides()),
                      op.getDroppedDims()});
  Value base = chain.front().getDest(), scalar;
  if (auto fill = base.getDefiningOp<linalg::FillOp>())
    if (matchPattern(fill.getInputs()[0], m_Constant())) {
      scalar = fill.getInputs()[0];
      base = {};
    }
  return createOverlay(builder, last.getLoc(), last.getType(), base, scalar,
                       pieces);
}

static Value rewriteConcat(OpBuilder &builder, tensor::ConcatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<Piece> pieces;
  SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
  for (Value input : op.getInputs()) {
    auto shape = cast<RankedTensorType>(input.getType()).getShape();
    pieces.push_back({input, offsets, llvm::to_vector(shape), steps,
                      llvm::SmallBitVector(type.getRank())});
    offsets[op.getDim()] += shape[op.getDim()];
  }
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
  return createOverlay(builder, op.getLoc(), type, empty, {}, pieces);
}

static Value rewritePad(OpBuilder &builder, tensor::PadOp op) {
  RankedTensorType type = op.getResultType();
  Piece piece{op.getSource(), llvm::to_vector(op.getStaticLow()),
              llvm::to_vector(op.getSourceType().getShape()),
              SmallVector<int64_t>(type.getRank(), 1),
              llvm::SmallBitVector(type.getRank())};
  return createOverlay(builder, op.getLoc(), type, {},
                       op.getConstantPaddingValue(), piece);
}

void kernelzero::rewriteMovement(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  // Last ones first: chains and what they read are seen as a whole.
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tensor::InsertSliceOp, tensor::ConcatOp, tensor::PadOp,
            tensor::ExtractSliceOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops)) {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      continue;
    }
    rewriter.setInsertionPoint(op);
    Value made;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (llvm::all_of(getChain(insert), isStatic))
        made = rewriteInsertions(rewriter, insert);
    } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      if (cast<RankedTensorType>(concat.getType()).hasStaticShape() &&
          llvm::all_of(concat.getOperandTypes(), [](Type type) {
            return cast<RankedTensorType>(type).hasStaticShape();
          }))
        made = rewriteConcat(rewriter, concat);
    } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      // Negative padding cuts off; a value that is computed is no movement.
      if (pad.getResultType().hasStaticShape() &&
          pad.getSourceType().hasStaticShape() &&
          llvm::all_of(pad.getStaticLow(), [](int64_t v) { return v >= 0; }) &&
          llvm::all_of(pad.getStaticHigh(), [](int64_t v) { return v >= 0; }) &&
          pad.getConstantPaddingValue())
        made = rewritePad(rewriter, pad);
    } else if (auto slice = cast<tensor::ExtractSliceOp>(op);
               !isView(slice) && slice.getType().hasStaticShape() &&
               llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
               llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic)) {
      made = createGather(rewriter, slice);
    }
    if (made)
      rewriter.replaceOp(op, made);
  }
}
