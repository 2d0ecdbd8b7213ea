//===- Choices.cpp - values of the choices of a schedule step -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Choices.h"

using namespace mlir;
using namespace kernelzero;

/// The one attribute that a param holds.
static DiagnosedSilenceableFailure getParam(transform::TransformState &state,
                                            Operation *op, StringRef name,
                                            Value param, Attribute &result) {
  ArrayRef<Attribute> values = state.getParams(param);
  if (values.size() != 1)
    return emitSilenceableFailure(op->getLoc())
           << name << " is a param of " << values.size()
           << " values; exactly 1 is needed";
  result = values.front();
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure kz::resolveChoice(transform::TransformState &state,
                                              Operation *op, StringRef name,
                                              Value param, IntegerAttr value,
                                              int64_t &result) {
  if (!param) {
    result = value ? value.getInt() : 0;
    return DiagnosedSilenceableFailure::success();
  }
  Attribute attr;
  if (auto diag = getParam(state, op, name, param, attr); !diag.succeeded())
    return diag;
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer)
    return emitSilenceableFailure(op->getLoc())
           << name << " is " << attr << "; an integer is needed";
  result = integer.getInt();
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure kz::resolveWord(transform::TransformState &state,
                                            Operation *op, StringRef name,
                                            Value param, StringAttr value,
                                            std::string &result) {
  if (!param) {
    result = value ? value.str() : "";
    return DiagnosedSilenceableFailure::success();
  }
  Attribute attr;
  if (auto diag = getParam(state, op, name, param, attr); !diag.succeeded())
    return diag;
  auto word = dyn_cast<StringAttr>(attr);
  if (!word)
    return emitSilenceableFailure(op->getLoc())
           << name << " is " << attr << "; a word is needed";
  result = word.str();
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure kz::resolveList(transform::TransformState &state,
                                            Operation *op, StringRef name,
                                            ValueRange params,
                                            ArrayRef<int64_t> values,
                                            SmallVectorImpl<int64_t> &result) {
  unsigned next = 0;
  for (int64_t value : values) {
    Value param = ShapedType::isDynamic(value) ? params[next++] : Value();
    int64_t &entry = result.emplace_back(value);
    if (auto diag = resolveChoice(
            state, op, name, param,
            Builder(op->getContext()).getI64IntegerAttr(value), entry);
        !diag.succeeded())
      return diag;
  }
  return DiagnosedSilenceableFailure::success();
}
