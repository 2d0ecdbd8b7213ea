//===- ScalarProgram.h - the body of an operation in doubles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_LIB_JUDGE_SCALARPROGRAM_H
#define KERNELZERO_LIB_JUDGE_SCALARPROGRAM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>
#include <string>
#include <vector>

namespace kernelzero {

/// The body of a Linalg operation, evaluated for strips of neighbouring points
/// at once: each value with the bound of its error.
class ScalarProgram {
public:
  static constexpr int64_t kStrip = 128;

  struct Strip {
    double value[kStrip];
    double error[kStrip];
  };

  /// A tensor that the body reads at coordinates.
  struct Source {
    std::vector<int64_t> shape;
    /// One element, by its number in row-major order, and its error.
    std::function<void(int64_t, double &, double &)> read;
  };
  using FindSource = std::function<bool(mlir::Value, Source &)>;

  /// False and a sentence in `error` for an operation that is not known.
  /// `findSource` knows the tensors around the body.
  bool compile(mlir::Block &body, const FindSource &findSource,
               std::string &error);

  /// The strip of block argument `index`, to be filled before a run.
  Strip &getArgument(unsigned index) { return strips[index]; }
  /// The strip of yielded value `index`.
  const Strip &getResult(unsigned index) const {
    return strips[yielded[index]];
  }
  /// The loops whose index the body asks for, with the strip to fill.
  struct IndexUse {
    unsigned dim;
    int strip;
  };
  const std::vector<IndexUse> &getIndexUses() const { return indexUses; }
  /// A yielded value that is its own last value plus another, which `addend`
  /// holds. Sums are legal in any order.
  struct Sum {
    unsigned result;
    int addend;
    double unit; ///< Of the type in which it is summed.
  };
  const std::vector<Sum> &getSums() const { return sums; }
  Strip &getStrip(int index) { return strips[index]; }

  /// False and a sentence where a value is nothing that the reference can hold:
  /// a coordinate outside of its tensor, an integer that no double is.
  bool run(int64_t count, std::string &error);

private:
  struct Step;
  bool compileOp(mlir::Operation *op, std::string &error);
  bool compileRead(mlir::Operation *op, std::string &error);
  int getSlot(mlir::Value value, std::string &error);
  int addStrip();

  using Function = void (*)(const Step &, Strip &, const Strip *, const Strip *,
                            const Strip *, int64_t);
  struct Step {
    Function function = nullptr;
    double (*unary)(double) = nullptr;
    int out = 0, in[3] = {-1, -1, -1};
    /// Half a unit in the last place of the result's type, relative.
    double unit = 0;
    /// Above this a value of the result's type is infinite.
    double largest = 0;
    int predicate = 0;
    unsigned width = 0; ///< Of integers, for wrapping; 0: no wrapping.
    /// Of a read: which tensor, and the strips of its coordinates.
    int source = -1;
    std::vector<int> coordinates;
    /// Of a bit cast: what is seen as what.
    mlir::Type from, to;
  };
  bool read(const Step &step, int64_t count, std::string &error);

  std::vector<Strip> strips;
  std::vector<Step> steps;
  std::vector<Source> sources;
  const FindSource *findSource = nullptr;
  std::vector<int> yielded;
  std::vector<IndexUse> indexUses;
  std::vector<Sum> sums;
  llvm::DenseMap<mlir::Value, int> slots;
  friend struct Functions;
};

/// Half a unit in the last place of `type`, relative to a value.
double getRoundingUnit(mlir::Type type);

} // namespace kernelzero

#endif // KERNELZERO_LIB_JUDGE_SCALARPROGRAM_H
