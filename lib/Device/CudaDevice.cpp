//===- CudaDevice.cpp - kernels on an NVIDIA GPU --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaDriver.h"
#include "KernelZero/Device/Device.h"
#include "KernelZero/Target/TargetTable.h"
#include <chrono>

using namespace kernelzero;
using namespace kernelzero::cuda;

static DeviceError failed(const Driver &cu, Result result,
                          const std::string &what) {
  if (!result)
    return std::nullopt;
  return what + " failed: " + cu.text(result);
}

namespace {

class CudaProgram : public DeviceProgram {
public:
  CudaProgram(const Driver &cu, Stream stream, const LaunchList &list)
      : cu(cu), stream(stream), list(list), launches(list.kernels.size()) {}

  ~CudaProgram() override {
    // A program may die with its runs still under way.
    cu.contextSynchronize();
    for (Pointer workspace : workspaces)
      cu.memoryFree(workspace);
    if (module)
      cu.moduleUnload(module);
  }

  DeviceError load(const DeviceImage &image, int sharedLimit);
  DeviceError bind(const std::vector<DeviceAddress> &buffers) override;
  DeviceError run() override;

private:
  struct Launch {
    Function function = nullptr;
    LaunchConfig config = {};
    LaunchAttribute cluster = {};
    std::vector<Pointer> addresses;
    std::vector<TensorMapBytes> maps;
    std::vector<void *> parameters;
  };

  const Driver &cu;
  Stream stream;
  LaunchList list;
  Module module = nullptr;
  std::vector<Pointer> workspaces;
  std::vector<Launch> launches;
  bool bound = false;
};

class CudaDevice : public Device {
public:
  CudaDevice(const Driver &cu, int ordinal) : cu(cu), ordinal(ordinal) {}
  ~CudaDevice() override {
    if (!context)
      return;
    for (Event event : {begin, end})
      if (event)
        cu.eventDestroy(event);
    for (Pointer buffer : {flushBuffer, clockCounts})
      if (buffer)
        cu.memoryFree(buffer);
    if (clockModule)
      cu.moduleUnload(clockModule);
    if (stream)
      cu.streamDestroy(stream);
    cu.contextRelease(handle);
  }

  DeviceError open();
  std::string describe() const override;
  std::string targetName() const override;
  DeviceError allocate(size_t bytes, DeviceAddress &address) override {
    return failed(cu, cu.memoryAllocate(&address, bytes ? bytes : 1),
                  "allocating " + std::to_string(bytes) +
                      " bytes on cuda:" + std::to_string(ordinal));
  }
  void release(DeviceAddress address) override { cu.memoryFree(address); }
  DeviceError upload(DeviceAddress to, const void *from,
                     size_t bytes) override {
    return failed(cu, cu.memoryToDevice(to, from, bytes),
                  "copying " + std::to_string(bytes) + " bytes to the GPU");
  }
  DeviceError download(void *to, DeviceAddress from, size_t bytes) override {
    return failed(cu, cu.memoryToHost(to, from, bytes),
                  "copying " + std::to_string(bytes) + " bytes from the GPU");
  }
  DeviceError copy(DeviceAddress to, DeviceAddress from,
                   size_t bytes) override {
    return failed(cu, cu.memoryCopy(to, from, bytes, stream),
                  "copying " + std::to_string(bytes) + " bytes on the GPU");
  }
  DeviceError fill(DeviceAddress to, uint8_t byte, size_t bytes) override {
    return failed(cu, cu.memorySet(to, byte, bytes, stream),
                  "filling " + std::to_string(bytes) + " bytes on the GPU");
  }
  DeviceError synchronize() override {
    return failed(cu, cu.contextSynchronize(), "waiting for the GPU");
  }
  DeviceError load(const DeviceImage &image, const LaunchList &list,
                   std::unique_ptr<DeviceProgram> &program) override;
  DeviceError record(const Work &work, Work &replay) override;
  int64_t capability() const override {
    return attribute(attributeCapabilityMajor) * 10 +
           attribute(attributeCapabilityMinor);
  }
  void *queue() const override { return stream; }
  DeviceError measureClock(double &megahertz) override;
  double highestClock() const override {
    return attribute(attributeClockKilohertz) * 1e-3;
  }

protected:
  DeviceError timeOnce(const Work &work, double &microseconds) override;

private:
  int attribute(int which) const {
    int value = 0;
    cu.deviceAttribute(&value, which, handle);
    return value;
  }

  const Driver &cu;
  int ordinal;
  DeviceHandle handle = 0;
  Context context = nullptr;
  // Work that is recorded needs a queue of its own. Transfers wait for it, and
  // it for them, as it is not marked apart from the default queue.
  Stream stream = nullptr;
  Event begin = nullptr, end = nullptr;
  // The kernel that counts cycles: loaded when first asked for.
  Module clockModule = nullptr;
  Function clockKernel = nullptr;
  Pointer clockCounts = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

DeviceError CudaProgram::load(const DeviceImage &image, int sharedLimit) {
  std::string what;
  if (image.kind == DeviceImage::Kind::Host)
    return std::string("code for the host cannot run on a GPU");
  auto start = std::chrono::steady_clock::now();
  std::vector<char> log(8192, 0);
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {log.data(),
                    reinterpret_cast<void *>(uintptr_t(log.size() - 1))};
  if (Result result =
          cu.moduleLoad(&module, image.bytes.c_str(), 2, options, values)) {
    module = nullptr;
    std::string text = log.data();
    return std::string(image.kind == DeviceImage::Kind::PTX
                           ? "the driver could not compile the PTX: "
                           : "the driver could not load the machine code: ") +
           cu.text(result) +
           (text.empty() ? ""
                         : "; it says: " + text.substr(0, text.find('\n')));
  }
  loadMilliseconds = std::chrono::duration<double, std::milli>(
                         std::chrono::steady_clock::now() - start)
                         .count();
  for (size_t i = 0; i < list.kernels.size(); ++i) {
    const KernelLaunch &kernel = list.kernels[i];
    Launch &launch = launches[i];
    if (DeviceError error = failed(
            cu,
            cu.moduleFunction(&launch.function, module, kernel.name.c_str()),
            "finding kernel " + kernel.name))
      return error;
    LoadedKernel &facts = kernels.emplace_back();
    facts.name = kernel.name;
    int value = 0;
    if (!cu.functionGet(&value, functionRegisters, launch.function))
      facts.registers = value;
    if (!cu.functionGet(&value, functionLocalBytes, launch.function))
      facts.localBytes = value;
    if (!cu.functionGet(&value, functionStaticSharedBytes, launch.function))
      facts.staticSharedBytes = value;
    if (kernel.sharedBytes + facts.staticSharedBytes > sharedLimit)
      return "kernel " + kernel.name + " needs " +
             std::to_string(kernel.sharedBytes + facts.staticSharedBytes) +
             " bytes of shared memory, this GPU allows " +
             std::to_string(sharedLimit) + " a block";
    if (kernel.sharedBytes)
      if (DeviceError error = failed(
              cu,
              cu.functionSet(launch.function, functionMaxDynamicSharedBytes,
                             int(kernel.sharedBytes)),
              "asking for " + std::to_string(kernel.sharedBytes) +
                  " bytes of shared memory for kernel " + kernel.name))
        return error;
    for (int d = 0; d < 3; ++d) {
      launch.config.grid[d] = uint32_t(kernel.grid[d]);
      launch.config.block[d] = uint32_t(kernel.block[d]);
      launch.cluster.clusterDim[d] = uint32_t(kernel.cluster[d]);
    }
    launch.config.sharedBytes = uint32_t(kernel.sharedBytes);
    launch.config.stream = stream;
    launch.cluster.id = launchClusterDimension;
    if (kernel.cluster != std::array<int64_t, 3>{1, 1, 1}) {
      launch.config.attributes = &launch.cluster;
      launch.config.attributeCount = 1;
    }
  }
  for (int64_t bytes : list.workspaceBytes) {
    Pointer address = 0;
    if (DeviceError error = failed(
            cu, cu.memoryAllocate(&address, bytes ? bytes : 1),
            "allocating a workspace of " + std::to_string(bytes) + " bytes"))
      return error;
    workspaces.push_back(address);
  }
  return std::nullopt;
}

static int mapElement(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return mapFloat16;
  case ElementType::bf16:
    return mapBFloat16;
  case ElementType::f32:
    return mapFloat32;
  case ElementType::f64:
    return mapFloat64;
  case ElementType::i1:
  case ElementType::i8:
    return mapUInt8;
  case ElementType::i16:
    return mapUInt16;
  case ElementType::i32:
    return mapInt32;
  case ElementType::i64:
    return mapInt64;
  }
  return mapUInt8;
}

DeviceError CudaProgram::bind(const std::vector<DeviceAddress> &buffers) {
  for (size_t i = 0; i < list.kernels.size(); ++i) {
    const KernelLaunch &kernel = list.kernels[i];
    Launch &launch = launches[i];
    size_t count = kernel.arguments.size();
    launch.addresses.assign(count, 0);
    launch.maps.assign(count, {});
    launch.parameters.assign(count, nullptr);
    for (size_t a = 0; a < count; ++a) {
      const LaunchArgument &argument = kernel.arguments[a];
      const auto &pool = argument.isWorkspace ? workspaces : buffers;
      if (size_t(argument.index) >= pool.size())
        return "kernel " + kernel.name + " uses buffer " +
               std::to_string(argument.index) + ", " +
               std::to_string(pool.size()) + " were bound";
      launch.addresses[a] = pool[argument.index];
      launch.parameters[a] = &launch.addresses[a];
      if (!argument.isMap)
        continue;
      const TensorMap &map = argument.map;
      uint64_t dims[5], pitches[5];
      uint32_t box[5], steps[5];
      size_t rank = map.dims.size();
      for (size_t d = 0; d < rank; ++d) {
        dims[d] = uint64_t(map.dims[d]);
        box[d] = uint32_t(map.box[d]);
        steps[d] = 1;
        pitches[d] = d + 1 < rank ? uint64_t(map.byteStrides[d]) : 0;
      }
      int swizzle = map.swizzle == 128  ? 3
                    : map.swizzle == 64 ? 2
                    : map.swizzle == 32 ? 1
                                        : 0;
      if (DeviceError error = failed(
              cu,
              cu.encodeTiled(&launch.maps[a], mapElement(argument.type.element),
                             uint32_t(rank),
                             reinterpret_cast<void *>(launch.addresses[a]),
                             dims, pitches, box, steps, /*interleave=*/0,
                             swizzle, mapL2Promotion256, /*fill=*/0),
              "encoding the tensor map of argument " + std::to_string(a) +
                  " of kernel " + kernel.name))
        return error;
      launch.parameters[a] = &launch.maps[a];
    }
  }
  bound = true;
  return std::nullopt;
}

DeviceError CudaProgram::run() {
  if (!bound)
    return std::string("the program was run before its buffers were bound");
  for (size_t i = 0; i < launches.size(); ++i) {
    Launch &launch = launches[i];
    if (Result result = cu.launch(&launch.config, launch.function,
                                  launch.parameters.data(), nullptr))
      return failed(cu, result, "launching kernel " + list.kernels[i].name);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

DeviceError CudaDevice::open() {
  int count = 0;
  if (DeviceError error =
          failed(cu, cu.deviceCount(&count), "counting the GPUs"))
    return error;
  if (ordinal >= count)
    return "cuda:" + std::to_string(ordinal) +
           " does not exist; this machine " +
           (count ? "has cuda:0" +
                        (count > 1 ? " to cuda:" + std::to_string(count - 1)
                                   : std::string())
                  : std::string("has no GPU"));
  if (DeviceError error =
          failed(cu, cu.deviceGet(&handle, ordinal), "opening the GPU"))
    return error;
  if (DeviceError error =
          failed(cu, cu.contextRetain(&context, handle), "opening a context"))
    return error;
  if (DeviceError error =
          failed(cu, cu.contextSet(context), "entering the context"))
    return error;
  if (DeviceError error =
          failed(cu, cu.streamCreate(&stream, 0), "creating a queue"))
    return error;
  if (DeviceError error =
          failed(cu, cu.eventCreate(&begin, 0), "creating an event"))
    return error;
  return failed(cu, cu.eventCreate(&end, 0), "creating an event");
}

std::string CudaDevice::describe() const {
  char name[128] = "";
  cu.deviceName(name, sizeof(name) - 1, handle);
  int version = 0;
  cu.driverVersion(&version);
  return "cuda:" + std::to_string(ordinal) + " " + name + ", capability " +
         std::to_string(attribute(attributeCapabilityMajor)) + "." +
         std::to_string(attribute(attributeCapabilityMinor)) + ", " +
         std::to_string(attribute(attributeMultiprocessors)) +
         " multiprocessors, driver for CUDA " + std::to_string(version / 1000) +
         "." + std::to_string(version % 1000 / 10);
}

std::string CudaDevice::targetName() const {
  // Code of a row also runs on later minors of its major; the nearest wins.
  const Target *best = nullptr;
  int64_t own = capability();
  for (const Target &row : targetTable())
    if (row.isGPU() && row.capability <= own &&
        row.capability / 10 == own / 10 &&
        (!best || row.capability > best->capability))
      best = &row;
  return best ? best->name.str() : "";
}

DeviceError CudaDevice::load(const DeviceImage &image, const LaunchList &list,
                             std::unique_ptr<DeviceProgram> &program) {
  auto loaded = std::make_unique<CudaProgram>(cu, stream, list);
  if (DeviceError error =
          loaded->load(image, attribute(attributeSharedBytesPerBlock)))
    return error;
  program = std::move(loaded);
  return std::nullopt;
}

DeviceError CudaDevice::timeOnce(const Work &work, double &microseconds) {
  if (DeviceError error =
          failed(cu, cu.eventRecord(begin, stream), "recording an event"))
    return error;
  if (DeviceError error = work())
    return error;
  if (DeviceError error =
          failed(cu, cu.eventRecord(end, stream), "recording an event"))
    return error;
  if (DeviceError error =
          failed(cu, cu.eventSynchronize(end), "waiting for the work"))
    return error;
  float milliseconds = 0;
  if (DeviceError error = failed(cu, cu.eventElapsed(&milliseconds, begin, end),
                                 "reading events"))
    return error;
  microseconds = 1e3 * milliseconds;
  return std::nullopt;
}

DeviceError CudaDevice::record(const Work &work, Work &replay) {
  if (DeviceError error =
          failed(cu, cu.streamBeginCapture(stream, captureThreadLocal),
                 "starting to record work"))
    return error;
  DeviceError broken = work();
  Graph graph = nullptr;
  Result ended = cu.streamEndCapture(stream, &graph);
  if (broken) {
    if (graph)
      cu.graphDestroy(graph);
    return broken;
  }
  if (DeviceError error = failed(cu, ended, "recording work"))
    return error;
  GraphExec exec = nullptr;
  Result made = cu.graphInstantiate(&exec, graph, 0);
  cu.graphDestroy(graph);
  if (DeviceError error = failed(cu, made, "preparing recorded work"))
    return error;
  std::shared_ptr<GraphExecTag> owned(
      exec, [&cu = cu](GraphExec exec) { cu.graphExecDestroy(exec); });
  replay = [this, owned] {
    return failed(cu, cu.graphLaunch(owned.get(), stream),
                  "starting recorded work");
  };
  return std::nullopt;
}

/// Counts cycles from one change of the timer to the first one at least 100 us
/// later: the timer moves in steps of up to a microsecond. PTX ISA, special
/// registers `%clock64` (cycles) and `%globaltimer` (nanoseconds).
static const char kClockPTX[] = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry count_cycles(.param .u64 counts) {
  .reg .pred %again;
  .reg .b64 %old, %begin, %now, %limit, %first, %last, %to;
  ld.param.u64 %to, [counts];
  mov.u64 %old, %globaltimer;
START:
  mov.u64 %begin, %globaltimer;
  setp.eq.u64 %again, %begin, %old;
  @%again bra START;
  mov.u64 %first, %clock64;
  add.u64 %limit, %begin, 100000;
WAIT:
  mov.u64 %now, %globaltimer;
  setp.lt.u64 %again, %now, %limit;
  @%again bra WAIT;
  mov.u64 %last, %clock64;
  sub.u64 %last, %last, %first;
  sub.u64 %now, %now, %begin;
  cvta.to.global.u64 %to, %to;
  st.global.u64 [%to], %last;
  st.global.u64 [%to+8], %now;
  ret;
}
)";

DeviceError CudaDevice::measureClock(double &megahertz) {
  const char *what = "measuring the clock";
  uint64_t counts[2] = {0, 0}; // Cycles, nanoseconds.
  if (!clockModule)
    if (DeviceError error = failed(
            cu, cu.moduleLoad(&clockModule, kClockPTX, 0, nullptr, nullptr),
            "loading the kernel that counts cycles"))
      return error;
  if (!clockKernel)
    if (DeviceError error = failed(
            cu, cu.moduleFunction(&clockKernel, clockModule, "count_cycles"),
            "finding the kernel that counts cycles"))
      return error;
  if (!clockCounts)
    if (DeviceError error = allocate(sizeof(counts), clockCounts))
      return error;
  LaunchConfig config = {};
  for (int d = 0; d < 3; ++d)
    config.grid[d] = config.block[d] = 1;
  config.stream = stream;
  void *parameters[] = {&clockCounts};
  if (DeviceError error = failed(
          cu, cu.launch(&config, clockKernel, parameters, nullptr), what))
    return error;
  if (DeviceError error = failed(
          cu, cu.memoryToHost(counts, clockCounts, sizeof(counts)), what))
    return error;
  megahertz = counts[1] ? 1e3 * counts[0] / counts[1] : 0;
  return std::nullopt;
}

DeviceError kernelzero::openCudaDevice(int ordinal,
                                       std::unique_ptr<Device> &device) {
  std::string error;
  const Driver *driver = loadDriver(error);
  if (!driver)
    return "cuda:" + std::to_string(ordinal) + " cannot be used: " + error;
  auto opened = std::make_unique<CudaDevice>(*driver, ordinal);
  if (DeviceError failure = opened->open())
    return failure;
  device = std::move(opened);
  return std::nullopt;
}
