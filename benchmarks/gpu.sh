#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs, checks and measures every GPU kernel of schedules/ on one GPU and prints
# a table last. Needs kz-run (of any build, the portable one too), the NVIDIA
# driver, cuBLAS within LD_LIBRARY_PATH, and ptxas if the driver's own compiler
# shall not do.
#   benchmarks/gpu.sh [KZ_RUN [OUTPUT_FOLDER [NAME...]]]
# NAME: only the cases whose names hold one of these words.
here=$(cd "$(dirname "$0")/.." && pwd)
run=${1:-kz-run}
out=${2:-$(mktemp -d)}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] && shift
names=$*
mkdir -p "$out" || exit 1
: > "$out/table.txt"
failed=0

# case NAME FILE TARGET SED OPTIONS...: FILE with its shapes replaced by SED.
case_() {
  name=$1 file=$here/schedules/tile/$2 target=$3 edit=$4
  shift 4
  if [ -n "$names" ]; then
    hit=
    for word in $names; do case $name in *$word*) hit=1 ;; esac; done
    [ -n "$hit" ] || return 0
  fi
  if [ ! -f "$file" ]; then
    echo "$name: $file is not there" >> "$out/table.txt"
    failed=1
    return 0
  fi
  sed "$edit" "$file" > "$out/$name.mlir"
  if ! "$run" "$out/$name.mlir" --target="$target" --json="$out/$name.json" "$@" \
      > "$out/$name.log" 2>&1; then
    failed=1
    echo "$name: exit code not 0; last lines of its log:" >> "$out/table.txt"
    tail -n 3 "$out/$name.log" >> "$out/table.txt"
    return 0
  fi
  [ -s "$out/table.txt" ] || tail -n 2 "$out/$name.log" | head -n 1 > "$out/table.txt"
  tail -n 1 "$out/$name.log" >> "$out/table.txt"
}

case_ gemm-4096 gemm_wgmma.mlir sm_90a '' --op=gemm --b-layout=nn
case_ gemm-8192 gemm_wgmma.mlir sm_90a 's/4096/8192/g' --op=gemm --b-layout=nn --samples=30
case_ gemm-4000 gemm_wgmma.mlir sm_90a 's/4096/4000/g' --op=gemm --b-layout=nn
case_ gemm-2048 gemm_wgmma.mlir sm_90a 's/4096/2048/g' --op=gemm --b-layout=nn
case_ gemm-gelu-4096 gemm_wgmma_bias_gelu.mlir sm_90a '' --op=gemm --epilogue=gelu --b-layout=nn
case_ gemm-gelu-8192 gemm_wgmma_bias_gelu.mlir sm_90a 's/4096/8192/g' --op=gemm --epilogue=gelu --b-layout=nn --samples=30
case_ gemm-sm80-4096 gemm_mma_sync.mlir sm_80 '' --op=gemm --b-layout=nn
case_ softmax softmax_rows.mlir sm_90a '' --op=softmax

echo
cat "$out/table.txt"
exit $failed
