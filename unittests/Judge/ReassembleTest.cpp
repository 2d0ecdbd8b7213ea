//===- ReassembleTest.cpp - tasks plus glue are the model -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Reference.h"
#include "KernelZero/Target/HostJIT.h"
#include "KernelZero/Transforms/ApplySchedules.h"
#include "KernelZero/Transforms/ExtractTasks.h"
#include "KernelZero/Transforms/HostLowering.h"
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

using Buffer = std::vector<float>;

static void runTask(func::FuncOp function, std::vector<Buffer *> buffers) {
  OwningOpRef<ModuleOp> module = isolateTask(function);
  ASSERT_TRUE(succeeded(lowerToHost(*module)));
  llvm::Expected<std::unique_ptr<HostKernel>> kernel =
      HostKernel::compile(*module);
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  std::vector<void *> pointers;
  for (Buffer *buffer : buffers)
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
  llvm::DenseMap<Value, Buffer> values;
  for (Value argument : main.getArguments()) {
    Buffer buffer(size(argument));
    for (size_t i = 0; i < buffer.size(); ++i)
      buffer[i] = float(int(i * 37 % 17) - 8) / 8;
    values[argument] = std::move(buffer);
  }
  Buffer whole(12 * 8), pieces;
  std::vector<Buffer *> buffers;
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
    values[call.getResult(0)] = Buffer(size(call.getResult(0)));
    std::vector<Buffer *> own;
    for (Value operand : call.getOperands())
      own.push_back(&values[operand]);
    own.push_back(&values[call.getResult(0)]);
    runTask(model->lookupSymbol<func::FuncOp>(call.getCallee()), own);
  }
  EXPECT_EQ(calls, 3);
  // Both in plain loops: bit for bit.
  EXPECT_EQ(whole, pieces);
  EXPECT_NE(whole, Buffer(12 * 8));
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
