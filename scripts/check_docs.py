#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the examples in docs/ are what the tree holds and prints.

A code block below `<!-- from FILE -->` must stand in FILE, line by line, apart
from indentation. Below `<!-- run COMMAND -->` each line must be printed by the
command, in this order; a line of only an ellipsis leaves lines out, an ellipsis in
a line leaves out a part of it. Commands are pipelines of the programs of the
build; paths are relative to the tree.

With `--examples FILE.td` the examples of operations are read from FILE instead
and have to parse, each in a schedule whose arguments are the handles it uses.
"""
import pathlib
import re
import subprocess
import sys

MARKER = re.compile(r"^<!-- (from|run) (.*?) -->\n+```\w*\n(.*?)^```", re.M | re.S)


def strip(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def missing_from_file(block, lines):
    for start in range(len(lines) - len(block) + 1):
        if lines[start : start + len(block)] == block:
            return None
    for line in block:
        if line not in lines:
            return line
    return block[0]


def missing_from_output(block, lines):
    position = 0
    for line in block:
        if line == "…":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.split("…")))
        found = next((at for at in range(position, len(lines)) if pattern.fullmatch(lines[at])), None)
        if found is None:
            return line
        position = found + 1
    return None


def check_examples(td):
    """Parses the examples of transform operations in a .td file."""
    text = pathlib.Path(td).read_text()
    blocks = re.findall(r"```mlir\n(.*?)```", text, re.S)
    named = len(re.findall(r"^def \w+ : KZ_TransformOp<", text, re.M))
    failures = 0
    for block in blocks:
        defined = set(re.findall(r"%\w+", " ".join(re.findall(r"^\s*(%[^=]*)=", block, re.M))))
        used = sorted(set(re.findall(r"%\w+", block)) - defined)
        arguments = ", ".join(f"{name}: !transform.any_op {{transform.consumed}}" for name in used)
        module = "module attributes {transform.with_named_sequence} {\n"
        module += f"transform.named_sequence @example({arguments}) {{\n{block}transform.yield\n}}\n}}\n"
        done = subprocess.run(["kz-opt", "-"], input=module, capture_output=True, text=True)
        if done.returncode:
            print(f"{td}: {block.strip()}\n{done.stderr.strip()[:400]}", file=sys.stderr)
            failures += 1
    print(f"{len(blocks)} examples of {named} operations, {failures} do not parse")
    return 1 if failures or len(blocks) < named else 0


def main():
    if sys.argv[1] == "--examples":
        return check_examples(sys.argv[2])
    root = pathlib.Path(sys.argv[1])
    pages = sys.argv[2:] or sorted(str(page) for page in root.glob("docs/*.md"))
    failures = examples = 0
    for page in pages:
        for kind, what, text in MARKER.findall(pathlib.Path(page).read_text()):
            examples += 1
            block = strip(text)
            if kind == "from":
                line = missing_from_file(block, strip((root / what).read_text()))
            else:
                done = subprocess.run(what, shell=True, cwd=root, capture_output=True, text=True)
                if done.returncode:
                    print(f"{page}: '{what}' fails: {done.stderr.strip()[:400]}", file=sys.stderr)
                    failures += 1
                    continue
                line = missing_from_output(block, strip(done.stdout))
            if line is not None:
                print(f"{page}: '{line}' is not in {what}", file=sys.stderr)
                failures += 1
    print(f"{examples} examples, {failures} out of date")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
