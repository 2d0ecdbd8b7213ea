//===- Grouping.cpp - which operations are one task -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Grouping.h"
#include "Normalize.h"

using namespace mlir;
using namespace kernelzero;

SmallVector<Value> kernelzero::getEscaping(const Group &group, size_t count) {
  Group inside;
  for (Operation *op : llvm::ArrayRef(group.getArrayRef()).take_front(count))
    inside.insert(op);
  SmallVector<Value> escaping;
  for (Operation *op : inside)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        escaping.push_back(result);
  return escaping;
}

namespace {

/// A group as it grows from its first operation.
class Growth {
public:
  explicit Growth(linalg::LinalgOp root)
      : contracts(linalg::isaContractionOpInterface(root)),
        ranges(contracts ? llvm::to_vector(cast<RankedTensorType>(
                                               root->getResult(0).getType())
                                               .getShape())
                         : root.getStaticLoopRanges()),
        sums(contracts ? 0 : root.getNumReductionLoops()),
        closed(root->getNumResults() != 1 || (sums && !sumsTrail(root))) {
    group.insert(root);
  }

  bool reads(Operation *op) const;
  bool takes(linalg::LinalgOp op);
  Group finish(const llvm::DenseSet<Operation *> &taken);

private:
  static bool sumsTrail(linalg::LinalgOp op);
  bool readsInPlace(linalg::LinalgOp op, bool byRows) const;
  bool isSpace(ArrayRef<int64_t> own) const;
  bool isPermuted(linalg::LinalgOp op) const;
  bool feeds(linalg::LinalgOp op) const;

  Group group;
  bool contracts;
  /// Loops of the result of a contraction, of the whole rows otherwise.
  SmallVector<int64_t> ranges;
  /// How many of them, the last ones, are summed over by some operation.
  unsigned sums;
  bool closed;
};

} // namespace

/// Whether `op` sums over its last loops, and leaves the others in order.
bool Growth::sumsTrail(linalg::LinalgOp op) {
  unsigned kept = op.getNumLoops() - op.getNumReductionLoops();
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isReductionIterator(kind) != (dim >= kept))
      return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.getNumResults() == kept &&
           llvm::all_of(llvm::seq(kept), [&](unsigned dim) {
             return map.getDimPosition(dim) == dim;
           });
  });
}

/// Whether anything in `op` reads what the group computes.
bool Growth::reads(Operation *op) const {
  auto isInside = [&](Value value) {
    return group.contains(value.getDefiningOp());
  };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isInside)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` reads values of the group where its own loops are: by their
/// order for rows and behind contractions, by a permutation for elements.
bool Growth::readsInPlace(linalg::LinalgOp op, bool byRows) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!group.contains(operand.get().getDefiningOp()))
      continue;
    if (!op.isDpsInput(&operand))
      return false; // An accumulator is not a value to read.
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return false;
    if (byRows)
      for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
        if (map.getDimPosition(dim) != dim)
          return false;
  }
  // What the region reads at coordinates has to be in memory.
  return !op->walk([&](Operation *inner) {
              return inner != op && llvm::any_of(inner->getOperands(),
                                                 [&](Value value) {
                                                   return group.contains(
                                                       value.getDefiningOp());
                                                 })
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

/// Whether loops are those of whole rows, or those that are not summed over.
bool Growth::isSpace(ArrayRef<int64_t> own) const {
  return own == ArrayRef(ranges) ||
         (sums && own == ArrayRef(ranges).drop_back(sums));
}

/// Whether `op` goes through what elements the group makes in another order,
/// and nothing else reads them: both become one operation.
bool Growth::isPermuted(linalg::LinalgOp op) const {
  if (contracts || sums || !isPointwise(op) ||
      op.getNumLoops() != ranges.size())
    return false;
  SmallVector<Value> escaping = getEscaping(group, group.size());
  return escaping.size() == 1 &&
         llvm::all_of(escaping.front().getUsers(),
                      [&](Operation *user) { return user == op; });
}

bool Growth::takes(linalg::LinalgOp op) {
  if (closed || op->getNumResults() != 1 ||
      linalg::isaContractionOpInterface(op))
    return false;
  SmallVector<int64_t> own = op.getStaticLoopRanges();
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (contracts) {
    if (!isPointwise(op) || usesIndices(op) || own != ranges ||
        !written.isIdentity() || !readsInPlace(op, /*byRows=*/true))
      return false;
    group.insert(op);
    return true;
  }
  unsigned more = op.getNumReductionLoops();
  unsigned together = std::max(sums, more);
  if (more) {
    if (own != ranges || (sums && more != sums) || !sumsTrail(op))
      return false;
  } else if (!isPointwise(op)) {
    return false;
  } else if (!isSpace(own) && !isPermuted(op)) {
    return false;
  }
  bool byRows = together > 0;
  if (!more && byRows && !written.isIdentity())
    return false;
  if (!readsInPlace(op, byRows))
    return false;
  // The first operation that sums makes rows of what was elements.
  if (more && !sums)
    for (Operation *member : group)
      if (auto earlier = cast<linalg::LinalgOp>(member);
          !readsInPlace(earlier, byRows) ||
          !earlier.getMatchingIndexingMap(earlier.getDpsInitOperand(0))
               .isIdentity())
        return false;
  if (!sums && !more)
    ranges = own;
  sums = together;
  group.insert(op);
  return true;
}

/// Whether `op`, which the group reads, makes what only the group reads, where
/// the group reads it.
bool Growth::feeds(linalg::LinalgOp op) const {
  bool byRows = contracts || sums;
  if (!isWork(op) || op->getNumResults() != 1 || !isPointwise(op) ||
      linalg::isaContractionOpInterface(op) ||
      !isSpace(op.getStaticLoopRanges()) || (contracts && usesIndices(op)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return false;
  return llvm::all_of(op->getUses(), [&](OpOperand &use) {
    auto reader = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!reader || !group.contains(reader) || !reader.isDpsInput(&use) ||
        linalg::isaContractionOpInterface(reader))
      return false;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    return byRows ? map.isProjectedPermutation() &&
                        llvm::all_of(llvm::seq(map.getNumResults()),
                                     [&](unsigned dim) {
                                       return map.getDimPosition(dim) == dim;
                                     })
                  : map.isPermutation();
  });
}

/// The group ends where exactly one value leaves it, and takes along what is
/// computed for it alone.
Group Growth::finish(const llvm::DenseSet<Operation *> &taken) {
  size_t count = group.size();
  while (count > 1 && getEscaping(group, count).size() != 1)
    --count;
  if (count < group.size()) {
    // What made rows of elements may be gone.
    while (group.size() > count)
      group.pop_back();
    sums = 0;
    for (Operation *op : group)
      if (!contracts)
        sums =
            std::max(sums, cast<linalg::LinalgOp>(op).getNumReductionLoops());
  }
  if (closed)
    return std::move(group);
  for (size_t next = 0; next < group.size(); ++next)
    for (Value operand : group[next]->getOperands())
      if (auto op = operand.getDefiningOp<linalg::LinalgOp>();
          op && !group.contains(op) && !taken.contains(op) && feeds(op))
        group.insert(op);
  SmallVector<Operation *> inOrder = group.takeVector();
  llvm::sort(inOrder,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return Group(inOrder.begin(), inOrder.end());
}

SmallVector<Group> kernelzero::findGroups(func::FuncOp function) {
  SmallVector<Group> groups;
  llvm::DenseSet<Operation *> taken;
  function.walk([&](linalg::LinalgOp root) {
    if (!isWork(root) || taken.contains(root) ||
        root->getParentOfType<linalg::LinalgOp>())
      return;
    Growth growth(root);
    for (Operation *op = root->getNextNode(); op; op = op->getNextNode()) {
      if (!growth.reads(op))
        continue;
      // What follows a reader outside may depend on it.
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (!linalgOp || !isWork(op) || taken.contains(op) ||
          !growth.takes(linalgOp))
        break;
    }
    Group group = growth.finish(taken);
    taken.insert(group.begin(), group.end());
    groups.push_back(std::move(group));
  });
  return groups;
}
