//===- Space.h - the choices that a skeleton leaves open ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_SEARCH_SPACE_H
#define KERNELZERO_SEARCH_SPACE_H

#include "KernelZero/Transforms/Skeleton.h"

#include <functional>

namespace kernelzero {

/// Numbers that look random and are the same everywhere (SplitMix64).
class Random {
public:
  explicit Random(uint64_t state) : state(state) {}
  uint64_t next();
  /// A number in [0, count).
  size_t below(size_t count) { return count ? next() % count : 0; }
  /// True `percent` times of a hundred.
  bool chance(int percent) { return below(100) < size_t(percent); }

private:
  uint64_t state;
};

/// A value for every knob that counts. Knobs of pieces of script that are not
/// taken are left out, so equal choices are equal maps.
using Choices = std::map<std::string, int64_t>;

/// What may be chosen for one task, and how choices are changed.
class Space {
public:
  /// Why choices are not legal together, nothing where they are; what
  /// `explainIllegal` says of a task.
  using Explain = std::function<std::optional<std::string>(const Choices &)>;

  Space(std::vector<Knob> knobs, Explain explain);

  Choices getDefaults() const { return normalize({}); }
  /// Makes choices of this space from `values`, of another task's skeleton say:
  /// a value that is no option becomes the nearest one in proportion, a missing
  /// one the default, a foreign one is dropped.
  Choices normalize(const Choices &values) const;
  /// Asked once for each choices.
  bool isLegal(const Choices &choices);

  Choices draw(Random &random) const;
  /// Changes one choice, or few: numbers rather to a neighbour than far away.
  Choices mutate(const Choices &parent, Random &random) const;
  /// A child of two: choices of one group come from one parent.
  Choices cross(const Choices &first, const Choices &second,
                Random &random) const;

  /// How many choices there are, legal or not; at most `limit` are counted.
  size_t count(size_t limit) const;
  /// All of them, in a fixed order.
  std::vector<Choices> enumerate() const;

  const std::vector<Knob> &getKnobs() const { return knobs; }
  /// The number of the group that a knob travels with.
  int getGroup(const std::string &knob) const { return groups.at(knob); }

private:
  /// Whether a knob counts under the values of the knobs before it.
  static bool counts(const Knob &knob, const Choices &choices);
  /// Calls `choose` for each knob that counts under the values chosen so far.
  Choices build(const std::function<int64_t(const Knob &)> &choose) const;
  void findGroups();

  std::vector<Knob> knobs;
  Explain explain;
  std::map<std::string, int> groups;
  std::map<Choices, bool> legal;
};

} // namespace kernelzero

#endif // KERNELZERO_SEARCH_SPACE_H
