//===- Parse.cpp - reading IR that anyone may have written ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace kernelzero;

std::string kz::checkNesting(StringRef text) {
  static constexpr StringLiteral kOpening = "([{<", kClosing = ")]}>";
  int64_t depths[4] = {}, line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\n') {
      ++line;
    } else if (c == '"') {
      // A string ends at its quote, or with its line, which is an error.
      while (++i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\';
      line += i < text.size() && text[i] == '\n';
    } else if (c == '/' && text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.substr(i).starts_with("->") ||
               text.substr(i).starts_with("<=") ||
               text.substr(i).starts_with(">=")) {
      ++i; // No brackets.
    } else if (size_t kind = kOpening.find(c); kind != StringRef::npos) {
      if (++depths[kind] > kMostNesting)
        return "line " + std::to_string(line) + ": '" + c +
               "' is nested deeper than the " + std::to_string(kMostNesting) +
               " levels that are accepted";
    } else if (size_t kind = kClosing.find(c); kind != StringRef::npos) {
      depths[kind] -= depths[kind] > 0;
    }
  }
  return "";
}

OwningOpRef<ModuleOp> kz::parseModule(StringRef text, MLIRContext *context,
                                      StringRef name) {
  if (std::string problem = checkNesting(text); !problem.empty()) {
    emitError(FileLineColLoc::get(context, name, 0, 0)) << problem;
    return nullptr;
  }
  return parseSourceString<ModuleOp>(text, ParserConfig(context), name);
}

OwningOpRef<ModuleOp> kz::parseModuleFile(StringRef path,
                                          MLIRContext *context) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file) {
    emitError(UnknownLoc::get(context))
        << "cannot read '" << path << "': " << file.getError().message();
    return nullptr;
  }
  if (isBytecode((*file)->getMemBufferRef()))
    return parseSourceFile<ModuleOp>(path, ParserConfig(context));
  if (std::string problem = checkNesting((*file)->getBuffer());
      !problem.empty()) {
    emitError(UnknownLoc::get(context)) << problem;
    return nullptr;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}
