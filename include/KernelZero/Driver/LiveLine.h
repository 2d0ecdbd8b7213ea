//===- LiveLine.h - progress on a terminal --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_LIVELINE_H
#define KERNELZERO_DRIVER_LIVELINE_H

#include "KernelZero/Search/Tuner.h"

#include <chrono>

namespace kernelzero {

/// One line at the bottom of a terminal that is drawn over and over, on
/// standard error.
class LiveLine {
public:
  /// `modelled`: times in it are no measurements, and it says so.
  explicit LiveLine(bool modelled) : modelled(modelled) {}
  ~LiveLine() { clear(); }

  /// Whether standard error is a terminal that can redraw a line, and plain
  /// text was not asked for by NO_COLOR.
  static bool isPossible();

  /// Draws, at most some ten times a second.
  void draw(const TuneProgress &progress);
  void clear();

private:
  bool modelled;
  bool drawn = false;
  std::chrono::steady_clock::time_point last;
};

/// The line's text, of at most `width` characters.
std::string formatProgress(const TuneProgress &progress, bool modelled,
                           size_t width);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_LIVELINE_H
