//===- HostJIT.h - run lowered tasks in this process ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TARGET_HOSTJIT_H
#define KERNELZERO_TARGET_HOSTJIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace kernelzero {

struct HostOptions {
  /// Instruction set; empty is that of this machine. Code for another one can
  /// be compiled but not run here.
  std::string cpu;
  std::string features;
  /// Where to write the object code, for reading it; empty for nowhere.
  std::string objectFile;
};

/// Processor time of the steps from the lowered module to code, in
/// milliseconds.
struct HostCompileTimes {
  double translate = 0, optimize = 0, generate = 0;
};

/// Machine code of a task as plain data, which another process of this machine
/// can load.
struct HostObject {
  std::string code; ///< A relocatable object.
  std::string ir;   ///< The LLVM IR that it was made of.
  unsigned inputs = 0, outputs = 0;
  int64_t sharedBytes = 0, privateBytes = 0; ///< Workspace of a call.
  HostCompileTimes times;

  /// A hash of the LLVM IR: equal for equal code.
  std::string hash() const;
};

/// Compiles what `lowerToHost` made. The module is only read.
llvm::Expected<HostObject> compileHostObject(mlir::ModuleOp lowered,
                                             const HostOptions &options = {});

/// A compiled task. Everything that is measured, stored or replayed is made
/// here, at one optimisation level.
class HostKernel {
public:
  /// Compiles what `lowerToHost` made. The module is only read.
  static llvm::Expected<std::unique_ptr<HostKernel>>
  compile(mlir::ModuleOp lowered, const HostOptions &options = {});
  /// Takes code that was compiled before; only relocations are done here.
  /// With `callerWorkspace` nothing is allocated, and `setWorkspace` has to be
  /// called before `run`.
  static llvm::Expected<std::unique_ptr<HostKernel>>
  load(HostObject object, bool callerWorkspace = false);
  ~HostKernel();

  /// Runs the task: pointers to the inputs, then to the outputs, flat and
  /// row-major. One call at a time: the workspace belongs to the kernel.
  void run(llvm::ArrayRef<void *> inputsThenOutputs);

  unsigned getNumInputs() const;
  unsigned getNumOutputs() const;
  int64_t getWorkspaceBytes() const;
  /// Uses `memory`, so many bytes from the start of a page, from now on.
  void setWorkspace(void *memory);

  /// The LLVM IR that was compiled, and a hash of it: equal for equal code.
  const std::string &llvmIR() const;
  std::string hash() const;
  const HostCompileTimes &times() const;

private:
  HostKernel();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Lowers and compiles the scheduled task in `module`, which is changed; the
/// hash of its code, or empty and a sentence in `error`.
std::string hashHostCode(mlir::ModuleOp module, std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_TARGET_HOSTJIT_H
