//===- Rules.cpp - which values a schedule step accepts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace kernelzero::kz;

static bool isKnown(int64_t value) { return !ShapedType::isDynamic(value); }

Complaint kernelzero::kz::checkAtLeast(StringRef name, int64_t value,
                                       int64_t least, int64_t most) {
  if (!isKnown(value) || (value >= least && value <= most))
    return std::nullopt;
  if (value > most)
    return (name + " " + Twine(value) + " is out of range; at most " +
            Twine(most))
        .str();
  return (name + " " + Twine(value) + " is out of range; at least " +
          Twine(least))
      .str();
}

Complaint kernelzero::kz::checkWord(StringRef verb, StringRef word,
                                    ArrayRef<StringRef> accepted) {
  if (word == "?" || llvm::is_contained(accepted, word))
    return std::nullopt;
  return (verb + " '" + word + "'; accepted are " + llvm::join(accepted, ", "))
      .str();
}

Complaint kernelzero::kz::checkTileSizes(ArrayRef<int64_t> sizes) {
  if (sizes.empty())
    return "needs at least one tile size";
  for (int64_t size : sizes)
    if (isKnown(size) && size < 0)
      return ("tile size " + Twine(size) +
              " is negative; 0 leaves a dimension whole")
          .str();
  return std::nullopt;
}

Complaint kernelzero::kz::checkThreads(int64_t threads) {
  if (!isKnown(threads) ||
      (threads % 32 == 0 && threads >= 32 && threads <= 1024))
    return std::nullopt;
  return ("threads " + Twine(threads) + " is not a multiple of 32 in 32..1024")
      .str();
}

Complaint kernelzero::kz::checkVector(int64_t vector) {
  if (!isKnown(vector) ||
      (vector >= 1 && vector <= 16 && llvm::isPowerOf2_64(vector)))
    return std::nullopt;
  return ("vector " + Twine(vector) + " is not a power of two in 1..16").str();
}

Complaint kernelzero::kz::checkPowerOfTwo(StringRef name, int64_t value) {
  // More in one vector than 64 elements only makes code longer.
  if (!isKnown(value) ||
      (value >= 1 && value <= 64 && llvm::isPowerOf2_64(value)))
    return std::nullopt;
  return (name + " " + Twine(value) + " is not a power of two in 1..64").str();
}

Complaint kernelzero::kz::checkUnroll(int64_t factor) {
  if (!isKnown(factor) || (factor >= 1 && factor <= 64))
    return std::nullopt;
  return ("factor " + Twine(factor) + " is out of range; 1..64").str();
}

Complaint kernelzero::kz::checkRegisters(ArrayRef<int64_t> counts) {
  if (counts.size() != 2)
    return ("has " + Twine(counts.size()) +
            " register counts; one for producers and one for consumers are "
            "needed")
        .str();
  for (int64_t count : counts)
    if (isKnown(count) && (count % 8 || count < 24 || count > 256))
      return ("registers " + Twine(count) +
              " is not a multiple of 8 in 24..256")
          .str();
  return std::nullopt;
}

Complaint kernelzero::kz::checkWarps(ArrayRef<int64_t> counts) {
  if (counts.size() != 2)
    return ("has " + Twine(counts.size()) +
            " counts; one for M and one for N are needed")
        .str();
  for (int64_t count : counts)
    if (Complaint why = checkAtLeast("count", count, 1, 32))
      return why;
  return std::nullopt;
}

Complaint kernelzero::kz::checkMmaShape(StringRef kind,
                                        ArrayRef<int64_t> shape) {
  if (shape.size() != 3)
    return ("has a shape of " + Twine(shape.size()) +
            " sizes; M, N and K are needed")
        .str();
  if (kind == "fma") {
    bool known = llvm::all_of(shape, isKnown);
    if (!known || (shape[0] > 0 && shape[1] > 0 && shape[0] <= 32 &&
                   shape[0] * shape[1] == 32 && shape[2] == 1))
      return std::nullopt;
    return ("fma has no shape [" + Twine(shape[0]) + ", " + Twine(shape[1]) +
            ", " + Twine(shape[2]) +
            "]; accepted is [m, n, 1] with m * n = 32 lanes")
        .str();
  }
  bool sync = kind == "mma_sync";
  auto fits = [](int64_t size, int64_t wanted) {
    return !isKnown(size) || size == wanted;
  };
  int64_t m = sync ? 16 : 64, n = shape[1];
  bool columns =
      sync ? fits(n, 8) : !isKnown(n) || (n >= 8 && n <= 256 && n % 8 == 0);
  if (fits(shape[0], m) && columns && fits(shape[2], 16))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](int64_t size) {
    if (isKnown(size))
      os << size;
    else
      os << "?";
  };
  os << kind << " has no shape [";
  llvm::interleave(shape, print, [&] { os << ", "; });
  os << "]; accepted is "
     << (sync ? "[16, 8, 16]" : "[64, n, 16] with n a multiple of 8 in 8..256");
  return text;
}

Complaint kernelzero::kz::checkStage(const StageChoices &stage) {
  if (Complaint why =
          checkWord("stages", stage.value, {"operand", "result", "task_input"}))
    return why;
  if (Complaint why = checkWord("stages in", stage.space,
                                {"registers", "shared", "memory"}))
    return why;
  StringRef copy = stage.copy.empty() ? StringRef("plain") : stage.copy;
  if (Complaint why = checkWord("copies by", copy,
                                {"plain", "cp_async", "tma", "tma_store"}))
    return why;
  if (isKnown(stage.swizzle) &&
      !llvm::is_contained({0, 32, 64, 128}, stage.swizzle))
    return ("swizzle " + Twine(stage.swizzle) +
            " is not a span that the hardware has; accepted are 0, 32, 64, "
            "128 bytes")
        .str();
  if (isKnown(stage.width) &&
      !llvm::is_contained({0, 2, 4, 8, 16}, stage.width))
    return ("width " + Twine(stage.width) +
            " is not what a thread can move; accepted are 2, 4, 8, 16 bytes")
        .str();
  if (Complaint why = checkAtLeast("panels", stage.panels, 0, 1024))
    return why;
  for (int64_t size : stage.chunk)
    if (Complaint why = checkAtLeast("chunk size", size, 1))
      return why;
  if (stage.space != "shared" && copy != "plain" && copy != "?")
    return ("copy(" + copy +
            ") moves tiles to or from shared memory, this one "
            "is staged in " +
            stage.space + "; accepted is plain")
        .str();
  if (stage.space != "shared" && stage.swizzle && isKnown(stage.swizzle))
    return ("swizzle is for tiles in shared memory, this one is staged in " +
            stage.space)
        .str();
  if (stage.space != "memory" && stage.panels)
    return ("panels are for tiles in host memory, this one is staged in " +
            stage.space)
        .str();
  if (stage.value == "result" && (copy == "tma" || copy == "cp_async"))
    return ("copy(" + copy +
            ") brings an operand; a result accepts plain, "
            "tma_store")
        .str();
  if (stage.value != "result" && copy == "tma_store")
    return std::string("copy(tma_store) takes a result away; an operand "
                       "accepts plain, cp_async, tma");
  if (stage.width && (copy == "tma" || copy == "tma_store"))
    return ("copy(" + copy + ") moves whole boxes; leave out width").str();
  if (copy == "cp_async" && stage.width == 2)
    return std::string("cp_async moves no 2 bytes; accepted are 4, 8, 16");
  if (stage.value != "result" && !stage.chunk.empty())
    return std::string("chunk is for results; leave it out");
  if (stage.value != "operand" && stage.before)
    return ("before is for operands, this is a " + stage.value).str();
  return std::nullopt;
}
