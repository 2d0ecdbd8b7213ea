//===- HostContraction.cpp - contractions as register tiles ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// A tile of rows x columns of the result is kept in vectors while the summed
// dimension runs. Two forms, by how the operand of the columns lies in memory:
// - contiguous along the columns (or in panels of them): every vector holds
//   neighbouring columns, elements of the other operand are broadcast;
// - contiguous along the summed dimension, like the other operand: every vector
//   holds partial sums of one element of the result, combined at the end.
// Tiles at the edge compute whole vectors and store what is inside.
#include "HostEmitter.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace kernelzero::host;

/// Most multiply-adds that are written out for one trip of the inner loop.
static constexpr int64_t kMostUnrolled = 2048;

struct Emitter::Tile {
  linalg::LinalgOp op;
  View rowView, columnView, result;
  AffineMap rowMap, columnMap, resultMap;
  /// Type conversions of the region, from the operand to the product.
  SmallVector<Operation *> rowCasts, columnCasts;
  Type rowType, columnType, type;
  /// Loop dimensions; -1 where the result has no such dimension.
  int64_t rowDim = -1, columnDim = -1;
  SmallVector<int64_t> outer, summed;
  SmallVector<Value> extents;
  /// Size in registers, and what of it is inside.
  int64_t rows = 1, columns = 1, vectors = 1, lanes = 1, unroll = 1;
  Value rowsInside, columnsInside;
  /// Values of the loop dimensions outside of the tile.
  SmallVector<Value> ivs;
};

/// Position of `dim` among the results of `map`, or -1.
static int64_t findDim(AffineMap map, int64_t dim) {
  for (auto [position, expr] : llvm::enumerate(map.getResults()))
    if (auto known = dyn_cast<AffineDimExpr>(expr);
        known && static_cast<int64_t>(known.getPosition()) == dim)
      return position;
  return -1;
}

static bool isRegisterTile(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  auto vectorize = op->getAttrOfType<kernelzero::kz::VectorizeAttr>(
      kernelzero::kz::kVectorize);
  return linalgOp && vectorize && vectorize.getRegisters() &&
         linalg::isaContractionOpInterface(linalgOp);
}

/// The one contraction that `op` sums up, if that is all that the loop does.
linalg::LinalgOp Emitter::matchSummingLoop(scf::ForOp op) {
  linalg::LinalgOp contraction;
  Value iv = op.getInductionVar();
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isRegisterTile(&inner) && !contraction) {
      contraction = cast<linalg::LinalgOp>(inner);
      continue;
    }
    if (auto copy = dyn_cast<memref::CopyOp>(inner);
        copy && copy.getSource() == copy.getTarget())
      continue;
    if (isMemoryEffectFree(&inner) && inner.getNumRegions() == 0)
      continue;
    return nullptr;
  }
  if (!contraction || contraction.getNumDpsInputs() != 2)
    return nullptr;
  // The loop moves both operands along the same summed dimension, and nothing
  // else depends on it.
  int64_t dim = -1;
  SmallPtrSet<Operation *, 4> movers;
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    auto part = input->get().getDefiningOp<memref::SubViewOp>();
    if (!part || part.getDroppedDims().any())
      return nullptr;
    int64_t position = -1;
    for (auto [index, at] : llvm::enumerate(part.getMixedOffsets()))
      if (at == OpFoldResult(iv)) {
        if (position >= 0)
          return nullptr;
        position = index;
      }
    if (position < 0 || !isOneInteger(part.getMixedStrides()[position]))
      return nullptr;
    auto expr = dyn_cast<AffineDimExpr>(
        contraction.getMatchingIndexingMap(input).getResult(position));
    if (!expr || (dim >= 0 && dim != static_cast<int64_t>(expr.getPosition())))
      return nullptr;
    dim = expr.getPosition();
    movers.insert(part);
  }
  if (!linalg::isReductionIterator(contraction.getIteratorTypesArray()[dim]))
    return nullptr;
  for (Operation *user : iv.getUsers()) {
    if (movers.contains(user))
      continue;
    // What is left of the last trip.
    if (!isa<affine::AffineMinOp>(user) ||
        !llvm::all_of(user->getUsers(),
                      [&](Operation *sized) { return movers.contains(sized); }))
      return nullptr;
  }
  return contraction;
}

/// The chain of conversions between a region argument and the product.
static FailureOr<SmallVector<Operation *>> findCasts(BlockArgument argument) {
  SmallVector<Operation *> casts;
  Value value = argument;
  while (true) {
    if (!value.hasOneUse())
      return failure();
    Operation *user = *value.user_begin();
    if (isa<arith::MulFOp, arith::MulIOp>(user))
      return casts;
    if (user->getNumOperands() != 1 || user->getNumResults() != 1)
      return failure();
    casts.push_back(user);
    value = user->getResult(0);
  }
}

LogicalResult Emitter::emitContraction(linalg::LinalgOp op, scf::ForOp loopOp) {
  linalg::FillOp fill = std::exchange(pendingFill, nullptr);
  Scope saved = *scope;
  Value low, high;
  int64_t step = 1, factor = 1;
  if (loopOp) {
    low = scalar(loopOp.getLowerBound());
    high = scalar(loopOp.getUpperBound());
    std::optional<int64_t> by = constant(scalar(loopOp.getStep()));
    if (!by || *by < 1)
      return loopOp.emitError("the step of a loop is not a positive constant");
    step = *by;
    if (auto unroll = loopOp->getAttrOfType<IntegerAttr>(kz::kUnroll))
      factor = unroll.getInt();
    // The views of the first trip; the tile itself walks on from there.
    scope->scalars.map(loopOp.getInductionVar(), low);
    for (Operation &inner : loopOp.getBody()->without_terminator())
      if (&inner != op && !isa<memref::CopyOp>(inner) &&
          failed(emitOperation(&inner)))
        return failure();
  }
  loc = op.getLoc();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  auto vectorize = op->getAttrOfType<kz::VectorizeAttr>(kz::kVectorize);
  if (failed(dims) || op.getNumDpsInputs() != 2 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return op.emitError("this contraction has no form as a register tile");

  Tile tile;
  tile.op = op;
  OpOperand *left = op.getDpsInputOperand(0), *right = op.getDpsInputOperand(1);
  tile.resultMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> m(dims->m.begin(), dims->m.end()),
      n(dims->n.begin(), dims->n.end());
  unsigned leftNumber = 0, rightNumber = 1;
  if (tile.resultMap.getNumResults()) {
    int64_t last =
        tile.resultMap.getDimPosition(tile.resultMap.getNumResults() - 1);
    if (llvm::is_contained(m, static_cast<unsigned>(last))) {
      std::swap(left, right);
      std::swap(m, n);
      std::swap(leftNumber, rightNumber);
    } else if (!llvm::is_contained(n, static_cast<unsigned>(last))) {
      return op.emitError(
          "the innermost dimension of the result is a batch dimension; "
          "accumulate(registers) needs one of a single operand");
    }
    tile.columnDim = last;
  }
  // Of several row dimensions the innermost of the result is the tile's.
  for (int64_t position = tile.resultMap.getNumResults();
       position-- > 0 && tile.rowDim < 0;)
    if (llvm::is_contained(m, tile.resultMap.getDimPosition(position)))
      tile.rowDim = tile.resultMap.getDimPosition(position);
  tile.rowView = view(left->get());
  tile.columnView = view(right->get());
  tile.result = view(op.getDpsInitOperand(0)->get());
  tile.rowMap = op.getMatchingIndexingMap(left);
  tile.columnMap = op.getMatchingIndexingMap(right);
  tile.rowType = getElementTypeOrSelf(left->get().getType());
  tile.columnType = getElementTypeOrSelf(right->get().getType());
  tile.type = tile.result.element;
  FailureOr<SmallVector<Operation *>> rowCasts =
      findCasts(op.getBlock()->getArgument(leftNumber));
  FailureOr<SmallVector<Operation *>> columnCasts =
      findCasts(op.getBlock()->getArgument(rightNumber));
  if (failed(rowCasts) || failed(columnCasts) || tile.result.panelDim >= 0)
    return op.emitError("this contraction has no form as a register tile");
  if (tile.rowView.element == tile.rowType)
    tile.rowCasts = *rowCasts;
  if (tile.columnView.element == tile.columnType)
    tile.columnCasts = *columnCasts;

  SmallVector<Value> sizes;
  for (OpOperand &operand : op->getOpOperands())
    llvm::append_range(sizes, view(operand.get()).sizes);
  for (AffineExpr expr : op.getShapesToLoopsMap().getResults())
    tile.extents.push_back(evaluate(expr, sizes, {}));
  for (unsigned dim : dims->k)
    tile.summed.push_back(dim);
  if (loopOp) {
    auto part = left->get().getDefiningOp<memref::SubViewOp>();
    for (auto [index, at] : llvm::enumerate(part.getMixedOffsets()))
      if (at == OpFoldResult(loopOp.getInductionVar())) {
        int64_t dim = tile.rowMap.getDimPosition(index);
        tile.extents[dim] = sub(high, low);
        // Innermost, so that its trips are the unrolled ones.
        llvm::erase(tile.summed, dim);
        tile.summed.push_back(dim);
      }
  }
  for (int64_t dim = 0, rank = op.getNumLoops(); dim < rank; ++dim)
    if (dim != tile.rowDim && dim != tile.columnDim &&
        !llvm::is_contained(tile.summed, dim))
      tile.outer.push_back(dim);

  auto bound = [&](int64_t dim, StringRef name, int64_t &result,
                   Value &inside) {
    inside = number(1);
    if (dim < 0)
      return success();
    inside = tile.extents[dim];
    Range known = range(inside);
    if (!known.high)
      return LogicalResult(op.emitError()
                           << "the " << name
                           << " of the register tile have no known limit");
    result = std::max<int64_t>(*known.high, 1);
    return success();
  };
  if (failed(bound(tile.rowDim, "rows", tile.rows, tile.rowsInside)) ||
      failed(
          bound(tile.columnDim, "columns", tile.columns, tile.columnsInside)))
    return failure();
  tile.lanes = vectorize.getLanes();
  tile.unroll = step * factor * vectorize.getInterleave();
  tile.ivs.assign(op.getNumLoops(), Value());

  // A fill of another buffer is not ours.
  Value init;
  if (fill && isSameView(fill.getOutputs()[0], op.getDpsInitOperand(0)->get()))
    init = scalar(fill.getInputs()[0]);
  else if (fill && failed(emitLinalg(fill)))
    return failure();

  std::function<void(unsigned)> nest = [&](unsigned index) {
    if (index == tile.outer.size())
      return emitTile(tile, init);
    int64_t dim = tile.outer[index];
    loop(number(0), tile.extents[dim], 1, [&](Value iv) {
      tile.ivs[dim] = iv;
      nest(index + 1);
    });
  };
  // How the columns lie decides the form, see above.
  auto strideOf = [&](const View &view, AffineMap map,
                      int64_t dim) -> std::optional<int64_t> {
    int64_t position = findDim(map, dim);
    if (position < 0 || position == view.panelDim)
      return std::nullopt;
    return constant(view.strides[position]);
  };
  int64_t inner = tile.summed.back();
  bool dot = strideOf(tile.columnView, tile.columnMap, inner) == 1 &&
             tile.columnView.panelDim < 0 &&
             strideOf(tile.rowView, tile.rowMap, inner) == 1 &&
             tile.rowView.panelDim < 0 &&
             strideOf(tile.columnView, tile.columnMap, tile.columnDim) != 1;
  tile.vectors =
      dot ? tile.columns : llvm::divideCeil(tile.columns, tile.lanes);
  int64_t registers =
      llvm::divideCeil(tile.lanes * bytes(tile.type), kVectorBytes);
  int64_t accumulators = tile.rows * tile.vectors * registers;
  if (accumulators > kVectorRegisters)
    return op.emitError() << "the tile of " << tile.rows << " x "
                          << tile.columns << " needs " << accumulators
                          << " vector registers for its sums, the host has "
                          << kVectorRegisters
                          << "; tile it smaller by transform.kz.tile_loop";
  if (tile.rows * tile.vectors * tile.unroll > kMostUnrolled)
    return op.emitError() << "a trip of " << tile.unroll
                          << " summed steps writes out "
                          << tile.rows * tile.vectors * tile.unroll
                          << " multiply-adds, at most " << kMostUnrolled
                          << "; tile the summed dimension once more";
  nest(0);
  *scope = std::move(saved);
  return success();
}

namespace {
/// One row (or column, or vector of columns) of an operand: a pointer that
/// several may share, and a constant distance from it.
struct Place {
  Value pointer;
  int64_t distance = 0;
};
} // namespace

void Emitter::emitTile(Tile &tile, Value init) {
  Type type = tile.type;
  int64_t inner = tile.summed.back();
  int64_t innerRow = findDim(tile.rowMap, inner);
  int64_t innerColumn = findDim(tile.columnMap, inner);
  auto isUnit = [&](const View &view, int64_t position) {
    return position >= 0 && position != view.panelDim &&
           constant(view.strides[position]) == 1;
  };
  int64_t columnPosition = findDim(tile.columnMap, tile.columnDim);
  bool dot = isUnit(tile.columnView, innerColumn) &&
             tile.columnView.panelDim < 0 && isUnit(tile.rowView, innerRow) &&
             tile.rowView.panelDim < 0 &&
             !isUnit(tile.columnView, columnPosition);
  int64_t lanes = tile.lanes;

  // Positions of the tile in its operands.
  auto indicesOf = [&](AffineMap map, const SmallVector<Value> &ivs) {
    SmallVector<Value> result;
    for (AffineExpr expr : map.getResults()) {
      Value iv = ivs[cast<AffineDimExpr>(expr).getPosition()];
      result.push_back(iv ? iv : number(0));
    }
    return result;
  };
  Value rowBase = address(tile.rowView, indicesOf(tile.rowMap, tile.ivs));
  Value columnBase =
      address(tile.columnView, indicesOf(tile.columnMap, tile.ivs));
  Value resultBase = address(tile.result, indicesOf(tile.resultMap, tile.ivs));
  std::optional<int64_t> knownRows = constant(tile.rowsInside);
  std::optional<int64_t> knownColumns = constant(tile.columnsInside);
  bool allRows = knownRows == tile.rows,
       allColumns = knownColumns == tile.columns;

  // Where `count` pieces `step` apart along `dim` start; pieces outside of the
  // tile read one that is inside.
  auto placesOf = [&](const View &view, Value base, int64_t position,
                      int64_t count, int64_t step, Value inside, bool all) {
    SmallVector<Place> places;
    for (int64_t index = 0; index < count; ++index) {
      int64_t at = index * step;
      if (position < 0 || at == 0) {
        places.push_back({base, 0});
      } else if (position == view.panelDim) {
        int64_t panel = at / view.panelWidth;
        Value number_ = number(panel);
        if (!all && panel)
          number_ = minimum(number_,
                            sub(ceilDiv(inside, view.panelWidth), number(1)));
        places.push_back(
            {offset(base, view.element, mul(number_, view.panelStride)),
             at % view.panelWidth});
      } else {
        std::optional<int64_t> stride = constant(view.strides[position]);
        if ((all || step > 1) && stride)
          places.push_back({base, at * *stride});
        else
          places.push_back(
              {offset(base, view.element,
                      mul(all || step > 1
                              ? number(at)
                              : minimum(number(at), sub(inside, number(1))),
                          view.strides[position])),
               0});
      }
    }
    return places;
  };
  int64_t rowPosition = findDim(tile.rowMap, tile.rowDim);
  int64_t columnStep = dot ? 1 : lanes;
  bool rowsUnaligned = rowPosition >= 0 &&
                       rowPosition == tile.rowView.panelDim &&
                       tile.rowView.panelOffset;
  bool columnsInPanels =
      columnPosition >= 0 && columnPosition == tile.columnView.panelDim;
  bool gather = !dot && columnPosition >= 0 &&
                (columnsInPanels ? (tile.columnView.panelOffset ||
                                    tile.columnView.panelWidth % lanes)
                                 : !isUnit(tile.columnView, columnPosition));
  SmallVector<Place> rows, columns;
  if (!rowsUnaligned)
    rows = placesOf(tile.rowView, rowBase, rowPosition, tile.rows, 1,
                    tile.rowsInside, allRows);
  if (!gather)
    columns =
        placesOf(tile.columnView, columnBase, columnPosition, tile.vectors,
                 columnStep, tile.columnsInside, allColumns);

  // Vectors that reach beyond the columns: panels are filled up, memory is not.
  SmallVector<Value> columnMasks(tile.vectors);
  if (!dot)
    for (int64_t j = 0; j < tile.vectors; ++j)
      if (!allColumns || (j + 1) * lanes > tile.columns)
        columnMasks[j] =
            maskBelow(sub(tile.columnsInside, number(j * lanes)), lanes);

  auto applyCasts = [&](Value value, ArrayRef<Operation *> casts) {
    auto vector = dyn_cast<VectorType>(value.getType());
    for (Operation *op : casts) {
      IRMapping mapping;
      mapping.map(op->getOperand(0), value);
      value = vectorized(op, mapping, vector ? vector.getNumElements() : 0);
    }
    return value;
  };
  auto accumulate = [&](Value x, Value y, Value sum) -> Value {
    if (isa<FloatType>(type))
      return math::FmaOp::create(b, loc, x, y, sum);
    return arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, x, y),
                                 sum);
  };

  //===--------------------------------------------------------------------===//
  // Initial values
  //===--------------------------------------------------------------------===//

  int64_t resultRow = findDim(tile.resultMap, tile.rowDim);
  bool resultUnit = tile.columnDim < 0 ||
                    isUnit(tile.result, tile.resultMap.getNumResults() - 1);
  auto resultPointer = [&](int64_t i, Value row, int64_t j) {
    Value pointer = resultBase;
    if (resultRow >= 0)
      pointer =
          offset(pointer, type,
                 mul(row ? row : number(i), tile.result.strides[resultRow]));
    if (tile.columnDim >= 0)
      pointer =
          offset(pointer, type, mul(number(j), tile.result.strides.back()));
    return pointer;
  };
  auto clampedRow = [&](int64_t i) {
    return allRows || i == 0
               ? number(i)
               : minimum(number(i), sub(tile.rowsInside, number(1)));
  };
  auto clampedColumn = [&](int64_t j) {
    return allColumns ? number(std::min(j, tile.columns - 1))
                      : minimum(number(j), sub(tile.columnsInside, number(1)));
  };
  int64_t count = tile.rows * tile.vectors;
  SmallVector<Value> sums(count);
  if (init || dot) {
    for (Value &sum : sums)
      sum = init && !dot ? splat(init, lanes)
                         : zero(VectorType::get(lanes, type));
  } else {
    for (int64_t i = 0; i < tile.rows; ++i)
      for (int64_t j = 0; j < tile.vectors; ++j) {
        Value &sum = sums[i * tile.vectors + j];
        if (resultUnit) {
          sum = load(resultPointer(i, clampedRow(i), j * lanes), type, lanes,
                     columnMasks[j]);
          continue;
        }
        sum = zero(VectorType::get(lanes, type));
        for (int64_t lane = 0; lane < lanes; ++lane) {
          Value pointer = resultPointer(i, clampedRow(i), 0);
          pointer = offset(
              pointer, type,
              mul(clampedColumn(j * lanes + lane), tile.result.strides.back()));
          sum = vector::InsertOp::create(b, loc, load(pointer, type, 0), sum,
                                         lane);
        }
      }
  }

  //===--------------------------------------------------------------------===//
  // Sums
  //===--------------------------------------------------------------------===//

  // One step (or, for partial sums, one vector) along the innermost summed
  // dimension, `ahead` elements behind `k`; `shift` moves the pointers by the
  // summed dimensions around it.
  SmallVector<Value> ivs(tile.ivs);
  auto advance = [&](const View &view, AffineMap map, Value pointer) {
    for (int64_t dim : tile.summed) {
      int64_t position = findDim(map, dim);
      if (position >= 0 && ivs[dim])
        pointer = offset(pointer, view.element,
                         mul(ivs[dim], view.strides[position]));
    }
    return pointer;
  };
  auto trip = [&](int64_t copies, Value mask, ValueRange carried) {
    SmallVector<Value> result(carried);
    llvm::SmallDenseMap<Value, Value> movedRows, movedColumns;
    auto moved = [&](llvm::SmallDenseMap<Value, Value> &cache, const View &view,
                     AffineMap map, Value pointer) {
      Value &entry = cache[pointer];
      if (!entry)
        entry = advance(view, map, pointer);
      return entry;
    };
    int64_t stride = dot ? lanes : 1;
    for (int64_t copy = 0; copy < copies; ++copy) {
      auto at = [&](const View &view, int64_t position, Value pointer,
                    int64_t distance) {
        if (position >= 0 && copy) {
          if (std::optional<int64_t> known = constant(view.strides[position]))
            distance += copy * stride * *known;
          else
            pointer =
                offset(pointer, view.element,
                       mul(number(copy * stride), view.strides[position]));
        }
        return offset(pointer, view.element, distance);
      };
      SmallVector<Value> columnVectors;
      for (int64_t j = 0; j < tile.vectors; ++j) {
        Value value;
        if (gather) {
          value = zero(VectorType::get(lanes, tile.columnView.element));
          for (int64_t lane = 0; lane < lanes; ++lane) {
            SmallVector<Value> where(ivs);
            where[inner] = add(ivs[inner], number(copy));
            SmallVector<Value> indices = indicesOf(tile.columnMap, where);
            indices[columnPosition] = clampedColumn(j * lanes + lane);
            Value one = load(address(tile.columnView, indices),
                             tile.columnView.element, 0);
            value = vector::InsertOp::create(b, loc, one, value, lane);
          }
        } else {
          Value pointer = at(tile.columnView, innerColumn,
                             moved(movedColumns, tile.columnView,
                                   tile.columnMap, columns[j].pointer),
                             columns[j].distance);
          if (columnPosition < 0 && !dot)
            value = splat(load(pointer, tile.columnView.element, 0), lanes);
          else
            value = load(pointer, tile.columnView.element, lanes,
                         dot               ? mask
                         : columnsInPanels ? Value()
                                           : columnMasks[j]);
        }
        columnVectors.push_back(applyCasts(value, tile.columnCasts));
      }
      for (int64_t i = 0; i < tile.rows; ++i) {
        Value value;
        if (rowsUnaligned) {
          SmallVector<Value> where(ivs);
          where[inner] = add(ivs[inner], number(copy));
          SmallVector<Value> indices = indicesOf(tile.rowMap, where);
          indices[rowPosition] = clampedRow(i);
          value = load(address(tile.rowView, indices), tile.rowView.element, 0);
        } else {
          Value pointer =
              at(tile.rowView, innerRow,
                 moved(movedRows, tile.rowView, tile.rowMap, rows[i].pointer),
                 rows[i].distance);
          value = load(pointer, tile.rowView.element, dot ? lanes : 0,
                       dot ? mask : Value());
        }
        value = applyCasts(value, tile.rowCasts);
        if (!dot)
          value = splat(value, lanes);
        for (int64_t j = 0; j < tile.vectors; ++j) {
          Value &sum = result[i * tile.vectors + j];
          sum = accumulate(value, columnVectors[j], sum);
        }
      }
    }
    return result;
  };
  std::function<SmallVector<Value>(unsigned, ValueRange)> sumUp =
      [&](unsigned index, ValueRange carried) -> SmallVector<Value> {
    int64_t dim = tile.summed[index];
    Value extent = tile.extents[dim];
    if (index + 1 < tile.summed.size())
      return loop(number(0), extent, 1, carried,
                  [&](Value iv, ValueRange inside) {
                    ivs[dim] = iv;
                    return sumUp(index + 1, inside);
                  });
    int64_t width = dot ? lanes : 1, stride = tile.unroll * width;
    if (dot && tile.unroll > 1 && range(extent).high &&
        *range(extent).high < stride)
      stride = width;
    Value whole = mul(floorDiv(extent, stride), number(stride));
    SmallVector<Value> result = loop(number(0), whole, stride, carried,
                                     [&](Value iv, ValueRange inside) {
                                       ivs[dim] = iv;
                                       return trip(stride / width, {}, inside);
                                     });
    Value full = mul(floorDiv(extent, width), number(width));
    result = loop(whole, full, width, result, [&](Value iv, ValueRange inside) {
      ivs[dim] = iv;
      return trip(1, {}, inside);
    });
    if (dot)
      result =
          loop(full, extent, width, result, [&](Value iv, ValueRange inside) {
            ivs[dim] = iv;
            return trip(1, maskBelow(sub(extent, iv), lanes), inside);
          });
    ivs[dim] = Value();
    return result;
  };
  sums = sumUp(0, sums);

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  Operation *combiner = nullptr;
  for (Operation &op : *tile.op.getBlock())
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      combiner = &op;
  auto inside = [&](Value limit, int64_t index, bool all,
                    llvm::function_ref<void()> body) {
    if (all || index == 0)
      return body();
    when(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, limit,
                               number(index)),
         body);
  };
  auto storeAll = [&](bool whole) {
    for (int64_t i = 0; i < tile.rows; ++i)
      inside(tile.rowsInside, i, whole || allRows, [&] {
        for (int64_t j = 0; j < tile.vectors; ++j) {
          Value sum = sums[i * tile.vectors + j];
          if (!dot && resultUnit && tile.columnDim >= 0) {
            Value mask = whole && (j + 1) * lanes <= tile.columns
                             ? Value()
                             : columnMasks[j];
            store(sum, resultPointer(i, {}, j * lanes), mask);
            continue;
          }
          if (dot) {
            inside(tile.columnsInside, j, whole || allColumns, [&] {
              Value total = reduceLanes(combiner, sum);
              Value pointer = resultPointer(i, {}, j);
              Value before = init ? init : load(pointer, type, 0);
              IRMapping mapping;
              mapping.map(combiner->getOperand(0), before);
              mapping.map(combiner->getOperand(1), total);
              store(vectorized(combiner, mapping, 0), pointer);
            });
            continue;
          }
          for (int64_t lane = 0;
               lane < lanes && j * lanes + lane < tile.columns; ++lane)
            inside(tile.columnsInside, j * lanes + lane, whole || allColumns,
                   [&] {
                     store(vector::ExtractOp::create(b, loc, sum, lane),
                           resultPointer(i, {}, j * lanes + lane));
                   });
        }
      });
  };
  if (allRows && allColumns)
    return storeAll(true);
  auto equals = [&](Value value, int64_t size) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value,
                                 number(size));
  };
  Value whole =
      arith::AndIOp::create(b, loc, equals(tile.rowsInside, tile.rows),
                            equals(tile.columnsInside, tile.columns));
  when(whole, [&] { storeAll(true); }, [&] { storeAll(false); });
}
