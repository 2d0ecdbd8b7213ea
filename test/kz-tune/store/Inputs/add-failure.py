# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds a wrong candidate to a store: the first record with another verdict."""
import json
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
record = json.loads(
    store.execute("SELECT json FROM records ORDER BY id").fetchone()[0])
count = store.execute(
    "SELECT count(*) FROM records WHERE verdict = 'wrong'").fetchone()[0]
record.update(
    id=f"feed{count + 1:012}", verdict="wrong", failedTier=4, origin="draw",
    seconds=0, speedup=0, speedupLow=0, speedupHigh=0,
    sentences=["result 0 on normal(0, 1): 3 of 768 elements are off"])
store.execute(
    "INSERT INTO records (run, task, target, device, schedule, origin, verdict,"
    " failed_tier, seconds, baseline_seconds, speedup, toolchain, date, json)"
    " SELECT run, task, target, device, schedule, 'draw', 'wrong', 4, 0, 0, 0,"
    " toolchain, date, ? FROM records ORDER BY id LIMIT 1",
    (json.dumps(record),))
store.commit()
