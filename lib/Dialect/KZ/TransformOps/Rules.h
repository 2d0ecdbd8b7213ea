//===- Rules.h - which values a schedule step accepts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_RULES_H
#define KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_RULES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

/// Each rule is written once: verifiers ask it about values that stand in the
/// text, the steps themselves about values that came as params. The answer is
/// the sentence that says what is wrong, or nothing.
namespace kernelzero::kz {

using Complaint = std::optional<std::string>;

/// At least `least`, and no more than anything that makes sense: products of
/// choices must not overflow, and code must end.
Complaint checkAtLeast(llvm::StringRef name, int64_t value, int64_t least,
                       int64_t most = 65536);
/// One of `accepted`; `verb` comes before the word.
Complaint checkWord(llvm::StringRef verb, llvm::StringRef word,
                    llvm::ArrayRef<llvm::StringRef> accepted);
Complaint checkTileSizes(llvm::ArrayRef<int64_t> sizes);
Complaint checkThreads(int64_t threads);
Complaint checkVector(int64_t vector);
Complaint checkPowerOfTwo(llvm::StringRef name, int64_t value);
Complaint checkUnroll(int64_t factor);
Complaint checkRegisters(llvm::ArrayRef<int64_t> counts);
Complaint checkWarps(llvm::ArrayRef<int64_t> counts);
Complaint checkMmaShape(llvm::StringRef kind, llvm::ArrayRef<int64_t> shape);

/// The choices of one `transform.kz.stage`; what was not said is empty or 0,
/// what is not known yet is dynamic or "?".
struct StageChoices {
  llvm::StringRef value, space, copy;
  int64_t swizzle = 0, width = 0, panels = 0;
  llvm::ArrayRef<int64_t> chunk;
  bool before = false;
};
Complaint checkStage(const StageChoices &stage);

} // namespace kernelzero::kz

#endif // KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_RULES_H
