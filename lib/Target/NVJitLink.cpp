//===- NVJitLink.cpp - PTX to machine code by a library -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <dlfcn.h>

using namespace llvm;
using namespace kernelzero;

namespace {
/// The functions that are used, as nvJitLink.h declares them; the names without
/// a version behind them are exported for all of one major version.
struct Library {
  using Handle = void *;
  int (*create)(Handle *, uint32_t count, const char **options);
  int (*destroy)(Handle *);
  int (*addData)(Handle, int type, const void *data, size_t size,
                 const char *name);
  int (*complete)(Handle);
  int (*cubinSize)(Handle, size_t *);
  int (*cubin)(Handle, void *);
  int (*errorSize)(Handle, size_t *);
  int (*error)(Handle, char *);
  int (*infoSize)(Handle, size_t *);
  int (*info)(Handle, char *);
  int (*version)(unsigned *major, unsigned *minor);
};
constexpr int inputPTX = 2;
} // namespace

static const Library *loadLibrary() {
  static Library library;
  static const bool loaded = [] {
    void *handle = nullptr;
    SmallVector<std::string> paths;
    if (std::optional<std::string> root = sys::Process::GetEnv("CUDA_PATH"))
      for (const char *folder : {"/lib64/", "/lib/"})
        paths.push_back(*root + folder + "libnvJitLink.so");
    for (const char *name : {"libnvJitLink.so.13", "libnvJitLink.so.12",
                             "/usr/local/cuda/lib64/libnvJitLink.so",
                             "/usr/local/cuda/lib/libnvJitLink.so"})
      paths.push_back(name);
    for (const std::string &path : paths)
      if (!handle)
        handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return false;
    bool complete = true;
    auto find = [&](auto &pointer, const char *name) {
      pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
          dlsym(handle, name));
      complete &= pointer != nullptr;
    };
    find(library.create, "nvJitLinkCreate");
    find(library.destroy, "nvJitLinkDestroy");
    find(library.addData, "nvJitLinkAddData");
    find(library.complete, "nvJitLinkComplete");
    find(library.cubinSize, "nvJitLinkGetLinkedCubinSize");
    find(library.cubin, "nvJitLinkGetLinkedCubin");
    find(library.errorSize, "nvJitLinkGetErrorLogSize");
    find(library.error, "nvJitLinkGetErrorLog");
    find(library.infoSize, "nvJitLinkGetInfoLogSize");
    find(library.info, "nvJitLinkGetInfoLog");
    find(library.version, "nvJitLinkVersion");
    return complete;
  }();
  return loaded ? &library : nullptr;
}

std::string kernelzero::describeNVJitLink() {
  const Library *library = loadLibrary();
  unsigned major = 0, minor = 0;
  if (!library || library->version(&major, &minor))
    return "";
  return "nvJitLink " + std::to_string(major) + "." + std::to_string(minor);
}

bool kernelzero::isLeftToNVJitLink(StringRef ptx) {
  return loadLibrary() && !ptx.contains("setmaxnreg");
}

bool kernelzero::linkPTX(StringRef ptx, const Target &target, Assembled &result,
                         std::string &error) {
  const Library *library = loadLibrary();
  if (!library) {
    error = "there is no libnvJitLink under CUDA_PATH, among the libraries or "
            "under /usr/local/cuda";
    return false;
  }
  if (ptx.contains("setmaxnreg")) {
    error = "nvJitLink ignores setmaxnreg, on which a kernel depends; use "
            "ptxas or the driver";
    return false;
  }
  auto start = std::chrono::steady_clock::now();
  std::string arch = ("-arch=" + target.chip).str();
  const char *options[] = {arch.c_str(), "-verbose"};
  Library::Handle handle = nullptr;
  auto log = [&](auto size, auto get) {
    size_t bytes = 0;
    if (!handle || size(handle, &bytes) || bytes == 0)
      return std::string();
    std::string text(bytes, '\0');
    get(handle, text.data());
    return std::string(StringRef(text).take_until([](char c) { return !c; }));
  };
  scope_exit cleanup([&] {
    if (handle)
      library->destroy(&handle);
  });
  if (int code = library->create(&handle, 2, options)) {
    error = "nvJitLink does not start for " + target.chip.str() + " (error " +
            std::to_string(code) + ")";
    return false;
  }
  size_t bytes = 0;
  int code = library->addData(handle, inputPTX, ptx.str().c_str(),
                              ptx.size() + 1, "kernels.ptx");
  if (!code)
    code = library->complete(handle);
  if (!code)
    code = library->cubinSize(handle, &bytes);
  if (!code) {
    result.cubin.resize(bytes);
    code = library->cubin(handle, result.cubin.data());
  }
  if (code) {
    std::string said = log(library->errorSize, library->error);
    error = "nvJitLink refused the PTX (error " + std::to_string(code) +
            "): " + StringRef(said).trim().split('\n').first.str();
    return false;
  }
  result.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  parsePtxasReport(log(library->infoSize, library->info), result);
  return true;
}
