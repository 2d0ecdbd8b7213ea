//===- Common.cpp - what commands of kz-tune share ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "KernelZero/Record/Record.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <filesystem>
#include <unistd.h>

using namespace mlir;
using namespace kernelzero;

/// What is to be known at the end of a command that failed.
static std::string firstError;
static bool isDataWritten = false;

int kernelzero::reportError(const std::string &sentence) {
  if (firstError.empty())
    firstError = sentence;
  llvm::errs() << "kz-tune: error: " << sentence << "\n";
  return kExitUsage;
}

int kernelzero::reportTrouble(const std::string &sentence) {
  reportError(sentence);
  return kExitTrouble;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void kernelzero::registerDriverDialects(DialectRegistry &registry) {
  registerJudge(registry);
}

std::unique_ptr<MLIRContext> kernelzero::makeContext() {
  DialectRegistry registry;
  registerDriverDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

OwningOpRef<ModuleOp> kernelzero::parseFile(MLIRContext &context,
                                            const std::string &path,
                                            std::string &error) {
  if (!llvm::sys::fs::exists(path)) {
    error = "'" + path + "': no such file";
    return nullptr;
  }
  if (!llvm::sys::fs::is_regular_file(path)) {
    error = "'" + path + "' is no regular file";
    return nullptr;
  }
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    if (!problem.empty())
      return success();
    if (auto at = dyn_cast<FileLineColLoc>(diag.getLocation()))
      problem = "line " + std::to_string(at.getLine()) + ": ";
    problem += diag.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = kz::parseModuleFile(path, &context);
  if (!module)
    error = "'" + path + "' does not parse: " + problem;
  return module;
}

static std::string parseDims(const ParsedOptions &options,
                             std::map<std::string, int64_t> &dims) {
  auto found = options.values.find("--dim");
  if (found == options.values.end())
    return "";
  for (const std::string &text : found->second) {
    size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      return "option '--dim' is '" + text + "'; accepted is NAME=VALUE";
    int64_t value = 0;
    std::string error = parseNumber("--dim", text.substr(equals + 1), 1,
                                    int64_t(1) << 40, value);
    if (!error.empty())
      return error;
    auto [entry, isNew] = dims.try_emplace(text.substr(0, equals), value);
    if (!isNew && entry->second != value)
      return "dimension '" + entry->first + "' is " +
             std::to_string(entry->second) + " and " + std::to_string(value) +
             " by --dim; one size is accepted";
  }
  return "";
}

/// Whether schedules were applied to `module`: it holds their marks.
static bool isScheduled(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return op->hasAttr(kz::kGrid) || op->hasAttr(kz::kVectorize) ||
                       isa<kz::StagedOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

OwningOpRef<ModuleOp> kernelzero::loadModel(MLIRContext &context,
                                            const std::string &path,
                                            const ParsedOptions &options,
                                            std::string &error) {
  ImportOptions import;
  error = parseDims(options, import.dims);
  if (!error.empty())
    return nullptr;
  if (llvm::sys::path::extension(path) == ".mlir") {
    if (import.dims.empty()) {
      OwningOpRef<ModuleOp> module = parseFile(context, path, error);
      if (module && isScheduled(*module)) {
        error = "'" + path +
                "' has schedules applied already; give the model that it was "
                "made of, and to run it with its winners --store DIR too";
        return nullptr;
      }
      return module;
    }
    error = "option '--dim' is '" + options.get("--dim") + "', but '" + path +
            "' has no dimensions by name; accepted is --dim with .onnx models";
    return nullptr;
  }
  FailureOr<OwningOpRef<ModuleOp>> module =
      importOnnx(context, path, import, error);
  if (failed(module))
    return nullptr;
  return std::move(*module);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string kernelzero::listTargets() {
  std::string text;
  for (const Target &target : targetTable())
    text += (text.empty() ? "" : ", ") + target.name.str();
  return text;
}

std::string kernelzero::getStoreFolder(const ParsedOptions &options) {
  const char *variable = std::getenv("KZ_STORE");
  return options.get("--store", variable && *variable ? variable : "kz-store");
}

std::string kernelzero::getStoreDatabase(const ParsedOptions &options) {
  return getStoreFolder(options) + "/experience.db";
}

std::string kernelzero::writeDocument(const std::string &path,
                                      const std::string &text) {
  if (path != "-")
    return writeFileAtomically(path, text);
  isDataWritten = true;
  llvm::outs() << text;
  llvm::outs().flush();
  std::error_code lost = llvm::outs().error();
  llvm::outs().clear_error();
  return lost ? "cannot write standard output: " + lost.message() : "";
}

void kernelzero::writeErrorDocument(int exitCode) {
  if (isDataWritten)
    return;
  llvm::json::Object document{{"schema", kSchemaVersion},
                              {"kind", "error"},
                              {"error", llvm::json::fixUTF8(firstError)},
                              {"exit_code", exitCode}};
  writeDocument(
      "-",
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(document))).str());
}

std::string kernelzero::checkWritable(const std::string &path) {
  if (path != "-" && llvm::sys::fs::is_directory(path))
    return "cannot write '" + path + "': it is a folder";
  // Folders that are missing are made.
  std::string folder = llvm::sys::path::parent_path(path).str();
  while (!folder.empty() && !llvm::sys::fs::exists(folder))
    folder = llvm::sys::path::parent_path(folder).str();
  if (path == "-" || folder.empty())
    return "";
  if (!llvm::sys::fs::is_directory(folder))
    return "cannot write '" + path + "': '" + folder + "' is no folder";
  if (!llvm::sys::fs::exists(path) && access(folder.c_str(), W_OK))
    return "cannot write '" + path + "': folder '" + folder +
           "' is not writable";
  return "";
}

/// Whether writing to one path would replace what is at the other one.
static bool isSameFile(const std::string &one, const std::string &other) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::file_status status = fs::status(one, code);
  // Pipes and devices are written, never replaced.
  if (fs::exists(status) && !fs::is_regular_file(status))
    return false;
  if (fs::equivalent(one, other, code))
    return true;
  // What does not exist yet has a name alone.
  auto resolve = [&](const std::string &path) {
    return fs::weakly_canonical(fs::absolute(path, code), code);
  };
  return resolve(one) == resolve(other);
}

std::string kernelzero::checkOutputs(const std::vector<NamedFile> &outputs,
                                     const std::vector<NamedFile> &inputs) {
  std::vector<NamedFile> others = inputs;
  for (const NamedFile &output : outputs) {
    if (output.path.empty() || output.path == "-")
      continue;
    if (std::string error = checkWritable(output.path); !error.empty())
      return error;
    for (const NamedFile &other : others)
      if (!other.path.empty() && isSameFile(output.path, other.path))
        return output.role + " is '" + output.path + "', the same file as " +
               other.role + ", '" + other.path +
               "'; accepted is a file of its own";
    others.push_back(output);
  }
  return "";
}

std::vector<NamedFile> kernelzero::getStoreFiles(const std::string &folder) {
  std::vector<NamedFile> files = {
      {"the store's database", folder + "/experience.db"}};
  std::string ignored; // Whoever reads the winners says what is wrong.
  for (std::string &path : listWinnerFiles(folder, ignored))
    files.push_back({"a winner of the store", std::move(path)});
  return files;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

std::vector<std::string> kernelzero::getWorkerProgram() {
  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable("kz-tune", &anchor);
  // The portable program is one for all tools.
  if (llvm::sys::path::filename(self) == "kz")
    return {self, "kz-tune", "worker"};
  return {self, "worker"};
}

static std::atomic<bool> interrupted(false);

static void onInterrupt(int) {
  // Once is a wish that finished work be kept; twice is an order.
  if (interrupted.exchange(true))
    _exit(kExitInterrupted);
}

const std::atomic<bool> &kernelzero::watchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // The terminal is gone, finished work is not; nohup's wish counts.
  struct sigaction hangup = {};
  if (!sigaction(SIGHUP, nullptr, &hangup) && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  return interrupted;
}
