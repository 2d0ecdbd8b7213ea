//===- Parse.h - reading IR that anyone may have written ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_IR_PARSE_H
#define KERNELZERO_DIALECT_KZ_IR_PARSE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelzero::kz {

/// Brackets of one kind within each other that are read. MLIR's parser makes
/// several calls for each, and would overflow its stack at some thousands.
constexpr int64_t kMostNesting = 256;

/// Why `text` is not to be parsed: a sentence with the line where brackets nest
/// too deep; empty where it may be.
std::string checkNesting(llvm::StringRef text);

/// `text` as a module; null, and a diagnostic that names `name`, where it does
/// not parse or `checkNesting` refuses it.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text,
                                              mlir::MLIRContext *context,
                                              llvm::StringRef name);

/// The same for the file `path`, which may also be bytecode.
mlir::OwningOpRef<mlir::ModuleOp> parseModuleFile(llvm::StringRef path,
                                                  mlir::MLIRContext *context);

} // namespace kernelzero::kz

#endif // KERNELZERO_DIALECT_KZ_IR_PARSE_H
