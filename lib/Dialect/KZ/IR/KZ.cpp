//===- KZ.cpp - the kz dialect --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::kz;

#include "KernelZero/Dialect/KZ/IR/KZDialect.cpp.inc"
#include "KernelZero/Dialect/KZ/IR/KZEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelZero/Dialect/KZ/IR/KZAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "KernelZero/Dialect/KZ/IR/KZOps.cpp.inc"

void KZDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KernelZero/Dialect/KZ/IR/KZAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "KernelZero/Dialect/KZ/IR/KZOps.cpp.inc"
      >();
  registerTileLevel();
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  StringAttr name, base;
  NamedAttrList facts;
  if (parser.parseLess() || parser.parseAttribute(name) ||
      parser.parseKeyword("from") || parser.parseAttribute(base) ||
      parser.parseOptionalAttrDict(facts) || parser.parseGreater())
    return {};
  MLIRContext *context = parser.getContext();
  return get(context, name, base,
             facts.empty() ? DictionaryAttr() : facts.getDictionary(context));
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << " from " << getBase();
  if (getFacts())
    printer << " " << getFacts();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// StageAttr
//===----------------------------------------------------------------------===//

// The default struct printer writes every list; ours leaves out what was not
// said, so that a marker reads like the schedule step that made it.
Attribute StageAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  std::optional<Space> space = symbolizeSpace(word);
  if (!space) {
    parser.emitError(loc) << "stages in '" << word
                          << "'; accepted are registers, shared, memory";
    return {};
  }
  CopyKind copy = CopyKind::Plain;
  int64_t swizzle = 0, width = 0, panels = 0;
  SmallVector<int64_t> chunk;
  while (succeeded(parser.parseOptionalComma())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word) || parser.parseEqual())
      return {};
    ParseResult result = failure();
    if (word == "copy") {
      StringRef kind;
      if (parser.parseKeyword(&kind))
        return {};
      std::optional<CopyKind> parsed = symbolizeCopyKind(kind);
      if (!parsed) {
        parser.emitError(loc)
            << "copies by '" << kind
            << "'; accepted are plain, cp_async, tma, tma_store";
        return {};
      }
      copy = *parsed;
      result = success();
    } else if (word == "swizzle") {
      result = parser.parseInteger(swizzle);
    } else if (word == "width") {
      result = parser.parseInteger(width);
    } else if (word == "panels") {
      result = parser.parseInteger(panels);
    } else if (word == "chunk") {
      result =
          parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
            return parser.parseInteger(chunk.emplace_back());
          });
    } else {
      parser.emitError(loc)
          << "unknown key '" << word
          << "'; accepted are copy, swizzle, width, panels, chunk";
      return {};
    }
    if (result)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *space, copy, swizzle, width, panels, chunk);
}

void StageAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifySpace(getSpace());
  if (getCopy() != CopyKind::Plain)
    printer << ", copy = " << stringifyCopyKind(getCopy());
  if (getSwizzle())
    printer << ", swizzle = " << getSwizzle();
  if (getWidth())
    printer << ", width = " << getWidth();
  if (getPanels())
    printer << ", panels = " << getPanels();
  if (!getChunk().empty()) {
    printer << ", chunk = [";
    llvm::interleaveComma(getChunk(), printer);
    printer << "]";
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// LangAttr
//===----------------------------------------------------------------------===//

LogicalResult LangAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t version) {
  if (version >= 1 && version <= kLanguageVersion)
    return success();
  return emitError() << "language version " << version
                     << " is not known; accepted are 1 to " << kLanguageVersion;
}

//===----------------------------------------------------------------------===//
// StagedOp
//===----------------------------------------------------------------------===//

LogicalResult StagedOp::verify() {
  int64_t swizzle = getStage().getSwizzle();
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle))
    return emitOpError() << "swizzle " << swizzle
                         << " is not a span of bytes that the hardware has; "
                            "accepted are 0, 32, 64, 128";
  return success();
}
