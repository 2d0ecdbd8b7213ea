//===- WhatIf.cpp - rows of the target table that users write -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Target/TargetTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <deque>
#include <mutex>

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

namespace {
struct CountFact {
  StringRef name;
  int64_t Target::*member;
  bool ofHost, ofGPU;
  /// What code can still be made for.
  int64_t most;
};
struct RateFact {
  StringRef name;
  double Target::*member;
};
struct InstructionFact {
  StringRef name;
  bool Target::*member;
};
} // namespace

static constexpr int64_t kAny = int64_t(1) << 40;

static const CountFact counts[] = {
    {"multiprocessors", &Target::multiprocessors, false, true, 65536},
    {"clock_mhz", &Target::clockMHz, false, true, 100000},
    {"l2_bytes", &Target::l2Bytes, true, true, kAny},
    {"shared_bytes_per_block", &Target::sharedBytesPerBlock, false, true,
     int64_t(1) << 30},
    {"shared_bytes_per_multiprocessor", &Target::sharedBytesPerMultiprocessor,
     false, true, int64_t(1) << 30},
    {"registers_per_multiprocessor", &Target::registersPerMultiprocessor, false,
     true, kAny},
    {"registers_per_thread", &Target::registersPerThread, false, true, 255},
    {"threads_per_block", &Target::threadsPerBlock, false, true, 1024},
    {"threads_per_multiprocessor", &Target::threadsPerMultiprocessor, false,
     true, 65536},
    {"blocks_per_multiprocessor", &Target::blocksPerMultiprocessor, false, true,
     65536},
    {"blocks_per_cluster", &Target::blocksPerCluster, false, true, 16},
    {"vector_bytes", &Target::vectorBytes, true, false, 64},
    {"vector_registers", &Target::vectorRegisters, true, false, 32},
    {"l1_bytes", &Target::l1Bytes, true, false, kAny}};

static const RateFact rates[] = {
    {"f16_tensor_flops", &Target::f16TensorFlops},
    {"f32_flops", &Target::f32Flops},
    {"dram_bytes_per_second", &Target::dramBytesPerSecond}};

static const InstructionFact instructions[] = {{"mma_sync", &Target::mmaSync},
                                               {"cp_async", &Target::cpAsync},
                                               {"tma", &Target::tma},
                                               {"wgmma", &Target::wgmma}};

static std::string listFacts(bool gpu) {
  SmallVector<StringRef> names;
  for (const CountFact &fact : counts)
    if (gpu ? fact.ofGPU : fact.ofHost)
      names.push_back(fact.name);
  for (const RateFact &fact : rates)
    if (gpu || fact.name != "f16_tensor_flops")
      names.push_back(fact.name);
  if (gpu)
    for (const InstructionFact &fact : instructions)
      names.push_back(fact.name);
  return llvm::join(names, ", ");
}

/// Sets one fact of `row`; the sentence that says why it cannot be set
/// otherwise.
static std::string setFact(Target &row, StringRef name, Attribute value) {
  std::string shown;
  llvm::raw_string_ostream(shown) << value;
  auto refuse = [&](const Twine &accepted) {
    return ("fact '" + name + "' is " + shown + "; accepted are " + accepted)
        .str();
  };
  bool gpu = row.isGPU();
  auto number = [&]() -> std::optional<double> {
    if (auto integer = dyn_cast<IntegerAttr>(value);
        integer && !integer.getType().isInteger(1))
      return static_cast<double>(integer.getValue().getSExtValue());
    if (auto real = dyn_cast<FloatAttr>(value))
      return real.getValueAsDouble();
    return std::nullopt;
  };
  for (const CountFact &fact : counts) {
    if (fact.name != name || !(gpu ? fact.ofGPU : fact.ofHost))
      continue;
    auto integer = dyn_cast<IntegerAttr>(value);
    if (!integer || !integer.getType().isInteger(64) || integer.getInt() < 1 ||
        integer.getInt() > fact.most)
      return refuse("whole numbers from 1 to " + Twine(fact.most));
    row.*fact.member = integer.getInt();
    return "";
  }
  for (const RateFact &fact : rates) {
    if (fact.name != name || (!gpu && name == "f16_tensor_flops"))
      continue;
    std::optional<double> rate = number();
    if (!rate || !(*rate > 0) || *rate > 1e30)
      return refuse("rates a second above 0");
    row.*fact.member = *rate;
    return "";
  }
  for (const InstructionFact &fact : instructions) {
    if (fact.name != name || !gpu)
      continue;
    auto flag = dyn_cast<BoolAttr>(value);
    if (!flag)
      return refuse("true and false");
    if (flag.getValue() && !(row.*fact.member))
      return ("fact '" + name + "' is true, and " + row.name +
              " has no such instruction; a what-if row can only take one away")
          .str();
    row.*fact.member = flag.getValue();
    return "";
  }
  return ("there is no fact '" + name + "' of " + row.name + "; accepted are " +
          listFacts(gpu))
      .str();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool isName(StringRef name) {
  return !name.empty() && name.size() <= 64 && llvm::isAlnum(name.front()) &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
         });
}

/// Rows that users wrote, kept for the life of the process, and their text.
static const Target *keepRow(Target row, std::string name,
                             std::string description, std::string text) {
  struct Kept {
    std::string name, description, text;
    Target row;
  };
  static std::deque<Kept> rows;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  for (const Kept &kept : rows)
    if (kept.text == text)
      return &kept.row;
  Kept &kept = rows.emplace_back(
      Kept{std::move(name), std::move(description), std::move(text), row});
  kept.row.name = kept.name;
  kept.row.description = kept.description;
  kept.row.text = kept.text;
  return &kept.row;
}

static const Target *makeRow(kz::TargetAttr attr, std::string &error) {
  StringRef name = attr.getName().getValue(), base = attr.getBase().getValue();
  if (!isName(name)) {
    error = "a what-if row is called '" + name.str() +
            "'; accepted are letters, digits, '_', '-' and '.', at most 64, "
            "the first no sign";
    return nullptr;
  }
  if (findTarget(name)) {
    error = "a what-if row is called '" + name.str() +
            "', which is a row of the table; give it a name of its own";
    return nullptr;
  }
  const Target *from = findTarget(base);
  if (!from) {
    error = "the what-if row '" + name.str() + "' starts from an " +
            unknownTargetMessage(base);
    return nullptr;
  }
  Target row = *from;
  row.text = "";
  if (attr.getFacts())
    for (NamedAttribute fact : attr.getFacts())
      if (error = setFact(row, fact.getName(), fact.getValue()); !error.empty())
        return nullptr;
  if (row.isGPU() &&
      row.sharedBytesPerBlock > row.sharedBytesPerMultiprocessor) {
    error = "fact 'shared_bytes_per_block' is " +
            std::to_string(row.sharedBytesPerBlock) +
            ", more than the multiprocessor has; at most "
            "shared_bytes_per_multiprocessor, " +
            std::to_string(row.sharedBytesPerMultiprocessor);
    return nullptr;
  }
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return keepRow(row, name.str(),
                 "what if: " + from->description.str() + " with other facts",
                 text);
}

/// The attribute that `text` is, or that the module in it carries.
static const Target *parseRow(StringRef text, std::string &error) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<kz::KZDialect>();
  context.allowUnregisteredDialects();
  std::string fault;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (fault.empty())
      fault = diagnostic.str();
    return success();
  });
  // Comments may stand in front of the attribute.
  StringRef rest = text;
  while (true) {
    rest = rest.ltrim();
    if (!rest.starts_with("//"))
      break;
    rest = rest.split('\n').second;
  }
  Attribute attr;
  if (error = kz::checkNesting(text); !error.empty())
    return nullptr;
  if (rest.starts_with("#kz.target")) {
    attr = parseAttribute(rest.rtrim(), &context);
  } else {
    OwningOpRef<ModuleOp> module = kz::parseModule(text, &context, "target");
    if (module)
      attr = (*module)->getAttr(kTargetAttr);
    if (module && !attr)
      fault = "it holds no #kz.target, alone or as kz.target of its module";
  }
  auto target = dyn_cast_if_present<kz::TargetAttr>(attr);
  if (!target) {
    error = fault.empty() ? "its kz.target is no #kz.target" : fault;
    return nullptr;
  }
  return makeRow(target, error);
}

const Target *kernelzero::resolveTarget(StringRef text, std::string &error) {
  error.clear();
  if (const Target *known = findTarget(text))
    return known;
  if (text.starts_with("#kz.target")) {
    const Target *row = parseRow(text, error);
    if (!row)
      error = "the target does not parse: " + error;
    return row;
  }
  if (!text.ends_with(".mlir") && !text.contains('/')) {
    error = unknownTargetMessage(text);
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(text, /*IsText=*/true);
  if (!buffer) {
    error = "target file " + text.str() +
            " cannot be read: " + buffer.getError().message();
    return nullptr;
  }
  const Target *row = parseRow((*buffer)->getBuffer(), error);
  if (!row)
    error = "target file " + text.str() + ": " + error;
  return row;
}

std::string kernelzero::getTargetText(ModuleOp module) {
  Attribute attr = module->getAttr(kTargetAttr);
  if (auto name = dyn_cast_if_present<StringAttr>(attr))
    return name.str();
  std::string text;
  if (attr)
    llvm::raw_string_ostream(text) << attr;
  return text;
}

std::string kernelzero::getTargetText(const Target &target) {
  return (target.text.empty() ? target.name : target.text).str();
}
