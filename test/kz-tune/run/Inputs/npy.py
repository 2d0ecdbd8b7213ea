# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes and compares .npy files without NumPy.

  npy.py make FILE DESCR SHAPE VALUE... [--fortran]   SHAPE as 2x3, or () for a scalar
  npy.py compare FILE EXPECTED TOLERANCE
"""
import ast
import math
import struct
import sys

FORMATS = {"<f2": "<e", "<f4": "<f", "<f8": "<d", "|b1": "<?", "|i1": "<b", "<i2": "<h", "<i4": "<i",
           "<i8": "<q", ">f4": ">f", "<u2": "<H"}


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0, "elements must start at a multiple of 64 bytes"
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["fortran_order"] is False
    values = [value for (value,) in struct.iter_unpack(FORMATS[header["descr"]], data[10 + length :])]
    assert len(values) == math.prod(header["shape"])
    return header["descr"], header["shape"], values


def make(path, descr, shape, *values):
    fortran = "--fortran" in values
    values = [float(value) if "f" in descr else int(value) for value in values if value != "--fortran"]
    shape = tuple(int(size) for size in shape.split("x")) if shape != "()" else ()
    header = str({"descr": descr, "fortran_order": fortran, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for value in values:
            file.write(struct.pack(FORMATS[descr], value))


def compare(path, expected, tolerance):
    (kind, shape, values), (wanted_kind, wanted_shape, wanted) = read(path), read(expected)
    if (kind, shape) != (wanted_kind, wanted_shape):
        sys.exit(f"{path} is {shape} of {kind}, expected {wanted_shape} of {wanted_kind}")
    def distance(a, b):
        # Infinities are equal to themselves, and so is what is no number.
        if a == b or (a != a and b != b):
            return 0
        return abs(a - b) if math.isfinite(a - b) else math.inf

    worst = max(distance(float(a), float(b)) for a, b in zip(values, wanted))
    if not worst <= float(tolerance) or len(set(wanted)) < 2:
        sys.exit(f"{path} is off by {worst}")
    print(f"{len(values)} elements agree")


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
