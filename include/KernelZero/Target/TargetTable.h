//===- TargetTable.h - one row of facts per hardware -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_TARGET_TARGETTABLE_H
#define KERNELZERO_TARGET_TARGETTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir {
class ModuleOp;
}

namespace kernelzero {

/// The attribute of a module that says which target its code is for: a string
/// that `resolveTargetText` takes, or a `#kz.target`.
inline constexpr llvm::StringLiteral kTargetAttr = "kz.target";

/// Bytes of a multiprocessor's shared memory that the system keeps for each
/// block.
inline constexpr int64_t kSystemSharedBytes = 1024;

/// What schedules, lowerings and bounds need to know of one kind of hardware.
/// A zero means "has none" or, for `host`, "asked of the machine at run time".
struct Target {
  llvm::StringRef name;        ///< What users write after --target.
  llvm::StringRef description; ///< The part whose numbers these are.

  llvm::StringRef chip;        ///< LLVM and ptxas name; empty on the host.
  llvm::StringRef ptxFeatures; ///< The PTX version that code asks for.
  int64_t capability;          ///< Compute capability times ten.

  int64_t multiprocessors;
  int64_t clockMHz; ///< Highest clock, at which the peak rates hold.
  int64_t l2Bytes;
  int64_t sharedBytesPerBlock; ///< Most that one block can ask for.
  int64_t sharedBytesPerMultiprocessor;
  int64_t registersPerMultiprocessor;
  int64_t registersPerThread;
  int64_t threadsPerBlock;
  int64_t threadsPerMultiprocessor;
  int64_t blocksPerMultiprocessor;
  int64_t blocksPerCluster; ///< 1: no clusters.

  double f16TensorFlops; ///< Dense f16 or bf16 with f32 sums, per second.
  double f32Flops;       ///< Plain f32 fused multiply-adds, two each.
  double dramBytesPerSecond;

  bool mmaSync; ///< mma.sync of f16 and bf16, ldmatrix.
  bool cpAsync; ///< cp.async of 16 bytes.
  bool tma;     ///< Bulk tensor copies and mbarriers.
  bool wgmma;   ///< wgmma and setmaxnreg.

  // Host only; `findTarget` asks the machine.
  int64_t vectorBytes = 0;
  int64_t vectorRegisters = 0;
  int64_t l1Bytes = 0;

  /// The `#kz.target` attribute of a what-if row; empty in the table.
  llvm::StringRef text = "";

  bool isGPU() const { return !chip.empty(); }
};

/// All rows, in the order in which messages list them.
llvm::ArrayRef<Target> targetTable();

/// The row called `name`; null where there is none.
const Target *findTarget(llvm::StringRef name);

/// One sentence that says that `name` is unknown, which row comes nearest to it
/// and what is accepted: rows of the table, and `others`.
std::string
unknownTargetMessage(llvm::StringRef name,
                     llvm::StringRef others = "files of a #kz.target");

/// Largest file that `resolveTarget` reads.
inline constexpr uint64_t kMaxTargetBytes = 1 << 20;

/// The row that `text` means: the name of a row, or a `#kz.target` attribute (a
/// what-if row). For what programs and files hold: it never reads a file. Null,
/// and one sentence in `error`, where it means none. Rows live as long as the
/// process.
const Target *resolveTargetText(llvm::StringRef text, std::string &error);

/// The same for what users write, who may also name a regular file of at most
/// `kMaxTargetBytes` that holds a `#kz.target`, alone or as the attribute
/// `kz.target` of its module.
const Target *resolveTarget(llvm::StringRef text, std::string &error);

/// The identity of `target`, the same in every process: its name, or the whole
/// attribute of a what-if row, whose name says nothing of its facts. What
/// records, runs, guards, workers and queries hold; `resolveTargetText` reads
/// the same row from it.
std::string getTargetText(const Target &target);
/// What the module's attribute `kz.target` says, in the same form; empty where
/// there is none.
std::string getTargetText(mlir::ModuleOp module);

/// What people read of the target whose identity is `text`: the name of its
/// row, which several what-if rows may share; `text` itself where it means
/// none.
std::string getTargetName(llvm::StringRef text);

/// What files and folders of the target whose identity is `text` are called:
/// its name, and for a what-if row `NAME-HASH8`, the hash of its text.
std::string getTargetFileName(llvm::StringRef text);

/// The row as text, one fact a line.
std::string describeTarget(const Target &target);

} // namespace kernelzero

#endif // KERNELZERO_TARGET_TARGETTABLE_H
