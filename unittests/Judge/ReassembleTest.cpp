//===- ReassembleTest.cpp - tasks plus glue are the model -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Buffer.h"
#include "KernelZero/Judge/Reference.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/HostLowering.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace kernelzero;

// A value that is read twice ends the first layer; the sum of both layers is
// the epilogue of the second; the third has none.
static const char *const kModel = R"(
#mn = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<12x20xf32>, %v: tensor<20x20xf32>, %w: tensor<20x20xf32>,
                %u: tensor<20x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%x, %v : tensor<12x20xf32>, tensor<20x20xf32>) outs(%f : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]}
       ins(%0 : tensor<12x20xf32>) outs(%e : tensor<12x20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<12x20xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<12x20xf32>, tensor<20x20xf32>) outs(%f : tensor<12x20xf32>) -> tensor<12x20xf32>
  %3 = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]}
       ins(%2 : tensor<12x20xf32>) outs(%e : tensor<12x20xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<12x20xf32>
  %4 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]}
       ins(%1, %3 : tensor<12x20xf32>, tensor<12x20xf32>) outs(%e : tensor<12x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<12x20xf32>
  %e8 = tensor.empty() : tensor<12x8xf32>
  %f8 = linalg.fill ins(%zero : f32) outs(%e8 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %5 = linalg.matmul ins(%4, %u : tensor<12x20xf32>, tensor<20x8xf32>) outs(%f8 : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %5 : tensor<12x8xf32>
})";

using Floats = std::vector<float>;

static void runTask(func::FuncOp function, std::vector<Floats *> buffers) {
  OwningOpRef<ModuleOp> module = isolateTask(function);
  ASSERT_TRUE(succeeded(lowerToHost(*module)));
  llvm::Expected<std::unique_ptr<HostKernel>> kernel =
      HostKernel::compile(*module);
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  std::vector<void *> pointers;
  for (Floats *buffer : buffers)
    pointers.push_back(buffer->data());
  (*kernel)->run(pointers);
}

TEST(ReassembleTest, TasksAndCallsComputeTheModel) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerScheduleDialects(registry);
  registerHostLowering(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> model = parseSourceString<ModuleOp>(kModel, &context);
  ASSERT_TRUE(model);
  auto main = model->lookupSymbol<func::FuncOp>("main");
  auto size = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  };
  llvm::DenseMap<Value, Floats> values;
  for (Value argument : main.getArguments()) {
    Floats buffer(size(argument));
    for (size_t i = 0; i < buffer.size(); ++i)
      buffer[i] = float(int(i * 37 % 17) - 8) / 8;
    values[argument] = std::move(buffer);
  }
  Floats whole(12 * 8), pieces;
  std::vector<Floats *> buffers;
  for (Value argument : main.getArguments())
    buffers.push_back(&values[argument]);
  buffers.push_back(&whole);
  runTask(main, buffers);

  ASSERT_TRUE(succeeded(extractTasks(*model)));
  std::vector<TaskInfo> tasks = listTasks(*model);
  // The sum is read once, so it belongs to the layer before it.
  ASSERT_EQ(tasks.size(), 3u);
  int calls = 0;
  for (Operation &op : main.getBody().front()) {
    if (auto returned = dyn_cast<func::ReturnOp>(op)) {
      pieces = values[returned.getOperand(0)];
      continue;
    }
    auto call = dyn_cast<func::CallOp>(op);
    ASSERT_TRUE(call) << "glue: " << op.getName().getStringRef().str();
    ++calls;
    values[call.getResult(0)] = Floats(size(call.getResult(0)));
    std::vector<Floats *> own;
    for (Value operand : call.getOperands())
      own.push_back(&values[operand]);
    own.push_back(&values[call.getResult(0)]);
    runTask(model->lookupSymbol<func::FuncOp>(call.getCallee()), own);
  }
  EXPECT_EQ(calls, 3);
  // Both in plain loops: bit for bit.
  EXPECT_EQ(whole, pieces);
  EXPECT_NE(whole, Floats(12 * 8));
}

TEST(ReassembleTest, ExtractingTwiceChangesNothing) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerScheduleDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> model = parseSourceString<ModuleOp>(kModel, &context);
  ASSERT_TRUE(succeeded(extractTasks(*model)));
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    model->print(os);
    return text;
  };
  std::string once = print();
  ASSERT_TRUE(succeeded(extractTasks(*model)));
  EXPECT_EQ(once, print());
}

// What stands in a transformer beside products: a gather, a norm that keeps the
// summed dimension, heads cut out of a product, a rotation of halves, a mask.
static const char *const kAttention = R"(
#id3 = affine_map<(a, b, c) -> (a, b, c)>
#rows3 = affine_map<(a, b, c) -> (a, b)>
#kept3 = affine_map<(a, b, c) -> (a, b, 0)>
#id4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#rows4 = affine_map<(a, b, c, d) -> (a, b, c)>
#mask4 = affine_map<(a, b, c, d) -> (a, 0, c, d)>
func.func @main(%ids: tensor<2x6xi64>, %table: tensor<16x8xf32>, %w: tensor<8x24xf32>,
                %bias: tensor<24xf32>, %cos: tensor<6x4xf32>, %mask: tensor<2x1x6x6xi1>) -> (tensor<2x2x6x6xf32>, tensor<2x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e9 : f32
  %count = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %x = linalg.generic {indexing_maps = [#rows3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
       ins(%ids : tensor<2x6xi64>) outs(%e : tensor<2x6x8xf32>) {
  ^bb0(%a: i64, %o: f32):
    %i = arith.index_cast %a : i64 to index
    %j = linalg.index 2 : index
    %r = tensor.extract %table[%i, %j] : tensor<16x8xf32>
    linalg.yield %r : f32
  } -> tensor<2x6x8xf32>
  %er = tensor.empty() : tensor<2x6xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6xf32>) -> tensor<2x6xf32>
  %sum = linalg.generic {indexing_maps = [#id3, #rows3], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x : tensor<2x6x8xf32>) outs(%fr : tensor<2x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x6xf32>
  %wide = tensor.expand_shape %sum [[0], [1, 2]] output_shape [2, 6, 1] : tensor<2x6xf32> into tensor<2x6x1xf32>
  %ek = tensor.empty() : tensor<2x6x1xf32>
  %root = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%wide : tensor<2x6x1xf32>) outs(%ek : tensor<2x6x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %a, %count : f32
    %s = math.sqrt %d : f32
    linalg.yield %s : f32
  } -> tensor<2x6x1xf32>
  %norm = linalg.generic {indexing_maps = [#id3, #kept3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %root : tensor<2x6x8xf32>, tensor<2x6x1xf32>) outs(%e : tensor<2x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<2x6x8xf32>
  %flat = tensor.collapse_shape %norm [[0, 1], [2]] : tensor<2x6x8xf32> into tensor<12x8xf32>
  %em = tensor.empty() : tensor<12x24xf32>
  %fm = linalg.fill ins(%zero : f32) outs(%em : tensor<12x24xf32>) -> tensor<12x24xf32>
  %mm = linalg.matmul ins(%flat, %w : tensor<12x8xf32>, tensor<8x24xf32>) outs(%fm : tensor<12x24xf32>) -> tensor<12x24xf32>
  %y = tensor.expand_shape %mm [[0, 1], [2]] output_shape [2, 6, 24] : tensor<12x24xf32> into tensor<2x6x24xf32>
  %ey = tensor.empty() : tensor<2x6x24xf32>
  %all = linalg.generic {indexing_maps = [#id3, affine_map<(a, b, c) -> (c)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%y, %bias : tensor<2x6x24xf32>, tensor<24xf32>) outs(%ey : tensor<2x6x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x6x24xf32>
  %q0 = tensor.extract_slice %all[0, 0, 0] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
  %k0 = tensor.extract_slice %all[0, 0, 8] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
  %v0 = tensor.extract_slice %all[0, 0, 16] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %k1 = tensor.expand_shape %k0 [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %eh = tensor.empty() : tensor<2x2x6x4xf32>
  %et = tensor.empty() : tensor<2x2x4x6xf32>
  %q2 = linalg.transpose ins(%q1 : tensor<2x6x2x4xf32>) outs(%eh : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3]
  %k2 = linalg.transpose ins(%k1 : tensor<2x6x2x4xf32>) outs(%et : tensor<2x2x4x6xf32>) permutation = [0, 2, 3, 1]
  %ql = tensor.extract_slice %q2[0, 0, 0, 0] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x4xf32> to tensor<2x2x6x2xf32>
  %qh = tensor.extract_slice %q2[0, 0, 0, 2] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x4xf32> to tensor<2x2x6x2xf32>
  %qa = tensor.insert_slice %qh into %eh[0, 0, 0, 0] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x2xf32> into tensor<2x2x6x4xf32>
  %qb = tensor.insert_slice %ql into %qa[0, 0, 0, 2] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x2xf32> into tensor<2x2x6x4xf32>
  %q3 = linalg.generic {indexing_maps = [#id4, #id4, affine_map<(a, b, c, d) -> (c, d)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%q2, %qb, %cos : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>, tensor<6x4xf32>) outs(%eh : tensor<2x2x6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %p = arith.mulf %b, %c : f32
    %s = arith.addf %a, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x6x4xf32>
  %q = tensor.collapse_shape %q3 [[0, 1], [2], [3]] : tensor<2x2x6x4xf32> into tensor<4x6x4xf32>
  %k = tensor.collapse_shape %k2 [[0, 1], [2], [3]] : tensor<2x2x4x6xf32> into tensor<4x4x6xf32>
  %es = tensor.empty() : tensor<4x6x6xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<4x6x4xf32>, tensor<4x4x6xf32>) outs(%fs : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %s4 = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [2, 2, 6, 6] : tensor<4x6x6xf32> into tensor<2x2x6x6xf32>
  %e4 = tensor.empty() : tensor<2x2x6x6xf32>
  %masked = linalg.generic {indexing_maps = [#id4, #mask4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
            ins(%s4, %mask : tensor<2x2x6x6xf32>, tensor<2x1x6x6xi1>) outs(%e4 : tensor<2x2x6x6xf32>) {
  ^bb0(%a: f32, %b: i1, %o: f32):
    %r = arith.select %b, %a, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6x6xf32>
  %em4 = tensor.empty() : tensor<2x2x6xf32>
  %fm4 = linalg.fill ins(%low : f32) outs(%em4 : tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %max = linalg.generic {indexing_maps = [#id4, #rows4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%masked : tensor<2x2x6x6xf32>) outs(%fm4 : tensor<2x2x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x2x6xf32>
  %r4 = linalg.generic {indexing_maps = [#id4, #rows4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%masked, %max : tensor<2x2x6x6xf32>, tensor<2x2x6xf32>) outs(%e4 : tensor<2x2x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %x2 = math.exp %d : f32
    linalg.yield %x2 : f32
  } -> tensor<2x2x6x6xf32>
  return %r4, %v0 : tensor<2x2x6x6xf32>, tensor<2x6x8xf32>
})";

TEST(ReassembleTest, CallsAndViewsAreAllThatIsLeft) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerScheduleDialects(registry);
  registerHostLowering(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> model =
      parseSourceString<ModuleOp>(kAttention, &context);
  ASSERT_TRUE(model);
  auto main = model->lookupSymbol<func::FuncOp>("main");
  std::vector<kernelzero::Buffer> buffers(main.getNumArguments());
  std::vector<const void *> inputs;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    BlockArgument argument = main.getArgument(index);
    ASSERT_TRUE(buffer.allocate(cast<RankedTensorType>(argument.getType())));
    drawInput(argument, buffer, /*seed=*/index + 1);
    inputs.push_back(buffer.data());
  }
  std::string error;
  std::vector<ReferenceTensor> whole, pieces;
  ASSERT_TRUE(evaluateReference(main, inputs, whole, error)) << error;
  ASSERT_TRUE(succeeded(extractTasks(*model)));
  int calls = 0;
  for (Operation &op : main.getBody().front()) {
    calls += isa<func::CallOp>(op);
    EXPECT_TRUE((isa<func::CallOp, func::ReturnOp, tensor::ExpandShapeOp,
                     tensor::CollapseShapeOp>(op)))
        << op.getName().getStringRef().str();
  }
  // Norm with its gather, product, two transposes, rotation, scores, softmax,
  // and the slice that is a result.
  EXPECT_EQ(calls, 8);
  ASSERT_TRUE(evaluateReference(main, inputs, pieces, error)) << error;
  ASSERT_EQ(whole.size(), pieces.size());
  for (auto [one, other] : llvm::zip_equal(whole, pieces)) {
    EXPECT_EQ(one.values, other.values);
    EXPECT_NE(one.values, std::vector<double>(one.values.size(), 0));
  }

  // Every task in plain loops of the host computes what the reference says.
  for (const TaskInfo &task : listTasks(*model)) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(task.text, &context);
    auto function = module->lookupSymbol<func::FuncOp>("task");
    std::vector<kernelzero::Buffer> own(function.getNumArguments() +
                                        function.getNumResults());
    std::vector<void *> pointers;
    std::vector<const void *> read;
    for (auto [index, buffer] : llvm::enumerate(own)) {
      bool isInput = index < function.getNumArguments();
      ASSERT_TRUE(buffer.allocate(cast<RankedTensorType>(
          isInput ? function.getArgumentTypes()[index]
                  : function.getResultTypes()[index -
                                              function.getNumArguments()])));
      if (isInput)
        drawInput(function.getArgument(index), buffer, index);
      pointers.push_back(buffer.data());
    }
    read.assign(pointers.begin(),
                pointers.begin() + function.getNumArguments());
    std::vector<ReferenceTensor> expected;
    ASSERT_TRUE(evaluateReference(function, read, expected, error)) << error;
    ASSERT_TRUE(succeeded(lowerToHost(*module))) << task.name;
    llvm::Expected<std::unique_ptr<HostKernel>> kernel =
        HostKernel::compile(*module);
    ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
    (*kernel)->run(pointers);
    EXPECT_EQ(compareWithReference(expected[0], pointers.back()).wrong, 0)
        << task.name;
  }
}
