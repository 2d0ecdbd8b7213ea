//===- LiveLine.cpp - progress on a terminal ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/LiveLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace kernelzero;

bool LiveLine::isPossible() {
  const char *terminal = std::getenv("TERM");
  const char *plain = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && terminal && *terminal &&
         std::strcmp(terminal, "dumb") != 0 && !(plain && *plain);
}

/// `90 s`, `12 min`, `3 h`.
static std::string formatDuration(double seconds) {
  if (seconds < 120)
    return llvm::formatv("{0:f0} s", seconds).str();
  if (seconds < 7200)
    return llvm::formatv("{0:f0} min", seconds / 60).str();
  return llvm::formatv("{0:f1} h", seconds / 3600).str();
}

std::string kernelzero::formatProgress(const TuneProgress &progress,
                                       bool modelled, size_t width) {
  std::string counts = std::to_string(progress.trials);
  if (progress.totalTrials)
    counts += "/" + std::to_string(progress.totalTrials);
  counts += " trials";
  if (progress.trialsPerSecond > 0)
    counts += llvm::formatv(", {0:f1}/s", progress.trialsPerSecond).str();
  counts += llvm::formatv(", task {0:f2}x, model {1:f2}x", progress.taskSpeedup,
                          progress.modelSpeedup)
                .str();
  if (modelled)
    counts += " modelled";
  if (progress.secondsLeft > 0)
    counts += ", " + formatDuration(progress.secondsLeft) + " left";
  const char *phase =
      progress.phase == TuneProgress::Phase::Preparing    ? " (preparing)"
      : progress.phase == TuneProgress::Phase::Confirming ? " (measuring again)"
                                                          : "";
  std::string task = progress.task + phase;
  // Of a task with a long name its end says less than the numbers.
  size_t room = width > counts.size() + 2 ? width - counts.size() - 2 : 0;
  if (task.size() > room)
    task = room > 3 ? task.substr(0, room - 3) + "..." : "";
  std::string line = counts + (task.empty() ? "" : ": " + task);
  return line.substr(0, width);
}

void LiveLine::draw(const TuneProgress &progress) {
  auto now = std::chrono::steady_clock::now();
  if (drawn && now - last < std::chrono::milliseconds(80))
    return;
  last = now;
  drawn = true;
  winsize size{};
  size_t width = 80;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    width = size.ws_col;
  // The last column would wrap the line.
  llvm::errs() << "\r\033[K" << formatProgress(progress, modelled, width - 1);
  llvm::errs().flush();
}

void LiveLine::clear() {
  if (!drawn)
    return;
  drawn = false;
  llvm::errs() << "\r\033[K";
  llvm::errs().flush();
}
