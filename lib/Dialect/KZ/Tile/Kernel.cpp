//===- Kernel.cpp - kernels, roles, rings ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<int64_t> grid, cluster;
  IntegerAttr threads;
  auto parseList = [&](SmallVectorImpl<int64_t> &list) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    });
  };
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseKeyword("grid") || parseList(grid) ||
      parser.parseKeyword("threads") ||
      parser.parseAttribute(threads, builder.getI64Type(),
                            getThreadsAttrName(result.name), result.attributes))
    return failure();
  result.addAttribute(getGridAttrName(result.name),
                      builder.getDenseI64ArrayAttr(grid));
  if (succeeded(parser.parseOptionalKeyword("cluster"))) {
    if (parseList(cluster))
      return failure();
    result.addAttribute(getClusterAttrName(result.name),
                        builder.getDenseI64ArrayAttr(cluster));
  }
  SmallVector<Attribute> attrs;
  for (OpAsmParser::Argument &argument : arguments)
    attrs.push_back(argument.attrs ? argument.attrs
                                   : builder.getDictionaryAttr({}));
  if (llvm::any_of(attrs, [](Attribute attr) {
        return !cast<DictionaryAttr>(attr).empty();
      }))
    result.addAttribute(getArgAttrsAttrName(result.name),
                        builder.getArrayAttr(attrs));
  Region *body = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << "[";
    llvm::interleaveComma(list, printer);
    printer << "]";
  };
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(
      getBody().getArguments(), printer, [&](BlockArgument argument) {
        printer.printRegionArgument(
            argument, getArgAttrDict(argument.getArgNumber()).getValue());
      });
  printer << ") grid ";
  printList(getGrid());
  printer << " threads " << getThreads();
  if (getCluster()) {
    printer << " cluster ";
    printList(*getCluster());
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getGridAttrName(), getThreadsAttrName(),
       getClusterAttrName(), getArgAttrsAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

DictionaryAttr KernelOp::getArgAttrDict(unsigned index) {
  if (std::optional<ArrayAttr> attrs = getArgAttrs();
      attrs && index < attrs->size())
    return cast<DictionaryAttr>((*attrs)[index]);
  return DictionaryAttr::get(getContext());
}

LogicalResult KernelOp::verify() {
  auto verifyExtents = [&](StringRef what,
                           ArrayRef<int64_t> sizes) -> LogicalResult {
    if (sizes.size() != 3)
      return emitOpError() << what << " has " << sizes.size()
                           << " sizes; accepted are 3";
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      // Bounds of the driver: 2^31 - 1 blocks along x, 65535 along y and z.
      int64_t limit = dim == 0 ? 2147483647 : 65535;
      if (size < 1 || size > limit)
        return emitOpError()
               << what << " has " << size << " blocks along dimension " << dim
               << "; accepted are 1 to " << limit;
    }
    return success();
  };
  int64_t threads = getThreads();
  if (threads < 32 || threads > 1024 || threads % 32)
    return emitOpError() << "has " << threads
                         << " threads; accepted are multiples of 32 up to 1024";
  if (getArgAttrs() && getArgAttrs()->size() != getBody().getNumArguments())
    return emitOpError() << "has attributes for " << getArgAttrs()->size()
                         << " arguments of " << getBody().getNumArguments();
  for (BlockArgument argument : getBody().getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
        type.getMemorySpace())
      return emitOpError()
             << "argument " << argument.getArgNumber() << " is "
             << argument.getType()
             << "; accepted are memrefs of static shape, row-major, in the "
                "default memory space";
    // Coordinates have 32 bits and a sign, also those of a tile that hangs
    // over the end.
    constexpr int64_t kLongest = INT32_MAX - 65535;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (size > kLongest)
        return emitOpError()
               << "argument " << argument.getArgNumber() << " is " << type
               << ", " << size << " long along dimension " << dim
               << "; coordinates have 32 bits, so accepted are up to "
               << kLongest;
    DictionaryAttr attrs = getArgAttrDict(argument.getArgNumber());
    for (StringRef key : {StringRef(kBuffer), StringRef(kWorkspace)})
      if (Attribute value = attrs.get(key)) {
        auto number = dyn_cast<IntegerAttr>(value);
        if (!number || number.getInt() < 0)
          return emitOpError()
                 << "argument " << argument.getArgNumber() << " has " << key
                 << " = " << value << "; accepted are numbers from 0";
      }
    if (attrs.contains(kBuffer) && attrs.contains(kWorkspace))
      return emitOpError() << "argument " << argument.getArgNumber()
                           << " is bound to both " << kBuffer << " and "
                           << kWorkspace << "; accepted is one";
  }
  // A grid follows from its arguments: theirs is the fault to name.
  if (failed(verifyExtents("grid", getGrid())) ||
      (getCluster() && failed(verifyExtents("cluster", *getCluster()))))
    return failure();
  // Tiles belong to the threads of the region around, all of them.
  LogicalResult result = success();
  walk([&](Operation *op) {
    int64_t region = threads;
    if (auto roles = op->getParentOfType<SpecializeOp>())
      region = roles.getConsumer().isAncestor(op->getParentRegion())
                   ? threads - 128 * static_cast<int64_t>(roles.getProducers())
                   : 1;
    for (Value value : op->getResults()) {
      auto tile = dyn_cast<TileType>(value.getType());
      if (!tile || !tile.inRegisters() ||
          tile.getLayout().getNumThreads() == region)
        continue;
      op->emitOpError() << "deals a tile to "
                        << tile.getLayout().getNumThreads() << " threads where "
                        << region << " run";
      result = failure();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result;
}

//===----------------------------------------------------------------------===//
// SpecializeOp
//===----------------------------------------------------------------------===//

LogicalResult SpecializeOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  int64_t producers = getProducers(), threads = kernel.getThreads();
  if (threads % 128)
    return emitOpError()
           << "splits a block of " << threads
           << " threads; accepted are whole warpgroups, multiples of 128";
  if (128 * producers >= threads)
    return emitOpError() << "takes " << producers << " producer warpgroups of "
                         << threads / 128 << "; accepted are up to "
                         << threads / 128 - 1;
  if (getRegisters().size() != 2)
    return emitOpError() << "has " << getRegisters().size()
                         << " register counts; accepted are 2, of a producer "
                            "and of a consumer";
  for (int64_t count : getRegisters())
    if (count < 24 || count > 256 || count % 8)
      return emitOpError() << "keeps " << count
                           << " registers a thread; accepted are multiples of "
                              "8 from 24 to 256";
  int64_t total = 128 * producers * getRegisters()[0] +
                  (threads - 128 * producers) * getRegisters()[1];
  if (total > 65536)
    return emitOpError() << "keeps " << total
                         << " registers a block; accepted are up to 65536";
  return success();
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

// The results of a use of a slot have the types of the ring's tiles.
static ParseResult parseSlot(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand ring, use;
  RingType type;
  if (parser.parseOperand(ring) || parser.parseLSquare() ||
      parser.parseOperand(use) || parser.parseRSquare() ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(ring, type, result.operands) ||
      parser.resolveOperand(use, parser.getBuilder().getIndexType(),
                            result.operands))
    return failure();
  for (TileType tile : type.getTiles())
    result.addTypes(tile);
  return success();
}

static void printSlot(OpAsmPrinter &printer, Operation *op, Value ring,
                      Value use) {
  printer << " " << ring << "[" << use << "]";
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << ring.getType();
}

template <typename OpT> static LogicalResult verifySlot(OpT op) {
  auto type = cast<RingType>(op.getRing().getType());
  if (!llvm::equal(op.getTiles().getTypes(), type.getTiles()))
    return op.emitOpError() << "gives tiles other than those of " << type;
  return success();
}

ParseResult SlotOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseSlot(parser, result);
}
void SlotOp::print(OpAsmPrinter &printer) {
  printSlot(printer, *this, getRing(), getUse());
}
LogicalResult SlotOp::verify() { return verifySlot(*this); }

ParseResult ProduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseSlot(parser, result);
}
void ProduceOp::print(OpAsmPrinter &printer) {
  printSlot(printer, *this, getRing(), getUse());
}
LogicalResult ProduceOp::verify() { return verifySlot(*this); }

ParseResult ConsumeOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseSlot(parser, result);
}
void ConsumeOp::print(OpAsmPrinter &printer) {
  printSlot(printer, *this, getRing(), getUse());
}
LogicalResult ConsumeOp::verify() { return verifySlot(*this); }

/// Shared memory is planned per kernel, so what takes some is not in a loop.
static LogicalResult verifyPlace(Operation *op) {
  if (!isa<KernelOp>(op->getParentOp()))
    return op->emitOpError()
           << "stands inside of '" << op->getParentOp()->getName()
           << "'; accepted is the top of a kz.kernel";
  return success();
}
LogicalResult AllocOp::verify() { return verifyPlace(*this); }
LogicalResult RingOp::verify() { return verifyPlace(*this); }
