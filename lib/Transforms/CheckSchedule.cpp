//===- CheckSchedule.cpp - what scripts may hold, what targets can --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Transforms/CheckSchedule.h"
#include "KernelZero/Dialect/KZ/IR/KZ.h"
#include "KernelZero/Dialect/KZ/TransformOps/KZTransformOps.h"
#include "ToTile/L1Analysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelzero;

using Findings = std::vector<Finding>;

//===----------------------------------------------------------------------===//
// Scripts
//===----------------------------------------------------------------------===//

/// Longer than any schedule that a person reads; a proposer that runs away is
/// stopped here.
static constexpr int64_t kMaxSteps = 256;

Findings kernelzero::checkScript(transform::NamedSequenceOp schedule) {
  Findings findings;
  auto find = [&](Operation *op, const Twine &sentence) {
    findings.push_back({sentence.str(), op->getLoc()});
  };
  if (schedule.isExternal()) {
    find(schedule, "the schedule has no body");
    return findings;
  }
  Block &body = schedule.getBody().front();
  if (body.getNumArguments() != 1)
    find(schedule, "a schedule takes 1 argument, the task; this one takes " +
                       Twine(body.getNumArguments()));
  else if (!schedule.getArgAttr(0, "transform.readonly"))
    find(schedule, "the task is an argument that is only read; mark it "
                   "transform.readonly");
  if (schedule.getFunctionType().getNumResults() != 0)
    find(schedule, "a schedule returns nothing; this one returns " +
                       Twine(schedule.getFunctionType().getNumResults()) +
                       " values");
  int64_t steps = 0;
  schedule.getBody().walk([&](Operation *op) {
    ++steps;
    StringRef name = op->getName().getStringRef();
    bool allowed = name.starts_with("transform.kz.") ||
                   name.starts_with("transform.tune.") ||
                   isa<transform::YieldOp, transform::ParamConstantOp>(op);
    if (!allowed)
      find(op, "'" + name +
                   "' is not allowed in a schedule; accepted are "
                   "transform.kz.*, transform.tune.* and "
                   "transform.param.constant");
  });
  if (steps > kMaxSteps)
    find(schedule, "the schedule has " + Twine(steps) +
                       " operations; at most " + Twine(kMaxSteps) +
                       " are accepted");
  return findings;
}

Findings kernelzero::checkSteps(transform::NamedSequenceOp schedule,
                                const Target &target) {
  Findings findings;
  auto find = [&](Operation *op, const Twine &sentence) {
    findings.push_back({sentence.str(), op->getLoc()});
  };
  bool gpu = target.isGPU();
  schedule.getBody().walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](kz::StageOp stage) {
          StringRef space = stage.getSpace(),
                    copy = stage.getStaticCopy().value_or("plain");
          if (gpu == (space == "memory"))
            find(op, "a value cannot be staged in " + space + " on " +
                         target.name + "; accepted are " +
                         (gpu ? "registers, shared" : "memory"));
          else if (copy == "cp_async" && gpu && !target.cpAsync)
            find(op, target.name + " has no cp.async; accepted is plain");
          else if (copy.starts_with("tma") && !target.tma)
            find(op, target.name +
                         " has no tensor memory accelerator for copy(" + copy +
                         "); accepted are plain, cp_async");
        })
        .Case([&](kz::MmaOp mma) {
          if (!gpu)
            find(op, "host has no tensor cores; leave out transform.kz.mma and "
                     "use transform.kz.vectorize");
          else if (mma.getKind() == "mma_sync" && !target.mmaSync)
            find(op, target.name + " has no mma.sync; accepted is fma");
          else if (mma.getKind() == "wgmma" && !target.wgmma)
            find(op, target.name + " has no wgmma; accepted is mma_sync");
        })
        .Case([&](kz::WarpSpecializeOp) {
          if (!target.wgmma)
            find(op, target.name +
                         " cannot move registers between warps, which "
                         "transform.kz.warp_specialize needs; "
                         "accepted are targets with wgmma: sm_90a");
        })
        .Case<kz::PipelineOp, kz::TileWarpsOp, kz::TileThreadsOp, kz::ReduceOp,
              kz::EpilogueOp>([&](auto) {
          if (!gpu)
            find(op, "'" + op->getName().getStringRef() +
                         "' is for GPUs; leave it out on host");
        })
        .Case<kz::VectorizeOp, kz::UnrollOp>([&](auto) {
          if (gpu)
            find(op, "'" + op->getName().getStringRef() +
                         "' is for the host; leave it out on " + target.name);
        })
        .Case([&](kz::TileGridOp grid) {
          if (!gpu &&
              (grid.getPersistent() || grid.getStaticGroupM().value_or(0) != 0))
            find(op, "raster and persistent order the blocks of a GPU; leave "
                     "them out on host");
        });
  });
  return findings;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

int64_t kernelzero::getLaunchedRegisters(int64_t threads,
                                         const Target &target) {
  // The driver deals registers in units of 8 a thread.
  int64_t share = target.registersPerMultiprocessor / threads / 8 * 8;
  return std::min(share, target.registersPerThread / 8 * 8);
}

namespace {
/// Checks one grid of a scheduled task.
class GridCheck {
public:
  GridCheck(scf::ForallOp grid, const Target &target, Findings &findings)
      : grid(grid), target(target), findings(findings) {}

  void run() {
    grid->walk([&](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        checkWork(linalgOp);
      else if (auto staged = dyn_cast<kz::StagedOp>(op))
        checkStaged(staged);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        checkLoop(loop);
    });
    if (!target.isGPU())
      return;
    addUp();
    if (auto step = grid->getAttrOfType<kz::ThreadsAttr>(kz::kThreads)) {
      threads = std::max(threads, step.getThreads());
      checkRows(step);
    }
    if (threads > target.threadsPerBlock)
      find(grid, "a block would have " + Twine(threads) + " threads, " +
                     target.name + " allows " + Twine(target.threadsPerBlock));
    if (sharedBytes > target.sharedBytesPerBlock) {
      std::string advice;
      if (ringBytes &&
          sharedBytes - stages * ringBytes < target.sharedBytesPerBlock)
        if (int64_t fit = (target.sharedBytesPerBlock -
                           (sharedBytes - stages * ringBytes)) /
                          ringBytes)
          advice = ("; try stages(" + Twine(fit) + ")").str();
      find(grid, "a block would need " + Twine(sharedBytes) +
                     " bytes of shared memory, " + target.name + " allows " +
                     Twine(target.sharedBytesPerBlock) + advice);
    }
    checkRegisters();
  }

private:
  void find(Operation *op, const Twine &sentence) {
    findings.push_back({sentence.str(), op->getLoc()});
  }
  static std::optional<int64_t> getBytes(Value tensor) {
    std::optional<SmallVector<int64_t>> shape = l1::getTileShape(tensor);
    if (!shape)
      return std::nullopt;
    int64_t bytes =
        getElementTypeOrSelf(tensor.getType()).getIntOrFloatBitWidth() / 8;
    for (int64_t size : *shape)
      bytes *= size;
    return bytes;
  }

  void checkWork(linalg::LinalgOp op) {
    if (auto vectorize = op->getAttrOfType<kz::VectorizeAttr>(kz::kVectorize))
      checkVectors(op, vectorize);
    if (!linalg::isaContractionOpInterface(op) || !target.isGPU())
      return;
    auto mma = op->getAttrOfType<kz::MmaAttr>(kz::kMma);
    auto warps = op->getAttrOfType<kz::WarpsAttr>(kz::kWarps);
    if (!mma || !warps)
      return;
    int64_t count = 1;
    for (int64_t entry : warps.getCounts())
      count *= entry;
    consumers = count * (warps.getWarpgroups() ? 128 : 32);
    threads += consumers;
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    std::optional<SmallVector<int64_t>> tile =
        l1::getTileShape(op->getResult(0));
    if (failed(dims) || !tile || tile->size() < 2 ||
        warps.getCounts().size() != 2)
      return;
    int64_t m = (*tile)[tile->size() - 2], n = tile->back();
    m = llvm::alignTo(m, mma.getShape()[0]);
    n = llvm::alignTo(n, mma.getShape()[1]);
    int64_t words =
        llvm::divideCeil(getElementTypeOrSelf(op->getResult(0).getType())
                             .getIntOrFloatBitWidth(),
                         32);
    accumulators = m * n * words / std::max<int64_t>(consumers, 1);
    contraction = op;
    for (auto [name, size, parts, step] :
         {std::tuple<StringRef, int64_t, int64_t, int64_t>{
              "M", m, warps.getCounts()[0], mma.getShape()[0]},
          {"N", n, warps.getCounts()[1], mma.getShape()[1]}})
      if (llvm::alignTo(size, step) % (parts * step))
        find(op, "the tile's " + name + " of " + Twine(size) +
                     " is not made of " + Twine(step) + " for each of " +
                     Twine(parts) +
                     (warps.getWarpgroups() ? " warpgroups" : " warps"));
  }

  void checkVectors(linalg::LinalgOp op, kz::VectorizeAttr vectorize) {
    if (target.isGPU())
      return;
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    int64_t bits = type.getIntOrFloatBitWidth();
    int64_t widest = target.vectorBytes * 8 / bits;
    if (vectorize.getLanes() > widest) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "a vector of " << vectorize.getLanes() << " x " << type
          << " is wider than the " << target.vectorBytes << " bytes of "
          << target.name << "; at most lanes(" << widest << ")";
      return find(op, text);
    }
    if (!vectorize.getRegisters() || !linalg::isaContractionOpInterface(op))
      return;
    std::optional<SmallVector<int64_t>> tile =
        l1::getTileShape(op->getResult(0));
    if (!tile || tile->size() < 2)
      return;
    // The sums, one row of the right operand, one element of the left one.
    int64_t rows = (*tile)[tile->size() - 2];
    int64_t vectors = llvm::divideCeil(tile->back(), vectorize.getLanes());
    int64_t needed = rows * vectors + vectors + 1;
    if (needed > target.vectorRegisters)
      find(op, "sums of " + Twine(rows) + " x " + Twine(tile->back()) +
                   " need " + Twine(needed) + " vector registers, " +
                   target.name + " has " + Twine(target.vectorRegisters) +
                   "; try a tile of " +
                   Twine(std::max<int64_t>(
                       1, (target.vectorRegisters - 1) / vectors - 1)) +
                   " rows");
  }

  void checkStaged(kz::StagedOp staged) {
    kz::StageAttr stage = staged.getStage();
    if (!target.isGPU())
      return;
    Type type = getElementTypeOrSelf(staged.getType());
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    std::optional<SmallVector<int64_t>> tile = l1::getTileShape(staged);
    if (stage.getSpace() == kz::Space::Shared) {
      std::optional<int64_t> size = getBytes(staged);
      if (!stage.getChunk().empty()) {
        // Each warp or warpgroup along M and N sends a chunk at a time.
        size = bytes;
        for (int64_t part : stage.getChunk())
          *size *= part;
        chunkBytes += *size;
        checkChunk(staged);
      } else if (staged.getRing()) {
        ringBytes += size.value_or(0);
      } else {
        sharedBytes += size.value_or(0);
      }
    }
    bool tma = stage.getCopy() == kz::CopyKind::Tma ||
               stage.getCopy() == kz::CopyKind::TmaStore;
    bool async = stage.getCopy() == kz::CopyKind::CpAsync;
    if (tma && tile) {
      ArrayRef<int64_t> box =
          stage.getChunk().empty() ? ArrayRef(*tile) : stage.getChunk();
      for (auto [index, size] : llvm::enumerate(box)) {
        // A swizzled row is copied in pieces of the swizzle's span.
        if (index + 1 == box.size() && stage.getSwizzle())
          continue;
        if (size > 256)
          find(staged, "a box of tma has " + Twine(size) +
                           " elements in "
                           "dimension " +
                           Twine(index) + "; at most 256");
      }
      if (box.back() * bytes % 16)
        find(staged, "rows of " + Twine(box.back() * bytes) +
                         " bytes cannot be copied by tma; accepted are "
                         "multiples of 16");
    }
    if (!tma && !async)
      return;
    // The buffer that the tile is cut from, or is written to.
    Value buffer;
    if (std::optional<l1::View> view = l1::getView(staged.getSource());
        view && view->root != staged.getSource()) {
      buffer = view->root;
    } else {
      for (Operation *user : staged->getUsers())
        if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user))
          buffer = insert.getDest();
    }
    auto shaped = buffer ? dyn_cast<RankedTensorType>(buffer.getType())
                         : RankedTensorType();
    if (!shaped || shaped.isDynamicDim(shaped.getRank() - 1))
      return;
    int64_t pitch = shaped.getDimSize(shaped.getRank() - 1) * bytes;
    int64_t unit = tma ? 16 : std::max<int64_t>(stage.getWidth(), 4);
    if (pitch % unit)
      find(staged, "rows of the buffer are " + Twine(pitch) + " bytes apart, " +
                       (tma ? Twine("tma needs multiples of 16; accepted "
                                    "is cp_async of a smaller width")
                            : "a copy of " + Twine(unit) +
                                  " bytes needs a multiple; use a smaller "
                                  "width or copy(plain)"));
  }

  void checkChunk(kz::StagedOp staged) {
    std::optional<SmallVector<int64_t>> tile = l1::getTileShape(staged);
    ArrayRef<int64_t> chunk = staged.getStage().getChunk();
    if (!tile)
      return;
    if (tile->size() < chunk.size())
      return find(staged, "the chunk has " + Twine(chunk.size()) +
                              " sizes, the tile has " + Twine(tile->size()) +
                              " dimensions");
    for (auto [size, whole] :
         llvm::zip_equal(chunk, ArrayRef(*tile).take_back(chunk.size())))
      if (whole % size)
        find(staged, "a chunk of " + Twine(size) +
                         " does not divide the tile's " + Twine(whole));
  }

  void checkLoop(scf::ForOp loop) {
    if (auto pipeline = loop->getAttrOfType<kz::PipelineAttr>(kz::kPipeline))
      stages = pipeline.getStages();
    if (auto attr = loop->getAttrOfType<kz::RolesAttr>(kz::kRoles))
      roles = attr;
  }

  /// What a thread holds of the longest iteration space.
  void checkRows(kz::ThreadsAttr step) {
    SmallVector<int64_t> shape;
    grid->walk([&](linalg::LinalgOp op) {
      if (isa<linalg::FillOp>(op.getOperation()) ||
          op.getNumLoops() < shape.size())
        return;
      SmallVector<int64_t> own;
      for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
        if (std::optional<int64_t> bound = l1::getLoopBound(op, dim))
          own.push_back(*bound);
      if (own.size() == op.getNumLoops())
        shape = own;
    });
    if (step.getDim() >= static_cast<int64_t>(shape.size()))
      return;
    kz::LayoutAttr layout = l1::dealThreads(grid->getContext(), shape, step);
    if (!layout)
      return;
    if (std::optional<std::string> why = l1::explainRegisters(layout))
      find(grid, *why);
  }

  void checkRegisters() {
    if (!contraction || !consumers || threads > target.threadsPerBlock)
      return;
    int64_t launched = getLaunchedRegisters(threads, target);
    int64_t limit = launched;
    if (roles) {
      // Warps have registers in units of 8 a thread.
      int64_t most = llvm::alignTo(target.registersPerThread, 8);
      if (roles.getConsumerRegisters() > most)
        find(grid, "registers(" + Twine(roles.getProducerRegisters()) + ", " +
                       Twine(roles.getConsumerRegisters()) +
                       ") give a thread more registers than the " +
                       Twine(target.registersPerThread) + " that " +
                       target.name + " allows; try registers(" +
                       Twine(roles.getProducerRegisters()) + ", " +
                       Twine(most) + ")");
      limit = std::min(roles.getConsumerRegisters(), target.registersPerThread);
      int64_t pool = launched * threads;
      int64_t needed =
          128 * roles.getProducers() * roles.getProducerRegisters() +
          consumers * roles.getConsumerRegisters();
      if (needed > pool) {
        int64_t left =
            (pool - 128 * roles.getProducers() * roles.getProducerRegisters()) /
            consumers / 8 * 8;
        find(grid, "registers(" + Twine(roles.getProducerRegisters()) + ", " +
                       Twine(roles.getConsumerRegisters()) + ") need " +
                       Twine(needed) + " registers, a block of " +
                       Twine(threads) + " threads is launched with " +
                       Twine(pool) + "; try registers(" +
                       Twine(roles.getProducerRegisters()) + ", " +
                       Twine(std::max<int64_t>(left, 24)) + ")");
      }
    }
    // Addresses, counters and the epilogue's operands.
    constexpr int64_t others = 24;
    if (accumulators + others > limit)
      find(contraction, "a thread would hold " + Twine(accumulators) +
                            " sums and about " + Twine(others) +
                            " other values, it has " + Twine(limit) +
                            " registers; use a smaller tile or more warps");
  }

  /// Threads and shared memory of the whole grid.
  void addUp() {
    int64_t parts = 1;
    if (contraction)
      for (int64_t count :
           contraction->getAttrOfType<kz::WarpsAttr>(kz::kWarps).getCounts())
        parts *= count;
    sharedBytes += stages * ringBytes + parts * chunkBytes;
    if (roles)
      threads += 128 * roles.getProducers();
  }

  scf::ForallOp grid;
  const Target &target;
  Findings &findings;
  linalg::LinalgOp contraction;
  kz::RolesAttr roles;
  int64_t threads = 0, consumers = 0, accumulators = 0;
  int64_t sharedBytes = 0, ringBytes = 0, chunkBytes = 0, stages = 1;
};
} // namespace

Findings kernelzero::checkLimits(func::FuncOp scheduled, const Target &target) {
  Findings findings;
  scheduled->walk([&](scf::ForallOp grid) {
    GridCheck(grid, target, findings).run();
    return WalkResult::skip();
  });
  return findings;
}
