//===- kz-run.cpp - run one kernel file on a GPU, check and time it -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Device/Device.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Tools/Tools.h"
#include "KernelZero/Transforms/Passes.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "KernelZero/Transforms/TileToNVVM.h"
#include "TaskReference.h"
#include "gpu_case.h"
#include "gpu_peers.h"
#include "gpu_report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include <random>

using namespace mlir;
using namespace kernelzero;
using namespace kernelzero::bench;

namespace {

struct Options {
  llvm::cl::OptionCategory category{"kz-run options"};
  llvm::cl::opt<std::string> file{llvm::cl::Positional, llvm::cl::Required,
                                  llvm::cl::desc("kernel.mlir"),
                                  llvm::cl::cat(category)};
  llvm::cl::opt<std::string> target{
      "target", llvm::cl::init("sm_90a"),
      llvm::cl::desc("row of the target table (default sm_90a)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> device{
      "device", llvm::cl::init("cuda:0"),
      llvm::cl::desc("where to run (default cuda:0)"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> op{
      "op",
      llvm::cl::desc("what the kernels compute: gemm, softmax, layer-norm, "
                     "rms-norm, bias-gelu, gelu, copy; outputs are then "
                     "checked and a peer is timed. Without it the output of "
                     "a task at level L0 is checked by evaluating the task"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> epilogue{
      "epilogue", llvm::cl::init("none"),
      llvm::cl::desc("behind gemm: none, gelu, relu"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> layoutB{
      "b-layout", llvm::cl::desc("nn or nt, where the shape of B allows both"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> passes{
      "passes",
      llvm::cl::desc("pass pipeline to run first, for example to apply a "
                     "schedule"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> skeleton{
      "skeleton",
      llvm::cl::desc("put the task under its skeleton first: defaults, values "
                     "of some knobs as NAME=VALUE,..., or seed=N for values "
                     "drawn at random"),
      llvm::cl::value_desc("values"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> ptxas{
      "ptxas",
      llvm::cl::desc("path of ptxas, nvjitlink for that library, or none to "
                     "leave the PTX to the driver"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> keepPTX{
      "keep-ptx", llvm::cl::desc("write the PTX here"),
      llvm::cl::value_desc("file"), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> json{
      "json", llvm::cl::desc("write the report here as JSON; - for stdout"),
      llvm::cl::value_desc("file"), llvm::cl::cat(category)};
  llvm::cl::opt<int> samples{"samples", llvm::cl::init(60),
                             llvm::cl::desc("timed runs (default 60)"),
                             llvm::cl::cat(category)};
  llvm::cl::opt<uint64_t> seed{
      "seed", llvm::cl::init(0),
      llvm::cl::desc("of the inputs (default: a fresh one each time)"),
      llvm::cl::cat(category)};
  llvm::cl::opt<bool> compileOnly{"compile-only",
                                  llvm::cl::desc("stop before anything is run"),
                                  llvm::cl::cat(category)};
  llvm::cl::opt<bool> noPeer{"no-peer", llvm::cl::desc("time ours alone"),
                             llvm::cl::cat(category)};
};

/// A buffer of the device between two guard zones.
struct Guarded {
  static constexpr int64_t guardBytes = 64 << 10;
  static constexpr uint8_t guardByte = 0x5a;
  DeviceAddress whole = 0;
  int64_t bytes = 0;
  DeviceAddress inner() const { return whole + guardBytes; }
};

enum ExitCode { exitOk = 0, exitUsage = 1, exitWrong = 3, exitDevice = 4 };

int fault(int code, const std::string &text) {
  llvm::errs() << "kz-run: " << text << "\n";
  return code;
}

bool writeFile(const std::string &path, StringRef text, std::string &error) {
  std::error_code ec;
  llvm::ToolOutputFile file(path, ec, llvm::sys::fs::OF_None);
  if (ec) {
    error = path + " could not be written: " + ec.message();
    return false;
  }
  file.os() << text;
  file.os().close();
  if (file.os().has_error()) {
    error = path + " could not be written: " + file.os().error().message();
    file.os().clear_error();
    return false;
  }
  file.keep();
  return true;
}

class Runner {
public:
  Runner(const Options &options, const GPUCode &code, ModuleOp task,
         Report &report)
      : options(options), code(code), task(task), report(report) {}
  ~Runner() {
    if (!device)
      return;
    program.reset();
    for (const Guarded &buffer : buffers)
      if (buffer.whole)
        device->release(buffer.whole);
    if (peerOutput)
      device->release(peerOutput);
    cublas.reset();
  }

  DeviceError run();

private:
  DeviceError prepare();
  DeviceError check();
  DeviceError time();
  DeviceError allocate(const LaunchList::Buffer &buffer, Guarded &guarded);

  const Options &options;
  const GPUCode &code;
  ModuleOp task; // level L0, or null
  Report &report;
  std::unique_ptr<Device> device;
  std::unique_ptr<DeviceProgram> program;
  std::unique_ptr<Cublas> cublas;
  std::vector<LaunchList::Buffer> types;
  std::vector<Guarded> buffers;
  std::vector<HostBuffer> contents;
  DeviceAddress peerOutput = 0;
};

} // namespace

DeviceError Runner::allocate(const LaunchList::Buffer &buffer,
                             Guarded &guarded) {
  guarded.bytes = buffer.type.bytes();
  int64_t whole = guarded.bytes + 2 * Guarded::guardBytes;
  if (DeviceError error = device->allocate(whole, guarded.whole))
    return error;
  if (DeviceError error =
          device->fill(guarded.whole, Guarded::guardByte, whole))
    return error;
  // All ones is NaN in every floating type: what is not written shows.
  return device->fill(guarded.inner(), 0xff, guarded.bytes);
}

DeviceError Runner::prepare() {
  if (DeviceError error = openDevice(options.device, device))
    return error;
  report.device = device->describe();
  // Machine code of one GPU generation does not load on the next; PTX does.
  const Target *own = findTarget(device->targetName());
  bool sameGeneration = own && own->capability / 10 == report.capability / 10;
  bool machineCode = code.assembled && sameGeneration;
  DeviceImage image;
  image.kind = machineCode ? DeviceImage::Kind::Cubin : DeviceImage::Kind::PTX;
  image.bytes = machineCode ? code.machine.cubin : code.ptx;
  if (code.assembled && !machineCode)
    llvm::errs() << "kz-run: machine code for " << report.target
                 << " does not load on this device; the driver compiles the "
                    "PTX\n";
  if (DeviceError error = device->load(image, code.list, program))
    return error;
  report.kernels = program->kernels;
  report.loadMilliseconds = program->loadMilliseconds;

  uint64_t seed =
      options.seed ? uint64_t(options.seed) : std::random_device{}();
  types = code.list.buffers();
  std::vector<DeviceAddress> addresses;
  for (size_t i = 0; i < types.size(); ++i) {
    if (DeviceError error = allocate(types[i], buffers.emplace_back()))
      return error;
    addresses.push_back(buffers.back().inner());
    HostBuffer &content = contents.emplace_back(types[i].type);
    if (types[i].written)
      continue;
    fillRandom(content, seed + i, report.plan ? report.plan->inputScale : 1.0);
    if (DeviceError error = device->upload(
            addresses.back(), content.bytes.data(), content.bytes.size()))
      return error;
  }
  return program->bind(addresses);
}

DeviceError Runner::check() {
  if (DeviceError error = program->run())
    return error;
  if (DeviceError error = device->synchronize())
    return error;
  std::vector<uint8_t> guard(Guarded::guardBytes), now;
  for (size_t i = 0; i < buffers.size(); ++i) {
    for (DeviceAddress at :
         {buffers[i].whole,
          buffers[i].inner() + DeviceAddress(buffers[i].bytes)}) {
      if (DeviceError error = device->download(guard.data(), at, guard.size()))
        return error;
      if (llvm::any_of(guard,
                       [](uint8_t b) { return b != Guarded::guardByte; })) {
        report.faults.push_back("bytes beside buffer " + std::to_string(i) +
                                " were overwritten");
        break;
      }
    }
    now.resize(buffers[i].bytes);
    if (DeviceError error =
            device->download(now.data(), buffers[i].inner(), now.size()))
      return error;
    if (types[i].written)
      contents[i].bytes = now;
    else if (now != contents[i].bytes)
      report.faults.push_back("input " + std::to_string(i) + " was changed");
  }
  if (!report.plan) {
    std::string error;
    Comparison comparison;
    if (!task)
      return std::nullopt;
    if (!compareWithTask(task, contents, comparison, error)) {
      llvm::errs() << "kz-run: " << error << "; the output is not checked\n";
      return std::nullopt;
    }
    report.comparison = comparison;
    report.reference = "the task, in f64 on the host";
    return std::nullopt;
  }

  std::vector<HostBuffer> inputs(contents.begin(), contents.end() - 1);
  std::vector<double> reference;
  if (report.plan->isGemm()) {
    if (DeviceError error =
            referenceProduct(*report.plan, inputs, *device, cublas.get(),
                             reference, report.reference))
      return error;
  } else {
    referenceRows(*report.plan, inputs, reference);
    report.reference = "f64 on the host";
  }
  report.comparison = compare(*report.plan, contents.back(), reference);
  return std::nullopt;
}

DeviceError Runner::time() {
  std::vector<Device::Work> works = {[&] { return program->run(); }};
  if (report.plan && !options.noPeer) {
    if (DeviceError error =
            device->allocate(report.plan->output.bytes(), peerOutput))
      return error;
    if (!report.plan->isGemm()) {
      report.peer = "cuMemcpyDtoD";
      // As many bytes moved as by the kernel, half read and half written.
      int64_t bytes = report.plan->output.bytes();
      works.push_back([this, bytes] {
        return device->copy(peerOutput, buffers[0].inner(), bytes);
      });
    } else if (cublas) {
      report.peer = "cublasGemmEx";
      works.push_back([this] {
        return cublas->multiply(getProduct(*report.plan), buffers[0].inner(),
                                buffers[1].inner(), peerOutput);
      });
    }
  }
  TimingOptions timing;
  timing.samples = options.samples;
  std::vector<std::vector<double>> microseconds;
  if (DeviceError error = device->time(works, timing, microseconds))
    return error;
  report.ours.samples = microseconds[0];
  if (works.size() > 1)
    report.theirs.samples = microseconds[1];
  return std::nullopt;
}

DeviceError Runner::run() {
  if (DeviceError error = prepare())
    return error;
  if (report.plan && report.plan->isGemm()) {
    std::string error;
    cublas = Cublas::load(*device, error);
    if (!cublas)
      llvm::errs() << "kz-run: " << error << "; ours is timed alone\n";
  }
  if (DeviceError error = check())
    return error;
  return time();
}

/// The one task of `module` under its skeleton, with the values that `text`
/// says; all of them in `drawn`.
static OwningOpRef<ModuleOp> underSkeleton(ModuleOp module,
                                           const Target &target, StringRef text,
                                           std::string &drawn,
                                           std::string &error) {
  auto tasks = llvm::to_vector(module.getOps<func::FuncOp>());
  if (tasks.size() != 1) {
    error = "the file has " + std::to_string(tasks.size()) +
            " functions; --skeleton takes one task";
    return nullptr;
  }
  func::FuncOp task = tasks.front();
  std::optional<Skeleton> skeleton = getSkeleton(task, target, error);
  if (!skeleton)
    return nullptr;
  std::map<std::string, int64_t> values;
  for (const Knob &knob : skeleton->knobs)
    values[knob.name] = knob.values.front();
  uint64_t seed = 0;
  StringRef number = text;
  if (number.consume_front("seed=") && !number.getAsInteger(10, seed)) {
    std::mt19937_64 random(seed);
    for (int tries = 0; tries < 1000; ++tries) {
      for (const Knob &knob : skeleton->knobs)
        values[knob.name] = knob.values[random() % knob.values.size()];
      if (!explainIllegal(task, target, values))
        break;
    }
  } else if (text != "defaults") {
    SmallVector<StringRef> entries;
    text.split(entries, ',');
    for (StringRef entry : entries) {
      auto [name, value] = entry.split('=');
      int64_t parsed = 0;
      if (!values.count(name.str()) || value.getAsInteger(10, parsed)) {
        error = "--skeleton has '" + entry.str() + "'; accepted are";
        for (const auto &[known, unused] : values)
          error += " " + known + "=N";
        return nullptr;
      }
      values[name.str()] = parsed;
    }
    if (std::optional<std::string> why = explainIllegal(task, target, values)) {
      error = *why;
      return nullptr;
    }
  }
  for (const auto &[name, value] : values)
    drawn += (drawn.empty() ? "" : ",") + name + "=" + std::to_string(value);
  return applySkeleton(task, *skeleton, values, error);
}

int kernelzero::kzRunMain(int argc, char **argv) {
  llvm::sys::Process::FixupStandardFileDescriptors();
  Options options;
  llvm::cl::HideUnrelatedOptions(options.category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "run one kernel file on a GPU, check its output and time it\n\n"
      "Exit codes: 0 ran and is right, 1 bad usage or input, 3 wrong output, "
      "4 device trouble.\n");

  std::string error;
  const Target *target = resolveTarget(options.target, error);
  if (!target)
    return fault(exitUsage, error);
  if (options.samples < 1)
    return fault(exitUsage, "--samples is " + std::to_string(options.samples) +
                                "; at least 1 is needed");

  registerAllPasses();
  registerToTilePass();
  registerTilePasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerTargetDialects(registry);
  registry.insert<kz::KZDialect>();
  kz::registerTransformExtension(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = kz::parseModuleFile(options.file, &context);
  if (!module)
    return fault(exitUsage, options.file + " holds no module");
  OwningOpRef<ModuleOp> task = bench::cloneTask(*module);
  if (!options.passes.empty()) {
    PassManager pm(&context);
    std::string message;
    llvm::raw_string_ostream os(message);
    // As for kz-opt the pipeline may name the module that it runs on.
    StringRef passes = options.passes;
    if (passes.consume_front("builtin.module("))
      passes.consume_back(")");
    if (failed(parsePassPipeline(passes, pm, os)))
      return fault(exitUsage, "--passes: " + message);
    if (failed(pm.run(*module)))
      return exitUsage;
  }

  std::string drawn;
  if (!options.skeleton.empty()) {
    if (!(module =
              underSkeleton(*module, *target, options.skeleton, drawn, error)))
      return fault(exitUsage, error);
  }

  GPUCode code;
  GPUCompileOptions compile;
  compile.ptxas = options.ptxas;
  if (!compileForGPU(*module, *target, compile, code, error)) {
    if (!error.empty())
      return fault(exitUsage, error);
    return exitUsage;
  }
  Report report;
  report.file = options.file;
  report.target = target->name.str();
  report.capability = target->capability;
  report.compileSteps = code.steps;
  if (!options.op.empty()) {
    report.plan.emplace();
    if (!planCase(code.list, options.op, options.epilogue, options.layoutB,
                  *report.plan, error))
      return fault(exitUsage, error);
  }

  if (!options.keepPTX.empty() && !writeFile(options.keepPTX, code.ptx, error))
    return fault(exitUsage, error);
  // With --json - standard output is that document alone.
  llvm::raw_ostream &out = options.json == "-" ? llvm::errs() : llvm::outs();
  for (const KernelResources &kernel : code.machine.kernels)
    out << "kernel " << kernel.kernel << ": " << kernel.registers
        << " registers, " << kernel.spillStoreBytes + kernel.spillLoadBytes
        << " bytes of spills, " << kernel.sharedBytes
        << " bytes of static shared memory\n";
  for (const std::string &advice : code.machine.advice)
    out << advice << "\n";
  if (!code.note.empty())
    out << code.note << "\n";
  if (!drawn.empty())
    out << "knobs " << drawn << "\n";
  for (const auto &[step, ms] : code.steps)
    out << step << " " << llvm::format("%.1f", ms) << " ms\n";
  out.flush();
  if (options.compileOnly)
    return exitOk;

  Runner runner(options, code, task ? *task : ModuleOp(), report);
  if (DeviceError failure = runner.run())
    return fault(exitDevice, *failure);
  for (const LoadedKernel &kernel : report.kernels)
    out << "loaded " << kernel.name << ": " << kernel.registers
        << " registers, " << kernel.localBytes << " local bytes\n";
  out << "load " << llvm::format("%.1f", report.loadMilliseconds) << " ms\n"
      << report.device << "\n"
      << tableHead() << "\n"
      << tableLine(report) << "\n";
  if (!options.json.empty()) {
    std::string text = toJSON(report) + "\n";
    if (options.json == "-")
      llvm::outs() << text;
    else if (!writeFile(options.json, text, error))
      return fault(exitUsage, error);
  }
  return report.passed() ? exitOk : exitWrong;
}
