//===- ModelPlanFromIR.cpp - the steps of a model's function --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/ModelPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

namespace {

class Planner {
public:
  Planner(ModelPlan &plan, int64_t viewAlignment, std::string &error)
      : plan(plan), viewAlignment(viewAlignment), error(error) {}

  bool run(func::FuncOp main);

private:
  bool fail(const Twine &sentence) {
    error = sentence.str();
    return false;
  }
  bool getType(Type type, ArrayType &array);
  bool addMemory(Value value, ModelMemory::Kind kind, int64_t index);
  bool addBuffer(Value value) {
    return addMemory(value, ModelMemory::Kind::Buffer, 0);
  }
  bool addConstant(arith::ConstantOp op);
  bool addView(Value result, Value source, int64_t byteOffset);
  bool addCall(func::CallOp call);
  bool addExtract(tensor::ExtractSliceOp op);
  bool addInsert(tensor::InsertSliceOp op);
  void addStep(ModelStep step);
  bool addOperation(Operation &op);

  ModelPlan &plan;
  int64_t viewAlignment;
  std::string &error;
  llvm::DenseMap<Value, ModelValue> values;
  llvm::StringMap<int64_t> tasks;
};

} // namespace

/// The name of the model's value, or its number.
static std::string getName(func::FuncOp main, unsigned index, bool isResult) {
  auto name = isResult ? main.getResultAttrOfType<StringAttr>(index, "kz.name")
                       : main.getArgAttrOfType<StringAttr>(index, "kz.name");
  return name ? name.str()
              : (isResult ? "result" : "argument") + std::to_string(index);
}

bool Planner::getType(Type type, ArrayType &array) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string element;
  if (tensor)
    llvm::raw_string_ostream(element) << tensor.getElementType();
  if (!tensor || !tensor.hasStaticShape() || !getArrayElementBytes(element)) {
    llvm::raw_string_ostream(error)
        << "the model has a value of type " << type
        << "; what runs are tensors of static shape of f16, bf16, f32, f64, "
           "index and integers of 1, 8, 16, 32 and 64 bits";
    return false;
  }
  array.element = element;
  array.shape = tensor.getShape().vec();
  return true;
}

bool Planner::addMemory(Value value, ModelMemory::Kind kind, int64_t index) {
  ModelValue placed;
  if (!getType(value.getType(), placed.type))
    return false;
  placed.memory = plan.memories.size();
  ModelMemory memory;
  memory.kind = kind;
  memory.index = index;
  memory.bytes = placed.type.bytes();
  memory.firstStep = memory.lastStep = plan.steps.size();
  plan.memories.push_back(memory);
  values[value] = placed;
  return true;
}

bool Planner::addConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements)
    return true; // A scalar: whoever reads it is refused.
  if (!addMemory(op, ModelMemory::Kind::Constant, plan.constants.size()))
    return false;
  const ArrayType &type = values[op.getResult()].type;
  ConstantBytes bytes;
  bytes.size = type.bytes();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != bytes.size)
      return fail("the constant '" + resource.getRawHandle().getKey() +
                  "' has " + Twine(blob ? blob->getData().size() : 0) +
                  " bytes where " + toText(type) + " needs " +
                  Twine(bytes.size));
    bytes.data = blob->getData().data();
  } else if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    ArrayRef<char> raw = dense.getRawData();
    bool packed = dense.getElementType().isInteger(1);
    if (!packed && !dense.isSplat()) {
      bytes.data = raw.data();
    } else {
      // Written out: bits as bytes, one value as many.
      std::shared_ptr<char[]> own(new (std::nothrow) char[bytes.size]);
      if (!own)
        return fail("there is no memory for the " + Twine(bytes.size) +
                    " bytes of a constant");
      if (packed) {
        for (auto [index, bit] : llvm::enumerate(dense.getValues<bool>()))
          own[index] = bit;
      } else {
        for (int64_t at = 0; at < bytes.size; at += raw.size())
          std::copy(raw.begin(), raw.end(), own.get() + at);
      }
      bytes.data = own.get();
      bytes.own = std::move(own);
    }
  } else {
    return fail("the model has a constant that is neither dense nor a "
                "resource; these two are accepted");
  }
  plan.constants.push_back(std::move(bytes));
  return true;
}

bool Planner::addView(Value result, Value source, int64_t byteOffset) {
  ModelValue view = values.lookup(source);
  view.byteOffset += byteOffset;
  if (!getType(result.getType(), view.type))
    return false;
  values[result] = view;
  return true;
}

void Planner::addStep(ModelStep step) {
  for (const ModelValue &operand : step.operands)
    plan.memories[operand.memory].lastStep = plan.steps.size();
  plan.steps.push_back(std::move(step));
}

bool Planner::addCall(func::CallOp call) {
  ModelStep step;
  auto [entry, isNew] =
      tasks.try_emplace(call.getCallee(), int64_t(plan.tasks.size()));
  if (isNew)
    plan.tasks.push_back(call.getCallee().str());
  step.task = entry->second;
  for (Value operand : call.getOperands())
    step.operands.push_back(values.lookup(operand));
  for (Value result : call.getResults()) {
    if (!addBuffer(result))
      return false;
    step.operands.push_back(values.lookup(result));
  }
  addStep(std::move(step));
  return true;
}

static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// Where a static slice of a row-major tensor lies in it, in elements.
struct Slice {
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
  bool consecutive = true;
};

static std::optional<Slice> getSlice(OffsetSizeAndStrideOpInterface op,
                                     RankedTensorType whole) {
  Slice slice;
  ArrayRef<int64_t> offsets = op.getStaticOffsets(),
                    sizes = op.getStaticSizes(), steps = op.getStaticStrides();
  for (ArrayRef<int64_t> numbers : {offsets, sizes, steps})
    if (llvm::any_of(numbers, ShapedType::isDynamic))
      return std::nullopt;
  SmallVector<int64_t> strides = getStrides(whole.getShape());
  // All elements between the first and the last: one dimension may be cut,
  // those inside of it are whole, those outside of it are single.
  bool cut = false;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    slice.offset += offsets[dim] * strides[dim];
    slice.sizes.push_back(sizes[dim]);
    slice.strides.push_back(steps[dim] * strides[dim]);
    if (cut && sizes[dim] != whole.getDimSize(dim))
      slice.consecutive = false;
    if (sizes[dim] != 1) {
      slice.consecutive &= steps[dim] == 1;
      cut = true;
    }
  }
  return slice;
}

bool Planner::addExtract(tensor::ExtractSliceOp op) {
  std::optional<Slice> slice = getSlice(op, op.getSourceType());
  if (!slice)
    return fail("a slice of the model has sizes that are not constant");
  ModelValue source = values.lookup(op.getSource());
  int64_t bytes = getArrayElementBytes(source.type.element);
  int64_t byteOffset = source.byteOffset + slice->offset * bytes;
  if (slice->consecutive && byteOffset % viewAlignment == 0)
    return addView(op.getResult(), op.getSource(), slice->offset * bytes);
  if (!addBuffer(op.getResult()))
    return false;
  ModelStep step;
  step.operands = {source, values.lookup(op.getResult())};
  step.copy = {slice->sizes, slice->offset, 0, slice->strides, {}, bytes};
  llvm::append_range(step.copy.toStrides, getStrides(slice->sizes));
  addStep(std::move(step));
  return true;
}

bool Planner::addInsert(tensor::InsertSliceOp op) {
  std::optional<Slice> slice = getSlice(op, op.getDestType());
  if (!slice)
    return fail("a slice of the model has sizes that are not constant");
  if (!addBuffer(op.getResult()))
    return false;
  ModelValue result = values.lookup(op.getResult());
  int64_t bytes = getArrayElementBytes(result.type.element);
  if (!op.getDest().getDefiningOp<tensor::EmptyOp>()) {
    ModelStep whole;
    whole.operands = {values.lookup(op.getDest()), result};
    whole.copy = {{result.type.elements()}, 0, 0, {1}, {1}, bytes};
    addStep(std::move(whole));
  }
  ModelStep step;
  step.operands = {values.lookup(op.getSource()), result};
  step.copy = {slice->sizes, 0, slice->offset, {}, slice->strides, bytes};
  llvm::append_range(step.copy.fromStrides, getStrides(slice->sizes));
  addStep(std::move(step));
  return true;
}

bool Planner::addOperation(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](arith::ConstantOp constant) { return addConstant(constant); })
      .Case([&](tensor::EmptyOp empty) {
        if (!addBuffer(empty))
          return false;
        // What is only inserted into has its place where the result is.
        if (llvm::all_of(empty->getUsers(),
                         llvm::IsaPred<tensor::InsertSliceOp>))
          plan.memories.back().bytes = 0;
        return true;
      })
      .Case([&](func::CallOp call) { return addCall(call); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
          [&](auto view) {
            return addView(view->getResult(0), view->getOperand(0), 0);
          })
      .Case([&](tensor::ExtractSliceOp slice) { return addExtract(slice); })
      .Case([&](tensor::InsertSliceOp slice) { return addInsert(slice); })
      .Default([&](Operation *other) {
        return fail("operation '" + other->getName().getStringRef() +
                    "' belongs to no task and cannot be run; accepted are "
                    "calls of tasks, constants, reshapes and slices");
      });
}

bool Planner::run(func::FuncOp main) {
  for (auto [index, argument] : llvm::enumerate(main.getArguments())) {
    if (!addMemory(argument, ModelMemory::Kind::Input, index))
      return false;
    plan.inputs.push_back(
        {getName(main, index, /*isResult=*/false), values[argument]});
  }
  for (Operation &op : main.getBody().front()) {
    if (auto end = dyn_cast<func::ReturnOp>(op)) {
      for (auto [index, value] : llvm::enumerate(end.getOperands())) {
        ModelValue output = values.lookup(value);
        plan.memories[output.memory].lastStep = plan.steps.size();
        plan.outputs.push_back(
            {getName(main, index, /*isResult=*/true), output});
      }
      continue;
    }
    for (Value operand : op.getOperands())
      if (!values.contains(operand)) {
        std::string type;
        llvm::raw_string_ostream(type) << operand.getType();
        return fail("operation '" + op.getName().getStringRef() +
                    "' reads a value of type " + type +
                    ", which is no tensor; between tasks only tensors are "
                    "accepted");
      }
    if (!addOperation(op))
      return false;
  }
  return true;
}

bool kernelzero::planModel(ModuleOp model, int64_t viewAlignment,
                           ModelPlan &plan, std::string &error) {
  plan = ModelPlan();
  auto main = model.lookupSymbol<func::FuncOp>("main");
  if (!main || !main.getBody().hasOneBlock()) {
    error = "the model has no function @main of one block";
    return false;
  }
  if (!Planner(plan, viewAlignment, error).run(main))
    return false;
  placeBuffers(plan);
  return true;
}
