//===- Record.h - what is known of tasks and candidates -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_RECORD_RECORD_H
#define KERNELZERO_RECORD_RECORD_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kernelzero {

/// Version of the JSON documents (`docs/schema`).
constexpr int kSchemaVersion = 1;

/// A task as plain data. The IR is text, so that nothing above needs MLIR.
struct TaskInfo {
  /// Structural hash over operations, sizes, element types, indexing maps and
  /// the version of the grouping rules; the same in every process.
  std::string key;
  /// Spells the problem: `matmul_nt_add_maximum_128x512x1024_f32`.
  std::string name;
  /// Folder of the schedule library: `matmul`, `batch_matmul`, `rows`,
  /// `elementwise`, `movement`.
  std::string opClass;
  /// How often the model runs it.
  int64_t weight = 1;
  int64_t flops = 0;
  /// The part of `flops` that is contractions.
  int64_t matmulFlops = 0;
  /// Bytes that are read of the arguments, each once, and of all results.
  int64_t bytes = 0;
  /// Element type of the largest operand: `f16`.
  std::string element;
  /// A module with one function, `@task`.
  std::string text;
};

/// One word on a candidate.
enum class Verdict {
  Faster,
  Slower,
  Same,
  Ambiguous, ///< The interval of the speed-up holds both.
  Modelled,
  Rejected,     ///< Tier 1: does not parse, foreign operation, verifier.
  Inapplicable, ///< Tier 2: does not fit the task or the target.
  Uncompilable, ///< Tier 3: no code.
  Wrong,        ///< Tiers 4, 5: another result than the reference.
  Crashed,
  TimedOut,
  Untried, ///< Of a whole task: no trial reached it.
};

const char *getWord(Verdict verdict);
bool parseVerdict(const std::string &word, Verdict &verdict);
/// All words, separated by commas, for messages.
std::string listVerdicts();
/// Whether the candidate gave the right result, however fast.
bool isCorrect(Verdict verdict);

/// Clocks of a GPU's multiprocessors in MHz. Zeros: not known.
struct Clocks {
  double before = 0;  ///< Measured before the samples were taken.
  double after = 0;   ///< Measured after them.
  double highest = 0; ///< What the driver names.
};

/// Where and how something was measured: enough to refuse it elsewhere.
struct Evidence {
  std::string ranOn;     ///< `host: AMD EPYC`, never the target's name alone.
  std::string toolchain; ///< `LLVM 22.1.8`
  std::string distribution; ///< Of the inputs: `normal(0, 1), seed 7`.
  std::string date;         ///< ISO 8601, UTC.
  /// Hash of the LLVM IR that ran (host), or of the PTX (GPU).
  std::string code;
  Clocks clocks;
};

/// What a candidate's kernels take of the target; the largest of them where
/// there are several. Zeros: not known.
struct Resources {
  int64_t threads = 0; ///< Of a block.
  int64_t blocks = 0;  ///< Of the grid.
  int64_t registers = 0;
  int64_t spillBytes = 0;
  int64_t sharedBytes = 0; ///< Of a block.
  int64_t workspaceBytes = 0;
  int64_t kernels = 0;
  /// Share of a multiprocessor's threads that can be resident.
  double occupancy = 0;
};

/// Something else that did the same work, timed by the same stopwatch.
struct Peer {
  std::string name; ///< `cuBLAS (product alone)`
  double seconds = 0;
  /// Its time over ours: above 1 we are faster.
  double ratio = 0;
};

/// How far the judge came.
struct Tier {
  int number = 0;
  std::string state; ///< `passed`, `failed`, `not run`
  std::string note;  ///< One sentence, or empty.
};

/// What the judge says of one candidate.
struct Record {
  std::string taskKey;
  std::string taskName;
  std::string target; ///< Its identity, `getTargetText`.
  std::string device;
  /// Hash of the concrete schedule; the identity of the candidate.
  std::string id;
  std::string schedule;
  std::string origin; ///< `skeleton`, `draw`, `winner`
  std::map<std::string, int64_t> knobs;
  Verdict verdict = Verdict::Rejected;
  /// The first tier that failed; -1 where none did.
  int failedTier = -1;
  /// What failed and where, or what limits the candidate. At most ten.
  std::vector<std::string> sentences;
  double largestError = 0;
  /// Largest error in units of its tolerance; above 1 the result is wrong.
  double errorRatio = 0;
  /// Elements compared, and elements there are.
  int64_t compared = 0;
  int64_t elements = 0;
  /// Seconds per run, in the order measured, baseline and candidate
  /// alternating.
  std::vector<double> baselineSamples;
  std::vector<double> samples;
  double baselineSeconds = 0;
  double seconds = 0;
  /// Baseline time over candidate time, median of the pairs, and its interval.
  double speedup = 0;
  double speedupLow = 0;
  double speedupHigh = 0;
  /// The A/A noise that a win had to exceed.
  double noise = 0;
  double applySeconds = 0;
  double compileSeconds = 0;
  double judgeSeconds = 0;
  /// No kernel can be faster than this on the target; 0: not known.
  double rooflineSeconds = 0;
  /// What the analytical model expects; 0: it was not asked.
  double modelSeconds = 0;
  Resources resources;
  std::vector<Tier> tiers;
  std::vector<Peer> peers;
  /// What it was judged on beyond what it was tuned on: `exact guard: fresh
  /// data, 2 scales and hostile values; no other shapes`.
  std::string judgedOn;
  Evidence evidence;
};

std::string toJson(const Record &record);
/// False, and a sentence in `error`, where `text` is not a record of a version
/// that is understood.
bool fromJson(const std::string &text, Record &record, std::string &error);

/// The end of one tuning run, for `--json`.
struct TaskResult {
  TaskInfo task;
  double baselineSeconds = 0;
  double bestSeconds = 0;
  double speedup = 1;
  double speedupLow = 1;
  double speedupHigh = 1;
  Verdict verdict = Verdict::Same;
  int64_t trials = 0;
  int64_t correct = 0;
  /// No kernel can be faster than this; 0: not known.
  double rooflineSeconds = 0;
  /// What the best was timed beside, and the baseline where that is the best.
  std::vector<Peer> peers;
  /// Path of the winner's file; empty where nothing was correct.
  std::string winner;
  std::string message;
};

struct Report {
  std::string model;
  std::string target; ///< Its identity, `getTargetText`.
  std::string device;
  uint64_t seed = 0;
  std::vector<TaskResult> tasks;
  double baselineSeconds = 0; ///< Weighted sums over the tasks.
  double bestSeconds = 0;
  double seconds = 0;
  std::string verdict; ///< The last line.
  int exitCode = 0;
};

/// A JSON document, indented, with a final newline.
std::string toJson(const Report &report);
/// The tasks of the report, one a line below a line of names (RFC 4180).
std::string toCsv(const Report &report);
/// The least time of a task on a target, and what sets it.
struct TaskBound {
  double seconds = 0;
  std::string limit;
};
/// `bounds` are those of the tasks, or none.
std::string toJson(const std::vector<TaskInfo> &tasks, const std::string &model,
                   const std::vector<TaskBound> &bounds = {});
/// Records of a store, failures included.
std::string toJson(const std::vector<Record> &records,
                   const std::string &store);

/// The current time as ISO 8601 in UTC.
std::string getDate();
/// Hash of `text`: the first 16 hex digits of its SHA-256.
std::string hashText(const std::string &text);
/// Why the text `parse`d or the file failed to be written atomically (a
/// temporary file beside it, then a rename); empty on success. Makes folders.
std::string writeFileAtomically(const std::string &path,
                                const std::string &text);

} // namespace kernelzero

#endif // KERNELZERO_RECORD_RECORD_H
