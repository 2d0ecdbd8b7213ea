# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests that need a GPU, on a host without LLVM.

    check-kz-gpu [--bin DIR] [--keep DIR] [--list] [LIT ARGUMENTS...]

Part of the portable package: this file is the __main__ of the archive
`check-kz-gpu`, which holds the tests and the Python packages lit and filecheck.
Other arguments go to lit, for example `-v` or `--filter gemm`.

Exit codes: 0 all tests passed, 1 a test failed or bad usage, 4 there is no
CUDA device, so no test ran.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import zipfile

FILECHECK = """#!{python}
import sys
sys.path.insert(0, {tree!r})
from filecheck.main import main
main()
"""

NOT = """#!{python}
import subprocess, sys
arguments = sys.argv[1:]
crash = arguments[:1] == ["--crash"]
status = subprocess.call(arguments[1:] if crash else arguments)
# A signal is a crash, which only `not --crash` takes for the failure it wants.
sys.exit(0 if (status < 0 if crash else status > 0) else 1)
"""

COUNT = """#!{python}
import sys
found = sum(1 for _ in sys.stdin.buffer)
if found != int(sys.argv[1]):
    sys.exit(f"expected {{sys.argv[1]}} lines, got {{found}}")
"""

SITE_CONFIG = """
config.llvm_tools_dir = {shims!r}
config.kz_tools_dir = {bin!r}
config.kz_source_dir = {tree!r}
config.kz_sanitizer_env = ""
config.kz_test_timeout = 300
config.kz_portable = True
config.test_exec_root = {exec_root!r}
lit_config.load_config(config, {main_config!r})
"""


def prepare(archive, work, bin_dir):
    """Unpacks the archive into `work`; returns the folder to run lit on."""
    tree = os.path.join(work, "tree")
    with zipfile.ZipFile(archive) as source:
        source.extractall(tree)
    shims = os.path.join(work, "shims")
    os.makedirs(shims, exist_ok=True)
    for name, text in (("FileCheck", FILECHECK), ("not", NOT), ("count", COUNT)):
        path = os.path.join(shims, name)
        with open(path, "w") as file:
            file.write(text.format(python=sys.executable, tree=tree))
        os.chmod(path, 0o755)
    exec_root = os.path.join(work, "test")
    os.makedirs(exec_root, exist_ok=True)
    with open(os.path.join(exec_root, "lit.site.cfg.py"), "w") as file:
        file.write(
            SITE_CONFIG.format(
                shims=shims,
                bin=bin_dir,
                tree=tree,
                exec_root=exec_root,
                main_config=os.path.join(tree, "test", "lit.cfg.py"),
            )
        )
    return tree, exec_root


def main():
    archive = os.path.abspath(sys.argv[0])
    parser = argparse.ArgumentParser(
        prog="check-kz-gpu",
        description="Runs the tests that need a GPU, on a host without LLVM.",
        epilog="Other arguments go to lit, for example -v or --filter gemm.",
    )
    parser.add_argument("--bin", metavar="DIR", default=os.path.dirname(archive),
                        help="where kz-opt and kz-run are (default: beside this file)")
    parser.add_argument("--keep", metavar="DIR", help="work in DIR, and leave it there")
    parser.add_argument("--list", action="store_true", help="list the tests, run none")
    options, lit_arguments = parser.parse_known_args()

    with zipfile.ZipFile(archive) as source:
        tests = source.read("gpu-tests.txt").decode().split()
    if options.list:
        print("\n".join(tests))
        return 0
    bin_dir = os.path.abspath(options.bin)
    if not os.access(os.path.join(bin_dir, "kz-opt"), os.X_OK):
        print(f"check-kz-gpu: {bin_dir} holds no kz-opt; expected the bin folder of the "
              "portable package, or one named by --bin", file=sys.stderr)
        return 1

    with tempfile.TemporaryDirectory(prefix="check-kz-gpu-") as temporary:
        work = os.path.abspath(options.keep or temporary)
        tree, exec_root = prepare(archive, work, bin_dir)
        results = os.path.join(work, "results.json")
        environment = dict(os.environ, PYTHONPATH=tree)
        # One GPU is one resource: tests that time kernels must not share it.
        command = [sys.executable, "-c", "from lit.main import main; main()",
                   "-sv", "-j1", "--output", results]
        status = subprocess.call(command + lit_arguments + [exec_root], env=environment)
        if not os.path.exists(results):
            return status or 1
        with open(results) as file:
            codes = collections.Counter(test["code"] for test in json.load(file)["tests"])
    passed = codes["PASS"] + codes["FLAKYPASS"] + codes["XFAIL"]
    skipped = codes["UNSUPPORTED"] + codes["SKIPPED"] + codes["EXCLUDED"]
    failed = sum(codes.values()) - passed - skipped
    if not passed and not failed:
        print("check-kz-gpu: no test ran; they need a CUDA device of compute capability "
              "8.0 or later and its driver's libcuda.so.1", file=sys.stderr)
        status = 4
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else status


if __name__ == "__main__":
    sys.exit(main())
