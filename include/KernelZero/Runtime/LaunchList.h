//===- LaunchList.h - what to launch, as plain data ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RUNTIME_LAUNCHLIST_H
#define KERNELZERO_RUNTIME_LAUNCHLIST_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace kernelzero {

/// `i1` is one byte, 0 or 1; integers have no sign of their own.
enum class ElementType { f16, bf16, f32, f64, i1, i8, i16, i32, i64 };

/// Bytes of one element.
int64_t elementBytes(ElementType type);
const char *elementName(ElementType type);
/// The names, as messages list them.
std::string elementNames();
/// False where `name` is none of them.
bool elementFromName(const std::string &name, ElementType &type);

/// A buffer of the task or a workspace: static, row-major.
struct BufferType {
  ElementType element = ElementType::f16;
  std::vector<int64_t> shape;

  int64_t elements() const;
  int64_t bytes() const { return elements() * elementBytes(element); }
  bool operator==(const BufferType &other) const {
    return element == other.element && shape == other.shape;
  }
};

/// A view of a buffer for bulk tensor copies, encoded by the driver. Innermost
/// dimension first, as the driver wants it; `byteStrides` lacks the innermost.
struct TensorMap {
  std::vector<int64_t> dims;
  std::vector<int64_t> byteStrides;
  std::vector<int64_t> box;
  int64_t swizzle = 0;
};

/// One argument of a kernel: the address of a buffer or workspace, or a tensor
/// map over it.
struct LaunchArgument {
  bool isWorkspace = false;
  int64_t index = 0; ///< Of the task's arguments and results, or workspaces.
  BufferType type;
  bool written = false;
  bool isMap = false;
  TensorMap map;
};

struct KernelLaunch {
  std::string name;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::array<int64_t, 3> block = {1, 1, 1};
  std::array<int64_t, 3> cluster = {1, 1, 1};
  int64_t sharedBytes = 0; ///< Dynamic.
  std::vector<LaunchArgument> arguments;
};

/// The kernels of a task in the order in which they run.
struct LaunchList {
  std::vector<KernelLaunch> kernels;
  std::vector<int64_t> workspaceBytes;

  /// The task's buffers by number, with whether any kernel writes each.
  /// A buffer that no kernel mentions has an empty shape.
  struct Buffer {
    BufferType type;
    bool written = false;
  };
  std::vector<Buffer> buffers() const;
};

/// The list as a JSON document, and back. On failure `fromJSON` returns false
/// and one sentence in `error`.
std::string toJSON(const LaunchList &list);
bool fromJSON(const std::string &text, LaunchList &list, std::string &error);

/// Checks what every list must hold (indices, extents, alignments, one type a
/// buffer); false and one sentence where it does not.
bool checkLaunchList(const LaunchList &list, std::string &error);

/// Builds the list from the kz.launch attributes of the L3 functions of
/// `module`. Faults are reported on the functions; false then.
bool buildLaunchList(mlir::ModuleOp module, LaunchList &list);

/// Registers the passes kz-print-launch-list and kz-compile-tasks.
void registerRuntimePasses();

} // namespace kernelzero

#endif // KERNELZERO_RUNTIME_LAUNCHLIST_H
