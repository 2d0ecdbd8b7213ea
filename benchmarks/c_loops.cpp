//===- c_loops.cpp - a task as loops of C ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "c_loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::bench;

static std::string getCType(Type type) {
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (type.isF16())
    return "_Float16";
  if (type.isIndex())
    return "long";
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::StringSwitch<std::string>(std::to_string(integer.getWidth()))
        .Case("1", "unsigned char")
        .Case("8", "signed char")
        .Case("16", "short")
        .Case("32", "int")
        .Case("64", "long")
        .Default("");
  return "";
}

static std::string writeNumber(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    int64_t number = integer.getType().isInteger(1)
                         ? int64_t(integer.getValue().getBoolValue())
                         : integer.getValue().getSExtValue();
    if (number == INT64_MIN)
      return "(-9223372036854775807L - 1)";
    return "(" + std::to_string(number) + "L)";
  }
  auto number = dyn_cast<FloatAttr>(value);
  if (!number)
    return "";
  double wide = number.getValueAsDouble();
  if (std::isnan(wide))
    os << "__builtin_nanf(\"\")";
  else if (std::isinf(wide))
    os << (wide < 0 ? "-" : "") << "__builtin_inff()";
  else
    os << llvm::format("%.17g", wide) << (std::floor(wide) == wide ? ".0" : "")
       << (number.getType().isF64() ? "" : "f");
  // 1e+30.0 is no number.
  if (size_t e = text.find('e'); e != std::string::npos && std::isfinite(wide))
    if (size_t point = text.find(".0", e); point != std::string::npos)
      text.erase(point, 2);
  return "(" + getCType(number.getType()) + ")" + text;
}

namespace {

/// Where a tensor is while loops run.
struct Place {
  enum class Kind { Memory, Scalar } kind = Kind::Memory;
  /// Of memory a pointer; else an expression, the same for every element.
  std::string name;
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

class LoopWriter {
public:
  LoopWriter(func::FuncOp task, std::string &error)
      : task(task), error(error) {}
  std::string run();

private:
  bool fail(const Twine &sentence) {
    if (error.empty())
      error = sentence.str();
    return false;
  }
  bool setUp();
  bool writeGemm(linalg::LinalgOp op);
  bool writeGroup(ArrayRef<linalg::LinalgOp> ops);
  bool writeChain(ArrayRef<linalg::LinalgOp> chain, unsigned shared);
  bool writeBody(linalg::LinalgOp op, unsigned shared);
  bool writeOp(Operation &op, linalg::LinalgOp parent, unsigned shared);
  std::string writeExpr(AffineExpr expr, unsigned shared);
  std::string writeElement(const Place &place, AffineMap map, unsigned shared,
                           unsigned skip);
  std::string getSplat(Value value);
  bool isReturned(Value value) { return results.contains(value); }
  void line(const Twine &text) {
    body += std::string(2 * depth, ' ') + text.str() + "\n";
  }
  std::string getVariable() { return "v" + std::to_string(variables++); }

  func::FuncOp task;
  std::string &error;
  llvm::DenseMap<Value, Place> places;
  llvm::DenseMap<Value, std::string> scalars;
  llvm::DenseMap<Value, unsigned> results;
  std::string globals, body;
  unsigned depth = 1, variables = 0, arrays = 0;
};

} // namespace

static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = int64_t(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string LoopWriter::writeExpr(AffineExpr expr, unsigned shared) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return (dim.getPosition() < shared ? "i" : "j") +
           std::to_string(dim.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue()) + "L";
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const char *sign = expr.getKind() == AffineExprKind::Add   ? " + "
                     : expr.getKind() == AffineExprKind::Mul ? " * "
                     : expr.getKind() == AffineExprKind::Mod ? " % "
                                                             : " / ";
  return "(" + writeExpr(binary.getLHS(), shared) + sign +
         writeExpr(binary.getRHS(), shared) + ")";
}

/// The element of `place` that `map` names; `skip` results in front are those
/// that a temporary lacks.
std::string LoopWriter::writeElement(const Place &place, AffineMap map,
                                     unsigned shared, unsigned skip) {
  if (place.kind == Place::Kind::Scalar)
    return place.name;
  std::string index = std::to_string(place.offset) + "L";
  for (auto [expr, stride] :
       llvm::zip_equal(map.getResults().drop_front(skip), place.strides))
    index +=
        " + " + writeExpr(expr, shared) + " * " + std::to_string(stride) + "L";
  return place.name + "[" + index + "]";
}

/// The value of every element of a filled or constant tensor, or empty.
std::string LoopWriter::getSplat(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return "";
  if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return elements.isSplat() ? writeNumber(elements.getSplatValue<Attribute>())
                              : "";
  return writeNumber(constant.getValue());
}

static std::string getFunction(Operation *op) {
  return llvm::StringSwitch<std::string>(op->getName().stripDialect())
      .Case("exp", "expf")
      .Case("exp2", "exp2f")
      .Case("expm1", "expm1f")
      .Case("log", "logf")
      .Case("log1p", "log1pf")
      .Case("log2", "log2f")
      .Case("sqrt", "sqrtf")
      .Case("tanh", "tanhf")
      .Case("erf", "erff")
      .Case("sin", "sinf")
      .Case("cos", "cosf")
      .Case("absf", "fabsf")
      .Case("floor", "floorf")
      .Case("ceil", "ceilf")
      .Case("roundeven", "rintf")
      .Case("powf", "powf")
      .Default("");
}

static std::string getOperator(Operation *op) {
  return llvm::StringSwitch<std::string>(op->getName().stripDialect())
      .Cases({"addf", "addi"}, "+")
      .Cases({"subf", "subi"}, "-")
      .Cases({"mulf", "muli"}, "*")
      .Cases({"divf", "divsi"}, "/")
      .Cases({"remsi", "remui"}, "%")
      .Case("andi", "&")
      .Case("ori", "|")
      .Case("xori", "^")
      .Case("shli", "<<")
      .Default("");
}

static std::string getComparison(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    using P = arith::CmpFPredicate;
    switch (compare.getPredicate()) {
    case P::OEQ:
    case P::UEQ:
      return "==";
    case P::ONE:
    case P::UNE:
      return "!=";
    case P::OLT:
    case P::ULT:
      return "<";
    case P::OLE:
    case P::ULE:
      return "<=";
    case P::OGT:
    case P::UGT:
      return ">";
    case P::OGE:
    case P::UGE:
      return ">=";
    default:
      return "";
    }
  }
  using P = arith::CmpIPredicate;
  switch (cast<arith::CmpIOp>(op).getPredicate()) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  default:
    return ">=";
  }
}

bool LoopWriter::writeOp(Operation &op, linalg::LinalgOp parent,
                         unsigned shared) {
  auto get = [&](unsigned index) -> std::string {
    Value value = op.getOperand(index);
    if (auto found = scalars.find(value); found != scalars.end())
      return found->second;
    return getSplat(value);
  };
  if (op.getNumResults() != 1)
    return fail("'" + op.getName().getStringRef() + "' has no loop of C");
  Type type = op.getResult(0).getType();
  std::string kind = getCType(type), text;
  StringRef name = op.getName().stripDialect();
  bool wide = type.isF64();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    text = writeNumber(constant.getValue());
  } else if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    text = writeExpr(getAffineDimExpr(index.getDim(), op.getContext()), shared);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    auto place = places.find(extract.getTensor());
    if (place == places.end())
      return fail("'tensor.extract' reads what is not in memory");
    text =
        place->second.name + "[" + std::to_string(place->second.offset) + "L";
    for (auto [number, stride] : llvm::enumerate(place->second.strides))
      text += " + " + get(number + 1) + " * " + std::to_string(stride) + "L";
    text += "]";
  } else if (std::string sign = getOperator(&op); !sign.empty()) {
    text = get(0) + " " + sign + " " + get(1);
  } else if (isa<arith::CmpFOp, arith::CmpIOp>(op)) {
    auto compare = dyn_cast<arith::CmpFOp>(op);
    if (compare && compare.getPredicate() == arith::CmpFPredicate::UNO)
      text = get(0) + " != " + get(0) + " || " + get(1) + " != " + get(1);
    else if (compare && compare.getPredicate() == arith::CmpFPredicate::ORD)
      text = get(0) + " == " + get(0) + " && " + get(1) + " == " + get(1);
    else if (std::string sign = getComparison(&op); !sign.empty())
      text = get(0) + " " + sign + " " + get(1);
  } else if (name == "select") {
    text = get(0) + " ? " + get(1) + " : " + get(2);
  } else if (name.starts_with("max")) {
    text = get(0) + " > " + get(1) + " ? " + get(0) + " : " + get(1);
  } else if (name.starts_with("min")) {
    text = get(0) + " < " + get(1) + " ? " + get(0) + " : " + get(1);
  } else if (name == "negf") {
    text = "-" + get(0);
  } else if (name == "rsqrt") {
    text = std::string("1 / ") + (wide ? "sqrt(" : "sqrtf(") + get(0) + ")";
  } else if (name == "fma") {
    text = get(0) + " * " + get(1) + " + " + get(2);
  } else if (name == "absi") {
    text = get(0) + " < 0 ? -" + get(0) + " : " + get(0);
  } else if (isa<CastOpInterface>(op)) {
    text = get(0);
  } else if (std::string function = getFunction(&op);
             !function.empty() && isa<math::MathDialect>(op.getDialect())) {
    if (wide)
      function.pop_back();
    text = function + "(" + get(0);
    if (op.getNumOperands() > 1)
      text += ", " + get(1);
    text += ")";
  }
  if (text.empty() || kind.empty())
    return fail("'" + op.getName().getStringRef() + "' has no loop of C");
  std::string variable = getVariable();
  line("const " + kind + " " + variable + " = (" + kind + ")(" + text + ");");
  scalars[op.getResult(0)] = variable;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Writes the region of `op` for one element; the result is a scalar.
bool LoopWriter::writeBody(linalg::LinalgOp op, unsigned shared) {
  Block &block = op->getRegion(0).front();
  for (auto [number, operand] : llvm::enumerate(op->getOpOperands())) {
    BlockArgument argument = block.getArgument(number);
    if (argument.use_empty() || scalars.contains(argument))
      continue;
    Value value = operand.get();
    if (auto found = scalars.find(value); found != scalars.end()) {
      scalars[argument] = found->second;
      continue;
    }
    if (std::string splat = getSplat(value); !splat.empty()) {
      scalars[argument] = splat;
      continue;
    }
    auto place = places.find(value);
    if (place == places.end())
      return fail("an operand of '" + op->getName().getStringRef() +
                  "' is not in memory");
    AffineMap map = op.getMatchingIndexingMap(&operand);
    unsigned skip = map.getNumResults() - place->second.strides.size();
    std::string variable = getVariable();
    line("const " + getCType(argument.getType()) + " " + variable + " = " +
         writeElement(place->second, map, shared, skip) + ";");
    scalars[argument] = variable;
  }
  for (Operation &inner : block.without_terminator())
    if (!writeOp(inner, op, shared))
      return false;
  return true;
}

/// One nest of loops over the dimensions from `shared` on.
bool LoopWriter::writeChain(ArrayRef<linalg::LinalgOp> chain, unsigned shared) {
  linalg::LinalgOp first = chain.front();
  SmallVector<int64_t> ranges = first.getStaticLoopRanges();
  std::string after;
  llvm::SmallPtrSet<Operation *, 4> members;
  for (linalg::LinalgOp op : chain)
    members.insert(op);
  // Where results go, and what sums start from.
  for (linalg::LinalgOp op : chain) {
    Value result = op->getResult(0);
    OpOperand *init = op.getDpsInitOperand(0);
    AffineMap map = op.getMatchingIndexingMap(init);
    bool outside = isReturned(result) ||
                   llvm::any_of(result.getUsers(), [&](Operation *u) {
                     return !members.contains(u);
                   });
    auto type = cast<RankedTensorType>(result.getType());
    std::string kind = getCType(type.getElementType());
    if (kind.empty())
      return fail("there is no C type for an element");
    bool sums = op.getNumReductionLoops() > 0;
    bool scalar = map.getNumResults() == shared;
    if (isReturned(result)) {
      places[result] = {Place::Kind::Memory,
                        "r" + std::to_string(results[result]), 0,
                        getStrides(type.getShape())};
    } else if (outside && !scalar) {
      std::string name = "t" + std::to_string(arrays++);
      ArrayRef<int64_t> inner = type.getShape().drop_front(shared);
      int64_t count = 1;
      for (int64_t size : inner)
        count *= size;
      globals += "alignas(64) static " + kind + " " + name + "[" +
                 std::to_string(count) + "];\n";
      places[result] = {Place::Kind::Memory, name, 0, getStrides(inner)};
    }
    if (!sums)
      continue;
    std::string start = getSplat(init->get());
    if (!scalar || start.empty())
      return fail("a sum leaves more than one element a row");
    std::string variable = getVariable();
    line(kind + " " + variable + " = " + start + ";");
    scalars[op->getRegion(0).front().getArguments().back()] = variable;
  }
  unsigned loops = ranges.size() - shared;
  for (unsigned dim = shared; dim < ranges.size(); ++dim) {
    std::string j = "j" + std::to_string(dim);
    line("for (long " + j + " = 0; " + j + " < " + std::to_string(ranges[dim]) +
         "; ++" + j + ") {");
    ++depth;
  }
  llvm::DenseMap<Operation *, std::string> finals;
  for (linalg::LinalgOp op : chain) {
    if (!writeBody(op, shared))
      return false;
    Value yielded = op->getRegion(0).front().getTerminator()->getOperand(0);
    std::string value =
        scalars.contains(yielded) ? scalars[yielded] : getSplat(yielded);
    if (value.empty())
      return fail("a result is no value of the loop");
    Value result = op->getResult(0);
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (op.getNumReductionLoops()) {
      std::string variable =
          scalars[op->getRegion(0).front().getArguments().back()];
      line(variable + " = " + value + ";");
      finals[op] = variable;
      continue;
    }
    if (auto place = places.find(result); place != places.end()) {
      unsigned skip = map.getNumResults() - place->second.strides.size();
      line(writeElement(place->second, map, shared, skip) + " = " + value +
           ";");
    }
    scalars[result] = value;
  }
  for (unsigned i = 0; i < loops; ++i) {
    --depth;
    line("}");
  }
  for (linalg::LinalgOp op : chain) {
    Value result = op->getResult(0);
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (op.getNumReductionLoops()) {
      scalars[result] = finals[op];
      if (auto place = places.find(result); place != places.end())
        line(writeElement(place->second, map, shared, 0) + " = " + finals[op] +
             ";");
    } else if (loops) {
      scalars.erase(result); // Read from memory from now on.
    }
  }
  return true;
}

/// Whether results from `skip` on are the loops from `skip` on, in order.
static bool isIdentityFrom(AffineMap map, unsigned skip) {
  if (map.getNumResults() != map.getNumDims())
    return false;
  for (unsigned dim = skip; dim < map.getNumDims(); ++dim)
    if (map.getResult(dim) != getAffineDimExpr(dim, map.getContext()))
      return false;
  return true;
}

/// Whether the first `count` results are the first loops and the others use
/// none of them.
static bool isRowMap(AffineMap map, unsigned count) {
  if (map.getNumResults() < count)
    return false;
  for (auto [number, expr] : llvm::enumerate(map.getResults())) {
    if (number < count && expr != getAffineDimExpr(number, map.getContext()))
      return false;
    for (unsigned dim = 0; number >= count && dim < count; ++dim)
      if (expr.isFunctionOfDim(dim))
        return false;
  }
  return true;
}

bool LoopWriter::writeGroup(ArrayRef<linalg::LinalgOp> ops) {
  if (ops.empty())
    return true;
  llvm::SmallPtrSet<Operation *, 8> members;
  for (linalg::LinalgOp op : ops)
    members.insert(op);
  linalg::LinalgOp first = ops.front();
  unsigned shared = first.getNumLoops();
  auto fits = [&](unsigned count) {
    for (linalg::LinalgOp op : ops) {
      SmallVector<int64_t> ranges = op.getStaticLoopRanges(),
                           expected = first.getStaticLoopRanges();
      if (ranges.size() < count)
        return false;
      for (unsigned dim = 0; dim < count; ++dim)
        if (ranges[dim] != expected[dim] ||
            !linalg::isParallelIterator(op.getIteratorTypesArray()[dim]))
          return false;
      for (OpOperand &operand : op->getOpOperands())
        if ((members.contains(operand.get().getDefiningOp()) ||
             op.isDpsInit(&operand)) &&
            !isRowMap(op.getMatchingIndexingMap(&operand), count) &&
            (ops.size() > 1 || op.isDpsInit(&operand)))
          return false;
    }
    return true;
  };
  while (shared && !fits(shared))
    --shared;
  SmallVector<int64_t> ranges = first.getStaticLoopRanges();
  for (unsigned dim = 0; dim < shared; ++dim) {
    std::string i = "i" + std::to_string(dim);
    line("for (long " + i + " = 0; " + i + " < " + std::to_string(ranges[dim]) +
         "; ++" + i + ") {");
    ++depth;
  }
  SmallVector<linalg::LinalgOp> chain;
  for (linalg::LinalgOp op : ops) {
    bool joins = !chain.empty() && op.getStaticLoopRanges() ==
                                       chain.front().getStaticLoopRanges();
    for (OpOperand &operand : op->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || !llvm::is_contained(chain, producer))
        continue;
      joins &= producer.getNumReductionLoops() == 0 &&
               isIdentityFrom(op.getMatchingIndexingMap(&operand), shared) &&
               isIdentityFrom(producer.getMatchingIndexingMap(
                                  producer.getDpsInitOperand(0)),
                              shared);
    }
    if (!joins && !chain.empty()) {
      if (!writeChain(chain, shared))
        return false;
      chain.clear();
    }
    chain.push_back(op);
  }
  if (!writeChain(chain, shared))
    return false;
  for (unsigned dim = 0; dim < shared; ++dim) {
    --depth;
    line("}");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// One call of sgemm a batch; false without an error where `op` is no such
/// product.
bool LoopWriter::writeGemm(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::string pointers[3];
  int64_t leading[3];
  bool transposed[2];
  const unsigned rows[3] = {dims->m[0], dims->k[0], dims->m[0]},
                 columns[3] = {dims->k[0], dims->n[0], dims->n[0]};
  unsigned batches = dims->batch.size();
  // The result lies where the task's does if nothing else could.
  Value result = op->getResult(0);
  Value returned = task.getBody().front().getTerminator()->getOperand(0);
  bool inPlace = results.size() == 1 && returned.getType() == type;
  for (Operation *user : result.getUsers())
    if (auto next = dyn_cast<linalg::LinalgOp>(user))
      for (OpOperand &operand : next->getOpOperands())
        inPlace &= next.getMatchingIndexingMap(&operand).isIdentity() ||
                   operand.get() != result;
  std::string target = inPlace ? "r0" : "c" + std::to_string(arrays++);
  if (!inPlace)
    globals += "alignas(64) static float " + target + "[" +
               std::to_string(type.getNumElements()) + "];\n";
  places[result] = {Place::Kind::Memory, target, 0,
                    getStrides(type.getShape())};
  for (unsigned number = 0; number < 3; ++number) {
    OpOperand &operand = op->getOpOperand(number);
    auto tensor = cast<RankedTensorType>(operand.get().getType());
    auto place = places.find(number == 2 ? result : operand.get());
    if (!tensor.getElementType().isF32() || place == places.end() ||
        place->second.kind != Place::Kind::Memory)
      return false;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumResults() != batches + 2)
      return false;
    pointers[number] =
        place->second.name + " + " + std::to_string(place->second.offset) + "L";
    for (unsigned batch = 0; batch < batches; ++batch) {
      if (map.getResult(batch) !=
          getAffineDimExpr(dims->batch[batch], op.getContext()))
        return false;
      pointers[number] += " + i" + std::to_string(dims->batch[batch]) + " * " +
                          std::to_string(place->second.strides[batch]) + "L";
    }
    auto position = [&](unsigned dim) {
      return map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    };
    bool straight = position(columns[number]) == batches + 1;
    if (place->second.strides.back() != 1 || (number == 2 && !straight))
      return false;
    if (number < 2)
      transposed[number] = !straight;
    leading[number] = place->second.strides[batches];
  }
  for (unsigned batch : dims->batch) {
    std::string i = "i" + std::to_string(batch);
    line("for (long " + i + " = 0; " + i + " < " +
         std::to_string(ranges[batch]) + "; ++" + i + ")");
  }
  line("  sgemm(101, " + Twine(transposed[0] ? 112 : 111) + ", " +
       Twine(transposed[1] ? 112 : 111) + ", " + Twine(ranges[rows[0]]) + ", " +
       Twine(ranges[columns[2]]) + ", " + Twine(ranges[dims->k[0]]) + ", 1, " +
       pointers[0] + ", " + Twine(leading[0]) + ", " + pointers[1] + ", " +
       Twine(leading[1]) + ", 0, " + pointers[2] + ", " + Twine(leading[2]) +
       ");");
  return true;
}

//===----------------------------------------------------------------------===//
// The whole task
//===----------------------------------------------------------------------===//

bool LoopWriter::setUp() {
  auto end = cast<func::ReturnOp>(task.getBody().front().getTerminator());
  for (auto [number, argument] : llvm::enumerate(task.getArguments())) {
    auto type = cast<RankedTensorType>(argument.getType());
    std::string kind = getCType(type.getElementType());
    if (kind.empty())
      return fail("there is no C type for an argument");
    std::string name = "a" + std::to_string(number);
    line("const " + kind + " *__restrict__ " + name + " = (const " + kind +
         " *)arrays[" + Twine(number) + "];");
    places[argument] = {Place::Kind::Memory, name, 0,
                        getStrides(type.getShape())};
  }
  for (auto [number, value] : llvm::enumerate(end.getOperands())) {
    auto type = cast<RankedTensorType>(value.getType());
    std::string kind = getCType(type.getElementType());
    if (kind.empty())
      return fail("there is no C type for a result");
    line(kind + " *__restrict__ r" + Twine(number) + " = (" + kind +
         " *)arrays[" + Twine(task.getNumArguments() + number) + "];");
    results[value] = number;
  }
  return true;
}

std::string LoopWriter::run() {
  // Named operations in their general form: one rule for all regions.
  IRRewriter rewriter(task.getContext());
  SmallVector<linalg::LinalgOp> named;
  task.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op))) {
      fail("'" + op->getName().getStringRef() + "' has no general form");
      return "";
    }
  }
  if (!setUp())
    return "";
  SmallVector<linalg::LinalgOp> group;
  for (Operation &op : task.getBody().front().without_terminator()) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      auto source = places.find(slice.getSource());
      if (source == places.end() ||
          slice.getType().getRank() != slice.getSourceType().getRank() ||
          !slice.hasUnitStride()) {
        fail("a slice is no view of an argument");
        return "";
      }
      Place view = source->second;
      for (auto [offset, stride] :
           llvm::zip_equal(slice.getStaticOffsets(), view.strides))
        view.offset += offset * stride;
      places[slice.getResult()] = view;
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || isa<linalg::FillOp>(op))
      continue;
    if (group.empty() && linalg::isaContractionOpInterface(linalgOp) &&
        writeGemm(linalgOp))
      continue;
    group.push_back(linalgOp);
  }
  if (!writeGroup(group) || !error.empty())
    return "";
  return "#include <math.h>\n"
         "using Sgemm = void (*)(int, int, int, int, int, int, float,\n"
         "    const float *, int, const float *, int, float, float *, int);\n" +
         globals + "extern \"C\" void peer(void **arrays, Sgemm sgemm) {\n" +
         body + "}\n";
}

std::string bench::writeLoops(func::FuncOp task, std::string &error) {
  OwningOpRef<func::FuncOp> copy = task.clone();
  return LoopWriter(*copy, error).run();
}

PeerEntry bench::compileLoops(const std::string &source, std::string &error) {
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("kz-loops", folder)) {
    error = "there is no room for temporary files";
    return nullptr;
  }
  std::string stem = (folder + "/peer").str();
  {
    std::error_code code;
    llvm::raw_fd_ostream out(stem + ".cpp", code);
    out << source;
  }
  auto gxx = llvm::sys::findProgramByName("g++");
  PeerEntry entry = nullptr;
  if (!gxx) {
    error = "g++ is not on PATH";
  } else {
    std::string from = stem + ".cpp", to = stem + ".so", log = stem + ".log";
    std::optional<StringRef> redirects[] = {std::nullopt, std::nullopt,
                                            StringRef(log)};
    int code =
        llvm::sys::ExecuteAndWait(*gxx,
                                  {*gxx, "-std=c++17", "-O3", "-march=native",
                                   "-mprefer-vector-width=512", "-ffast-math",
                                   "-fPIC", "-shared", from, "-o", to},
                                  std::nullopt, redirects);
    void *library = code == 0 ? dlopen(to.c_str(), RTLD_NOW) : nullptr;
    if (library)
      entry = reinterpret_cast<PeerEntry>(dlsym(library, "peer"));
    if (!entry)
      error = "g++ does not compile the loops, see " + log;
  }
  if (entry)
    llvm::sys::fs::remove_directories(folder);
  return entry;
}
