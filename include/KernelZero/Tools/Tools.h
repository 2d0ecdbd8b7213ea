//===- Tools.h - Entry points of the programs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each program is a function, so that it exists both as a program of its own
// and as a part of `kz`, the one static program of the portable build.
//
// A program must not define command line options as globals: in `kz` they
// would belong to every other program too. Options live in objects that the
// entry point makes.
#ifndef KERNELZERO_TOOLS_TOOLS_H
#define KERNELZERO_TOOLS_TOOLS_H

namespace kernelzero {

/// `kz-opt`: mlir-opt with the dialect, passes and schedule language.
/// Returns 0, or 1 after a diagnostic.
int kzOptMain(int argc, char **argv);

/// `kz-run`: one kernel file, compiled, run on a GPU, checked and timed.
/// Returns 0, 1 for bad usage or input, 3 for wrong output, 4 for device
/// trouble.
int kzRunMain(int argc, char **argv);

/// `kz-tune`: the tuner, with the commands tune (the default), import, worker.
/// Exit codes are in `--help`.
int kzTuneMain(int argc, char **argv);

} // namespace kernelzero

#endif // KERNELZERO_TOOLS_TOOLS_H
