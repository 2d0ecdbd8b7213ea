//===- Inputs.cpp - inputs that a task is judged on -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kernelzero;

namespace {
/// What coordinates are made of an argument's elements.
struct IndexUse {
  /// Size of the shortest dimension that is read so; 0 where none is.
  int64_t limit = 0;
  /// Whether the task itself brings every integer inside.
  bool isClamped = true;
};
} // namespace

static bool clamps(Value coordinate) {
  while (auto cast = coordinate.getDefiningOp<arith::IndexCastOp>())
    coordinate = cast.getIn();
  Operation *op = coordinate.getDefiningOp();
  return isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value value) {
           Operation *inner = value.getDefiningOp();
           return isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(inner);
         });
}

/// Follows the elements of `argument` through slices and regions to the
/// coordinates of reads.
static IndexUse findIndexUse(BlockArgument argument) {
  IndexUse found;
  SmallVector<Value> open = {argument};
  llvm::DenseSet<Value> seen;
  auto follow = [&](Value value) {
    if (getElementTypeOrSelf(value.getType()).isIntOrIndex() &&
        seen.insert(value).second)
      open.push_back(value);
  };
  while (!open.empty()) {
    Value value = open.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto read = dyn_cast<tensor::ExtractOp>(user)) {
        if (use.getOperandNumber() == 0) {
          follow(read.getResult());
          continue;
        }
        int64_t size =
            read.getTensor().getType().getDimSize(use.getOperandNumber() - 1);
        found.limit = found.limit ? std::min(found.limit, size) : size;
        found.isClamped &= clamps(value);
      } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(user)) {
        follow(linalgOp.getMatchingBlockArgument(&use));
      } else if (isa<linalg::YieldOp>(user)) {
        follow(user->getParentOp()->getResult(use.getOperandNumber()));
      } else {
        for (Value result : user->getResults())
          follow(result);
      }
    }
  }
  return found;
}

static IndexUse getIndexUse(BlockArgument argument) {
  Type element = getElementTypeOrSelf(argument.getType());
  if (!element.isIntOrIndex() || element.isInteger(1))
    return {};
  IndexUse use = findIndexUse(argument);
  // Narrow integers do not reach the end of a long dimension, let alone beyond.
  int64_t largest =
      llvm::maxIntN(element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  if (use.limit >= largest) {
    use.limit = largest;
    use.isClamped = false;
  }
  return use;
}

void kernelzero::drawInput(BlockArgument argument, const Buffer &buffer,
                           uint64_t seed) {
  IndexUse use = getIndexUse(argument);
  if (use.limit)
    drawIntegers(buffer, seed, use.limit);
  else
    drawNormal(buffer, seed);
}

void kernelzero::sprinkleInput(BlockArgument argument, const Buffer &buffer,
                               uint64_t seed) {
  IndexUse use = getIndexUse(argument);
  if (!use.limit)
    return sprinkleHostile(buffer, seed);
  if (!use.isClamped)
    return;
  // From the end, at both ends, and beyond them.
  const double edges[] = {-1,
                          0,
                          double(-use.limit),
                          double(use.limit - 1),
                          double(use.limit),
                          double(-use.limit - 1)};
  int64_t total = buffer.getType().getNumElements();
  for (auto [i, value] : llvm::enumerate(edges))
    if (int64_t(2 * i) < total)
      writeElements(buffer.getType().getElementType(), &value,
                    (seed + 2 * i) % total, 1, buffer.data());
}
