#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of PTX (text) or of machine code (a cubin).

  ptx_histogram.py FILE... [--filter TEXT]

A cubin is printed by nvdisasm, found under CUDA_PATH, on PATH, under
/usr/local/cuda or in the Python package nvidia-cuda-nvdisasm. One line an opcode, the most frequent first; kernels
of one file are counted together.
"""
import argparse
import collections
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys


def find_nvdisasm():
    places = []
    if os.environ.get("CUDA_PATH"):
        places.append(os.path.join(os.environ["CUDA_PATH"], "bin", "nvdisasm"))
    places += [shutil.which("nvdisasm"), "/usr/local/cuda/bin/nvdisasm"]
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        places += [str(path) for path in pathlib.Path(root).rglob("bin/nvdisasm")]
    return next((place for place in places if place and os.access(place, os.X_OK)), None)


def count_ptx(text):
    counts, body = collections.Counter(), False
    for line in text.splitlines():
        line = line.strip()
        if line in ("{", "}"):
            body = line == "{"
        elif body:
            match = re.match(r"(?:@!?%\w+\s+)?([a-z][\w.:]*)", line)
            if match and not line.endswith(":"):
                counts[match.group(1)] += 1
    return counts


def count_sass(data, path):
    tool = find_nvdisasm()
    if not tool:
        sys.exit(f"{path} is machine code, and there is no nvdisasm under CUDA_PATH, on PATH, under /usr/local/cuda or in a Python package")
    result = subprocess.run([tool, "-c", path], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"nvdisasm refused {path}: {result.stderr.strip()}")
    found = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", result.stdout)
    return collections.Counter(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--filter", default="", help="only opcodes that hold this")
    options = parser.parse_args()
    counts = collections.Counter()
    for path in options.files:
        try:
            data = sys.stdin.buffer.read() if path == "-" else pathlib.Path(path).read_bytes()
        except OSError as error:
            sys.exit(f"{path} cannot be read: {error.strerror}")
        counts += count_sass(data, path) if data.startswith(b"\x7fELF") else count_ptx(data.decode(errors="replace"))
    for opcode, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if options.filter in opcode:
            print(f"{count:6} {opcode}")


if __name__ == "__main__":
    main()
