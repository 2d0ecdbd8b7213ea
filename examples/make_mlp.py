#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a small multi-layer perceptron as an ONNX file.

Gemm and Relu for each layer but the last, which is a Gemm; weights as exporters
of PyTorch lay them out (output x input, transB = 1), drawn from a fixed seed.
Needs Python 3 and nothing else: the few protobuf messages that an ONNX file
consists of are written here, with the field numbers of the ONNX specification.

    make_mlp.py examples/mlp.onnx                       # the file in this folder
    make_mlp.py other.onnx --batch 32 --sizes 100 300 10
"""
import argparse
import random
import struct


def varint(value):
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)
    return bytes(data)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    """A string, bytes, or a message that is already encoded."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(name, dims, values):
    raw = struct.pack(f"<{len(values)}f", *values)
    message = b"".join(number(1, dim) for dim in dims)
    return message + number(2, 1) + data(8, name) + data(9, raw)


def value_info(name, dims):
    shape = b"".join(data(1, number(1, dim)) for dim in dims)
    return data(1, name) + data(2, data(1, number(1, 1) + data(2, shape)))


def node(op, name, inputs, output, **flags):
    message = b"".join(data(1, text) for text in inputs) + data(2, output)
    message += data(3, name) + data(4, op)
    for key, value in flags.items():
        # AttributeProto: name, i, type INT.
        message += data(5, data(1, key) + number(3, value) + number(20, 2))
    return message


def mlp(batch, sizes, seed):
    draw = random.Random(seed)
    nodes, weights, current = [], [], "x"
    for layer, (k, n) in enumerate(zip(sizes, sizes[1:])):
        last = layer == len(sizes) - 2
        bound = k**-0.5
        for name, dims in ((f"w{layer}", (n, k)), (f"b{layer}", (n,))):
            count = n * k if len(dims) == 2 else n
            values = [draw.uniform(-bound, bound) for _ in range(count)]
            weights.append(tensor(name, dims, values))
        output = "y" if last else f"h{layer}"
        inputs = (current, f"w{layer}", f"b{layer}")
        nodes.append(node("Gemm", f"gemm{layer}", inputs, output, transB=1))
        if not last:
            nodes.append(node("Relu", f"relu{layer}", (output,), f"a{layer}"))
            current = f"a{layer}"
    graph = b"".join(data(1, message) for message in nodes) + data(2, "mlp")
    graph += b"".join(data(5, message) for message in weights)
    graph += data(11, value_info("x", (batch, sizes[0])))
    graph += data(12, value_info("y", (batch, sizes[-1])))
    # ModelProto: ir_version 8, producer, graph, opset 17 of the default domain.
    producer = data(2, "make_mlp.py")
    return number(1, 8) + producer + data(7, graph) + data(8, number(2, 17))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", help="the .onnx file to write")
    parser.add_argument("--batch", type=int, default=64, help="rows of the input (64)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 512, 512, 128],
                        help="features of the input and behind each layer")
    parser.add_argument("--seed", type=int, default=0, help="of the weights (0)")
    options = parser.parse_args()
    if len(options.sizes) < 2 or min(options.sizes + [options.batch]) < 1:
        parser.error("needs two or more sizes, and all of them 1 or more")
    with open(options.output, "wb") as file:
        file.write(mlp(options.batch, options.sizes, options.seed))


if __name__ == "__main__":
    main()
