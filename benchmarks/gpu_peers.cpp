//===- gpu_peers.cpp - what our kernels are measured against --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "gpu_peers.h"
#include <cmath>
#include <dlfcn.h>
#include <random>

using namespace kernelzero;
using namespace kernelzero::bench;

// Numbers of cuBLAS's binary interface.
enum : int {
  operationN = 0,
  operationT = 1,
  typeF32 = 0,
  typeF64 = 1,
  typeF16 = 2,
  typeBF16 = 14,
  computeF32 = 68,
  computeF64 = 70,
  algorithmDefault = -1,
};

Cublas::~Cublas() {
  if (handle)
    destroy(handle);
}

std::unique_ptr<Cublas> Cublas::load(std::string &error) {
  const char *names[] = {"libcublas.so.13", "libcublas.so.12"};
  void *library = nullptr;
  for (const char *name : names)
    if (!library)
      library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    error = "no cuBLAS: libcublas.so.13 and libcublas.so.12 could not be "
            "loaded; LD_LIBRARY_PATH may name their folder";
    return nullptr;
  }
  std::unique_ptr<Cublas> result(new Cublas);
  bool complete = true;
  auto find = [&](auto &pointer, const char *name) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
        dlsym(library, name));
    complete &= pointer != nullptr;
  };
  find(result->create, "cublasCreate_v2");
  find(result->destroy, "cublasDestroy_v2");
  find(result->gemm, "cublasGemmEx");
  find(result->gemmBatched, "cublasGemmStridedBatchedEx");
  if (!complete) {
    error = "cuBLAS lacks a function that is needed";
    return nullptr;
  }
  if (int status = result->create(&result->handle)) {
    result->handle = nullptr;
    error = "cuBLAS could not be started: status " + std::to_string(status);
    return nullptr;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(result->gemm), &info) && info.dli_fname)
    result->where = info.dli_fname;
  return result;
}

DeviceError Cublas::call(const GpuCase &plan, DeviceAddress a, DeviceAddress b,
                         DeviceAddress c, int inputType, int outputType,
                         int compute) {
  // cuBLAS is column-major: it computes the transpose, B^T * A^T.
  double one64 = 1, zero64 = 0;
  float one32 = 1, zero32 = 0;
  const void *one = compute == computeF64 ? (void *)&one64 : (void *)&one32;
  const void *zero = compute == computeF64 ? (void *)&zero64 : (void *)&zero32;
  int m = int(plan.m), n = int(plan.n), k = int(plan.k);
  int operationB = plan.transposeB ? operationT : operationN;
  int pitchB = plan.transposeB ? k : n;
  const void *pa = reinterpret_cast<void *>(a);
  const void *pb = reinterpret_cast<void *>(b);
  void *pc = reinterpret_cast<void *>(c);
  int status =
      plan.batch == 1
          ? gemm(handle, operationB, operationN, n, m, k, one, pb, inputType,
                 pitchB, pa, inputType, k, zero, pc, outputType, n, compute,
                 algorithmDefault)
          : gemmBatched(handle, operationB, operationN, n, m, k, one, pb,
                        inputType, pitchB, (long long)plan.k * plan.n, pa,
                        inputType, k, (long long)plan.m * plan.k, zero, pc,
                        outputType, n, (long long)plan.m * plan.n,
                        int(plan.batch), compute, algorithmDefault);
  if (status)
    return "cuBLAS refused the product: status " + std::to_string(status);
  return std::nullopt;
}

static int cublasType(ElementType type) {
  switch (type) {
  case ElementType::f16:
    return typeF16;
  case ElementType::bf16:
    return typeBF16;
  case ElementType::f64:
    return typeF64;
  default:
    return typeF32;
  }
}

DeviceError Cublas::product(const GpuCase &plan, DeviceAddress a,
                            DeviceAddress b, DeviceAddress c) {
  return call(plan, a, b, c, cublasType(plan.inputs[0].element),
              cublasType(plan.output.element), computeF32);
}

DeviceError Cublas::productF64(const GpuCase &plan, DeviceAddress a,
                               DeviceAddress b, DeviceAddress c) {
  return call(plan, a, b, c, typeF64, typeF64, computeF64);
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
    if (!error)
      error = cublas->productF64(plan, a, b, c);
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
