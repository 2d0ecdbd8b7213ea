//===- TaskReference.cpp - what a task of level L0 should give ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TaskReference.h"
#include "KernelZero/Judge/Reference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;
using namespace kernelzero;

OwningOpRef<ModuleOp> bench::cloneTask(ModuleOp module) {
  auto tasks = llvm::to_vector(module.getOps<func::FuncOp>());
  if (tasks.size() != 1 || tasks.front().isExternal())
    return nullptr;
  bool computes = false, scheduled = false;
  tasks.front().walk([&](Operation *op) {
    computes |= isa<linalg::LinalgOp>(op);
    scheduled |= isa<scf::ForallOp, scf::ForOp>(op);
  });
  if (!computes || scheduled)
    return nullptr;
  return module.clone();
}

bool bench::compareWithTask(ModuleOp module, ArrayRef<HostBuffer> buffers,
                            Comparison &result, std::string &error) {
  func::FuncOp task = *module.getOps<func::FuncOp>().begin();
  SmallVector<const void *> inputs;
  for (const HostBuffer &buffer : buffers.take_front(task.getNumArguments()))
    inputs.push_back(buffer.bytes.data());
  std::vector<ReferenceTensor> outputs;
  if (!evaluateReference(task, inputs, outputs, error))
    return false;
  double difference = 0, norm = 0;
  result = Comparison();
  for (auto [reference, buffer] :
       llvm::zip_equal(outputs, buffers.drop_front(task.getNumArguments()))) {
    kernelzero::Comparison one =
        compareWithReference(reference, buffer.bytes.data());
    if (one.wrong && result.first < 0) {
      result.first = one.worstIndex;
      result.expected = one.expected;
      result.got = one.got;
    }
    result.elements += one.elements;
    result.wrong += one.wrong;
    result.worst = std::max(result.worst, one.largestRatio);
    for (auto [i, value] : llvm::enumerate(reference.values)) {
      double got = buffer.at(i);
      difference += (got - value) * (got - value);
      norm += value * value;
    }
  }
  result.frobenius = std::sqrt(difference / norm);
  return true;
}
