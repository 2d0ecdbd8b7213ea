//===- TargetTable.cpp - one row of facts per hardware --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Target/TargetTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace kernelzero;

// Per-block and per-multiprocessor limits: CUDA C++ Programming Guide, table
// "Technical Specifications per Compute Capability". A block may ask for what
// a multiprocessor has less 1 KiB that the system keeps.
static const Target table[] = {
    {"host",
     "the processor of this machine",
     /*chip=*/"",
     /*ptxFeatures=*/"",
     /*capability=*/0,
     /*multiprocessors=*/0,
     /*clockMHz=*/0,
     /*l2Bytes=*/0,
     /*sharedBytesPerBlock=*/0,
     /*sharedBytesPerMultiprocessor=*/0,
     /*registersPerMultiprocessor=*/0,
     /*registersPerThread=*/0,
     /*threadsPerBlock=*/0,
     /*threadsPerMultiprocessor=*/0,
     /*blocksPerMultiprocessor=*/0,
     /*blocksPerCluster=*/1,
     /*f16TensorFlops=*/0,
     /*f32Flops=*/0,
     /*dramBytesPerSecond=*/0,
     /*mmaSync=*/false,
     /*cpAsync=*/false,
     /*tma=*/false,
     /*wgmma=*/false},

    {"sm_80",
     // Multiprocessors, boost clock, L2, rates and memory: NVIDIA A100 Tensor
     // Core GPU datasheet and architecture whitepaper, the 80 GB SXM part.
     "NVIDIA A100 80GB SXM",
     /*chip=*/"sm_80",
     // ldmatrix, cp.async and mma.sync m16n8k16 need PTX 7.0; 8.0 is the
     // oldest that every CUDA 12 and 13 driver reads.
     /*ptxFeatures=*/"+ptx80",
     /*capability=*/80,
     /*multiprocessors=*/108,
     /*clockMHz=*/1410,
     /*l2Bytes=*/40 << 20,
     /*sharedBytesPerBlock=*/163 << 10,
     /*sharedBytesPerMultiprocessor=*/164 << 10,
     /*registersPerMultiprocessor=*/65536,
     /*registersPerThread=*/255,
     /*threadsPerBlock=*/1024,
     /*threadsPerMultiprocessor=*/2048,
     /*blocksPerMultiprocessor=*/32,
     /*blocksPerCluster=*/1,
     /*f16TensorFlops=*/312e12,
     /*f32Flops=*/19.5e12,
     /*dramBytesPerSecond=*/2039e9,
     /*mmaSync=*/true,
     /*cpAsync=*/true,
     /*tma=*/false,
     /*wgmma=*/false},

    {"sm_86",
     // All rates, counts and sizes: NVIDIA Ampere GA102 GPU Architecture
     // whitepaper, table of the GeForce RTX 3090; the tensor rate is the one
     // with f32 sums, which on these parts is half of that with f16 sums.
     "NVIDIA GeForce RTX 3090",
     /*chip=*/"sm_86",
     // As sm_80; sm_86 itself came with PTX 7.1.
     /*ptxFeatures=*/"+ptx80",
     /*capability=*/86,
     /*multiprocessors=*/82,
     /*clockMHz=*/1695,
     /*l2Bytes=*/6 << 20,
     /*sharedBytesPerBlock=*/99 << 10,
     /*sharedBytesPerMultiprocessor=*/100 << 10,
     /*registersPerMultiprocessor=*/65536,
     /*registersPerThread=*/255,
     /*threadsPerBlock=*/1024,
     /*threadsPerMultiprocessor=*/1536,
     /*blocksPerMultiprocessor=*/16,
     /*blocksPerCluster=*/1,
     /*f16TensorFlops=*/71e12,
     /*f32Flops=*/35.6e12,
     /*dramBytesPerSecond=*/936e9,
     /*mmaSync=*/true,
     /*cpAsync=*/true,
     /*tma=*/false,
     /*wgmma=*/false},

    {"sm_89",
     // All rates, counts and sizes: NVIDIA Ada GPU Architecture whitepaper,
     // table of the GeForce RTX 4090; the tensor rate is the one with f32 sums.
     "NVIDIA GeForce RTX 4090",
     /*chip=*/"sm_89",
     // As sm_80; sm_89 itself came with PTX 7.8.
     /*ptxFeatures=*/"+ptx80",
     /*capability=*/89,
     /*multiprocessors=*/128,
     /*clockMHz=*/2520,
     /*l2Bytes=*/72 << 20,
     /*sharedBytesPerBlock=*/99 << 10,
     /*sharedBytesPerMultiprocessor=*/100 << 10,
     /*registersPerMultiprocessor=*/65536,
     /*registersPerThread=*/255,
     /*threadsPerBlock=*/1024,
     /*threadsPerMultiprocessor=*/1536,
     /*blocksPerMultiprocessor=*/24,
     /*blocksPerCluster=*/1,
     /*f16TensorFlops=*/165.2e12,
     /*f32Flops=*/82.6e12,
     /*dramBytesPerSecond=*/1008e9,
     /*mmaSync=*/true,
     /*cpAsync=*/true,
     /*tma=*/false,
     /*wgmma=*/false},

    {"sm_90a",
     // Rates and memory: NVIDIA H200 datasheet, SXM part, without sparsity.
     // Multiprocessors, clock and L2 as the driver of such a card reports
     // them (the H100 whitepaper gives 132 multiprocessors as well).
     "NVIDIA H200 SXM",
     /*chip=*/"sm_90a",
     // wgmma, setmaxnreg, bulk tensor copies: PTX 8.0; stmatrix and the rest
     // that the tile lowering writes were seen to work as 8.4.
     /*ptxFeatures=*/"+ptx84",
     /*capability=*/90,
     /*multiprocessors=*/132,
     /*clockMHz=*/1980,
     /*l2Bytes=*/60 << 20,
     /*sharedBytesPerBlock=*/227 << 10,
     /*sharedBytesPerMultiprocessor=*/228 << 10,
     /*registersPerMultiprocessor=*/65536,
     /*registersPerThread=*/255,
     /*threadsPerBlock=*/1024,
     /*threadsPerMultiprocessor=*/2048,
     /*blocksPerMultiprocessor=*/32,
     // 16 needs an opt-in that the driver may refuse; 8 always works.
     /*blocksPerCluster=*/8,
     /*f16TensorFlops=*/989.5e12,
     /*f32Flops=*/67e12,
     /*dramBytesPerSecond=*/4.8e12,
     /*mmaSync=*/true,
     /*cpAsync=*/true,
     /*tma=*/true,
     /*wgmma=*/true},

    {"sm_120",
     // All rates, counts and sizes: NVIDIA RTX Blackwell GPU Architecture
     // whitepaper, table of the GeForce RTX 5090; the tensor rate is the one
     // with f32 sums. No wgmma, and no tensor memory with its tcgen05 either.
     "NVIDIA GeForce RTX 5090",
     /*chip=*/"sm_120",
     // sm_120 came with PTX 8.7.
     /*ptxFeatures=*/"+ptx87",
     /*capability=*/120,
     /*multiprocessors=*/170,
     /*clockMHz=*/2407,
     /*l2Bytes=*/96 << 20,
     /*sharedBytesPerBlock=*/99 << 10,
     /*sharedBytesPerMultiprocessor=*/100 << 10,
     /*registersPerMultiprocessor=*/65536,
     /*registersPerThread=*/255,
     /*threadsPerBlock=*/1024,
     /*threadsPerMultiprocessor=*/1536,
     /*blocksPerMultiprocessor=*/24,
     // Bulk copies go to one block: these parts have no multicast.
     /*blocksPerCluster=*/1,
     /*f16TensorFlops=*/209.5e12,
     /*f32Flops=*/104.8e12,
     /*dramBytesPerSecond=*/1792e9,
     /*mmaSync=*/true,
     /*cpAsync=*/true,
     /*tma=*/true,
     /*wgmma=*/false},
};

llvm::ArrayRef<Target> kernelzero::targetTable() { return table; }

static int64_t askMachine(int name, int64_t otherwise) {
  long value = sysconf(name);
  return value > 0 ? value : otherwise;
}

static Target describeHost(Target host) {
  host.vectorBytes = 16;
  host.vectorRegisters = 16;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    host.vectorBytes = 64;
    host.vectorRegisters = 32;
  } else if (__builtin_cpu_supports("avx2")) {
    host.vectorBytes = 32;
  }
#elif defined(__aarch64__)
  host.vectorRegisters = 32;
#endif
  host.l1Bytes = askMachine(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  host.l2Bytes = askMachine(_SC_LEVEL2_CACHE_SIZE, 512 << 10);
  return host;
}

const Target *kernelzero::findTarget(llvm::StringRef name) {
  static const Target host = describeHost(table[0]);
  if (name == host.name)
    return &host;
  const auto *row =
      llvm::find_if(table, [&](const Target &t) { return t.name == name; });
  return row == std::end(table) ? nullptr : row;
}

/// What to name instead of a GPU that has no row; empty where nothing helps.
static std::string adviseInstead(llvm::StringRef name) {
  llvm::StringRef digits = name;
  int64_t capability = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, capability) ||
      !(digits.empty() || digits == "a" || digits == "f"))
    return "";
  if (capability < 80)
    return "; kernels need cp.async and mma.sync of bf16, which came with "
           "sm_80";
  // Its own generation's code runs there as it is; else the driver compiles
  // PTX of an older generation.
  const Target *best = nullptr;
  for (const Target &row : table)
    if (row.isGPU() && row.capability == capability)
      return "; the row of that capability is " + row.name.str();
  for (const Target &row : table)
    if (row.isGPU() && row.capability / 10 == capability / 10 &&
        row.capability < capability)
      best = &row;
  if (best)
    return "; its own instructions are not used, code for " + best->name.str() +
           " runs there";
  return "; its own instructions are not used, code for sm_80 runs there once "
         "the driver has compiled the PTX";
}

std::string kernelzero::unknownTargetMessage(llvm::StringRef name,
                                             llvm::StringRef others) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "unknown target '" << name << "'" << adviseInstead(name)
     << "; known are ";
  llvm::interleaveComma(table, os, [&](const Target &t) { os << t.name; });
  os << ", and " << others;
  return text;
}

std::string kernelzero::describeTarget(const Target &t) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << t.name << ": " << t.description << "\n";
  if (!t.isGPU())
    return text + "  vectors of " + std::to_string(t.vectorBytes) + " bytes, " +
           std::to_string(t.vectorRegisters) + " registers; L1 " +
           std::to_string(t.l1Bytes >> 10) + " KiB, L2 " +
           std::to_string(t.l2Bytes >> 10) + " KiB\n";
  os << "  multiprocessors " << t.multiprocessors << ", clock " << t.clockMHz
     << " MHz, L2 " << (t.l2Bytes >> 20) << " MiB\n"
     << "  shared memory " << t.sharedBytesPerBlock << " bytes a block, "
     << t.sharedBytesPerMultiprocessor << " a multiprocessor\n"
     << "  registers " << t.registersPerMultiprocessor
     << " a multiprocessor, at most " << t.registersPerThread << " a thread\n"
     << "  threads " << t.threadsPerBlock << " a block, "
     << t.threadsPerMultiprocessor << " a multiprocessor; blocks "
     << t.blocksPerMultiprocessor << " a multiprocessor, " << t.blocksPerCluster
     << " a cluster\n"
     << "  f16 tensor cores " << int64_t(t.f16TensorFlops / 1e12)
     << " TFLOP/s, f32 " << int64_t(t.f32Flops / 1e12) << " TFLOP/s, memory "
     << int64_t(t.dramBytesPerSecond / 1e9) << " GB/s\n"
     << "  has";
  if (t.mmaSync)
    os << " mma.sync";
  if (t.cpAsync)
    os << " cp.async";
  if (t.tma)
    os << " tma";
  if (t.wgmma)
    os << " wgmma";
  if (!(t.mmaSync || t.cpAsync || t.tma || t.wgmma))
    os << " none of mma.sync, cp.async, tma, wgmma";
  os << "\n";
  return text;
}
