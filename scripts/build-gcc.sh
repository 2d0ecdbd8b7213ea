#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds everything with g++ and without the precompiled header, and runs all
# tests: shows that each file includes what it uses and that the code does not
# depend on clang. Takes long (about half a minute a file), so CI leaves it out.
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime
cmake -S . -B build/gcc -G Ninja \
  -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DKERNELZERO_PCH=OFF
cmake --build build/gcc --target all check-kz
