//===- kz-tune.cpp - the tuner --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Tools/Tools.h"

int kernelzero::kzTuneMain(int argc, char **argv) {
  return runKzTune({argv + 1, argv + argc});
}
