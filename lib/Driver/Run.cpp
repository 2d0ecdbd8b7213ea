//===- Run.cpp - kz-tune run: a whole model on its inputs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Driver/Commands.h"
#include "KernelZero/Driver/Common.h"
#include "KernelZero/Driver/Tables.h"
#include "KernelZero/Judge/Bench.h"
#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "KernelZero/Runtime/ModelRunner.h"
#include "KernelZero/Target/TargetTable.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Winners/Winners.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <ctime>

using namespace mlir;
using namespace kernelzero;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

namespace {
/// The arrays that the command line names.
using GivenInputs = std::vector<std::pair<std::string, Array>>;

/// A model ready to run, with the bytes of its inputs.
struct Loaded {
  const Target *target = nullptr;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<WinnerLibrary> library;
  std::unique_ptr<ModelRunner> runner;
  GivenInputs given;
  std::vector<Buffer> drawn;
};
} // namespace

/// Reads the arrays, and notes their files. Empty, or a sentence.
static std::string readInputs(const ParsedOptions &options, GivenInputs &inputs,
                              std::vector<NamedFile> &files) {
  auto found = options.values.find("--input");
  if (found == options.values.end())
    return "";
  for (const std::string &text : found->second) {
    size_t equals = text.find('=');
    // A name may hold a '='; a file by that name would be no .npy file.
    if (size_t last = text.rfind('=');
        equals != last && !llvm::sys::fs::exists(text.substr(equals + 1)))
      equals = last;
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return "option '--input' is '" + text +
             "'; accepted is NAME=FILE, an input of the model and a .npy file";
    std::string name = text.substr(0, equals);
    for (auto &[other, array] : inputs)
      if (other == name)
        return "input '" + name + "' is given more than once";
    Array &array = inputs.emplace_back(name, Array()).second;
    files.push_back({"input '" + name + "'", text.substr(equals + 1)});
    if (std::string error = readNpy(files.back().path, array); !error.empty())
      return "input '" + name + "': " + error;
  }
  return "";
}

static std::string quoteAll(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

static std::string checkNames(const GivenInputs &given,
                              const std::vector<std::string> &names) {
  for (auto &[name, array] : given)
    if (!llvm::is_contained(names, name))
      return "the model has no input '" + name + "'; it has " + quoteAll(names);
  return "";
}

/// Binds the dynamic dimensions of the ONNX model at `path` by the shapes of
/// what is given; empty, or a sentence.
static std::string bindDims(const std::string &path, const GivenInputs &given,
                            ParsedOptions &options) {
  std::vector<OnnxInput> inputs;
  std::string error;
  if (!readOnnxInputs(path, inputs, error))
    return error;
  std::vector<std::string> names;
  for (const OnnxInput &input : inputs)
    names.push_back(input.name);
  if (error = checkNames(given, names); !error.empty())
    return error;
  std::map<std::string, std::pair<std::string, std::string>> bound;
  for (const std::string &text : options.values["--dim"])
    if (size_t equals = text.rfind('='); equals != std::string::npos)
      bound[text.substr(0, equals)] = {text.substr(equals + 1),
                                       "--dim " + text};
  if (options.values["--dim"].empty())
    options.values.erase("--dim");
  for (auto &[name, array] : given) {
    const OnnxInput &input =
        *llvm::find_if(inputs, [name = name](const OnnxInput &input) {
          return input.name == name;
        });
    const std::vector<int64_t> &shape = array.type.shape;
    if (!input.hasShape)
      continue; // The import says what is wrong with it.
    if (shape.size() != input.dynamicDims.size())
      return "input '" + name + "' has " +
             std::to_string(input.dynamicDims.size()) +
             " dimensions, the file given for it is " + toText(array.type);
    for (auto [axis, key] : llvm::enumerate(input.dynamicDims)) {
      if (key.empty())
        continue;
      std::string size = std::to_string(shape[axis]);
      std::string source =
          "dimension " + std::to_string(axis) + " of input '" + name + "'";
      if (shape[axis] < 1)
        return source + " has size " + size + ", 1 and more are accepted";
      auto [entry, isNew] = bound.try_emplace(key, size, source);
      if (isNew)
        options.values["--dim"].push_back(key + "=" + size);
      else if (entry->second.first != size)
        return "dimension '" + key + "' is " + size + " by " + source +
               " and " + entry->second.first + " by " + entry->second.second +
               "; one size is accepted";
    }
  }
  return "";
}

/// Gives every input of the model its bytes; empty, or a sentence.
static std::string setInputs(const ParsedOptions &options, Loaded &loaded) {
  const ModelPlan &plan = loaded.runner->getPlan();
  std::vector<std::string> names, missing;
  for (const NamedValue &input : plan.inputs)
    names.push_back(input.name);
  if (std::string error = checkNames(loaded.given, names); !error.empty())
    return error;
  auto main = loaded.module->lookupSymbol<func::FuncOp>("main");
  int64_t seed = 0;
  if (options.has("--random"))
    if (std::string error = parseNumber("--random", options.get("--random"), 0,
                                        INT64_MAX, seed);
        !error.empty())
      return error;
  loaded.drawn.reserve(plan.inputs.size());
  for (auto [index, input] : llvm::enumerate(plan.inputs)) {
    const ArrayType &type = input.value.type;
    auto array =
        llvm::find_if(loaded.given, [&name = names[index]](const auto &entry) {
          return entry.first == name;
        });
    const void *data = nullptr;
    if (array != loaded.given.end()) {
      const ArrayType &got = array->second.type;
      bool sameBytes = type.element == "index" && got.element == "i64";
      if (got.shape != type.shape ||
          (got.element != type.element && !sameBytes))
        return "input '" + input.name + "' is " + toText(type) +
               ", the file given for it is " + toText(got);
      data = array->second.data.get();
    } else if (options.has("--random")) {
      Buffer &buffer = loaded.drawn.emplace_back();
      if (!buffer.allocate(
              cast<RankedTensorType>(main.getArgument(index).getType())))
        return "there is no memory for input '" + input.name + "'";
      drawNormal(buffer, seed + index);
      data = buffer.data();
    } else {
      missing.push_back("'" + input.name + "' (" + toText(type) + ")");
      continue;
    }
    if (ExecutorError error = loaded.runner->setInput(index, data))
      return *error;
  }
  if (missing.empty())
    return "";
  return "the model needs " + llvm::join(missing, ", ") +
         "; give --input NAME=FILE.npy for each, or --random SEED to draw them";
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Names of files for the outputs: safe on every system, none twice.
static std::vector<std::string> getFileNames(const ModelPlan &plan) {
  constexpr size_t kLongest = 200; // Systems take 255 bytes, with all suffixes.
  std::vector<std::string> files;
  llvm::StringSet<> taken;
  for (const NamedValue &output : plan.outputs) {
    std::string safe;
    for (char c : output.name)
      safe += llvm::isAlnum(c) || c == '.' || c == '_' || c == '-' ? c : '_';
    if (safe.empty())
      safe = "output";
    safe.resize(std::min(safe.size(), kLongest));
    std::string name = safe;
    for (int number = 1; !taken.insert(name).second; ++number)
      name = safe + "_" + std::to_string(number);
    files.push_back(name + ".npy");
  }
  return files;
}

static std::string writeOutputs(ModelRunner &runner, const std::string &folder,
                                const std::vector<std::string> &files) {
  for (auto [index, output] : llvm::enumerate(runner.getPlan().outputs)) {
    const ArrayType &type = output.value.type;
    ArrayBytes bytes = allocateBytes(type.bytes());
    if (!bytes)
      return "there is no memory for output '" + output.name + "'";
    if (ExecutorError error = runner.readOutput(index, bytes.get()))
      return *error;
    if (std::string error =
            writeNpy(folder + "/" + files[index], type, bytes.get());
        !error.empty())
      return error;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

namespace {
/// Medians over the runs.
struct RunTimes {
  std::vector<double> samples; ///< Of whole runs.
  double seconds = 0;
  /// Of this thread, which other programs do not stretch.
  double processorSeconds = 0;
  std::vector<double> taskSeconds; ///< All calls of a task in one run.
  double copySeconds = 0;
};
} // namespace

static double getProcessorTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static ExecutorError timeRuns(ModelRunner &runner, int64_t count,
                              RunTimes &times) {
  const ModelPlan &plan = runner.getPlan();
  size_t tasks = runner.getTasks().size();
  std::vector<std::vector<double>> samples(tasks + 1);
  std::vector<double> worked;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<double> steps;
    double before = getProcessorTime();
    auto start = std::chrono::steady_clock::now();
    if (ExecutorError error = runner.run(&steps))
      return error;
    times.samples.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
    worked.push_back(getProcessorTime() - before);
    std::vector<double> sums(tasks + 1, 0);
    for (auto [step, seconds] : llvm::zip_equal(plan.steps, steps))
      sums[step.task < 0 ? tasks : step.task] += seconds;
    for (auto [list, sum] : llvm::zip_equal(samples, sums))
      list.push_back(sum);
  }
  times.seconds = getMedian(times.samples);
  times.processorSeconds = getMedian(worked);
  for (size_t i = 0; i < tasks; ++i)
    times.taskSeconds.push_back(getMedian(samples[i]));
  times.copySeconds = getMedian(samples[tasks]);
  return std::nullopt;
}

/// Tasks by falling time; the order in which they run where there is none.
static std::vector<size_t> sortTasks(const ModelRunner &runner,
                                     const RunTimes &times) {
  std::vector<size_t> order(runner.getTasks().size());
  std::iota(order.begin(), order.end(), 0);
  if (!times.taskSeconds.empty())
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::make_pair(-times.taskSeconds[a], a) <
             std::make_pair(-times.taskSeconds[b], b);
    });
  return order;
}

static std::string formatTimes(const ModelRunner &runner,
                               const RunTimes &times) {
  std::vector<std::vector<std::string>> rows = {
      {"task", "class", "schedule", "calls", "ns", "share"}};
  auto addRow = [&](const std::string &name, const std::string &opClass,
                    const std::string &source, const std::string &calls,
                    double seconds) {
    rows.push_back(
        {name, opClass, source, calls,
         llvm::formatv("{0:f0}", seconds * 1e9).str(),
         llvm::formatv("{0:f1} %",
                       100 * seconds / std::max(times.seconds, 1e-12))
             .str()});
  };
  for (size_t index : sortTasks(runner, times)) {
    const RunnableTask &task = runner.getTasks()[index];
    addRow(task.name, task.opClass, getWord(task.source),
           std::to_string(task.calls), times.taskSeconds[index]);
  }
  if (times.copySeconds > 0)
    addRow("copies", "", "", "", times.copySeconds);
  addRow("whole run", "", "", "", times.seconds);
  return formatTable(rows, {true, true, true, false, false, false});
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

static std::string makeDocument(const std::string &model, const Loaded &loaded,
                                const ParsedOptions &options,
                                const std::vector<std::string> &files,
                                const RunTimes &times) {
  const ModelRunner &runner = *loaded.runner;
  const ModelPlan &plan = runner.getPlan();
  llvm::json::Array outputs, tasks;
  for (auto [output, file] : llvm::zip_equal(plan.outputs, files))
    outputs.push_back(llvm::json::Object{
        {"name", output.name},
        {"element", output.value.type.element},
        {"shape", llvm::json::Array(output.value.type.shape)},
        {"file", options.has("--output-dir") ? file : ""}});
  for (size_t index : sortTasks(runner, times)) {
    const RunnableTask &task = runner.getTasks()[index];
    llvm::json::Object object{{"name", task.name},
                              {"key", task.key},
                              {"class", task.opClass},
                              {"calls", task.calls},
                              {"source", getWord(task.source)},
                              {"note", task.note},
                              {"code", task.code->hash},
                              {"workspace_bytes", task.code->workspaceBytes}};
    if (!times.taskSeconds.empty())
      object["seconds"] = times.taskSeconds[index];
    tasks.push_back(std::move(object));
  }
  llvm::json::Object document{{"schema", kSchemaVersion},
                              {"kind", "run"},
                              {"model", model},
                              {"target", getTargetText(*loaded.target)},
                              {"device", describeHostDevice()},
                              {"outputs", std::move(outputs)},
                              {"tasks", std::move(tasks)},
                              {"peak_bytes", runner.getPeakBytes()},
                              {"buffer_bytes", plan.bufferBytes},
                              {"seconds", times.seconds},
                              {"processor_seconds", times.processorSeconds},
                              {"copy_seconds", times.copySeconds},
                              {"samples", llvm::json::Array(times.samples)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(document))).str();
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// What is wrong with the flags; empty where nothing is.
static std::string checkFlags(const ParsedOptions &options,
                              const Target *&target, int64_t &count) {
  if (options.positional.size() != 1)
    return "kz-tune run takes 1 model, " +
           std::to_string(options.positional.size()) +
           " were given; kz-tune run --help says how";
  if (!options.has("--target"))
    return "kz-tune run needs --target T; accepted is host";
  std::string unknown;
  target = resolveTarget(options.get("--target"), unknown);
  if (!target)
    return unknown;
  if (target->isGPU())
    return "models cannot be run on target " + target->name.str() +
           " by this version; accepted is host";
  if (options.get("--device", "host") != "host")
    return "device '" + options.get("--device") +
           "' does not run code for target " + target->name.str() +
           "; accepted is host";
  if (!options.has("--output-dir") && !options.has("--time"))
    return "kz-tune run needs --output-dir DIR, where outputs go, or --time N";
  std::string folder = options.get("--output-dir");
  if (!folder.empty() && llvm::sys::fs::exists(folder) &&
      !llvm::sys::fs::is_directory(folder))
    return "cannot write outputs to '" + folder + "': it is no folder";
  if (options.has("--time"))
    return parseNumber("--time", options.get("--time"), 1, 1000000, count);
  return "";
}

static int runModel(const ParsedOptions &given) {
  ParsedOptions options = given;
  int64_t count = 0;
  const Target *target = nullptr;
  std::string error = checkFlags(options, target, count);
  if (!error.empty())
    return reportError(error);
  std::string path = options.positional.front();
  std::vector<NamedFile> outputs = {{"option '--json'", options.get("--json")}};
  std::vector<NamedFile> read;
  if (options.has("--store"))
    read = getStoreFiles(options.get("--store"));
  read.push_back({"the model", path});
  GivenInputs inputs;
  error = readInputs(options, inputs, read);
  if (error.empty())
    error = checkOutputs(outputs, read);
  if (!error.empty())
    return reportError(error);
  if (llvm::sys::path::extension(path) != ".mlir")
    if (error = bindDims(path, inputs, options); !error.empty())
      return reportError(error);

  std::unique_ptr<MLIRContext> context = makeContext();
  Loaded loaded; // Dies before the context.
  loaded.target = target;
  loaded.given = std::move(inputs);
  RunnerOptions runnerOptions;
  runnerOptions.target = target;
  if (options.has("--store")) {
    loaded.library =
        WinnerLibrary::load(context.get(), options.get("--store"), error);
    if (!loaded.library)
      return reportTrouble(error);
    runnerOptions.library = loaded.library.get();
  }
  loaded.module = loadModel(*context, path, options, error);
  if (!loaded.module)
    return reportError(error);
  if (failed(extractTasks(*loaded.module)))
    return reportError("the tasks of '" + path + "' cannot be extracted");
  loaded.executor = makeHostExecutor();
  loaded.runner = ModelRunner::create(*loaded.module, *loaded.executor,
                                      runnerOptions, error);
  if (!loaded.runner)
    return reportError("'" + path + "' cannot be run: " + error);
  ModelRunner &runner = *loaded.runner;
  if (error = setInputs(options, loaded); !error.empty())
    return reportError(error);

  std::vector<std::string> files = getFileNames(runner.getPlan());
  std::string folder = options.get("--output-dir");
  if (!folder.empty())
    for (auto [output, file] : llvm::zip_equal(runner.getPlan().outputs, files))
      outputs.push_back({"output '" + output.name + "'", folder + "/" + file});
  if (error = checkOutputs(outputs, read); !error.empty())
    return reportError(error);
  for (const RunnableTask &task : runner.getTasks())
    if (!task.leftOut.empty())
      llvm::errs() << "kz-tune: note: " << task.name << ": "
                   << StringRef(task.leftOut).split('\n').first << "\n";

  if (ExecutorError failure = runner.run())
    return reportTrouble(*failure);
  if (!folder.empty())
    if (error = writeOutputs(runner, folder, files); !error.empty())
      return reportTrouble(error);
  RunTimes times;
  if (count)
    if (ExecutorError failure = timeRuns(runner, count, times))
      return reportTrouble(*failure);

  std::string json = options.get("--json");
  std::string document =
      json.empty() ? "" : makeDocument(path, loaded, options, files, times);
  if (!json.empty())
    if (error = writeDocument(json, document); !error.empty())
      return reportTrouble(error);
  int64_t sources[3] = {};
  for (const RunnableTask &task : runner.getTasks())
    ++sources[static_cast<int>(task.source)];
  llvm::raw_ostream &os = json == "-" ? llvm::errs() : llvm::outs();
  if (json != "-") {
    if (!folder.empty())
      for (auto [output, file] :
           llvm::zip_equal(runner.getPlan().outputs, files))
        os << output.name << ": " << toText(output.value.type) << ", " << folder
           << "/" << file << "\n";
    if (count)
      os << formatTimes(runner, times);
  }
  os << llvm::formatv("ran: outputs={0} tasks={1} winners={2} skeletons={3} "
                      "plain={4} peak-bytes={5}\n",
                      runner.getPlan().outputs.size(), runner.getTasks().size(),
                      sources[0], sources[1], sources[2],
                      runner.getPeakBytes());
  return kExitDone;
}

Command kernelzero::getRunCommand() {
  return {
      {"run",
       "kz-tune run MODEL --target T --output-dir DIR [options]",
       "Runs the whole of MODEL (.onnx, or .mlir of level L0) on inputs from "
       ".npy files and\nwrites DIR/NAME.npy for every output. Each task runs "
       "by "
       "its winner in the store, else\nby its skeleton, else in plain loops.",
       "MODEL",
       {{"--target", "T", "hardware to run on: host"},
        {"--device", "D", "where it runs: host (default)"},
        {"--input", "NAME=FILE",
         "an input of the model as .npy; may be repeated"},
        {"--random", "SEED",
         "draw the inputs that are not given: normal(0, 1), integers 0 to 15"},
        {"--output-dir", "DIR",
         "where outputs go; may be left out with --time"},
        {"--store", "DIR", "schedules to use (default: skeletons alone)"},
        {"--dim", "NAME=VALUE",
         "binds a dynamic dimension that no input binds; may be repeated"},
        {"--time", "N", "run N times more and say where the time goes"},
        {"--json", "FILE", "write the result as JSON; - is standard output"},
        {"--help", "", "print this"}},
       "  kz-tune run model.onnx --target host --input ids=ids.npy "
       "--output-dir "
       "out\n"
       "  kz-tune run examples/mlp.onnx --target host --random 0 --time 20\n",
       "Sizes of dynamic dimensions come from the inputs. In file names of "
       "outputs, what is\nneither a letter, a digit nor one of . _ - becomes "
       "_.\n\n"
       "last line:\n"
       "  ran: outputs=N tasks=N winners=N skeletons=N plain=N peak-bytes=N\n\n"
       "exit codes:\n"
       "  0    the model ran and its outputs are written\n"
       "  1    bad usage or input\n"
       "  4    trouble while it ran, or with writing\n"},
      runModel};
}
