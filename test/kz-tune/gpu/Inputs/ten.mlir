// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#kz.target<"small" from "sm_80" {multiprocessors = 10, shared_bytes_per_block = 16384}>
