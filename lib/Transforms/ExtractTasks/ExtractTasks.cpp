//===- ExtractTasks.cpp - fused groups of a model as tasks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ExtractTasks.h"
#include "Grouping.h"
#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// Whether `op` is copied into a task instead of passed to it. Of a slice the
/// task is given what it is a part of.
static bool isCloned(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isView(slice);
  if (isa<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ElementsAttr>(constant.getValue());
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
  std::function<void(Value)> need = [&](Value value) {
    Operation *source = value.getDefiningOp();
    Operation *place = source ? source : value.getParentBlock()->getParentOp();
    if (llvm::any_of(group, [&](Operation *member) {
          return member->isAncestor(place);
        }))
      return;
    if (!source || !isCloned(source)) {
      inputs.insert(value);
      return;
    }
    for (Value operand : source->getOperands())
      need(operand);
  };
  for (Operation *root : group)
    root->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        need(operand);
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
  mergePointwise(outlined.function);
  return outlined;
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
    if (failed(normalizeModel(function)))
      return failure();
    SmallVector<Group> groups = findGroups(function);
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
    // Initial values and views that moved into the tasks.
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
