//===- Import.cpp - kz-tune import ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"

using namespace mlir;
using namespace kernelzero;

static int runImport(const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return reportError("kz-tune import takes 1 model, " +
                       std::to_string(options.positional.size()) +
                       " were given");
  std::string output = options.get("-o");
  if (output.empty())
    return reportError("kz-tune import needs -o FILE, the file to write");
  const std::string &path = options.positional.front();
  std::string error =
      checkOutputs({{"option '-o'", output}}, {{"the model", path}});
  if (!error.empty())
    return reportError(error);
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module = loadModel(*context, path, options, error);
  if (!module)
    return reportError(error);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  error = writeDocument(output, text);
  return error.empty() ? kExitDone : reportTrouble(error);
}

Command kernelzero::getImportCommand() {
  return {
      {"import",
       "kz-tune import MODEL.onnx -o MODEL.mlir [options]",
       "Writes the model as MLIR of level L0, for kz-opt.",
       "MODEL.onnx",
       {{"-o", "FILE", "file to write; - is standard output"},
        {"--dim", "NAME=VALUE", "binds a dynamic dimension; may be repeated"},
        {"--help", "", "print this"}},
       "  kz-tune import examples/mlp.onnx -o mlp.mlir\n"
       "  kz-tune import model.onnx -o - --dim batch=8 | kz-opt "
       "--kz-extract-tasks\n",
       "exit codes:\n  0    the file is written\n  1    bad usage or input\n"
       "  4    the file cannot be written\n"},
      runImport};
}
