//===- Import.cpp - an ONNX model to a module of level L0 -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Building.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <queue>

using namespace mlir;

namespace kernelzero {
namespace {

using namespace onnx;

std::string describe(const Node &node) {
  std::string name =
      node.name.empty() ? std::to_string(node.index) : "'" + node.name + "'";
  return "node " + name + " (" + node.opType + ")";
}

/// How `--dim` names a dynamic dimension.
std::string getDimKey(const ValueInfo &info, size_t axis) {
  const Dim &dim = info.dims[axis];
  return dim.name.empty() ? info.name + ":" + std::to_string(axis) : dim.name;
}

/// Names in the file are free text; what they hold must not reach a terminal.
std::string makePrintable(StringRef path, StringRef sentence) {
  std::string text = path.str() + ": ";
  for (char c : sentence)
    if (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80)
      text += c;
    else
      text += "\\x" + llvm::toHex(StringRef(&c, 1));
  return text;
}

/// Builds one module; every step that fails leaves a sentence in `error`.
class Importer {
public:
  Importer(MLIRContext &context, Model &model, const ImportOptions &options,
           std::string &error)
      : context(context), builder(&context), model(model), graph(model.graph),
        options(options), error(error) {}

  FailureOr<OwningOpRef<ModuleOp>> run();

private:
  LogicalResult fail(const Twine &sentence) {
    error = sentence.str();
    return failure();
  }

  LogicalResult checkOpsets();
  LogicalResult checkOperators();
  LogicalResult checkNames();
  LogicalResult sortNodes();
  FailureOr<RankedTensorType> inputType(const ValueInfo &info);
  FailureOr<int64_t> bindDim(const ValueInfo &info, size_t axis);
  LogicalResult checkBindings();
  FailureOr<Value> lookUp(StringRef name);
  FailureOr<Value> buildInitializer(Tensor &tensor);
  LogicalResult buildNode(const Node &node);
  LogicalResult checkOutput(const ValueInfo &info, RankedTensorType type);

  /// The version of a domain, or 0 where the model imports none.
  int64_t opsetOf(StringRef domain) const {
    for (const auto &[name, version] : model.opsets)
      if (name == domain)
        return version;
    return 0;
  }

  MLIRContext &context;
  OpBuilder builder;
  Model &model;
  Graph &graph;
  const ImportOptions &options;
  std::string &error;

  llvm::StringMap<Tensor *> initializers;
  llvm::StringMap<const Node *> producers;
  std::vector<const Node *> order;
  llvm::StringMap<Value> values;
  llvm::StringSet<> usedBindings;
  /// Dynamic dimensions, for messages about bindings that fit none.
  std::vector<std::string> dynamicDims;
  /// Constants stand at the start of the function, in the order of first use.
  Operation *lastConstant = nullptr;
  Block *entry = nullptr;
};

//===----------------------------------------------------------------------===//
// Checks of the whole graph
//===----------------------------------------------------------------------===//

LogicalResult Importer::checkOpsets() {
  // Before IR version 3 there was one opset, and no field to say so.
  if (model.opsets.empty() && model.irVersion < 3)
    model.opsets.emplace_back("", 1);
  llvm::StringMap<int64_t> seen;
  for (const auto &[domain, version] : model.opsets) {
    auto [it, isNew] = seen.try_emplace(domain, version);
    if (!isNew && it->second != version)
      return fail("the model imports opsets " + Twine(it->second) + " and " +
                  Twine(version) + " of domain '" + domain +
                  "', one is accepted");
  }
  int64_t opset = opsetOf("");
  bool needed = llvm::any_of(
      graph.nodes, [](const Node &node) { return node.domain.empty(); });
  if (needed && !seen.contains(""))
    return fail("the model imports no opset of the default domain, 1 to " +
                Twine(newestOpset) + " are accepted");
  if (seen.contains("") && (opset < 1 || opset > newestOpset))
    return fail("the model imports opset " + Twine(opset) +
                " of the default domain, 1 to " + Twine(newestOpset) +
                " are accepted");
  return success();
}

LogicalResult Importer::checkOperators() {
  const Node *first = nullptr;
  SmallVector<std::string> unknown;
  for (const Node &node : graph.nodes) {
    for (const auto &[domain, name] : model.functions)
      if (domain == node.domain && name == node.opType)
        return fail(describe(node) +
                    " calls a function of the model, domain '" + domain +
                    "'; inline functions before the import");
    if (findOperator(node.domain, node.opType, opsetOf(node.domain)))
      continue;
    if (!first)
      first = &node;
    if (!llvm::is_contained(unknown, node.opType))
      unknown.push_back(node.opType);
  }
  if (!first)
    return success();
  std::string name = first->name.empty()
                         ? "node " + std::to_string(first->index)
                         : "node '" + first->name + "'";
  std::string domain = first->domain.empty() ? "the default domain"
                                             : "domain '" + first->domain + "'";
  int64_t opset = opsetOf(first->domain);
  std::string more;
  if (unknown.size() > 1)
    more = "; also unsupported: " +
           llvm::join(ArrayRef(unknown).drop_front(), ", ");
  std::string others = supportedOpsets(first->domain, first->opType);
  return fail("operator '" + first->opType + "' of " + domain + ", " +
              (opset ? "opset " + Twine(opset) : Twine("no opset imported")) +
              ", at " + name + " is not supported" + more +
              (others.empty() ? Twine("; docs/onnx-import.md lists what is")
                              : "; of it, opsets " + Twine(others) + " are"));
}

LogicalResult Importer::checkNames() {
  for (Tensor &tensor : graph.initializers)
    if (!initializers.try_emplace(tensor.name, &tensor).second)
      return fail("initialiser '" + tensor.name +
                  "' is given more than once, names are unique");
  llvm::StringSet<> inputs;
  for (const ValueInfo &info : graph.inputs) {
    if (info.name.empty())
      return fail("a graph input has no name, one is needed");
    if (!inputs.insert(info.name).second)
      return fail("graph input '" + info.name +
                  "' is given more than once, names are unique");
  }
  for (const Node &node : graph.nodes)
    for (const std::string &name : node.outputs) {
      if (name.empty())
        continue;
      auto [it, isNew] = producers.try_emplace(name, &node);
      if (!isNew)
        return fail(describe(node) + " writes value '" + name + "', which " +
                    describe(*it->second) + " writes too; names are unique");
      if (inputs.contains(name) || initializers.contains(name))
        return fail(describe(node) + " writes value '" + name +
                    "', which is a graph input or initialiser; names are "
                    "unique");
    }
  auto isDefined = [&](StringRef name) {
    return inputs.contains(name) || initializers.contains(name) ||
           producers.contains(name);
  };
  for (const Node &node : graph.nodes)
    for (const std::string &name : node.inputs)
      if (!name.empty() && !isDefined(name))
        return fail(describe(node) + " reads value '" + name +
                    "', which no graph input, initialiser or node defines");
  if (graph.outputs.empty())
    return fail("the graph has no outputs, at least one is needed");
  for (const ValueInfo &info : graph.outputs)
    if (!isDefined(info.name))
      return fail("graph output '" + info.name +
                  "' is no graph input, initialiser or output of a node");
  return success();
}

/// Sorts the nodes by their dependencies, otherwise as in the file.
LogicalResult Importer::sortNodes() {
  std::vector<size_t> pending(graph.nodes.size(), 0);
  std::vector<SmallVector<size_t>> users(graph.nodes.size());
  for (const Node &node : graph.nodes)
    for (const std::string &name : node.inputs)
      if (const Node *producer = producers.lookup(name)) {
        users[producer->index].push_back(node.index);
        ++pending[node.index];
      }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t k = 0; k < pending.size(); ++k)
    if (!pending[k])
      ready.push(k);
  while (!ready.empty()) {
    size_t index = ready.top();
    ready.pop();
    order.push_back(&graph.nodes[index]);
    for (size_t user : users[index])
      if (!--pending[user])
        ready.push(user);
  }
  if (order.size() == graph.nodes.size())
    return success();

  // Every node left waits for another one that is left; walking back from one
  // must meet a node twice, and that one is on a cycle.
  size_t at =
      llvm::find_if(pending, [](size_t n) { return n > 0; }) - pending.begin();
  std::vector<bool> seen(graph.nodes.size(), false);
  while (!seen[at]) {
    seen[at] = true;
    for (const std::string &name : graph.nodes[at].inputs)
      if (const Node *producer = producers.lookup(name))
        if (pending[producer->index]) {
          at = producer->index;
          break;
        }
  }
  return fail(describe(graph.nodes[at]) +
              " depends on its own result, a graph without cycles is accepted");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

FailureOr<int64_t> Importer::bindDim(const ValueInfo &info, size_t axis) {
  const Dim &dim = info.dims[axis];
  int64_t size = dim.size;
  if (size < 0) {
    std::string key = getDimKey(info, axis);
    dynamicDims.push_back(key);
    auto it = options.dims.find(key);
    if (it == options.dims.end())
      return fail("dimension " + Twine(axis) + " of input '" + info.name +
                  "' is dynamic, give its size as --dim " + key + "=SIZE");
    usedBindings.insert(key);
    size = it->second;
    if (size < 1)
      return fail("dimension '" + key + "' is bound to " + Twine(size) +
                  ", 1 and more are accepted");
  }
  if (size == 0)
    return fail("dimension " + Twine(axis) + " of input '" + info.name +
                "' has size 0, 1 and more are accepted");
  return size;
}

FailureOr<RankedTensorType> Importer::inputType(const ValueInfo &info) {
  std::string what = "input '" + info.name + "'";
  if (!info.otherKind.empty())
    return fail(what + " is of kind '" + info.otherKind + "'" +
                ", tensors are accepted");
  Type element = convertElementType(&context, info.type);
  if (!element)
    return fail(what + " has element type " + onnx::elementTypeName(info.type) +
                ", accepted are float16, bfloat16, float32, float64, bool and "
                "signed integers of 8 to 64 bits");
  if (!info.hasShape)
    return fail(what + " has no shape, its rank must be known");
  SmallVector<int64_t> shape;
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (size_t axis = 0; axis < info.dims.size(); ++axis) {
    FailureOr<int64_t> size = bindDim(info, axis);
    if (failed(size))
      return failure();
    shape.push_back(*size);
    if (__builtin_mul_overflow(bytes, *size, &bytes) ||
        bytes > tensorBytesLimit)
      return fail(what + " is over 2^40 bytes, smaller tensors are accepted");
  }
  return RankedTensorType::get(shape, element);
}

LogicalResult Importer::checkBindings() {
  for (const auto &[name, size] : options.dims) {
    if (usedBindings.contains(name))
      continue;
    return fail("--dim " + name + "=" + Twine(size) +
                " fits no dynamic dimension of the model" +
                (dynamicDims.empty()
                     ? Twine(", which has none")
                     : "; it has " + llvm::join(dynamicDims, ", ")));
  }
  return success();
}

LogicalResult Importer::checkOutput(const ValueInfo &info,
                                    RankedTensorType type) {
  std::string what = "output '" + info.name + "'";
  if (!info.otherKind.empty())
    return fail(what + " is declared as '" + info.otherKind + "'" +
                ", the graph computes a tensor");
  if (info.type != Undefined &&
      convertElementType(&context, info.type) != type.getElementType())
    return fail(what + " is declared as " + onnx::elementTypeName(info.type) +
                ", the graph computes " +
                onnx::elementTypeName(type.getElementType()));
  if (!info.hasShape)
    return success();
  bool fits = info.dims.size() == size_t(type.getRank());
  std::string declared;
  for (size_t axis = 0; axis < info.dims.size(); ++axis) {
    const Dim &dim = info.dims[axis];
    int64_t size = dim.size;
    // A name that occurs in no input is free here.
    if (size < 0 && !dim.name.empty())
      if (auto it = options.dims.find(dim.name); it != options.dims.end())
        size = it->second;
    declared += axis ? "x" : "";
    declared += size >= 0 ? std::to_string(size) : "?";
    fits = fits && (size < 0 || size == type.getDimSize(axis));
  }
  if (fits)
    return success();
  return fail(what + " is declared with shape " +
              (declared.empty() ? "of a scalar" : declared) +
              ", the graph computes " + shapeText(type.getShape().vec()));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

FailureOr<Value> Importer::buildInitializer(Tensor &tensor) {
  FailureOr<TypedAttr> attribute = convertTensor(
      &context, tensor, "initialiser '" + tensor.name + "'", error);
  if (failed(attribute))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(entry);
  auto constant = arith::ConstantOp::create(
      builder, NameLoc::get(builder.getStringAttr(tensor.name)), *attribute);
  lastConstant = constant;
  return constant.getResult();
}

/// The value of a name; an initialiser becomes a constant when it is first
/// asked for.
FailureOr<Value> Importer::lookUp(StringRef name) {
  Value &value = values[name];
  if (value)
    return value;
  FailureOr<Value> constant = buildInitializer(*initializers.lookup(name));
  if (failed(constant))
    return failure();
  return value = *constant;
}

LogicalResult Importer::buildNode(const Node &node) {
  SmallVector<Value> inputs;
  for (const std::string &name : node.inputs) {
    if (name.empty()) {
      inputs.emplace_back();
      continue;
    }
    FailureOr<Value> value = lookUp(name);
    if (failed(value))
      return failure();
    inputs.push_back(*value);
  }
  int64_t opset = opsetOf(node.domain);
  const OperatorRow &row = *findOperator(node.domain, node.opType, opset);
  std::string name = node.name.empty()
                         ? node.opType + "_" + std::to_string(node.index)
                         : node.name;
  NodeContext nodeContext(builder, NameLoc::get(builder.getStringAttr(name)),
                          node, row, opset, inputs, error);
  SmallVector<Value> results;
  if (failed(nodeContext.checkRow()) || failed(row.build(nodeContext, results)))
    return failure();
  for (auto [output, value] : llvm::zip(node.outputs, results))
    if (!output.empty())
      values[output] = value;
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> Importer::run() {
  if (failed(checkOpsets()) || failed(checkOperators()) ||
      failed(checkNames()) || failed(sortNodes()))
    return failure();

  // An input with an initialiser has a default, which is what we compile for.
  SmallVector<Type> argumentTypes;
  SmallVector<const ValueInfo *> arguments;
  for (const ValueInfo &info : graph.inputs) {
    FailureOr<RankedTensorType> type = inputType(info);
    if (failed(type))
      return failure();
    Tensor *initializer = initializers.lookup(info.name);
    if (!initializer) {
      argumentTypes.push_back(*type);
      arguments.push_back(&info);
      continue;
    }
    if (initializer->type != info.type ||
        type->getShape() != ArrayRef<int64_t>(initializer->dims))
      return fail("input '" + info.name + "' is declared as " +
                  shapeText(type->getShape().vec()) + " of " +
                  onnx::elementTypeName(info.type) + ", its initialiser is " +
                  shapeText(initializer->dims) + " of " +
                  onnx::elementTypeName(initializer->type));
  }
  if (failed(checkBindings()))
    return failure();

  Location loc = NameLoc::get(
      builder.getStringAttr(graph.name.empty() ? "graph" : graph.name));
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType(argumentTypes, {}));
  entry = main.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  auto setName = [&](StringRef name) { return builder.getStringAttr(name); };
  for (auto [index, info] : llvm::enumerate(arguments)) {
    main.setArgAttr(index, "kz.name", setName(info->name));
    values[info->name] = entry->getArgument(index);
  }
  for (const Node *node : order)
    if (failed(buildNode(*node)))
      return failure();

  SmallVector<Value> outputs;
  for (const ValueInfo &info : graph.outputs) {
    FailureOr<Value> value = lookUp(info.name);
    if (failed(value) ||
        failed(checkOutput(info, cast<RankedTensorType>(value->getType()))))
      return failure();
    outputs.push_back(*value);
  }
  func::ReturnOp::create(builder, loc, outputs);
  main.setFunctionType(
      builder.getFunctionType(argumentTypes, TypeRange(ValueRange(outputs))));
  for (auto [index, info] : llvm::enumerate(graph.outputs))
    main.setResultAttr(index, "kz.name", setName(info.name));

  // Nodes that no output needs were checked like all others; they go now.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(entry->getOperations())))
    if (isOpTriviallyDead(&op))
      op.erase();

  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  if (failed(verify(*module)))
    return fail("the module that was built does not verify: " + diagnostics);
  return module;
}

} // namespace

FailureOr<OwningOpRef<ModuleOp>> importOnnx(MLIRContext &context,
                                            StringRef path,
                                            const ImportOptions &options,
                                            std::string &error) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      tensor::TensorDialect, kz::KZDialect>();
  std::string sentence;
  Model model;
  if (readModel(path.str(), model, sentence)) {
    FailureOr<OwningOpRef<ModuleOp>> module =
        Importer(context, model, options, sentence).run();
    if (succeeded(module))
      return module;
  }
  error = makePrintable(path, sentence);
  return failure();
}

bool readOnnxInputs(StringRef path, std::vector<OnnxInput> &inputs,
                    std::string &error) {
  Model model;
  std::string sentence;
  if (!readModel(path.str(), model, sentence)) {
    error = makePrintable(path, sentence);
    return false;
  }
  llvm::StringSet<> initializers;
  for (const Tensor &tensor : model.graph.initializers)
    initializers.insert(tensor.name);
  for (const ValueInfo &info : model.graph.inputs) {
    if (initializers.contains(info.name))
      continue;
    OnnxInput &input = inputs.emplace_back();
    input.name = info.name;
    input.hasShape = info.hasShape;
    for (auto [axis, dim] : llvm::enumerate(info.dims))
      input.dynamicDims.push_back(dim.size < 0 ? getDimKey(info, axis) : "");
  }
  return true;
}

} // namespace kernelzero
