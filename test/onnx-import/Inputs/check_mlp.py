# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads row 63 of the result of examples/mlp.onnx, as printMemrefF32 prints it,
from standard input and compares it with double precision arithmetic. The input
is x[i, j] = (256 i + j) mod 7 - 3; the weights are drawn again as make_mlp.py
draws them, so neither the file nor the importer is asked for them."""
import random
import re
import struct
import sys

SIZES, ROW = (256, 512, 512, 128), 63


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


draw = random.Random(0)
values = [(SIZES[0] * ROW + j) % 7 - 3 for j in range(SIZES[0])]
for layer, (k, n) in enumerate(zip(SIZES, SIZES[1:])):
    bound = k**-0.5
    w = [single(draw.uniform(-bound, bound)) for _ in range(n * k)]
    b = [single(draw.uniform(-bound, bound)) for _ in range(n)]
    values = [
        sum(x * y for x, y in zip(values, w[i * k : i * k + k])) + b[i] for i in range(n)
    ]
    if layer < len(SIZES) - 2:
        values = [max(x, 0.0) for x in values]

data = sys.stdin.read().split("data =")[1]
got = [float(x) for x in re.findall(r"-?\d[\d.e+-]*", data)]
if len(got) != len(values):
    sys.exit(f"{len(got)} numbers, expected {len(values)}")
# Six digits are printed.
worst = max(abs(x - y) - 1e-5 * abs(y) for x, y in zip(got, values))
if not worst < 1e-5 or max(map(abs, values)) < 0.1:
    sys.exit(f"a value is off by {worst}")
print(f"{len(got)} values agree")
