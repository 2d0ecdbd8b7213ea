#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes kernelzero-portable.tar.xz out of a build with the preset portable.

    make_portable.py --source DIR --build DIR --tools NAME...

The archive has bin/kz, a link to it for each tool, bin/check-kz-gpu, the shipped
schedules and the licence. It fails where a program needs more than libc and
libm, or where the archive is larger than 40 MiB.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import zipfile

# What check-kz-gpu carries; pure Python, from PyPI.
WHEELS = {"lit": "23.1.5", "filecheck": "1.0.6"}
LIMIT_MIB = 40
ALLOWED_LIBRARIES = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
# Configuration of the suite, and what a test may name beside itself.
PATH_IN_TEST = re.compile(r"%(S|kz_src)/([\w.+/-]*[\w+])")


def fail(message):
    sys.exit(f"make_portable.py: {message}")


def needed_libraries(program):
    """The names of the shared libraries that the program is linked to."""
    text = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text.stdout))


def gpu_tests(source):
    """Paths, relative to the source, of the tests whose REQUIRES names a GPU."""
    found = []
    for folder, folders, files in os.walk(os.path.join(source, "test")):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".mlir", ".test")):
                path = os.path.join(folder, name)
                with open(path) as file:
                    if re.search(r"REQUIRES:.*\bgpu", file.read()):
                        found.append(os.path.relpath(path, source))
    return found


def companions(source, test):
    """Files that the test names by %S or %kz_src."""
    with open(os.path.join(source, test)) as file:
        text = file.read()
    found = set()
    for line in re.findall(r"(?:RUN|DEFINE|REDEFINE):(.*)", text):
        for root, rest in PATH_IN_TEST.findall(line):
            base = os.path.dirname(test) if root == "S" else "."
            path = os.path.normpath(os.path.join(base, rest))
            full = os.path.join(source, path)
            if os.path.isdir(full):
                for folder, _, files in os.walk(full):
                    found.update(os.path.relpath(os.path.join(folder, f), source) for f in files)
            elif os.path.exists(full):
                found.add(path)
            else:
                fail(f"{test} names {path}, which does not exist")
    return found


def fetch_wheels(folder):
    paths = []
    for name, version in WHEELS.items():
        path = os.path.join(folder, f"{name}-{version}-py3-none-any.whl")
        if not os.path.exists(path):
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder,
                       f"{name}=={version}"]
            if subprocess.call(command) or not os.path.exists(path):
                fail(f"cannot fetch {name} {version} from PyPI; it needs python3-pip and the network")
        paths.append(path)
    return paths


def make_check_kz_gpu(source, build, output):
    """Writes the executable archive of tests; returns how many it holds."""
    tests = gpu_tests(source)
    # The settings of lit, and what they import.
    files = {"test/lit.cfg.py", "scripts/ptx_histogram.py"} | set(tests)
    for test in tests:
        files |= companions(source, test)
    wheels = fetch_wheels(os.path.join(build, "wheels"))
    with open(output, "wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(output, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.write(os.path.join(source, "scripts", "check_kz_gpu.py"), "__main__.py")
        archive.writestr("gpu-tests.txt", "".join(test + "\n" for test in tests))
        for path in sorted(files):
            archive.write(os.path.join(source, path), path)
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as packed:
                for name in packed.namelist():
                    archive.writestr(name, packed.read(name))
    os.chmod(output, 0o755)
    return len(tests)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--tools", nargs="+", required=True)
    options = parser.parse_args()

    program = os.path.join(options.build, "bin", "kz")
    foreign = needed_libraries(program) - ALLOWED_LIBRARIES
    if foreign:
        fail(f"{program} needs {', '.join(sorted(foreign))}; only libc and libm are allowed")

    stage = os.path.join(options.build, "kernelzero-portable")
    shutil.rmtree(stage, ignore_errors=True)
    os.makedirs(os.path.join(stage, "bin"))
    os.makedirs(os.path.join(options.build, "wheels"), exist_ok=True)
    shutil.copy2(program, os.path.join(stage, "bin", "kz"))
    for tool in options.tools:
        os.symlink("kz", os.path.join(stage, "bin", tool))
    count = make_check_kz_gpu(options.source, options.build,
                              os.path.join(stage, "bin", "check-kz-gpu"))
    shutil.copy2(os.path.join(options.source, "LICENSE"), stage)
    schedules = os.path.join(options.source, "schedules")
    if os.path.isdir(schedules):
        shutil.copytree(schedules, os.path.join(stage, "share", "kernelzero", "schedules"))

    archive = stage + ".tar.xz"
    environment = dict(os.environ, XZ_OPT="-6 -T0")
    subprocess.run(["tar", "-C", options.build, "--owner=0", "--group=0", "-cJf", archive,
                    os.path.basename(stage)], check=True, env=environment)
    size = os.path.getsize(archive) / 2**20
    if size > LIMIT_MIB:
        fail(f"{archive} has {size:.1f} MiB, at most {LIMIT_MIB} are allowed")
    print(f"{archive}: {size:.1f} MiB, programs {', '.join(options.tools)}, {count} GPU tests")


if __name__ == "__main__":
    main()
