#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From a fresh clone on Debian 12 to a tuned model: installs what is missing,
# builds, tunes examples/mlp.onnx for this machine's processor, and replays the
# winners with kz-opt.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/quickstart
mkdir -p "$out"

quietly() { # quietly WHAT COMMAND...: output only where it fails
  local what=$1 start=$SECONDS
  shift
  if ! "$@" >"$out/log" 2>&1 </dev/null; then
    tail -n 40 "$out/log" >&2
    echo "quickstart.sh: $what failed" >&2
    exit 1
  fi
  echo "$what: $((SECONDS - start)) s"
}

scripts/setup-debian.sh
quietly configure cmake --preset release
quietly build cmake --build --preset release --target kz-opt kz-tune

echo
echo "\$ kz-tune examples/mlp.onnx --target host --trials 24 --store $out/store"
status=0
build/release/bin/kz-tune examples/mlp.onnx --target host --trials 24 --store "$out/store" || status=$?
# 2: nothing beat the baseline, whose verified schedule is what is stored.
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status"

echo
echo "\$ kz-tune import examples/mlp.onnx -o $out/mlp.mlir"
build/release/bin/kz-tune import examples/mlp.onnx -o "$out/mlp.mlir"
echo "\$ kz-opt $out/mlp.mlir --kz-apply-schedules='library=$out/store' -o $out/tuned.mlir"
build/release/bin/kz-opt "$out/mlp.mlir" --kz-apply-schedules="library=$out/store" -o "$out/tuned.mlir"
echo
echo "winners: $out/store; the model with them, for a pipeline: $out/tuned.mlir; to run it:"
echo "kz-tune run examples/mlp.onnx --target host --random 0 --time 20 --store $out/store"
