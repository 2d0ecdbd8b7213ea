#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A whole model on the host beside onnxruntime.

  host_model.py MODEL.onnx --kz-tune build/release/bin/kz-tune [--store DIR] [--rounds 5] [--runs 5] [--dim NAME=N]

Both run the same inputs on one thread each (intra_op = inter_op = 1, CPU provider), in turn: a round is --runs runs
of one, then of the other; times are processor time of the one thread, so that other programs do not count. Prints the largest difference of the outputs, the ratio onnxruntime / ours of the medians
of the rounds with its spread, and where the time goes by class of work, ours by tasks, theirs by their profile.
Weights that are inputs of the graph are drawn small, as training starts from, so that values stay in range.

Needs numpy, onnx and onnxruntime: python3 -m venv venv && venv/bin/pip install numpy onnx onnxruntime
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np
import onnx
import onnxruntime

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("model")
parser.add_argument("--kz-tune", default="kz-tune")
parser.add_argument("--store")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--dim", action="append", default=[], metavar="NAME=N")
options = parser.parse_args()


def draw_inputs(model):
    """Arrays for the inputs without initialiser, by name."""
    dims = dict(text.rsplit("=", 1) for text in options.dim)
    constants = {tensor.name for tensor in model.graph.initializer}
    draw = np.random.default_rng(0)
    arrays = {}
    for number, value in enumerate(model.graph.input):
        if value.name in constants:
            continue
        tensor = value.type.tensor_type
        shape = [
            dim.dim_value if dim.HasField("dim_value") else int(dims[dim.dim_param or f"{value.name}:{axis}"])
            for axis, dim in enumerate(tensor.shape.dim)
        ]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        if dtype == np.bool_:
            array = draw.integers(0, 2, shape).astype(dtype)
        elif np.issubdtype(dtype, np.integer):
            array = draw.integers(0, 2, shape).astype(dtype)
        else:
            array = draw.normal(0, 1 if number == 0 else 0.02, shape).astype(dtype)
        arrays[value.name] = np.ascontiguousarray(array)
    return arrays


def start_session(profile=None):
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    if profile:
        settings.enable_profiling = True
        settings.profile_file_prefix = profile
    return onnxruntime.InferenceSession(options.model, settings, providers=["CPUExecutionProvider"])


def run_ours(folder, inputs, runs, output=None):
    """The document of `kz-tune run`."""
    command = [options.kz_tune, "run", options.model, "--target", "host", "--time", str(runs), "--json", "-"]
    for name in inputs:
        command += ["--input", f"{name}={folder}/{safe(name)}.npy"]
    for text in options.dim:
        command += ["--dim", text] if not inputs else []
    if options.store:
        command += ["--store", options.store]
    if output:
        command += ["--output-dir", output]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def safe(name):
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name)


def profile_theirs(folder, inputs):
    """Seconds of one run by kind of operator."""
    session = start_session(os.path.join(folder, "profile"))
    for _ in range(options.runs):
        session.run(None, inputs)
    with open(session.end_profiling()) as file:
        events = json.load(file)
    sums = collections.Counter()
    for event in events:
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            sums[event["args"]["op_name"]] += event["dur"] * 1e-6 / options.runs
    return sums


def main():
    model = onnx.load(options.model, load_external_data=False)
    inputs = draw_inputs(model)
    with tempfile.TemporaryDirectory() as folder:
        for name, array in inputs.items():
            np.save(f"{folder}/{safe(name)}.npy", array)
        session = start_session()
        expected = session.run(None, inputs)
        ours, theirs, documents = [], [], []
        for number in range(options.rounds):
            documents.append(run_ours(folder, inputs, options.runs, None if number else f"{folder}/out"))
            ours.append(documents[-1]["processor_seconds"])
            samples = []
            session.run(None, inputs)
            for _ in range(options.runs):
                start = time.thread_time()
                session.run(None, inputs)
                samples.append(time.thread_time() - start)
            theirs.append(statistics.median(samples))
        for output, want in zip(documents[0]["outputs"], expected):
            got = np.load(f"{folder}/out/{output['file']}").astype(np.float64)
            error = np.abs(got - want).max()
            print(f"output {output['name']}: {want.shape} of {want.dtype}, largest difference {error:.2e}, "
                  f"largest value {np.abs(want.astype(np.float64)).max():.2e}")
        ratios = sorted(b / a for a, b in zip(ours, theirs))
        print(f"one run, medians of {options.rounds} rounds: ours {statistics.median(ours) * 1e3:.2f} ms, "
              f"onnxruntime {onnxruntime.__version__} {statistics.median(theirs) * 1e3:.2f} ms, "
              f"ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f}..{ratios[-1]:.3f})")
        classes = collections.defaultdict(list)
        for document in documents:
            sums = collections.Counter()
            for task in document["tasks"]:
                sums[task["class"]] += task["seconds"]
            sums["copies"] += document["copy_seconds"]
            for name, seconds in sums.items():
                classes[name].append(seconds)
        sources = collections.Counter(task["source"] for task in documents[0]["tasks"])
        print("ours by class of task (" + ", ".join(f"{n} by {source}" for source, n in sources.items()) + "):")
        for name, seconds in sorted(classes.items(), key=lambda entry: -statistics.median(entry[1])):
            print(f"  {name:28} {statistics.median(seconds) * 1e3:10.3f} ms")
        print("onnxruntime by operator:")
        for name, seconds in profile_theirs(folder, inputs).most_common():
            print(f"  {name:28} {seconds * 1e3:10.3f} ms")


main()
