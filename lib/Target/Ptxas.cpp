//===- Ptxas.cpp - PTX to machine code by the toolkit's assembler ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace kernelzero;

std::optional<std::string> kernelzero::findPtxas() {
  auto executable = [](const Twine &path) -> std::optional<std::string> {
    if (sys::fs::can_execute(path))
      return path.str();
    return std::nullopt;
  };
  if (std::optional<std::string> root = sys::Process::GetEnv("CUDA_PATH"))
    if (auto path = executable(*root + "/bin/ptxas"))
      return path;
  if (ErrorOr<std::string> path = sys::findProgramByName("ptxas"))
    return *path;
  return executable("/usr/local/cuda/bin/ptxas");
}

std::string kernelzero::missingPtxasMessage() {
  return "no ptxas under CUDA_PATH, on PATH or under /usr/local/cuda: the PTX "
         "is left to the driver, and registers and spills are not known before "
         "the kernel is loaded";
}

void kernelzero::parsePtxasReport(StringRef text, Assembled &result) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // "12 bytes" and "Used 168 registers": the number before a word.
  auto before = [](StringRef line, StringRef word) -> int64_t {
    size_t at = line.find(word);
    if (at == StringRef::npos)
      return 0;
    StringRef head = line.take_front(at).rtrim();
    int64_t value = 0;
    head.substr(head.find_last_not_of("0123456789") + 1)
        .getAsInteger(10, value);
    return value;
  };
  for (StringRef line : lines) {
    StringRef rest = line;
    if (rest.consume_front("ptxas info    : Compiling entry function '")) {
      result.kernels.emplace_back();
      result.kernels.back().kernel =
          rest.take_until([](char c) { return c == '\''; }).str();
      continue;
    }
    bool info = line.starts_with("ptxas info");
    if (line.contains("bytes stack frame") && !result.kernels.empty()) {
      KernelResources &kernel = result.kernels.back();
      kernel.stackBytes = before(line, "bytes stack frame");
      kernel.spillStoreBytes = before(line, "bytes spill stores");
      kernel.spillLoadBytes = before(line, "bytes spill loads");
    } else if (info && line.contains("Used ") && !result.kernels.empty()) {
      KernelResources &kernel = result.kernels.back();
      kernel.registers = before(line, "registers");
      kernel.sharedBytes = before(line, "bytes smem");
    } else if (line.contains("warning") || line.contains("(C7") ||
               line.contains("Potential Performance Loss")) {
      result.advice.push_back(line.trim().str());
    }
  }
}

bool kernelzero::assemblePTX(StringRef ptxas, StringRef ptx,
                             const Target &target, unsigned seconds,
                             Assembled &result, std::string &error) {
  SmallString<128> input, output, log;
  scope_exit cleanup([&] {
    for (StringRef path : {input.str(), output.str(), log.str()})
      if (!path.empty())
        sys::fs::remove(path);
  });
  int fd = -1;
  if (std::error_code ec =
          sys::fs::createTemporaryFile("kernelzero", "ptx", fd, input)) {
    error = "no temporary file for ptxas: " + ec.message();
    return false;
  }
  {
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << ptx;
    os.close();
    if (os.has_error()) {
      error = "PTX could not be written to " + input.str().str() + ": " +
              os.error().message();
      os.clear_error();
      return false;
    }
  }
  for (auto [name, suffix] :
       {std::pair{&output, "cubin"}, std::pair{&log, "log"}})
    if (std::error_code ec =
            sys::fs::createTemporaryFile("kernelzero", suffix, *name)) {
      error = "no temporary file for ptxas: " + ec.message();
      return false;
    }

  auto start = std::chrono::steady_clock::now();
  std::string arch = ("-arch=" + target.chip).str();
  StringRef args[] = {ptxas, "-v", arch, input, "-o", output};
  std::optional<StringRef> redirects[] = {StringRef(""), log.str(), log.str()};
  std::string message;
  int rc = sys::ExecuteAndWait(ptxas, args, /*Env=*/std::nullopt, redirects,
                               seconds, /*MemoryLimit=*/0, &message);
  result.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  std::string report;
  if (auto buffer = MemoryBuffer::getFile(log))
    report = (*buffer)->getBuffer().str();
  if (rc == -2 && StringRef(message).contains("timed out")) {
    error = "ptxas took more than " + std::to_string(seconds) +
            " s and was stopped";
    return false;
  }
  if (rc < 0) {
    error = "ptxas (" + ptxas.str() + ") could not be run: " + message;
    return false;
  }
  if (rc != 0) {
    StringRef first = StringRef(report).trim().split('\n').first;
    error = "ptxas refused the PTX (exit code " + std::to_string(rc) +
            "): " + first.str();
    return false;
  }
  auto cubin = MemoryBuffer::getFile(output, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!cubin) {
    error = "ptxas left no output: " + cubin.getError().message();
    return false;
  }
  result.cubin = (*cubin)->getBuffer().str();
  parsePtxasReport(report, result);
  return true;
}
