//===- gpu_report.cpp - times and checks of one GPU case ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "gpu_report.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace kernelzero;
using namespace kernelzero::bench;
using nlohmann::json;

double Distribution::quantile(double q) const {
  if (samples.empty())
    return NAN;
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  double at = q * double(sorted.size() - 1);
  size_t low = size_t(at), high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - double(low));
}

double Distribution::spread() const {
  return (quantile(0.75) - quantile(0.25)) / median();
}

double Report::ratio() const { return theirs.median() / ours.median(); }

static std::string caseName(const Report &report) {
  if (!report.plan)
    return report.file;
  const GpuCase &plan = *report.plan;
  std::string name = plan.op;
  if (plan.isGemm()) {
    name += plan.transposeB ? " nt" : " nn";
    if (plan.inputs.size() == 3)
      name += "+bias";
    if (plan.epilogue != "none")
      name += "+" + plan.epilogue;
    name += " ";
    if (plan.batch != 1)
      name += std::to_string(plan.batch) + "x";
    name += std::to_string(plan.m) + "x" + std::to_string(plan.n) + "x" +
            std::to_string(plan.k);
  } else {
    name += " " + std::to_string(plan.m) + "x" + std::to_string(plan.n);
  }
  return name + " " + elementName(plan.inputs[0].element);
}

std::string bench::tableHead() {
  char line[256];
  std::snprintf(line, sizeof line, "%-44s %10s %6s %9s %10s %6s %7s  %s",
                "case", "ours us", "+-%", "rate", "peer us", "+-%", "ratio",
                "check");
  return line;
}

std::string bench::tableLine(const Report &report) {
  char line[512], rate[32] = "", peer[64] = "";
  double us = report.ours.median();
  if (report.plan && report.plan->isGemm())
    std::snprintf(rate, sizeof rate, "%.0f TF",
                  report.plan->flops() / us / 1e6);
  else if (report.plan)
    std::snprintf(rate, sizeof rate, "%.0f GB/s",
                  report.plan->bytes() / us / 1e3);
  if (!report.peer.empty())
    std::snprintf(peer, sizeof peer, "%10.2f %6.2f %7.3f",
                  report.theirs.median(), 100 * report.theirs.spread(),
                  report.ratio());
  std::string check =
      !report.comparison ? "not checked" : report.comparison->text();
  for (const std::string &fault : report.faults)
    check += "; " + fault;
  std::snprintf(line, sizeof line, "%-44s %10.2f %6.2f %9s %25s  %s",
                caseName(report).c_str(), us, 100 * report.ours.spread(), rate,
                peer, check.c_str());
  return line;
}

std::string bench::toJSON(const Report &report) {
  auto distribution = [](const Distribution &d) {
    return json{{"median_us", d.median()},
                {"quartiles_us", {d.quantile(0.25), d.quantile(0.75)}},
                {"samples_us", d.samples}};
  };
  json document = {{"version", 1},
                   {"case", caseName(report)},
                   {"file", report.file},
                   {"device", report.device},
                   {"target", report.target},
                   {"passed", report.passed()},
                   {"faults", report.faults},
                   {"ours", distribution(report.ours)},
                   {"load_ms", report.loadMilliseconds}};
  for (const auto &[name, ms] : report.compileSteps)
    document["compile_ms"].push_back({{"step", name}, {"ms", ms}});
  for (const LoadedKernel &kernel : report.kernels)
    document["kernels"].push_back({{"name", kernel.name},
                                   {"registers", kernel.registers},
                                   {"local_bytes", kernel.localBytes}});
  if (report.plan) {
    document["flops"] = report.plan->flops();
    document["bytes"] = report.plan->bytes();
  }
  if (report.comparison) {
    const Comparison &c = *report.comparison;
    document["check"] = {{"elements", c.elements},
                         {"wrong", c.wrong},
                         {"relative_error", c.frobenius},
                         {"worst_of_tolerance", c.worst},
                         {"reference", report.reference}};
  }
  if (!report.peer.empty()) {
    document["peer"] = distribution(report.theirs);
    document["peer"]["name"] = report.peer;
    document["ratio"] = report.ratio();
  }
  return document.dump(2);
}
