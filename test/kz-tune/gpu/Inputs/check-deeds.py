# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what hostile-ptxas.py did with what the store says of it:
check-deeds.py DEEDS RECORDS.json. Prints a line for each deed, `right` or why
not; exits with 1 where one was missed."""
import json
import sys

WANTED = {
    "hang": ("timed-out", "the candidate did not finish within"),
    "fault": ("crashed", "illegal"),
    "trap": ("crashed", "waiting for the GPU failed"),
    "nothing": ("wrong", ""),
    "input": ("wrong", "input 0 was changed by the kernel"),
    "outside": ("wrong", "result 0 was written outside of its elements"),
}
deeds = dict(reversed(line.split()) for line in open(sys.argv[1]))
records = json.load(open(sys.argv[2]))["records"]
missed = 0
seen = set()
for record in records:
    deed = deeds.get(record["evidence"]["code"])
    text = "; ".join(record["sentences"])
    if deed in WANTED:
        verdict, words = WANTED[deed]
        seen.add(deed)
        right = record["verdict"] == verdict and words in text
        print(f"{deed}: {'right' if right else 'MISSED'}: {record['verdict']}: {text}")
    else:
        right = record["verdict"] in ("faster", "slower", "same", "ambiguous")
        if not right:
            print(f"good: MISSED: {record['verdict']}: {text}")
    missed += not right
for deed in WANTED:
    if deed not in seen:
        missed += 1
        print(f"{deed}: MISSED: no record has its code")
good = sum(deed == "good" for deed in deeds.values())
print(f"{len(records)} records, {good} good kernels, {missed} missed")
sys.exit(missed > 0)
