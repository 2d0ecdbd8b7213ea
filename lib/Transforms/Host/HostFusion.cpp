//===- HostFusion.cpp - elementwise operations inside of their readers ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// An elementwise operation whose result another operation reads, element by
// element on the same tile and in the same vectors, is computed inside of it:
// its result is a register, and a buffer only where others read it too. This
// chooses nothing, as it changes neither the tiles nor the order of the work.
#include "HostBuffers.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
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

/// Whether others than `reader` read the result of `producer`.
static bool isKept(linalg::GenericOp producer, linalg::GenericOp reader) {
  return llvm::any_of(producer->getUsers(), [&](Operation *user) {
    return user != reader.getOperation();
  });
}

/// The first operation that reads the result of `producer`, where it may take
/// the producer in. What others read as well becomes a further result of it,
/// so that no loop is walked twice.
static linalg::GenericOp findReader(linalg::GenericOp producer) {
  OpOperand &init = producer.getDpsInitsMutable()[0];
  if (!isPointwise(producer) || producer.payloadUsesValueFromOperand(&init) ||
      !producer.getMatchingIndexingMap(&init).isIdentity() ||
      producer->use_empty())
    return nullptr;
  Operation *first = nullptr;
  for (Operation *user : producer->getUsers()) {
    Operation *here = producer->getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  auto reader = dyn_cast<linalg::GenericOp>(first);
  if (!reader || !reader.hasPureTensorSemantics() ||
      linalg::isaContractionOpInterface(reader) ||
      reader->getAttr(kz::kVectorize) != producer->getAttr(kz::kVectorize) ||
      reader.getNumLoops() != producer.getNumLoops())
    return nullptr;
  for (OpOperand &use : producer->getUses())
    if (use.getOwner() == reader &&
        (reader.isDpsInit(&use) ||
         !reader.getMatchingIndexingMap(&use).isIdentity()))
      return nullptr;
  // A loop that only the producer's result spans has no extent without it.
  SmallVector<AffineMap> maps;
  for (OpOperand *input : producer.getDpsInputOperands())
    maps.push_back(producer.getMatchingIndexingMap(input));
  for (OpOperand &operand : reader->getOpOperands())
    if (operand.get() != producer.getResult(0))
      maps.push_back(reader.getMatchingIndexingMap(&operand));
  if (isKept(producer, reader))
    maps.push_back(producer.getMatchingIndexingMap(&init));
  if (!inversePermutation(concatAffineMaps(maps, producer.getContext())))
    return nullptr;
  return reader;
}

/// Puts `producer` into `reader`, which is replaced.
static void fuse(RewriterBase &rewriter, linalg::GenericOp producer,
                 linalg::GenericOp reader) {
  Value result = producer.getResult(0);
  bool keep = isKept(producer, reader);
  SmallVector<Value> inputs(producer.getInputs());
  SmallVector<Value> outputs(reader.getOutputs());
  SmallVector<Type> types(reader->getResultTypes());
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
  if (keep) {
    OpOperand &init = producer.getDpsInitsMutable()[0];
    outputs.push_back(init.get());
    types.push_back(result.getType());
    maps.push_back(producer.getMatchingIndexingMap(&init));
  }
  rewriter.setInsertionPoint(reader);
  auto body = [&](OpBuilder &b, Location loc, ValueRange arguments) {
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
    for (Operation &op : reader.getBlock()->without_terminator())
      b.clone(op, mapping);
    SmallVector<Value> results;
    for (Value value : reader.getBlock()->getTerminator()->getOperands())
      results.push_back(mapping.lookupOrDefault(value));
    if (keep)
      results.push_back(made);
    linalg::YieldOp::create(b, loc, results);
  };
  auto fused = linalg::GenericOp::create(rewriter, reader.getLoc(), types,
                                         inputs, outputs, maps,
                                         reader.getIteratorTypesArray(), body);
  for (NamedAttribute attr : reader->getDiscardableAttrs())
    fused->setDiscardableAttr(attr.getName(), attr.getValue());
  if (keep)
    rewriter.replaceUsesWithIf(
        result, fused->getResults().back(),
        [&](OpOperand &use) { return use.getOwner() != reader; });
  rewriter.replaceOp(reader,
                     fused->getResults().take_front(reader->getNumResults()));
  rewriter.eraseOp(producer);
}

/// Functions keep the forms chosen for them wherever they are computed.
static void keepMathForms(linalg::LinalgOp op) {
  if (Attribute forms = op->getAttr(kz::kMath))
    for (Operation &inner : *op.getBlock())
      if (llvm::any_of(getMathFunctions(), [&](StringRef function) {
            return evaluatesMath(&inner, function);
          }))
        inner.setAttr(kz::kMath, forms);
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
  task.walk(keepMathForms);
  // From the end, so that what several operations of one chain read goes into
  // all of them at once.
  SmallVector<linalg::GenericOp> producers;
  task.walk([&](linalg::GenericOp op) { producers.push_back(op); });
  for (linalg::GenericOp producer : llvm::reverse(producers))
    if (linalg::GenericOp reader = findReader(producer))
      fuse(rewriter, producer, reader);
}
