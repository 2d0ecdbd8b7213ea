//===- TileEmitter.cpp - values, threads, control flow of a kernel --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MmaSync.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero::kz;
using namespace kernelzero::kz::tile;

TileEmitter::TileEmitter(KernelOp kernel, OpBuilder &moduleBuilder,
                         StringRef sharedSymbol)
    : b(kernel.getLoc(), kernel.getContext()), kernel(kernel),
      moduleBuilder(moduleBuilder), sharedSymbol(sharedSymbol) {}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static Type pointerType(MLIRContext *context, unsigned space) {
  return LLVM::LLVMPointerType::get(context, space);
}

FailureOr<LLVM::LLVMFuncOp> TileEmitter::run() {
  MLIRContext *context = kernel.getContext();
  auto voidType = LLVM::LLVMVoidType::get(context);
  function = LLVM::LLVMFuncOp::create(
      moduleBuilder, kernel.getLoc(), kernel.getSymName(),
      LLVM::LLVMFunctionType::get(voidType, {}));
  Block *entry = function.addEntryBlock(moduleBuilder);
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    Value pointer =
        entry->addArgument(pointerType(context, 1), argument.getLoc());
    arguments.emplace_back().buffer = argument.getArgNumber();
    bind(argument, pointer);
  }

  b.setInsertionPointToStart(entry);
  sharedBase =
      LLVM::AddressOfOp::create(b, pointerType(context, 3), sharedSymbol);
  lastConstant = sharedBase.getDefiningOp();
  pushRole(0, kernel.getThreads(), 0);
  LogicalResult result = emitBlock(kernel.getBody().front());
  if (succeeded(result)) {
    LLVM::ReturnOp::create(b, ValueRange());
    prefetchMaps();
  }
  popRole();
  if (failed(result)) {
    function.erase();
    return failure();
  }
  if (sharedBase.use_empty())
    sharedBase.getDefiningOp()->erase();
  attachLaunch();
  return function;
}

void TileEmitter::attachLaunch() {
  Builder builder(kernel.getContext());
  Block &entry = function.getBody().front();
  // A buffer that is only reached through tensor maps needs no pointer.
  for (unsigned i = arguments.size(); i-- > 0;)
    if (!arguments[i].used) {
      entry.eraseArgument(i);
      arguments.erase(arguments.begin() + i);
    }

  SmallVector<Type> types(entry.getArgumentTypes());
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), types));
  SmallVector<Attribute> records;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    DictionaryAttr bound = kernel.getArgAttrDict(argument.buffer);
    NamedAttrList record;
    if (Attribute workspace = bound.get(kWorkspace))
      record.set("workspace", workspace);
    else if (Attribute buffer = bound.get(kBuffer))
      record.set("buffer", buffer);
    else
      record.set("buffer", builder.getI64IntegerAttr(argument.buffer));
    record.set(
        "type",
        TypeAttr::get(kernel.getBody().getArgument(argument.buffer).getType()));
    if (argument.written)
      record.set("written", builder.getUnitAttr());
    if (argument.isMap) {
      record.set("box", builder.getDenseI64ArrayAttr(argument.box));
      record.set("swizzle", builder.getI64IntegerAttr(argument.swizzle));
      function.setArgAttr(
          index, LLVM::LLVMDialect::getByValAttrName(),
          TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(), 128)));
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(64));
      function.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(),
                          builder.getUnitAttr());
    } else {
      // Buffers do not overlap and the driver aligns them.
      function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(16));
      if (!argument.written)
        function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(),
                            builder.getUnitAttr());
    }
    records.push_back(record.getDictionary(kernel.getContext()));
  }

  int64_t threads = kernel.getThreads();
  NamedAttrList launch;
  launch.set("grid", builder.getDenseI64ArrayAttr(kernel.getGrid()));
  launch.set("block", builder.getDenseI64ArrayAttr({threads, 1, 1}));
  if (std::optional<ArrayRef<int64_t>> cluster = kernel.getCluster();
      cluster &&
      llvm::any_of(*cluster, [](int64_t size) { return size > 1; })) {
    launch.set("cluster", builder.getDenseI64ArrayAttr(*cluster));
    SmallVector<int32_t> sizes(cluster->begin(), cluster->end());
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr(sizes));
  }
  launch.set("shared", builder.getI64IntegerAttr(sharedBytes));
  launch.set("arguments", builder.getArrayAttr(records));
  function->setAttr("kz.launch", launch.getDictionary(kernel.getContext()));
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads)}));
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(1));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value TileEmitter::lookup(Value value) { return values.lookup(value).front(); }

void TileEmitter::bind(Value value, ArrayRef<Value> list) {
  unpackedTiles.erase(value);
  values[value].assign(list.begin(), list.end());
}

LLVM::LLVMStructType TileEmitter::structOf(Type element, int64_t count) {
  return LLVM::LLVMStructType::getLiteral(element.getContext(),
                                          SmallVector<Type>(count, element));
}

int64_t TileEmitter::registersPerStruct(Value tile) {
  auto ofProduct = [](MmaOp op) -> int64_t {
    return isWgmma(op) ? op.getMma().getShape()[1] / 2 : 0;
  };
  if (auto product = tile.getDefiningOp<MmaOp>())
    return ofProduct(product);
  if (auto wait = tile.getDefiningOp<MmaWaitOp>())
    return wait.getPending() ? registersPerStruct(wait.getAcc()) : 0;
  // What a loop carries is what the product in it takes and gives.
  if (auto loop = tile.getDefiningOp<scf::ForOp>())
    return registersPerStruct(
        loop.getRegionIterArg(cast<OpResult>(tile).getResultNumber()));
  if (isa<BlockArgument>(tile))
    for (Operation *user : tile.getUsers())
      if (auto product = dyn_cast<MmaOp>(user);
          product && product.getAcc() == tile)
        return ofProduct(product);
  return 0;
}

ArrayRef<Value> TileEmitter::registers(Value tile) {
  auto it = values.find(tile);
  SmallVector<Value> &held = it->second;
  if (held.empty() || !isa<LLVM::LLVMStructType>(held.front().getType()))
    return held;
  SmallVector<Value> &unpacked = unpackedTiles[tile];
  if (!unpacked.empty())
    return unpacked;
  // Right behind the structs, so that every later use is dominated.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(held.back());
  for (Value aggregate : held) {
    int64_t count =
        cast<LLVM::LLVMStructType>(aggregate.getType()).getBody().size();
    for (int64_t i = 0; i < count; ++i)
      unpacked.push_back(LLVM::ExtractValueOp::create(b, aggregate, i));
  }
  return unpacked;
}

SmallVector<Value> TileEmitter::packed(Value tile, int64_t perStruct) {
  SmallVector<Value> held = values.lookup(tile);
  if (held.empty() || isa<LLVM::LLVMStructType>(held.front().getType()))
    return held;
  SmallVector<Value> result;
  for (size_t start = 0; start < held.size(); start += perStruct) {
    ArrayRef<Value> part = ArrayRef(held).slice(start, perStruct);
    Type type = structOf(part.front().getType(), perStruct);
    // Zeros as one constant: the first product then needs no accumulators.
    if (llvm::all_of(part, [](Value value) {
          return matchPattern(value, m_AnyZeroFloat());
        })) {
      result.push_back(LLVM::ZeroOp::create(b, type));
      continue;
    }
    Value aggregate = LLVM::PoisonOp::create(b, type);
    for (auto [index, value] : llvm::enumerate(part))
      aggregate = LLVM::InsertValueOp::create(b, aggregate, value, index);
    result.push_back(aggregate);
  }
  return result;
}

Type TileEmitter::storedType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

int64_t TileEmitter::storedBytes(Type element) {
  return storedType(element).getIntOrFloatBitWidth() / 8;
}

Value TileEmitter::toStored(Value value) {
  Type stored = storedType(value.getType());
  return stored == value.getType()
             ? value
             : arith::ExtUIOp::create(b, stored, value).getResult();
}

Value TileEmitter::fromStored(Value value, Type element) {
  return value.getType() == element
             ? value
             : arith::TruncIOp::create(b, element, value).getResult();
}

Type TileEmitter::scalarType(Type type) {
  return type.isIndex() ? Type(b.getI32Type()) : type;
}

void TileEmitter::typesOf(Value value, SmallVectorImpl<Type> &types) {
  auto tile = dyn_cast<TileType>(value.getType());
  if (!tile || tile.inShared()) {
    types.push_back(tile ? pointerType(b.getContext(), 3)
                         : scalarType(value.getType()));
    return;
  }
  int64_t count = tile.getLayout().getNumRegisters();
  if (int64_t perStruct = registersPerStruct(value))
    types.append(count / perStruct, structOf(tile.getElementType(), perStruct));
  else
    types.append(count, tile.getElementType());
}

Value TileEmitter::constant(TypedAttr value) {
  Value &cached = constants[value];
  if (cached)
    return cached;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(lastConstant);
  auto op = arith::ConstantOp::create(b, value);
  lastConstant = op;
  return cached = op;
}

Value TileEmitter::i32(int64_t value) {
  return constant(b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value TileEmitter::i64(int64_t value) {
  return constant(b.getI64IntegerAttr(value));
}

Value TileEmitter::add(Value x, Value y) {
  if (matchPattern(y, m_Zero()))
    return x;
  if (matchPattern(x, m_Zero()))
    return y;
  return arith::AddIOp::create(b, x, y);
}

Value TileEmitter::mul(Value x, int64_t y) {
  if (y == 1)
    return x;
  return arith::MulIOp::create(b, x,
                               x.getType().isInteger(64) ? i64(y) : i32(y));
}

Value TileEmitter::andMasks(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AndIOp::create(b, x, y);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

void TileEmitter::pushRole(int64_t first, int64_t threads, int64_t barrier) {
  Role next;
  next.threads = threads;
  next.barrier = barrier;
  Value thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  if (first)
    thread = arith::SubIOp::create(b, thread, i32(first));
  next.thread = thread;
  next.lane = arith::AndIOp::create(b, thread, i32(31));
  // Through a shuffle, so that the assembler knows it is one number a warp.
  Value warp = arith::ShRUIOp::create(b, thread, i32(5));
  next.warp = NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), warp, i32(0),
                                   i32(31), NVVM::ShflKind::idx, UnitAttr());
  next.prologue = next.warp.getDefiningOp();
  roles.push_back(std::move(next));
}

Value TileEmitter::digit(ArrayRef<LayoutStep> steps, size_t index,
                         Value number) {
  int64_t below = 1, total = 1;
  for (auto [i, step] : llvm::enumerate(steps)) {
    below *= i < index ? step.extent : 1;
    total *= step.extent;
  }
  Value value = number;
  if (below > 1)
    value = arith::DivUIOp::create(b, value, i32(below));
  if (below * steps[index].extent < total)
    value = arith::RemUIOp::create(b, value, i32(steps[index].extent));
  return value;
}

ArrayRef<Value> TileEmitter::baseCoordinates(LayoutAttr layout) {
  SmallVector<Value> &base = role().bases[layout];
  if (!base.empty() || layout.getRank() == 0)
    return base;
  base = inPrologue([&] {
    SmallVector<Value> result(layout.getRank(), i32(0));
    // Neighbouring digits that run on in one dimension are one digit: the whole
    // thread number times a distance in the common case.
    SmallVector<LayoutStep> steps(layout.getLane());
    llvm::append_range(steps, layout.getWarp());
    SmallVector<LayoutStep> merged;
    for (const LayoutStep &step : steps) {
      if (!merged.empty() && merged.back().dim == step.dim &&
          (step.isCopy() ||
           merged.back().stride * merged.back().extent == step.stride))
        merged.back().extent *= step.extent;
      else
        merged.push_back(step);
    }
    int64_t below = 1, total = layout.getNumThreads();
    for (const LayoutStep &step : merged) {
      int64_t start = below;
      below *= step.extent;
      if (step.isCopy())
        continue;
      Value number = role().thread;
      int64_t divisor = start, limit = total;
      if (below <= 32) {
        number = role().lane;
        limit = 32;
      } else if (start >= 32) {
        number = role().warp;
        divisor = start / 32;
        limit = total / 32;
      }
      if (divisor > 1)
        number = arith::DivUIOp::create(b, number, i32(divisor));
      if (divisor * step.extent < limit)
        number = arith::RemUIOp::create(b, number, i32(step.extent));
      result[step.dim] = add(result[step.dim], mul(number, step.stride));
    }
    return result;
  });
  return base;
}

Value TileEmitter::isFirstCopy(LayoutAttr layout) {
  if (!layout.hasCopies())
    return {};
  return inPrologue([&]() -> Value {
    Value first;
    auto test = [&](ArrayRef<LayoutStep> steps, Value number) {
      for (auto [index, step] : llvm::enumerate(steps))
        if (step.isCopy())
          first = andMasks(first, arith::CmpIOp::create(
                                      b, arith::CmpIPredicate::eq,
                                      digit(steps, index, number), i32(0)));
    };
    test(layout.getLane(), role().lane);
    test(layout.getWarp(), role().warp);
    return first;
  });
}

void TileEmitter::barrier() {
  if (role().threads == static_cast<int64_t>(kernel.getThreads())) {
    NVVM::Barrier0Op::create(b);
    return;
  }
  NVVM::BarrierOp::create(b, Type(), i32(role().barrier), i32(role().threads),
                          NVVM::BarrierReductionAttr(), Value());
}

//===----------------------------------------------------------------------===//
// Control flow and scalars
//===----------------------------------------------------------------------===//

LogicalResult TileEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (failed(emit(&op)))
      return failure();
  }
  return success();
}

LogicalResult TileEmitter::emit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LoadOp op) { return emitLoad(op); })
      .Case([&](StoreOp op) { return emitStore(op); })
      .Case([&](MapOp op) { return emitMap(op); })
      .Case([&](SplatOp op) { return emitSplat(op); })
      .Case([&](BroadcastOp op) { return emitBroadcast(op); })
      .Case([&](ClipOp op) { return emitClip(op); })
      .Case([&](ReduceOp op) { return emitReduce(op); })
      .Case([&](AllocOp op) { return emitAlloc(op); })
      .Case([&](RingOp op) { return emitRing(op); })
      .Case([&](SlotOp op) { return emitSlot(op); })
      .Case([&](PutOp op) { return emitPut(op); })
      .Case([&](CpAsyncOp op) { return emitCpAsync(op); })
      .Case([&](CpAsyncCommitOp) {
        NVVM::CpAsyncCommitGroupOp::create(b);
        return success();
      })
      .Case([&](CpAsyncWaitOp op) {
        NVVM::CpAsyncWaitGroupOp::create(
            b, static_cast<uint32_t>(op.getPending()));
        return success();
      })
      .Case([&](MmaOp op) {
        switch (op.getMma().getKind()) {
        case MmaKind::MmaSync:
          return emitMmaSync(op);
        case MmaKind::Wgmma:
          return emitWgmma(op);
        case MmaKind::Fma:
          return emitFma(op);
        }
        llvm_unreachable("all kinds are handled");
      })
      .Case([&](MmaWaitOp op) { return emitMmaWait(op); })
      .Case([&](SpecializeOp op) { return emitSpecialize(op); })
      .Case([&](ProduceOp op) { return emitProduce(op); })
      .Case([&](ConsumeOp op) { return emitConsume(op); })
      .Case([&](ReleaseOp op) { return emitRelease(op); })
      .Case([&](TmaLoadOp op) { return emitTmaLoad(op); })
      .Case([&](TmaStoreOp op) { return emitTmaStore(op); })
      .Case([&](TmaStoreWaitOp op) { return emitTmaStoreWait(op); })
      .Case([&](scf::ForOp op) { return emitFor(op); })
      .Case([&](scf::IfOp op) { return emitIf(op); })
      .Case([&](BarrierOp) {
        barrier();
        return success();
      })
      .Case([&](BlockIdOp op) {
        Type type = b.getI32Type();
        Value id = inPrologue([&]() -> Value {
          if (op.getDim() == 0)
            return NVVM::BlockIdXOp::create(b, type);
          if (op.getDim() == 1)
            return NVVM::BlockIdYOp::create(b, type);
          return NVVM::BlockIdZOp::create(b, type);
        });
        bind(op.getResult(), id);
        return success();
      })
      .Default([&](Operation *op) { return emitScalar(op); });
}

/// Operations of math that are an instruction or two; others would end as calls
/// of a library that is not there.
static bool isHardwareMath(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::SqrtOp,
             math::RsqrtOp, math::CeilOp, math::FloorOp, math::TruncOp,
             math::RoundEvenOp, math::CopySignOp, math::CtPopOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

LogicalResult TileEmitter::emitScalar(Operation *op) {
  // Intrinsics come from the forms of transcendental functions.
  if ((!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
       !isa<LLVM::CallIntrinsicOp, LLVM::TanhOp>(op)) ||
      op->getNumRegions())
    return op->emitOpError()
           << "has no place in a kernel; accepted are operations of the tile "
              "level, arith, math, scf.for and scf.if";
  if (isa<math::MathDialect>(op->getDialect()) && !isHardwareMath(op))
    return op->emitOpError()
           << "has no form on a GPU; accepted are abs, fma, sqrt, rsqrt, "
              "roundings, copysign, counts of bits, and those that kz.math "
              "names";
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op)) {
    TypedAttr value = constantOp.getValue();
    if (auto number = dyn_cast<IntegerAttr>(value);
        number && number.getType().isIndex()) {
      if (!llvm::isInt<32>(number.getInt()))
        return op->emitOpError()
               << "is " << number.getInt() << "; coordinates have 32 bits";
      bind(constantOp, i32(number.getInt()));
    } else {
      bind(constantOp, constant(value));
    }
    return success();
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Type to = scalarType(op->getResult(0).getType());
    unsigned fromBits = operands[0].getType().getIntOrFloatBitWidth();
    unsigned toBits = to.getIntOrFloatBitWidth();
    Value cast = operands[0];
    if (fromBits > toBits)
      cast = arith::TruncIOp::create(b, to, cast);
    else if (fromBits < toBits && isa<arith::IndexCastOp>(op))
      cast = arith::ExtSIOp::create(b, to, cast);
    else if (fromBits < toBits)
      cast = arith::ExtUIOp::create(b, to, cast);
    bind(op->getResult(0), cast);
    return success();
  }
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(scalarType(type));
  OperationState state(op->getLoc(), op->getName(), operands, types,
                       op->getAttrs());
  Operation *copy = b.create(state);
  for (auto [result, value] : llvm::zip(op->getResults(), copy->getResults()))
    bind(result, value);
  return success();
}

void TileEmitter::carriedValues(ValueRange list, ValueRange arguments,
                                SmallVectorImpl<Value> &result) {
  for (auto [value, argument] : llvm::zip(list, arguments)) {
    auto tile = dyn_cast<TileType>(value.getType());
    if (int64_t perStruct = registersPerStruct(argument))
      llvm::append_range(result, packed(value, perStruct));
    else if (tile && tile.inRegisters())
      llvm::append_range(result, registers(value));
    else
      result.push_back(lookup(value));
  }
}

void TileEmitter::bindCarried(ValueRange l2, ArrayRef<SmallVector<Type>> types,
                              ValueRange l3) {
  size_t next = 0;
  for (auto [value, list] : llvm::zip(l2, types)) {
    SmallVector<Value> part(l3.slice(next, list.size()));
    bind(value, part);
    next += list.size();
  }
}

LogicalResult TileEmitter::emitFor(scf::ForOp loop) {
  // Values carried: each L2 value is as many L3 values as its registers.
  SmallVector<Value> inits;
  SmallVector<SmallVector<Type>> types;
  for (Value argument : loop.getRegionIterArgs())
    typesOf(argument, types.emplace_back());
  carriedValues(loop.getInitArgs(), loop.getRegionIterArgs(), inits);
  size_t carried = inits.size();

  // Rounds that need not be told apart: all of them, or those before and after
  // a bound within.
  struct Part {
    Value low, high;
    std::optional<bool> guard;
  };
  SmallVector<Part> parts;
  std::optional<MmaLoop> mmaLoop = MmaLoop::match(loop);
  if (mmaLoop) {
    mmaLoop->begin(*this, loop);
    llvm::append_range(inits, mmaLoop->first.flatten());
  }
  if (mmaLoop && mmaLoop->guard) {
    Value split = i32(mmaLoop->split);
    if (mmaLoop->split > mmaLoop->low)
      parts.push_back({lookup(loop.getLowerBound()), split, true});
    parts.push_back({split, lookup(loop.getUpperBound()), false});
  } else {
    parts.push_back({lookup(loop.getLowerBound()), lookup(loop.getUpperBound()),
                     std::nullopt});
  }

  Value step = lookup(loop.getStep());
  for (const Part &part : parts) {
    auto copy =
        scf::ForOp::create(b, part.low, part.high, step, inits,
                           /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
    bind(loop.getInductionVar(), copy.getInductionVar());
    bindCarried(loop.getRegionIterArgs(), types, copy.getRegionIterArgs());
    OpBuilder::InsertionGuard guard(b);
    if (!copy.getBody()->empty() &&
        copy.getBody()->back().hasTrait<OpTrait::IsTerminator>())
      copy.getBody()->back().erase();
    b.setInsertionPointToEnd(copy.getBody());
    if (part.guard)
      knownConditions[mmaLoop->guard] = *part.guard;
    SmallVector<Value> fragments;
    LogicalResult result =
        mmaLoop ? mmaLoop->emitBody(
                      *this, loop,
                      ValueRange(copy.getRegionIterArgs()).drop_front(carried),
                      /*ahead=*/part.guard == true, fragments)
                : emitBlock(*loop.getBody());
    if (part.guard)
      knownConditions.erase(mmaLoop->guard);
    if (failed(result))
      return failure();
    SmallVector<Value> yields;
    carriedValues(
        cast<scf::YieldOp>(loop.getBody()->getTerminator()).getOperands(),
        loop.getRegionIterArgs(), yields);
    llvm::append_range(yields, fragments);
    scf::YieldOp::create(b, yields);
    inits.assign(copy.result_begin(), copy.result_end());
  }
  bindCarried(loop.getResults(), types, inits);
  return success();
}

LogicalResult TileEmitter::emitIf(scf::IfOp op) {
  auto known = knownConditions.find(op.getCondition());
  if (known != knownConditions.end() && op.getNumResults() == 0) {
    if (known->second) {
      IndexFacts::Assumption assumption(facts, op.getCondition());
      return emitBlock(*op.thenBlock());
    }
    return op.elseBlock() ? emitBlock(*op.elseBlock()) : success();
  }
  SmallVector<Type> types;
  SmallVector<size_t> counts;
  for (Value result : op.getResults()) {
    size_t before = types.size();
    typesOf(result, types);
    counts.push_back(types.size() - before);
  }
  bool hasElse = !op.getElseRegion().empty();
  auto copy = scf::IfOp::create(b, types, lookup(op.getCondition()),
                                /*addThenBlock=*/true, hasElse);
  auto emitRegion = [&](Block &from, Block &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    to.clear();
    b.setInsertionPointToStart(&to);
    if (failed(emitBlock(from)))
      return failure();
    SmallVector<Value> yields;
    for (Value value : from.getTerminator()->getOperands()) {
      if (isa<TileType>(value.getType()) &&
          cast<TileType>(value.getType()).inRegisters())
        llvm::append_range(yields, registers(value));
      else
        yields.push_back(lookup(value));
    }
    scf::YieldOp::create(b, yields);
    return success();
  };
  {
    IndexFacts::Assumption assumption(facts, op.getCondition());
    if (failed(emitRegion(*op.thenBlock(), *copy.thenBlock())))
      return failure();
  }
  if (hasElse && failed(emitRegion(*op.elseBlock(), *copy.elseBlock())))
    return failure();
  size_t next = 0;
  for (auto [result, count] : llvm::zip(op.getResults(), counts)) {
    SmallVector<Value> part(copy.getResults().slice(next, count));
    bind(result, part);
    next += count;
  }
  return success();
}
