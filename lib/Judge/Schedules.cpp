//===- Schedules.cpp - tiers 1 and 2 --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Schedules.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/Transforms/CheckSchedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace kernelzero;

SentenceCollector::SentenceCollector(MLIRContext *context, Record &record)
    : handler(context, [this, &record](Diagnostic &diag) {
        if (diag.getSeverity() != DiagnosticSeverity::Error)
          return success();
        seen = true;
        addSentence(record, diag.str());
        for (Diagnostic &note : diag.getNotes())
          addSentence(record, "note: " + note.str());
        return success();
      }) {}

static void readClaims(transform::NamedSequenceOp schedule, ModuleOp scheduled,
                       Claims &claims) {
  schedule.getBody().walk([&](Operation *op) {
    if (auto mma = dyn_cast<kz::MmaOp>(op)) {
      claims.mmaSync |= mma.getKind() == "mma_sync";
      claims.wgmma |= mma.getKind() == "wgmma";
    } else if (auto stage = dyn_cast<kz::StageOp>(op)) {
      StringRef copy = stage.getStaticCopy().value_or("");
      claims.cpAsync |= copy == "cp_async";
      claims.tma |= copy == "tma";
      claims.tmaStore |= copy == "tma_store";
    }
  });
  scheduled.walk(
      [&](scf::ForallOp grid) { claims.kernels += grid->hasAttr("kz.grid"); });
}

OwningOpRef<ModuleOp> kernelzero::applyCandidate(PreparedTask &task,
                                                 const std::string &schedule,
                                                 const Target &target,
                                                 Record &record,
                                                 Claims &claims) {
  auto start = std::chrono::steady_clock::now();
  ScheduleError error;
  OwningOpRef<ModuleOp> script =
      parseSchedule(task.module->getContext(), schedule, error);
  transform::NamedSequenceOp sequence =
      script ? findSchedule(*script, error) : nullptr;
  OwningOpRef<ModuleOp> scheduled;
  // What the target has no instruction for need not be applied.
  if (sequence && checkAllowList(sequence, error)) {
    error.tier = 2;
    for (const Finding &finding : checkSteps(sequence, target))
      error.sentences.push_back(finding.sentence);
    if (error.sentences.empty())
      scheduled = applySchedule(task.getFunction(), sequence, error);
    if (scheduled)
      for (const Finding &finding :
           checkLimits(*scheduled->getOps<func::FuncOp>().begin(), target))
        error.sentences.push_back(finding.sentence);
  }
  record.applySeconds = secondsSince(start);
  if (scheduled && error.sentences.empty()) {
    passTier(record, 1);
    passTier(record, 2);
    readClaims(sequence, *scheduled, claims);
    return scheduled;
  }
  if (error.tier == 2)
    passTier(record, 1);
  for (const std::string &sentence : error.sentences)
    addSentence(record, sentence);
  failTier(record, error.tier,
           error.tier == 1 ? Verdict::Rejected : Verdict::Inapplicable, "");
  return nullptr;
}
