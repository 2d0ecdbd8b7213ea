//===- PinnedTest.h - a schedule as a test for lit ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_PINNEDTEST_H
#define KERNELZERO_DRIVER_PINNEDTEST_H

#include "KernelZero/Record/Record.h"

namespace mlir {
class MLIRContext;
}

namespace kernelzero {

/// A test that holds the task and the schedule of `record`, and fails when the
/// schedule does not verify, does not apply, or gives other code than was
/// judged. Empty and a sentence where the record is no correct one.
std::string makePinnedTest(mlir::MLIRContext &context, const TaskInfo &task,
                           const Record &record, std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_PINNEDTEST_H
