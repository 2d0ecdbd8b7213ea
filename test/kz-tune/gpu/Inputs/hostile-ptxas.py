#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for ptxas: every second kernel that it is given behaves badly.

Lies as `bin/ptxas` in a folder that CUDA_PATH names. The real assembler is
REAL_PTXAS. The first kernel, the baseline, is left alone. What was done to which
code is appended to `deeds`, beside `bin`: a line `deed hash`, the hash as
evidence spells it."""
import fcntl
import hashlib
import os
import re
import subprocess
import sys
import tempfile

# PTX at the beginning of a kernel; %v is free. The last parameter is the result.
DEEDS = {
    "hang": "SPIN: bra SPIN;",
    "fault": "mov.u64 %v, 16; st.global.u32 [%v], 0;",
    "trap": "trap;",
    "nothing": "ret;",
    "input": "ld.param.u64 %v, [FIRST]; cvta.to.global.u64 %v, %v; st.global.u32 [%v], 0x7fc00000;",
    "outside": "ld.param.u64 %v, [LAST]; cvta.to.global.u64 %v, %v; st.global.u32 [%v+-4], 0;",
}


def choose(root, code):
    """What to do to the kernel with this hash: nothing where it is an even one."""
    with open(os.path.join(root, "deeds"), "a+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        done = dict(reversed(line.split()) for line in log)
        if code not in done:
            order = len(done)
            names = list(DEEDS)
            bad = order % 2 == 1 and order // 2 < len(names)
            done[code] = names[order // 2] if bad else "good"
            print(done[code], code, file=log)
    return done[code]


def spoil(ptx, deed):
    entry = re.search(r"\.entry\s+\w+\((.*?)\)[^{]*\{", ptx, re.S)
    parameters = re.findall(r"(\w+_param_\d+)", entry.group(1))
    text = DEEDS[deed].replace("FIRST", parameters[0]).replace("LAST", parameters[-1])
    return ptx[:entry.end()] + "\n.reg .b64 %v;\n" + text + ptx[entry.end():]


arguments = sys.argv[1:]
at = next(i for i, word in enumerate(arguments)
          if not word.startswith("-") and arguments[i - 1] != "-o")
with open(arguments[at]) as file:
    ptx = file.read()
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
deed = choose(root, hashlib.sha256(ptx.encode()).hexdigest()[:16])
real = os.environ["REAL_PTXAS"]
if deed == "good":
    os.execv(real, [real] + arguments)
with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
    file.write(spoil(ptx, deed))
    file.flush()
    arguments[at] = file.name
    sys.exit(subprocess.run([real] + arguments, close_fds=False).returncode)
