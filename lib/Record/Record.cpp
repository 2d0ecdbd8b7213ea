//===- Record.cpp - records as JSON ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Record/Record.h"
#include "KernelZero/Record/Protocol.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

using nlohmann::json;
using nlohmann::ordered_json;

namespace kernelzero {

static constexpr std::pair<Verdict, const char *> kWords[] = {
    {Verdict::Faster, "faster"},
    {Verdict::Slower, "slower"},
    {Verdict::Same, "same"},
    {Verdict::Ambiguous, "ambiguous"},
    {Verdict::Modelled, "modelled"},
    {Verdict::Rejected, "rejected"},
    {Verdict::Inapplicable, "inapplicable"},
    {Verdict::Uncompilable, "uncompilable"},
    {Verdict::Wrong, "wrong"},
    {Verdict::Crashed, "crashed"},
    {Verdict::TimedOut, "timed-out"},
    {Verdict::Untried, "untried"},
};

const char *getWord(Verdict verdict) {
  for (auto [value, word] : kWords)
    if (value == verdict)
      return word;
  return "rejected";
}

bool parseVerdict(const std::string &text, Verdict &verdict) {
  for (auto [value, word] : kWords)
    if (text == word) {
      verdict = value;
      return true;
    }
  return false;
}

std::string listVerdicts() {
  std::string text;
  for (auto [value, word] : kWords)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool isCorrect(Verdict verdict) {
  return verdict == Verdict::Faster || verdict == Verdict::Slower ||
         verdict == Verdict::Same || verdict == Verdict::Ambiguous ||
         verdict == Verdict::Modelled;
}

template <typename Json> static void to_json(Json &j, const Verdict &verdict) {
  j = getWord(verdict);
}
template <typename Json>
static void from_json(const Json &j, Verdict &verdict) {
  std::string word = j.template get<std::string>();
  if (!parseVerdict(word, verdict))
    throw std::runtime_error("'" + word + "' is not a verdict");
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TaskInfo, key, name, opClass,
                                                weight, flops, matmulFlops,
                                                bytes, element, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Clocks, before, after, highest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Evidence, ranOn, toolchain,
                                                distribution, date, code,
                                                clocks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Resources, threads, blocks,
                                                registers, spillBytes,
                                                sharedBytes, workspaceBytes,
                                                kernels, occupancy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Peer, name, seconds, ratio)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Tier, number, state, note)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    Record, taskKey, taskName, target, device, id, schedule, origin, knobs,
    verdict, failedTier, sentences, largestError, errorRatio, compared,
    elements, baselineSamples, samples, baselineSeconds, seconds, speedup,
    speedupLow, speedupHigh, noise, applySeconds, compileSeconds, judgeSeconds,
    rooflineSeconds, modelSeconds, resources, tiers, peers, judgedOn, evidence)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Candidate, id, schedule, origin,
                                                knobs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    WorkerRequest, protocol, type, task, target, device, seed, candidates,
    baseline, noise, rounds, budgetSeconds, limitSeconds, jobs, lastTier, peers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(WorkerReply, protocol, type,
                                                device, toolchain, error,
                                                seconds, record)

/// Text that is not UTF-8 (a diagnostic that quotes a name) is replaced, never
/// a reason to lose a record.
template <typename Json>
static std::string dump(const Json &j, int indent = -1) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string toJson(const Record &record) {
  json j = record;
  j["schema"] = kSchemaVersion;
  return dump(j);
}

bool fromJson(const std::string &text, Record &record, std::string &error) {
  try {
    json j = json::parse(text);
    int version = j.value("schema", 0);
    if (version < 1 || version > kSchemaVersion) {
      error = "record has schema " + std::to_string(version) +
              "; accepted are 1 to " + std::to_string(kSchemaVersion);
      return false;
    }
    record = j.get<Record>();
    return true;
  } catch (const std::exception &problem) {
    error = std::string("not a record: ") + problem.what();
    return false;
  }
}

template <typename Message>
static bool parseLine(const std::string &line, Message &message,
                      std::string &error) {
  try {
    json j = json::parse(line);
    int protocol = j.value("protocol", 0);
    if (protocol != kProtocolVersion) {
      error = "protocol " + std::to_string(protocol) +
              " is not spoken; accepted is " + std::to_string(kProtocolVersion);
      return false;
    }
    message = j.get<Message>();
    return true;
  } catch (const std::exception &problem) {
    error = std::string("not a line of the worker protocol: ") + problem.what();
    return false;
  }
}

std::string toLine(const WorkerRequest &request) { return dump(json(request)); }
std::string toLine(const WorkerReply &reply) { return dump(json(reply)); }
bool fromLine(const std::string &line, WorkerRequest &request,
              std::string &error) {
  return parseLine(line, request, error);
}
bool fromLine(const std::string &line, WorkerReply &reply, std::string &error) {
  return parseLine(line, reply, error);
}

static ordered_json describe(const TaskInfo &task) {
  return {{"key", task.key},       {"name", task.name},
          {"class", task.opClass}, {"weight", task.weight},
          {"flops", task.flops},   {"bytes", task.bytes}};
}

std::string toJson(const std::vector<TaskInfo> &tasks, const std::string &model,
                   const std::vector<TaskBound> &bounds) {
  ordered_json j = {
      {"schema", kSchemaVersion}, {"kind", "tasks"}, {"model", model}};
  j["tasks"] = ordered_json::array();
  for (size_t i = 0; i < tasks.size(); ++i) {
    ordered_json task = describe(tasks[i]);
    if (i < bounds.size()) {
      task["roofline_seconds"] = bounds[i].seconds;
      task["roofline_limit"] = bounds[i].limit;
    }
    j["tasks"].push_back(std::move(task));
  }
  return dump(j, 2) + "\n";
}

std::string toJson(const Report &report) {
  ordered_json j = {{"schema", kSchemaVersion},
                    {"kind", "report"},
                    {"model", report.model},
                    {"target", report.target},
                    {"device", report.device},
                    {"seed", report.seed},
                    {"baseline_seconds", report.baselineSeconds},
                    {"best_seconds", report.bestSeconds},
                    {"seconds", report.seconds},
                    {"verdict", report.verdict},
                    {"exit_code", report.exitCode}};
  j["tasks"] = ordered_json::array();
  for (const TaskResult &result : report.tasks) {
    ordered_json task = describe(result.task);
    task["baseline_seconds"] = result.baselineSeconds;
    task["best_seconds"] = result.bestSeconds;
    task["speedup"] = result.speedup;
    task["speedup_low"] = result.speedupLow;
    task["speedup_high"] = result.speedupHigh;
    task["verdict"] = getWord(result.verdict);
    task["trials"] = result.trials;
    task["correct"] = result.correct;
    task["roofline_seconds"] = result.rooflineSeconds;
    task["peers"] = ordered_json::array();
    for (const Peer &peer : result.peers)
      task["peers"].push_back({{"name", peer.name},
                               {"seconds", peer.seconds},
                               {"ratio", peer.ratio}});
    task["winner"] = result.winner;
    task["message"] = result.message;
    j["tasks"].push_back(std::move(task));
  }
  return dump(j, 2) + "\n";
}

/// A field of a CSV line: in quotes where it needs them.
static std::string quote(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string toCsv(const Report &report) {
  std::ostringstream os;
  os << "task,key,class,weight,flops,bytes,baseline_seconds,best_seconds,"
        "speedup,speedup_low,speedup_high,verdict,trials,correct,"
        "roofline_seconds,peer,peer_ratio,winner,message\r\n";
  for (const TaskResult &result : report.tasks) {
    const TaskInfo &task = result.task;
    os << quote(task.name) << ',' << task.key << ',' << task.opClass << ','
       << task.weight << ',' << task.flops << ',' << task.bytes << ','
       << result.baselineSeconds << ',' << result.bestSeconds << ','
       << result.speedup << ',' << result.speedupLow << ','
       << result.speedupHigh << ',' << getWord(result.verdict) << ','
       << result.trials << ',' << result.correct << ','
       << result.rooflineSeconds << ',';
    if (result.peers.empty())
      os << ',';
    else
      os << quote(result.peers.front().name) << ','
         << result.peers.front().ratio;
    os << ',' << quote(result.winner) << ',' << quote(result.message) << "\r\n";
  }
  return os.str();
}

std::string toJson(const std::vector<Record> &records,
                   const std::string &store) {
  json j = {{"schema", kSchemaVersion}, {"kind", "records"}, {"store", store}};
  j["records"] = json::array();
  for (const Record &record : records) {
    json one = record;
    one["schema"] = kSchemaVersion;
    j["records"].push_back(one);
  }
  return dump(j, 2) + "\n";
}

std::string getDate() {
  std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string hashText(const std::string &text) {
  llvm::SHA256 hash;
  hash.update(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 16);
}

std::string writeFileAtomically(const std::string &path,
                                const std::string &text) {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::path target(path);
  // A link stays one: what it names is replaced.
  if (fs::is_symlink(target, code))
    if (fs::path real = fs::canonical(target, code); !code)
      target = real;
  // A pipe or a device is written, never replaced.
  fs::file_status status = fs::status(target, code);
  if (fs::exists(status) && !fs::is_regular_file(status) &&
      !fs::is_directory(status)) {
    errno = 0;
    std::ofstream out(target, std::ios::binary);
    out << text;
    out.flush();
    return out ? "" : "cannot write '" + path + "': " + std::strerror(errno);
  }
  if (target.has_parent_path()) {
    fs::create_directories(target.parent_path(), code);
    if (code)
      return "cannot make folder '" + target.parent_path().string() +
             "': " + code.message();
  }
  std::string temporary = target.string() + ".tmp" + std::to_string(getpid());
  {
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.flush();
    if (!out) {
      std::string reason = std::strerror(errno);
      fs::remove(temporary, code);
      return "cannot write '" + path + "': " + reason;
    }
  }
  fs::rename(temporary, target, code);
  if (code) {
    std::string reason = code.message();
    fs::remove(temporary, code);
    return "cannot write '" + path + "': " + reason;
  }
  return "";
}

} // namespace kernelzero
