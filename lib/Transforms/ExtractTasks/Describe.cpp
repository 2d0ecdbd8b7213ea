//===- Describe.cpp - what is known of a task from its body ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ExtractTasks.h"
#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Names and keys
//===----------------------------------------------------------------------===//

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().enableDebugInfo(false).useLocalScope());
  return text;
}

/// The text that a key is made of: named operations in their general form,
/// nothing that is not structure.
static std::string printCanonical(func::FuncOp task) {
  OwningOpRef<func::FuncOp> copy = task.clone();
  copy->setName("task");
  copy->setPublic();
  copy.get()->removeDiscardableAttr(kTaskAttr);
  IRRewriter rewriter(task.getContext());
  SmallVector<linalg::LinalgOp> ops;
  copy->walk([&](linalg::LinalgOp op) {
    for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
      op->removeDiscardableAttr(attr.getName());
    if (!isa<linalg::GenericOp>(op.getOperation()))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
  return print(*copy);
}

/// `addf` of `arith.addf` without the letter of its type: `add`.
static std::string getShortName(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<arith::ArithDialect>(op->getDialect()))
    for (StringRef suffix : {"f", "i"})
      if (name.size() > 3 && name.ends_with(suffix)) {
        name = name.drop_back();
        break;
      }
  return name.str();
}

static std::string getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Letters for a matmul's operands: is the summed dimension last (N, T for the
/// right operand) or not.
static std::string getLayout(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.empty())
    return "";
  AffineExpr k = getAffineDimExpr(dims->k.back(), op.getContext());
  auto last = [&](unsigned operand) {
    AffineMap map = op.getIndexingMapsArray()[operand];
    return map.getNumResults() && map.getResults().back() == k;
  };
  return std::string(last(0) ? "n" : "t") + (last(1) ? "t" : "n");
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Operations that make what the region yields. Coordinates, and what is
/// decided by them, say where an element comes from and are no work.
static SmallVector<Operation *> getArithmetic(linalg::LinalgOp op) {
  llvm::SetVector<Operation *> needed;
  // Whether a value depends on loop indices and constants only.
  std::function<bool(Value)> isPlace = [&](Value value) {
    Operation *source = value.getDefiningOp();
    if (!source)
      return false;
    if (isa<linalg::IndexOp, arith::ConstantOp>(source))
      return true;
    return !isa<tensor::ExtractOp>(source) &&
           llvm::all_of(source->getOperands(), isPlace);
  };
  std::function<void(Value)> need = [&](Value value) {
    Operation *source = value.getDefiningOp();
    if (!source || source->getBlock() != op.getBlock() || isPlace(value) ||
        isa<tensor::ExtractOp>(source))
      return;
    bool picks = isa<arith::SelectOp>(source) && isPlace(source->getOperand(0));
    if (!picks && !needed.insert(source))
      return;
    for (Value operand : source->getOperands())
      need(operand);
  };
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    need(value);
  SmallVector<Operation *> inOrder;
  for (Operation &inner : *op.getBlock())
    if (needed.contains(&inner))
      inOrder.push_back(&inner);
  return inOrder;
}

static int64_t countTrips(linalg::LinalgOp op) {
  int64_t trips = 1;
  for (int64_t range : op.getStaticLoopRanges())
    trips *= range;
  return trips;
}

/// Bytes that `task` moves: of each argument what is read of it, at least once.
/// The operand that moves most gives the element type.
static void countBytes(func::FuncOp task, TaskInfo &info) {
  int64_t largest = -1;
  auto add = [&](RankedTensorType type, int64_t elements) {
    int64_t bytes =
        elements * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    info.bytes += bytes;
    if (bytes <= largest)
      return;
    largest = bytes;
    info.element = getTypeName(type.getElementType());
  };
  for (BlockArgument argument : task.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    int64_t touched = 0;
    for (Operation *user : argument.getUsers()) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        touched += slice.getType().getNumElements();
      else if (isa<tensor::ExtractOp>(user))
        touched += countTrips(user->getParentOfType<linalg::LinalgOp>());
      else
        touched += type.getNumElements();
    }
    add(type, std::min(touched, type.getNumElements()));
  }
  for (Type type : task.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      add(tensor, tensor.getNumElements());
}

/// What an operation that computes nothing does.
static std::string getMovementName(linalg::LinalgOp op) {
  unsigned reads = 0;
  bool isGather = false, picks = false;
  op->walk([&](Operation *inner) {
    picks |= isa<arith::SelectOp>(inner);
    if (auto read = dyn_cast<tensor::ExtractOp>(inner)) {
      ++reads;
      for (Value at : read.getIndices()) {
        SetVector<Operation *> slice;
        // A coordinate that an element of the region's arguments decides.
        std::function<bool(Value)> isData = [&](Value value) {
          Operation *source = value.getDefiningOp();
          return source ? llvm::any_of(source->getOperands(), isData)
                        : value.getParentBlock() == op.getBlock();
        };
        isGather |= isData(at);
      }
    }
  });
  if (reads)
    return isGather ? "gather" : reads > 1 ? "concat" : picks ? "pad" : "slice";
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.getNumResults() < op.getNumLoops())
      return "broadcast";
    if (!map.isIdentity())
      return "transpose";
    if (input->get().getDefiningOp<tensor::ExtractSliceOp>())
      return "slice";
  }
  return op.getNumDpsInputs() ? "copy" : "fill";
}

//===----------------------------------------------------------------------===//
// The task
//===----------------------------------------------------------------------===//

TaskInfo kernelzero::describeTask(func::FuncOp task) {
  TaskInfo info;
  SmallVector<linalg::LinalgOp> ops;
  task.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::FillOp>(op.getOperation()))
      ops.push_back(op);
  });
  std::string words;
  linalg::LinalgOp contraction;
  bool reduces = false, computes = false;
  for (linalg::LinalgOp op : ops) {
    int64_t trips = countTrips(op);
    if (linalg::isaContractionOpInterface(op)) {
      contraction = op;
      info.flops += 2 * trips;
      info.matmulFlops += 2 * trips;
      continue;
    }
    reduces |= op.getNumReductionLoops() > 0;
    SmallVector<Operation *> arithmetic = getArithmetic(op);
    computes |= reduces || !arithmetic.empty();
    for (Operation *inner : arithmetic)
      if (words.size() < 48)
        words += "_" + getShortName(inner);
    info.flops += arithmetic.size() * trips;
  }
  countBytes(task, info);

  std::string stem, sizes;
  SmallVector<int64_t> ranges;
  if (contraction) {
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(contraction);
    info.opClass =
        succeeded(dims) && !dims->batch.empty() ? "batch_matmul" : "matmul";
    std::string layout = getLayout(contraction);
    stem = info.opClass + (layout.empty() ? "" : "_" + layout);
    ranges = contraction.getStaticLoopRanges();
  } else {
    info.opClass = stem = reduces    ? "rows"
                          : computes ? "elementwise"
                                     : "movement";
    if (!ops.empty()) {
      ranges = ops.back().getStaticLoopRanges();
      if (!computes)
        words = "_" + getMovementName(ops.back());
    }
  }
  llvm::raw_string_ostream sizesStream(sizes);
  llvm::interleave(ranges, sizesStream, "x");
  info.name = stem + words + "_" + (sizes.empty() ? "scalar" : sizes) + "_" +
              info.element;
  info.key = hashText("grouping " + std::to_string(kGroupingVersion) + "\n" +
                      printCanonical(task));
  info.text = print(*isolateTask(task));
  return info;
}

OwningOpRef<ModuleOp> kernelzero::isolateTask(func::FuncOp task) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(task.getLoc());
  func::FuncOp copy = task.clone();
  copy.setName("task");
  copy.setPublic();
  copy->removeDiscardableAttr(kTaskAttr);
  module->push_back(copy);
  return module;
}
