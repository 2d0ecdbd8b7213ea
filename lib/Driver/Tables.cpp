//===- Tables.cpp - tables that people read -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Tables.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelzero;

std::string
kernelzero::formatTable(const std::vector<std::vector<std::string>> &rows,
                        const std::vector<bool> &left) {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - row[i].size(), ' ');
      line += (i ? "  " : "") + (left[i] ? row[i] + space : space + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string kernelzero::formatTime(double seconds) {
  if (seconds <= 0)
    return "-";
  if (seconds >= 1)
    return llvm::formatv("{0:f3} s", seconds).str();
  if (seconds >= 1e-3)
    return llvm::formatv("{0:f3} ms", seconds * 1e3).str();
  return llvm::formatv("{0:f3} us", seconds * 1e6).str();
}

std::string kernelzero::formatFactor(double factor) {
  return factor > 0 ? llvm::formatv("{0:f2}x", factor).str() : "-";
}

/// Short numbers with a unit in steps of a thousand.
static std::string formatCount(double count) {
  for (const char *unit : {"", " k", " M", " G", " T"}) {
    if (count < 1000)
      return llvm::formatv(count < 10 && *unit ? "{0:f2}{1}" : "{0:f0}{1}",
                           count, unit)
          .str();
    count /= 1000;
  }
  return llvm::formatv("{0:f0} P", count).str();
}

std::string kernelzero::formatTasks(const std::vector<TaskInfo> &tasks,
                                    const std::vector<TaskBound> &bounds) {
  std::vector<std::vector<std::string>> rows = {
      {"task", "key", "weight", "FLOP", "bytes", "FLOP/byte"}};
  if (!bounds.empty())
    rows.front().insert(rows.front().end(), {"roofline", "limit"});
  for (auto [index, task] : llvm::enumerate(tasks)) {
    std::vector<std::string> row = {
        task.name,
        task.key,
        std::to_string(task.weight),
        formatCount(task.flops),
        formatCount(task.bytes),
        llvm::formatv("{0:f1}",
                      task.bytes ? double(task.flops) / task.bytes : 0)
            .str()};
    if (!bounds.empty())
      row.insert(row.end(),
                 {formatTime(bounds[index].seconds), bounds[index].limit});
    rows.push_back(std::move(row));
  }
  return formatTable(rows,
                     {true, false, false, false, false, false, false, true});
}

std::string kernelzero::formatResults(const Report &report) {
  std::vector<std::vector<std::string>> rows = {
      {"task", "weight", "baseline", "best", "speed-up", "interval",
       "% of roofline", "verdict", "beside"}};
  bool anyModelled = false;
  int64_t untimed = 0;
  for (const TaskResult &result : report.tasks) {
    bool timed = result.bestSeconds > 0;
    bool modelled = result.verdict == Verdict::Modelled;
    anyModelled |= modelled;
    untimed += !timed;
    rows.push_back(
        {result.task.name, std::to_string(result.task.weight),
         formatTime(result.baselineSeconds), formatTime(result.bestSeconds),
         timed ? formatFactor(result.speedup) : "-",
         timed && !modelled ? llvm::formatv("{0:f2}..{1:f2}", result.speedupLow,
                                            result.speedupHigh)
                                  .str()
                            : "-",
         timed && result.rooflineSeconds > 0
             ? llvm::formatv("{0:f0}",
                             100 * result.rooflineSeconds / result.bestSeconds)
                   .str()
             : "-",
         getWord(result.verdict),
         result.peers.empty() ? ""
                              : formatFactor(result.peers.front().ratio) + " " +
                                    result.peers.front().name});
  }
  double speedup =
      report.bestSeconds > 0 ? report.baselineSeconds / report.bestSeconds : 0;
  std::string total = "weighted total";
  if (untimed)
    total += " without the " + std::to_string(untimed) + " that have no time";
  rows.push_back({total, "", formatTime(report.baselineSeconds),
                  formatTime(report.bestSeconds), formatFactor(speedup), "", "",
                  anyModelled ? "modelled" : "", ""});
  // Only a GPU has peers to hand.
  if (llvm::all_of(report.tasks, [](const TaskResult &result) {
        return result.peers.empty();
      }))
    for (std::vector<std::string> &row : rows)
      row.pop_back();
  return formatTable(
      rows, {true, false, false, false, false, false, false, true, true});
}
