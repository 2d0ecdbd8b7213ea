//===- ApplySchedules.cpp - replay a schedule library ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Transforms/ApplySchedule.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/Passes.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtension.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelzero;

namespace kernelzero {
#define GEN_PASS_DEF_EXTRACTTASKSPASS
#define GEN_PASS_DEF_APPLYSCHEDULESPASS
#include "KernelZero/Transforms/Passes.h.inc"
} // namespace kernelzero

namespace {

struct ExtractTasksPass
    : kernelzero::impl::ExtractTasksPassBase<ExtractTasksPass> {
  void runOnOperation() override {
    if (failed(extractTasks(getOperation())))
      return signalPassFailure();
    numTasks = listTasks(getOperation()).size();
  }
};

struct ApplySchedulesPass
    : kernelzero::impl::ApplySchedulesPassBase<ApplySchedulesPass> {
  using ApplySchedulesPassBase::ApplySchedulesPassBase;
  ApplySchedulesPass() = default;
  explicit ApplySchedulesPass(HashCode hashCode)
      : hashCode(std::move(hashCode)) {}
  ApplySchedulesPass(const ApplySchedulesPass &other)
      : ApplySchedulesPassBase(other), hashCode(other.hashCode) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    ApplySchedulesPassBase::getDependentDialects(registry);
    registerScheduleDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (libraries.empty()) {
      module.emitError()
          << "kz-apply-schedules needs library=PATH, a folder of "
             "winners or one file";
      return signalPassFailure();
    }
    std::string problem;
    row = resolveTarget(target, problem);
    if (!row) {
      module.emitError() << problem;
      return signalPassFailure();
    }
    WinnerLibrary winners;
    for (const std::string &path : libraries) {
      std::string error;
      std::unique_ptr<WinnerLibrary> library =
          WinnerLibrary::load(&getContext(), path, error);
      if (!library) {
        emitError(module.getLoc()) << error;
        return signalPassFailure();
      }
      winners.append(*library);
    }
    if (failed(extractTasks(module)))
      return signalPassFailure();
    int64_t applied = 0, tasks = 0;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(kTaskAttr)) {
        reportGlue(function);
        continue;
      }
      ++tasks;
      applied += applyTo(function, winners);
    }
    numApplied = applied;
    numUnmatched = tasks - applied;
    InFlightDiagnostic end =
        applied ? emitRemark(module.getLoc()) : emitWarning(module.getLoc());
    end << applied << " of " << tasks << " tasks have a schedule from '"
        << llvm::join(libraries, "', '") << "'";
  }

private:
  /// Says of every operation that no task took that it stays.
  static void reportGlue(func::FuncOp function) {
    function.walk([](Operation *op) {
      // Destinations and their first values are no work of their own.
      if (isa<tensor::EmptyOp, linalg::FillOp>(op))
        return;
      if (isa<linalg::LinalgOp>(op) ||
          isa<tensor::TensorDialect>(op->getDialect()))
        op->emitRemark() << "'" << op->getName()
                         << "' belongs to no task and stays as it is";
    });
  }

  /// Applies the entry for `function`, if there is one, and says what was done.
  bool applyTo(func::FuncOp function, const WinnerLibrary &winners) {
    std::string key = function->getAttrOfType<DictionaryAttr>(kTaskAttr)
                          .getAs<StringAttr>("key")
                          .str();
    auto leave = [&](const Twine &reason) {
      function.emitRemark()
          << "task '" << function.getName() << "' has no schedule: " << reason;
      return false;
    };
    std::string reason;
    const Winner *winner = winners.find(key, getTargetText(*row), reason);
    if (!winner)
      return leave(reason);
    const Evidence &evidence = winner->evidence;
    bool isForeign = evidence.toolchain != getToolchain();
    if (isForeign && !allowToolchain)
      return leave("the evidence of '" + winner->path + "' is of toolchain '" +
                   evidence.toolchain + "', this one is '" + getToolchain() +
                   "'; allow-toolchain applies it all the same");
    if (evidence.code.empty() && !allowUnchecked)
      return leave("the evidence of '" + winner->path +
                   "' holds no hash of its code to check; allow-unchecked "
                   "applies it all the same");
    ScheduleError error;
    OwningOpRef<ModuleOp> scheduled =
        applySchedule(function, winner->schedule, error);
    if (!scheduled)
      return leave(
          "'" + winner->path + "' does not fit: " +
          (error.sentences.empty() ? "unknown" : error.sentences.front()));
    OwningOpRef<ModuleOp> copy = scheduled->clone();
    std::string code = hashCode(*copy, *row, reason);
    if (code.empty())
      return leave("'" + winner->path + "' does not compile: " + reason);
    std::string note;
    if (code == evidence.code) {
      note = ", code " + code + " as tuned";
    } else if (evidence.code.empty()) {
      note = ", code " + code + ", which nothing was tuned to";
    } else {
      note = ", code " + code + " where " + evidence.code + " was tuned by " +
             evidence.toolchain;
      // Another toolchain gives other code; the same one does so only for
      // another schedule.
      if (!isForeign && !allowUnchecked)
        return leave("'" + winner->path + "' gives" + note.substr(1) +
                     ": it was edited since, or this machine is another; "
                     "allow-unchecked applies it all the same");
    }
    auto source = *scheduled->getOps<func::FuncOp>().begin();
    function.getBody().takeBody(source.getBody());
    emitRemark(function.getLoc())
        << "task '" << function.getName() << "' has schedule '" << winner->path
        << "'" << note;
    return true;
  }

  const Target *row = nullptr;
  HashCode hashCode;
};

} // namespace

void kernelzero::registerTaskPasses(HashCode hashCode) {
  registerPass([] { return std::make_unique<ExtractTasksPass>(); });
  registerPass(
      [hashCode] { return std::make_unique<ApplySchedulesPass>(hashCode); });
}

void kernelzero::registerScheduleDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  kz::KZDialect, linalg::LinalgDialect, math::MathDialect,
                  scf::SCFDialect, tensor::TensorDialect,
                  transform::TransformDialect>();
  kz::registerTransformExtension(registry);
  transform::registerTuneExtension(registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  tensor::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
}
