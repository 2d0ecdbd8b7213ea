//===- Winners.cpp - the schedule library as text -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Winners/Winners.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "KernelZero/Target/TargetTable.h"
#include "KernelZero/Version.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;
using namespace kernelzero;

static constexpr StringLiteral kGuard = "kz.guard";
static constexpr StringLiteral kEvidence = "kz.evidence";

std::string kernelzero::getToolchain() {
  return "KernelZero " KERNELZERO_VERSION ", LLVM " LLVM_VERSION_STRING;
}

Winner kernelzero::makeWinner(const TaskInfo &task, const Record &record) {
  Winner winner;
  winner.taskKey = task.key;
  winner.taskName = task.name;
  winner.opClass = task.opClass;
  winner.target = record.target;
  winner.origin = record.origin;
  winner.verdict = record.verdict;
  winner.baselineSeconds = record.baselineSeconds;
  winner.seconds = record.seconds;
  winner.speedup = record.speedup;
  winner.evidence = record.evidence;
  winner.knobs = record.knobs;
  winner.schedule = record.schedule;
  return winner;
}

std::string kernelzero::getWinnerPath(const Winner &winner) {
  return getTargetFileName(winner.target) + "/" + winner.opClass + "/" +
         winner.taskName + "_" + winner.taskKey.substr(0, 8) + ".mlir";
}

/// The first diagnostic in a scope, as text.
namespace {
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diag) {
          if (!text.empty() || diag.getSeverity() != DiagnosticSeverity::Error)
            return success();
          if (auto at = dyn_cast<FileLineColLoc>(diag.getLocation()))
            text = "line " + std::to_string(at.getLine()) + ": ";
          text += diag.str();
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};
} // namespace

static transform::NamedSequenceOp getOnlySequence(ModuleOp module) {
  SmallVector<transform::NamedSequenceOp> found(
      module.getOps<transform::NamedSequenceOp>());
  return found.size() == 1 ? found.front() : nullptr;
}

std::string kernelzero::printWinner(MLIRContext *context, const Winner &winner,
                                    std::string &error) {
  FirstError first(context);
  OwningOpRef<ModuleOp> module =
      kz::parseModule(winner.schedule, context, "schedule");
  if (!module || !getOnlySequence(*module)) {
    error = first.text.empty()
                ? "the schedule is not one transform.named_sequence"
                : first.text;
    return "";
  }
  Builder builder(context);
  auto string = [&](StringRef name, StringRef value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  };
  auto number = [&](StringRef name, double value) {
    return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
  };
  (*module)->setAttr(kz::kLanguageAttr,
                     kz::LangAttr::get(context, kz::kLanguageVersion));
  (*module)->setAttr(
      kGuard,
      builder.getDictionaryAttr(
          {string("task", winner.taskKey), string("name", winner.taskName),
           string("class", winner.opClass), string("target", winner.target)}));
  const Evidence &evidence = winner.evidence;
  SmallVector<NamedAttribute> knobs;
  for (const auto &[name, value] : winner.knobs)
    knobs.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  SmallVector<NamedAttribute> facts = {
      string("ran_on", evidence.ranOn),
      string("toolchain", evidence.toolchain),
      string("distribution", evidence.distribution),
      string("date", evidence.date),
      string("code", evidence.code),
      string("origin", winner.origin),
      builder.getNamedAttr("knobs", builder.getDictionaryAttr(knobs)),
      string("verdict", getWord(winner.verdict)),
      number("baseline_seconds", winner.baselineSeconds),
      number("seconds", winner.seconds),
      number("speedup", winner.speedup)};
  // MHz. Nobody knows those of a host.
  if (evidence.clocks.before > 0)
    facts.append({number("clock_before", evidence.clocks.before),
                  number("clock_after", evidence.clocks.after),
                  number("clock_highest", evidence.clocks.highest)});
  (*module)->setAttr(kEvidence, builder.getDictionaryAttr(facts));
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  return text;
}

std::string kernelzero::writeWinner(MLIRContext *context,
                                    const std::string &store,
                                    const Winner &winner, std::string &error) {
  std::string text = printWinner(context, winner, error);
  if (text.empty())
    return "";
  std::string path = store + "/" + getWinnerPath(winner);
  error = writeFileAtomically(path, text);
  return error.empty() ? path : "";
}

static std::string getString(DictionaryAttr dictionary, StringRef name) {
  auto attr = dictionary ? dictionary.getAs<StringAttr>(name) : StringAttr();
  return attr ? attr.str() : "";
}

static double getNumber(DictionaryAttr dictionary, StringRef name) {
  auto attr = dictionary ? dictionary.getAs<FloatAttr>(name) : FloatAttr();
  return attr ? attr.getValueAsDouble() : 0;
}

std::optional<Winner> kernelzero::readWinner(MLIRContext *context,
                                             const std::string &path,
                                             std::string &error) {
  auto refuse = [&](const Twine &reason) {
    error = ("'" + Twine(path) + "' is no winner: " + reason).str();
    return std::nullopt;
  };
  // Reading a device or a pipe would never end.
  if (!llvm::sys::fs::is_regular_file(path))
    return refuse("it is no regular file");
  FirstError first(context);
  OwningOpRef<ModuleOp> module = kz::parseModuleFile(path, context);
  if (!module)
    return refuse(first.text.empty() ? "it does not parse" : first.text);
  auto lang = (*module)->getAttrOfType<kz::LangAttr>(kz::kLanguageAttr);
  if (!lang)
    return refuse("it lacks kz.lang, the version of the schedule language");
  auto guard = (*module)->getAttrOfType<DictionaryAttr>(kGuard);
  auto evidence = (*module)->getAttrOfType<DictionaryAttr>(kEvidence);
  Winner winner;
  winner.taskKey = getString(guard, "task");
  winner.taskName = getString(guard, "name");
  winner.opClass = getString(guard, "class");
  winner.target = getString(guard, "target");
  if (winner.taskKey.empty() || winner.target.empty())
    return refuse("its kz.guard names no task or no target");
  if (!evidence)
    return refuse("it lacks kz.evidence");
  if (!parseVerdict(getString(evidence, "verdict"), winner.verdict) ||
      !isCorrect(winner.verdict))
    return refuse("its verdict is '" + getString(evidence, "verdict") +
                  "'; a winner is faster, same or modelled");
  winner.evidence.ranOn = getString(evidence, "ran_on");
  winner.evidence.toolchain = getString(evidence, "toolchain");
  winner.evidence.distribution = getString(evidence, "distribution");
  winner.evidence.date = getString(evidence, "date");
  winner.evidence.code = getString(evidence, "code");
  winner.evidence.clocks.before = getNumber(evidence, "clock_before");
  winner.evidence.clocks.after = getNumber(evidence, "clock_after");
  winner.evidence.clocks.highest = getNumber(evidence, "clock_highest");
  winner.origin = getString(evidence, "origin");
  winner.baselineSeconds = getNumber(evidence, "baseline_seconds");
  winner.seconds = getNumber(evidence, "seconds");
  winner.speedup = getNumber(evidence, "speedup");
  if (auto knobs = evidence.getAs<DictionaryAttr>("knobs"))
    for (NamedAttribute knob : knobs)
      if (auto value = dyn_cast<IntegerAttr>(knob.getValue()))
        winner.knobs[knob.getName().str()] = value.getInt();
  if (!getOnlySequence(*module))
    return refuse("it holds no schedule, or more than one");
  for (StringRef name : {kz::kLanguageAttr, kGuard, kEvidence})
    (*module)->removeAttr(name);
  llvm::raw_string_ostream os(winner.schedule);
  module->print(os, OpPrintingFlags().enableDebugInfo(false));
  os << "\n";
  winner.path = path;
  return winner;
}

/// Adds the entries in `folder` to `files`, and the links to folders that it
/// holds to `links`. `seen` are the folders that were read. Empty, or a
/// sentence.
static std::string listFolder(const std::string &folder,
                              std::set<llvm::sys::fs::UniqueID> &seen,
                              std::vector<std::string> &links,
                              std::vector<std::string> &files) {
  namespace fs = llvm::sys::fs;
  auto refuse = [&](const std::string &path, std::error_code code) {
    return "library folder '" + path + "' cannot be read: " + code.message();
  };
  fs::UniqueID id;
  if (std::error_code code = fs::getUniqueID(folder, id))
    return refuse(folder, code);
  if (!seen.insert(id).second)
    return "";
  std::vector<std::string> paths;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    paths.push_back(it->path());
  if (code)
    return refuse(folder, code);
  llvm::sort(paths);
  for (const std::string &path : paths) {
    fs::file_status status;
    code = fs::status(path, status);
    if (code == std::errc::permission_denied)
      return refuse(fs::is_symlink_file(path) ? path : folder, code);
    if (!fs::is_directory(status)) {
      // A link to nothing is refused where it is read.
      if (llvm::sys::path::extension(path) == ".mlir")
        files.push_back(path);
    } else if (fs::is_symlink_file(path)) {
      links.push_back(path);
    } else if (std::string error = listFolder(path, seen, links, files);
               !error.empty()) {
      return error;
    }
  }
  return "";
}

std::vector<std::string> kernelzero::listWinnerFiles(const std::string &path,
                                                     std::string &error) {
  error.clear();
  std::vector<std::string> files;
  llvm::sys::fs::file_status status;
  std::error_code code = llvm::sys::fs::status(path, status);
  if (code == std::errc::permission_denied)
    error = "library '" + path + "' cannot be read: " + code.message();
  else if (code)
    error = "library '" + path + "' is neither a folder nor a file";
  else if (!llvm::sys::fs::is_directory(status))
    return {path};
  // Links come last: what lies in the library itself has its own path.
  std::vector<std::string> links = {path};
  std::set<llvm::sys::fs::UniqueID> seen;
  for (size_t i = 0; error.empty() && i < links.size(); ++i)
    error = listFolder(links[i], seen, links, files);
  llvm::sort(files);
  return error.empty() ? files : std::vector<std::string>();
}

std::unique_ptr<WinnerLibrary> WinnerLibrary::load(MLIRContext *context,
                                                   const std::string &path,
                                                   std::string &error) {
  auto library = std::make_unique<WinnerLibrary>();
  std::vector<std::string> files = listWinnerFiles(path, error);
  if (!error.empty())
    return nullptr;
  for (const std::string &file : files) {
    std::optional<Winner> winner = readWinner(context, file, error);
    if (!winner)
      return nullptr;
    library->winners.push_back(std::move(*winner));
  }
  library->starts.push_back(0);
  return library;
}

void WinnerLibrary::append(const WinnerLibrary &other) {
  for (size_t start : other.starts)
    starts.push_back(winners.size() + start);
  llvm::append_range(winners, other.winners);
}

const Winner *WinnerLibrary::find(const std::string &taskKey,
                                  const std::string &target,
                                  std::string &reason) const {
  const Winner *best = nullptr;
  std::string otherTarget;
  for (auto [index, winner] : llvm::enumerate(winners)) {
    if (best && llvm::is_contained(starts, index))
      return best;
    if (winner.taskKey != taskKey)
      continue;
    if (winner.target != target)
      otherTarget = winner.target;
    else if (!best || winner.evidence.date > best->evidence.date)
      best = &winner;
  }
  if (best)
    return best;
  std::string name = getTargetName(target), other = getTargetName(otherTarget);
  if (!otherTarget.empty())
    reason = "the library has it for target " + other +
             (other == name ? " with other facts, not for this one"
                            : ", not for " + name);
  else if (winners.empty())
    reason = "the library is empty";
  else
    reason = "none of the library's " + std::to_string(winners.size()) +
             (winners.size() == 1 ? " entry is" : " entries is") +
             " for task " + taskKey;
  return nullptr;
}
