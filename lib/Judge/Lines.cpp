//===- Lines.cpp - lines over pipes ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Worker.h"

#include <cerrno>
#include <chrono>
#include <poll.h>
#include <unistd.h>

using namespace kernelzero;

LineResult kernelzero::readLine(int fd, double limitSeconds,
                                std::string &pending, std::string &line,
                                const std::atomic<bool> *interrupted) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::duration<double>(limitSeconds);
  while (true) {
    size_t newline = pending.find('\n');
    if (newline != std::string::npos) {
      line = pending.substr(0, newline);
      pending.erase(0, newline + 1);
      return LineResult::Line;
    }
    if (interrupted && *interrupted)
      return LineResult::Interrupted;
    double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0)
      return LineResult::Late;
    pollfd entry = {fd, POLLIN, 0};
    // Woken now and then: a signal may arrive just before the wait.
    int ready = poll(&entry, 1, std::min(200.0, left * 1000 + 1));
    if (ready < 0 && errno != EINTR)
      return LineResult::End;
    if (ready <= 0)
      continue;
    char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return LineResult::End;
    pending.append(buffer, got);
  }
}

bool kernelzero::writeLine(int fd, const std::string &line) {
  std::string text = line + "\n";
  size_t sent = 0;
  while (sent < text.size()) {
    ssize_t count = write(fd, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    sent += count;
  }
  return true;
}
