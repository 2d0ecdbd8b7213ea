//===- CheckTransformScripts.cpp - what the interpreter can run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace kernelzero {
#define GEN_PASS_DEF_CHECKTRANSFORMSCRIPTSPASS
#include "KernelZero/Transforms/Passes.h.inc"
} // namespace kernelzero

/// Whether the interpreter runs the operations in `op` one after the other;
/// other regions of scripts (patterns, constraints) have rules of their own.
static bool isSequence(Operation *op) {
  return isa<transform::NamedSequenceOp, transform::SequenceOp,
             transform::ForeachOp, transform::AlternativesOp,
             transform::tune::AlternativesOp>(op);
}

namespace {
struct CheckTransformScriptsPass
    : kernelzero::impl::CheckTransformScriptsPassBase<
          CheckTransformScriptsPass> {
  void runOnOperation() override {
    check(getOperation());
    // What transform-preload-library has read is run as well.
    auto *dialect =
        getContext().getLoadedDialect<transform::TransformDialect>();
    if (dialect && dialect->getLibraryModule())
      check(dialect->getLibraryModule());
  }

private:
  void check(Operation *root) {
    root->walk([&](Operation *op) {
      if (op == root || !isSequence(op->getParentOp()) ||
          isa<transform::TransformOpInterface>(op) ||
          op->hasTrait<OpTrait::IsTerminator>())
        return;
      op->emitError() << "'" << op->getName()
                      << "' is no step of a transform script; accepted are "
                         "operations of the transform dialect";
      signalPassFailure();
    });
  }
};
} // namespace
