//===- ParseTest.cpp - text that nests deep -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Dialect/KZ/IR/Parse.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace kernelzero;

static std::string repeat(int64_t count, const std::string &text) {
  std::string result;
  for (int64_t i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(ParseTest, CountsEachKindOfBracket) {
  for (std::string pair : {"()", "[]", "{}", "<>"}) {
    std::string open = pair.substr(0, 1), close = pair.substr(1);
    EXPECT_EQ(kz::checkNesting(repeat(256, open) + repeat(256, close)), "");
    EXPECT_EQ(kz::checkNesting(repeat(1000, pair)), "");
    EXPECT_EQ(kz::checkNesting("\n" + repeat(257, open)),
              "line 2: '" + open +
                  "' is nested deeper than the 256 levels that are accepted");
  }
}

TEST(ParseTest, IgnoresWhatIsNoBracket) {
  for (std::string text : {"-> ", "<= ", ">= ", "\"({[<\" ", "\"\\\"(\" ",
                           "// ( [ { <\n", "\"(\n"})
    EXPECT_EQ(kz::checkNesting(repeat(1000, text)), "") << text;
  // An arrow closes nothing.
  EXPECT_NE(kz::checkNesting(repeat(257, "<->")), "");
}

TEST(ParseTest, RefusesWithoutParsing) {
  MLIRContext context;
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  EXPECT_FALSE(kz::parseModule(repeat(100000, "module {"), &context, "deep"));
  EXPECT_EQ(said, "line 1: '{' is nested deeper than the 256 levels that are "
                  "accepted");
  EXPECT_TRUE(kz::parseModule(repeat(250, "module {") + repeat(250, "}"),
                              &context, "high"));
}
