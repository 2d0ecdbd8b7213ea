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
#include <string>
#include <vector>

namespace kernelzero {

/// Says on standard error what is wrong; the exit code for bad usage and input,
/// or for trouble with a device, a worker or the store, or with writing.
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
/// The database in it.
std::string getStoreDatabase(const ParsedOptions &options);

/// Writes a document to a file, or to standard output for "-"; empty on
/// success. What cannot be written then is trouble, not bad usage.
std::string writeDocument(const std::string &path, const std::string &text);

/// Says on standard output, as JSON, what went wrong in a command that was to
/// write its document there; nothing where that is written.
void writeErrorDocument(int exitCode);

/// Why nothing could be written to `path` at the end, before hours are spent;
/// empty where nothing stands against it.
std::string checkWritable(const std::string &path);

/// A file of a command line, and what it is there: `option '--json'`.
struct NamedFile {
  std::string role, path;
};

/// Why `outputs` could not all be written at the end: `checkWritable`, or one
/// is the file, also by another name, of another one or of `inputs`. Empty
/// where nothing stands against it. Empty paths and "-" are no files.
std::string checkOutputs(const std::vector<NamedFile> &outputs,
                         const std::vector<NamedFile> &inputs);

/// What the store in `folder` consists of: nothing may be written over it.
std::vector<NamedFile> getStoreFiles(const std::string &folder);

/// How to start this program again, as a worker.
std::vector<std::string> getWorkerProgram();

/// From now on Ctrl-C and SIGTERM set what is returned; the second one ends the
/// program.
const std::atomic<bool> &watchInterrupts();

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_COMMON_H
