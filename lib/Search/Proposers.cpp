//===- Proposers.cpp - where candidates come from -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Search/Proposer.h"
#include "KernelZero/Transforms/CompleteSchedule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace kernelzero;

Proposer::~Proposer() = default;

std::string
kernelzero::completeSkeleton(SearchTask &task,
                             const std::map<std::string, int64_t> &values,
                             std::string &error) {
  MLIRContext *context = task.module->getContext();
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    if (error.empty())
      error = diag.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      task.skeleton.text, ParserConfig(context), "skeleton");
  if (!module)
    return "";
  std::map<std::string, Attribute> attributes;
  Builder builder(context);
  for (const auto &[name, value] : values)
    attributes[name] = builder.getI64IntegerAttr(value);
  if (failed(bindKnobs(*module, attributes)))
    return "";
  for (auto schedule : module->getOps<transform::NamedSequenceOp>())
    if (failed(completeSchedule(schedule)))
      return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return text;
}

static bool wasTried(const History &history, const std::string &id) {
  return llvm::any_of(history,
                      [&](const Record &record) { return record.id == id; });
}

static std::map<std::string, int64_t> getDefaults(const SearchTask &task) {
  std::map<std::string, int64_t> values;
  for (const Knob &knob : task.skeleton.knobs)
    values[knob.name] = knob.values.front();
  return values;
}

namespace {

class SkeletonProposer : public Proposer {
  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    std::string error;
    Proposal proposal;
    proposal.knobs = getDefaults(task);
    proposal.schedule = completeSkeleton(task, proposal.knobs, error);
    proposal.id = hashText(proposal.schedule);
    proposal.origin = "skeleton";
    if (count < 1 || proposal.schedule.empty() ||
        wasTried(history, proposal.id))
      return {};
    return {proposal};
  }
};

class WinnerProposer : public Proposer {
public:
  explicit WinnerProposer(const WinnerLibrary &library) : library(library) {}

  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    std::string reason;
    const Winner *winner =
        library.find(task.info.key, task.target->name.str(), reason);
    if (count < 1 || !winner)
      return {};
    Proposal proposal;
    proposal.schedule = winner->schedule;
    proposal.id = hashText(proposal.schedule);
    proposal.origin = "winner";
    if (wasTried(history, proposal.id))
      return {};
    return {proposal};
  }

private:
  const WinnerLibrary &library;
};

class DrawProposer : public Proposer {
public:
  explicit DrawProposer(uint64_t seed) : seed(seed) {}

  std::vector<Proposal> propose(SearchTask &task, const History &history,
                                int count) override {
    // What was drawn depends on the seed, the task and how often it was asked,
    // never on the order of tasks or on time.
    State &state = states.try_emplace(task.info.key, State(seed, task.info.key))
                       .first->second;
    std::vector<Proposal> proposals;
    // A space may be smaller than the budget: so many misses in a row mean that
    // it is used up.
    for (int misses = 0; misses < 256 && int(proposals.size()) < count;) {
      Proposal proposal;
      for (const Knob &knob : task.skeleton.knobs)
        proposal.knobs[knob.name] =
            knob.values[state.next() % knob.values.size()];
      std::string error;
      if (!state.drawn.insert(proposal.knobs).second ||
          explainIllegal(task.getFunction(), *task.target, proposal.knobs)) {
        ++misses;
        continue;
      }
      proposal.schedule = completeSkeleton(task, proposal.knobs, error);
      proposal.id = hashText(proposal.schedule);
      proposal.origin = "draw";
      if (proposal.schedule.empty() || wasTried(history, proposal.id)) {
        ++misses;
        continue;
      }
      misses = 0;
      proposals.push_back(std::move(proposal));
    }
    return proposals;
  }

private:
  struct State {
    State(uint64_t seed, const std::string &key)
        : random(seed ^ std::strtoull(key.c_str(), nullptr, 16)) {}
    uint64_t next() {
      uint64_t z = (random += 0x9E3779B97F4A7C15);
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
      return z ^ (z >> 31);
    }
    uint64_t random;
    std::set<std::map<std::string, int64_t>> drawn;
  };
  uint64_t seed;
  std::map<std::string, State> states;
};

} // namespace

std::unique_ptr<Proposer> kernelzero::makeSkeletonProposer() {
  return std::make_unique<SkeletonProposer>();
}
std::unique_ptr<Proposer>
kernelzero::makeWinnerProposer(const WinnerLibrary &library) {
  return std::make_unique<WinnerProposer>(library);
}
std::unique_ptr<Proposer> kernelzero::makeDrawProposer(uint64_t seed) {
  return std::make_unique<DrawProposer>(seed);
}
