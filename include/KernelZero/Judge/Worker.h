//===- Worker.h - processes that judge candidates -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_WORKER_H
#define KERNELZERO_JUDGE_WORKER_H

#include "KernelZero/Record/Protocol.h"

#include <atomic>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mlir {
class MLIRContext;
}

namespace kernelzero {

/// A worker: reads requests from `in`, one a line, and writes replies to `out`
/// until `in` ends. It keeps the prepared task and forks processes for its
/// candidates; when one dies or hangs, that candidate is recorded and the next
/// one gets a new process.
int runWorker(mlir::MLIRContext &context, int in, int out);

/// The other end: starts a worker, talks to it, starts another when it is lost.
class Worker {
public:
  /// `command` starts a worker that speaks over its standard streams.
  /// `interrupted` ends waiting when it becomes true.
  Worker(std::vector<std::string> command,
         const std::atomic<bool> &interrupted);
  ~Worker();

  enum class Outcome {
    Replied,
    Lost, ///< The worker died, spoke nonsense, or did not answer in time.
    Interrupted, ///< The user wants to stop.
  };

  /// Sends a `prepare` request and waits for its reply. Starts the worker when
  /// there is none.
  Outcome ask(const WorkerRequest &request, double limitSeconds,
              WorkerReply &reply, std::string &error);

  /// Has the candidates of `batch` judged and calls `onRecord` once for each,
  /// in any order. Where the worker is lost, what has no record yet is asked
  /// once more of a new worker, which is given the last `prepare` again, and
  /// then recorded as crashed; the outcome is then still `Replied`. `Lost`: no
  /// worker could be started, or it refuses the request as a whole.
  Outcome judge(const WorkerRequest &batch,
                const std::function<void(const Record &)> &onRecord,
                std::string &error);

  /// What the worker said when it started.
  const WorkerReply &getHello() const { return hello; }

private:
  bool start(std::string &error);
  bool startOnce(std::string &error, bool &died);
  void stop();
  Outcome send(const std::string &line, std::string &error);
  Outcome receive(double limitSeconds, WorkerReply &reply, std::string &error);
  Outcome revive(std::string &error);

  std::vector<std::string> command;
  const std::atomic<bool> &interrupted;
  pid_t process = -1;
  int toWorker = -1, fromWorker = -1;
  std::string pending; ///< Bytes behind the last whole line.
  WorkerReply hello;
  WorkerRequest prepared;
  bool isPrepared = false;
  double prepareSeconds = 0;
};

/// Reads one line of at most `limitSeconds` from `fd` into `line`.
enum class LineResult { Line, End, Late, Interrupted };
LineResult readLine(int fd, double limitSeconds, std::string &pending,
                    std::string &line,
                    const std::atomic<bool> *interrupted = nullptr);
/// Writes a line and a newline; false where the other end is gone.
bool writeLine(int fd, const std::string &line);

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_WORKER_H
