//===- Protocol.h - what the tuner and its workers say --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RECORD_PROTOCOL_H
#define KERNELZERO_RECORD_PROTOCOL_H

#include "KernelZero/Record/Record.h"

namespace kernelzero {

/// Version of the lines below; a worker of another version is refused.
constexpr int kProtocolVersion = 2;

/// One schedule to judge.
struct Candidate {
  std::string id; ///< Hash of the schedule.
  std::string schedule;
  std::string origin;
  std::map<std::string, int64_t> knobs;
};

/// One line to a worker: `prepare` a task, or `judge` candidates of the task
/// that was prepared last.
struct WorkerRequest {
  int protocol = kProtocolVersion;
  std::string type;
  // prepare
  TaskInfo task;
  std::string target; ///< Its identity, `getTargetText`.
  std::string device; ///< `host`, `cuda:N`; empty: none, so it is modelled.
  uint64_t seed = 0;
  // judge
  std::vector<Candidate> candidates;
  /// A schedule; empty: each candidate against itself, for the noise.
  std::string baseline;
  double noise = 0;
  /// Most rounds of baseline and candidate, and the time that they should take:
  /// slow kernels get fewer rounds, 3 at least.
  int rounds = 7;
  double budgetSeconds = 5;
  /// Hard limit on making a candidate's code, and on running it, in seconds.
  double limitSeconds = 60;
  /// Candidates whose code is made at a time.
  int jobs = 1;
  /// Tiers above this one are not run.
  int lastTier = 6;
  /// Whether named peers (cuBLAS, a copy) are timed as well.
  bool peers = false;
};

/// One line from a worker: `hello` at start; `prepared` or `refused`; `record`
/// once for each candidate as soon as it is done, in any order, then `done`.
struct WorkerReply {
  int protocol = kProtocolVersion;
  std::string type;
  std::string device;    ///< hello, prepared: what candidates run on.
  std::string toolchain; ///< hello
  std::string error;     ///< refused
  double seconds = 0;    ///< prepared, done
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
