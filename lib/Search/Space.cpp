//===- Space.cpp - the choices that a skeleton leaves open ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace kernelzero;

uint64_t Random::next() {
  uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Space::Space(std::vector<Knob> knobs, Explain explain)
    : knobs(std::move(knobs)), explain(std::move(explain)) {
  findGroups();
}

/// Whether the words of `sentence` hold `name`.
static bool mentions(llvm::StringRef sentence, llvm::StringRef name) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = sentence.find(name); at != llvm::StringRef::npos;
       at = sentence.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isWord(sentence[at - 1])) &&
        (end == sentence.size() || !isWord(sentence[end])))
      return true;
  }
  return false;
}

/// Knobs travel together that name the same group, and those that one sentence
/// on an illegal value speaks of.
void Space::findGroups() {
  for (auto [index, knob] : llvm::enumerate(knobs))
    groups[knob.name] = index;
  auto join = [&](const std::string &a, const std::string &b) {
    int from = groups.at(a), to = groups.at(b);
    for (auto &[name, group] : groups)
      if (group == from)
        group = to;
  };
  for (const Knob &knob : knobs)
    for (const Knob &other : knobs)
      if (!knob.group.empty() && knob.group == other.group)
        join(knob.name, other.name);
  Choices defaults = getDefaults();
  for (const Knob &knob : knobs)
    for (int64_t value : knob.values) {
      Choices choices = defaults;
      if (!choices.count(knob.name))
        break;
      choices[knob.name] = value;
      choices = normalize(choices);
      std::optional<std::string> reason = explain(choices);
      legal[choices] = !reason;
      if (reason)
        for (const Knob &other : knobs)
          if (mentions(*reason, other.name))
            join(knob.name, other.name);
    }
}

bool Space::counts(const Knob &knob, const Choices &choices) {
  if (knob.within.empty())
    return true;
  auto structure = choices.find(knob.within);
  return structure != choices.end() &&
         llvm::is_contained(knob.regions, structure->second);
}

Choices Space::build(const std::function<int64_t(const Knob &)> &choose) const {
  Choices choices;
  for (const Knob &knob : knobs)
    if (counts(knob, choices))
      choices[knob.name] = choose(knob);
  return choices;
}

Choices Space::normalize(const Choices &values) const {
  return build([&](const Knob &knob) {
    auto found = values.find(knob.name);
    if (found == values.end() || llvm::is_contained(knob.values, found->second))
      return found == values.end() ? knob.values.front() : found->second;
    if (knob.isStructure)
      return knob.values.front();
    // Zero has a meaning of its own ("off"), and no proportion to the others.
    auto distance = [&](int64_t value) {
      return value <= 0 || found->second <= 0
                 ? 64.0
                 : std::abs(std::log2(double(value) / found->second));
    };
    return *std::min_element(
        knob.values.begin(), knob.values.end(),
        [&](int64_t a, int64_t b) { return distance(a) < distance(b); });
  });
}

bool Space::isLegal(const Choices &choices) {
  auto [found, isNew] = legal.try_emplace(choices, false);
  if (isNew)
    found->second = !explain(choices);
  return found->second;
}

Choices Space::draw(Random &random) const {
  return build([&](const Knob &knob) {
    return knob.values[random.below(knob.values.size())];
  });
}

Choices Space::mutate(const Choices &parent, Random &random) const {
  std::vector<const Knob *> open;
  for (const Knob &knob : knobs)
    if (parent.count(knob.name) && knob.values.size() > 1)
      open.push_back(&knob);
  Choices child = parent;
  // One change most often, so that what it does is seen.
  size_t changes = random.chance(60) ? 1 : random.chance(75) ? 2 : 3;
  for (; changes && !open.empty(); --changes) {
    size_t at = random.below(open.size());
    const Knob &knob = *open[at];
    open.erase(open.begin() + at);
    std::vector<int64_t> sorted = knob.values;
    llvm::sort(sorted);
    auto current = llvm::find(sorted, parent.at(knob.name));
    if (current == sorted.end())
      continue;
    int64_t position = current - sorted.begin();
    int64_t last = sorted.size() - 1;
    if (!knob.isStructure && random.chance(70)) {
      int64_t step = random.chance(50) ? 1 : -1;
      if (position + step < 0 || position + step > last)
        step = -step;
      position += step;
    } else {
      // Any other value.
      int64_t other = random.below(last);
      position = other < position ? other : other + 1;
    }
    child[knob.name] = sorted[position];
  }
  return normalize(child);
}

Choices Space::cross(const Choices &first, const Choices &second,
                     Random &random) const {
  std::map<int, bool> fromSecond;
  Choices child = first;
  for (const Knob &knob : knobs) {
    int group = getGroup(knob.name);
    if (!fromSecond.count(group))
      fromSecond[group] = random.chance(50);
    auto value = second.find(knob.name);
    if (value != second.end() && (fromSecond[group] || !first.count(knob.name)))
      child[knob.name] = value->second;
  }
  return normalize(child);
}

size_t Space::count(size_t limit) const {
  // Pieces of script exclude each other, so this counts what is reachable, not
  // the product.
  size_t found = 0;
  std::function<void(size_t, Choices &)> visit = [&](size_t at, Choices &c) {
    if (found >= limit)
      return;
    if (at == knobs.size()) {
      ++found;
      return;
    }
    const Knob &knob = knobs[at];
    if (!counts(knob, c))
      return visit(at + 1, c);
    for (int64_t value : knob.values) {
      c[knob.name] = value;
      visit(at + 1, c);
    }
    c.erase(knob.name);
  };
  Choices choices;
  visit(0, choices);
  return found;
}

std::vector<Choices> Space::enumerate() const {
  std::vector<Choices> all = {{}};
  for (const Knob &knob : knobs) {
    std::vector<Choices> next;
    for (Choices &choices : all) {
      if (!counts(knob, choices)) {
        next.push_back(std::move(choices));
        continue;
      }
      for (int64_t value : knob.values) {
        next.push_back(choices);
        next.back()[knob.name] = value;
      }
    }
    all = std::move(next);
  }
  return all;
}
