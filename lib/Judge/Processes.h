//===- Processes.h - processes that may die -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_PROCESSES_H
#define KERNELZERO_LIB_JUDGE_PROCESSES_H

#include "KernelZero/Judge/Bench.h"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelzero {

/// A forked process that answers lines by lines. It dies with its parent, and
/// all that it started dies with it.
class Child {
public:
  Child();
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  /// Forks a process that runs `serve` with its end of the connection. False
  /// where none can be started.
  bool start(const std::function<void(int fd, Child &self)> &serve);
  /// Ends the process and its whole group; how it ended. One that `isEnding`,
  /// because its end of the connection is closed, is given a moment to do so.
  int stop(bool isEnding = false);
  bool isAlive() const { return process > 0; }

  /// Sends lines; false where the process is gone.
  bool send(const std::vector<std::string> &lines);
  /// Reads what is there, until `count` lines are complete.
  enum class Answer { Complete, Partial, Gone };
  Answer receive(size_t count, std::vector<std::string> &lines);

  int getDescriptor() const { return fd; }
  /// Where the process is, as it says in memory that both see.
  Stage getStage() const;
  void setStage(Stage stage);

  /// For whoever uses it.
  bool isBusy = false;
  int handled = 0;
  size_t job = 0;
  std::chrono::steady_clock::time_point started, deadline;

private:
  volatile Stage *stage = nullptr;
  pid_t process = -1;
  int fd = -1;
  std::string pending;
};

/// Keeps this process from using far more memory than it has now and
/// `taskBytes` a few times over: it is then out of memory by itself, before the
/// machine is.
void limitMemory(int64_t taskBytes);

/// Says how a process ended that should not have: a sentence.
std::string describeEnd(int status, Stage stage);

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_PROCESSES_H
