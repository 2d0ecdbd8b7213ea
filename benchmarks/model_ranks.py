#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well the analytical model ranks what a GPU has timed.

  model_ranks.py STORE [--target T] [--least N] [--bin DIR]

Every schedule that the store has a time for goes through a worker up to tier 2, which
models it without making code, as a search does. For each task with at least N of them a
line: how many, the correlation of the ranks (Spearman), the time of the model's first
choice and of the best in its first quarter over the best time of all, and modelled over
measured time, least, median and largest. Needs no GPU.
"""
import argparse
import collections
import json
import pathlib
import sqlite3
import statistics
import subprocess


def rank(values):
    """The place of each value; equal ones share the mean of theirs."""
    places = collections.defaultdict(list)
    for place, value in enumerate(sorted(values)):
        places[value].append(place)
    return [statistics.mean(places[value]) for value in values]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store")
    parser.add_argument("--target", default="sm_90a", help="row of the target table (default sm_90a)")
    parser.add_argument("--least", type=int, default=10, help="fewest candidates of a task (default 10)")
    parser.add_argument("--bin", default=None, help="folder of kz-tune (default: on PATH)")
    options = parser.parse_args()
    tool = str(pathlib.Path(options.bin) / "kz-tune") if options.bin else "kz-tune"

    database = sqlite3.connect(f"file:{pathlib.Path(options.store).absolute()}/experience.db?mode=ro", uri=True)
    tasks = {row[0]: dict(zip(("key", "name", "opClass", "flops", "bytes", "text"), row))
             for row in database.execute("SELECT key, name, class, flops, bytes, text FROM tasks")}
    timed = collections.defaultdict(dict)
    for key, text in database.execute("SELECT task, json FROM records WHERE target = ?", (options.target,)):
        record = json.loads(text)
        if record["seconds"] > 0 and record["verdict"] != "modelled":
            timed[key][record["id"]] = record

    worker = subprocess.Popen([tool, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    protocol = json.loads(worker.stdout.readline())["protocol"]

    def ask(**request):
        print(json.dumps({"protocol": protocol, **request}), file=worker.stdin, flush=True)
        while (reply := json.loads(worker.stdout.readline()))["type"] == "record":
            yield reply["record"]
        if reply["type"] not in ("prepared", "done"):
            raise SystemExit(f"model_ranks.py: {reply['error']}")

    print(f"{'task':64} {'n':>4} {'rho':>5} {'first':>6} {'quarter':>7}  modelled / measured")
    for key, records in timed.items():
        if len(records) < options.least:
            continue
        list(ask(type="prepare", task=tasks[key], target=options.target, device="", seed=0))
        candidates = [{"id": name, "schedule": record["schedule"]} for name, record in records.items()]
        modelled = {record["id"]: record["modelSeconds"]
                    for record in ask(type="judge", candidates=candidates, lastTier=2)}
        # In the order in which they were tried where the model cannot tell.
        pairs = [(modelled[name], record["seconds"]) for name, record in records.items() if modelled[name] > 0]
        pairs.sort(key=lambda pair: pair[0])
        count, best = len(pairs), min(seconds for _, seconds in pairs)
        rho = statistics.correlation(rank([model for model, _ in pairs]), rank([seconds for _, seconds in pairs]))
        quarter = min(seconds for _, seconds in pairs[: max(1, count // 4)])
        ratios = sorted(model / seconds for model, seconds in pairs)
        print(f"{tasks[key]['name'][:64]:64} {count:4} {rho:5.2f} {pairs[0][1] / best:6.2f} {quarter / best:7.3f}  "
              f"{ratios[0]:.2f} {ratios[count // 2]:.2f} {ratios[-1]:.2f}")


if __name__ == "__main__":
    main()
