//===- GPUPeers.cpp - what candidates are measured beside -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "GPUPeers.h"
#include "KernelZero/Judge/Timing.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace kernelzero;

static std::optional<ElementType> getElement(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  ElementType element;
  if (elementFromName(text, element) && isa<FloatType>(type))
    return element;
  return std::nullopt;
}

std::optional<Product> kernelzero::findProduct(func::FuncOp task,
                                               bool &hasMore) {
  linalg::LinalgOp product;
  int64_t products = 0;
  hasMore = false;
  task.walk([&](linalg::LinalgOp op) {
    if (isa<linalg::FillOp>(op.getOperation()))
      return;
    if (linalg::isaContractionOpInterface(op)) {
      product = op;
      ++products;
    } else {
      hasMore = true;
    }
  });
  if (products != 1)
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(product);
  if (failed(dims) || dims->k.size() != 1 || dims->batch.size() > 1 ||
      dims->m.size() > 1 || dims->n.size() > 1)
    return std::nullopt;
  SmallVector<int64_t> ranges = product.getStaticLoopRanges();
  auto size = [&](ArrayRef<unsigned> list) {
    return list.empty() ? int64_t(1) : ranges[list.front()];
  };
  Product result;
  result.batch = size(dims->batch);
  result.m = size(dims->m);
  result.n = size(dims->n);
  result.k = size(dims->k);
  // The summed dimension is A's last and B's last but one, or they are
  // transposed.
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  AffineExpr k = getAffineDimExpr(dims->k.front(), product.getContext());
  auto isLast = [&](AffineMap map) {
    return map.getNumResults() && map.getResults().back() == k;
  };
  result.transposeA = !isLast(maps[0]) && !dims->m.empty();
  result.transposeB = isLast(maps[1]) && !dims->n.empty();
  std::optional<ElementType> input =
      getElement(getElementTypeOrSelf(product->getOperand(0).getType()));
  // Sums leave the task as its result, rounded.
  std::optional<ElementType> output =
      task.getNumResults() == 1
          ? getElement(getElementTypeOrSelf(task.getResultTypes().front()))
          : input;
  if (!input || !output)
    return std::nullopt;
  result.input = *input;
  result.output = *input == ElementType::f64   ? ElementType::f64
                  : *input == ElementType::f32 ? ElementType::f32
                                               : *output;
  return result;
}

PeerBench::PeerBench(Device &device, PreparedTask &task)
    : device(device), task(task) {}

DeviceError PeerBench::prepare() {
  prepared = true;
  bool hasMore = false;
  std::string error;
  product = findProduct(task.getFunction(), hasMore);
  if (!product) {
    name = "device-to-device copy";
    return std::nullopt;
  }
  cublas = Cublas::load(device, error);
  // Without it there is no peer: a copy would say nothing of a product.
  if (!cublas)
    return std::nullopt;
  name = product->batch == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx";
  if (hasMore)
    name += " (the product alone)";
  return std::nullopt;
}

static Type getType(MLIRContext *context, ElementType element) {
  switch (element) {
  case ElementType::f64:
    return Float64Type::get(context);
  case ElementType::f32:
    return Float32Type::get(context);
  case ElementType::bf16:
    return BFloat16Type::get(context);
  default:
    return Float16Type::get(context);
  }
}

/// One more set of buffers for the peer.
DeviceError PeerBench::addSet() {
  std::vector<GPUBuffer> set;
  auto allocate = [&](int64_t bytes) -> DeviceError {
    return set.emplace_back().allocate(device, bytes);
  };
  if (!product) {
    // A copy of half as many bytes reads and writes as many together.
    for (int i = 0; i < 2; ++i)
      if (DeviceError error =
              allocate(std::max<int64_t>(task.info.bytes / 2, 1)))
        return error;
    sets.push_back(std::move(set));
    return std::nullopt;
  }
  const int64_t counts[] = {product->batch * product->m * product->k,
                            product->batch * product->k * product->n,
                            product->batch * product->m * product->n};
  for (auto [index, count] : llvm::enumerate(counts)) {
    ElementType element = index == 2 ? product->output : product->input;
    int64_t bytes = count * elementBytes(element);
    if (DeviceError error = allocate(bytes))
      return error;
    if (index == 2)
      continue;
    DeviceError error;
    if (!sets.empty()) {
      error = device.copy(set.back().address(), sets.front()[index].address(),
                          bytes);
    } else {
      // What is multiplied matters for power, so it is drawn as inputs are.
      Buffer values;
      if (!values.allocate(RankedTensorType::get(
              {count}, getType(task.module->getContext(), element))))
        return std::string("there is no memory for the peer's operands");
      drawNormal(values, 1 + index);
      error = device.upload(set.back().address(), values.data(), bytes);
    }
    if (error)
      return error;
  }
  sets.push_back(std::move(set));
  return std::nullopt;
}

DeviceError PeerBench::start(const std::vector<GPUBuffer> &set) {
  if (!product)
    return device.copy(set[1].address(), set[0].address(), set[0].bytes());
  return cublas->multiply(*product, set[0].address(), set[1].address(),
                          set[2].address());
}

DeviceError PeerBench::time(const Device::Work &candidate, int64_t launches,
                            const TimingOptions &options,
                            std::vector<Peer> &peers) {
  if (!prepared)
    if (DeviceError error = prepare())
      return error;
  if (name.empty())
    return std::nullopt;
  while (int64_t(sets.size()) < launches)
    if (DeviceError error = addSet())
      return error;
  Device::Work once = [&] { return start(sets.front()); };
  Device::Work work = once;
  // What a library sets up at its first call is not to be recorded.
  if (DeviceError error = once())
    return error;
  if (DeviceError error = device.synchronize())
    return error;
  if (launches > 1) {
    Device::Work all = [&]() -> DeviceError {
      for (int64_t i = 0; i < launches; ++i)
        if (DeviceError error = start(sets[i]))
          return error;
      return std::nullopt;
    };
    // A library that cannot be recorded is no peer of short kernels.
    if (device.record(all, work))
      return std::nullopt;
  }
  std::vector<std::vector<double>> times;
  if (DeviceError error = device.time({work, candidate}, options, times))
    return error;
  Peer &peer = peers.emplace_back();
  peer.name = name;
  peer.seconds = getMedian(times[0]) * 1e-6 / launches;
  double ours = getMedian(times[1]) * 1e-6 / launches;
  peer.ratio = ours > 0 ? peer.seconds / ours : 0;
  return std::nullopt;
}
