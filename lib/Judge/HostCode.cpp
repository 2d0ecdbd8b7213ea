//===- HostCode.cpp - code for the host -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostCode.h"
#include "KernelZero/Judge/Checks.h"
#include "Schedules.h"

using namespace mlir;
using namespace kernelzero;

std::optional<HostObject>
kernelzero::buildForHost(ModuleOp scheduled, const HostLoweringOptions &options,
                         int tier, const std::function<void(Stage)> &enter,
                         Record &record) {
  enter(Stage::Lowering);
  {
    SentenceCollector collector(scheduled->getContext(), record);
    if (failed(lowerToHost(scheduled, options))) {
      failTier(record, tier, Verdict::Uncompilable,
               collector.sawError()
                   ? ""
                   : "the scheduled task cannot be lowered to the host");
      return std::nullopt;
    }
  }
  enter(Stage::Compiling);
  llvm::Expected<HostObject> object = compileHostObject(scheduled);
  if (object)
    return std::move(*object);
  failTier(record, tier, Verdict::Uncompilable,
           llvm::toString(object.takeError()));
  return std::nullopt;
}
