//===- Protocol.h - what the tuner and its workers say --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RECORD_PROTOCOL_H
#define KERNELZERO_RECORD_PROTOCOL_H

#include "KernelZero/Record/Record.h"

namespace kernelzero {

/// Version of the lines below; a worker of another version is refused.
constexpr int kProtocolVersion = 1;

/// One line to a worker: `prepare` a task, or `judge` a candidate of the task
/// that was prepared last.
struct WorkerRequest {
  int protocol = kProtocolVersion;
  std::string type;
  // prepare
  TaskInfo task;
  std::string target;
  std::string device;
  uint64_t seed = 0;
  // judge
  std::string id;
  std::string schedule;
  std::string baseline; ///< Empty: the candidate against itself, for the noise.
  std::string origin;
  std::map<std::string, int64_t> knobs;
  double noise = 0;
  /// Hard limit on a candidate, in seconds.
  double limitSeconds = 60;
  /// Most rounds of baseline and candidate, and the time that they should take:
  /// slow kernels get fewer rounds, 3 at least.
  int rounds = 7;
  double budgetSeconds = 5;
};

/// One line from a worker: `hello` at start, `prepared` or `refused`, `record`.
struct WorkerReply {
  int protocol = kProtocolVersion;
  std::string type;
  std::string device;    ///< hello
  std::string toolchain; ///< hello
  std::string error;     ///< refused
  double seconds = 0;    ///< prepared
  Record record;         ///< record
};

/// Without a newline.
std::string toLine(const WorkerRequest &request);
std::string toLine(const WorkerReply &reply);
bool fromLine(const std::string &line, WorkerRequest &request,
              std::string &error);
bool fromLine(const std::string &line, WorkerReply &reply, std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_RECORD_PROTOCOL_H
