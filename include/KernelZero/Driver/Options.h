//===- Options.h - command lines ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_DRIVER_OPTIONS_H
#define KERNELZERO_DRIVER_OPTIONS_H

#include <map>
#include <string>
#include <vector>

namespace kernelzero {

/// One flag of a command: what help prints is what the parser takes.
struct OptionSpec {
  std::string name;  ///< `--trials`
  std::string value; ///< `N`; empty for a flag without one.
  std::string help;
};

/// One command of a program.
struct CommandSpec {
  std::string name;      ///< `import`; empty for the default.
  std::string usage;     ///< `kz-tune MODEL.onnx --target T [options]`
  std::string summary;   ///< One sentence.
  std::string arguments; ///< How many positional arguments: `MODEL.onnx`.
  std::vector<OptionSpec> options;
  std::string examples;
  std::string notes; ///< Exit codes and the like.
};

struct ParsedOptions {
  std::map<std::string, std::vector<std::string>> values;
  std::vector<std::string> positional;
  bool has(const std::string &name) const { return values.count(name) != 0; }
  /// The last value given, or `otherwise`.
  std::string get(const std::string &name,
                  const std::string &otherwise = "") const;
};

/// Reads `words` by `spec`. Empty on success, else a sentence.
std::string parseOptions(const CommandSpec &spec,
                         const std::vector<std::string> &words,
                         ParsedOptions &options);
std::string formatHelp(const CommandSpec &spec);

/// Reads a whole number in [least, most]; empty on success, else a sentence
/// that names `option`.
std::string parseNumber(const std::string &option, const std::string &text,
                        int64_t least, int64_t most, int64_t &number);

} // namespace kernelzero

#endif // KERNELZERO_DRIVER_OPTIONS_H
