//===- BindKnobs.cpp - write the values of knobs into a schedule ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

/// The value that a param is known to hold without running the schedule.
static Attribute getKnownValue(Value param) {
  if (auto knob = param.getDefiningOp<transform::tune::KnobOp>())
    return knob.getSelectedAttr();
  return nullptr;
}

/// Moves known values of `params` into the list of numbers beside them.
template <typename Setter>
static LogicalResult foldList(Operation *step, MutableOperandRange params,
                              ArrayRef<int64_t> numbers, Setter set) {
  SmallVector<int64_t> folded(numbers);
  unsigned next = 0;
  for (int64_t &number : folded) {
    if (!ShapedType::isDynamic(number))
      continue;
    Attribute value = getKnownValue(params[next].get());
    if (!value) {
      ++next;
      continue;
    }
    auto integer = dyn_cast<IntegerAttr>(value);
    if (!integer)
      return step->emitOpError()
             << "takes " << value << " from a knob; an integer is needed";
    number = integer.getInt();
    params.erase(next);
  }
  set(folded);
  return success();
}

template <typename Setter>
static LogicalResult foldNumber(Operation *step, MutableOperandRange param,
                                Setter set) {
  Attribute value = param.empty() ? Attribute() : getKnownValue(param[0].get());
  if (!value)
    return success();
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer)
    return step->emitOpError()
           << "takes " << value << " from a knob; an integer is needed";
  param.clear();
  set(Builder(step->getContext()).getI64IntegerAttr(integer.getInt()));
  return success();
}

template <typename Setter>
static LogicalResult foldWord(Operation *step, MutableOperandRange param,
                              Setter set) {
  Attribute value = param.empty() ? Attribute() : getKnownValue(param[0].get());
  if (!value)
    return success();
  auto word = dyn_cast<StringAttr>(value);
  if (!word)
    return step->emitOpError()
           << "takes " << value << " from a knob; a word is needed";
  param.clear();
  set(StringAttr::get(step->getContext(), word.getValue()));
  return success();
}

/// Writes the values of selected knobs into the attributes of `step`.
static LogicalResult foldParams(Operation *step) {
  auto all = [](std::initializer_list<LogicalResult> results) {
    return success(
        llvm::all_of(results, [](LogicalResult r) { return succeeded(r); }));
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(step)
      .Case([&](kz::TileGridOp op) {
        return all({foldList(op, op.getTileMutable(), op.getStaticTile(),
                             [&](ArrayRef<int64_t> v) { op.setStaticTile(v); }),
                    foldNumber(op, op.getGroupMMutable(), [&](IntegerAttr v) {
                      op.setStaticGroupMAttr(v);
                    })});
      })
      .Case([&](kz::TileLoopOp op) {
        return foldList(op, op.getTileMutable(), op.getStaticTile(),
                        [&](ArrayRef<int64_t> v) { op.setStaticTile(v); });
      })
      .Case([&](kz::StageOp op) {
        return all(
            {foldWord(op, op.getCopyMutable(),
                      [&](StringAttr v) { op.setStaticCopyAttr(v); }),
             foldNumber(op, op.getSwizzleMutable(),
                        [&](IntegerAttr v) { op.setStaticSwizzleAttr(v); }),
             foldNumber(op, op.getWidthMutable(),
                        [&](IntegerAttr v) { op.setStaticWidthAttr(v); }),
             foldNumber(op, op.getPanelsMutable(),
                        [&](IntegerAttr v) { op.setStaticPanelsAttr(v); }),
             op.getChunk().empty()
                 ? success()
                 : foldList(
                       op, op.getChunkMutable(), *op.getStaticChunk(),
                       [&](ArrayRef<int64_t> v) { op.setStaticChunk(v); })});
      })
      .Case([&](kz::PipelineOp op) {
        return foldNumber(op, op.getStagesMutable(),
                          [&](IntegerAttr v) { op.setStaticStagesAttr(v); });
      })
      .Case([&](kz::TileWarpsOp op) {
        return foldList(op, op.getCountsMutable(), op.getStaticCounts(),
                        [&](ArrayRef<int64_t> v) { op.setStaticCounts(v); });
      })
      .Case([&](kz::TileThreadsOp op) {
        return all(
            {foldNumber(op, op.getThreadsMutable(),
                        [&](IntegerAttr v) { op.setStaticThreadsAttr(v); }),
             foldNumber(op, op.getVectorMutable(),
                        [&](IntegerAttr v) { op.setStaticVectorAttr(v); })});
      })
      .Case([&](kz::MmaOp op) {
        return foldList(op, op.getShapeMutable(), op.getStaticShape(),
                        [&](ArrayRef<int64_t> v) { op.setStaticShape(v); });
      })
      .Case([&](kz::WarpSpecializeOp op) {
        return foldList(op, op.getRegistersMutable(), op.getStaticRegisters(),
                        [&](ArrayRef<int64_t> v) { op.setStaticRegisters(v); });
      })
      .Case([&](kz::MathOp op) {
        return all(
            {foldWord(op, op.getFunctionMutable(),
                      [&](StringAttr v) { op.setStaticFunctionAttr(v); }),
             foldNumber(op, op.getUlpMutable(),
                        [&](IntegerAttr v) { op.setStaticUlpAttr(v); })});
      })
      .Case([&](kz::VectorizeOp op) {
        return all(
            {foldNumber(op, op.getLanesMutable(),
                        [&](IntegerAttr v) { op.setStaticLanesAttr(v); }),
             foldNumber(op, op.getInterleaveMutable(), [&](IntegerAttr v) {
               op.setStaticInterleaveAttr(v);
             })});
      })
      .Case([&](kz::UnrollOp op) {
        return foldNumber(op, op.getFactorMutable(),
                          [&](IntegerAttr v) { op.setStaticFactorAttr(v); });
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult
kernelzero::bindKnobs(ModuleOp module,
                      const std::map<std::string, Attribute> &values) {
  bool failed = false;
  SmallVector<transform::tune::KnobOp> knobs;
  module.walk([&](transform::tune::KnobOp knob) {
    knobs.push_back(knob);
    auto found = values.find(knob.getName().str());
    if (found == values.end()) {
      if (!knob.getSelectedAttr()) {
        knob.emitOpError() << "'" << knob.getName()
                           << "' has no value; options are "
                           << knob.getOptions();
        failed = true;
      }
      return;
    }
    auto options = dyn_cast<ArrayAttr>(knob.getOptions());
    if (options && !llvm::is_contained(options, found->second)) {
      knob.emitOpError() << "'" << knob.getName() << "' cannot be "
                         << found->second << "; options are " << options;
      failed = true;
      return;
    }
    knob.setSelectedAttr(found->second);
  });
  for (const auto &[name, value] : values)
    if (llvm::none_of(knobs, [&, &name = name](transform::tune::KnobOp knob) {
          return knob.getName() == name;
        })) {
      module.emitError() << "the schedule has no knob '" << name << "'";
      failed = true;
    }
  if (failed)
    return failure();
  module.walk([&](Operation *step) {
    if (isa<transform::TransformDialect>(step->getDialect()) &&
        mlir::failed(foldParams(step)))
      failed = true;
  });
  // Other readers (a parameter constraint, say) keep the selected knob.
  for (transform::tune::KnobOp knob : knobs)
    if (knob->use_empty())
      knob.erase();
  return failure(failed);
}
