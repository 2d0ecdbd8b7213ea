//===- PreparedTask.cpp - inputs and references of a task -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/PreparedTask.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace kernelzero;

/// Further sets are drawn where their references cost little.
static constexpr int64_t kCheapFlops = int64_t(1) << 32;
static constexpr int64_t kCheapBytes = int64_t(1) << 26;

namespace {
struct SetKind {
  const char *name;
  int tier;
  int exponent; ///< Of the scale, a power of two.
  bool hostile;
  uint64_t salt; ///< Another draw.
};
} // namespace

/// Scales at which products of two values and sums of thousands stay finite in
/// every type that tasks compute in; f16 has the smallest range.
static constexpr SetKind kSets[] = {
    {"normal(0, 1)", 4, 0, false, 0},
    {"small values, normal(0, 2^-4)", 5, -4, false, 2},
    {"large values, normal(0, 2^2)", 5, 2, false, 3},
    {"hostile values", 5, 0, true, 1},
};

/// Multiplies all elements by a power of two: exact.
static void scaleElements(const Buffer &buffer, int exponent) {
  Type element = buffer.getType().getElementType();
  if (!exponent || !isa<FloatType>(element))
    return;
  constexpr int64_t kChunk = 1024;
  double values[kChunk];
  int64_t total = buffer.getType().getNumElements();
  for (int64_t first = 0; first < total; first += kChunk) {
    int64_t count = std::min(kChunk, total - first);
    readElements(element, buffer.data(), first, count, values);
    for (int64_t i = 0; i < count; ++i)
      values[i] = std::ldexp(values[i], exponent);
    writeElements(element, values, first, count, buffer.data());
  }
}

/// Bytes that inputs and references of one set take at least: the arguments,
/// and for everything that is computed a double and the bound of its error.
static double countJudgeBytes(func::FuncOp task) {
  double bytes = 0;
  for (Type type : task.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes += double(tensor.getNumElements()) *
               getElementBytes(tensor.getElementType());
  task.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && tensor.hasStaticShape() && !isa<tensor::EmptyOp>(op))
        bytes +=
            double(tensor.getNumElements()) * (sizeof(double) + sizeof(float));
  });
  return bytes;
}

/// Bytes of memory that this process may have.
static double getMemoryBytes() {
  double bytes = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  rlimit limit = {};
  if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, double(limit.rlim_cur));
  return bytes;
}

static bool holdsNaN(const ReferenceTensor &reference) {
  return llvm::any_of(reference.values,
                      [](double value) { return std::isnan(value); });
}

/// Bytes of the arguments that some operation reads as a whole, and of the
/// results. What is read through slices or by computed places may be a part.
static int64_t countLeastBytes(func::FuncOp function) {
  auto bytesOf = [](Type type) -> int64_t {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.getNumElements() *
                        getElementBytes(tensor.getElementType())
                  : 0;
  };
  int64_t bytes = 0;
  for (BlockArgument argument : function.getArguments()) {
    bool whole = llvm::any_of(argument.getUses(), [](OpOperand &use) {
      auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
      return op && op.isDpsInput(&use) &&
             op.payloadUsesValueFromOperand(&use) &&
             op.getMatchingIndexingMap(&use).isProjectedPermutation();
    });
    if (whole)
      bytes += bytesOf(argument.getType());
  }
  for (Type type : function.getResultTypes())
    bytes += bytesOf(type);
  return bytes;
}

std::unique_ptr<PreparedTask> PreparedTask::create(MLIRContext *context,
                                                   const TaskInfo &info,
                                                   uint64_t seed,
                                                   std::string &error) {
  auto task = std::make_unique<PreparedTask>();
  task->info = info;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
      if (error.empty())
        error = "the task does not parse: " + diag.str();
      return success();
    });
    task->module = kz::parseModule(info.text, context, "task");
  }
  if (!task->module)
    return nullptr;
  func::FuncOp function = task->getFunction();
  if (!function) {
    error = "the task has no function @task";
    return nullptr;
  }
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape() &&
        getElementBytes(tensor.getElementType()))
      continue;
    llvm::raw_string_ostream(error)
        << "the task has an argument or result of type " << type
        << "; accepted are tensors of static shape";
    return nullptr;
  }
  double needed = countJudgeBytes(function), memory = getMemoryBytes();
  if (needed > memory) {
    error = llvm::formatv("judging the task takes {0:f1} GB, {1:f1} GB of "
                          "memory are here; accepted are tasks that fit",
                          needed * 1e-9, memory * 1e-9)
                .str();
    return nullptr;
  }
  for (Type type : function.getResultTypes())
    task->results.push_back(cast<RankedTensorType>(type));
  task->leastBytes = countLeastBytes(function);

  bool cheap = info.flops <= kCheapFlops && info.bytes <= kCheapBytes;
  task->distribution = "normal(0, 1), seed " + std::to_string(seed) +
                       (cheap ? ", 2 further scales, and hostile values" : "");
  task->judgedOn =
      cheap ? "exact guard: fresh data, 2 scales and hostile values; no other "
              "shapes"
            : "exact guard: fresh data; no scales and no hostile values, as "
              "their references would take too long; no other shapes";
  for (const SetKind &kind : kSets) {
    if (kind.tier > 4 && !cheap)
      break;
    InputSet &set = task->sets.emplace_back();
    set.name = kind.name;
    set.tier = kind.tier;
    std::vector<const void *> pointers;
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      Buffer &buffer = set.inputs.emplace_back();
      if (!buffer.allocate(cast<RankedTensorType>(type))) {
        error = "there is no memory for a buffer of the task";
        return nullptr;
      }
      uint64_t own = seed * 1000003 + index * 7919 + kind.salt;
      drawInput(function.getArgument(index), buffer, own);
      scaleElements(buffer, kind.exponent);
      if (kind.hostile)
        sprinkleInput(function.getArgument(index), buffer, own);
      buffer.protect();
      pointers.push_back(buffer.data());
    }
    if (!evaluateReference(function, pointers, set.references, error))
      return nullptr;
    set.hasNaN = llvm::any_of(set.references, holdsNaN);
  }
  // A judge that nothing can displease is none: zeros must fail on one of the
  // sets. On the first a test for NaN, say, is false everywhere.
  for (auto [number, type] : llvm::enumerate(task->results)) {
    Buffer zeros;
    if (!zeros.allocate(type)) {
      error = "there is no memory for a buffer of the task";
      return nullptr;
    }
    std::memset(zeros.data(), 0, zeros.bytes());
    if (llvm::all_of(task->sets, [&, number = number](const InputSet &set) {
          return compareWithReference(set.references[number], zeros.data())
                     .wrong == 0;
        })) {
      error = "the reference cannot tell a right result from zeros";
      return nullptr;
    }
  }
  return task;
}
