//===- WorkerCommand.cpp - kz-tune worker ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Judge/Worker.h"

using namespace mlir;
using namespace kernelzero;

static int runWorkerCommand(const ParsedOptions &options) {
  if (!options.positional.empty())
    return reportError("kz-tune worker takes no arguments, '" +
                       options.positional.front() + "' was given");
  std::unique_ptr<MLIRContext> context = makeContext();
  return runWorker(*context, 0, 1);
}

Command kernelzero::getWorkerCommand() {
  return {{"worker",
           "kz-tune worker",
           "Judges candidates: requests on standard input, replies on standard "
           "output, one JSON\ndocument a line (docs/schema/worker.json). "
           "kz-tune starts its own workers.",
           "",
           {{"--help", "", "print this"}},
           "  kz-tune worker < requests.jsonl\n",
           "exit codes:\n  0    standard input ended\n  1    bad usage\n"},
          runWorkerCommand};
}
