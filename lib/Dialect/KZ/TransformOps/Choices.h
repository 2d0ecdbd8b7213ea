//===- Choices.h - values of the choices of a schedule step ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_CHOICES_H
#define KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_CHOICES_H

#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelzero::kz {

/// The value of an integer choice: the attribute, or what the param holds.
/// `name` is the keyword in front of the parentheses.
mlir::DiagnosedSilenceableFailure
resolveChoice(mlir::transform::TransformState &state, mlir::Operation *op,
              llvm::StringRef name, mlir::Value param, mlir::IntegerAttr value,
              int64_t &result);

/// The value of a choice that is a word.
mlir::DiagnosedSilenceableFailure
resolveWord(mlir::transform::TransformState &state, mlir::Operation *op,
            llvm::StringRef name, mlir::Value param, mlir::StringAttr value,
            std::string &result);

/// The values of a list of choices; dynamic entries take the params in order.
mlir::DiagnosedSilenceableFailure
resolveList(mlir::transform::TransformState &state, mlir::Operation *op,
            llvm::StringRef name, mlir::ValueRange params,
            llvm::ArrayRef<int64_t> values,
            llvm::SmallVectorImpl<int64_t> &result);

/// The one payload operation of `handle`, as an `OpTy`. `role` names it in the
/// message; `wanted` says what it should have been.
template <typename OpTy>
mlir::DiagnosedSilenceableFailure
getPayload(mlir::transform::TransformState &state, mlir::Operation *op,
           mlir::Value handle, llvm::StringRef role, llvm::StringRef wanted,
           OpTy &result) {
  auto payload = llvm::to_vector(state.getPayloadOps(handle));
  if (payload.size() != 1)
    return mlir::emitSilenceableFailure(op->getLoc())
           << role << " stands for " << payload.size()
           << " operations; exactly 1 is needed";
  result = mlir::dyn_cast<OpTy>(payload.front());
  if (result)
    return mlir::DiagnosedSilenceableFailure::success();
  auto diag = mlir::emitSilenceableFailure(op->getLoc())
              << role << " is '" << payload.front()->getName() << "'; "
              << wanted << " is needed";
  diag.attachNote(payload.front()->getLoc()) << "payload op";
  return diag;
}

/// Merges equal operations under `op`.
void simplify(mlir::RewriterBase &rewriter, mlir::Operation *op);

} // namespace kernelzero::kz

#endif // KERNELZERO_LIB_DIALECT_KZ_TRANSFORMOPS_CHOICES_H
