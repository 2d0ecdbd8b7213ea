//===- Cublas.cpp - NVIDIA's products of matrices, as a peer --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Device/Cublas.h"
#include <dlfcn.h>

using namespace kernelzero;

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

std::unique_ptr<Cublas> Cublas::load(const Device &device, std::string &error) {
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
  find(result->setStream, "cublasSetStream_v2");
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
  if (int status = result->setStream(result->handle, device.queue())) {
    error =
        "cuBLAS refused the device's queue: status " + std::to_string(status);
    return nullptr;
  }
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(result->gemm), &info) && info.dli_fname)
    result->where = info.dli_fname;
  return result;
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

DeviceError Cublas::multiply(const Product &product, DeviceAddress a,
                             DeviceAddress b, DeviceAddress c) {
  // cuBLAS is column-major: it computes the transpose, B^T * A^T.
  bool wide = product.input == ElementType::f64;
  double one64 = 1, zero64 = 0;
  float one32 = 1, zero32 = 0;
  const void *one = wide ? (void *)&one64 : (void *)&one32;
  const void *zero = wide ? (void *)&zero64 : (void *)&zero32;
  int compute = wide ? computeF64 : computeF32;
  int m = int(product.m), n = int(product.n), k = int(product.k);
  int operationB = product.transposeB ? operationT : operationN;
  int operationA = product.transposeA ? operationT : operationN;
  int pitchB = product.transposeB ? k : n;
  int pitchA = product.transposeA ? m : k;
  int inputType = cublasType(product.input);
  int outputType = cublasType(product.output);
  const void *pa = reinterpret_cast<void *>(a);
  const void *pb = reinterpret_cast<void *>(b);
  void *pc = reinterpret_cast<void *>(c);
  int status =
      product.batch == 1
          ? gemm(handle, operationB, operationA, n, m, k, one, pb, inputType,
                 pitchB, pa, inputType, pitchA, zero, pc, outputType, n,
                 compute, algorithmDefault)
          : gemmBatched(handle, operationB, operationA, n, m, k, one, pb,
                        inputType, pitchB, (long long)product.k * product.n, pa,
                        inputType, pitchA, (long long)product.m * product.k,
                        zero, pc, outputType, n,
                        (long long)product.m * product.n, int(product.batch),
                        compute, algorithmDefault);
  if (status)
    return "cuBLAS refused the product: status " + std::to_string(status);
  return std::nullopt;
}
