//===- gpu_peers.cpp - what our kernels are measured against --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "gpu_peers.h"
#include <cmath>
#include <random>

using namespace kernelzero;
using namespace kernelzero::bench;

Product bench::getProduct(const GpuCase &plan) {
  Product product;
  product.batch = plan.batch;
  product.m = plan.m;
  product.n = plan.n;
  product.k = plan.k;
  product.transposeB = plan.transposeB;
  product.input = plan.inputs[0].element;
  product.output = plan.output.element;
  return product;
}

/// Uploads a buffer as doubles.
static DeviceError uploadF64(Device &device, const HostBuffer &buffer,
                             DeviceAddress &address) {
  int64_t count = buffer.type.elements();
  std::vector<double> wide(count);
  parallelFor(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      wide[i] = buffer.at(i);
  });
  if (DeviceError error = device.allocate(count * 8, address))
    return error;
  return device.upload(address, wide.data(), count * 8);
}

DeviceError bench::referenceProduct(const GpuCase &plan,
                                    const std::vector<HostBuffer> &inputs,
                                    Device &device, Cublas *cublas,
                                    std::vector<double> &reference,
                                    std::string &note) {
  int64_t rows = plan.batch * plan.m;
  reference.assign(rows * plan.n, NAN);
  if (!cublas) {
    if (plan.flops() > 1e11)
      return std::string("a product of this size needs cuBLAS as reference");
    parallelFor(rows, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        for (int64_t j = 0; j < plan.n; ++j)
          reference[row * plan.n + j] =
              dotProduct(plan, inputs, row / plan.m, row % plan.m, j);
    });
    note = "f64 on the host";
  } else {
    DeviceAddress a = 0, b = 0, c = 0;
    DeviceError error = uploadF64(device, inputs[0], a);
    if (!error)
      error = uploadF64(device, inputs[1], b);
    if (!error)
      error = device.allocate(reference.size() * 8, c);
    Product product = getProduct(plan);
    product.input = product.output = ElementType::f64;
    if (!error)
      error = cublas->multiply(product, a, b, c);
    if (!error)
      error = device.synchronize();
    if (!error)
      error = device.download(reference.data(), c, reference.size() * 8);
    for (DeviceAddress address : {a, b, c})
      if (address)
        device.release(address);
    if (error)
      return error;
    // Two references that differ prove nothing: then the check is refused.
    const int samples = 512;
    std::mt19937_64 random(plan.m * 31 + plan.n);
    std::vector<int64_t> places(samples);
    for (int64_t &place : places)
      place = int64_t(random() % reference.size());
    std::vector<double> off(samples);
    parallelFor(samples, [&](int64_t begin, int64_t end) {
      for (int64_t s = begin; s < end; ++s) {
        int64_t row = places[s] / plan.n;
        off[s] = std::fabs(dotProduct(plan, inputs, row / plan.m, row % plan.m,
                                      places[s] % plan.n) -
                           reference[places[s]]);
      }
    });
    for (double distance : off)
      if (!(distance < 1e-9 * double(plan.k)))
        return std::string("the references disagree: cuBLAS in f64 and the "
                           "host differ by ") +
               std::to_string(distance);
    note = "cuBLAS f64, 512 places against the host";
  }
  finishProduct(plan, inputs, reference);
  return std::nullopt;
}
