#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what building and testing KernelZero needs on Debian 12. Says
# nothing where all of it is there.
#
#   scripts/setup-debian.sh             to build and test
#   scripts/setup-debian.sh --portable  to make the portable package too
set -euo pipefail

packages=(
  # Compiler, LLVM and MLIR 22.
  clang-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools
  libmlir-22-dev mlir-22-tools libclang-rt-22-dev
  # What the files of LLVM's CMake package look for.
  libedit-dev libzstd-dev zlib1g-dev
  # Libraries.
  libgtest-dev libprotobuf-dev protobuf-compiler libsqlite3-dev nlohmann-json3-dev
  # Programs that build and test.
  ccache cmake g++ git ninja-build python3 python3-numpy python3-psutil
)
case "${1-}" in
  "") ;;
  --portable) packages+=(python3-pip xz-utils) ;;
  *)
    echo "setup-debian.sh: unknown argument '$1'; expected --portable or nothing" >&2
    exit 1
    ;;
esac

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup-debian.sh: needs root to install: ${missing[*]}; run it as root, or install sudo" >&2
    exit 1
  fi
  as_root=(sudo)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0)

echo "setup-debian.sh: installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
  tail -n 20 "$log" >&2
  echo "setup-debian.sh: apt-get failed; LLVM 22 comes from the suite bookworm-security, which must be among the sources" >&2
  exit 1
fi
