//===- StoredRecords.h - choosing records of a store ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_STOREDRECORDS_H
#define KERNELZERO_DRIVER_STOREDRECORDS_H

#include "KernelZero/Driver/Options.h"
#include "KernelZero/Experience/Experience.h"
#include "mlir/IR/MLIRContext.h"

namespace kernelzero {

/// The options that choose records: --store, --task, --target, --verdict.
std::vector<OptionSpec> getRecordFilters();

/// Opens the store that `options` name. Null and a sentence where there is
/// none.
std::unique_ptr<Experience> openStore(const ParsedOptions &options,
                                      std::string &error);

/// The identity of the target that `options` name by --target, which takes what
/// `resolveTarget` does; empty in `target` where they name none. False, and a
/// sentence, where there is no such target.
bool getTargetFilter(const ParsedOptions &options, std::string &target,
                     std::string &error);

/// The records that the filters in `options` keep, oldest first. An exit code,
/// and a sentence where it is not that of success.
int loadRecords(const ParsedOptions &options, Experience &store,
                std::vector<Record> &records, std::string &error);

/// The newest record of the one candidate (schedule, task and target) whose id
/// starts with `prefix`. Null and a sentence where there is none or more.
const Record *findRecord(const std::vector<Record> &records,
                         const std::string &prefix, std::string &error);

/// The task that `--task` names: the one in a `.mlir` file, or the one of the
/// store whose name or key it is, or part of. Nothing and a sentence where
/// there is none or more.
std::optional<TaskInfo> findTask(mlir::MLIRContext &context,
                                 const ParsedOptions &options,
                                 std::string &error);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_STOREDRECORDS_H
