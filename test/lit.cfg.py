# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import os
import shutil

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

# What the machine offers; a test asks for it by REQUIRES, and is reported as
# unsupported where it is missing.
if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
    config.available_features.add("ptxas")
try:
    cuda = ctypes.CDLL("libcuda.so.1")
    count = ctypes.c_int(0)
    if cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value:
        config.available_features.add("gpu")
except OSError:
    pass
