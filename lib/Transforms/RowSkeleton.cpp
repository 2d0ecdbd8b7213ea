//===- RowSkeleton.cpp - rows that are reduced and rewritten --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
#include "SkeletonWriter.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::skeleton;

std::optional<RowShape> skeleton::getRowShape(ArrayRef<linalg::LinalgOp> ops,
                                              std::string &error) {
  auto refuse = [&](linalg::LinalgOp op, const Twine &why) {
    error = ("there is no skeleton for '" + op->getName().getStringRef() +
             "', which " + why +
             "; accepted are contractions, rows that are summed over trailing "
             "dimensions, and elementwise groups")
                .str();
    return std::nullopt;
  };
  // The longest iteration space is the rows' own.
  linalg::LinalgOp widest = ops.front();
  for (linalg::LinalgOp op : ops)
    if (op.getNumLoops() >= widest.getNumLoops())
      widest = op;
  SmallVector<int64_t> ranges = widest.getStaticLoopRanges();
  RowShape shape;
  for (linalg::LinalgOp op : ops) {
    unsigned sums = op.getNumReductionLoops();
    if (!sums)
      continue;
    SmallVector<int64_t> own = op.getStaticLoopRanges();
    if (own.size() != ranges.size() || own != ranges)
      return refuse(op, "sums over another space than the rest of the group");
    for (unsigned dim = 0; dim < own.size(); ++dim)
      if (linalg::isReductionIterator(op.getIteratorTypesArray()[dim]) !=
          (dim >= own.size() - sums))
        return refuse(op, "sums over dimension " + Twine(dim) + " of " +
                              Twine(own.size()));
    if (shape.columnDims && shape.columnDims != sums)
      return refuse(op, "sums over " + Twine(sums) +
                            " dimensions where another operation sums over " +
                            Twine(shape.columnDims));
    shape.columnDims = sums;
  }
  unsigned outer = ranges.size() - shape.columnDims;
  shape.outer.assign(ranges.begin(), ranges.begin() + outer);
  for (int64_t size : ArrayRef(ranges).drop_front(outer))
    shape.columns *= size;
  return shape;
}

bool skeleton::isNarrow(linalg::LinalgOp root) {
  return getElementTypeOrSelf(root->getResult(0).getType())
             .getIntOrFloatBitWidth() <= 16;
}

/// Whether all elements of a row are divided by the same number.
static bool dividesRows(linalg::LinalgOp op) {
  unsigned loops = op.getNumLoops();
  auto moves = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return !argument || argument.getOwner() != op.getBlock() ||
           op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(
               loops - 1);
  };
  return loops && llvm::any_of(*op.getBlock(), [&](Operation &inner) {
           return evaluatesMath(&inner, "div") && moves(inner.getOperand(0)) &&
                  !moves(inner.getOperand(1));
         });
}

void skeleton::writeMath(Writer &writer, linalg::LinalgOp op, StringRef handle,
                         bool narrow, bool fast, StringRef label) {
  for (StringRef function : getMathFunctions()) {
    bool found = false;
    op->walk(
        [&](Operation *inner) { found |= evaluatesMath(inner, function); });
    if (!found)
      continue;
    SmallVector<int64_t> values;
    for (const MathForm &form : getMathForms(function))
      if (form.ulp <= 16 || narrow)
        values.push_back(form.ulp);
    int64_t first = getDefaultUlp(function);
    // A row that is divided by one number shares its reciprocal.
    if (fast || (function == "div" && dividesRows(op)))
      for (int64_t value : values)
        if (value <= 128)
          first = std::max(first, value);
    if (auto chosen = llvm::find(values, first); chosen != values.end())
      std::rotate(values.begin(), chosen, std::next(chosen));
    std::string ulp = writer.knob(
        ("ulp_" + function + "_" +
         (label.empty() ? handle.drop_front() : label))
            .str(),
        values,
        "units in the last place of f32 by which " + function +
            " may be off; the forms there are" +
            (narrow ? "" : ", without those for results of 16 bits"));
    writer.step("transform.kz.math " + handle + " math(" + function + ") ulp(" +
                ulp + ")");
  }
}

std::optional<Skeleton> skeleton::makeHostRows(ArrayRef<linalg::LinalgOp> ops,
                                               const Target &target,
                                               std::string &error) {
  std::optional<RowShape> shape = getRowShape(ops, error);
  bool trails = bool(shape);
  if (!shape && ops.size() == 1) {
    // Sums over other than trailing dimensions: a unit of work is what differs
    // in the last dimension that is left.
    RowShape whole;
    linalg::LinalgOp only = ops.front();
    SmallVector<int64_t> ranges = only.getStaticLoopRanges();
    for (auto [range, kind] :
         llvm::zip_equal(ranges, only.getIteratorTypesArray()))
      if (linalg::isParallelIterator(kind))
        whole.outer.push_back(range);
    whole.columns = whole.outer.empty() ? ranges.front() : whole.outer.back();
    shape = whole;
    error.clear();
  }
  if (!shape)
    return std::nullopt;
  linalg::LinalgOp root = ops.back();
  // All operations of the group go in step, by the widest type they compute.
  Type element = getElementTypeOrSelf(root->getResult(0).getType());
  for (linalg::LinalgOp op : ops)
    if (Type type = getElementTypeOrSelf(op->getResult(0).getType());
        type.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
      element = type;
  int64_t lanes = getLanes(target, element);
  // The rows themselves; the last operation may run over their results only.
  while (lanes > 1 && lanes > shape->columns)
    lanes /= 2;
  Writer writer;
  SmallVector<std::string> grid(shape->outer.size(), "1");
  // What sums everything to one element has no rows to share.
  if (!grid.empty()) {
    int64_t rows = shape->outer.back();
    SmallVector<int64_t> blocks = {1, 4, 16, 64};
    if (!trails)
      blocks = {4 * lanes, lanes, 16 * lanes};
    // Short rows by several, so that one is on its way while another ends.
    if (trails && shape->columns < 512)
      blocks = {4, 1, 16, 64};
    grid.back() =
        writer.knob("block_rows", upTo(blocks, rows),
                    "rows of one unit of work; at most " + Twine(rows));
  }
  std::string interleave = writer.knob(
      "interleave", {4, 1, 2, 8},
      "vectors side by side, so that sums do not wait for each other");
  size_t others = ops.size() - 1;
  std::string bodyNames = others ? handles("e", others) + ", " : "";
  std::string fuse = others ? " fuse(" + handles("e", others) + ")" : "";
  std::string tiles = others ? ", " + handles("f", others) : "";
  writer.step(bodyNames + "%root = transform.kz.body %t");
  if (!grid.empty())
    writer.step("%x" + tiles + ", %grid = transform.kz.tile_grid %root" + fuse +
                " tile " + list(grid));
  for (auto [index, work] : llvm::enumerate(ops)) {
    linalg::LinalgOp op = work;
    std::string handle = index == others ? "%x" : "%f" + std::to_string(index);
    if (grid.empty())
      handle = index == others ? "%root" : "%e" + std::to_string(index);
    writer.step("transform.kz.vectorize " + handle + " lanes(" + Twine(lanes) +
                ") interleave(" + interleave + ")");
    writeMath(writer, op, handle, isNarrow(root), /*fast=*/false);
  }
  return writer.take();
}
