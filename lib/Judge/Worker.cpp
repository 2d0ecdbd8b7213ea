//===- Worker.cpp - the tuner's end of a worker ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Worker.h"
#include "KernelZero/Target/TargetTable.h"

#include <algorithm>
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
  // A worker may be killed by accident before it has said a word.
  constexpr int kStarts = 5;
  bool died = true;
  for (int attempt = 0; died && attempt < kStarts; ++attempt)
    if (startOnce(error, died))
      return true;
  return false;
}

bool Worker::startOnce(std::string &error, bool &died) {
  died = false;
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
  LineResult result = readLine(fromWorker, 60, pending, line, &interrupted);
  if (result != LineResult::Line) {
    died = result == LineResult::End;
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

Worker::Outcome Worker::send(const std::string &line, std::string &error) {
  if (writeLine(toWorker, line))
    return Outcome::Replied;
  error = "the worker is gone";
  stop();
  return Outcome::Lost;
}

Worker::Outcome Worker::receive(double limitSeconds, WorkerReply &reply,
                                std::string &error) {
  std::string answer;
  LineResult result =
      readLine(fromWorker, limitSeconds, pending, answer, &interrupted);
  reply = WorkerReply();
  if (result == LineResult::Line && fromLine(answer, reply, error))
    return Outcome::Replied;
  if (result == LineResult::End)
    error = "the worker died";
  else if (result == LineResult::Late)
    error = "the worker did not answer in time";
  stop();
  return result == LineResult::Interrupted ? Outcome::Interrupted
                                           : Outcome::Lost;
}

Worker::Outcome Worker::ask(const WorkerRequest &request, double limitSeconds,
                            WorkerReply &reply, std::string &error) {
  isPrepared = false;
  if (process < 0 && !start(error)) {
    hello = WorkerReply();
    return interrupted ? Outcome::Interrupted : Outcome::Lost;
  }
  Outcome outcome = send(toLine(request), error);
  if (outcome == Outcome::Replied)
    outcome = receive(limitSeconds, reply, error);
  if (outcome == Outcome::Replied && reply.type == "prepared") {
    prepared = request;
    isPrepared = true;
    prepareSeconds = limitSeconds;
  }
  return outcome;
}

/// A worker that has the task, a new one where there is none.
Worker::Outcome Worker::revive(std::string &error) {
  if (process >= 0)
    return Outcome::Replied;
  if (!isPrepared) {
    error = "no task is prepared";
    return Outcome::Lost;
  }
  WorkerRequest again = prepared;
  WorkerReply reply;
  Outcome outcome = ask(again, prepareSeconds, reply, error);
  // It was prepared once; a worker that is lost meanwhile is the next one's
  // business.
  prepared = again;
  isPrepared = true;
  if (outcome == Outcome::Replied && reply.type != "prepared") {
    error = reply.error;
    return Outcome::Lost;
  }
  return outcome;
}

Worker::Outcome
Worker::judge(const WorkerRequest &batch,
              const std::function<void(const Record &)> &onRecord,
              std::string &error) {
  WorkerRequest request = batch;
  request.type = "judge";
  // Slots make code at the same time, then one candidate at a time runs.
  auto getLimit = [&] {
    double turns =
        2 + double(request.candidates.size()) / std::max(1, request.jobs);
    return 60 + request.limitSeconds * turns;
  };
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts && !request.candidates.empty();
       ++attempt) {
    Outcome outcome = revive(error);
    if (outcome == Outcome::Replied)
      outcome = send(toLine(request), error);
    while (outcome == Outcome::Replied) {
      WorkerReply reply;
      outcome = receive(getLimit(), reply, error);
      if (outcome != Outcome::Replied || reply.type == "done")
        break;
      if (reply.type == "refused") {
        error = reply.error;
        return Outcome::Lost;
      }
      auto &left = request.candidates;
      auto judged =
          std::find_if(left.begin(), left.end(), [&](const Candidate &one) {
            return one.id == reply.record.id;
          });
      if (reply.type != "record" || judged == left.end())
        continue;
      left.erase(judged);
      onRecord(reply.record);
    }
    if (outcome == Outcome::Interrupted)
      return outcome;
    if (outcome == Outcome::Replied && !request.candidates.empty())
      error = "the worker was done without a word on the candidate";
    if (interrupted)
      return Outcome::Interrupted;
  }
  if (!request.candidates.empty() && hello.type.empty())
    return Outcome::Lost;
  for (const Candidate &candidate : request.candidates) {
    Record record;
    record.taskKey = prepared.task.key;
    record.taskName = prepared.task.name;
    record.target = prepared.target;
    record.device = prepared.device;
    record.id = candidate.id;
    record.schedule = candidate.schedule;
    record.origin = candidate.origin;
    record.knobs = candidate.knobs;
    record.verdict = Verdict::Crashed;
    record.failedTier = 0;
    record.evidence.toolchain = hello.toolchain;
    record.evidence.date = getDate();
    record.sentences.push_back(error);
    onRecord(record);
  }
  return Outcome::Replied;
}
