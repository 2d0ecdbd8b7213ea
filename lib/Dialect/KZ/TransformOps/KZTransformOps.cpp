//===- KZTransformOps.cpp - syntax and verifiers of the language ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/MathFormTable.h"
#include "Rules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Assembly helpers: what `custom<...>` in the .td refers to
//===----------------------------------------------------------------------===//

using Unresolved = OpAsmParser::UnresolvedOperand;

/// As many handles as the text names to the left of `=`; prints nothing.
static ParseResult parseAsManyAsNamed(OpAsmParser &parser,
                                      SmallVectorImpl<Type> &types) {
  types.assign(parser.getNumResults(),
               transform::AnyOpType::get(parser.getContext()));
  return success();
}
static void printAsManyAsNamed(OpAsmPrinter &, Operation *, TypeRange) {}

/// As many handles as `operands`; prints nothing.
static ParseResult parseAsManyAs(OpAsmParser &parser,
                                 ArrayRef<Unresolved> operands,
                                 SmallVectorImpl<Type> &types) {
  types.assign(operands.size(), transform::AnyOpType::get(parser.getContext()));
  return success();
}
static void printAsManyAs(OpAsmPrinter &, Operation *, ValueRange, TypeRange) {}

/// A bare word kept as a string: `shared` is "shared".
static ParseResult parseWord(OpAsmParser &parser, StringAttr &word) {
  std::string text;
  if (parser.parseKeywordOrString(&text))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}
static void printWord(OpAsmPrinter &printer, Operation *, StringAttr word) {
  printer.printKeywordOrString(word);
}

/// Words in brackets: `[shuffle, shared]`.
static ParseResult parseWordList(OpAsmParser &parser, ArrayAttr &words) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        StringAttr word;
        if (parseWord(parser, word))
          return failure();
        list.push_back(word);
        return success();
      }))
    return failure();
  words = parser.getBuilder().getArrayAttr(list);
  return success();
}
static void printWordList(OpAsmPrinter &printer, Operation *op,
                          ArrayAttr words) {
  printer << "[";
  llvm::interleaveComma(words, printer, [&](Attribute word) {
    printWord(printer, op, cast<StringAttr>(word));
  });
  printer << "]";
}

/// Integers in brackets that are never params: `[1, 0]`.
static ParseResult parseIntegerList(OpAsmParser &parser,
                                    DenseI64ArrayAttr &list) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(values.emplace_back());
      }))
    return failure();
  list = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}
static void printIntegerList(OpAsmPrinter &printer, Operation *,
                             DenseI64ArrayAttr list) {
  printer << "[";
  llvm::interleaveComma(list.asArrayRef(), printer);
  printer << "]";
}

/// One choice in parentheses, an integer or a param: `(16)` or `(%group)`.
static ParseResult parseChoice(OpAsmParser &parser,
                               std::optional<Unresolved> &param,
                               IntegerAttr &value) {
  if (parser.parseLParen())
    return failure();
  Unresolved operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    param = operand;
  } else if (parser.parseAttribute(value, parser.getBuilder().getI64Type())) {
    return failure();
  }
  return parser.parseRParen();
}
static void printChoice(OpAsmPrinter &printer, Operation *, Value param,
                        IntegerAttr value) {
  printer << "(";
  if (param)
    printer << param;
  else
    printer << value.getInt();
  printer << ")";
}

/// One choice in parentheses, a word or a param: `(tma)` or `(%copy)`.
static ParseResult parseWordChoice(OpAsmParser &parser,
                                   std::optional<Unresolved> &param,
                                   StringAttr &word) {
  if (parser.parseLParen())
    return failure();
  Unresolved operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    param = operand;
  } else if (parseWord(parser, word)) {
    return failure();
  }
  return parser.parseRParen();
}
static void printWordChoice(OpAsmPrinter &printer, Operation *op, Value param,
                            StringAttr word) {
  printer << "(";
  if (param)
    printer << param;
  else
    printWord(printer, op, word);
  printer << ")";
}

/// Choices in parentheses: `(40, %consumer)`.
static ParseResult parseChoiceList(OpAsmParser &parser,
                                   SmallVectorImpl<Unresolved> &params,
                                   DenseI64ArrayAttr &values) {
  SmallVector<int64_t> list;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren, [&]() -> ParseResult {
            Unresolved operand;
            OptionalParseResult parsed = parser.parseOptionalOperand(operand);
            if (parsed.has_value()) {
              if (failed(*parsed))
                return failure();
              params.push_back(operand);
              list.push_back(ShapedType::kDynamic);
              return success();
            }
            return parser.parseInteger(list.emplace_back());
          }))
    return failure();
  values = parser.getBuilder().getDenseI64ArrayAttr(list);
  return success();
}
static void printChoiceList(OpAsmPrinter &printer, Operation *,
                            OperandRange params, DenseI64ArrayAttr values) {
  unsigned next = 0;
  printer << "(";
  llvm::interleaveComma(values.asArrayRef(), printer, [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      printer << params[next++];
    else
      printer << value;
  });
  printer << ")";
}

#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.cpp.inc"

namespace kernelzero::kz {

//===----------------------------------------------------------------------===//
// Verifiers: what needs no payload
//===----------------------------------------------------------------------===//

static LogicalResult complain(Operation *op, const Complaint &why) {
  return why ? op->emitOpError() << *why : LogicalResult(success());
}

/// A choice as the rules want it: its number, or dynamic where it is a param.
static int64_t get(Value param, std::optional<uint64_t> value) {
  return param ? ShapedType::kDynamic : static_cast<int64_t>(value.value_or(0));
}

/// A choice is an attribute or a param. The short form cannot say it
/// otherwise, so these are reached through the generic form only.
static LogicalResult verifyChoice(Operation *op, StringRef name, Value param,
                                  Attribute value, bool required = true) {
  if (param && value)
    return op->emitOpError()
           << name << " is given both as a number and as a param";
  if (!param && !value && required)
    return op->emitOpError() << name << " is missing";
  return success();
}

static LogicalResult verifyList(Operation *op, StringRef name,
                                ValueRange params, ArrayRef<int64_t> values) {
  size_t open = llvm::count_if(values, ShapedType::isDynamic);
  if (open != params.size())
    return op->emitOpError() << name << " has " << open << " open entries and "
                             << params.size() << " params for them";
  return success();
}

static LogicalResult verifyFused(Operation *op, size_t fused, size_t handles) {
  if (fused != handles)
    return op->emitOpError() << "fuses " << fused << " operations but returns "
                             << handles << " handles for them";
  return success();
}

LogicalResult TileGridOp::verify() {
  if (failed(verifyFused(*this, getFused().size(), getTiledFused().size())) ||
      failed(verifyList(*this, "tile", getTile(), getStaticTile())) ||
      failed(verifyChoice(*this, "raster group_m", getGroupM(),
                          getStaticGroupMAttr(), /*required=*/false)) ||
      failed(complain(*this, checkTileSizes(getStaticTile()))))
    return failure();
  return complain(*this, checkAtLeast("raster group_m",
                                      get(getGroupM(), getStaticGroupM()), 0));
}

LogicalResult TileLoopOp::verify() {
  if (failed(verifyFused(*this, getFused().size(), getTiledFused().size())) ||
      failed(verifyList(*this, "tile", getTile(), getStaticTile())) ||
      failed(complain(*this, checkTileSizes(getStaticTile()))))
    return failure();
  std::optional<ArrayRef<int64_t>> order = getOrder();
  if (!order)
    return success();
  SmallVector<int64_t> sorted(*order);
  llvm::sort(sorted);
  bool permutation = sorted.size() == getStaticTile().size();
  for (auto [position, entry] : llvm::enumerate(sorted))
    permutation &= static_cast<int64_t>(position) == entry;
  if (!permutation)
    return emitOpError() << "order is not a permutation of the "
                         << getStaticTile().size()
                         << " positions of the size list";
  return success();
}

LogicalResult StageOp::verify() {
  if (failed(
          verifyChoice(*this, "copy", getCopy(), getStaticCopyAttr(), false)) ||
      failed(verifyChoice(*this, "swizzle", getSwizzle(),
                          getStaticSwizzleAttr(), false)) ||
      failed(verifyChoice(*this, "width", getWidth(), getStaticWidthAttr(),
                          false)) ||
      failed(verifyChoice(*this, "panels", getPanels(), getStaticPanelsAttr(),
                          false)) ||
      failed(verifyList(*this, "chunk", getChunk(),
                        getStaticChunk().value_or(ArrayRef<int64_t>()))) ||
      failed(complain(*this, checkAtLeast(getValue(), getIndex(), 0))))
    return failure();
  StageChoices stage;
  stage.value = getValue();
  stage.space = getSpace();
  stage.copy = getCopy() ? "?" : getStaticCopy().value_or("");
  stage.swizzle = get(getSwizzle(), getStaticSwizzle());
  stage.width = get(getWidth(), getStaticWidth());
  stage.panels = get(getPanels(), getStaticPanels());
  stage.chunk = getStaticChunk().value_or(ArrayRef<int64_t>());
  stage.before = static_cast<bool>(getBefore());
  return complain(*this, checkStage(stage));
}

LogicalResult PipelineOp::verify() {
  if (failed(verifyChoice(*this, "stages", getStages(), getStaticStagesAttr())))
    return failure();
  if (getRing().empty())
    return emitOpError("has an empty ring; at least one staged tile is needed");
  return complain(
      *this,
      checkAtLeast("stages", get(getStages(), getStaticStages()), 1, 64));
}

LogicalResult TileWarpsOp::verify() {
  if (failed(verifyList(*this, "counts", getCounts(), getStaticCounts())))
    return failure();
  return complain(*this, checkWarps(getStaticCounts()));
}

LogicalResult TileThreadsOp::verify() {
  if (failed(verifyChoice(*this, "threads", getThreads(),
                          getStaticThreadsAttr())) ||
      failed(
          verifyChoice(*this, "vector", getVector(), getStaticVectorAttr())) ||
      failed(complain(*this, checkAtLeast("dim", getDim(), 0))) ||
      failed(
          complain(*this, checkThreads(get(getThreads(), getStaticThreads())))))
    return failure();
  return complain(*this, checkVector(get(getVector(), getStaticVector())));
}

LogicalResult MmaOp::verify() {
  if (failed(verifyList(*this, "shape", getShape(), getStaticShape())) ||
      failed(complain(
          *this, checkWord("uses", getKind(), {"mma_sync", "wgmma", "fma"}))))
    return failure();
  return complain(*this, checkMmaShape(getKind(), getStaticShape()));
}

LogicalResult WarpSpecializeOp::verify() {
  if (failed(verifyList(*this, "registers", getRegisters(),
                        getStaticRegisters())) ||
      failed(complain(*this, checkAtLeast("producers", getProducers(), 1))))
    return failure();
  return complain(*this, checkRegisters(getStaticRegisters()));
}

LogicalResult ReduceOp::verify() {
  if (getSteps().empty())
    return emitOpError("combines by no step; accepted are shuffle, shared");
  llvm::SmallDenseSet<Attribute> seen;
  for (Attribute step : getSteps()) {
    if (failed(complain(*this, checkWord("combines by",
                                         cast<StringAttr>(step).getValue(),
                                         {"shuffle", "shared"}))))
      return failure();
    if (!seen.insert(step).second)
      return emitOpError() << "combines by " << step << " twice";
  }
  return success();
}

LogicalResult MathOp::verify() {
  if (failed(verifyChoice(*this, "math", getFunction(),
                          getStaticFunctionAttr())) ||
      failed(verifyChoice(*this, "ulp", getUlp(), getStaticUlpAttr())))
    return failure();
  if (std::optional<StringRef> function = getStaticFunction())
    return complain(
        *this, explainUnknownForm(*function, getStaticUlp().value_or(
                                                 getDefaultUlp(*function))));
  return success();
}

LogicalResult VectorizeOp::verify() {
  if (failed(verifyChoice(*this, "lanes", getLanes(), getStaticLanesAttr())) ||
      failed(verifyChoice(*this, "interleave", getInterleave(),
                          getStaticInterleaveAttr(), /*required=*/false)) ||
      failed(complain(
          *this,
          checkPowerOfTwo("lanes", get(getLanes(), getStaticLanes())))) ||
      failed(complain(*this,
                      checkPowerOfTwo("interleave",
                                      get(getInterleave(),
                                          getStaticInterleave().value_or(1))))))
    return failure();
  return complain(*this, checkWord("accumulates in",
                                   getAccumulate().value_or("memory"),
                                   {"registers", "memory"}));
}

LogicalResult UnrollOp::verify() {
  if (failed(verifyChoice(*this, "factor", getFactor(), getStaticFactorAttr())))
    return failure();
  return complain(*this, checkUnroll(get(getFactor(), getStaticFactor())));
}

} // namespace kernelzero::kz

//===----------------------------------------------------------------------===//
// Extension
//===----------------------------------------------------------------------===//

namespace {
class KZTransformExtension
    : public transform::TransformDialectExtension<KZTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KZTransformExtension)
  void init() {
    declareGeneratedDialect<kernelzero::kz::KZDialect>();
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void kernelzero::kz::registerTransformExtension(DialectRegistry &registry) {
  registry.addExtensions<KZTransformExtension>();
}
