//===- RecordText.h - records as text that people read --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_RECORDTEXT_H
#define KERNELZERO_DRIVER_RECORDTEXT_H

#include "KernelZero/Record/Record.h"

namespace kernelzero {

/// What the judge said of one candidate, whole but for its schedule.
std::string formatRecord(const Record &record);

/// `1.23x [1.20, 1.25]`, with ` modelled` where it is; `-` without one.
std::string formatSpeedup(const Record &record);

/// One record a line.
std::string formatRecords(const std::vector<Record> &records);

/// `12 records: 3 faster, 2 same, 7 wrong`.
std::string countVerdicts(const std::vector<Record> &records);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_RECORDTEXT_H
