//===- Artifact.cpp - code of a candidate as plain data -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Judge/Artifact.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"

using namespace kernelzero;

std::string kernelzero::toLine(const Artifact &artifact) {
  llvm::json::Object object{{"kind", artifact.kind},
                            {"code", llvm::encodeBase64(artifact.code)},
                            {"launches", artifact.launches},
                            {"hash", artifact.hash},
                            {"inputs", artifact.inputs},
                            {"outputs", artifact.outputs},
                            {"sharedBytes", artifact.sharedBytes},
                            {"privateBytes", artifact.privateBytes}};
  std::string line;
  llvm::raw_string_ostream(line) << llvm::json::Value(std::move(object));
  return line;
}

bool kernelzero::fromLine(const std::string &line, Artifact &artifact) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return false;
  auto text = [&](const char *name) {
    return object->getString(name).value_or("").str();
  };
  auto number = [&](const char *name) {
    return object->getInteger(name).value_or(0);
  };
  std::vector<char> code;
  if (llvm::Error error = llvm::decodeBase64(text("code"), code)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  artifact.kind = text("kind");
  artifact.code.assign(code.begin(), code.end());
  artifact.launches = text("launches");
  artifact.hash = text("hash");
  artifact.inputs = number("inputs");
  artifact.outputs = number("outputs");
  artifact.sharedBytes = number("sharedBytes");
  artifact.privateBytes = number("privateBytes");
  return true;
}
