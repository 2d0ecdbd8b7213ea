# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command while this process keeps a database locked; its exit code."""
import sqlite3
import subprocess
import sys

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA locking_mode = EXCLUSIVE")
database.execute("BEGIN EXCLUSIVE")
sys.exit(subprocess.run(sys.argv[2:], timeout=60).returncode)
