#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every test: formatting, the release build and all its tests, the
# installed package, the reference pages, the portable package, and once more
# under the address and undefined-behaviour sanitizers the unit tests and those
# of kz-tune. Installs what is missing first. The last line of the output counts
# the tests.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
logs=$root/build/logs
mkdir -p "$logs"

step_limit=1200 # seconds
set -m            # each step is a process group of its own
names=() seconds=() states=()
failed=0

# step NAME COMMAND...: runs the command, its output into a log that is shown
# if it fails.
step() {
  local name=$1 start=$SECONDS state=ok log
  shift
  log=$logs/${name// /-}.log
  printf -- '--- %s\n' "$name"
  if ! run_limited "$@" >"$log" 2>&1 </dev/null; then
    state=FAILED
    failed=$((failed + 1))
    tail -n 60 "$log"
    printf -- '--- %s failed; all of its output: %s\n' "$name" "$log"
  fi
  names+=("$name") seconds+=($((SECONDS - start))) states+=("$state")
  [ "$state" = ok ]
}

# A step that hangs must not take the time of all others.
run_limited() {
  "$@" &
  local pid=$! code=0
  (sleep "$step_limit" && echo "stopped after $step_limit s" && kill -- -"$pid") &
  local watch=$!
  wait "$pid" || code=$?
  kill -- -"$watch" 2>/dev/null
  wait "$watch" 2>/dev/null
  return "$code"
}

build() { # build PRESET TARGETS...
  cmake --preset "$1" && cmake --build --preset "$1" --target "${@:2}"
}

suite() { # suite PRESET TARGET: a test target whose results are kept as JSON
  LIT_OPTS="--output $logs/$1-$2.json" cmake --build --preset "$1" --target "$2"
}

portable() {
  LIT_FILTER='kz/|kz-opt/version' suite portable check-kz-lit &&
    rm -rf build/unpacked && mkdir build/unpacked &&
    tar -C build/unpacked -xJf build/portable/kernelzero-portable.tar.xz &&
    build/unpacked/kernelzero-portable/bin/kz-opt --version || return
  # 0 with a GPU that passes its tests, 4 without one.
  local code=0
  build/unpacked/kernelzero-portable/bin/check-kz-gpu || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 4 ]
}

package() {
  cmake --install build/release --prefix build/package &&
    CC=clang-22 CXX=clang++-22 cmake -S examples/embed -B build/embed -G Ninja \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$root/build/package" &&
    cmake --build build/embed &&
    echo 'func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
            %0 = kz.staged %a <shared> : tensor<8xf32>
            return %0 : tensor<8xf32>
          }' >build/embed/staged.mlir &&
    build/embed/embed build/embed/staged.mlir | grep -F '1 staged tensors'
}

summary() {
  echo
  echo "step                      seconds  result"
  for i in "${!names[@]}"; do
    printf '%-24s %8d  %s\n' "${names[i]}" "${seconds[i]}" "${states[i]}"
  done
  printf '%-24s %8d\n\n' total "$SECONDS"
  python3 - "$failed" "$logs"/*.json <<'EOF'
import collections, json, sys

counts = collections.Counter()
skipped = collections.Counter()
for path in sys.argv[2:]:
    for test in json.load(open(path))["tests"]:
        if test["code"] == "EXCLUDED":  # by LIT_FILTER, on purpose
            continue
        counts[test["code"]] += 1
        if test["code"] in ("UNSUPPORTED", "SKIPPED"):
            skipped[test["name"].split("::")[0].strip()] += 1
for suite, count in sorted(skipped.items()):
    print(f"{suite}: {count} tests skipped, which need a GPU, ptxas or the portable build")
passed = counts["PASS"] + counts["XFAIL"] + counts["FLAKYPASS"]
left_out = counts["UNSUPPORTED"] + counts["SKIPPED"]
# A step that failed without a failing test (a build, say) counts as one.
broken = max(sum(counts.values()) - passed - left_out, int(sys.argv[1]))
print(f"{passed} passed, {broken} failed, {left_out} skipped")
EOF
  [ "$failed" -eq 0 ]
}

rm -f "$logs"/*.json
step setup scripts/setup-debian.sh --portable || { summary; exit 1; }
step format scripts/format.sh --check
if step "build release" build release all KZUnitTests; then
  step "check-kz" suite release check-kz
  step package package
  step "reference pages" cmake --build --preset release --target kz-doc
fi
if step "build portable" build portable kz-portable; then
  step portable portable
fi
if step "build asan" build asan kz-opt kz-tune KZUnitTests; then
  step "unit tests, asan" suite asan check-kz-unit
  LIT_FILTER=kz-tune/ step "kz-tune, asan" suite asan check-kz-lit
fi
summary
