//===- TargetRow.cpp - rows of the target table as plain data -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/TargetRow.h"

#include <deque>

using namespace kernelzero;

/// Calls `visit(name, field)` for every field of a row but its name.
template <typename Row, typename Visit>
static void visitFields(Row &row, Visit visit) {
#define KZ_FIELD(name) visit(#name, row.name)
  KZ_FIELD(description);
  KZ_FIELD(chip);
  KZ_FIELD(ptxFeatures);
  KZ_FIELD(capability);
  KZ_FIELD(multiprocessors);
  KZ_FIELD(clockMHz);
  KZ_FIELD(l2Bytes);
  KZ_FIELD(sharedBytesPerBlock);
  KZ_FIELD(sharedBytesPerMultiprocessor);
  KZ_FIELD(registersPerMultiprocessor);
  KZ_FIELD(registersPerThread);
  KZ_FIELD(threadsPerBlock);
  KZ_FIELD(threadsPerMultiprocessor);
  KZ_FIELD(blocksPerMultiprocessor);
  KZ_FIELD(blocksPerCluster);
  KZ_FIELD(f16TensorFlops);
  KZ_FIELD(f32Flops);
  KZ_FIELD(dramBytesPerSecond);
  KZ_FIELD(mmaSync);
  KZ_FIELD(cpAsync);
  KZ_FIELD(tma);
  KZ_FIELD(wgmma);
  KZ_FIELD(vectorBytes);
  KZ_FIELD(vectorRegisters);
  KZ_FIELD(l1Bytes);
  KZ_FIELD(text);
#undef KZ_FIELD
}

// A field that is not listed would be lost on the way to a worker.
static_assert(sizeof(Target) == 5 * sizeof(llvm::StringRef) +
                                    12 * sizeof(int64_t) + 3 * sizeof(double) +
                                    8 + 3 * sizeof(int64_t),
              "a field of Target was added or removed: list it above, and "
              "correct this sum");

TargetRow kernelzero::toRow(const Target &target) {
  TargetRow row;
  row.name = target.name.str();
  visitFields(target, [&](const char *name, const auto &field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>,
                                 llvm::StringRef>)
      row.texts[name] = field.str();
    else
      row.numbers[name] = static_cast<double>(field);
  });
  return row;
}

const Target *kernelzero::fromRow(const TargetRow &row, std::string &error) {
  struct Entry {
    TargetRow row;
    Target target = {};
  };
  static std::deque<Entry> entries;
  for (const Entry &entry : entries)
    if (entry.row.name == row.name && entry.row.texts == row.texts &&
        entry.row.numbers == row.numbers)
      return &entry.target;
  if (row.name.empty()) {
    error = "the target has no name";
    return nullptr;
  }
  Entry &entry = entries.emplace_back();
  entry.row = row;
  entry.target.name = entry.row.name;
  std::string missing;
  size_t known = 0;
  visitFields(entry.target, [&](const char *name, auto &field) {
    auto take = [&](auto &values) {
      auto found = values.find(name);
      if (found == values.end()) {
        missing += std::string(missing.empty() ? "" : ", ") + name;
        return;
      }
      ++known;
      field = static_cast<std::decay_t<decltype(field)>>(found->second);
    };
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>,
                                 llvm::StringRef>)
      take(entry.row.texts);
    else
      take(entry.row.numbers);
  });
  size_t given = row.texts.size() + row.numbers.size();
  if (missing.empty() && known == given)
    return &entry.target;
  error = "target '" + row.name + "' " +
          (missing.empty() ? "has " + std::to_string(given - known) +
                                 " facts that this worker does not know"
                           : "lacks " + missing);
  entries.pop_back();
  return nullptr;
}
