//===- Buffer.cpp - memory for candidates to read and write ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Reference.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace kernelzero;

static constexpr int64_t kHugePage = 2 << 20;
static constexpr unsigned char kEdge = 0xC3;

Buffer &Buffer::operator=(Buffer &&other) {
  std::swap(type, other.type);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
  std::swap(start, other.start);
  std::swap(size, other.size);
  return *this;
}

Buffer::~Buffer() {
  if (mapping)
    munmap(mapping, mapped);
}

bool Buffer::allocate(RankedTensorType tensor) {
  type = tensor;
  size = tensor.getNumElements() * getElementBytes(tensor.getElementType());
  int64_t page = sysconf(_SC_PAGESIZE);
  // Large buffers lie on huge pages, as an allocator would give them.
  bool large = size >= kHugePage;
  int64_t inner = llvm::alignTo(std::max<int64_t>(size, 1), page);
  mapped = inner + 2 * page + (large ? 2 * kHugePage : 0);
  void *memory = mmap(nullptr, mapped, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  mapping = static_cast<char *>(memory);
  char *first = mapping + page;
  if (large)
    first = reinterpret_cast<char *>(
        llvm::alignTo(reinterpret_cast<uint64_t>(first), kHugePage));
  if (mprotect(first, inner, PROT_READ | PROT_WRITE))
    return false;
  if (large)
    madvise(first, inner, MADV_HUGEPAGE);
  start =
      large ? first
            : first + llvm::alignDown(static_cast<uint64_t>(inner - size), 64);
  if (!large)
    std::memset(first, kEdge, inner);
  else
    std::memset(start + size, kEdge, inner - size);
  return true;
}

void Buffer::protect() {
  int64_t page = sysconf(_SC_PAGESIZE);
  char *first = reinterpret_cast<char *>(
      llvm::alignDown(reinterpret_cast<uint64_t>(start), page));
  mprotect(first, llvm::alignTo(start + size - first, page), PROT_READ);
}

void Buffer::poison() {
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    std::memset(start, 0xFF, size); // A NaN in every format.
  else
    std::memset(start, 0xA5, size);
}

bool Buffer::areEdgesIntact() const {
  int64_t page = sysconf(_SC_PAGESIZE);
  auto address = reinterpret_cast<uint64_t>(start);
  auto *first =
      reinterpret_cast<unsigned char *>(llvm::alignDown(address, page));
  auto *begin = reinterpret_cast<unsigned char *>(start);
  auto *end =
      reinterpret_cast<unsigned char *>(llvm::alignTo(address + size, page));
  for (unsigned char *at = first; at < begin; ++at)
    if (*at != kEdge)
      return false;
  for (unsigned char *at = begin + size; at < end; ++at)
    if (*at != kEdge)
      return false;
  return true;
}

namespace {
/// SplitMix64: small, fast, and the same everywhere.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
};
} // namespace

void kernelzero::drawIntegers(const Buffer &buffer, uint64_t seed,
                              int64_t limit) {
  Random random{seed};
  Type element = buffer.getType().getElementType();
  for (int64_t i = 0; i < buffer.getType().getNumElements(); ++i) {
    double value = double(random.next() % uint64_t(limit));
    writeElements(element, &value, i, 1, buffer.data());
  }
}

void kernelzero::drawNormal(const Buffer &buffer, uint64_t seed) {
  constexpr int64_t kChunk = 1024;
  Random random{seed};
  Type element = buffer.getType().getElementType();
  int64_t total = buffer.getType().getNumElements();
  double values[kChunk];
  bool isFloat = isa<FloatType>(element);
  int64_t modulus = element.isInteger(1) ? 2 : 16;
  for (int64_t first = 0; first < total; first += kChunk) {
    int64_t count = std::min(kChunk, total - first);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = random.next();
      if (isFloat) {
        // The sum of four uniform numbers is normal enough, and bounded.
        int64_t sum = int64_t(bits & 0xFFFF) + int64_t(bits >> 16 & 0xFFFF) +
                      int64_t(bits >> 32 & 0xFFFF) + int64_t(bits >> 48);
        values[i] = (sum - 131070) * (1.7320508075688772 / 65536);
      } else {
        values[i] = bits % modulus;
      }
    }
    writeElements(element, values, first, count, buffer.data());
  }
}

void kernelzero::sprinkleHostile(const Buffer &buffer, uint64_t seed) {
  auto element = dyn_cast<FloatType>(buffer.getType().getElementType());
  int64_t total = buffer.getType().getNumElements();
  if (!element || !total)
    return;
  Random random{seed};
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  double largest = llvm::APFloat::getLargest(semantics).convertToDouble();
  double denormal = llvm::APFloat::getSmallest(semantics).convertToDouble();
  double infinity = std::numeric_limits<double>::infinity();
  // Products of two large values, and sums of a few, are still finite.
  double large = std::sqrt(largest) / 8;
  const double specials[] = {std::numeric_limits<double>::quiet_NaN(),
                             infinity,
                             -infinity,
                             0.0,
                             -0.0,
                             denormal,
                             -denormal,
                             large,
                             -large};
  int64_t count =
      std::min<int64_t>(std::size(specials), llvm::divideCeil(total, 8));
  for (int64_t i = 0; i < count; ++i)
    writeElements(element, &specials[(i + seed) % std::size(specials)],
                  random.next() % total, 1, buffer.data());
}
