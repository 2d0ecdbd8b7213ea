//===- Ptxas.cpp - PTX to machine code by the toolkit's assembler ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/PTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

namespace {
/// A file without a name, which is gone with the last process that holds it.
class NamelessFile {
public:
  explicit NamelessFile(const char *what)
      : fd(memfd_create(what, MFD_CLOEXEC)) {}
  NamelessFile(const NamelessFile &) = delete;
  ~NamelessFile() {
    if (fd >= 0)
      close(fd);
  }
  bool isOpen() const { return fd >= 0; }
  int getDescriptor() const { return fd; }
  /// What a process that inherits it can open.
  std::string getPath() const { return "/proc/self/fd/" + std::to_string(fd); }
  bool write(StringRef text) {
    while (!text.empty()) {
      ssize_t done = ::write(fd, text.data(), text.size());
      if (done <= 0)
        return false;
      text = text.drop_front(done);
    }
    return true;
  }
  std::string read() const {
    std::string text;
    char part[65536];
    for (ssize_t got; (got = pread(fd, part, sizeof part, text.size())) > 0;)
      text.append(part, got);
    return text;
  }

private:
  int fd;
};
} // namespace

/// How a tool ended that gave no exit code.
static constexpr int kNotRun = -1, kTimedOut = -2, kKilled = -3;

/// Runs a program with `files` open and its output in `log`; its exit code, or
/// one of the above and what went wrong in `message`. It dies with this
/// process, however that ends: nobody else would stop it.
static int runTool(std::vector<std::string> words,
                   ArrayRef<const NamelessFile *> files,
                   const NamelessFile &log, unsigned seconds,
                   std::string &message) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0)
      _exit(127);
    dup2(nothing, 0);
    dup2(log.getDescriptor(), 1);
    dup2(log.getDescriptor(), 2);
    for (const NamelessFile *file : files)
      fcntl(file->getDescriptor(), F_SETFD, 0);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  if (process < 0) {
    message = std::strerror(errno);
    return kNotRun;
  }
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int status = 0;
  while (true) {
    pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process)
      break;
    if (std::chrono::steady_clock::now() >= end) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      return kTimedOut;
    }
    usleep(1000);
  }
  if (WIFSIGNALED(status)) {
    message = strsignal(WTERMSIG(status));
    return kKilled;
  }
  if (WEXITSTATUS(status) == 127) {
    message = "it is no program";
    return kNotRun;
  }
  return WEXITSTATUS(status);
}

Assembly kernelzero::assemblePTX(StringRef ptxas, StringRef ptx,
                                 const Target &target, unsigned seconds,
                                 Assembled &result, std::string &error) {
  NamelessFile input("ptx"), output("cubin"), log("log");
  if (!input.isOpen() || !output.isOpen() || !log.isOpen() ||
      !input.write(ptx)) {
    error = "there is no memory for the files of ptxas: " +
            std::string(std::strerror(errno));
    return Assembly::Unusable;
  }
  auto start = std::chrono::steady_clock::now();
  std::string arch = ("-arch=" + target.chip).str();
  std::string message;
  int rc = runTool(
      {ptxas.str(), "-v", arch, input.getPath(), "-o", output.getPath()},
      {&input, &output}, log, seconds, message);
  result.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  std::string report = log.read();
  switch (rc) {
  case kTimedOut:
    error = "ptxas took more than " + std::to_string(seconds) +
            " s and was stopped";
    return Assembly::Refused;
  case kKilled:
    error = "ptxas (" + ptxas.str() + ") was killed: " + message;
    return Assembly::Killed;
  case kNotRun:
    error = "ptxas (" + ptxas.str() + ") could not be run: " + message;
    return Assembly::Unusable;
  case 0:
    break;
  default:
    error = "ptxas refused the PTX (exit code " + std::to_string(rc) +
            "): " + StringRef(report).trim().split('\n').first.str();
    return Assembly::Refused;
  }
  result.cubin = output.read();
  if (!StringRef(result.cubin)
           .starts_with("\x7f"
                        "ELF")) {
    result.cubin.clear();
    error = "ptxas (" + ptxas.str() + ") left no machine code";
    return Assembly::Unusable;
  }
  parsePtxasReport(report, result);
  return Assembly::Done;
}
