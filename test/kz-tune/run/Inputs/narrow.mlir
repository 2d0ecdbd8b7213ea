// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A processor with SSE alone.
#kz.target<"narrow" from "host" {vector_bytes = 16, vector_registers = 16}>
