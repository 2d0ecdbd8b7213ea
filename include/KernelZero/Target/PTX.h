//===- PTX.h - from a gpu.module to PTX and machine code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TARGET_PTX_H
#define KERNELZERO_TARGET_PTX_H

#include "KernelZero/Target/TargetTable.h"
#include "mlir/Support/LLVM.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
namespace gpu {
class GPUModuleOp;
}
} // namespace mlir

namespace kernelzero {

/// The attribute of a gpu.module that holds its PTX.
inline constexpr llvm::StringLiteral kPTXAttr = "kz.ptx";

/// What each step took, in milliseconds.
struct PTXTimes {
  double passes = 0;    ///< scf, arith, math, vector, nvvm to the LLVM dialect.
  double translate = 0; ///< To LLVM IR.
  double optimize = 0;  ///< LLVM's -O3 pipeline.
  double emit = 0;      ///< LLVM IR to PTX.
};

/// Lowers a copy of `module` (L3: llvm.func with nvvm, scf, arith, math and
/// vector operations) to PTX for `target`. Faults are reported on the module.
mlir::FailureOr<std::string> translateToPTX(mlir::gpu::GPUModuleOp module,
                                            const Target &target,
                                            PTXTimes *times = nullptr);

/// What the assembler says of one kernel.
struct KernelResources {
  std::string kernel;
  int64_t registers = 0;
  int64_t stackBytes = 0;
  int64_t spillStoreBytes = 0;
  int64_t spillLoadBytes = 0;
  int64_t sharedBytes = 0; ///< Static shared memory only.
};

/// PTX after the assembler.
struct Assembled {
  std::string cubin;
  std::vector<KernelResources> kernels;
  std::vector<std::string> advice; ///< Warnings and performance advice.
  double milliseconds = 0;
};

/// The path of ptxas: under CUDA_PATH, on PATH, under /usr/local/cuda.
std::optional<std::string> findPtxas();

/// The sentence for a machine that has none.
std::string missingPtxasMessage();

/// How an attempt to assemble ended.
enum class Assembly {
  Done,
  Refused,  ///< Not within its time, or by the assembler: it is the PTX.
  Killed,   ///< The assembler was, who knows why.
  Unusable, ///< There is no assembler that works: it is the machine.
};

/// Runs `ptxas` on `ptx` as a process of at most `seconds`; leaves no file. One
/// sentence in `error` unless it is done.
[[nodiscard]] Assembly assemblePTX(llvm::StringRef ptxas, llvm::StringRef ptx,
                                   const Target &target, unsigned seconds,
                                   Assembled &result, std::string &error);

/// `nvJitLink 13.0`, found at run time; empty where there is none.
std::string describeNVJitLink();

/// Whether nvJitLink is there and makes of `ptx` what it says: it ignores
/// setmaxnreg, on which kernels with roles depend.
bool isLeftToNVJitLink(llvm::StringRef ptx);

/// Machine code by nvJitLink, inside this process. On failure returns false and
/// one sentence in `error`.
bool linkPTX(llvm::StringRef ptx, const Target &target, Assembled &result,
             std::string &error);

/// Reads what `ptxas -v` prints.
void parsePtxasReport(llvm::StringRef text, Assembled &result);

/// How often each instruction stands in `ptx`, by its opcode. `brief`: by kind,
/// without types (`ld.global.v4`, `mma.sync`), and only kinds that cost.
std::map<std::string, int64_t> countInstructions(llvm::StringRef ptx,
                                                 bool brief = false);

/// Registers the pass kz-nvvm-to-ptx, and what it needs of the registry.
void registerTargetPasses();
void registerTargetDialects(mlir::DialectRegistry &registry);

} // namespace kernelzero

#endif // KERNELZERO_TARGET_PTX_H
