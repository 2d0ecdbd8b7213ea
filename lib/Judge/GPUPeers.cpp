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
  std::optional<Product> product = findProduct(task.getFunction(), hasMore);
  std::string error;
  if (product)
    cublas = Cublas::load(device, error);
  auto allocate = [&](int64_t bytes) -> DeviceError {
    return buffers.emplace_back().allocate(device, bytes);
  };
  if (product && cublas) {
    name = product->batch == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx";
    if (hasMore)
      name += " (the product alone)";
    const int64_t counts[] = {product->batch * product->m * product->k,
                              product->batch * product->k * product->n,
                              product->batch * product->m * product->n};
    MLIRContext *context = task.module->getContext();
    for (auto [index, count] : llvm::enumerate(counts)) {
      ElementType element = index == 2 ? product->output : product->input;
      if (DeviceError failure = allocate(count * elementBytes(element)))
        return failure;
      if (index == 2)
        continue;
      // What is multiplied matters for power, so it is drawn as inputs are.
      Type type =
          element == ElementType::f64    ? Type(Float64Type::get(context))
          : element == ElementType::f32  ? Type(Float32Type::get(context))
          : element == ElementType::bf16 ? Type(BFloat16Type::get(context))
                                         : Type(Float16Type::get(context));
      Buffer values;
      if (!values.allocate(RankedTensorType::get({count}, type)))
        return std::string("there is no memory for the peer's operands");
      drawNormal(values, 1 + index);
      if (DeviceError failure = device.upload(buffers.back().address(),
                                              values.data(), values.bytes()))
        return failure;
    }
    work = [this, product = *product] {
      return cublas->multiply(product, buffers[0].address(),
                              buffers[1].address(), buffers[2].address());
    };
    return std::nullopt;
  }
  if (product)
    return std::nullopt; // A copy would say nothing.
  // A copy of half as many bytes reads and writes as many together.
  int64_t bytes = std::max<int64_t>(task.info.bytes / 2, 1);
  for (int i = 0; i < 2; ++i)
    if (DeviceError failure = allocate(bytes))
      return failure;
  name = "device-to-device copy";
  work = [this, bytes] {
    return device.copy(buffers[1].address(), buffers[0].address(), bytes);
  };
  return std::nullopt;
}

DeviceError PeerBench::time(const Device::Work &candidate,
                            const TimingOptions &options,
                            std::vector<Peer> &peers) {
  if (!prepared)
    if (DeviceError error = prepare())
      return error;
  if (!work)
    return std::nullopt;
  std::vector<std::vector<double>> times;
  if (DeviceError error = device.time({work, candidate}, options, times))
    return error;
  Peer &peer = peers.emplace_back();
  peer.name = name;
  peer.seconds = getMedian(times[0]) * 1e-6;
  double ours = getMedian(times[1]) * 1e-6;
  peer.ratio = ours > 0 ? peer.seconds / ours : 0;
  return std::nullopt;
}
