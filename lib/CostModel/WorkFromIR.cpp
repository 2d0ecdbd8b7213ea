//===- WorkFromIR.cpp - what kernels of level L2 do -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/CostModel/Analytical.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/Tile/KZTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;
namespace tile = kernelzero::kz::tile;

static int64_t bytesOf(Type type) {
  return std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8);
}

static kz::TileType tileOf(Value value) {
  return cast<kz::TileType>(value.getType());
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Trips of a loop. One that starts at a block's number deals its turns to the
/// blocks: each has its share, and `imbalance` is what the largest is above it.
static double countTrips(scf::ForOp loop, double &imbalance) {
  std::optional<int64_t> upper = constantOf(loop.getUpperBound());
  std::optional<int64_t> step = constantOf(loop.getStep());
  if (!upper || !step || *step < 1)
    return 1;
  int64_t lower = constantOf(loop.getLowerBound()).value_or(0);
  double span = std::max<double>(0, double(*upper - lower));
  if (constantOf(loop.getLowerBound()))
    return std::ceil(span / *step);
  double share = span / *step;
  if (share > 0)
    imbalance = std::max(imbalance, std::ceil(share) / share);
  return share;
}

/// Whether `loop` is the innermost one in which tensor cores work: a loop over
/// tiles around it may hold the product's first step too.
static bool isProductLoop(scf::ForOp loop) {
  bool isProduct = false, isInner = true;
  loop.walk([&](tile::MmaOp mma) {
    if (mma.getMma().getKind() == kz::MmaKind::Fma)
      return;
    isProduct = true;
    isInner &= mma->getParentOfType<scf::ForOp>() == loop;
  });
  return isProduct && isInner;
}

namespace {
/// Results that one operation of a body costs, on which pipeline.
struct ScalarCost {
  double instructions = 0, specials = 0;
};

class Counter {
public:
  explicit Counter(tile::KernelOp kernel) : kernel(kernel) {
    ArrayRef<int64_t> grid = kernel.getGrid();
    work.name = kernel.getSymName().str();
    for (int64_t extent : grid)
      work.blocks *= double(extent);
    work.threads = kernel.getThreads();
    touched.resize(kernel.getBody().getNumArguments());
  }

  KernelWork run() {
    walk(kernel.getBody().front(), work.blocks);
    for (auto [argument, bytes] :
         llvm::zip_equal(kernel.getBody().getArguments(), touched)) {
      auto type = cast<MemRefType>(argument.getType());
      double whole =
          double(type.getNumElements()) * bytesOf(type.getElementType());
      work.uniqueBytes +=
          std::min(bytes.read, whole) + std::min(bytes.written, whole);
    }
    if (work.tensorFlops > 0)
      work.tailInstructions = work.instructions - besideProduct;
    double blocks = work.blocks;
    work.turns /= blocks;
    work.barriers /= blocks;
    if (ringBytes > 0) {
      work.bytesInFlight = ringBytes * std::max(1.0, work.ahead);
      work.turnBytes = ringBytes;
    } else {
      work.ahead = 1;
      work.bytesInFlight = plainBytes;
    }
    return work;
  }

private:
  struct Touched {
    double read = 0, written = 0;
  };

  /// Elements that a tile deals to threads, copies included.
  static double dealt(kz::TileType type) {
    kz::LayoutAttr layout = type.getLayout();
    return double(layout.getNumRegisters()) * layout.getNumThreads();
  }
  /// Neighbouring elements that a thread moves at a time.
  static double vectorOf(kz::TileType type) {
    int64_t widest = std::max<int64_t>(1, 16 / bytesOf(type.getElementType()));
    int64_t rank = type.getRank();
    if (!rank)
      return 1;
    return double(std::clamp<int64_t>(type.getLayout().getContiguous(rank - 1),
                                      1, widest));
  }

  void touch(Value buffer, double bytes, bool write) {
    (write ? work.writtenBytes : work.readBytes) += bytes;
    if (auto argument = dyn_cast<BlockArgument>(buffer))
      if (argument.getOwner()->getParentOp() == kernel) {
        Touched &entry = touched[argument.getArgNumber()];
        (write ? entry.written : entry.read) += bytes;
      }
  }

  void addAccess(Value buffer, kz::TileType type, double times, bool write) {
    double elements = double(type.getNumElements());
    double bytes = elements * bytesOf(type.getElementType());
    auto memref = cast<MemRefType>(buffer.getType());
    // A tile that is larger than its buffer moves the buffer.
    bytes = std::min(bytes, double(memref.getNumElements()) *
                                bytesOf(memref.getElementType()));
    touch(buffer, bytes * times, write);
    double accesses = dealt(type) / vectorOf(type);
    work.memoryInstructions += accesses * times;
    // Addresses and masks.
    work.instructions += accesses * times * 2;
    if (!write) {
      work.turns += times;
      plainBytes = std::max(plainBytes, bytes);
    }
  }

  void addCopy(Value buffer, kz::TileType type, double width, double times) {
    double bytes = double(type.getNumBytes());
    touch(buffer, bytes * times, /*write=*/false);
    if (width > 0) {
      work.memoryInstructions += bytes / width * times;
      work.instructions += bytes / width * times * 2;
    }
  }

  static ScalarCost costOf(Operation *op) {
    // Counts of instructions as our forms of these functions have them
    // (MathFormTable); what is exact in hardware takes one.
    return llvm::TypeSwitch<Operation *, ScalarCost>(op)
        .Case<math::LogOp>([](auto) { return ScalarCost{24, 0}; })
        .Case<math::ExpOp, math::Exp2Op, math::Log2Op, math::RsqrtOp,
              math::SqrtOp>([](auto) { return ScalarCost{4, 1}; })
        .Case<math::TanhOp, math::SinOp, math::CosOp, math::PowFOp>(
            [](auto) { return ScalarCost{16, 2}; })
        .Case<math::ErfOp>([](auto) { return ScalarCost{18, 1}; })
        .Case<arith::DivFOp>([](auto) { return ScalarCost{8, 1}; })
        .Case<arith::ConstantOp, tile::YieldOp, tile::IndexOp>(
            [](auto) { return ScalarCost{}; })
        .Default([](Operation *) { return ScalarCost{1, 0}; });
  }

  void addMap(tile::MapOp map, double times) {
    double elements = 0;
    for (Type type : llvm::concat<const Type>(map.getInputs().getTypes(),
                                              map.getResultTypes()))
      if (auto tile = dyn_cast<kz::TileType>(type))
        elements = std::max(elements, dealt(tile));
    for (Operation &op : map.getBody().front()) {
      if (auto fetch = dyn_cast<tile::FetchOp>(op)) {
        // A gather: every element is an access of its own, and all of a tile
        // are under way together.
        double bytes = elements * bytesOf(fetch.getResult().getType());
        touch(fetch.getBuffer(), bytes * times, /*write=*/false);
        work.memoryInstructions += elements * times;
        work.turns += times;
        plainBytes = std::max(plainBytes, bytes);
        continue;
      }
      ScalarCost cost = costOf(&op);
      work.instructions += cost.instructions * elements * times;
      work.specials += cost.specials * elements * times;
    }
  }

  void addReduce(tile::ReduceOp reduce, double times) {
    kz::TileType type = tileOf(reduce.getTile());
    double threads = double(type.getLayout().getNumThreads());
    double results =
        double(type.getLayout().dropDims(reduce.getDims()).getNumRegisters());
    work.instructions += dealt(type) * times;
    for (kz::CombineStep step : reduce.getCombine().getSteps()) {
      // Five rounds among 32 lanes, a shuffle and an operation each; or a
      // write, a barrier, and reads of what the other warps wrote.
      double rounds = step == kz::CombineStep::Shuffle ? 5 : 2;
      work.instructions += 2 * rounds * results * threads * times;
      if (step == kz::CombineStep::Shared) {
        work.sharedTraffic += 8 * results * threads * times;
        work.barriers += 2 * times;
      }
    }
  }

  /// A product without tensor cores: each thread reads the rows and columns of
  /// its sums for every step along K.
  void addMultiplyAdds(kz::TileType acc, double k, double bytes, double times) {
    kz::LayoutAttr layout = acc.getLayout();
    double held[2] = {1, 1};
    for (const kz::LayoutStep &step : layout.getReg())
      if (step.dim == 0 || step.dim == 1)
        held[step.dim] *= double(step.extent);
    double threads = double(layout.getNumThreads());
    double reads = held[0] + held[1];
    work.instructions += dealt(acc) * k * times;
    work.memoryInstructions += reads / 4 * threads * k * times;
    // Lanes along a row or a column of the tile share what they read.
    work.sharedTraffic += reads * bytes * threads / 4 * k * times;
  }

  void addProduct(tile::MmaOp mma, double times) {
    auto acc = cast<kz::TileType>(mma.getAcc().getType());
    auto left = cast<kz::TileType>(mma.getA().getType());
    double m = acc.getShape()[0], n = acc.getShape()[1], k = left.getShape()[1];
    double bytes = bytesOf(left.getElementType());
    ArrayRef<int64_t> shape = mma.getMma().getShape();
    if (mma.getMma().getKind() == kz::MmaKind::Fma)
      return addMultiplyAdds(acc, k, bytes, times);
    work.tensorFlops += 2 * m * n * k * times;
    work.productThreads = double(acc.getLayout().getNumThreads());
    if (mma.getMma().getKind() == kz::MmaKind::Wgmma) {
      // Each instruction reads both operands from shared memory.
      double count = m / shape[0] * n / shape[1] * k / shape[2];
      work.sharedTraffic +=
          count * (shape[0] + shape[1]) * shape[2] * bytes * times;
      // Below 64 columns the operand on the left takes longer than the product.
      work.tensorRate = std::min(work.tensorRate, shape[1] / 64.0);
      return;
    }
    work.mmaSync = true;
    // Warps along a dimension read the same part of the other operand.
    double warps[2] = {1, 1};
    for (const kz::LayoutStep &step : acc.getLayout().getWarp())
      if (step.dim == 0 || step.dim == 1)
        warps[step.dim] *= double(step.extent);
    work.sharedTraffic += (m * k * warps[1] + n * k * warps[0]) * bytes * times;
    double perWarp = m * n * k / (double(shape[0]) * shape[1] * shape[2]);
    // The product itself, and loads of fragments by ldmatrix.
    work.instructions += 32 * perWarp * times;
  }

  void walk(Block &block, double times) {
    for (Operation &op : block) {
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](scf::ForOp loop) {
            double outer = loopTrips;
            loopTrips = countTrips(loop, work.imbalance);
            double before = work.instructions;
            walk(*loop.getBody(), times * loopTrips);
            if (isProductLoop(loop))
              besideProduct += work.instructions - before;
            loopTrips = outer;
          })
          .Case([&](scf::IfOp branch) {
            // The last turns of a loop copy nothing ahead: what they would, was
            // copied before it.
            bool copies = branch.getThenRegion()
                              .walk([](tile::CpAsyncOp) {
                                return WalkResult::interrupt();
                              })
                              .wasInterrupted();
            double share = copies && loopTrips > 0
                               ? std::max(0.0, 1 - (ringStages - 1) / loopTrips)
                               : 1;
            for (Region &region : branch->getRegions())
              for (Block &inner : region)
                walk(inner, times * share);
          })
          .Case([&](tile::MapOp map) { addMap(map, times); })
          .Case([&](tile::ReduceOp reduce) { addReduce(reduce, times); })
          .Case([&](tile::MmaOp mma) { addProduct(mma, times); })
          .Case([&](tile::LoadOp load) {
            addAccess(load.getBuffer(), tileOf(load.getResult()), times, false);
          })
          .Case([&](tile::StoreOp store) {
            addAccess(store.getBuffer(), tileOf(store.getTile()), times, true);
          })
          .Case([&](tile::CpAsyncOp copy) {
            addCopy(copy.getBuffer(), tileOf(copy.getTile()),
                    double(copy.getWidth()), times);
          })
          .Case([&](tile::TmaLoadOp copy) {
            addCopy(copy.getBuffer(), tileOf(copy.getTile()), 0, times);
          })
          .Case([&](tile::TmaStoreOp store) {
            kz::TileType type = tileOf(store.getTile());
            double bytes =
                double(type.getNumElements()) * bytesOf(type.getElementType());
            touch(store.getBuffer(), bytes * times, true);
            work.sharedTraffic += 2 * bytes * times;
            work.memoryInstructions += dealt(type) / 8 * times;
          })
          .Case([&](tile::PutOp put) {
            kz::TileType type = tileOf(put.getTile());
            work.sharedTraffic +=
                dealt(type) * bytesOf(type.getElementType()) * times;
            work.memoryInstructions += dealt(type) / vectorOf(type) * times;
          })
          .Case([&](tile::BarrierOp) { work.barriers += times; })
          .Case<tile::ConsumeOp>(
              [&](auto consume) { addTurn(consume.getRing(), times); })
          .Case([&](tile::MmaWaitOp) { work.barriers += times; })
          .Case([&](tile::CpAsyncWaitOp wait) {
            // One turn of a ring that is kept in step by groups of copies.
            work.turns += times;
            work.ahead = std::max(work.ahead, double(wait.getPending()) + 1);
          })
          .Case([&](tile::RingOp ring) {
            auto type = cast<kz::RingType>(ring.getResult().getType());
            ringStages = double(type.getStages());
            for (kz::TileType slot : type.getTiles()) {
              ringBytes += double(slot.getNumBytes());
              work.sharedBytes += slot.getNumBytes() * type.getStages();
            }
          })
          .Case([&](tile::AllocOp alloc) {
            auto type = cast<kz::TileType>(alloc.getResult().getType());
            work.sharedBytes += type.getNumBytes();
          })
          .Default([&](Operation *other) {
            for (Region &region : other->getRegions())
              for (Block &inner : region)
                walk(inner, times);
          });
    }
  }

  void addTurn(Value ring, double times) {
    auto type = cast<kz::RingType>(ring.getType());
    work.turns += times;
    // While one slot is read, the others are on their way.
    work.ahead =
        std::max(work.ahead, std::max(1.0, double(type.getStages()) - 1));
  }

  tile::KernelOp kernel;
  KernelWork work;
  std::vector<Touched> touched;
  double ringBytes = 0, ringStages = 1, plainBytes = 0;
  double loopTrips = 0; ///< Of the innermost loop around.
  /// Instructions in loops in which tensor cores work.
  double besideProduct = 0;
};
} // namespace

std::vector<KernelWork> kernelzero::countWork(ModuleOp module) {
  std::vector<KernelWork> kernels;
  module.walk(
      [&](tile::KernelOp kernel) { kernels.push_back(Counter(kernel).run()); });
  return kernels;
}
