//===- HostPacking.cpp - panels in host memory ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A packed value is [batch...][panel][k...][width]: what the register tile
// reads in one step lies side by side. The last panel is filled up by zeros, so
// that tiles at the edge compute whole vectors.
#include "HostEmitter.h"

using namespace mlir;
using namespace kernelzero::host;

/// Moves one panel whose rows are contiguous in the source.
void Emitter::packRows(const View &source, Type element, const View &packed,
                       Value from, Value to, Value rows, Value count,
                       bool edge) {
  int64_t last = 0;
  for (int64_t dim = 0, rank = source.sizes.size(); dim < rank; ++dim)
    if (dim != packed.panelDim)
      last = dim;
  int64_t width = packed.panelWidth;
  int64_t widest = kVectorBytes / bytes(packed.element);
  loop(number(0), count, 1, [&](Value k) {
    Value in = offset(from, source.element, mul(k, source.strides[last]));
    Value out = offset(to, packed.element, mul(k, packed.strides[last]));
    for (int64_t at = 0; at < width;) {
      int64_t lanes =
          std::min<int64_t>(widest, llvm::bit_floor<uint64_t>(width - at));
      Value mask = edge ? maskBelow(sub(rows, number(at)), lanes) : Value();
      Value value = load(offset(in, source.element, at), element, lanes, mask);
      store(convert(value, packed.element), offset(out, packed.element, at));
      at += lanes;
    }
  });
}

/// Moves one panel whose rows are columns of the source: vectors along the
/// summed dimension are transposed in registers. A perfect shuffle of R vectors
/// moves the highest bit of the row number below the lane number, so log2(R) of
/// them turn [row][lane] into [lane][row].
void Emitter::packTransposed(const View &source, Type element,
                             const View &packed, Value from, Value to,
                             Value rows, Value count, bool edge) {
  int64_t last = 0;
  for (int64_t dim = 0, rank = source.sizes.size(); dim < rank; ++dim)
    if (dim != packed.panelDim)
      last = dim;
  int64_t width = packed.panelWidth;
  int64_t lanes = kVectorBytes / bytes(packed.element);
  Value rowStride = source.strides[packed.panelDim];
  Value kStride = source.strides[last];

  auto rowPointer = [&](int64_t row) {
    return offset(from, source.element, mul(number(row), rowStride));
  };
  auto block = [&](Value k) {
    for (int64_t first = 0; first < width;) {
      int64_t chunk = llvm::bit_floor<uint64_t>(width - first);
      chunk = std::min<int64_t>(chunk, 32);
      SmallVector<Value> vectors;
      for (int64_t row = first; row < first + chunk; ++row) {
        Value mask;
        if (edge) {
          Value inside = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::sgt, rows, number(row));
          mask = splat(inside, lanes);
        }
        Value value = load(offset(rowPointer(row), source.element, k), element,
                           lanes, mask);
        vectors.push_back(convert(value, packed.element));
      }
      for (int64_t stage = 1; stage < chunk; stage *= 2) {
        SmallVector<Value> next;
        SmallVector<int64_t> low, high;
        for (int64_t lane = 0; lane < lanes / 2; ++lane) {
          low.append({lane, lanes + lane});
          high.append({lanes / 2 + lane, lanes + lanes / 2 + lane});
        }
        for (int64_t i = 0; i < chunk / 2; ++i)
          for (ArrayRef<int64_t> order : {ArrayRef(low), ArrayRef(high)})
            next.push_back(vector::ShuffleOp::create(
                b, loc, vectors[i], vectors[i + chunk / 2], order));
        vectors = std::move(next);
      }
      // Vector i now holds elements i * lanes.. of [lane][row].
      for (auto [index, value] : llvm::enumerate(vectors)) {
        int64_t element = index * lanes;
        int64_t piece = std::min(chunk, lanes);
        for (int64_t at = 0; at < lanes; at += width == chunk ? lanes : piece) {
          int64_t lane = (element + at) / chunk,
                  row = first + (element + at) % chunk;
          Value part = value;
          if (width != chunk && piece != lanes)
            part = vector::ShuffleOp::create(
                b, loc, value, value,
                llvm::to_vector(llvm::seq<int64_t>(at, at + piece)));
          Value place = mul(add(k, number(lane)), packed.strides[last]);
          store(part,
                offset(offset(to, packed.element, place), packed.element, row));
        }
      }
      first += chunk;
    }
  };
  Value whole = number(0);
  if (constant(kStride) == 1) {
    whole = mul(floorDiv(count, lanes), number(lanes));
    loop(number(0), whole, lanes, [&](Value k) { block(k); });
  }
  loop(whole, count, 1, [&](Value k) {
    Value in = offset(from, source.element, mul(k, kStride));
    Value out = offset(to, packed.element, mul(k, packed.strides[last]));
    loop(number(0), number(width), 1, [&](Value row) {
      auto one = [&] {
        Value value =
            load(offset(in, source.element, mul(row, rowStride)), element, 0);
        store(convert(value, packed.element), offset(out, packed.element, row));
      };
      if (!edge)
        return one();
      Value inside =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, rows);
      when(inside, one, [&] {
        store(zero(packed.element), offset(out, packed.element, row));
      });
    });
  });
}

void Emitter::emitPack(const View &source, Type element, const View &packed) {
  int64_t rank = source.sizes.size(), panelDim = packed.panelDim;
  SmallVector<int64_t> outer;
  int64_t last = -1;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != panelDim)
      last = dim;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != panelDim && dim != last)
      outer.push_back(dim);
  SmallVector<Value> indices(rank, number(0));
  auto panels = [&] {
    Value count = source.sizes[panelDim];
    int64_t width = packed.panelWidth;
    auto panel = [&](Value first, Value rows, bool edge) {
      indices[panelDim] = first;
      Value from = address(source, indices);
      Value to = address(packed, indices);
      Value steps = last < 0 ? number(1) : source.sizes[last];
      if (constant(source.strides[panelDim]) == 1)
        packRows(source, element, packed, from, to, rows, steps, edge);
      else
        packTransposed(source, element, packed, from, to, rows, steps, edge);
    };
    // Whole panels, then what is left: two copies of the code, but none of
    // them asks in the loop.
    Value whole = mul(floorDiv(count, width), number(width));
    loop(number(0), whole, width,
         [&](Value first) { panel(first, number(width), false); });
    loop(whole, count, width,
         [&](Value first) { panel(first, sub(count, first), true); });
  };
  std::function<void(unsigned)> nest = [&](unsigned index) {
    if (index == outer.size())
      return panels();
    loop(number(0), source.sizes[outer[index]], 1, [&](Value iv) {
      indices[outer[index]] = iv;
      nest(index + 1);
    });
  };
  nest(0);
}
