//===- ExtractTasks.cpp - fused groups of a model as tasks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ExtractTasks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelzero;

using Group = llvm::SetVector<Operation *>;

//===----------------------------------------------------------------------===//
// Grouping
//===----------------------------------------------------------------------===//

/// Whether `op` is computing work of static shape that a schedule can place.
static bool isWork(Operation *op) {
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

static bool isPointwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation(/*allowZeroInResults=*/true);
         });
}

/// Whether `op` reads a result of `producer` by a permutation of its loops, so
/// that tiles of the one are tiles of the other.
static bool readsTiles(linalg::LinalgOp op, Operation *producer) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get().getDefiningOp() == producer &&
        !op.getMatchingIndexingMap(input).isProjectedPermutation())
      return false;
  return true;
}

static Group growContraction(Operation *root) {
  Group group;
  group.insert(root);
  int64_t elements =
      cast<RankedTensorType>(root->getResult(0).getType()).getNumElements();
  for (Operation *last = root; last->getNumResults() == 1;) {
    llvm::SetVector<Operation *> users;
    for (Operation *user : last->getUsers())
      users.insert(user);
    if (users.size() != 1)
      break;
    auto next = dyn_cast<linalg::LinalgOp>(users.front());
    if (!next || !isWork(next) || next->getBlock() != root->getBlock() ||
        next->getNumResults() != 1 || !isPointwise(next) ||
        !readsTiles(next, last) ||
        cast<RankedTensorType>(next->getResult(0).getType()).getNumElements() !=
            elements)
      break;
    // An accumulator of the next operation is not a value to read.
    if (llvm::is_contained(next.getDpsInits(), last->getResult(0)))
      break;
    group.insert(next);
    last = next;
  }
  return group;
}

/// Values of `group` that something outside reads.
static SmallVector<Value> getEscaping(const Group &group, size_t count) {
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

/// Rows and elementwise work over one iteration space: operations join while
/// they read what the group computes, and the group ends where exactly one
/// value leaves it.
static Group growRows(Operation *root,
                      const llvm::DenseSet<Operation *> &taken) {
  Group group;
  group.insert(root);
  SmallVector<int64_t> ranges =
      cast<linalg::LinalgOp>(root).getStaticLoopRanges();
  for (Operation *op = root->getNextNode(); op; op = op->getNextNode()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool reads = llvm::any_of(op->getOperands(), [&](Value value) {
      return group.contains(value.getDefiningOp());
    });
    if (!reads)
      continue;
    if (!linalgOp || !isWork(op) || taken.contains(op) ||
        op->getNumResults() != 1 ||
        linalg::isaContractionOpInterface(linalgOp) ||
        linalgOp.getStaticLoopRanges() != ranges ||
        llvm::any_of(linalgOp.getDpsInits(), [&](Value init) {
          return group.contains(init.getDefiningOp());
        }))
      break; // What follows may depend on it; a group has to be convex.
    if (llvm::any_of(group, [&](Operation *producer) {
          return !readsTiles(linalgOp, producer);
        }))
      break;
    group.insert(op);
  }
  size_t count = group.size();
  while (count > 1 && getEscaping(group, count).size() != 1)
    --count;
  while (group.size() > count)
    group.pop_back();
  return group;
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// Whether `op` is copied into a task instead of passed to it.
static bool isCloned(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<ElementsAttr>(constant.getValue());
    return !elements || elements.isSplat();
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Operation *value = fill.getInputs()[0].getDefiningOp();
    Operation *init = fill.getOutputs()[0].getDefiningOp();
    return value && init && isa<arith::ConstantOp>(value) && isCloned(init);
  }
  return false;
}

namespace {
struct Outlined {
  func::FuncOp function;
  SmallVector<Value> arguments;
  SmallVector<Value> results;
};
} // namespace

static void cloneInto(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && !mapping.contains(operand) && isCloned(source))
      cloneInto(builder, source, mapping);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && !op->isAncestor(source) && !mapping.contains(operand) &&
          isCloned(source))
        cloneInto(builder, source, mapping);
  });
  builder.clone(*op, mapping);
}

/// Builds the function of `group`; it is not in a module yet.
static Outlined outline(const Group &group) {
  Outlined outlined;
  llvm::SetVector<Value> inputs;
  for (Operation *root : group)
    root->walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        Operation *source = operand.getDefiningOp();
        bool inside =
            source ? llvm::any_of(group,
                                  [&](Operation *member) {
                                    return member->isAncestor(source);
                                  })
                   : root->isAncestor(operand.getParentBlock()->getParentOp());
        if (!inside && !(source && isCloned(source)))
          inputs.insert(operand);
      }
    });
  outlined.arguments.append(inputs.begin(), inputs.end());
  outlined.results = getEscaping(group, group.size());
  OpBuilder builder(group.front()->getContext());
  Location loc = group.front()->getLoc();
  outlined.function = func::FuncOp::create(
      loc, "task",
      builder.getFunctionType(TypeRange(ValueRange(outlined.arguments)),
                              TypeRange(ValueRange(outlined.results))));
  Block *entry = outlined.function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(outlined.arguments, entry->getArguments());
  for (Operation *op : group)
    cloneInto(builder, op, mapping);
  SmallVector<Value> returned;
  for (Value result : outlined.results)
    returned.push_back(mapping.lookup(result));
  func::ReturnOp::create(builder, loc, returned);
  return outlined;
}

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

TaskInfo kernelzero::describeTask(func::FuncOp task) {
  TaskInfo info;
  SmallVector<linalg::LinalgOp> ops;
  task.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::FillOp>(op.getOperation()))
      ops.push_back(op);
  });
  std::string words;
  linalg::LinalgOp contraction;
  bool reduces = false;
  for (linalg::LinalgOp op : ops) {
    int64_t trips = 1;
    for (int64_t range : op.getStaticLoopRanges())
      trips *= range;
    if (linalg::isaContractionOpInterface(op)) {
      contraction = op;
      info.flops += 2 * trips;
      info.matmulFlops += 2 * trips;
      continue;
    }
    reduces |= op.getNumReductionLoops() > 0;
    int64_t operations = 0;
    op->walk([&](Operation *inner) {
      if (inner == op || isa<linalg::YieldOp, arith::ConstantOp>(inner))
        return;
      ++operations;
      if (words.size() < 48)
        words += "_" + getShortName(inner);
    });
    info.flops += operations * trips;
  }
  int64_t largest = -1;
  for (Type type : llvm::concat<const Type>(task.getArgumentTypes(),
                                            task.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    int64_t bytes = tensor.getNumElements() *
                    llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
    info.bytes += bytes;
    if (bytes > largest) {
      largest = bytes;
      info.element = getTypeName(tensor.getElementType());
    }
  }

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
    info.opClass = stem = reduces ? "rows" : "elementwise";
    if (!ops.empty())
      ranges = ops.back().getStaticLoopRanges();
  }
  llvm::raw_string_ostream sizesStream(sizes);
  llvm::interleave(ranges, sizesStream, "x");
  Type element = task.getNumArguments()
                     ? getElementTypeOrSelf(task.getArgumentTypes().front())
                     : getElementTypeOrSelf(task.getResultTypes().front());
  info.name = stem + words + "_" + (sizes.empty() ? "scalar" : sizes) + "_" +
              getTypeName(element);
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

//===----------------------------------------------------------------------===//
// The whole model
//===----------------------------------------------------------------------===//

static void replaceByCall(const Group &group, const Outlined &outlined,
                          func::FuncOp function) {
  Operation *last = group.back();
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function,
                                   outlined.arguments);
  for (auto [old, replacement] :
       llvm::zip_equal(outlined.results, call.getResults()))
    Value(old).replaceAllUsesWith(replacement);
  for (Operation *op : llvm::reverse(group.getArrayRef()))
    op->erase();
}

LogicalResult kernelzero::extractTasks(ModuleOp model) {
  SymbolTable symbols(model);
  std::map<std::string, func::FuncOp> known;
  std::map<std::string, int64_t> weights;
  SmallVector<func::FuncOp> functions;
  for (auto function : model.getOps<func::FuncOp>()) {
    if (auto mark = function->getAttrOfType<DictionaryAttr>(kTaskAttr)) {
      std::string key = mark.getAs<StringAttr>("key").str();
      known[key] = function;
      weights[key] = mark.getAs<IntegerAttr>("weight").getInt();
    } else if (!function.isDeclaration()) {
      functions.push_back(function);
    }
  }
  for (func::FuncOp function : functions) {
    SmallVector<Group> groups;
    llvm::DenseSet<Operation *> taken;
    function.walk([&](Operation *op) {
      if (!isWork(op) || taken.contains(op) ||
          op->getParentOfType<linalg::LinalgOp>())
        return;
      bool contraction =
          linalg::isaContractionOpInterface(cast<linalg::LinalgOp>(op));
      Group group = contraction ? growContraction(op) : growRows(op, taken);
      taken.insert(group.begin(), group.end());
      groups.push_back(std::move(group));
    });
    for (const Group &group : groups) {
      if (getEscaping(group, group.size()).empty())
        continue; // Nobody reads it.
      Outlined outlined = outline(group);
      TaskInfo info = describeTask(outlined.function);
      ++weights[info.key];
      func::FuncOp &shared = known[info.key];
      if (shared) {
        outlined.function.erase();
      } else {
        shared = outlined.function;
        shared.setName(info.name + "_" + info.key.substr(0, 8));
        shared.setPrivate();
        symbols.insert(shared);
        Builder builder(model.getContext());
        shared->setAttr(
            kTaskAttr,
            builder.getDictionaryAttr(
                {builder.getNamedAttr("key", builder.getStringAttr(info.key)),
                 builder.getNamedAttr("name", builder.getStringAttr(info.name)),
                 builder.getNamedAttr("weight",
                                      builder.getI64IntegerAttr(0))}));
      }
      replaceByCall(group, outlined, shared);
    }
    // Initial values that moved into the tasks.
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops))
      if (op != function && isOpTriviallyDead(op))
        op->erase();
  }
  Builder builder(model.getContext());
  for (auto &[key, function] : known) {
    NamedAttrList mark(function->getAttrOfType<DictionaryAttr>(kTaskAttr));
    mark.set("weight", builder.getI64IntegerAttr(weights[key]));
    function->setAttr(kTaskAttr, mark.getDictionary(model.getContext()));
  }
  return success();
}

std::vector<TaskInfo> kernelzero::listTasks(ModuleOp model) {
  std::vector<TaskInfo> tasks;
  llvm::SetVector<Operation *> order;
  SymbolTable symbols(model);
  model.walk([&](func::CallOp call) {
    if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        callee && callee->hasAttr(kTaskAttr))
      order.insert(callee);
  });
  for (auto function : model.getOps<func::FuncOp>())
    if (function->hasAttr(kTaskAttr))
      order.insert(function);
  for (Operation *op : order) {
    TaskInfo info = describeTask(cast<func::FuncOp>(op));
    info.weight = op->getAttrOfType<DictionaryAttr>(kTaskAttr)
                      .getAs<IntegerAttr>("weight")
                      .getInt();
    tasks.push_back(std::move(info));
  }
  return tasks;
}
