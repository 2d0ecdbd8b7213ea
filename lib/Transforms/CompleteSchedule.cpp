//===- CompleteSchedule.cpp - write defaults out --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/CompleteSchedule.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

static void completeStep(Operation *op) {
  Builder b(op->getContext());
  IntegerAttr zero = b.getI64IntegerAttr(0);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kz::TileGridOp grid) {
        if (!grid.getStaticGroupMAttr())
          grid.setStaticGroupMAttr(zero);
      })
      .Case([&](kz::TileLoopOp loop) {
        if (loop.getOrder())
          return;
        SmallVector<int64_t> order(loop.getStaticTile().size());
        std::iota(order.begin(), order.end(), 0);
        loop.setOrderAttr(b.getDenseI64ArrayAttr(order));
      })
      .Case([&](kz::StageOp stage) {
        if (!stage.getStaticCopyAttr())
          stage.setStaticCopyAttr(b.getStringAttr("plain"));
        if (stage.getSpace() == "shared" && !stage.getStaticSwizzleAttr())
          stage.setStaticSwizzleAttr(zero);
      })
      .Case([&](kz::VectorizeOp vectorize) {
        if (!vectorize.getStaticInterleaveAttr())
          vectorize.setStaticInterleaveAttr(b.getI64IntegerAttr(1));
        if (!vectorize.getAccumulateAttr())
          vectorize.setAccumulateAttr(b.getStringAttr("memory"));
      });
}

LogicalResult
kernelzero::completeSchedule(transform::NamedSequenceOp schedule) {
  auto result = schedule->walk([](Operation *op) {
    StringRef name;
    if (auto knob = dyn_cast<transform::tune::KnobOp>(op))
      name = knob.getName().getValue();
    else if (auto choice = dyn_cast<transform::tune::AlternativesOp>(op))
      name = choice.getName().getValue();
    else
      return WalkResult::advance();
    op->emitError() << "the choice '" << name
                    << "' is open; bind it with kz-bind-knobs first";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  schedule->walk(completeStep);
  schedule->setAttr(kz::kLanguageAttr, kz::LangAttr::get(schedule.getContext(),
                                                         kz::kLanguageVersion));
  return success();
}

std::string
kernelzero::completeSkeleton(MLIRContext *context, const Skeleton &skeleton,
                             const std::map<std::string, int64_t> &values,
                             std::string &error) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    if (error.empty())
      error = diag.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      skeleton.text, ParserConfig(context), "skeleton");
  if (!module)
    return "";
  std::map<std::string, Attribute> attributes;
  Builder builder(context);
  for (const auto &[name, value] : values)
    attributes[name] = builder.getI64IntegerAttr(value);
  if (failed(bindKnobs(*module, attributes)))
    return "";
  for (auto schedule : module->getOps<transform::NamedSequenceOp>())
    if (failed(completeSchedule(schedule)))
      return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return text;
}
