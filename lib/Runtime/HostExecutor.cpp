//===- HostExecutor.cpp - run models in this process ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/Executor.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/IR/Diagnostics.h"
#include <cstdlib>
#include <cstring>

using namespace kernelzero;

TaskCode::~TaskCode() = default;
Executor::~Executor() = default;

namespace {

struct HostCode : TaskCode {
  std::unique_ptr<HostKernel> kernel;
};

struct Freed {
  void operator()(void *memory) const { std::free(memory); }
};

class HostExecutor : public Executor {
public:
  std::string describe() const override { return "host"; }
  int64_t getViewAlignment() const override { return 1; }

  ExecutorError allocate(int64_t bytes, ExecutorAddress &address) override {
    int64_t rounded = (std::max<int64_t>(bytes, 1) + 4095) / 4096 * 4096;
    void *pointer = std::aligned_alloc(4096, rounded);
    if (!pointer)
      return "there is no memory for " + std::to_string(bytes) + " bytes";
    memory.emplace_back(pointer);
    address = reinterpret_cast<ExecutorAddress>(pointer);
    return std::nullopt;
  }

  ExecutorError place(const void *data, int64_t,
                      ExecutorAddress &address) override {
    address = reinterpret_cast<ExecutorAddress>(data);
    return std::nullopt;
  }

  ExecutorError download(void *to, ExecutorAddress from,
                         int64_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
    return std::nullopt;
  }

  ExecutorError compile(mlir::ModuleOp task,
                        std::unique_ptr<TaskCode> &code) override {
    std::string error;
    mlir::ScopedDiagnosticHandler handler(task.getContext(),
                                          [&](mlir::Diagnostic &diag) {
                                            if (error.empty())
                                              error = diag.str();
                                            return llvm::success();
                                          });
    if (failed(lowerToHost(task)))
      return error.empty() ? "it cannot be lowered to the host" : error;
    llvm::Expected<HostObject> object = compileHostObject(task);
    if (!object)
      return llvm::toString(object.takeError());
    llvm::Expected<std::unique_ptr<HostKernel>> kernel =
        HostKernel::load(std::move(*object), /*callerWorkspace=*/true);
    if (!kernel)
      return llvm::toString(kernel.takeError());
    auto made = std::make_unique<HostCode>();
    made->kernel = std::move(*kernel);
    made->hash = made->kernel->hash();
    made->workspaceBytes = made->kernel->getWorkspaceBytes();
    neededBytes = std::max(neededBytes, made->workspaceBytes);
    code = std::move(made);
    return std::nullopt;
  }

  ExecutorError run(TaskCode &code,
                    const std::vector<ExecutorAddress> &operands) override {
    pointers.clear();
    for (ExecutorAddress address : operands)
      pointers.push_back(reinterpret_cast<void *>(address));
    // One workspace for all kernels: they run one after the other.
    if (workspaceBytes < neededBytes) {
      workspaceBytes = 0;
      workspace.reset(std::aligned_alloc(4096, neededBytes));
      if (!workspace)
        return "there is no memory for a workspace of " +
               std::to_string(neededBytes) + " bytes";
      workspaceBytes = neededBytes;
    }
    HostKernel &kernel = *static_cast<HostCode &>(code).kernel;
    kernel.setWorkspace(workspace.get());
    kernel.run(pointers);
    return std::nullopt;
  }

  ExecutorError copy(const StridedCopy &copy, ExecutorAddress from,
                     ExecutorAddress to) override {
    copyDim(copy, 0,
            reinterpret_cast<const char *>(from) +
                copy.fromOffset * copy.elementBytes,
            reinterpret_cast<char *>(to) + copy.toOffset * copy.elementBytes);
    return std::nullopt;
  }

  ExecutorError synchronize() override { return std::nullopt; }

private:
  void copyDim(const StridedCopy &copy, size_t dim, const char *from,
               char *to) {
    int64_t bytes = copy.elementBytes;
    if (dim == copy.sizes.size()) {
      std::memcpy(to, from, bytes);
      return;
    }
    bool last = dim + 1 == copy.sizes.size();
    if (last && copy.fromStrides[dim] == 1 && copy.toStrides[dim] == 1) {
      std::memcpy(to, from, copy.sizes[dim] * bytes);
      return;
    }
    for (int64_t i = 0; i < copy.sizes[dim]; ++i)
      copyDim(copy, dim + 1, from + i * copy.fromStrides[dim] * bytes,
              to + i * copy.toStrides[dim] * bytes);
  }

  using Memory = std::unique_ptr<void, Freed>;
  std::vector<Memory> memory;
  Memory workspace;
  int64_t workspaceBytes = 0, neededBytes = 0;
  std::vector<void *> pointers;
};

} // namespace

std::unique_ptr<Executor> kernelzero::makeHostExecutor() {
  return std::make_unique<HostExecutor>();
}
