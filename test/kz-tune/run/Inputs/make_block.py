#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes block.onnx, a transformer block of a few KiB with dynamic batch and length,
its inputs ids.npy and scale.npy, and what onnxruntime makes of them, logits.npy and
mask.npy. Needs onnx, numpy and onnxruntime; run it in the folder of the files."""
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

VOCABULARY, WIDTH, HEADS = 24, 16, 2
HEAD = WIDTH // HEADS
draw = np.random.default_rng(0)
weights, nodes = [], []


def constant(name, value):
    weights.append(numpy_helper.from_array(np.asarray(value), name))
    return name


def weight(name, *shape):
    return constant(name, draw.normal(0, shape[0] ** -0.5, shape).astype(np.float32))


def node(kind, *inputs, out=None, **attributes):
    result = out or f"{kind.lower()}{len(nodes)}"
    nodes.append(helper.make_node(kind, inputs, [result], **attributes))
    return result


def norm(x, name):
    return node("LayerNormalization", x, weight(name + ".gain", WIDTH), weight(name + ".bias", WIDTH), axis=-1)


heads = constant("heads", np.array([0, 0, HEADS, HEAD], np.int64))
flat = constant("flat", np.array([0, 0, WIDTH], np.int64))
table = weight("table", VOCABULARY, WIDTH)
x = node("Gather", table, "ids")
y = norm(x, "first")
q, k, v = (
    node("Transpose", node("Reshape", node("MatMul", y, weight("w" + part, WIDTH, WIDTH)), heads), perm=perm)
    for part, perm in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3]))
)
scores = node("Mul", node("MatMul", q, k), "scale")
mixed = node("MatMul", node("Softmax", scores, axis=-1), v)
merged = node("Reshape", node("Transpose", mixed, perm=[0, 2, 1, 3]), flat)
x = node("Add", x, node("MatMul", merged, weight("wo", WIDTH, WIDTH)))
up = node("MatMul", norm(x, "second"), weight("up", WIDTH, 4 * WIDTH))
x = node("Add", x, node("MatMul", node("Gelu", up, approximate="tanh"), weight("down", 4 * WIDTH, WIDTH)))
node("MatMul", norm(x, "last"), weight("head", WIDTH, VOCABULARY), out="out/logits")
node("Greater", "out/logits", constant("zero", np.float32(0)), out="mask")

rows = ["batch", "length"]
graph = helper.make_graph(
    nodes,
    "block",
    [
        helper.make_tensor_value_info("ids", TensorProto.INT64, rows),
        helper.make_tensor_value_info("scale", TensorProto.FLOAT, []),
    ],
    [
        helper.make_tensor_value_info("out/logits", TensorProto.FLOAT, rows + [VOCABULARY]),
        helper.make_tensor_value_info("mask", TensorProto.BOOL, rows + [VOCABULARY]),
    ],
    weights,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
onnx.checker.check_model(model)
onnx.save(model, "block.onnx")
ids = draw.integers(0, VOCABULARY, (2, 6))
scale = np.array(HEAD**-0.5, np.float32)
np.save("ids.npy", ids)
np.save("scale.npy", scale)
session = onnxruntime.InferenceSession("block.onnx", providers=["CPUExecutionProvider"])
logits, mask = session.run(None, {"ids": ids, "scale": scale})
np.save("logits.npy", logits)
np.save("mask.npy", mask)
