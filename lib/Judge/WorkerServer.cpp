//===- WorkerServer.cpp - the worker's end, and its candidates ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Judge/TargetRow.h"
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelzero;

/// Contexts grow; after so many candidates a process has done its duty.
static constexpr int kCandidatesPerProcess = 16;

namespace {
/// The process that runs candidates.
class Runner {
public:
  Runner(Bench &bench, int64_t taskBytes) : bench(bench), taskBytes(taskBytes) {
    void *memory = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    stage =
        memory == MAP_FAILED ? nullptr : static_cast<volatile Stage *>(memory);
  }
  ~Runner() {
    stop();
    if (stage)
      munmap(const_cast<Stage *>(stage), sizeof(Stage));
  }

  Record judge(const Candidate &candidate, const WorkerRequest &request);

private:
  bool start();
  int stop();
  [[noreturn]] void serve(int fd);
  void limitMemory();

  Bench &bench;
  int64_t taskBytes;
  volatile Stage *stage;
  pid_t process = -1;
  int fd = -1;
  int judged = 0;
  std::string pending;
};
} // namespace

void Runner::limitMemory() {
  // A candidate that wants far more than its task is out of memory by itself,
  // before the machine is.
  long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  rlim_t limit = rlim_t(pages) * sysconf(_SC_PAGESIZE) + 4 * rlim_t(taskBytes) +
                 (rlim_t(8) << 30);
  rlimit limits = {limit, limit};
  setrlimit(RLIMIT_AS, &limits);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
}

void Runner::serve(int socket) {
  limitMemory();
  bench.onStage = [&](Stage next) {
    if (stage)
      *stage = next;
  };
  std::string buffer, line, error;
  while (readLine(socket, 1e9, buffer, line) == LineResult::Line) {
    WorkerRequest request;
    WorkerReply reply;
    reply.type = "record";
    if (!fromLine(line, request, error) || request.candidates.empty())
      _exit(3);
    reply.record = bench.judge(request.candidates.front(), request);
    if (!writeLine(socket, toLine(reply)))
      _exit(0);
  }
  _exit(0);
}

bool Runner::start() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
    return false;
  pid_t parent = getpid();
  process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
    close(sockets[0]);
    serve(sockets[1]);
  }
  close(sockets[1]);
  fd = sockets[0];
  judged = 0;
  pending.clear();
  return process > 0;
}

/// Ends the process; how it ended.
int Runner::stop() {
  int status = 0;
  if (fd >= 0)
    close(fd);
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
  }
  fd = -1;
  process = -1;
  return status;
}

Record Runner::judge(const Candidate &candidate, const WorkerRequest &request) {
  if (judged >= kCandidatesPerProcess)
    stop();
  Record lost;
  lost.id = candidate.id;
  lost.schedule = candidate.schedule;
  lost.origin = candidate.origin;
  lost.knobs = candidate.knobs;
  lost.evidence.ranOn = describeHostDevice();
  lost.evidence.toolchain = getToolchain();
  lost.evidence.distribution = bench.getDistribution();
  lost.evidence.date = getDate();
  lost.verdict = Verdict::Crashed;
  lost.failedTier = 0;
  if (stage)
    *stage = Stage::Idle;
  if (process < 0 && !start()) {
    lost.sentences.push_back(
        std::string("no process could be started for the candidate: ") +
        std::strerror(errno));
    return lost;
  }
  ++judged;
  std::string line, error;
  WorkerReply reply;
  LineResult result = LineResult::End;
  WorkerRequest one = request;
  one.candidates = {candidate};
  if (writeLine(fd, toLine(one)))
    result = readLine(fd, request.limitSeconds, pending, line);
  if (result == LineResult::Line && fromLine(line, reply, error))
    return reply.record;
  const char *where = stage ? getStageText(*stage) : "";
  if (result == LineResult::Late) {
    stop();
    lost.verdict = Verdict::TimedOut;
    lost.sentences.push_back(
        llvm::formatv(
            "the candidate did not finish within {0:f0} seconds; stopped {1}",
            request.limitSeconds, where)
            .str());
    return lost;
  }
  // The end of the pipe comes before the end of the process.
  int status = 0;
  waitpid(process, &status, 0);
  process = -1;
  stop();
  if (WIFSIGNALED(status))
    lost.sentences.push_back(
        llvm::formatv("the candidate died of signal {0} ({1}) {2}",
                      WTERMSIG(status), strsignal(WTERMSIG(status)), where)
            .str());
  else
    lost.sentences.push_back(
        llvm::formatv("the candidate's process ended with status {0} {1}",
                      WEXITSTATUS(status), where)
            .str());
  if (stage && *stage >= Stage::Running)
    lost.sentences.push_back(
        "inputs are read-only and every buffer ends at a guard "
        "page: an access beyond them is fatal");
  return lost;
}

int kernelzero::runWorker(mlir::MLIRContext &context, int in, int out) {
  // Ctrl-C is for the tuner; a worker ends when its input does.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  WorkerReply hello;
  hello.type = "hello";
  hello.device = describeHostDevice();
  hello.toolchain = getToolchain();
  if (!writeLine(out, toLine(hello)))
    return 0;
  std::unique_ptr<Bench> bench;
  std::unique_ptr<Runner> runner;
  TaskInfo task;
  std::string target;
  std::string pending, line;
  while (readLine(in, 1e9, pending, line) == LineResult::Line) {
    WorkerRequest request;
    WorkerReply reply;
    if (!fromLine(line, request, reply.error)) {
      reply.type = "refused";
    } else if (request.type == "prepare") {
      auto start = std::time(nullptr);
      runner.reset();
      bench.reset();
      task = request.task;
      if (const Target *row = fromRow(request.target, reply.error)) {
        target = row->name.str();
        bench =
            Bench::create(&context, task, target, request.seed, reply.error);
      }
      reply.type = bench ? "prepared" : "refused";
      reply.seconds = std::difftime(std::time(nullptr), start);
      reply.device = bench ? describeHostDevice() : "";
      if (bench)
        runner = std::make_unique<Runner>(*bench, task.bytes);
    } else if (request.type == "judge" && runner) {
      auto start = std::time(nullptr);
      bool gone = false;
      for (const Candidate &candidate : request.candidates) {
        reply.type = "record";
        reply.record = runner->judge(candidate, request);
        reply.record.taskKey = task.key;
        reply.record.taskName = task.name;
        reply.record.target = target;
        reply.record.device = "host";
        if ((gone = !writeLine(out, toLine(reply))))
          break;
      }
      if (gone)
        break;
      reply = WorkerReply();
      reply.type = "done";
      reply.seconds = std::difftime(std::time(nullptr), start);
    } else {
      reply.type = "refused";
      reply.error = request.type == "judge"
                        ? "no task is prepared"
                        : "request '" + request.type +
                              "' is not known; accepted are prepare, judge";
    }
    if (!writeLine(out, toLine(reply)))
      break;
  }
  return 0;
}
