# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_npy.py driver MODULE FOLDER: MODULE with a function @start that calls
@main on FOLDER/input_*.npy and prints its results. check_npy.py compare FOLDER:
compares what that printed, on standard input, with FOLDER/expected_*.npy."""
import ast
import glob
import re
import struct
import sys

TYPES = {"<f4": ("f", "f32"), "<f8": ("d", "f64"), "<i8": ("q", "i64"), "<i4": ("i", "i32"), "|b1": ("?", "i1"), "<f2": ("e", "f16")}


def load(path):
    data = open(path, "rb").read()
    assert data[:6] == b"\x93NUMPY"
    start = 10 if data[6] == 1 else 12
    end = start + int.from_bytes(data[8:start], "little")
    header = ast.literal_eval(data[start:end].decode())
    code, name = TYPES[header["descr"]]
    values = [v[0] for v in struct.iter_unpack("<" + code, data[end:])]
    assert not header["fortran_order"]
    return header["shape"], name, values


def tensor(shape, name):
    return "tensor<" + "".join(f"{d}x" for d in shape) + name + ">"


def text(shape, values):
    if not shape:
        return str(values[0]).lower()
    step = len(values) // shape[0]
    return "[" + ", ".join(text(shape[1:], values[k * step : (k + 1) * step]) for k in range(shape[0])) + "]"


def driver(module, folder):
    lines, arguments = [], []
    for k, path in enumerate(sorted(glob.glob(folder + "/input_*.npy"))):
        shape, name, values = load(path)
        lines.append(f"  %a{k} = arith.constant dense<{text(shape, values)}> : {tensor(shape, name)}")
        arguments.append((f"%a{k}", tensor(shape, name)))
    source = open(module).read()
    types = re.findall(r"tensor<[^>]*>", re.search(r"func.func @main\(.*?\) -> (.*?) \{\n", source).group(1))
    count = len(types)
    lines.append(
        f"  %r{':' + str(count) if count > 1 else ''} = call @main("
        + ", ".join(a for a, _ in arguments) + ") : (" + ", ".join(t for _, t in arguments) + ") -> (" + ", ".join(types) + ")"
    )
    for k, type in enumerate(types):
        value = f"%r#{k}" if count > 1 else "%r"
        element = type[:-1].rsplit("x", 1)[-1].split("<")[-1]
        if element == "f16":
            wide = type.replace("f16>", "f32>")
            lines.append(f"  %w{k} = arith.extf {value} : {type} to {wide}")
            value, type = f"%w{k}", wide
        rank = "tensor<*xf32>"
        lines.append(f"  %u{k} = tensor.cast {value} : {type} to {rank}")
        lines.append(f"  call @printMemrefF32(%u{k}) : ({rank}) -> ()")
    head = "func.func private @printMemrefF32(%p: tensor<*xf32>)\nfunc.func @start() {\n"
    print(source.replace("module {\n", "module {\n" + head + "\n".join(lines) + "\n  return\n}\n", 1))


def compare(folder):
    results = sys.stdin.read().split("data =")[1:]
    paths = sorted(glob.glob(folder + "/expected_*.npy"))
    if len(results) != len(paths):
        sys.exit(f"{len(results)} results, expected {len(paths)}")
    for path, result in zip(paths, results):
        _, _, wanted = load(path)
        result = result.split("Unranked")[0]
        got = [float(x) for x in re.findall(r"(?:-?\d[\d.e+-]*|-?inf|-?nan)", result)]
        if len(got) != len(wanted):
            sys.exit(f"{len(got)} numbers, expected {len(wanted)}")
        largest = max(map(abs, wanted))
        worst = max(abs(x - y) for x, y in zip(got, wanted))
        if not worst <= 2e-5 * max(largest, 1):
            sys.exit(f"a value is off by {worst}, the largest is {largest}")
        print(f"{len(got)} values agree, off by at most {worst:.2g} of {largest:.3g}")


if sys.argv[1] == "driver":
    driver(sys.argv[2], sys.argv[3])
else:
    compare(sys.argv[2])
