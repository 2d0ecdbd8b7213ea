# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

config.name = "KernelZero"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(
    [config.kz_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
config.substitutions.append(("%kz_src", config.kz_source_dir))
config.substitutions.append(("%python", sys.executable))
# What programs in the JIT of mlir-runner call.
for name in ("mlir_runner_utils", "mlir_c_runner_utils"):
    library = os.path.join(config.llvm_tools_dir, "..", "lib", f"lib{name}.so")
    config.substitutions.append((f"%{name}", library))
# Models as text: `%onnx_encode < x.txt > x.onnx` (the messages of Onnx.proto).
config.substitutions.append(
    (
        "%onnx_encode",
        f"protoc --encode=kzonnx.ModelProto --proto_path={config.kz_source_dir}/onnx-import Onnx.proto",
    )
)
for setting in filter(None, config.kz_sanitizer_env.split(";")):
    name, _, value = setting.partition("=")
    config.environment[name] = value
if lit_config.maxIndividualTestTimeIsSupported[0]:
    try:
        lit_config.maxIndividualTestTime = config.kz_test_timeout
    except AttributeError:  # lit 23 and later: a setting of the suite
        config.maxIndividualTestTime = config.kz_test_timeout

# A user who may not write files of mode a-w: root may write everything.
drop = []
if os.geteuid() == 0:
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
try:
    probe = [*drop, os.path.join(config.kz_tools_dir, "kz-tune"), "--version"]
    if subprocess.run(probe, capture_output=True).returncode == 0:
        config.available_features.add("unprivileged")
except OSError:
    pass
config.substitutions.append(("%unprivileged", shlex.join(drop)))

if config.kz_portable:
    config.available_features.add("portable")

# What the machine offers; a test asks for it by REQUIRES, and is reported as
# unsupported where it is missing. `gpu` is any CUDA device, `gpu-target` one with a row
# of the target table, `gpu-sm80` one
# that runs code for sm_80, `gpu-sm90a` one that runs code for sm_90a.
ptxas = shutil.which("ptxas", path=os.environ["PATH"] + os.pathsep + "/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if any(os.path.exists(f"/usr/local/cuda/{lib}/libnvJitLink.so") for lib in ("lib", "lib64")):
    config.available_features.add("nvjitlink")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(config.kz_source_dir, "scripts"))
import ptx_histogram

if ptx_histogram.find_nvdisasm():
    config.available_features.add("nvdisasm")


def compute_capability():
    """Returns (major, minor) of the first CUDA device, None without one."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    count = ctypes.c_int(0)
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
        return None
    # The numbers of CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_{MAJOR,MINOR}.
    version = []
    for attribute in (75, 76):
        value = ctypes.c_int(0)
        if cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, 0):
            return None
        version.append(value.value)
    return tuple(version)


capability = compute_capability()
if capability:
    config.available_features.add("gpu")
    if capability >= (8, 0):
        config.available_features.add("gpu-sm80")
    if capability == (9, 0):
        config.available_features.add("gpu-sm90a")
    # The target whose machine code runs there, for tests of any GPU.
    number = 10 * capability[0] + capability[1]
    rows = {80: "sm_80", 86: "sm_86", 89: "sm_89", 90: "sm_90a", 120: "sm_120"}
    fitting = [row for row in rows if row // 10 == number // 10 and row <= number]
    if fitting:
        config.substitutions.append(("%gpu_target", rows[max(fitting)]))
        config.available_features.add("gpu-target")
