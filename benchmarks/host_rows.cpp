//===- host_rows.cpp - row kernels beside loops of g++ --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// host-rows [--schedule FILE] [--seconds S] [--processor-time] [--object FILE]
// [CASE...]
//   CASE: softmax:RxC, layer_norm:RxC, rms_norm:RxC, bias_gelu:RxC. Ours and
//   the loop of host_loops.cpp alternate in one process, one thread.
#include "host_bench.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

using namespace kernelzero;
using namespace kernelzero::bench;

namespace {
/// Writes the generics of one task; rows are dimension i, columns j.
class TaskWriter {
public:
  TaskWriter(int64_t rows, int64_t columns)
      : full("tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
             "xf32>"),
        row("tensor<" + std::to_string(rows) + "xf32>"),
        column("tensor<" + std::to_string(columns) + "xf32>") {}

  /// A sum over columns or an elementwise operation; an operand is a name and
  /// 'f' (full), 'r' (one a row) or 'c' (one a column).
  void generic(const std::string &result, bool reduces,
               std::vector<std::pair<std::string, char>> inputs,
               const std::string &init, const std::string &body) {
    auto map = [](char kind) {
      return std::string("affine_map<(i, j) -> (") +
             (kind == 'f'   ? "i, j"
              : kind == 'r' ? "i"
                            : "j") +
             ")>";
    };
    std::string maps, names, types, arguments;
    for (auto [index, input] : enumerate(inputs)) {
      maps += map(input.second) + ", ";
      names += (index ? ", " : "") + input.first;
      types += (index ? ", " : "") + type(input.second);
      arguments += "%x" + std::to_string(index) + ": f32, ";
    }
    char out = reduces ? 'r' : 'f';
    text += "  " + result + " = linalg.generic {indexing_maps = [" + maps +
            map(out) + "], iterator_types = [\"parallel\", " +
            (reduces ? "\"reduction\"" : "\"parallel\"") + "]} ins(" + names +
            " : " + types + ") outs(" + init + " : " + type(out) +
            ") {\n  ^bb0(" + arguments + "%o: f32):\n" + body +
            "    linalg.yield %y : f32\n  } -> " + type(out) + "\n";
  }
  std::string type(char kind) const {
    return kind == 'f' ? full : kind == 'r' ? row : column;
  }
  std::string text;

private:
  static std::vector<std::pair<size_t, std::pair<std::string, char>>>
  enumerate(const std::vector<std::pair<std::string, char>> &list) {
    std::vector<std::pair<size_t, std::pair<std::string, char>>> result;
    for (size_t index = 0; index < list.size(); ++index)
      result.push_back({index, list[index]});
    return result;
  }
  std::string full, row, column;
};

struct Kind {
  const char *name, *schedule, *loop;
  unsigned perColumn;
};
} // namespace

static const Kind kinds[] = {{"softmax", "softmax", "loop_softmax", 0},
                             {"layer_norm", "layer_norm", "loop_layer_norm", 2},
                             {"rms_norm", "rms_norm", "loop_rms_norm", 1},
                             {"bias_gelu", "elementwise", "loop_bias_gelu", 1}};

static std::string writeTask(const std::string &kind, int64_t rows,
                             int64_t columns) {
  TaskWriter w(rows, columns);
  std::string full = w.type('f'), row = w.type('r'), column = w.type('c');
  char inverse[64];
  std::snprintf(inverse, sizeof inverse, "%.17e", 1.0 / columns);
  std::string head = "func.func @task(%x: " + full;
  if (kind != "softmax")
    head += ", %g: " + column;
  if (kind == "layer_norm")
    head += ", %b: " + column;
  head += ") -> " + full + " {\n";
  w.text =
      "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n"
      "  %half = arith.constant 0.5 : f32\n  %lowest = arith.constant "
      "0xFF800000 : f32\n"
      "  %n = arith.constant " +
      std::string(inverse) +
      " : f32\n  %eps = arith.constant 1.0e-5 : f32\n  %q = arith.constant "
      "0.70710678 : f32\n"
      "  %e2 = tensor.empty() : " +
      full + "\n  %e1 = tensor.empty() : " + row +
      "\n  %f0 = linalg.fill ins(%zero : f32) outs(%e1 : " + row + ") -> " +
      row + "\n";
  if (kind == "softmax") {
    w.text += "  %fm = linalg.fill ins(%lowest : f32) outs(%e1 : " + row +
              ") -> " + row + "\n";
    w.generic("%m", true, {{"%x", 'f'}}, "%fm",
              "    %y = arith.maximumf %x0, %o : f32\n");
    w.generic(
        "%p", false, {{"%x", 'f'}, {"%m", 'r'}}, "%e2",
        "    %d = arith.subf %x0, %x1 : f32\n    %y = math.exp %d : f32\n");
    w.generic("%s", true, {{"%p", 'f'}}, "%f0",
              "    %y = arith.addf %x0, %o : f32\n");
    w.generic("%r", false, {{"%p", 'f'}, {"%s", 'r'}}, "%e2",
              "    %y = arith.divf %x0, %x1 : f32\n");
  } else if (kind == "layer_norm") {
    w.generic("%s", true, {{"%x", 'f'}}, "%f0",
              "    %y = arith.addf %x0, %o : f32\n");
    w.generic(
        "%v", true, {{"%x", 'f'}, {"%s", 'r'}}, "%f0",
        "    %m = arith.mulf %x1, %n : f32\n    %d = arith.subf %x0, %m : f32\n"
        "    %t = arith.mulf %d, %d : f32\n    %y = arith.addf %t, %o : f32\n");
    w.generic(
        "%r", false,
        {{"%x", 'f'}, {"%s", 'r'}, {"%v", 'r'}, {"%g", 'c'}, {"%b", 'c'}},
        "%e2",
        "    %m = arith.mulf %x1, %n : f32\n    %a = arith.mulf %x2, %n : f32\n"
        "    %c = arith.addf %a, %eps : f32\n    %k = math.sqrt %c : f32\n"
        "    %i = arith.divf %one, %k : f32\n    %d = arith.subf %x0, %m : "
        "f32\n"
        "    %t = arith.mulf %d, %i : f32\n    %u = arith.mulf %t, %x3 : f32\n"
        "    %y = arith.addf %u, %x4 : f32\n");
  } else if (kind == "rms_norm") {
    w.generic("%s", true, {{"%x", 'f'}}, "%f0",
              "    %t = arith.mulf %x0, %x0 : f32\n    %y = arith.addf %t, %o "
              ": f32\n");
    w.generic(
        "%r", false, {{"%x", 'f'}, {"%s", 'r'}, {"%g", 'c'}}, "%e2",
        "    %a = arith.mulf %x1, %n : f32\n    %c = arith.addf %a, %eps : "
        "f32\n"
        "    %k = math.sqrt %c : f32\n    %i = arith.divf %one, %k : f32\n"
        "    %t = arith.mulf %x0, %i : f32\n    %y = arith.mulf %t, %x2 : "
        "f32\n");
  } else {
    w.generic(
        "%r", false, {{"%x", 'f'}, {"%g", 'c'}}, "%e2",
        "    %v = arith.addf %x0, %x1 : f32\n    %t = arith.mulf %v, %q : f32\n"
        "    %e = math.erf %t : f32\n    %u = arith.addf %e, %one : f32\n"
        "    %h = arith.mulf %v, %half : f32\n    %y = arith.mulf %h, %u : "
        "f32\n");
  }
  return head + w.text + "  return %r : " + full + "\n}\n";
}

static std::vector<double> computeReference(const std::string &kind,
                                            const Floats &x, const Floats &g,
                                            const Floats &b, int64_t rows,
                                            int64_t columns) {
  std::vector<double> result(rows * columns);
  for (int64_t r = 0; r < rows; ++r) {
    const float *in = x.data() + r * columns;
    double *out = result.data() + r * columns;
    double most = -INFINITY, sum = 0, squares = 0, all = 0;
    for (int64_t i = 0; i < columns; ++i) {
      most = std::max<double>(most, in[i]);
      sum += in[i];
      all += double(in[i]) * in[i];
    }
    double mean = sum / columns, total = 0;
    for (int64_t i = 0; i < columns; ++i) {
      squares += (in[i] - mean) * (in[i] - mean);
      total += std::exp(in[i] - most);
    }
    for (int64_t i = 0; i < columns; ++i) {
      double v = double(in[i]) + g.data()[i];
      out[i] = kind == "softmax" ? std::exp(in[i] - most) / total
               : kind == "layer_norm"
                   ? (in[i] - mean) / std::sqrt(squares / columns + 1e-5) *
                             g.data()[i] +
                         b.data()[i]
               : kind == "rms_norm"
                   ? in[i] / std::sqrt(all / columns + 1e-5) * g.data()[i]
                   : 0.5 * v * (1 + std::erf(v * 0.7071067811865476));
    }
  }
  return result;
}

int main(int argc, char **argv) {
  std::string schedule;
  double seconds = 3;
  bool processorTime = false;
  HostOptions options;
  std::vector<std::string> cases;
  for (int index = 1; index < argc; ++index) {
    std::string argument = argv[index];
    auto next = [&]() -> std::string {
      return index + 1 < argc ? argv[++index] : "";
    };
    if (argument == "--schedule")
      schedule = next();
    else if (argument == "--seconds")
      seconds = std::atof(next().c_str());
    else if (argument == "--processor-time")
      processorTime = true;
    else if (argument == "--object")
      options.objectFile = next();
    else
      cases.push_back(argument);
  }
  if (cases.empty())
    cases = {"softmax:4096x1024",  "layer_norm:4096x1024",
             "rms_norm:4096x1024", "bias_gelu:4096x1024",
             "softmax:512x512",    "layer_norm:256x768"};
  void *library = dlopen(KERNELZERO_HOST_LOOPS, RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "the loops of g++ are not here: %s\n", dlerror());
    return 4;
  }
  std::printf("peer: g++ -O3 -march=native -ffast-math; ratio = peer / ours\n");
  int status = 0;
  for (const std::string &text : cases) {
    const Kind *kind = nullptr;
    long long rows = 0, columns = 0;
    for (const Kind &known : kinds)
      if (text.rfind(std::string(known.name) + ":", 0) == 0 &&
          std::sscanf(text.c_str() + std::strlen(known.name) + 1, "%lldx%lld",
                      &rows, &columns) == 2)
        kind = &known;
    if (!kind || rows < 1 || columns < 1) {
      std::fprintf(stderr,
                   "'%s' is no case; accepted are softmax, layer_norm, "
                   "rms_norm, bias_gelu, "
                   "each with :RxC behind\n",
                   text.c_str());
      return 1;
    }
    Latency latency;
    std::string file = schedule.empty() ? std::string(KERNELZERO_SCHEDULES) +
                                              "/" + kind->schedule + ".mlir"
                                        : schedule;
    std::unique_ptr<HostKernel> kernel =
        build(writeTask(kind->name, rows, columns), file, options, latency);
    if (!kernel) {
      std::fprintf(stderr, "%s: the schedule does not fit\n", text.c_str());
      status = 1;
      continue;
    }
    Floats x(rows * columns, 1), g(columns, 2), b(columns, 3),
        ours(rows * columns, 4), theirs(rows * columns, 5);
    std::vector<void *> arguments = {x.data()};
    if (kind->perColumn > 0)
      arguments.push_back(g.data());
    if (kind->perColumn > 1)
      arguments.push_back(b.data());
    arguments.push_back(ours.data());
    void *loop = dlsym(library, kind->loop);
    auto peer = [&] {
      if (kind->perColumn == 0)
        reinterpret_cast<void (*)(float *, float *, int64_t, int64_t)>(loop)(
            x.data(), theirs.data(), rows, columns);
      else if (kind->perColumn == 1)
        reinterpret_cast<void (*)(float *, float *, float *, int64_t, int64_t)>(
            loop)(x.data(), g.data(), theirs.data(), rows, columns);
      else
        reinterpret_cast<void (*)(float *, float *, float *, float *, int64_t,
                                  int64_t)>(loop)(x.data(), g.data(), b.data(),
                                                  theirs.data(), rows, columns);
    };
    auto run = [&] { kernel->run(arguments); };
    std::memset(ours.data(), 0xff, ours.size() * 4);
    run();
    double error = largestError(
        ours.data(), computeReference(kind->name, x, g, b, rows, columns));
    if (!(error < 1e-5)) {
      std::fprintf(stderr, "%s: wrong result, error %g\n", text.c_str(), error);
      status = 1;
    }
    printRow(text, rows * columns, 8.0 * rows * columns, error,
             interleave(run, peer, seconds, processorTime), latency);
  }
  return status;
}
