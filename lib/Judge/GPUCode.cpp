//===- GPUCode.cpp - tier 3 for GPUs --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GPUCode.h"
#include "KernelZero/Judge/Checks.h"
#include "KernelZero/Judge/Timing.h"
#include "KernelZero/Runtime/CompileGPU.h"
#include "KernelZero/Transforms/ToTile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelzero;

std::string kernelzero::findBrokenClaim(const Claims &claims, StringRef ptx,
                                        int64_t kernels) {
  struct Claim {
    bool made;
    const char *asked;
    const char *instruction;
    const char *suffix; ///< Has to stand in the same instruction.
  };
  const Claim all[] = {
      {claims.mmaSync, "mma_sync", "mma.sync.", ""},
      {claims.wgmma, "wgmma", "wgmma.mma_async.", ""},
      {claims.cpAsync, "copy(cp_async)", "cp.async.c", ""},
      {claims.tma, "copy(tma)", "cp.async.bulk.tensor.",
       ".shared::cluster.global"},
      {claims.tmaStore, "copy(tma_store)", "cp.async.bulk.tensor.",
       ".global.shared::cta"},
  };
  for (const Claim &claim : all) {
    if (!claim.made)
      continue;
    bool found = false;
    for (size_t at = ptx.find(claim.instruction);
         at != StringRef::npos && !found;
         at = ptx.find(claim.instruction, at + 1))
      found = ptx.substr(at).split('\n').first.contains(claim.suffix);
    if (!found)
      return std::string("the schedule asks for ") + claim.asked +
             ", and the PTX holds no " + claim.instruction +
             (*claim.suffix ? std::string("…") + claim.suffix : "");
  }
  int64_t entries = ptx.count(".entry ");
  if (entries != kernels || (claims.kernels && claims.kernels != kernels))
    return "the schedule makes " + std::to_string(claims.kernels) +
           " grids, the PTX has " + std::to_string(entries) + " kernels, and " +
           std::to_string(kernels) + " are launched";
  return "";
}

bool kernelzero::buildForGPU(ModuleOp scheduled, const Target &target,
                             const Claims &claims, int lastTier,
                             const std::function<void(Stage)> &enter,
                             Record &record, Artifact &artifact) {
  auto start = std::chrono::steady_clock::now();
  auto fail = [&](const std::string &sentence) {
    record.compileSeconds = secondsSince(start);
    failTier(record, 3, Verdict::Uncompilable, sentence);
    return false;
  };
  enter(Stage::Lowering);
  SentenceCollector collector(scheduled->getContext(), record);
  if (failed(lowerToTile(scheduled, &target)))
    return fail(collector.sawError() ? ""
                                     : "the scheduled task cannot be brought "
                                       "to the tile level");
  std::vector<KernelWork> work = countWork(scheduled);
  record.modelSeconds = modelSeconds(work, target);
  if (lastTier < 3)
    return false;
  enter(Stage::Compiling);
  GPUCode code;
  std::string error;
  if (!compileForGPU(scheduled, target, {}, code, error)) {
    record.compileSeconds = secondsSince(start);
    // Tier 0: it is not known to be the candidate's fault.
    if (code.lostAssembler)
      failTier(record, 0, Verdict::Crashed, error);
    else
      fail(collector.sawError() && error.empty() ? ""
           : error.empty()                       ? "the kernels do not compile"
                                                 : error);
    return false;
  }
  record.compileSeconds = secondsSince(start);
  std::string broken =
      findBrokenClaim(claims, code.ptx, int64_t(code.list.kernels.size()));
  if (!broken.empty())
    return fail(broken);

  artifact.kind = code.assembled ? "cubin" : "ptx";
  artifact.code = code.assembled ? code.machine.cubin : code.ptx;
  artifact.launches = toJSON(code.list);
  artifact.hash = record.evidence.code = hashText(code.ptx);

  // Resources of the kernel that takes longest.
  double longest = -1;
  record.resources.kernels = int64_t(code.list.kernels.size());
  for (int64_t bytes : code.list.workspaceBytes)
    record.resources.workspaceBytes += bytes;
  for (const KernelLaunch &launch : code.list.kernels) {
    KernelWork unknown;
    unknown.blocks = double(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    auto found = llvm::find_if(work, [&](const KernelWork &kernel) {
      return kernel.name == launch.name;
    });
    KernelWork &kernel = found == work.end() ? unknown : *found;
    kernel.threads = launch.block[0] * launch.block[1] * launch.block[2];
    kernel.sharedBytes = launch.sharedBytes;
    int64_t spilled = 0;
    for (const KernelResources &entry : code.machine.kernels) {
      if (entry.kernel != launch.name)
        continue;
      kernel.registers = entry.registers;
      kernel.sharedBytes += entry.sharedBytes;
      spilled = std::max(entry.spillStoreBytes, entry.spillLoadBytes);
      if (spilled)
        addSentence(record,
                    llvm::formatv("{0} spills {1} bytes a thread from its {2} "
                                  "registers; smaller tiles (tile_grid, "
                                  "tile_warps over more warps) or fewer "
                                  "threads a block leave more",
                                  launch.name, spilled, entry.registers)
                        .str());
      else if (entry.stackBytes)
        addSentence(record,
                    llvm::formatv("{0} keeps {1} bytes a thread in local "
                                  "memory: a tile is addressed by computed "
                                  "numbers",
                                  launch.name, entry.stackBytes)
                        .str());
    }
    double seconds = modelSeconds({kernel}, target);
    if (seconds <= longest)
      continue;
    longest = seconds;
    Resources &resources = record.resources;
    resources.threads = kernel.threads;
    resources.blocks = int64_t(kernel.blocks);
    resources.registers = kernel.registers;
    resources.spillBytes = spilled;
    resources.sharedBytes = kernel.sharedBytes;
    resources.occupancy = getResidency(kernel, target).occupancy;
  }
  record.modelSeconds = modelSeconds(work, target);
  passTier(record, 3, code.note);
  return true;
}

void kernelzero::explainOnGPU(const TaskInfo &task, const Target &target,
                              double seconds, bool isModelled, Record &record) {
  if (seconds <= 0)
    return;
  const char *word = isModelled ? "modelled: " : "";
  addSentence(record,
              llvm::formatv("{0}{1:f2} us, {2:f1} TFLOP/s, {3:f0} GB/s", word,
                            seconds * 1e6, task.flops / seconds * 1e-12,
                            task.bytes / seconds * 1e-9)
                  .str());
  Roofline bound = getRoofline(task, target);
  double share = bound.seconds > 0 ? bound.seconds / seconds : 0;
  const Resources &resources = record.resources;
  KernelWork kernel;
  kernel.threads = std::max<int64_t>(resources.threads, 32);
  kernel.registers = resources.registers;
  kernel.sharedBytes = resources.sharedBytes;
  Residency residency = getResidency(kernel, target);
  bool memory = bound.limit == "DRAM";
  constexpr double kGood = 0.85;
  if (share > kGood) {
    addSentence(record, llvm::formatv("{0}{1:f0} % of the roofline ({2}): "
                                      "little is left",
                                      word, share * 100, bound.limit)
                            .str());
    return;
  }
  if (!bound.limit.empty())
    addSentence(
        record,
        llvm::formatv(
            "{0}{1:f0} % of the roofline, which {2} sets; {3}", word,
            share * 100, bound.limit,
            memory ? "wider vectors (tile_threads vector), values kept in "
                     "registers (stage registers) and more fusion (tile_grid "
                     "fuse) move fewer bytes, or more at a time"
                   : "larger tiles (tile_grid), a larger instruction (mma) and "
                     "a deeper ring (pipeline stages) feed the arithmetic "
                     "better")
            .str());
  double slots = double(target.multiprocessors) * residency.blocks;
  double waves = slots > 0 ? resources.blocks / slots : 0;
  if (waves > 0 && waves < 0.5)
    addSentence(record,
                llvm::formatv("{0} blocks fill {1:f0} % of the {2} places for "
                              "blocks; smaller tiles (tile_grid) make more",
                              resources.blocks, waves * 100, int64_t(slots))
                    .str());
  else if (waves > 1 && waves < 6 && std::ceil(waves) / waves > 1.15)
    addSentence(
        record,
        llvm::formatv("{0:f2} waves of blocks: the last one leaves {1:f0} "
                      "% of its places empty; other tile sizes "
                      "(tile_grid) or persistent blocks even that out",
                      waves, (std::ceil(waves) - waves) * 100)
            .str());
  // Rings and tensor cores need few threads; where they are well fed that is no
  // fault.
  constexpr double kWellFed = 0.6;
  if (resources.occupancy > 0 && resources.occupancy < 0.5 &&
      residency.limit != "threads" && share < kWellFed)
    addSentence(
        record,
        llvm::formatv(
            "a multiprocessor holds {1} of these blocks ({2:f0} % of its "
            "threads), as {0} are used up: {3}",
            residency.limit == "shared memory" ? "bytes of shared memory"
                                               : residency.limit,
            residency.blocks, resources.occupancy * 100,
            residency.limit == "registers"
                ? llvm::formatv("{0} registers a thread; smaller tiles of "
                                "warps (tile_warps) need fewer",
                                resources.registers)
                      .str()
            : residency.limit == "shared memory"
                ? llvm::formatv("{0} bytes a block; fewer stages (pipeline) or "
                                "a smaller tile_loop need less",
                                resources.sharedBytes)
                      .str()
                : std::string("blocks are small; more threads (tile_threads) "
                              "hide more latency"))
            .str());
}
