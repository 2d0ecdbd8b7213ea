//===- MathFormTable.h - which forms of a function there are --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DIALECT_KZ_IR_MATHFORMTABLE_H
#define KERNELZERO_DIALECT_KZ_IR_MATHFORMTABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir {
class Attribute;
class Operation;
} // namespace mlir

namespace kernelzero {

/// One way of evaluating a transcendental function on f32.
struct MathForm {
  /// The error is at most this many units in the last place of the exact
  /// result, where that is a normal number; a form is chosen by this number.
  int64_t ulp;
  /// Lower-case sentence: how it is evaluated, and what it does not keep.
  llvm::StringRef text;
};

/// The functions that have forms of our own: exp, exp2, log, erf, tanh, and
/// div, the quotient of two numbers.
llvm::ArrayRef<llvm::StringRef> getMathFunctions();

/// The forms of `function`, most accurate first; empty for a function that has
/// none.
llvm::ArrayRef<MathForm> getMathForms(llvm::StringRef function);

/// Whether `op` is one evaluation of `function`.
bool evaluatesMath(mlir::Operation *op, llvm::StringRef function);

/// The form taken where a schedule names none.
int64_t getDefaultUlp(llvm::StringRef function);

/// Nothing where `function` has a form of `ulp`, else the sentence that says
/// which forms there are.
std::optional<std::string> explainUnknownForm(llvm::StringRef function,
                                              int64_t ulp);

/// The form that the attribute `kz.math` of `op`, or of an operation around
/// it, chooses for `function`, else the default.
int64_t getChosenUlp(mlir::Operation *op, llvm::StringRef function);

} // namespace kernelzero

#endif // KERNELZERO_DIALECT_KZ_IR_MATHFORMTABLE_H
