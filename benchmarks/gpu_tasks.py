#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the skeleton of every task of a model on a GPU, each output checked whole.

  gpu_tasks.py MODEL... [--target T] [--draws N] [--bin DIR] [--filter TEXT] [--out DIR]

MODEL is an .onnx file (kz-tune import reads it) or a module of Linalg; with
--plain each function of the module is a task as it is. Each task becomes a file of its own; kz-run puts it under its
skeleton, with the defaults of the knobs and then N times with values drawn at
random, runs it and compares every element with the task evaluated in double
precision on the host. The table comes last; the exit code is 1 where one is wrong.
"""
import argparse
import pathlib
import re
import subprocess
import sys


def run(command, **kwargs):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)


def split(text, plain):
    """The tasks of a module printed with local scope: name, weight, module."""
    for match in re.finditer(r"^  func\.func (?:private )?@(\S+?)\(.*?^  \}$", text, re.M | re.S):
        body = match.group(0)
        if plain:
            yield match.group(1), 1, "module {\n" + body + "\n}\n"
            continue
        mark = re.search(r'attributes \{kz\.task = \{key = "(\w+)", name = "([^"]*)", weight = (\d+)[^}]*\}\} ', body)
        if not mark:
            continue
        body = body.replace(mark.group(0), "").replace(f"func.func private @{match.group(1)}(", "func.func @task(", 1)
        yield f"{mark.group(2)}_{mark.group(1)[:8]}", int(mark.group(3)), "module {\n" + body + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--target", default="sm_90a", help="row of the target table (default sm_90a)")
    parser.add_argument("--bin", default=None, help="folder of kz-opt, kz-run and kz-tune (default: on PATH)")
    parser.add_argument("--draws", type=int, default=0, help="random sets of knob values a task (default 0)")
    parser.add_argument("--plain", action="store_true", help="every function of the modules is a task")
    parser.add_argument("--filter", default="", help="only tasks whose name holds this")
    parser.add_argument("--samples", type=int, default=20, help="timed runs a kernel (default 20)")
    parser.add_argument("--limit", type=int, default=120, help="seconds a kernel may take (default 120)")
    parser.add_argument("--out", default="gpu-tasks", help="folder of the tasks")
    parser.add_argument("--compile-only", action="store_true", help="stop before anything is run")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    tool = lambda name: pathlib.Path(options.bin) / name if options.bin else name
    rows, bad, seen = [], 0, set()
    for model in options.models:
        source = model
        if model.endswith(".onnx"):
            source = out / (pathlib.Path(model).stem + ".mlir")
            result = run([tool("kz-tune"), "import", model, "-o", source])
            if result.returncode:
                sys.exit(result.stderr)
        extract = [] if options.plain else ["--kz-extract-tasks"]
        result = run([tool("kz-opt"), source, *extract, "--mlir-print-local-scope"])
        if result.returncode:
            sys.exit(result.stderr)
        for name, weight, text in split(result.stdout, options.plain):
            if options.filter not in name or name in seen:
                continue
            seen.add(name)
            path = out / f"{name[:200]}.mlir"
            path.write_text(text)
            for draw in range(options.draws + 1):
                knobs = f"seed={draw}" if draw else "defaults"
                command = [tool("kz-run"), path, f"--target={options.target}", f"--skeleton={knobs}", "--seed=1"]
                command += [f"--samples={options.samples}"] + (["--compile-only"] if options.compile_only else [])
                try:
                    result = run(command, timeout=options.limit)
                    lines = (result.stdout + result.stderr).strip().splitlines()
                    code = result.returncode
                except subprocess.TimeoutExpired:
                    lines, code = [f"took more than {options.limit} s"], 4
                used = next((line for line in lines if line.startswith("knobs ")), "knobs " + knobs)
                last = lines[-1] if lines else ""
                if code:
                    last = next((line for line in lines if "kz-run:" in line or "error:" in line or "WRONG" in line), last)
                bad += code != 0
                rows.append(f"{'ok  ' if code == 0 else 'BAD '} {name[:70]:70} x{weight:<3} {last.strip()}  [{used[6:]}]")
                print(rows[-1], flush=True)
    print(f"\n{len(rows) - bad} of {len(rows)} right on {options.target}")
    print("\n".join(row for row in rows if row.startswith("BAD")))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
