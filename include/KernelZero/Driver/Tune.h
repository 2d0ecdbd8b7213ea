//===- Tune.h - the commands of kz-tune -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_TUNE_H
#define KERNELZERO_DRIVER_TUNE_H

#include "KernelZero/Driver/Options.h"
#include "KernelZero/Record/Record.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelzero {

/// Exit codes of every command.
enum ExitCode {
  kExitDone = 0,        ///< The asked-for result exists.
  kExitUsage = 1,       ///< Bad usage or input.
  kExitSame = 2,        ///< Nothing beat the baseline; the skeleton is stored.
  kExitNoCandidate = 3, ///< A task has no correct candidate.
  kExitTrouble = 4,     ///< Device, worker or store trouble.
  kExitInterrupted = 130,
};

const CommandSpec &getTuneSpec();
const CommandSpec &getImportSpec();
const CommandSpec &getWorkerSpec();

int runTune(const ParsedOptions &options);
int runImport(const ParsedOptions &options);
int runWorkerCommand(const ParsedOptions &options);

/// Says on stderr what is wrong with the input; the exit code for it.
int reportError(const std::string &sentence);

/// Dialects and interfaces of everything that tunes.
void registerDriverDialects(mlir::DialectRegistry &registry);

/// Imports the ONNX file, or parses a `.mlir` file; null after a sentence.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(mlir::MLIRContext &context,
                                            const std::string &path,
                                            const ParsedOptions &options);

/// The table of tasks of `--list-tasks`, and of results.
std::string formatTasks(const std::vector<TaskInfo> &tasks);
std::string formatResults(const Report &report);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_TUNE_H
