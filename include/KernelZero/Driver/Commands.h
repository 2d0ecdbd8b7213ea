//===- Commands.h - the commands of kz-tune -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_COMMANDS_H
#define KERNELZERO_DRIVER_COMMANDS_H

#include "KernelZero/Driver/Options.h"

namespace kernelzero {

/// Exit codes of every command.
enum ExitCode {
  kExitDone = 0,        ///< The asked-for result exists.
  kExitUsage = 1,       ///< Bad usage or input.
  kExitSame = 2,        ///< Nothing beat the baseline; the skeleton is stored.
  kExitNoCandidate = 3, ///< A task has no correct candidate.
  kExitTrouble = 4,     ///< Device, worker or store trouble.
  kExitInterrupted = 130,
};

/// One word behind `kz-tune`. What its help prints is what its parser takes.
struct Command {
  CommandSpec spec;
  int (*run)(const ParsedOptions &);
};

Command getTuneCommand();
Command getRunCommand();
Command getImportCommand();
Command getJudgeCommand();
Command getExplainCommand();
Command getStoreCommand();
Command getWorkerCommand();

/// Every command, in the order in which help lists them; the first one is meant
/// where the first word names none.
const std::vector<Command> &getCommands();

/// The whole of `kz-tune`: `words` are what stands behind the program's name.
int runKzTune(std::vector<std::string> words);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_COMMANDS_H
