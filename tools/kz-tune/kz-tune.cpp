//===- kz-tune.cpp - the tuner --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Tune.h"
#include "KernelZero/Tools/Tools.h"
#include "KernelZero/Version.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelzero;

int kernelzero::kzTuneMain(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const CommandSpec *spec = &getTuneSpec();
  int (*command)(const ParsedOptions &) = runTune;
  if (!words.empty() && words.front() == getImportSpec().name) {
    spec = &getImportSpec();
    command = runImport;
  } else if (!words.empty() && words.front() == getWorkerSpec().name) {
    spec = &getWorkerSpec();
    command = runWorkerCommand;
  }
  if (spec != &getTuneSpec())
    words.erase(words.begin());
  if (words.size() == 1 && words.front() == "--version") {
    llvm::outs() << "KernelZero version " KERNELZERO_VERSION "\n";
    return kExitDone;
  }
  ParsedOptions options;
  if (std::string error = parseOptions(*spec, words, options); !error.empty())
    return reportError(error);
  if (options.has("--help")) {
    llvm::outs() << formatHelp(*spec);
    return kExitDone;
  }
  int code = command(options);
  llvm::outs().flush();
  if (std::error_code lost = llvm::outs().error()) {
    llvm::outs().clear_error();
    reportError("cannot write standard output: " + lost.message());
    return kExitTrouble;
  }
  return code;
}
