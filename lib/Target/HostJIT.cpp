//===- HostJIT.cpp - run lowered tasks in this process --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"

#include <cstdlib>
#include <ctime>
#include <mutex>

using namespace kernelzero;
using llvm::Error;
using llvm::Expected;

namespace {
/// Processor time of this thread, so that other work on the machine does not
/// count.
class Stopwatch {
public:
  double lap() {
    double now = read(), passed = now - last;
    last = now;
    return passed;
  }

private:
  static double read() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
  }
  double last = read();
};

struct Freed {
  void operator()(void *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Freed>;
} // namespace

struct HostKernel::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(void **) = nullptr;
  HostObject object; ///< Its code is handed to the linker.
  Memory workspace;
  std::vector<void *> arguments;
};

HostKernel::HostKernel() : impl(std::make_unique<Impl>()) {}
HostKernel::~HostKernel() = default;

static Expected<llvm::orc::JITTargetMachineBuilder>
getTarget(const HostOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (!options.cpu.empty()) {
    builder->setCPU(options.cpu);
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  if (!options.features.empty())
    builder->addFeatures({options.features});
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  builder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return builder;
}

/// The lowering writes what is to be run; only address arithmetic is left to
/// tidy up.
static void tidyUp(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

static constexpr int64_t kPage = 4096;

static int64_t roundToPage(int64_t bytes) {
  return (std::max<int64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
}

Expected<HostObject> kernelzero::compileHostObject(mlir::ModuleOp lowered,
                                                   const HostOptions &options) {
  HostObject object;
  auto number = [&](llvm::StringRef name) -> int64_t {
    auto attr = lowered->getAttrOfType<mlir::IntegerAttr>(name);
    return attr ? attr.getInt() : -1;
  };
  int64_t inputs = number(kHostInputs), outputs = number(kHostOutputs);
  object.sharedBytes = number(kSharedBytes);
  object.privateBytes = number(kPrivateBytes);
  if (inputs < 0 || outputs < 0 || object.sharedBytes < 0 ||
      object.privateBytes < 0)
    return llvm::createStringError(
        "the module was not lowered for the host: it lacks '" + kHostInputs +
        "', '" + kHostOutputs + "', '" + kSharedBytes + "' or '" +
        kPrivateBytes + "'");
  object.inputs = inputs;
  object.outputs = outputs;

  Expected<llvm::orc::JITTargetMachineBuilder> target = getTarget(options);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  Stopwatch watch;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(lowered, context, "kernel");
  if (!module)
    return llvm::createStringError(
        "the lowered module does not translate to LLVM IR");
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  for (llvm::Function &function : *module) {
    function.addFnAttr("target-cpu", (*machine)->getTargetCPU());
    function.addFnAttr("target-features", (*machine)->getTargetFeatureString());
    if (!function.isDeclaration() && function.getName() != "entry")
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
  object.times.translate = watch.lap();
  tidyUp(*module, **machine);
  llvm::raw_string_ostream(object.ir) << *module;
  object.times.optimize = watch.lap();

  llvm::orc::SimpleCompiler compiler(**machine);
  auto code = compiler(*module);
  if (!code)
    return code.takeError();
  object.code = (*code)->getBuffer().str();
  object.times.generate = watch.lap();
  if (!options.objectFile.empty()) {
    std::error_code problem;
    llvm::raw_fd_ostream out(options.objectFile, problem);
    if (!problem)
      out << object.code;
  }
  return object;
}

Expected<std::unique_ptr<HostKernel>> HostKernel::load(HostObject object,
                                                       bool callerWorkspace) {
  std::unique_ptr<HostKernel> kernel(new HostKernel());
  Impl &impl = *kernel->impl;
  Expected<llvm::orc::JITTargetMachineBuilder> target = getTarget({});
  if (!target)
    return target.takeError();
  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(*target);
  auto jit = builder.create();
  if (!jit)
    return jit.takeError();
  impl.jit = std::move(*jit);
  // Scalars of functions that have no vector form come from the C library.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      impl.jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  impl.jit->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = impl.jit->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(object.code, "kernel")))
    return std::move(error);
  auto entry = impl.jit->lookup("entry");
  if (!entry)
    return entry.takeError();
  impl.entry = entry->toPtr<void (*)(void **)>();

  impl.arguments.resize(object.inputs + object.outputs + 2);
  object.code = std::string();
  impl.object = std::move(object);
  if (!callerWorkspace) {
    int64_t bytes = kernel->getWorkspaceBytes();
    impl.workspace = Memory(std::aligned_alloc(kPage, bytes));
    if (!impl.workspace)
      return llvm::createStringError("no memory for a workspace of " +
                                     llvm::Twine(bytes) + " bytes");
    kernel->setWorkspace(impl.workspace.get());
  }
  return std::move(kernel);
}

void HostKernel::setWorkspace(void *memory) {
  size_t arrays = impl->object.inputs + impl->object.outputs;
  impl->arguments[arrays] = memory;
  impl->arguments[arrays + 1] =
      static_cast<char *>(memory) + roundToPage(impl->object.sharedBytes);
}

Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(mlir::ModuleOp lowered, const HostOptions &options) {
  Expected<HostObject> object = compileHostObject(lowered, options);
  if (!object)
    return object.takeError();
  return load(std::move(*object));
}

void HostKernel::run(llvm::ArrayRef<void *> inputsThenOutputs) {
  // A caller's mistake, but one that would write beyond the list.
  unsigned count = impl->object.inputs + impl->object.outputs;
  if (inputsThenOutputs.size() != count)
    llvm::report_fatal_error("a kernel of " + llvm::Twine(count) +
                             " arrays was called with " +
                             llvm::Twine(inputsThenOutputs.size()));
  std::copy(inputsThenOutputs.begin(), inputsThenOutputs.end(),
            impl->arguments.begin());
  impl->entry(impl->arguments.data());
}

unsigned HostKernel::getNumInputs() const { return impl->object.inputs; }
unsigned HostKernel::getNumOutputs() const { return impl->object.outputs; }
int64_t HostKernel::getWorkspaceBytes() const {
  return roundToPage(impl->object.sharedBytes) +
         roundToPage(impl->object.privateBytes);
}
const std::string &HostKernel::llvmIR() const { return impl->object.ir; }
const HostCompileTimes &HostKernel::times() const { return impl->object.times; }
std::string HostKernel::hash() const { return impl->object.hash(); }

std::string HostObject::hash() const {
  llvm::SHA256 hasher;
  hasher.update(ir);
  auto digest = hasher.final();
  std::string text;
  for (uint8_t byte : digest) {
    text += llvm::hexdigit(byte >> 4, /*LowerCase=*/true);
    text += llvm::hexdigit(byte & 15, /*LowerCase=*/true);
  }
  return text;
}

std::string kernelzero::hashHostCode(mlir::ModuleOp module,
                                     std::string &error) {
  mlir::ScopedDiagnosticHandler handler(module.getContext(),
                                        [&](mlir::Diagnostic &diag) {
                                          if (error.empty())
                                            error = diag.str();
                                          return llvm::success();
                                        });
  if (llvm::failed(lowerToHost(module))) {
    if (error.empty())
      error = "the scheduled task cannot be lowered to the host";
    return "";
  }
  Expected<HostObject> object = compileHostObject(module);
  if (!object) {
    error = llvm::toString(object.takeError());
    return "";
  }
  return object->hash();
}
