//===- Processes.cpp - processes that may die -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Processes.h"
#include "KernelZero/Judge/Worker.h"
#include "llvm/Support/FormatVariadic.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelzero;

Child::Child() {
  void *memory = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  stage =
      memory == MAP_FAILED ? nullptr : static_cast<volatile Stage *>(memory);
}

Child::~Child() {
  stop();
  if (stage)
    munmap(const_cast<Stage *>(stage), sizeof(Stage));
}

Stage Child::getStage() const { return stage ? *stage : Stage::Idle; }
void Child::setStage(Stage next) {
  if (stage)
    *stage = next;
}

bool Child::start(const std::function<void(int, Child &)> &serve) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
    return false;
  setStage(Stage::Idle);
  pid_t parent = getpid();
  process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
    // What it starts (an assembler) is killed with it, as a group.
    setpgid(0, 0);
    close(sockets[0]);
    serve(sockets[1], *this);
    _exit(0);
  }
  close(sockets[1]);
  if (process < 0) {
    close(sockets[0]);
    return false;
  }
  setpgid(process, process); // Whoever of the two comes first.
  fd = sockets[0];
  handled = 0;
  isBusy = false;
  pending.clear();
  return true;
}

int Child::stop(bool isEnding) {
  int status = 0;
  if (fd >= 0)
    close(fd);
  if (process > 0) {
    // One that ends by itself has a reason, which is worth waiting for.
    constexpr int kLooks = 200;
    pid_t ended = 0;
    for (int look = 0; look < (isEnding ? kLooks : 1); ++look) {
      ended = waitpid(process, &status, WNOHANG);
      if (ended || !isEnding)
        break;
      usleep(10000);
    }
    // Also what it started and left behind.
    kill(-process, SIGKILL);
    if (ended == 0) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
    }
  }
  fd = -1;
  process = -1;
  isBusy = false;
  pending.clear();
  return status;
}

bool Child::send(const std::vector<std::string> &lines) {
  for (const std::string &line : lines)
    if (!writeLine(fd, line))
      return false;
  return true;
}

Child::Answer Child::receive(size_t count, std::vector<std::string> &lines) {
  char buffer[1 << 16];
  ssize_t got;
  do
    got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return errno == EAGAIN || errno == EWOULDBLOCK ? Answer::Partial
                                                   : Answer::Gone;
  if (got == 0)
    return Answer::Gone;
  pending.append(buffer, got);
  if (size_t(std::count(pending.begin(), pending.end(), '\n')) < count)
    return Answer::Partial;
  lines.clear();
  size_t from = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t newline = pending.find('\n', from);
    lines.push_back(pending.substr(from, newline - from));
    from = newline + 1;
  }
  pending.erase(0, from);
  return Answer::Complete;
}

void kernelzero::limitMemory(int64_t taskBytes) {
  long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  rlim_t limit = rlim_t(pages) * sysconf(_SC_PAGESIZE) + 8 * rlim_t(taskBytes) +
                 (rlim_t(8) << 30);
  rlimit limits = {limit, limit};
  setrlimit(RLIMIT_AS, &limits);
}

std::string kernelzero::describeEnd(int status, Stage stage) {
  if (WIFSIGNALED(status))
    return llvm::formatv("the candidate died of signal {0} ({1}) {2}",
                         WTERMSIG(status), strsignal(WTERMSIG(status)),
                         getStageText(stage))
        .str();
  return llvm::formatv("the candidate's process ended with status {0} {1}",
                       WEXITSTATUS(status), getStageText(stage))
      .str();
}
