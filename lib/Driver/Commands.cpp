//===- Commands.cpp - the commands of kz-tune -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace kernelzero;

const std::vector<Command> &kernelzero::getCommands() {
  static const std::vector<Command> commands = {
      getTuneCommand(),  getImportCommand(),  getRunCommand(),
      getJudgeCommand(), getExplainCommand(), getStoreCommand(),
      getWorkerCommand()};
  return commands;
}

static const Command *findCommand(const std::string &name) {
  auto found = llvm::find_if(getCommands(), [&](const Command &command) {
    return command.spec.name == name;
  });
  return found == getCommands().end() ? nullptr : &*found;
}

/// The commands, one a line, with the first sentence of each.
static std::string listCommands() {
  std::string text = "commands (kz-tune COMMAND --help says more of each):\n";
  for (const Command &command : getCommands()) {
    std::string line = command.spec.summary;
    line = line.substr(0, line.find(".\n"));
    std::replace(line.begin(), line.end(), '\n', ' ');
    if (!line.empty() && line.back() == '.')
      line.pop_back();
    std::string name = command.spec.name;
    name.resize(std::max<size_t>(name.size(), 8), ' ');
    text += "  " + name + "  " + line + "\n";
  }
  return text;
}

static int printHelp(const CommandSpec &spec) {
  llvm::outs() << formatHelp(spec);
  if (spec.name == getCommands().front().spec.name)
    llvm::outs() << "\n" << listCommands();
  return kExitDone;
}

static std::string joinCommandNames() {
  std::vector<std::string> names;
  for (const Command &command : getCommands())
    names.push_back(command.spec.name);
  return llvm::join(names, ", ");
}

/// `kz-tune help [COMMAND]`.
static int runHelp(const std::vector<std::string> &words) {
  if (words.empty())
    return printHelp(getCommands().front().spec);
  if (const Command *command = findCommand(words.front()))
    return printHelp(command->spec);
  return reportError("'" + words.front() + "' is no command; accepted are " +
                     joinCommandNames());
}

static int dispatch(std::vector<std::string> words) {
  const Command *command = words.empty() ? nullptr : findCommand(words.front());
  if (!command && !words.empty() && words.front() == "help")
    return runHelp({words.begin() + 1, words.end()});
  if (command)
    words.erase(words.begin());
  else if (words.size() > 1 && !words[0].empty() && words[0][0] != '-' &&
           !words[1].empty() && words[1][0] != '-' &&
           !llvm::sys::path::has_extension(words[0]) &&
           !llvm::sys::fs::exists(words[0]))
    return reportError("'" + words[0] +
                       "' is neither a command nor a model that exists; " +
                       "commands are " + joinCommandNames());
  else
    command = &getCommands().front();
  if (words.size() == 1 && words.front() == "--version") {
    llvm::outs() << "KernelZero version " KERNELZERO_VERSION "\n";
    return kExitDone;
  }
  ParsedOptions options;
  if (std::string error = parseOptions(command->spec, words, options);
      !error.empty())
    return reportError(error);
  if (options.has("--help"))
    return printHelp(command->spec);
  return command->run(options);
}

/// Whether standard output is to be a JSON document, also where the command
/// line is wrong otherwise.
static bool asksForData(const std::vector<std::string> &words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--json=-" ||
        (words[i] == "--json" && i + 1 < words.size() && words[i + 1] == "-"))
      return true;
  return false;
}

int kernelzero::runKzTune(std::vector<std::string> words) {
  bool isData = asksForData(words);
  int code = dispatch(std::move(words));
  if (isData && code != kExitDone)
    writeErrorDocument(code);
  llvm::outs().flush();
  if (std::error_code lost = llvm::outs().error()) {
    llvm::outs().clear_error();
    return reportTrouble("cannot write standard output: " + lost.message());
  }
  // Whoever does not read what we say on the way gets the result all the same.
  llvm::errs().clear_error();
  return code;
}
