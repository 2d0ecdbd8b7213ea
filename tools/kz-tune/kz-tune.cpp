//===- kz-tune.cpp - the tuner --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Tools/Tools.h"
#include "llvm/Support/Process.h"

int kernelzero::kzTuneMain(int argc, char **argv) {
  // A closed one would become that of a worker or a file.
  llvm::sys::Process::FixupStandardFileDescriptors();
  return runKzTune({argv + 1, argv + argc});
}
