//===- Fma.cpp - products without tensor cores ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TileEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

namespace {
/// One operand of a product in shared memory, read along its rows.
class Operand {
public:
  Operand(TileEmitter &emitter, Value tile, Type sum)
      : emitter(emitter), type(cast<TileType>(tile.getType())), sum(sum),
        start(emitter.lookup(tile)), addresses(emitter, type) {}

  int64_t bytes() const {
    return type.getElementType().getIntOrFloatBitWidth() / 8;
  }
  int64_t columns() const { return type.getShape()[1]; }
  /// Sets what the thread adds to rows and columns.
  void setThread(Value row, Value column) {
    addresses.row = row;
    addresses.columnByte =
        emitter.inPrologue([&] { return emitter.mul(column, bytes()); });
  }

  /// `count` neighbours of a row from (row, column) on, in the type of sums.
  SmallVector<Value> load(int64_t row, int64_t column, int64_t count) {
    ImplicitLocOpBuilder &b = emitter.b;
    Type element = type.getElementType();
    Value address = addresses.at(start, row, column * bytes());
    Value loaded = LLVM::LoadOp::create(
        b, count == 1 ? element : Type(VectorType::get({count}, element)),
        address, count * bytes());
    SmallVector<Value> values;
    for (int64_t i = 0; i < count; ++i) {
      Value value = count == 1 ? loaded
                               : Value(LLVM::ExtractElementOp::create(
                                     b, loaded, emitter.i32(i)));
      if (element != sum)
        value = isa<FloatType>(sum)
                    ? arith::ExtFOp::create(b, sum, value).getResult()
                    : arith::ExtSIOp::create(b, sum, value).getResult();
      values.push_back(value);
    }
    return values;
  }

private:
  TileEmitter &emitter;
  TileType type;
  Type sum;
  Value start;
  SharedAddresses addresses;
};
} // namespace

LogicalResult TileEmitter::emitFma(MmaOp op) {
  auto acc = cast<TileType>(op.getAcc().getType());
  LayoutAttr layout = acc.getLayout();
  Type sum = acc.getElementType();
  bool transposed = op.getTransposeB();
  SmallVector<Value> sums(registers(op.getAcc()));

  // The rows and columns of the calling thread.
  SmallVector<int64_t> rows, columns;
  DenseMap<std::pair<int64_t, int64_t>, int64_t> registerAt;
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    SmallVector<int64_t> offsets = layout.getOffsets(reg);
    registerAt[{offsets[0], offsets[1]}] = reg;
    if (!llvm::is_contained(rows, offsets[0]))
      rows.push_back(offsets[0]);
    if (!llvm::is_contained(columns, offsets[1]))
      columns.push_back(offsets[1]);
  }
  llvm::sort(rows);
  llvm::sort(columns);

  Operand left(*this, op.getA(), sum), right(*this, op.getB(), sum);
  SmallVector<Value> base(baseCoordinates(layout));
  left.setThread(base[0], i32(0));
  if (transposed)
    right.setThread(base[1], i32(0));
  else
    right.setThread(i32(0), base[1]);
  // Steps of the sum that one load of a row brings, and columns of one load.
  int64_t depth = left.columns();
  int64_t steps = std::gcd<int64_t>(16 / left.bytes(), depth);
  int64_t width = std::gcd(layout.getContiguous(1), 16 / right.bytes());
  width = std::gcd(width, layout.getAlignment(1, width));
  if (transposed) {
    steps = std::gcd(steps, 16 / right.bytes());
    width = 1;
  }

  for (int64_t k = 0; k < depth; k += steps) {
    SmallVector<SmallVector<Value>> a, bs; // by row and step, step and column
    for (int64_t row : rows)
      a.push_back(left.load(row, k, steps));
    bs.resize(steps);
    for (size_t i = 0; i < columns.size(); i += width) {
      if (transposed) {
        for (auto [step, value] :
             llvm::enumerate(right.load(columns[i], k, steps)))
          bs[step].push_back(value);
        continue;
      }
      for (int64_t step = 0; step < steps; ++step)
        llvm::append_range(bs[step], right.load(k + step, columns[i], width));
    }
    for (int64_t step = 0; step < steps; ++step)
      for (auto [i, row] : llvm::enumerate(rows))
        for (auto [j, column] : llvm::enumerate(columns)) {
          Value &value = sums[registerAt.lookup({row, column})];
          if (isa<FloatType>(sum))
            value = math::FmaOp::create(b, a[i][step], bs[step][j], value);
          else
            value = arith::AddIOp::create(
                b, arith::MulIOp::create(b, a[i][step], bs[step][j]), value);
        }
  }
  bind(op.getResult(), sums);
  return success();
}
