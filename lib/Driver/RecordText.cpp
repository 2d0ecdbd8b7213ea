//===- RecordText.cpp - records as text that people read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/RecordText.h"
#include "KernelZero/Driver/Tables.h"
#include "KernelZero/Target/TargetTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelzero;

static bool isModelled(const Record &record) {
  return record.verdict == Verdict::Modelled;
}

std::string kernelzero::formatSpeedup(const Record &record) {
  if (record.speedup <= 0)
    return "-";
  std::string text = formatFactor(record.speedup);
  if (record.speedupLow < record.speedupHigh)
    text += llvm::formatv(" [{0:f2}, {1:f2}]", record.speedupLow,
                          record.speedupHigh)
                .str();
  return isModelled(record) ? text + " modelled" : text;
}

static std::string join(const std::map<std::string, int64_t> &knobs) {
  std::string text;
  for (const auto &[name, value] : knobs)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

/// What is known of `resources`.
static std::string describe(const Resources &resources) {
  std::vector<std::string> parts;
  auto add = [&](int64_t count, const char *what) {
    if (count > 0)
      parts.push_back(std::to_string(count) + " " + what);
  };
  add(resources.kernels, resources.kernels == 1 ? "kernel" : "kernels");
  add(resources.blocks, "blocks");
  add(resources.threads, "threads a block");
  add(resources.registers, "registers a thread");
  add(resources.spillBytes, "bytes spilled");
  add(resources.sharedBytes, "bytes shared");
  add(resources.workspaceBytes, "bytes of workspace");
  if (resources.occupancy > 0)
    parts.push_back(
        llvm::formatv("occupancy {0:f0} %", resources.occupancy * 100).str());
  return llvm::join(parts, ", ");
}

static std::string describe(const Clocks &clocks) {
  if (clocks.before <= 0)
    return "";
  std::string text = llvm::formatv("{0:f0} MHz before, {1:f0} MHz after",
                                   clocks.before, clocks.after)
                         .str();
  if (clocks.highest > 0)
    text += llvm::formatv(", {0:f0} MHz at most", clocks.highest).str();
  return text;
}

std::string kernelzero::formatRecord(const Record &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto line = [&](const char *name, const std::string &value) {
    if (!value.empty())
      os << llvm::formatv("{0,-10} {1}\n", name, value).str();
  };
  line("record", record.id);
  line("task", record.taskName +
                   (record.taskKey.empty() ? "" : " (" + record.taskKey + ")"));
  std::string target = getTargetName(record.target);
  line("target",
       target + (target == record.target ? "" : " (" + record.target + ")"));
  line("origin", record.origin);
  line("knobs", join(record.knobs));
  std::string verdict = getWord(record.verdict);
  if (record.failedTier >= 0)
    verdict += ", tier " + std::to_string(record.failedTier) + " failed";
  line("verdict", verdict);
  if (record.speedup > 0)
    line("speed-up",
         formatSpeedup(record) + ": " + formatTime(record.baselineSeconds) +
             " to " + formatTime(record.seconds) +
             (isModelled(record)
                  ? ""
                  : llvm::formatv(", noise {0:f1} %", record.noise * 100)
                        .str()));
  if (record.elements)
    line("compared",
         llvm::formatv("{0} of {1} elements, largest error {2:e2}, {3:f3} of "
                       "its tolerance",
                       record.compared, record.elements, record.largestError,
                       record.errorRatio)
             .str());
  if (record.rooflineSeconds > 0)
    line("roofline",
         formatTime(record.rooflineSeconds) +
             (record.seconds > 0
                  ? llvm::formatv(", {0:f0} % of it reached",
                                  100 * record.rooflineSeconds / record.seconds)
                        .str()
                  : "") +
             (isModelled(record) ? " (modelled)" : ""));
  if (record.modelSeconds > 0)
    line("model", formatTime(record.modelSeconds) + " modelled");
  line("resources", describe(record.resources));
  for (const Peer &peer : record.peers)
    line("peer", peer.name + ": " + formatTime(peer.seconds) + ", " +
                     formatFactor(peer.ratio) + " of our time");
  for (const Tier &tier : record.tiers)
    line(("tier " + std::to_string(tier.number)).c_str(),
         tier.state + (tier.note.empty() ? "" : ": " + tier.note));
  line("judged on", record.judgedOn);
  line("ran on", record.evidence.ranOn);
  line("clocks", describe(record.evidence.clocks));
  line("toolchain", record.evidence.toolchain);
  line("inputs", record.evidence.distribution);
  line("code", record.evidence.code);
  line("date", record.evidence.date);
  for (const std::string &sentence : record.sentences)
    os << "- " << sentence << "\n";
  return text;
}

std::string kernelzero::formatRecords(const std::vector<Record> &records) {
  constexpr size_t kSentence = 72;
  std::vector<std::vector<std::string>> rows = {
      {"record", "task", "target", "origin", "verdict", "time", "speed-up",
       "what the judge says"}};
  for (const Record &record : records) {
    std::string sentence =
        record.sentences.empty() ? "" : record.sentences.front();
    if (sentence.size() > kSentence)
      sentence = sentence.substr(0, kSentence - 3) + "...";
    rows.push_back({record.id.substr(0, 12), record.taskName,
                    getTargetName(record.target), record.origin,
                    getWord(record.verdict), formatTime(record.seconds),
                    formatSpeedup(record), sentence});
  }
  return formatTable(rows, {true, true, true, true, true, false, false, true});
}

std::string kernelzero::countVerdicts(const std::vector<Record> &records) {
  std::map<Verdict, int64_t> counts;
  for (const Record &record : records)
    ++counts[record.verdict];
  std::string text = std::to_string(records.size()) +
                     (records.size() == 1 ? " record" : " records");
  const char *separator = ": ";
  for (auto [verdict, count] : counts) {
    text += separator + std::to_string(count) + " " + getWord(verdict);
    separator = ", ";
  }
  return text;
}
