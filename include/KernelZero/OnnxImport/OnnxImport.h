//===- OnnxImport.h - from an ONNX file to a module of level L0 -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef KERNELZERO_ONNXIMPORT_ONNXIMPORT_H
#define KERNELZERO_ONNXIMPORT_ONNXIMPORT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace kernelzero {

/// What a caller may choose about an import.
struct ImportOptions {
  /// Values of dynamic dimensions: of a symbolic one by its name, of one
  /// without a name by "INPUT:AXIS", for example "x:0". Every entry must occur
  /// in the model.
  std::map<std::string, int64_t> dims;
};

/// Reads the ONNX model at `path` and builds a module with one function
/// `@main`. Its arguments are the inputs of the graph that have no initialiser,
/// its results the outputs of the graph, both in the order of the file and with
/// static shapes; the attribute `kz.name` on each holds the name that the model
/// uses. Operations carry the name of their node as location.
///
/// Initialisers of up to `denseConstantLimit` bytes are `arith.constant
/// dense<…>`, which passes can look into; larger ones are `arith.constant
/// dense_resource<…>`, which no context hashes or keeps twice. Both survive
/// printing and parsing bit for bit (resources as hexadecimal text at the end
/// of the file).
///
/// Sums of 16-bit floats are held in f32 and rounded once, by an explicit
/// `arith.truncf`. On failure `error` is one sentence that starts with the
/// path; nothing is thrown and nothing else is printed.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(mlir::MLIRContext &context, llvm::StringRef path,
           const ImportOptions &options, std::string &error);

/// An input of a graph, as its file declares it.
struct OnnxInput {
  std::string name;
  bool hasShape = false;
  /// For every dimension: empty where its size is known, else the key that
  /// `ImportOptions::dims` binds it by.
  std::vector<std::string> dynamicDims;
};

/// Reads which inputs without an initialiser the model at `path` has, in order.
/// False, and one sentence in `error`, where the file is no model.
bool readOnnxInputs(llvm::StringRef path, std::vector<OnnxInput> &inputs,
                    std::string &error);

/// The most bytes of an initialiser that becomes a dense constant.
inline constexpr int64_t denseConstantLimit = 4096;

} // namespace kernelzero

#endif // KERNELZERO_ONNXIMPORT_ONNXIMPORT_H
