//===- Winners.h - the schedule library as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_WINNERS_WINNERS_H
#define KERNELZERO_WINNERS_WINNERS_H

#include "KernelZero/Record/Record.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>

namespace kernelzero {

/// One entry of a schedule library.
struct Winner {
  /// Guard: the task that it is for, and the identity of the target
  /// (`getTargetText`).
  std::string taskKey;
  std::string taskName;
  std::string opClass;
  std::string target;

  std::string origin;
  Verdict verdict = Verdict::Same;
  double baselineSeconds = 0;
  double seconds = 0;
  double speedup = 1;
  Evidence evidence;
  /// The choices of the skeleton that made it, where it was one: what tasks
  /// like this one start from.
  std::map<std::string, int64_t> knobs;

  /// A module with the named sequence alone.
  std::string schedule;

  /// Where it was read from.
  std::string path;
};

/// The entry that `record`, of `task`, becomes.
Winner makeWinner(const TaskInfo &task, const Record &record);

/// What made the code: the versions of LLVM and of this program.
std::string getToolchain();

/// `<target>/<op class>/<problem>.mlir`, below a store's folder, where the
/// target is what `getTargetFileName` calls it.
std::string getWinnerPath(const Winner &winner);

/// The file's text; empty and `error` where the schedule does not parse.
std::string printWinner(mlir::MLIRContext *context, const Winner &winner,
                        std::string &error);

/// Writes `winner` below `store`; the path, or empty and `error`.
std::string writeWinner(mlir::MLIRContext *context, const std::string &store,
                        const Winner &winner, std::string &error);

/// The files that the library at `path`, a folder or one file, consists of:
/// every `.mlir` file below it, in order. Links to folders are followed, each
/// folder is read once. None and a sentence in `error` where `path` is not
/// there, or a folder cannot be read.
std::vector<std::string> listWinnerFiles(const std::string &path,
                                         std::string &error);

/// Reads the file at `path`.
std::optional<Winner> readWinner(mlir::MLIRContext *context,
                                 const std::string &path, std::string &error);

/// The entries of a folder, or of one file.
class WinnerLibrary {
public:
  /// Null and `error` where `path` is not there or holds what is no winner.
  static std::unique_ptr<WinnerLibrary>
  load(mlir::MLIRContext *context, const std::string &path, std::string &error);

  /// Adds the entries of `other`, which count only where this library has none.
  void append(const WinnerLibrary &other);

  /// The entry for a task on the target of that identity: of several that of
  /// the library that came first, and of those the newest. Null, and in
  /// `reason` why there is none.
  const Winner *find(const std::string &taskKey, const std::string &target,
                     std::string &reason) const;

  const std::vector<Winner> &getWinners() const { return winners; }

private:
  std::vector<Winner> winners;
  /// Where the entries of each library begin.
  std::vector<size_t> starts;
};

} // namespace kernelzero

#endif // KERNELZERO_WINNERS_WINNERS_H
