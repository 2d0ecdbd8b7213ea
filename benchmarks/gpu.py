#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times the GPU benchmarks beside their peers, each in one interleaved run.

  gpu.py --kz-run PATH [--filter TEXT] [--samples N] [--out DIR]

Every case goes the whole way: a task at level L0 (tasks.py), a schedule
(schedules/), the lowerings, the assembler, and kz-run; the last cases are the
hand-written kernels of ../schedules/tile at level L2. kz-run compares the whole
output with double precision and alternates the kernel with its peer, the L2
cache flushed before each launch. ratio = peer time / ours. The table comes last;
reports of single cases go to --out as JSON.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent

# Target, schedule, arguments of tasks.py, arguments of kz-run, and the ratio that is expected. A
# schedule tile/NAME is a kernel by hand: replacements of its sizes take the place of the task.
CASES = [
    ("sm_90a", "matmul", "matmul 4096x4096x4096", "--op=gemm", 0.95),
    ("sm_90a", "matmul", "matmul 8192x8192x8192", "--op=gemm", 0.95),
    ("sm_90a", "matmul_gelu", "matmul 4096x4096x4096 --epilogue bias-gelu", "--op=gemm --epilogue=gelu", 0.90),
    ("sm_90a", "matmul_gelu", "matmul 8192x8192x8192 --epilogue bias-gelu", "--op=gemm --epilogue=gelu", 0.90),
    ("sm_90a", "matmul", "matmul 4000x4000x4000", "--op=gemm", None),
    ("sm_90a", "matmul", "matmul 1024x4096x1000", "--op=gemm", None),
    ("sm_90a", "matmul_128", "matmul 1024x4096x1000", "--op=gemm", None),
    ("sm_90a", "matmul", "matmul 4096x4096x4096 --b nt", "--op=gemm --b-layout=nt", None),
    ("sm_90a", "matmul", "matmul 4096x4096x4096 --type bf16", "--op=gemm", None),
    ("sm_90a", "batch_matmul", "matmul 1024x1024x64 --batch 96 --b nt", "--op=gemm --b-layout=nt", None),
    ("sm_80", "matmul", "matmul 4096x4096x4096", "--op=gemm", None),
    ("sm_80", "matmul", "matmul 4096x4096x4096 --b nt --type bf16", "--op=gemm --b-layout=nt", None),
    ("sm_80", "matmul_128", "matmul 1000x1000x1000", "--op=gemm", None),
    ("sm_80", "matmul", "matmul 4096x4096x4096 --epilogue bias-gelu", "--op=gemm --epilogue=gelu", None),
    ("sm_90a", "softmax", "softmax 8192x8192", "--op=softmax", 0.85),
    ("sm_90a", "bias_gelu", "bias-gelu 8192x8192", "--op=bias-gelu", 0.85),
    ("sm_90a", "layer_norm", "layer-norm 8192x8192", "--op=layer-norm", 0.85),
    ("sm_90a", "rms_norm", "rms-norm 8192x8192", "--op=rms-norm", None),
    ("sm_90a", "softmax_f32", "softmax 8192x4096 --type f32", "--op=softmax", None),
    ("sm_90a", "softmax", "softmax 8192x8192 --type bf16", "--op=softmax", None),
    ("sm_90a", "layer_norm", "layer-norm 4000x1000", "--op=layer-norm", None),
    ("sm_90a", "tile/gemm_wgmma", "", "--op=gemm --b-layout=nn", 0.95),
    ("sm_90a", "tile/gemm_wgmma", "4096=8192", "--op=gemm --b-layout=nn", 0.95),
    ("sm_90a", "tile/gemm_wgmma_bias_gelu", "", "--op=gemm --epilogue=gelu --b-layout=nn", 0.90),
    ("sm_80", "tile/gemm_mma_sync", "", "--op=gemm --b-layout=nn", None),
    ("sm_90a", "tile/softmax_rows", "", "--op=softmax", 0.85),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kz-run", default="kz-run", help="the program (default: on PATH)")
    parser.add_argument("--filter", default="", help="only cases whose text holds this")
    parser.add_argument("--samples", type=int, default=60, help="timed runs a case (default 60)")
    parser.add_argument("--out", default="gpu-benchmarks", help="folder of the reports")
    parser.add_argument("--compile-only", action="store_true", help="stop before anything is run")
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    rows, bad = [], 0
    for target, schedule, task, run, expected in CASES:
        name = f"{target} {schedule}: {task}"
        if options.filter not in name:
            continue
        stem = "".join(c if c.isalnum() else "_" for c in name)
        source, report = out / f"{stem}.mlir", out / f"{stem}.json"
        report.unlink(missing_ok=True)
        start = time.time()
        command = [options.kz_run, str(source), f"--target={target}", *run.split()]
        if schedule.startswith("tile/"):
            text = (HERE.parent / "schedules" / f"{schedule}.mlir").read_text()
            for replacement in task.split():
                text = text.replace(*replacement.split("="))
        else:
            text = subprocess.run(
                [sys.executable, HERE / "tasks.py", *task.split()], capture_output=True, text=True, check=True
            ).stdout
            library = HERE / "schedules" / f"{target}.mlir"
            command.append(
                f"--passes=builtin.module(transform-preload-library{{transform-library-paths={library}}},"
                f"func.func(transform-interpreter{{entry-point={schedule}}}))"
            )
        source.write_text(text)
        command += [f"--samples={options.samples}", f"--json={report}"]
        command += ["--compile-only"] if options.compile_only else []
        result = subprocess.run(command, capture_output=True, text=True)
        (out / f"{stem}.log").write_text(result.stdout + result.stderr)
        seconds = time.time() - start
        if not report.exists():
            ok = options.compile_only and result.returncode == 0
            last = (result.stdout + result.stderr).strip().splitlines()
            registers = next((line for line in last if "registers" in line), "")
            rows.append(f"{name:66} {'compiled ' + registers if ok else 'FAILED ' + (last[-1] if last else '')}")
            bad += not ok
            continue
        data = json.loads(report.read_text())
        ratio = data.get("ratio")
        missed = expected is not None and (ratio is None or ratio < expected)
        bad += result.returncode != 0
        peer = data.get("peer", {})
        spread = [(d["quartiles_us"][1] - d["quartiles_us"][0]) / d["median_us"] for d in (data["ours"], peer) if d]
        error = data.get("check", {}).get("relative_error")
        rows.append(
            f"{name:66} {data['ours']['median_us']:9.1f} us  {peer.get('name', '-'):14} "
            f"{peer.get('median_us', 0):9.1f} us  ratio {ratio if ratio else 0:.3f} "
            f"(spread {'/'.join(f'{100 * s:.1f}' for s in spread)} %)"
            f"{f' wanted {expected}' if missed else ''}  "
            f"{'right' if data['passed'] else 'WRONG'} {f'{error:.1e}' if error is not None else ''}  [{seconds:.0f} s]"
        )
        print(rows[-1], flush=True)
    print("\n" + "\n".join(rows))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
