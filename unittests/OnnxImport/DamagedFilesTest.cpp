//===- DamagedFilesTest.cpp - no damage to a file crashes the importer ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/OnnxImport/OnnxImport.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelzero;

namespace {

class DamagedFiles : public testing::Test {
protected:
  void SetUp() override {
    auto buffer =
        llvm::MemoryBuffer::getFile(KZ_ONNX_INPUTS "/gemm-broadcast.onnx");
    ASSERT_TRUE(bool(buffer));
    bytes = (*buffer)->getBuffer().str();
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("damaged", "onnx", path));
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  /// Imports `damaged`: a module, or one sentence.
  bool importBytes(StringRef damaged) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    EXPECT_FALSE(code);
    stream << damaged;
    stream.close();
    std::string error;
    FailureOr<OwningOpRef<ModuleOp>> module =
        importOnnx(context, path, ImportOptions(), error);
    if (succeeded(module)) {
      EXPECT_TRUE(error.empty()) << error;
      return true;
    }
    EXPECT_TRUE(StringRef(error).starts_with((path.str() + ": ").str()))
        << error;
    EXPECT_TRUE(llvm::none_of(error, [](char c) { return c >= 0 && c < 0x20; }))
        << error;
    EXPECT_FALSE(StringRef(error).contains("does not verify")) << error;
    return false;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string bytes;
  SmallString<128> path;
};

TEST_F(DamagedFiles, WholeFileImports) { EXPECT_TRUE(importBytes(bytes)); }

TEST_F(DamagedFiles, CutOffFilesAreRefused) {
  // The opset stands last, so every shorter file lacks something.
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(importBytes(StringRef(bytes).take_front(size))) << size;
}

TEST_F(DamagedFiles, ChangedBytesNeverCrash) {
  size_t imported = 0, refused = 0;
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int change : {0x01, 0x08, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = char(damaged[at] ^ change);
      ++(importBytes(damaged) ? imported : refused);
    }
  // Both must occur, or the loop tests nothing.
  EXPECT_GT(imported, 0u);
  EXPECT_GT(refused, imported);
}

TEST_F(DamagedFiles, RemovedBytesNeverCrash) {
  for (size_t at = 0; at < bytes.size(); ++at)
    for (size_t count : {1, 7}) {
      std::string damaged = bytes;
      damaged.erase(at, count);
      importBytes(damaged);
    }
}

} // namespace
