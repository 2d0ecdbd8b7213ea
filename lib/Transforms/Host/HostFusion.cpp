//===- HostFusion.cpp - elementwise operations inside of their readers ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An elementwise operation whose result one other operation reads, element by
// element on the same tile and in the same vectors, is computed inside of it:
// its result is a register and no buffer. This chooses nothing, as it changes
// neither the tiles nor the order of the work.
#include "HostBuffers.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

static bool isPointwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumLoops() > 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getNumDpsInits() == 1;
}

/// The one operation that reads the result of `producer`, where it may take the
/// producer in.
static linalg::GenericOp findReader(linalg::GenericOp producer) {
  OpOperand &init = producer.getDpsInitsMutable()[0];
  if (!isPointwise(producer) || producer.payloadUsesValueFromOperand(&init) ||
      !producer.getMatchingIndexingMap(&init).isIdentity() ||
      producer->use_empty())
    return nullptr;
  auto reader = dyn_cast<linalg::GenericOp>(*producer->user_begin());
  if (!reader || reader->getBlock() != producer->getBlock() ||
      !reader.hasPureTensorSemantics() ||
      linalg::isaContractionOpInterface(reader) ||
      reader->getAttr(kz::kVectorize) != producer->getAttr(kz::kVectorize) ||
      reader.getNumLoops() != producer.getNumLoops())
    return nullptr;
  for (OpOperand &use : producer->getUses())
    if (use.getOwner() != reader || reader.isDpsInit(&use) ||
        !reader.getMatchingIndexingMap(&use).isIdentity())
      return nullptr;
  return reader;
}

/// Puts `producer` into `reader`, which is replaced.
static void fuse(RewriterBase &rewriter, linalg::GenericOp producer,
                 linalg::GenericOp reader) {
  Value result = producer.getResult(0);
  SmallVector<Value> inputs(producer.getInputs());
  SmallVector<AffineMap> maps;
  for (OpOperand *input : producer.getDpsInputOperands())
    maps.push_back(producer.getMatchingIndexingMap(input));
  for (OpOperand *input : reader.getDpsInputOperands())
    if (input->get() != result) {
      inputs.push_back(input->get());
      maps.push_back(reader.getMatchingIndexingMap(input));
    }
  for (OpOperand &init : reader.getDpsInitsMutable())
    maps.push_back(reader.getMatchingIndexingMap(&init));
  rewriter.setInsertionPoint(reader);
  auto body = [&](OpBuilder &b, Location, ValueRange arguments) {
    IRMapping mapping;
    unsigned taken = producer.getNumDpsInputs();
    for (unsigned i = 0; i < taken; ++i)
      mapping.map(producer.getBlock()->getArgument(i), arguments[i]);
    for (Operation &op : producer.getBlock()->without_terminator())
      b.clone(op, mapping);
    Value made = mapping.lookupOrDefault(
        producer.getBlock()->getTerminator()->getOperand(0));
    for (OpOperand &operand : reader->getOpOperands())
      mapping.map(reader.getMatchingBlockArgument(&operand),
                  operand.get() == result ? made : arguments[taken++]);
    for (Operation &op : *reader.getBlock())
      b.clone(op, mapping);
  };
  auto fused = linalg::GenericOp::create(
      rewriter, reader.getLoc(), reader->getResultTypes(), inputs,
      SmallVector<Value>(reader.getOutputs()), maps,
      reader.getIteratorTypesArray(), body);
  for (NamedAttribute attr : reader->getDiscardableAttrs())
    fused->setDiscardableAttr(attr.getName(), attr.getValue());
  rewriter.replaceOp(reader, fused);
  rewriter.eraseOp(producer);
}

/// Largest and least values are found in any order and in parts, so which zero
/// of two is taken says nothing; ordering zeros costs half of the instructions.
static void ignoreSignsOfZero(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  auto relax = [](auto inner) {
    inner.setFastmath(inner.getFastmath() | arith::FastMathFlags::nsz);
  };
  for (Operation &inner : *op.getBlock())
    llvm::TypeSwitch<Operation *>(&inner)
        .Case([&](arith::MaximumFOp maximum) { relax(maximum); })
        .Case([&](arith::MinimumFOp minimum) { relax(minimum); });
}

void host::fuseElementwise(func::FuncOp task) {
  IRRewriter rewriter(task.getContext());
  task.walk(ignoreSignsOfZero);
  SmallVector<linalg::LinalgOp> named;
  task.walk([&](linalg::LinalgOp op) {
    if (isPointwise(op) && !isa<linalg::GenericOp, linalg::FillOp>(*op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    DictionaryAttr attrs = op->getDiscardableAttrDictionary();
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> general =
        linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(general))
      for (NamedAttribute attr : attrs)
        (*general)->setDiscardableAttr(attr.getName(), attr.getValue());
  }
  // From the end, so that what several operations of one chain read goes into
  // all of them at once.
  SmallVector<linalg::GenericOp> producers;
  task.walk([&](linalg::GenericOp op) { producers.push_back(op); });
  for (linalg::GenericOp producer : llvm::reverse(producers))
    if (linalg::GenericOp reader = findReader(producer))
      fuse(rewriter, producer, reader);
}
