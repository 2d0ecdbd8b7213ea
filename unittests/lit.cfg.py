# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "KernelZero-Unit"
config.test_format = lit.formats.GoogleTest("bin", ".unittest")
config.suffixes = []
config.test_source_root = config.kz_unittest_dir
config.test_exec_root = config.kz_unittest_dir

for setting in filter(None, config.kz_sanitizer_env.split(";")):
    name, _, value = setting.partition("=")
    config.environment[name] = value
for name in ("HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = config.kz_test_timeout
