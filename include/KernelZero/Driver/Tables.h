//===- Tables.h - tables that people read ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_TABLES_H
#define KERNELZERO_DRIVER_TABLES_H

#include "KernelZero/Record/Record.h"

namespace kernelzero {

/// Columns padded to their widest cell; `left` says for each column whether it
/// is aligned to the left.
std::string formatTable(const std::vector<std::vector<std::string>> &rows,
                        const std::vector<bool> &left);

/// `1.234 ms`; `-` for none.
std::string formatTime(double seconds);
/// `1.23x`; `-` for none.
std::string formatFactor(double factor);

/// The table of tasks of `--list-tasks`, with their bounds where there are any,
/// and of results.
std::string formatTasks(const std::vector<TaskInfo> &tasks,
                        const std::vector<TaskBound> &bounds);
std::string formatResults(const Report &report);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_TABLES_H
