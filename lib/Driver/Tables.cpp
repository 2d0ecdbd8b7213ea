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

std::string kernelzero::formatTasks(const std::vector<TaskInfo> &tasks) {
  std::vector<std::vector<std::string>> rows = {
      {"task", "key", "weight", "FLOP", "bytes", "FLOP/byte"}};
  for (const TaskInfo &task : tasks)
    rows.push_back(
        {task.name, task.key, std::to_string(task.weight),
         formatCount(task.flops), formatCount(task.bytes),
         llvm::formatv("{0:f1}",
                       task.bytes ? double(task.flops) / task.bytes : 0)
             .str()});
  return formatTable(rows, {true, false, false, false, false, false});
}

std::string kernelzero::formatResults(const Report &report) {
  std::vector<std::vector<std::string>> rows = {{"task", "weight", "baseline",
                                                 "best", "speed-up", "interval",
                                                 "verdict"}};
  for (const TaskResult &result : report.tasks) {
    bool measured = result.bestSeconds > 0;
    rows.push_back(
        {result.task.name, std::to_string(result.task.weight),
         formatTime(result.baselineSeconds), formatTime(result.bestSeconds),
         measured ? formatFactor(result.speedup) : "-",
         measured ? llvm::formatv("{0:f2}..{1:f2}", result.speedupLow,
                                  result.speedupHigh)
                        .str()
                  : "-",
         getWord(result.verdict)});
  }
  double speedup =
      report.bestSeconds > 0 ? report.baselineSeconds / report.bestSeconds : 0;
  rows.push_back({"weighted total", "", formatTime(report.baselineSeconds),
                  formatTime(report.bestSeconds), formatFactor(speedup), "",
                  ""});
  return formatTable(rows, {true, false, false, false, false, false, false});
}
