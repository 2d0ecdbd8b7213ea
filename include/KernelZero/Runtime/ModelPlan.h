//===- ModelPlan.h - a model as a list of steps ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_MODELPLAN_H
#define KERNELZERO_RUNTIME_MODELPLAN_H

#include "KernelZero/Runtime/Array.h"
#include <memory>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace kernelzero {

/// Bytes that a model reads or writes. Views share them.
struct ModelMemory {
  enum class Kind {
    Input,    ///< Of the caller, `index` of the inputs.
    Constant, ///< Of the module, `index` of the constants.
    Buffer,   ///< At `offset` of the one arena that all buffers share.
  };
  Kind kind = Kind::Buffer;
  int64_t index = 0;
  int64_t bytes = 0;
  int64_t offset = 0;
  /// Buffers only: the steps that write it first and read it last.
  int64_t firstStep = 0, lastStep = 0;
};

/// A tensor of the model: consecutive bytes of some memory.
struct ModelValue {
  ArrayType type;
  int64_t memory = 0;
  int64_t byteOffset = 0;
};

/// Elements that move between two tensors of one element type, in units of
/// elements; both are walked in row-major order over `sizes`.
struct StridedCopy {
  std::vector<int64_t> sizes;
  int64_t fromOffset = 0, toOffset = 0;
  std::vector<int64_t> fromStrides, toStrides;
  int64_t elementBytes = 0;
};

/// A call of a task, or a copy where no task does it.
struct ModelStep {
  int64_t task = -1; ///< Of `ModelPlan::tasks`; -1 is a copy.
  /// The task's inputs, then its results; of a copy source and target.
  std::vector<ModelValue> operands;
  StridedCopy copy;
};

struct NamedValue {
  std::string name;
  ModelValue value;
};

/// The bytes of a constant. They belong to the module, which has to live as
/// long, except where they had to be written out (a single value repeated).
struct ConstantBytes {
  const char *data = nullptr;
  int64_t size = 0;
  std::shared_ptr<const char[]> own;
};

/// What to run, in order, and where everything lies.
struct ModelPlan {
  std::vector<NamedValue> inputs, outputs;
  std::vector<std::string> tasks; ///< Names of functions in the module.
  std::vector<ModelMemory> memories;
  std::vector<ModelStep> steps;
  std::vector<ConstantBytes> constants;
  /// Size of the arena, and of all its buffers together.
  int64_t arenaBytes = 0;
  int64_t bufferBytes = 0;
};

/// Where buffers start, so that every vector and every copy engine can read
/// them.
constexpr int64_t kBufferAlignment = 256;

/// Gives every buffer of `plan` its place in the arena: buffers whose steps
/// overlap do not.
void placeBuffers(ModelPlan &plan);

/// Reads `@main` of `model`, in which `extractTasks` left calls of tasks, views
/// and constants. A slice of consecutive elements that starts at a multiple of
/// `viewAlignment` bytes is a view, and free; other slices are copies. False,
/// and one sentence in `error`, where an operation is none of these.
bool planModel(mlir::ModuleOp model, int64_t viewAlignment, ModelPlan &plan,
               std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_MODELPLAN_H
