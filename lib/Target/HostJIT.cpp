//===- HostJIT.cpp - run lowered tasks in this process --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/ObjectCache.h"
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
/// Writes every object that is compiled to a file.
class ObjectWriter : public llvm::ObjectCache {
public:
  explicit ObjectWriter(std::string path) : path(std::move(path)) {}
  void notifyObjectCompiled(const llvm::Module *,
                            llvm::MemoryBufferRef object) override {
    std::error_code code;
    llvm::raw_fd_ostream out(path, code);
    if (!code)
      out << object.getBuffer();
  }
  std::unique_ptr<llvm::MemoryBuffer> getObject(const llvm::Module *) override {
    return nullptr;
  }

private:
  std::string path;
};

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
  std::unique_ptr<ObjectWriter> writer;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(void **) = nullptr;
  unsigned inputs = 0, outputs = 0;
  int64_t sharedBytes = 0, privateBytes = 0;
  Memory shared, own;
  std::vector<void *> arguments;
  std::string ir;
  HostCompileTimes times;
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

static Memory allocate(int64_t bytes) {
  int64_t rounded = (std::max<int64_t>(bytes, 1) + 4095) / 4096 * 4096;
  return Memory(std::aligned_alloc(4096, rounded));
}

Expected<std::unique_ptr<HostKernel>>
HostKernel::compile(mlir::ModuleOp lowered, const HostOptions &options) {
  std::unique_ptr<HostKernel> kernel(new HostKernel());
  Impl &impl = *kernel->impl;
  auto number = [&](llvm::StringRef name) -> int64_t {
    auto attr = lowered->getAttrOfType<mlir::IntegerAttr>(name);
    return attr ? attr.getInt() : -1;
  };
  int64_t inputs = number(kHostInputs), outputs = number(kHostOutputs);
  impl.sharedBytes = number(kSharedBytes);
  impl.privateBytes = number(kPrivateBytes);
  if (inputs < 0 || outputs < 0 || impl.sharedBytes < 0 ||
      impl.privateBytes < 0)
    return llvm::createStringError(
        "the module was not lowered for the host: it lacks '" + kHostInputs +
        "', '" + kHostOutputs + "', '" + kSharedBytes + "' or '" +
        kPrivateBytes + "'");
  impl.inputs = inputs;
  impl.outputs = outputs;

  Expected<llvm::orc::JITTargetMachineBuilder> target = getTarget(options);
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  Stopwatch watch;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(lowered, *context, "kernel");
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
  impl.times.translate = watch.lap();
  tidyUp(*module, **machine);
  llvm::raw_string_ostream(impl.ir) << *module;
  impl.times.optimize = watch.lap();

  llvm::orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(*target);
  if (!options.objectFile.empty()) {
    impl.writer = std::make_unique<ObjectWriter>(options.objectFile);
    ObjectWriter *writer = impl.writer.get();
    builder.setCompileFunctionCreator(
        [writer](llvm::orc::JITTargetMachineBuilder made)
            -> Expected<
                std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
          auto machine = made.createTargetMachine();
          if (!machine)
            return machine.takeError();
          return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(
              std::move(*machine), writer);
        });
  }
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
  if (Error error = impl.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return std::move(error);
  auto entry = impl.jit->lookup("entry");
  if (!entry)
    return entry.takeError();
  impl.entry = entry->toPtr<void (*)(void **)>();
  impl.times.generate = watch.lap();

  impl.shared = allocate(impl.sharedBytes);
  impl.own = allocate(impl.privateBytes);
  if (!impl.shared || !impl.own)
    return llvm::createStringError(
        "no memory for a workspace of " +
        llvm::Twine(impl.sharedBytes + impl.privateBytes) + " bytes");
  impl.arguments.resize(inputs + outputs);
  impl.arguments.push_back(impl.shared.get());
  impl.arguments.push_back(impl.own.get());
  return std::move(kernel);
}

void HostKernel::run(llvm::ArrayRef<void *> inputsThenOutputs) {
  // A caller's mistake, but one that would write beyond the list.
  if (inputsThenOutputs.size() != impl->inputs + impl->outputs)
    llvm::report_fatal_error(
        "a kernel of " + llvm::Twine(impl->inputs + impl->outputs) +
        " arrays was called with " + llvm::Twine(inputsThenOutputs.size()));
  std::copy(inputsThenOutputs.begin(), inputsThenOutputs.end(),
            impl->arguments.begin());
  impl->entry(impl->arguments.data());
}

unsigned HostKernel::getNumInputs() const { return impl->inputs; }
unsigned HostKernel::getNumOutputs() const { return impl->outputs; }
int64_t HostKernel::getWorkspaceBytes() const {
  return impl->sharedBytes + impl->privateBytes;
}
const std::string &HostKernel::llvmIR() const { return impl->ir; }
const HostCompileTimes &HostKernel::times() const { return impl->times; }

std::string HostKernel::hash() const {
  llvm::SHA256 hasher;
  hasher.update(impl->ir);
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
  Expected<std::unique_ptr<HostKernel>> kernel = HostKernel::compile(module);
  if (!kernel) {
    error = llvm::toString(kernel.takeError());
    return "";
  }
  return (*kernel)->hash();
}
