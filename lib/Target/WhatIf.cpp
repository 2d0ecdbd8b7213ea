//===- WhatIf.cpp - rows of the target table that users write -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Record/Record.h"
#include "KernelZero/Target/TargetTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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
  /// What code can be made for.
  int64_t least, most;
  enum Form { Whole, PowerOfTwo, Warps } form = Whole;
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

/// Threads of a warp, of which blocks are made.
static constexpr int64_t kWarp = 32;
/// Addresses and counters of a thread take as many registers.
static constexpr int64_t kLeastRegisters = 24;

static const CountFact counts[] = {
    {"multiprocessors", &Target::multiprocessors, false, true, 1, 65536},
    {"clock_mhz", &Target::clockMHz, false, true, 1, 100000},
    {"l2_bytes", &Target::l2Bytes, true, true, 1, kAny},
    // A warp's share of a sum, of each warp; more than the largest row has is
    // refused by the lowering.
    {"shared_bytes_per_block", &Target::sharedBytesPerBlock, false, true, 1024,
     227 << 10},
    {"shared_bytes_per_multiprocessor", &Target::sharedBytesPerMultiprocessor,
     false, true, 2048, int64_t(1) << 30},
    {"registers_per_multiprocessor", &Target::registersPerMultiprocessor, false,
     true, kLeastRegisters * kWarp, kAny},
    {"registers_per_thread", &Target::registersPerThread, false, true,
     kLeastRegisters, 255},
    {"threads_per_block", &Target::threadsPerBlock, false, true, kWarp, 1024,
     CountFact::Warps},
    {"threads_per_multiprocessor", &Target::threadsPerMultiprocessor, false,
     true, kWarp, 65536, CountFact::Warps},
    {"blocks_per_multiprocessor", &Target::blocksPerMultiprocessor, false, true,
     1, 65536},
    {"blocks_per_cluster", &Target::blocksPerCluster, false, true, 1, 16},
    // A vector holds at least one element, 8 bytes of f64.
    {"vector_bytes", &Target::vectorBytes, true, false, 8, 64,
     CountFact::PowerOfTwo},
    // The smallest register tile, 4 rows of one vector, takes 6.
    {"vector_registers", &Target::vectorRegisters, true, false, 6, 32},
    {"l1_bytes", &Target::l1Bytes, true, false, 1, kAny}};

static bool hasForm(const CountFact &fact, int64_t value) {
  switch (fact.form) {
  case CountFact::Whole:
    return true;
  case CountFact::PowerOfTwo:
    return llvm::isPowerOf2_64(value);
  case CountFact::Warps:
    return value % kWarp == 0;
  }
  llvm_unreachable("a form");
}

static std::string describeForm(const CountFact &fact) {
  switch (fact.form) {
  case CountFact::Whole:
    return "whole numbers";
  case CountFact::PowerOfTwo:
    return "powers of two";
  case CountFact::Warps:
    return "multiples of " + std::to_string(kWarp);
  }
  llvm_unreachable("a form");
}

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

/// What of a GPU's `row` does not go together: a block must fit a
/// multiprocessor. Empty, or a sentence.
static std::string checkTogether(const Target &row) {
  if (!row.isGPU())
    return "";
  auto refuse = [](StringRef fact, int64_t value, StringRef bound,
                   int64_t limit, const Twine &why) {
    return ("fact '" + fact + "' is " + Twine(value) + ", and " + why + "; " +
            bound + " " + Twine(limit))
        .str();
  };
  int64_t room = row.sharedBytesPerMultiprocessor - kSystemSharedBytes;
  if (row.sharedBytesPerBlock > room)
    return refuse("shared_bytes_per_block", row.sharedBytesPerBlock, "at most",
                  room,
                  "a multiprocessor has shared_bytes_per_multiprocessor, " +
                      Twine(row.sharedBytesPerMultiprocessor) + ", less " +
                      Twine(kSystemSharedBytes) + " that the system keeps");
  if (row.threadsPerMultiprocessor < row.threadsPerBlock)
    return refuse("threads_per_multiprocessor", row.threadsPerMultiprocessor,
                  "at least", row.threadsPerBlock,
                  "a block of threads_per_block must fit");
  int64_t registers = kLeastRegisters * row.threadsPerBlock;
  if (row.registersPerMultiprocessor < registers)
    return refuse("registers_per_multiprocessor",
                  row.registersPerMultiprocessor, "at least", registers,
                  "each thread of a block of threads_per_block, " +
                      Twine(row.threadsPerBlock) + ", needs " +
                      Twine(kLeastRegisters));
  return "";
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
        integer && integer.getType().isSignlessInteger(64))
      return static_cast<double>(integer.getInt());
    if (auto real = dyn_cast<FloatAttr>(value))
      return real.getValueAsDouble();
    return std::nullopt;
  };
  for (const CountFact &fact : counts) {
    if (fact.name != name || !(gpu ? fact.ofGPU : fact.ofHost))
      continue;
    auto integer = dyn_cast<IntegerAttr>(value);
    if (!integer || !integer.getType().isSignlessInteger(64) ||
        integer.getInt() < fact.least || integer.getInt() > fact.most ||
        !hasForm(fact, integer.getInt()))
      return refuse(describeForm(fact) + " from " + Twine(fact.least) + " to " +
                    Twine(fact.most));
    // Clusters are an instruction of the row's, which cannot be given to it.
    if (fact.member == &Target::blocksPerCluster && row.*fact.member == 1 &&
        integer.getInt() > 1)
      return refuse("1, as " + row.name + " has no clusters");
    row.*fact.member = integer.getInt();
    return "";
  }
  for (const RateFact &fact : rates) {
    if (fact.name != name || (!gpu && name == "f16_tensor_flops"))
      continue;
    std::optional<double> rate = number();
    if (!rate || !(*rate >= 1 && *rate <= 1e30))
      return refuse("rates a second from 1 to 1e30");
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

namespace {
/// Rows that users wrote, kept for the life of the process, and their text.
struct Kept {
  std::string name, description, text;
  Target row;
};
struct KeptRows {
  std::deque<Kept> rows;
  std::mutex mutex;

  const Target *find(StringRef text) const {
    for (const Kept &kept : rows)
      if (kept.text == text)
        return &kept.row;
    return nullptr;
  }
};
} // namespace

static KeptRows &getKeptRows() {
  static KeptRows rows;
  return rows;
}

static const Target *findKeptRow(StringRef text) {
  std::lock_guard<std::mutex> lock(getKeptRows().mutex);
  return getKeptRows().find(text);
}

static const Target *keepRow(Target row, std::string name,
                             std::string description, std::string text) {
  KeptRows &all = getKeptRows();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (const Target *known = all.find(text))
    return known;
  Kept &kept = all.rows.emplace_back(
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
  if (error = checkTogether(row); !error.empty())
    return nullptr;
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

const Target *kernelzero::resolveTargetText(StringRef text,
                                            std::string &error) {
  error.clear();
  if (const Target *known = findTarget(text))
    return known;
  if (const Target *known = findKeptRow(text))
    return known;
  if (!text.starts_with("#kz.target")) {
    error = unknownTargetMessage(text, "the text of a #kz.target");
    return nullptr;
  }
  const Target *row = parseRow(text, error);
  if (!row)
    error = "the target does not parse: " + error;
  return row;
}

const Target *kernelzero::resolveTarget(StringRef text, std::string &error) {
  error.clear();
  if (text.starts_with("#kz.target") || findTarget(text))
    return resolveTargetText(text, error);
  if (!text.ends_with(".mlir") && !text.contains('/')) {
    error = unknownTargetMessage(text);
    return nullptr;
  }
  auto refuse = [&](const Twine &reason) {
    error = ("target file " + text + reason).str();
    return nullptr;
  };
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(text, status))
    return refuse(" cannot be read: " + code.message());
  // Reading a device or a pipe would never end.
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return refuse(
        " is no regular file; accepted are regular files of at most " +
        Twine(kMaxTargetBytes) + " bytes");
  if (status.getSize() > kMaxTargetBytes)
    return refuse(" has " + Twine(status.getSize()) + " bytes; at most " +
                  Twine(kMaxTargetBytes) + " are accepted");
  // No more than it had: it may grow, or be one that only seems to have an end.
  auto buffer = llvm::MemoryBuffer::getFileSlice(text, status.getSize(), 0,
                                                 /*IsVolatile=*/true);
  if (!buffer)
    return refuse(" cannot be read: " + buffer.getError().message());
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

std::string kernelzero::getTargetName(StringRef text) {
  std::string ignored;
  const Target *row = resolveTargetText(text, ignored);
  return (row ? row->name : text).str();
}

std::string kernelzero::getTargetFileName(StringRef text) {
  std::string name = getTargetName(text);
  return name == text ? name : name + "-" + hashText(text.str()).substr(0, 8);
}
