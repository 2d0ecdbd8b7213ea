//===- KZTransformOps.cpp - syntax and verifiers of the language ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
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
  types.assign(operands.size(),
               transform::AnyOpType::get(parser.getContext()));
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
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
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

/// Whether a choice that is written as a number is at least `least`.
static LogicalResult verifyAtLeast(Operation *op, StringRef name,
                                   std::optional<int64_t> value,
                                   int64_t least) {
  if (value && *value < least)
    return op->emitOpError() << name << " " << *value
                             << " is out of range; at least " << least;
  return success();
}

static LogicalResult verifyOneOf(Operation *op, StringRef name,
                                 std::optional<StringRef> word,
                                 ArrayRef<StringRef> accepted) {
  if (!word || llvm::is_contained(accepted, *word))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << name << " '" << *word << "'; accepted are ";
  llvm::interleaveComma(accepted, diag);
  return diag;
}

static LogicalResult verifySizes(Operation *op, ArrayRef<int64_t> sizes) {
  if (sizes.empty())
    return op->emitOpError("needs at least one tile size");
  for (int64_t size : sizes)
    if (size < 0 && !ShapedType::isDynamic(size))
      return op->emitOpError() << "tile size " << size
                               << " is negative; 0 leaves a dimension whole";
  return success();
}

LogicalResult TileGridOp::verify() {
  // Reached through the generic form only.
  if (getTiledFused().size() != getFused().size())
    return emitOpError() << "fuses " << getFused().size()
                         << " operations but returns "
                         << getTiledFused().size() << " handles for them";
  if (failed(verifySizes(*this, getStaticTile())))
    return failure();
  return verifyAtLeast(*this, "raster group_m", getStaticGroupM(), 0);
}

LogicalResult TileLoopOp::verify() {
  if (getTiledFused().size() != getFused().size())
    return emitOpError() << "fuses " << getFused().size()
                         << " operations but returns "
                         << getTiledFused().size() << " handles for them";
  if (failed(verifySizes(*this, getStaticTile())))
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
  if (failed(verifyOneOf(*this, "stages", getValue(),
                         {"operand", "result", "task_input"})) ||
      failed(verifyOneOf(*this, "stages in", getSpace(),
                         {"registers", "shared", "memory"})) ||
      failed(verifyOneOf(*this, "copies by", getStaticCopy(),
                         {"plain", "cp_async", "tma", "tma_store"})) ||
      failed(verifyAtLeast(*this, "width", getStaticWidth(), 1)) ||
      failed(verifyAtLeast(*this, "panels", getStaticPanels(), 1)))
    return failure();
  if (std::optional<uint64_t> swizzle = getStaticSwizzle();
      swizzle && !llvm::is_contained({0, 32, 64, 128}, *swizzle))
    return emitOpError() << "swizzle " << *swizzle
                         << " is not a span that the hardware has; accepted are 0, 32, 64, 128 bytes";
  return success();
}

LogicalResult PipelineOp::verify() {
  return verifyAtLeast(*this, "stages", getStaticStages(), 1);
}

LogicalResult TileWarpsOp::verify() {
  for (int64_t count : getStaticCounts())
    if (count < 1 && !ShapedType::isDynamic(count))
      return emitOpError() << "count " << count << " is out of range; at least 1";
  return success();
}

LogicalResult TileThreadsOp::verify() {
  if (failed(verifyAtLeast(*this, "dim", getDim(), 0)))
    return failure();
  if (std::optional<uint64_t> threads = getStaticThreads();
      threads && (*threads % 32 || *threads < 32 || *threads > 1024))
    return emitOpError() << "threads " << *threads
                         << " is not a multiple of 32 in 32..1024";
  if (std::optional<uint64_t> vector = getStaticVector();
      vector && (!llvm::isPowerOf2_64(*vector) || *vector > 16))
    return emitOpError() << "vector " << *vector
                         << " is not a power of two in 1..16";
  return success();
}

LogicalResult MmaOp::verify() {
  if (failed(verifyOneOf(*this, "uses", getKind(), {"mma_sync", "wgmma"})))
    return failure();
  if (getStaticShape().size() != 3)
    return emitOpError() << "has a shape of " << getStaticShape().size()
                         << " sizes; M, N and K are needed";
  return success();
}

LogicalResult WarpSpecializeOp::verify() {
  if (failed(verifyAtLeast(*this, "producers", getProducers(), 1)))
    return failure();
  if (getStaticRegisters().size() != 2)
    return emitOpError() << "has " << getStaticRegisters().size()
                         << " register counts; one for producers and one for consumers are needed";
  for (int64_t count : getStaticRegisters())
    if (!ShapedType::isDynamic(count) &&
        (count % 8 || count < 24 || count > 256))
      return emitOpError() << "registers " << count
                           << " is not a multiple of 8 in 24..256";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getSteps().empty())
    return emitOpError("combines by no step; accepted are shuffle, shared");
  llvm::SmallDenseSet<Attribute> seen;
  for (Attribute step : getSteps()) {
    if (failed(verifyOneOf(*this, "combines by",
                           cast<StringAttr>(step).getValue(),
                           {"shuffle", "shared"})))
      return failure();
    if (!seen.insert(step).second)
      return emitOpError() << "combines by " << step << " twice";
  }
  return success();
}

LogicalResult MathOp::verify() {
  if (failed(verifyOneOf(*this, "math", getStaticFunction(),
                         {"exp2", "erf", "tanh"})))
    return failure();
  return verifyAtLeast(*this, "ulp", getStaticUlp(), 1);
}

LogicalResult VectorizeOp::verify() {
  if (failed(verifyOneOf(*this, "accumulates in", getAccumulate(),
                         {"registers", "memory"})))
    return failure();
  for (auto [name, value] :
       {std::pair<StringRef, std::optional<uint64_t>>{"lanes", getStaticLanes()},
        {"interleave", getStaticInterleave()}})
    if (value && !llvm::isPowerOf2_64(*value))
      return emitOpError() << name << " " << *value << " is not a power of two";
  return success();
}

LogicalResult UnrollOp::verify() {
  if (std::optional<uint64_t> factor = getStaticFactor();
      factor && (*factor < 1 || *factor > 64))
    return emitOpError() << "factor " << *factor << " is out of range; 1..64";
  return success();
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
