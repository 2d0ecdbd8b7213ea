//===- Merge.cpp - one operation of several pointwise ones ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// However many operations a model spells a formula with, the task is the same:
// what is computed and read at the same point is one operation. Values stay in
// registers then, whatever the schedule, and every task has few operations.
#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace kernelzero;

/// How the loops of `consumer` run through those of `producer`, where every
/// read of its result is at the same point and nothing else reads it; null
/// otherwise.
static AffineMap getCommonLoops(linalg::GenericOp producer,
                                linalg::GenericOp consumer) {
  if (producer == consumer || producer->getBlock() != consumer->getBlock() ||
      producer->getNumResults() != 1 || !isPointwise(producer) ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)))
    return {};
  AffineMap written =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (!written.isPermutation())
    return {};
  AffineMap read;
  for (OpOperand &use : producer->getUses()) {
    if (use.getOwner() != consumer || !consumer.isDpsInput(&use))
      return {};
    AffineMap map = consumer.getMatchingIndexingMap(&use);
    if (!map.isPermutation() || (read && map != read))
      return {};
    read = map;
  }
  return read ? inversePermutation(written).compose(read) : AffineMap();
}

/// Whether every loop of `consumer` is read off an operand still when its reads
/// of `producer` become reads of the producer's inputs: the sum of a value that
/// was broadcast would not say any more how often.
static bool keepsLoops(linalg::GenericOp producer, linalg::GenericOp consumer,
                       AffineMap loops) {
  SmallVector<AffineMap> maps;
  for (OpOperand *input : producer.getDpsInputOperands())
    maps.push_back(producer.getMatchingIndexingMap(input).compose(loops));
  for (OpOperand &operand : consumer->getOpOperands())
    if (operand.get().getDefiningOp() != producer)
      maps.push_back(consumer.getMatchingIndexingMap(&operand));
  return bool(
      inversePermutation(concatAffineMaps(maps, producer.getContext())));
}

/// Copies the operations of `from` but the terminator; `loops` gives the loops
/// of `from` by those around.
static void cloneBody(OpBuilder &b, linalg::GenericOp from, AffineMap loops,
                      IRMapping &mapping) {
  for (Operation &op : from.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op); index && loops) {
      mapping.map(index.getResult(),
                  linalg::IndexOp::create(b, index.getLoc(),
                                          loops.getDimPosition(index.getDim()))
                      .getResult());
      continue;
    }
    b.clone(op, mapping);
  }
}

static linalg::GenericOp merge(IRRewriter &rewriter, linalg::GenericOp producer,
                               linalg::GenericOp consumer, AffineMap loops) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // Position of a value that is read by a map, read once however often asked.
  auto add = [&](Value value, AffineMap map) -> unsigned {
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (inputs[i] == value && maps[i] == map)
        return i;
    inputs.push_back(value);
    maps.push_back(map);
    return inputs.size() - 1;
  };
  SmallVector<unsigned> ofProducer, ofConsumer;
  for (OpOperand *input : producer.getDpsInputOperands())
    ofProducer.push_back(add(
        input->get(), producer.getMatchingIndexingMap(input).compose(loops)));
  for (OpOperand *input : consumer.getDpsInputOperands())
    ofConsumer.push_back(
        input->get().getDefiningOp() == producer
            ? ~0u
            : add(input->get(), consumer.getMatchingIndexingMap(input)));
  for (OpOperand &init : consumer.getDpsInitsMutable())
    maps.push_back(consumer.getMatchingIndexingMap(&init));
  rewriter.setInsertionPoint(consumer);
  auto merged = linalg::GenericOp::create(
      rewriter, consumer.getLoc(), consumer.getResultTypes(), inputs,
      consumer.getOutputs(), maps, consumer.getIteratorTypesArray(),
      [&](OpBuilder &b, Location, ValueRange arguments) {
        IRMapping mapping;
        for (auto [position, argument] :
             llvm::zip(ofProducer, producer.getBody()->getArguments()))
          mapping.map(argument, arguments[position]);
        cloneBody(b, producer, loops, mapping);
        Value made = mapping.lookupOrDefault(
            producer.getBody()->getTerminator()->getOperand(0));
        Block &body = *consumer.getBody();
        for (auto [index, position] : llvm::enumerate(ofConsumer))
          mapping.map(body.getArgument(index),
                      position == ~0u ? made : arguments[position]);
        for (unsigned index = ofConsumer.size(), next = inputs.size();
             index < body.getNumArguments(); ++index, ++next)
          mapping.map(body.getArgument(index), arguments[next]);
        cloneBody(b, consumer, {}, mapping);
        b.clone(*body.getTerminator(), mapping);
      });
  rewriter.replaceOp(consumer, merged.getResults());
  rewriter.eraseOp(producer);
  return merged;
}

void kernelzero::mergePointwise(func::FuncOp task) {
  IRRewriter rewriter(task.getContext());
  SmallVector<linalg::GenericOp> ops;
  task.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (size_t last = ops.size(); last-- > 0;) {
    linalg::GenericOp consumer = ops[last];
    if (!consumer || !isWork(consumer) ||
        linalg::isaContractionOpInterface(consumer))
      continue;
    for (size_t before = last; before-- > 0;) {
      linalg::GenericOp producer = ops[before];
      if (!producer)
        continue;
      AffineMap loops = getCommonLoops(producer, consumer);
      if (!loops || !keepsLoops(producer, consumer, loops))
        continue;
      consumer = merge(rewriter, producer, consumer, loops);
      ops[before] = nullptr;
    }
  }
}
