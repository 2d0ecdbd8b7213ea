#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well a measurement repeats, and whether the order of two schedules matters.

  repeat.py TASK.mlir A.mlir B.mlir --target T [--device D] [--times N] [--load COMMAND] [--bin DIR]

Judges A beside B and B beside A, N times each, alternating; with --load, then runs
COMMAND (something that warms the device) and does all of it again. Prints a line a
measurement and last a table: the ratio of the times, time of B over time of A, by
order and phase, with its spread, and the clocks. The exit code is 1 where the ranking
depended on the order.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--target", required=True)
    parser.add_argument("--device", default=None)
    parser.add_argument("--times", type=int, default=5, help="measurements of each order and phase (default 5)")
    parser.add_argument("--load", default=None, help="command that is run between two phases")
    parser.add_argument("--bin", default=None, help="folder of kz-tune (default: on PATH)")
    options = parser.parse_args()
    tool = str(pathlib.Path(options.bin) / "kz-tune") if options.bin else "kz-tune"

    def judge(schedule, baseline):
        command = [tool, "judge", schedule, "--baseline", baseline, "--task", options.task,
                   "--target", options.target, "--json", "-"]
        if options.device:
            command += ["--device", options.device]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode not in (0, 2):
            sys.exit(f"repeat.py: {' '.join(command)} ended with {result.returncode}: {result.stderr.strip()}")
        return json.loads(result.stdout)

    rows, ranks = [], set()
    for phase in ["before", "after"] if options.load else ["only"]:
        if phase == "after":
            subprocess.run(options.load, shell=True, check=True)
        ratios, clocks = {"A, B": [], "B, A": []}, []
        for _ in range(options.times):
            for order in ratios:
                record = judge(options.b, options.a) if order == "A, B" else judge(options.a, options.b)
                ratio = 1 / record["speedup"] if order == "A, B" else record["speedup"]
                seen = record["evidence"]["clocks"]
                clocks += [seen["before"], seen["after"]]
                ratios[order].append(ratio)
                noise = max(record["noise"], 0)
                if abs(ratio - 1) > noise:
                    ranks.add(ratio > 1)
                print(f"{phase}: {order}: {ratio:.4f} of {1e6 * record['seconds']:.3f} us, noise {100 * noise:.2f} %, "
                      f"{seen['before']:.0f} and {seen['after']:.0f} MHz of {seen['highest']:.0f}", flush=True)
        for order, values in ratios.items():
            rows.append((phase, order, statistics.median(values), min(values), max(values), min(clocks), max(clocks)))
    print(f"{'phase':8} {'order':6} {'B / A':>8} {'lowest':>8} {'highest':>8}  clocks in MHz")
    for phase, order, middle, low, high, slow, fast in rows:
        print(f"{phase:8} {order:6} {middle:8.4f} {low:8.4f} {high:8.4f}  {slow:.0f} to {fast:.0f}")
    print("ranking:", "the same in every measurement beyond its noise" if len(ranks) <= 1 else "DEPENDS on the order")
    return len(ranks) > 1


if __name__ == "__main__":
    sys.exit(main())
