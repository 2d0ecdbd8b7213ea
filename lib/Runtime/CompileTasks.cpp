//===- CompileTasks.cpp - every task's skeleton as code -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Transforms/CheckSchedule.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include <random>

namespace kernelzero {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_COMPILETASKSPASS
#include "KernelZero/Runtime/Passes.h.inc"
} // namespace kernelzero

using namespace mlir;
using namespace kernelzero;

using Values = std::map<std::string, int64_t>;

namespace {
/// Brings one task to code and says how it went.
class TaskCompiler {
public:
  TaskCompiler(func::FuncOp task, const Target &target,
               const GPUCompileOptions &options)
      : task(task), target(target), options(options) {}

  /// The skeleton with `values`, down to machine code; a sentence where
  /// something stands against it.
  std::string compile(const Skeleton &skeleton, const Values &values,
                      GPUCode &code);

private:
  func::FuncOp task;
  const Target &target;
  const GPUCompileOptions &options;
};
} // namespace

std::string TaskCompiler::compile(const Skeleton &skeleton,
                                  const Values &values, GPUCode &code) {
  MLIRContext *context = task.getContext();
  std::string said;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (said.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      said = diagnostic.str();
    return success();
  });
  auto fail = [&](StringRef otherwise) {
    return said.empty() ? otherwise.str() : said;
  };
  std::string sentence;
  OwningOpRef<ModuleOp> scheduled =
      applySkeleton(task, skeleton, values, sentence);
  if (!scheduled)
    return sentence;
  for (auto function : scheduled->getOps<func::FuncOp>())
    if (std::vector<Finding> findings = checkLimits(function, target);
        !findings.empty())
      return findings.front().sentence;
  if (!compileForGPU(*scheduled, target, options, code, sentence))
    return sentence.empty() ? fail("it could not be compiled") : sentence;
  return "";
}

static std::string describeValues(const Values &values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      values, os,
      [&](const auto &entry) { os << entry.first << "=" << entry.second; },
      " ");
  return text;
}

namespace {
struct CompileTasksPass
    : public kernelzero::impl::CompileTasksPassBase<CompileTasksPass> {
  using CompileTasksPassBase::CompileTasksPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerTargetDialects(registry);
    registry.insert<func::FuncDialect, transform::TransformDialect>();
  }

  int64_t numGood = 0, numBad = 0, numDrawn = 0, numIllegal = 0;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    markAllAnalysesPreserved();
    std::vector<const Target *> rows;
    for (const std::string &name : targets) {
      std::string error;
      const Target *row = resolveTarget(name, error);
      if (row && !row->isGPU())
        error = "target " + name + " is no GPU; name one, sm_80 say";
      if (!error.empty()) {
        module.emitError() << error;
        return signalPassFailure();
      }
      rows.push_back(row);
    }
    if (rows.empty()) {
      module.emitError() << "no target: say targets=sm_80, for example";
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> tasks;
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr(kTaskAttr))
        tasks.push_back(function);
    if (tasks.empty())
      for (auto function : module.getOps<func::FuncOp>())
        if (!function.isDeclaration())
          tasks.push_back(function);
    GPUCompileOptions options;
    options.ptxas = ptxas;
    for (func::FuncOp task : tasks)
      for (const Target *row : rows)
        compileTask(task, *row, options);
    llvm::outs() << numGood << " of " << numGood + numBad
                 << " compiled, further draws " << numDrawn << ", illegal "
                 << numIllegal << "\n";
    llvm::outs().flush();
    if (numBad)
      signalPassFailure();
  }

  void report(func::FuncOp task, const Target &target, const GPUCode &code,
              const Values &values) {
    raw_ostream &os = llvm::outs();
    os << target.name << " " << getName(task) << ":";
    for (const KernelLaunch &kernel : code.list.kernels)
      os << " " << kernel.grid[0] << " x " << kernel.block[0] << " threads, "
         << kernel.sharedBytes << " shared;";
    for (const KernelResources &kernel : code.machine.kernels)
      os << " " << kernel.registers << " registers, "
         << kernel.spillStoreBytes + kernel.spillLoadBytes << " spilled;";
    llvm::interleave(
        countInstructions(code.ptx, /*brief=*/true), os,
        [&](const auto &entry) {
          os << " " << entry.second << " " << entry.first;
        },
        ",");
    if (!values.empty())
      os << "; " << describeValues(values);
    os << "\n";
  }

  static std::string getName(func::FuncOp task) {
    if (auto mark = task->getAttrOfType<DictionaryAttr>(kTaskAttr))
      if (auto name = mark.getAs<StringAttr>("name"))
        return name.str();
    return task.getName().str();
  }

  /// Writes the code into the folder `save`; a sentence where it cannot.
  std::string keep(func::FuncOp task, const Target &target,
                   const GPUCode &code) {
    if (save.empty())
      return "";
    if (std::error_code ec = llvm::sys::fs::create_directories(save))
      return "folder " + save + " cannot be made: " + ec.message();
    std::string stem = save + "/" + getTargetFileName(getTargetText(target)) +
                       "-" + getName(task);
    for (auto [suffix, text] :
         {std::pair<StringRef, StringRef>{".ptx", code.ptx},
          {".cubin", code.machine.cubin}}) {
      if (text.empty())
        continue;
      std::string path = stem + suffix.str();
      if (llvm::Error error =
              llvm::writeToOutput(path, [text = text](raw_ostream &os) {
                os << text;
                return llvm::Error::success();
              }))
        return "the code cannot be written: " +
               llvm::toString(std::move(error));
    }
    return "";
  }

  void complain(func::FuncOp task, const Target &target, StringRef sentence,
                const Values &values) {
    ++numBad;
    llvm::outs() << target.name << " " << getName(task)
                 << ": failed: " << sentence;
    if (!values.empty())
      llvm::outs() << "; " << describeValues(values);
    llvm::outs() << "\n";
  }

  void compileTask(func::FuncOp original, const Target &target,
                   const GPUCompileOptions &options) {
    OwningOpRef<ModuleOp> isolated = isolateTask(original);
    auto task = *isolated->getOps<func::FuncOp>().begin();
    std::string error;
    std::optional<Skeleton> skeleton = getSkeleton(task, target, error);
    if (!skeleton)
      return complain(original, target, error, {});
    TaskCompiler compiler(task, target, options);
    Values values;
    for (const Knob &knob : skeleton->knobs)
      values[knob.name] = knob.values.front();
    GPUCode code;
    if (std::string why = compiler.compile(*skeleton, values, code);
        !why.empty())
      return complain(original, target, why, values);
    if (std::string why = keep(original, target, code); !why.empty())
      return complain(original, target, why, {});
    ++numGood;
    report(original, target, code, {});
    std::mt19937_64 random(seed);
    for (int64_t draw = 0; draw < draws; ++draw) {
      for (const Knob &knob : skeleton->knobs)
        values[knob.name] = knob.values[random() % knob.values.size()];
      if (explainIllegal(task, target, values)) {
        ++numIllegal;
        continue;
      }
      ++numDrawn;
      if (std::string why = compiler.compile(*skeleton, values, code);
          !why.empty())
        complain(original, target, why, values);
      else
        ++numGood;
    }
  }
};
} // namespace
