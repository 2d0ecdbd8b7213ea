//===- Options.cpp - command lines ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelzero;

std::string ParsedOptions::get(const std::string &name,
                               const std::string &otherwise) const {
  auto found = values.find(name);
  return found == values.end() ? otherwise : found->second.back();
}

std::string kernelzero::parseOptions(const CommandSpec &spec,
                                     const std::vector<std::string> &words,
                                     ParsedOptions &options) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      options.positional.push_back(word);
      continue;
    }
    std::string name = word == "-h" ? "--help" : word, value;
    bool joined = false;
    if (size_t equals = word.find('=');
        llvm::StringRef(word).starts_with("--") &&
        equals != std::string::npos) {
      name = word.substr(0, equals);
      value = word.substr(equals + 1);
      joined = true;
    }
    auto found = llvm::find_if(spec.options, [&](const OptionSpec &option) {
      return option.name == name;
    });
    if (found == spec.options.end()) {
      std::vector<std::string> names;
      for (const OptionSpec &option : spec.options)
        names.push_back(option.name);
      return "unknown option '" + name + "'; accepted are " +
             llvm::join(names, ", ");
    }
    if (found->value.empty()) {
      if (joined)
        return "option '" + name + "' takes no value, '" + value +
               "' was given";
      options.values[name].push_back("");
      continue;
    }
    if (!joined) {
      if (i + 1 >= words.size())
        return "option '" + name + "' needs a value, " + found->value;
      value = words[++i];
    }
    if (value.empty())
      return "option '" + name + "' needs a value, " + found->value;
    options.values[name].push_back(value);
  }
  return "";
}

std::string kernelzero::formatHelp(const CommandSpec &spec) {
  std::string text = "usage: " + spec.usage + "\n\n" + spec.summary + "\n";
  size_t width = 0;
  auto spell = [](const OptionSpec &option) {
    return option.name + (option.value.empty() ? "" : " " + option.value);
  };
  for (const OptionSpec &option : spec.options)
    width = std::max(width, spell(option).size());
  if (!spec.options.empty())
    text += "\noptions:\n";
  for (const OptionSpec &option : spec.options) {
    std::string left = spell(option);
    text += "  " + left + std::string(width - left.size() + 2, ' ') +
            option.help + "\n";
  }
  if (!spec.examples.empty())
    text += "\nexamples:\n" + spec.examples;
  if (!spec.notes.empty())
    text += "\n" + spec.notes;
  return text;
}

std::string kernelzero::parseNumber(const std::string &option,
                                    const std::string &text, int64_t least,
                                    int64_t most, int64_t &number) {
  if (llvm::to_integer(llvm::StringRef(text), number, 10) && number >= least &&
      number <= most)
    return "";
  return "option '" + option + "' is '" + text +
         "'; accepted are whole numbers from " + std::to_string(least) +
         " to " + std::to_string(most);
}
