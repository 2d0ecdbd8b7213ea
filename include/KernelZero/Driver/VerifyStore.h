//===- VerifyStore.h - judge stored winners again -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_VERIFYSTORE_H
#define KERNELZERO_DRIVER_VERIFYSTORE_H

#include "KernelZero/Driver/Options.h"
#include "KernelZero/Experience/Experience.h"

namespace kernelzero {

/// `kz-tune store verify`: judges every winner of the store that the filters
/// keep, and compares its code with the evidence. An exit code.
int verifyStore(const ParsedOptions &options, Experience &store);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_VERIFYSTORE_H
