//===- LaunchListFromIR.cpp - launch lists of L3 modules ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/LaunchList.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kernelzero {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_PRINTLAUNCHLISTPASS
#include "KernelZero/Runtime/Passes.h.inc"
} // namespace kernelzero

using namespace mlir;
using namespace kernelzero;

/// The three extents of a launch; absent means ones where `optional`.
static LogicalResult readExtents(LLVM::LLVMFuncOp func, DictionaryAttr launch,
                                 StringRef name, bool optional,
                                 std::array<int64_t, 3> &extents) {
  auto attr = launch.getAs<DenseI64ArrayAttr>(name);
  if (!attr && optional && !launch.contains(name))
    return success();
  if (!attr || attr.size() != 3)
    return func.emitError()
           << "kz.launch needs '" << name << "' as array<i64: x, y, z>";
  llvm::copy(attr.asArrayRef(), extents.begin());
  return success();
}

static LogicalResult readArgument(LLVM::LLVMFuncOp func, Attribute attr,
                                  LaunchArgument &argument) {
  auto entry = dyn_cast<DictionaryAttr>(attr);
  auto index = entry ? entry.getAs<IntegerAttr>("buffer") : IntegerAttr();
  if (entry && !index) {
    index = entry.getAs<IntegerAttr>("workspace");
    argument.isWorkspace = true;
  }
  if (!index)
    return func.emitError("kz.launch has an argument that is neither a buffer "
                          "nor a workspace: ")
           << attr;
  argument.index = index.getInt();
  argument.written = entry.contains("written");

  auto typeAttr = entry.getAs<TypeAttr>("type");
  auto type = typeAttr ? dyn_cast<MemRefType>(typeAttr.getValue()) : nullptr;
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return func.emitError("kz.launch has an argument whose type is not a "
                          "static row-major memref: ")
           << attr;
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  if (!elementFromName(element, argument.type.element))
    return func.emitError("kz.launch has a buffer of ")
           << element << "; " << elementNames() << " are possible";
  argument.type.shape.assign(type.getShape().begin(), type.getShape().end());

  auto box = entry.getAs<DenseI64ArrayAttr>("box");
  if (!box) {
    if (entry.contains("box"))
      return func.emitError("kz.launch has a box that is not array<i64: …>");
    return success();
  }
  if (box.size() != type.getRank())
    return func.emitError("kz.launch has a box of ")
           << box.size() << " dimensions over a buffer of " << type.getRank();
  argument.isMap = true;
  TensorMap &map = argument.map;
  map.dims.assign(type.getShape().rbegin(), type.getShape().rend());
  map.box.assign(box.asArrayRef().rbegin(), box.asArrayRef().rend());
  int64_t pitch = elementBytes(argument.type.element);
  for (size_t i = 0; i + 1 < map.dims.size(); ++i)
    map.byteStrides.push_back(pitch *= map.dims[i]);
  if (auto swizzle = entry.getAs<IntegerAttr>("swizzle"))
    map.swizzle = swizzle.getInt();
  return success();
}

static LogicalResult readKernel(LLVM::LLVMFuncOp func, LaunchList &list) {
  auto launch = func->getAttrOfType<DictionaryAttr>("kz.launch");
  if (!launch)
    return func.emitError("kernel without the attribute kz.launch");
  KernelLaunch &kernel = list.kernels.emplace_back();
  kernel.name = func.getName().str();
  if (failed(readExtents(func, launch, "grid", false, kernel.grid)) ||
      failed(readExtents(func, launch, "block", false, kernel.block)) ||
      failed(readExtents(func, launch, "cluster", true, kernel.cluster)))
    return failure();
  if (auto shared = launch.getAs<IntegerAttr>("shared"))
    kernel.sharedBytes = shared.getInt();
  auto arguments = launch.getAs<ArrayAttr>("arguments");
  size_t count = arguments ? arguments.size() : 0;
  if (count != func.getNumArguments())
    return func.emitError("kz.launch names ")
           << count << " arguments, the kernel has " << func.getNumArguments();
  for (Attribute attr :
       arguments ? arguments.getValue() : ArrayRef<Attribute>())
    if (failed(readArgument(func, attr, kernel.arguments.emplace_back())))
      return failure();
  return success();
}

bool kernelzero::buildLaunchList(ModuleOp module, LaunchList &list) {
  list = LaunchList();
  if (auto bytes = module->getAttrOfType<DenseI64ArrayAttr>("kz.workspace"))
    list.workspaceBytes.assign(bytes.asArrayRef().begin(),
                               bytes.asArrayRef().end());
  WalkResult result = module.walk([&](LLVM::LLVMFuncOp func) {
    if (!func->getParentOfType<gpu::GPUModuleOp>() ||
        !(func->hasAttr("nvvm.kernel") || func->hasAttr("kz.launch")))
      return WalkResult::advance();
    return failed(readKernel(func, list)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  if (list.kernels.empty()) {
    module.emitError("no kernel: no llvm.func of a gpu.module carries "
                     "kz.launch");
    return false;
  }
  std::string error;
  if (!checkLaunchList(list, error)) {
    module.emitError(error);
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// kz-print-launch-list
//===----------------------------------------------------------------------===//

namespace {

struct PrintLaunchListPass
    : public kernelzero::impl::PrintLaunchListPassBase<PrintLaunchListPass> {
  void runOnOperation() override {
    LaunchList list;
    if (!buildLaunchList(getOperation(), list))
      return signalPassFailure();
    llvm::outs() << toJSON(list) << "\n";
    markAllAnalysesPreserved();
  }
};

} // namespace

#define GEN_PASS_REGISTRATION
#include "KernelZero/Runtime/Passes.h.inc"

void kernelzero::registerRuntimePasses() {
  registerPrintLaunchListPass();
  registerCompileTasksPass();
}
