//===- Common.h - what commands of kz-tune share --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_COMMON_H
#define KERNELZERO_DRIVER_COMMON_H

#include "KernelZero/Driver/Options.h"
#include "KernelZero/Target/TargetTable.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <memory>

namespace kernelzero {

/// Says on standard error what is wrong; the exit code for bad usage and input,
/// or for trouble with a device, a worker or the store.
int reportError(const std::string &sentence);
int reportTrouble(const std::string &sentence);

/// Dialects and interfaces of everything that tunes.
void registerDriverDialects(mlir::DialectRegistry &registry);

/// A context of one thread (workers fork) with those dialects loaded; an error
/// in it is a sentence without the operation behind it.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Parses the `.mlir` file at `path`; null and a sentence in `error`.
mlir::OwningOpRef<mlir::ModuleOp> parseFile(mlir::MLIRContext &context,
                                            const std::string &path,
                                            std::string &error);

/// Imports the ONNX file, or parses a `.mlir` file; null and a sentence.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(mlir::MLIRContext &context,
                                            const std::string &path,
                                            const ParsedOptions &options,
                                            std::string &error);

/// Names of all targets, separated by commas, for messages.
std::string listTargets();

/// The folder of `--store`, of `KZ_STORE`, or `kz-store` here.
std::string getStoreFolder(const ParsedOptions &options);

/// Writes a document to a file, or to standard output for "-"; empty on
/// success.
std::string writeDocument(const std::string &path, const std::string &text);

/// Says on standard output, as JSON, what went wrong in a command that was to
/// write its document there; nothing where that is written.
void writeErrorDocument(int exitCode);

/// Why nothing could be written to `path` at the end, before hours are spent;
/// empty where nothing stands against it.
std::string checkWritable(const std::string &path);

/// How to start this program again, as a worker.
std::vector<std::string> getWorkerProgram();

/// From now on Ctrl-C and SIGTERM set what is returned; the second one ends the
/// program.
const std::atomic<bool> &watchInterrupts();

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_COMMON_H
