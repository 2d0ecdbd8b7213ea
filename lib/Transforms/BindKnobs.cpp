//===- BindKnobs.cpp - write the values of knobs into a schedule ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "KernelZero/Transforms/Skeleton.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

/// A value as scripts spell it: without the type of a number.
static std::string spell(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto list = dyn_cast<ArrayAttr>(value)) {
    llvm::interleaveComma(list, os,
                          [&](Attribute entry) { os << spell(entry); });
    return text;
  }
  if (auto word = dyn_cast<StringAttr>(value))
    os << word.getValue();
  else if (auto integer = dyn_cast<IntegerAttr>(value))
    os << integer.getInt();
  else
    os << value;
  return text;
}

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
      return step->emitOpError() << "takes " << spell(value)
                                 << " from a knob; an integer is needed";
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
           << "takes " << spell(value) << " from a knob; an integer is needed";
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
           << "takes " << spell(value) << " from a knob; a word is needed";
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

/// The region that an alternatives step is known to take, by its own
/// attribute, by a knob, or by `values`; -1 after an error.
static int64_t findRegion(transform::tune::AlternativesOp choice,
                          const std::map<std::string, Attribute> &values) {
  int64_t regions = choice.getAlternatives().size();
  Attribute value;
  auto look = [&](StringRef name) {
    auto found = values.find(name.str());
    return found == values.end() ? Attribute() : found->second;
  };
  if (Value param = choice.getSelectedRegionParam()) {
    if (auto knob = param.getDefiningOp<transform::tune::KnobOp>()) {
      value = look(knob.getName());
      if (!value)
        value = knob.getSelectedAttr();
    }
  } else if (!(value = look(choice.getName()))) {
    value = choice.getSelectedRegionAttrAttr();
  }
  if (!value) {
    choice.emitOpError() << "'" << choice.getName().getValue()
                         << "' has no value; its regions are 0 to "
                         << regions - 1;
    return -1;
  }
  auto integer = dyn_cast<IntegerAttr>(value);
  if (integer && integer.getInt() >= 0 && integer.getInt() < regions)
    return integer.getInt();
  choice.emitOpError() << "'" << choice.getName().getValue() << "' cannot be "
                       << spell(value) << "; its regions are 0 to "
                       << regions - 1;
  return -1;
}

/// Puts the chosen region of every alternatives step in the step's place, the
/// outer ones first, so that choices in dropped regions need no value.
static LogicalResult
bindAlternatives(ModuleOp module,
                 const std::map<std::string, Attribute> &values) {
  while (true) {
    transform::tune::AlternativesOp choice;
    module.walk<WalkOrder::PreOrder>([&](transform::tune::AlternativesOp op) {
      choice = op;
      return WalkResult::interrupt();
    });
    if (!choice)
      return success();
    int64_t index = findRegion(choice, values);
    if (index < 0)
      return failure();
    Block &block = choice.getAlternatives()[index].front();
    Operation *yield = block.getTerminator();
    choice->replaceAllUsesWith(yield->getOperands());
    yield->erase();
    choice->getBlock()->getOperations().splice(choice->getIterator(),
                                               block.getOperations());
    choice->erase();
  }
}

LogicalResult
kernelzero::bindKnobs(ModuleOp module,
                      const std::map<std::string, Attribute> &values) {
  bool failed = false;
  SmallVector<transform::tune::KnobOp> knobs;
  // Of all choices, also those that another choice drops.
  llvm::StringSet<> names;
  module.walk([&](Operation *op) {
    if (auto knob = dyn_cast<transform::tune::KnobOp>(op))
      names.insert(knob.getName());
    else if (auto choice = dyn_cast<transform::tune::AlternativesOp>(op))
      names.insert(choice.getName());
  });
  if (mlir::failed(bindAlternatives(module, values)))
    return failure();
  module.walk([&](transform::tune::KnobOp knob) {
    knobs.push_back(knob);
    auto found = values.find(knob.getName().str());
    if (found == values.end()) {
      if (!knob.getSelectedAttr()) {
        knob.emitOpError() << "'" << knob.getName().getValue()
                           << "' has no value; options are "
                           << spell(knob.getOptions());
        failed = true;
      }
      return;
    }
    auto options = dyn_cast<ArrayAttr>(knob.getOptions());
    if (options && !llvm::is_contained(options, found->second)) {
      knob.emitOpError() << "'" << knob.getName().getValue() << "' cannot be "
                         << spell(found->second) << "; options are "
                         << spell(options);
      failed = true;
      return;
    }
    knob.setSelectedAttr(found->second);
  });
  for (const auto &[name, value] : values)
    if (!names.contains(name)) {
      module.emitError() << "the schedule has no knob '" << name << "'";
      failed = true;
    }
  if (failed)
    return failure();
  module.walk([&](Operation *step) {
    if (isa_and_nonnull<transform::TransformDialect>(step->getDialect()) &&
        mlir::failed(foldParams(step)))
      failed = true;
  });
  // Other readers (a parameter constraint, say) keep the selected knob.
  for (transform::tune::KnobOp knob : knobs)
    if (knob->use_empty())
      knob.erase();
  return failure(failed);
}
