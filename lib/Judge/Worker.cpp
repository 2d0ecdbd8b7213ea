//===- Worker.cpp - the tuner's end of a worker ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Worker.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelzero;

Worker::Worker(std::vector<std::string> command,
               const std::atomic<bool> &interrupted)
    : command(std::move(command)), interrupted(interrupted) {
  // A worker that is gone is an outcome, not the end of the tuner.
  std::signal(SIGPIPE, SIG_IGN);
}

Worker::~Worker() { stop(); }

void Worker::stop() {
  if (toWorker >= 0)
    close(toWorker);
  if (fromWorker >= 0)
    close(fromWorker);
  toWorker = fromWorker = -1;
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  process = -1;
  pending.clear();
}

bool Worker::start(std::string &error) {
  int requests[2], replies[2];
  if (pipe2(requests, O_CLOEXEC)) {
    error = std::string("cannot start a worker: ") + std::strerror(errno);
    return false;
  }
  if (pipe2(replies, O_CLOEXEC)) {
    error = std::string("cannot start a worker: ") + std::strerror(errno);
    close(requests[0]);
    close(requests[1]);
    return false;
  }
  std::vector<char *> arguments;
  for (std::string &word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t parent = getpid();
  process = fork();
  if (process == 0) {
    // Dies with the tuner, however that ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
    dup2(requests[0], 0);
    dup2(replies[1], 1);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(requests[0]);
  close(replies[1]);
  toWorker = requests[1];
  fromWorker = replies[0];
  if (process < 0) {
    error = std::string("cannot start a worker: ") + std::strerror(errno);
    stop();
    return false;
  }
  std::string line, reason;
  if (readLine(fromWorker, 60, pending, line, &interrupted) !=
      LineResult::Line) {
    error = "the worker '" + command.front() + "' did not answer";
    stop();
    return false;
  }
  if (!fromLine(line, hello, reason) || hello.type != "hello") {
    error = "the worker '" + command.front() + "' is not understood: " + reason;
    stop();
    return false;
  }
  return true;
}

Worker::Outcome Worker::exchange(const std::string &line, double limitSeconds,
                                 WorkerReply &reply, std::string &error) {
  std::string answer;
  if (!writeLine(toWorker, line)) {
    error = "the worker is gone";
    stop();
    return Outcome::Lost;
  }
  switch (readLine(fromWorker, limitSeconds, pending, answer, &interrupted)) {
  case LineResult::Line:
    break;
  case LineResult::Interrupted:
    stop();
    return Outcome::Interrupted;
  case LineResult::End:
    error = "the worker died";
    stop();
    return Outcome::Lost;
  case LineResult::Late:
    error = "the worker did not answer in time";
    stop();
    return Outcome::Lost;
  }
  if (!fromLine(answer, reply, error)) {
    stop();
    return Outcome::Lost;
  }
  return Outcome::Replied;
}

Worker::Outcome Worker::ask(const WorkerRequest &request, double limitSeconds,
                            WorkerReply &reply, std::string &error) {
  bool isPrepare = request.type == "prepare";
  if (isPrepare)
    isPrepared = false;
  if (process < 0) {
    if (!start(error)) {
      hello = WorkerReply();
      return interrupted ? Outcome::Interrupted : Outcome::Lost;
    }
    if (!isPrepare && isPrepared) {
      WorkerReply again;
      Outcome outcome = exchange(toLine(prepared), 3600, again, error);
      if (outcome != Outcome::Replied)
        return outcome;
    }
  }
  Outcome outcome = exchange(toLine(request), limitSeconds, reply, error);
  if (isPrepare && outcome == Outcome::Replied && reply.type == "prepared") {
    prepared = request;
    isPrepared = true;
  }
  return outcome;
}
