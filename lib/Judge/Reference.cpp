//===- Reference.cpp - what a task computes, in double precision ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Reference.h"
#include "ScalarProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cmath>
#include <memory>

using namespace mlir;
using namespace kernelzero;

namespace {

/// A tensor of the evaluation: an argument is read where it lies, anything else
/// is doubles.
struct Tensor {
  RankedTensorType type;
  const void *raw = nullptr;
  std::vector<double> values;
  std::vector<float> errors;

  int64_t size() const { return type.getNumElements(); }
  void allocate() {
    values.assign(size(), 0);
    errors.assign(size(), 0);
  }
  void read(int64_t first, int64_t count, double *result) const {
    if (raw)
      readElements(type.getElementType(), raw, first, count, result);
    else
      std::copy_n(values.data() + first, count, result);
  }
  double readOne(int64_t index) const {
    double value;
    read(index, 1, &value);
    return value;
  }
  double errorAt(int64_t index) const {
    return errors.empty() ? 0 : errors[index];
  }
};

using TensorPtr = std::shared_ptr<Tensor>;

class Evaluator {
public:
  Evaluator(std::string &error) : error(error) {}
  bool evaluate(Operation *op);
  bool evaluateBlock(Block &block);
  llvm::DenseMap<Value, TensorPtr> tensors;

private:
  bool evaluateLinalg(linalg::LinalgOp op);
  bool evaluateSlice(tensor::ExtractSliceOp op);
  bool evaluateInsertion(tensor::InsertSliceOp op);
  bool evaluateReshape(Operation *op);
  bool evaluateCall(func::CallOp op);
  bool evaluateContraction(linalg::LinalgOp op, Tensor &a, Tensor &b,
                           Tensor &c);
  bool refuse(const Twine &reason) {
    error = reason.str();
    return false;
  }
  std::string &error;
};

/// How far one step of each loop moves in a flat tensor that `map` reads.
static bool getSteps(AffineMap map, RankedTensorType type,
                     SmallVectorImpl<int64_t> &steps) {
  steps.assign(map.getNumDims(), 0);
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * type.getDimSize(dim + 1);
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      steps[dim.getPosition()] += strides[position];
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0)
      return false;
  }
  return true;
}

/// Offsets of all points of the loops `dims`, the last one innermost.
static std::vector<int64_t> getOffsets(ArrayRef<unsigned> dims,
                                       ArrayRef<int64_t> ranges,
                                       ArrayRef<int64_t> steps) {
  std::vector<int64_t> offsets = {0};
  for (unsigned dim : dims) {
    std::vector<int64_t> next;
    next.reserve(offsets.size() * ranges[dim]);
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < ranges[dim]; ++i)
        next.push_back(offset + i * steps[dim]);
    offsets = std::move(next);
  }
  return offsets;
}

} // namespace

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Blocked multiplication in doubles. Rounding errors of a sum of products with
/// random signs grow with the square root of its length, those of a sum with a
/// bias faster; the bound covers sequential sums of either.
bool Evaluator::evaluateContraction(linalg::LinalgOp op, Tensor &a, Tensor &b,
                                    Tensor &c) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims))
    return refuse("the reference cannot see the dimensions of a contraction");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> stepsA, stepsB, stepsC;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!getSteps(maps[0], a.type, stepsA) ||
      !getSteps(maps[1], b.type, stepsB) || !getSteps(maps[2], c.type, stepsC))
    return refuse("the reference reads contractions by projections only");
  auto offsets = [&](ArrayRef<unsigned> list, ArrayRef<int64_t> steps) {
    return getOffsets(list, ranges, steps);
  };
  std::vector<int64_t> batchA = offsets(dims->batch, stepsA),
                       batchB = offsets(dims->batch, stepsB),
                       batchC = offsets(dims->batch, stepsC);
  std::vector<int64_t> mA = offsets(dims->m, stepsA),
                       mC = offsets(dims->m, stepsC);
  std::vector<int64_t> nB = offsets(dims->n, stepsB),
                       nC = offsets(dims->n, stepsC);
  std::vector<int64_t> kA = offsets(dims->k, stepsA),
                       kB = offsets(dims->k, stepsB);
  const int64_t m = mA.size(), n = nB.size(), k = kA.size();
  constexpr int64_t kDepth = 512, kColumns = reference::kBlockColumns;
  const int64_t pitch = llvm::alignTo(n, kColumns);
  double unit = getRoundingUnit(c.type.getElementType());
  std::vector<double> packedA(m * std::min(k, kDepth));
  std::vector<double> packedB(kColumns * std::min(k, kDepth));
  std::vector<double> sums(m * pitch), row(kDepth);
  std::vector<double> normA(m), normB(n);
  auto readLine = [&](const Tensor &tensor, int64_t base, ArrayRef<int64_t> at,
                      double *result) {
    // Neighbouring elements are read in one go.
    if (!at.empty() && at.back() - at.front() == int64_t(at.size()) - 1)
      return tensor.read(base + at.front(), at.size(), result);
    for (auto [i, offset] : llvm::enumerate(at))
      result[i] = tensor.readOne(base + offset);
  };
  for (size_t batch = 0; batch < batchC.size(); ++batch) {
    std::fill(sums.begin(), sums.end(), 0);
    std::fill(normA.begin(), normA.end(), 0);
    std::fill(normB.begin(), normB.end(), 0);
    for (int64_t k0 = 0; k0 < k; k0 += kDepth) {
      int64_t depth = std::min(kDepth, k - k0);
      ArrayRef<int64_t> sliceA = ArrayRef(kA).slice(k0, depth);
      ArrayRef<int64_t> sliceB = ArrayRef(kB).slice(k0, depth);
      for (int64_t i = 0; i < m; ++i) {
        double *line = packedA.data() + i * depth;
        readLine(a, batchA[batch] + mA[i], sliceA, line);
        for (int64_t j = 0; j < depth; ++j)
          normA[i] += line[j] * line[j];
      }
      for (int64_t n0 = 0; n0 < n; n0 += kColumns) {
        int64_t width = std::min(kColumns, n - n0);
        if (width < kColumns)
          std::fill(packedB.begin(), packedB.end(), 0);
        bool alongRows = nB.size() > 1 && nB[1] - nB[0] == 1;
        if (alongRows) {
          for (int64_t j = 0; j < depth; ++j)
            readLine(b, batchB[batch] + sliceB[j],
                     ArrayRef(nB).slice(n0, width),
                     packedB.data() + j * kColumns);
        } else {
          for (int64_t i = 0; i < width; ++i) {
            readLine(b, batchB[batch] + nB[n0 + i], sliceB, row.data());
            for (int64_t j = 0; j < depth; ++j)
              packedB[j * kColumns + i] = row[j];
          }
        }
        for (int64_t j = 0; j < depth; ++j)
          for (int64_t i = 0; i < width; ++i)
            normB[n0 + i] +=
                packedB[j * kColumns + i] * packedB[j * kColumns + i];
        reference::multiplyBlock(packedA.data(), packedB.data(),
                                 sums.data() + n0, m, depth, pitch);
      }
    }
    double largest =
        llvm::APFloat::getLargest(
            cast<FloatType>(c.type.getElementType()).getFloatSemantics())
            .convertToDouble() *
        (1 + unit / 2);
    double growth = unit * (4 + std::sqrt(double(k)));
    bool errorsIn = !a.errors.empty() || !b.errors.empty();
    float largestA = a.errors.empty() ? 0 : *llvm::max_element(a.errors);
    float largestB = b.errors.empty() ? 0 : *llvm::max_element(b.errors);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        int64_t at = batchC[batch] + mC[i] + nC[j];
        double norms = std::sqrt(normA[i]) * std::sqrt(normB[j]);
        double initial = c.values[at];
        double value = initial + sums[i * pitch + j];
        double bound = growth * (norms + std::fabs(initial));
        // Errors of the operands meet the other operand's row.
        if (errorsIn)
          bound += std::sqrt(double(k)) * (largestA * std::sqrt(normB[j]) +
                                           largestB * std::sqrt(normA[i]));
        if (std::fabs(value) > largest)
          value = std::copysign(std::numeric_limits<double>::infinity(), value);
        c.values[at] = value;
        c.errors[at] = !std::isfinite(value) ? 0
                       : std::isnan(bound)
                           ? std::numeric_limits<float>::infinity()
                           : bound;
      }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Any Linalg operation
//===----------------------------------------------------------------------===//

bool Evaluator::evaluateLinalg(linalg::LinalgOp op) {
  // Results start as copies of the initial values.
  SmallVector<TensorPtr> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto found = tensors.find(operand.get());
    if (found == tensors.end()) {
      if (!isa<linalg::FillOp>(op.getOperation()) || op.isDpsInit(&operand))
        return refuse("the reference does not know an operand of '" +
                      op->getName().getStringRef() + "'");
      operands.push_back(nullptr); // The scalar of a fill.
      continue;
    }
    operands.push_back(found->second);
  }
  SmallVector<TensorPtr> results;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    const Tensor &initial = *operands[init.getOperandNumber()];
    auto result = std::make_shared<Tensor>();
    result->type = initial.type;
    result->allocate();
    initial.read(0, initial.size(), result->values.data());
    if (!initial.errors.empty())
      result->errors = initial.errors;
    operands[init.getOperandNumber()] = result;
    results.push_back(result);
    tensors[op->getResult(results.size() - 1)] = result;
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation())) {
    FloatAttr floating;
    IntegerAttr integer;
    double value = 0;
    if (matchPattern(fill.getInputs()[0], m_Constant(&floating)))
      value = floating.getValueAsDouble();
    else if (matchPattern(fill.getInputs()[0], m_Constant(&integer)))
      value = integer.getValue().getSExtValue();
    else
      return refuse("the reference fills with constants only");
    std::fill(results[0]->values.begin(), results[0]->values.end(), value);
    std::fill(results[0]->errors.begin(), results[0]->errors.end(), 0);
    return true;
  }
  if (linalg::isaContractionOpInterface(op) && operands.size() == 3 &&
      isa<FloatType>(results[0]->type.getElementType()))
    return evaluateContraction(op, *operands[0], *operands[1], *results[0]);

  ScalarProgram program;
  auto findSource = [&](Value value, ScalarProgram::Source &source) {
    auto found = tensors.find(value);
    if (found == tensors.end())
      return false;
    TensorPtr tensor = found->second;
    llvm::ArrayRef<int64_t> shape = tensor->type.getShape();
    source.shape.assign(shape.begin(), shape.end());
    source.read = [tensor](int64_t at, double &value, double &error) {
      value = tensor->readOne(at);
      error = tensor->errorAt(at);
    };
    return true;
  };
  if (!program.compile(*op.getBlock(), findSource, error))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned loops = ranges.size();
  SmallVector<SmallVector<int64_t>> steps(operands.size());
  for (auto [map, tensor, step] :
       llvm::zip_equal(op.getIndexingMapsArray(), operands, steps))
    if (!getSteps(map, tensor->type, step))
      return refuse("the reference does not know the indexing of '" +
                    op->getName().getStringRef() + "'");
  // Strips run along the longest parallel loop; without one a point at a time.
  int inner = -1;
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (linalg::isParallelIterator(iterator) &&
        (inner < 0 || ranges[dim] >= ranges[inner]))
      inner = dim;
  int64_t innerRange = inner < 0 ? 1 : ranges[inner];
  SmallVector<int64_t> at(loops, 0);
  unsigned inputs = op.getNumDpsInputs();
  double terms = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(ranges, op.getIteratorTypesArray()))
    terms *= linalg::isParallelIterator(iterator) ? 1 : double(range);
  // Squares of what is summed to each element, the initial value among it.
  ArrayRef<ScalarProgram::Sum> sums;
  if (terms > 1)
    sums = program.getSums();
  SmallVector<std::vector<double>> squares;
  for (const ScalarProgram::Sum &sum : sums) {
    squares.push_back(results[sum.result]->values);
    for (double &value : squares.back())
      value *= value;
  }
  for (bool more = llvm::all_of(ranges, [](int64_t r) { return r > 0; });
       more;) {
    for (int64_t first = 0; first < innerRange;
         first += ScalarProgram::kStrip) {
      int64_t count = std::min(ScalarProgram::kStrip, innerRange - first);
      auto locate = [&](unsigned operand, int64_t &base, int64_t &stride) {
        base = 0;
        for (unsigned dim = 0; dim < loops; ++dim)
          base += at[dim] * steps[operand][dim];
        stride = inner < 0 ? 0 : steps[operand][inner];
        base += first * stride;
      };
      for (unsigned operand = 0; operand < operands.size(); ++operand) {
        const Tensor &tensor = *operands[operand];
        ScalarProgram::Strip &strip = program.getArgument(operand);
        int64_t base, stride;
        locate(operand, base, stride);
        if (stride == 1) {
          tensor.read(base, count, strip.value);
        } else if (stride == 0) {
          std::fill_n(strip.value, count, tensor.readOne(base));
        } else {
          for (int64_t i = 0; i < count; ++i)
            strip.value[i] = tensor.readOne(base + i * stride);
        }
        for (int64_t i = 0; i < count; ++i)
          strip.error[i] =
              tensor.errors.empty() ? 0 : tensor.errors[base + i * stride];
      }
      for (const ScalarProgram::IndexUse &use : program.getIndexUses())
        for (int64_t i = 0; i < count; ++i)
          program.getStrip(use.strip).value[i] =
              int(use.dim) == inner ? first + i : at[use.dim];
      if (!program.run(count, error))
        return false;
      for (unsigned result = 0; result < results.size(); ++result) {
        int64_t base, stride;
        locate(inputs + result, base, stride);
        const ScalarProgram::Strip &strip = program.getResult(result);
        for (int64_t i = 0; i < count; ++i) {
          results[result]->values[base + i * stride] = strip.value[i];
          results[result]->errors[base + i * stride] = float(strip.error[i]);
        }
      }
      for (auto [sum, square] : llvm::zip_equal(sums, squares)) {
        int64_t base, stride;
        locate(inputs + sum.result, base, stride);
        const ScalarProgram::Strip &strip = program.getStrip(sum.addend);
        for (int64_t i = 0; i < count; ++i)
          square[base + i * stride] += strip.value[i] * strip.value[i];
      }
    }
    more = false;
    for (int dim = int(loops) - 1; dim >= 0 && !more; --dim) {
      if (dim == inner)
        continue;
      more = ++at[dim] < ranges[dim];
      if (!more)
        at[dim] = 0;
    }
  }
  // The errors so far are those of one order. Any other one has other partial
  // sums; a product with ones bounds them as contractions are bounded.
  for (auto [sum, square] : llvm::zip_equal(sums, squares)) {
    Tensor &result = *results[sum.result];
    double growth = sum.unit * (4 + std::sqrt(terms)) * std::sqrt(terms);
    for (int64_t i = 0; i < result.size(); ++i)
      if (std::isfinite(result.values[i]))
        result.errors[i] += growth * std::sqrt(square[i]);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

/// Calls `body` with the number of every element of a part of `whole`, in order
/// of the part. False where the part is not known.
static bool walkSlice(RankedTensorType whole, ArrayRef<int64_t> offsets,
                      ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps,
                      llvm::function_ref<void(int64_t)> body) {
  for (ArrayRef<int64_t> list : {offsets, sizes, steps})
    if (llvm::any_of(list, ShapedType::isDynamic))
      return false;
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  SmallVector<int64_t> at(sizes.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t flat = 0;
    for (unsigned dim = 0; dim < at.size(); ++dim)
      flat = flat * whole.getDimSize(dim) + offsets[dim] + at[dim] * steps[dim];
    body(flat);
    for (int64_t dim = int64_t(at.size()) - 1; dim >= 0; --dim) {
      if (++at[dim] < sizes[dim])
        break;
      at[dim] = 0;
    }
  }
  return true;
}

bool Evaluator::evaluateSlice(tensor::ExtractSliceOp op) {
  TensorPtr source = tensors.lookup(op.getSource());
  if (!source || !op.getType().hasStaticShape())
    return refuse("the reference knows slices of static shape only");
  auto result = std::make_shared<Tensor>();
  result->type = op.getType();
  result->allocate();
  int64_t to = 0;
  if (!walkSlice(source->type, op.getStaticOffsets(), op.getStaticSizes(),
                 op.getStaticStrides(), [&](int64_t from) {
                   result->values[to] = source->readOne(from);
                   result->errors[to++] = source->errorAt(from);
                 }))
    return refuse("the reference knows slices at constant places only");
  tensors[op] = result;
  return true;
}

bool Evaluator::evaluateInsertion(tensor::InsertSliceOp op) {
  TensorPtr source = tensors.lookup(op.getSource());
  TensorPtr whole = tensors.lookup(op.getDest());
  if (!source || !whole)
    return refuse("the reference does not know an operand of an insertion");
  auto result = std::make_shared<Tensor>();
  result->type = whole->type;
  result->allocate();
  whole->read(0, whole->size(), result->values.data());
  if (!whole->errors.empty())
    result->errors = whole->errors;
  int64_t from = 0;
  if (!walkSlice(whole->type, op.getStaticOffsets(), op.getStaticSizes(),
                 op.getStaticStrides(), [&](int64_t to) {
                   result->values[to] = source->readOne(from);
                   result->errors[to] = source->errorAt(from++);
                 }))
    return refuse("the reference knows insertions at constant places only");
  tensors[op] = result;
  return true;
}

/// The same elements in the same order.
bool Evaluator::evaluateReshape(Operation *op) {
  TensorPtr source = tensors.lookup(op->getOperand(0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!source || !type.hasStaticShape())
    return refuse("the reference knows reshapes of static shape only");
  auto result = std::make_shared<Tensor>(*source);
  result->type = type;
  tensors[op->getResult(0)] = result;
  return true;
}

bool Evaluator::evaluateCall(func::CallOp op) {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!function || !function.getBody().hasOneBlock())
    return refuse("the reference does not know a function that is called");
  Block &body = function.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op.getOperands())) {
    tensors[argument] = tensors.lookup(operand);
    if (!tensors[argument])
      return refuse("the reference does not know an operand of a call");
  }
  if (!evaluateBlock(body))
    return false;
  for (auto [result, returned] :
       llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands())) {
    TensorPtr value = tensors.lookup(returned);
    if (!value)
      return refuse("the reference does not know a result of a call");
    tensors[result] = value;
  }
  return true;
}

bool Evaluator::evaluateBlock(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return evaluate(&op); });
}

bool Evaluator::evaluate(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return evaluateSlice(slice);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return evaluateInsertion(insertion);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return evaluateReshape(op);
  if (auto call = dyn_cast<func::CallOp>(op))
    return evaluateCall(call);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    auto tensor = std::make_shared<Tensor>();
    tensor->type = empty.getType();
    if (!tensor->type.hasStaticShape())
      return refuse("the reference evaluates static shapes only");
    tensor->allocate();
    tensors[empty] = tensor;
    return true;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto resource =
            dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
      auto type = cast<RankedTensorType>(constant.getType());
      AsmResourceBlob *blob = resource.getRawHandle().getBlob();
      if (!blob ||
          int64_t(blob->getData().size()) <
              type.getNumElements() * getElementBytes(type.getElementType()))
        return refuse("the reference does not know what a constant holds");
      auto tensor = std::make_shared<Tensor>();
      tensor->type = type;
      tensor->raw = blob->getData().data();
      tensors[constant] = tensor;
      return true;
    }
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements)
      return true; // A scalar; whoever reads it looks at its definition.
    auto tensor = std::make_shared<Tensor>();
    tensor->type = cast<RankedTensorType>(constant.getType());
    tensor->allocate();
    if (isa<FloatType>(elements.getElementType())) {
      for (auto [i, value] : llvm::enumerate(elements.getValues<APFloat>())) {
        llvm::APFloat wide = value;
        bool lost;
        wide.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &lost);
        tensor->values[i] = wide.convertToDouble();
      }
    } else {
      for (auto [i, value] : llvm::enumerate(elements.getValues<APInt>()))
        tensor->values[i] = value.getBitWidth() == 1
                                ? double(value.getZExtValue())
                                : double(value.getSExtValue());
    }
    tensors[constant] = tensor;
    return true;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return evaluateLinalg(linalgOp);
  return refuse("the reference does not know '" + op->getName().getStringRef() +
                "'");
}

bool kernelzero::evaluateReference(func::FuncOp task,
                                   ArrayRef<const void *> inputs,
                                   std::vector<ReferenceTensor> &outputs,
                                   std::string &error) {
  if (!task.getBody().hasOneBlock() ||
      inputs.size() != task.getNumArguments()) {
    error =
        "a task is a function of one block, with one buffer for each argument";
    return false;
  }
  Evaluator evaluator(error);
  for (auto [argument, data] : llvm::zip_equal(task.getArguments(), inputs)) {
    auto tensor = std::make_shared<Tensor>();
    tensor->type = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor->type || !tensor->type.hasStaticShape() ||
        !getElementBytes(tensor->type.getElementType())) {
      error = "the reference takes tensors of static shape";
      return false;
    }
    tensor->raw = data;
    evaluator.tensors[argument] = tensor;
  }
  Block &body = task.getBody().front();
  if (!evaluator.evaluateBlock(body))
    return false;
  for (Value value : body.getTerminator()->getOperands()) {
    auto found = evaluator.tensors.find(value);
    if (found == evaluator.tensors.end()) {
      error = "the reference does not know a result of the task";
      return false;
    }
    const Tensor &tensor = *found->second;
    ReferenceTensor output;
    output.type = tensor.type;
    output.values.resize(tensor.size());
    tensor.read(0, tensor.size(), output.values.data());
    output.errors = tensor.errors;
    if (output.errors.empty())
      output.errors.assign(tensor.size(), 0);
    outputs.push_back(std::move(output));
  }
  return true;
}
