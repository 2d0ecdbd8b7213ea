//===- kz-import-onnx.cpp - the importer alone, for its tests -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// kz-import-onnx MODEL [--locations] [NAME=SIZE...]: the module on stdout, with
// locations if asked for, or the error on stderr and exit 1.
//
//===----------------------------------------------------------------------===//
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  kernelzero::ImportOptions options;
  OpPrintingFlags flags;
  for (int k = 2; k < argc; ++k) {
    if (StringRef(argv[k]) == "--locations") {
      flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/true);
      continue;
    }
    auto [name, size] = StringRef(argv[k]).rsplit('=');
    int64_t value;
    if (size.getAsInteger(10, value)) {
      llvm::errs() << "error: '" << argv[k] << "' is no NAME=SIZE\n";
      return 2;
    }
    options.dims[name.str()] = value;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string error;
  FailureOr<OwningOpRef<ModuleOp>> module =
      kernelzero::importOnnx(context, argc > 1 ? argv[1] : "", options, error);
  if (failed(module)) {
    llvm::errs() << "error: " << error << "\n";
    return 1;
  }
  (*module)->print(llvm::outs(), flags);
  llvm::outs() << "\n";
  return 0;
}
