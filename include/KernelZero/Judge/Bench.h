//===- Bench.h - judge candidates of one task -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_BENCH_H
#define KERNELZERO_JUDGE_BENCH_H

#include "KernelZero/Judge/Artifact.h"
#include "KernelZero/Judge/PreparedTask.h"
#include "KernelZero/Record/Protocol.h"
#include "KernelZero/Target/TargetTable.h"

#include <functional>
#include <memory>
#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kernelzero {

class Device;

/// Where a candidate is, for whoever has to explain why it died.
enum class Stage { Idle, Applying, Lowering, Compiling, Running, Timing };
const char *getStageText(Stage stage);

/// Judges candidates of one prepared task. Two kinds of processes do so, both
/// forked from the one that prepared it, and both may die: slots make code
/// (`build`), one after another measures it (`open`, then `measure`).
class Bench {
public:
  /// What runs candidates of `target` on `device`: `host`, `cuda:N`, or nothing
  /// where `device` is empty, so that time is modelled. Prepares the task,
  /// opens no device. Null and a sentence where the task is refused.
  static std::unique_ptr<Bench>
  create(mlir::MLIRContext *context, const TaskInfo &task, const Target &target,
         const std::string &device, uint64_t seed, std::string &error);
  virtual ~Bench();

  /// Tiers 1 to 3, and where nothing is measured 4 and 5: from a schedule to
  /// code. False, and the record says why, where a tier fails. Ends behind
  /// `lastTier`: there is no code then, which is false too; with 2 a GPU's
  /// record has the time that the model expects.
  virtual bool build(const Candidate &candidate, int lastTier, Record &record,
                     Artifact &artifact) = 0;

  /// Whether candidates are measured at all.
  virtual bool measures() const { return true; }
  /// Whether nothing may be built while something is measured.
  virtual bool needsQuiet() const { return false; }

  /// Opens the device, in the process that measures. What it is, or empty and a
  /// sentence in `error`.
  virtual std::string open(std::string &error) = 0;
  /// Tiers 4 to 6. Without `baseline` the candidate is timed against itself.
  virtual void measure(const Artifact &candidate, const Artifact *baseline,
                       const WorkerRequest &request, Record &record) = 0;
  /// Whether the process that measured must not measure again: a device that
  /// has seen an error keeps it.
  virtual bool isSpent() const { return false; }

  /// A record with all that is known before anything is tried.
  Record startRecord(const Candidate &candidate) const;

  PreparedTask &getTask() { return *task; }
  const Target &getTarget() const { return target; }

  /// Called whenever the stage changes.
  std::function<void(Stage)> onStage;
  /// What `open` said.
  std::string ranOn;

protected:
  Bench(std::unique_ptr<PreparedTask> task, const Target &target,
        std::string device);
  void enter(Stage stage) {
    if (onStage)
      onStage(stage);
  }

  std::unique_ptr<PreparedTask> task;
  const Target &target;
  std::string device;
};

std::unique_ptr<Bench> makeHostBench(std::unique_ptr<PreparedTask> task,
                                     const Target &target);
/// `open` makes a device of its name; without it that is `openDevice`.
using OpenDevice = std::function<std::optional<std::string>(
    const std::string &name, std::unique_ptr<Device> &device)>;
std::unique_ptr<Bench> makeCudaBench(std::unique_ptr<PreparedTask> task,
                                     const Target &target,
                                     const std::string &device,
                                     OpenDevice open = nullptr);
std::unique_ptr<Bench> makeModelledBench(std::unique_ptr<PreparedTask> task,
                                         const Target &target);

/// Dialects, interfaces and passes that judging needs.
void registerJudge(mlir::DialectRegistry &registry);

/// What candidates run on: the processor's name.
std::string describeHostDevice();

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_BENCH_H
