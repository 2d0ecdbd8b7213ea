//===- Bench.h - judge candidates of one task on the host -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_JUDGE_BENCH_H
#define KERNELZERO_JUDGE_BENCH_H

#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Reference.h"
#include "KernelZero/Record/Protocol.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>

namespace kernelzero {

class HostKernel;

/// Where a candidate is, for whoever has to explain why it died.
enum class Stage { Idle, Applying, Lowering, Compiling, Running, Timing };
const char *getStageText(Stage stage);

/// A set of inputs with what the task makes of them.
struct InputSet {
  /// `normal(0, 1)`, `hostile values`; goes into sentences.
  std::string name;
  std::vector<Buffer> inputs;
  std::vector<ReferenceTensor> references;
};

/// A task with its inputs and reference results, ready for candidates. What
/// runs candidates has to be a process that may die.
class Bench {
public:
  /// Parses the task, draws inputs, computes the reference. Null and a sentence
  /// where the task is refused.
  static std::unique_ptr<Bench> create(mlir::MLIRContext *context,
                                       const TaskInfo &task,
                                       const std::string &target, uint64_t seed,
                                       std::string &error);
  ~Bench();

  /// Applies, compiles, checks and times one candidate, as `request` says; its
  /// own list of candidates is not read.
  Record judge(const Candidate &candidate, const WorkerRequest &request);

  /// Compiles `schedule` for the task. Null, and the record says why not.
  std::unique_ptr<HostKernel> compile(const std::string &schedule,
                                      Record &record);

  /// Runs `kernel` over every set of inputs and compares whole outputs; the
  /// first difference goes into the record. `kernel` takes inputs, then
  /// outputs.
  using Kernel = std::function<void(llvm::ArrayRef<void *>)>;
  bool check(const Kernel &kernel, Record &record);

  /// Called whenever the stage changes.
  std::function<void(Stage)> onStage;

  const std::string &getDistribution() const { return distribution; }

private:
  Bench() = default;
  void enter(Stage stage) {
    if (onStage)
      onStage(stage);
  }
  void time(const Kernel &baseline, const Kernel &candidate, int rounds,
            double budget, double noise, Record &record);

  TaskInfo task;
  std::string target;
  std::string distribution;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<InputSet> sets;
  std::vector<Buffer> outputs;
  std::string baselineText;
  std::unique_ptr<HostKernel> baseline;
};

/// Median of `samples`.
double getMedian(std::vector<double> samples);

/// Fills the speed-up of `record`, its interval and the verdict from its
/// samples and noise.
void decideVerdict(Record &record);

/// What candidates run on: the processor's name.
std::string describeHostDevice();

} // namespace kernelzero

#endif // KERNELZERO_JUDGE_BENCH_H
