//===- host_gemm.cpp - f32 contractions beside OpenBLAS -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// host-gemm [--schedule FILE] [--seconds S] [--processor-time] [--object FILE]
// CASE...
//   CASE: MxNxK, NxMxNxK with a batch in front; ":nt" behind it for a right
//   operand of N x K. Ours and OpenBLAS alternate in one process, one thread.
//   --processor-time counts this thread alone, for a machine that others use.
// Run by: env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE host-gemm ...
#include "host_bench.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

using namespace kernelzero;
using namespace kernelzero::bench;

namespace {
struct Case {
  int64_t batch = 0, m = 0, n = 0, k = 0;
  bool transposed = false;
};

using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int,
                       const float *, int, float, float *, int);
using Dgemm = void (*)(int, int, int, int, int, int, double, const double *,
                       int, const double *, int, double, double *, int);
} // namespace

static bool parseCase(const std::string &text, Case &c) {
  std::string sizes = text;
  size_t colon = sizes.find(':');
  if (colon != std::string::npos) {
    if (sizes.substr(colon) != ":nt")
      return false;
    c.transposed = true;
    sizes.resize(colon);
  }
  long long values[4];
  int used = 0;
  int count = std::sscanf(sizes.c_str(), "%lldx%lldx%lldx%lld%n", &values[0],
                          &values[1], &values[2], &values[3], &used);
  if (count == 4 && used == static_cast<int>(sizes.size())) {
    c.batch = values[0], c.m = values[1], c.n = values[2], c.k = values[3];
    return c.batch > 0 && c.m > 0 && c.n > 0 && c.k > 0;
  }
  if (std::sscanf(sizes.c_str(), "%lldx%lldx%lld%n", &values[0], &values[1],
                  &values[2], &used) != 3 ||
      used != static_cast<int>(sizes.size()))
    return false;
  c.m = values[0], c.n = values[1], c.k = values[2];
  return c.m > 0 && c.n > 0 && c.k > 0;
}

static std::string writeTask(const Case &c) {
  auto tensor = [&](int64_t rows, int64_t columns) {
    std::string text = "tensor<";
    if (c.batch)
      text += std::to_string(c.batch) + "x";
    return text + std::to_string(rows) + "x" + std::to_string(columns) +
           "xf32>";
  };
  std::string a = tensor(c.m, c.k),
              b = c.transposed ? tensor(c.n, c.k) : tensor(c.k, c.n),
              r = tensor(c.m, c.n);
  std::string lead = c.batch ? "b, " : "";
  auto map = [&](const std::string &what) {
    return "affine_map<(" + lead + "i, j, k) -> (" + lead + what + ")>";
  };
  std::string maps = "indexing_maps = [" + map("i, k") + ", " +
                     map(c.transposed ? "j, k" : "k, j") + ", " + map("i, j") +
                     "]";
  return "func.func @task(%a: " + a + ", %b: " + b + ") -> " + r +
         " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + r +
         "\n  %f = linalg.fill ins(%z : f32) outs(%e : " + r + ") -> " + r +
         "\n  %c = linalg." + (c.batch ? "batch_matmul " : "matmul ") + maps +
         " ins(%a, %b : " + a + ", " + b + ") outs(%f : " + r + ") -> " + r +
         "\n  return %c : " + r + "\n}\n";
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
    cases = {"1024x1024x1024",  "512x3072x768",      "128x768x3072",
             "1000x1000x1000",  "1024x1024x1024:nt", "512x3072x768:nt",
             "128x768x3072:nt", "1000x1000x1000:nt", "1021x1021x1021",
             "12x128x64x128",   "12x128x128x64:nt"};
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "OpenBLAS is not here: %s\n", dlerror());
    return 4;
  }
  auto sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
  auto dgemm = reinterpret_cast<Dgemm>(dlsym(library, "cblas_dgemm"));
  auto setThreads = reinterpret_cast<void (*)(int)>(
      dlsym(library, "openblas_set_num_threads"));
  auto coreName =
      reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_corename"));
  setThreads(1);
  std::printf("peer: OpenBLAS, kernel %s, one thread; ratio = peer / ours\n",
              coreName());

  int status = 0;
  for (const std::string &text : cases) {
    Case c;
    if (!parseCase(text, c)) {
      std::fprintf(
          stderr,
          "'%s' is no case; accepted are MxNxK and BxMxNxK, with :nt behind\n",
          text.c_str());
      return 1;
    }
    // Few rows: B is better packed where it is used than all of it in front.
    bool deep = !c.batch && c.m <= 256 && c.n >= 512 && c.k >= 512;
    std::string file = schedule;
    if (file.empty())
      file = std::string(KERNELZERO_SCHEDULES) + (c.batch ? "/batch_matmul.mlir"
                                                  : deep  ? "/matmul_deep.mlir"
                                                          : "/matmul.mlir");
    Latency latency;
    std::unique_ptr<HostKernel> kernel =
        build(writeTask(c), file, options, latency);
    if (!kernel) {
      std::fprintf(stderr, "%s: the schedule does not fit\n", text.c_str());
      status = 1;
      continue;
    }
    int64_t batch = std::max<int64_t>(c.batch, 1);
    Floats a(batch * c.m * c.k, 1), b(batch * c.k * c.n, 2),
        ours(batch * c.m * c.n, 3), theirs(batch * c.m * c.n, 4);
    std::memset(ours.data(), 0xff, ours.size() * 4);
    auto peer = [&] {
      for (int64_t index = 0; index < batch; ++index)
        sgemm(101, 111, c.transposed ? 112 : 111, c.m, c.n, c.k, 1,
              a.data() + index * c.m * c.k, c.k, b.data() + index * c.k * c.n,
              c.transposed ? c.k : c.n, 0, theirs.data() + index * c.m * c.n,
              c.n);
    };
    auto run = [&] { kernel->run({a.data(), b.data(), ours.data()}); };
    run();
    // The whole result in double.
    double error = 0;
    {
      std::vector<double> wideA(a.data(), a.data() + a.size()),
          wideB(b.data(), b.data() + b.size()), reference(ours.size());
      for (int64_t index = 0; index < batch; ++index)
        dgemm(101, 111, c.transposed ? 112 : 111, c.m, c.n, c.k, 1,
              wideA.data() + index * c.m * c.k, c.k,
              wideB.data() + index * c.k * c.n, c.transposed ? c.k : c.n, 0,
              reference.data() + index * c.m * c.n, c.n);
      error = largestError(ours.data(), reference);
    }
    if (!(error < 1e-4)) {
      std::fprintf(stderr, "%s: wrong result, error %g\n", text.c_str(), error);
      status = 1;
    }
    double flops = 2.0 * batch * c.m * c.n * c.k;
    double bytes = 4.0 * (a.size() + b.size() + ours.size());
    printRow(text + (schedule.empty() && deep ? " (deep)" : ""), flops, bytes,
             error, interleave(run, peer, seconds, processorTime), latency);
  }
  return status;
}
