//===- IndexFacts.cpp - what is known of a coordinate ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "IndexFacts.h"
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace kernelzero::kz::tile;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

std::optional<Interval> IndexFacts::getInterval(Value value) {
  if (auto it = intervals.find(value); it != intervals.end())
    return it->second;
  // Values that loops carry come back to themselves: unknown meanwhile.
  intervals[value] = std::nullopt;
  std::optional<Interval> interval = computeInterval(value);
  for (auto [bounded, high] : upperBounds)
    if (bounded == value && interval && interval->low <= high)
      interval->high = std::min(interval->high, high);
  intervals[value] = interval;
  return interval;
}

IndexFacts::Assumption::Assumption(IndexFacts &facts, Value condition)
    : facts(facts) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  bool strict =
      llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::ult},
                         compare.getPredicate());
  bool loose =
      llvm::is_contained({arith::CmpIPredicate::sle, arith::CmpIPredicate::ule},
                         compare.getPredicate());
  std::optional<Interval> limit = facts.getInterval(compare.getRhs());
  if (!limit || !(strict || loose))
    return;
  facts.upperBounds.push_back({compare.getLhs(), limit->high - strict});
  facts.intervals.clear();
  holds = true;
}

IndexFacts::Assumption::~Assumption() {
  if (!holds)
    return;
  facts.upperBounds.pop_back();
  facts.intervals.clear();
}

std::optional<Interval> IndexFacts::computeInterval(Value value) {
  if (std::optional<int64_t> constant = constantOf(value))
    return Interval{*constant, *constant};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    std::optional<Interval> low = getInterval(loop.getLowerBound());
    std::optional<Interval> high = getInterval(loop.getUpperBound());
    if (!low || !high)
      return std::nullopt;
    int64_t last = high->high - 1;
    // A constant step from a constant start ends at a known number.
    std::optional<int64_t> step = constantOf(loop.getStep());
    if (step && *step > 0 && low->low == low->high && last >= low->low)
      last = low->low + (last - low->low) / *step * *step;
    return Interval{low->low, std::max(low->low, last)};
  }
  auto binary =
      [&](Operation *op,
          function_ref<std::optional<Interval>(Interval, Interval)> combine)
      -> std::optional<Interval> {
    std::optional<Interval> a = getInterval(op->getOperand(0));
    std::optional<Interval> b = getInterval(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return combine(*a, *b);
  };
  auto products = [](Interval a, Interval b) -> std::optional<Interval> {
    int64_t values[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                        a.high * b.high};
    return Interval{*std::min_element(values, values + 4),
                    *std::max_element(values, values + 4)};
  };
  auto quotient = [](Interval a, Interval b) -> std::optional<Interval> {
    if (a.low < 0 || b.low < 1)
      return std::nullopt;
    return Interval{a.low / b.high, a.high / b.low};
  };
  auto remainder = [](Interval a, Interval b) -> std::optional<Interval> {
    if (a.low < 0 || b.low < 1)
      return std::nullopt;
    if (a.high < b.low)
      return a;
    return Interval{0, std::min(a.high, b.high - 1)};
  };
  auto smaller = [](Interval a, Interval b) -> std::optional<Interval> {
    return Interval{std::min(a.low, b.low), std::min(a.high, b.high)};
  };
  auto greater = [](Interval a, Interval b) -> std::optional<Interval> {
    return Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
  };
  Operation *op = value.getDefiningOp();
  return llvm::TypeSwitch<Operation *, std::optional<Interval>>(op)
      .Case([&](BlockIdOp id) {
        auto kernel = id->getParentOfType<KernelOp>();
        return Interval{0, kernel.getGrid()[id.getDim()] - 1};
      })
      .Case([&](IndexOp index) {
        auto map = cast<MapOp>(index->getParentOp());
        auto tile = cast<TileType>(map.getResultTypes()[0]);
        return Interval{0, tile.getShape()[index.getDim()] - 1};
      })
      .Case([&](arith::AddIOp) {
        return binary(op, [](Interval a, Interval b) {
          return Interval{a.low + b.low, a.high + b.high};
        });
      })
      .Case([&](arith::SubIOp) {
        return binary(op, [](Interval a, Interval b) {
          return Interval{a.low - b.high, a.high - b.low};
        });
      })
      .Case([&](arith::MulIOp) { return binary(op, products); })
      .Case<arith::DivUIOp, arith::DivSIOp>(
          [&](Operation *) { return binary(op, quotient); })
      .Case<arith::RemUIOp, arith::RemSIOp>(
          [&](Operation *) { return binary(op, remainder); })
      .Case<arith::MinUIOp, arith::MinSIOp>(
          [&](Operation *) { return binary(op, smaller); })
      .Case<arith::MaxUIOp, arith::MaxSIOp>(
          [&](Operation *) { return binary(op, greater); })
      .Case([&](arith::CeilDivUIOp) {
        return binary(op,
                      [](Interval a, Interval b) -> std::optional<Interval> {
                        if (a.low < 0 || b.low < 1)
                          return std::nullopt;
                        return Interval{(a.low + b.high - 1) / b.high,
                                        (a.high + b.low - 1) / b.low};
                      });
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](Operation *) { return getInterval(op->getOperand(0)); })
      .Case([&](arith::SelectOp select) -> std::optional<Interval> {
        std::optional<Interval> a = getInterval(select.getTrueValue());
        std::optional<Interval> b = getInterval(select.getFalseValue());
        if (!a || !b)
          return std::nullopt;
        return Interval{std::min(a->low, b->low), std::max(a->high, b->high)};
      })
      .Default([](Operation *) { return std::nullopt; });
}

int64_t IndexFacts::getDivisor(Value value) {
  if (std::optional<int64_t> constant = constantOf(value))
    return std::abs(*constant);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::gcd(getDivisor(loop.getLowerBound()),
                    getDivisor(loop.getStep()));
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::MulIOp>(op))
    return getDivisor(op->getOperand(0)) * getDivisor(op->getOperand(1));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinUIOp, arith::MinSIOp,
          arith::MaxUIOp, arith::MaxSIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return std::gcd(getDivisor(op->getOperand(0)),
                    getDivisor(op->getOperand(1)));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return std::gcd(getDivisor(select.getTrueValue()),
                    getDivisor(select.getFalseValue()));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return getDivisor(op->getOperand(0));
  if (auto shift = dyn_cast<arith::ShLIOp>(op))
    if (std::optional<int64_t> bits = constantOf(shift.getRhs()))
      return getDivisor(shift.getLhs()) << *bits;
  return 1;
}
