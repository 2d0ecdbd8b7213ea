#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker whose times follow from the knobs, so that runs can be compared.

fake-worker.py LOG TOOLCHAIN [modelled] [lose-first] [noisy] [flat] [modest]:
LOG gets a line for every candidate; `modelled` answers as without a device; with
`lose-first` the first candidate of every task crashes, once; `noisy` times are
known by half, with `flat` all are the same, and with `modest` all but the
baseline are about as fast as each other.
"""
import json
import math
import sys

log = sys.argv[1]
modelled = "modelled" in sys.argv
seconds_of = {}
task = {}
lost = set()


def say(**reply):
    print(json.dumps({"protocol": 2, **reply}), flush=True)


def time(candidate):
    cost = 0
    for name, value in candidate["knobs"].items():
        best = (len(name) + ord(name[-1])) % 3
        cost += abs(math.log2(value + 1) - 2 - 2 * best)
    return 1e-3 * (1 + cost / 4)


say(type="hello", device="fake", toolchain="none")
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "prepare":
        task = request["task"]
        say(type="prepared", seconds=0)
        continue
    candidates = request["candidates"]
    # As with several jobs, the order in which they end is anyone's.
    if request["jobs"] > 1:
        candidates = candidates[::-1]
    for candidate in candidates:
        seconds = time(candidate)
        seconds_of[candidate["schedule"]] = seconds
        baseline = seconds_of.get(request["baseline"], seconds)
        with open(log, "a") as file:
            print(task["name"], request["rounds"], candidate["id"], file=file)
        speedup = 1 if "flat" in sys.argv else baseline / seconds
        if "modest" in sys.argv and request["baseline"] not in ("", candidate["schedule"]):
            speedup = 8.9 if candidate["origin"] == "winner" else 9
        spread = 0.5 if "modest" in sys.argv else 0
        noise = 0.5 if "noisy" in sys.argv else 0.01
        word = ("modelled" if modelled else
                "ambiguous" if "noisy" in sys.argv and request["baseline"] else
                "faster" if speedup > 1.01 else
                "slower" if speedup < 0.99 else "same")
        if candidate["knobs"].get("tile_k") == 8:
            word = "uncompilable"
        if "lose-first" in sys.argv and task["key"] not in lost:
            lost.add(task["key"])
            word = "crashed"
        say(type="record", record={
            "taskKey": task["key"], "taskName": task["name"], "target": "host",
            "device": "fake", "id": candidate["id"],
            "schedule": candidate["schedule"], "origin": candidate["origin"],
            "knobs": candidate["knobs"], "verdict": word,
            "failedTier": {"uncompilable": 3, "crashed": 4}.get(word, -1),
            "baselineSeconds": baseline, "seconds": seconds,
            "modelSeconds": seconds, "speedup": speedup,
            "speedupLow": speedup - spread, "speedupHigh": speedup + spread, "noise": noise,
            "rooflineSeconds": 1e-4,
            "evidence": {"toolchain": sys.argv[2], "ranOn": "fake",
                         "date": "2026-01-01T00:00:00Z"}})
    say(type="done")
