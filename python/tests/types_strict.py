# SPDX-License-Identifier: Apache-2.0
"""Checks the types of the package, its tests and the scripts that build it with mypy --strict.

usage: types_strict.py <folder for the cache> <folder that holds the package, with what the build made>
"""

import os
import shutil
import subprocess
import sys

# The tests stand for the programs of users: they see the names that the package exports. Examples are for
# copying and carry no types.
CHECKED = [f"{sys.argv[2]}/heft", "python/tests", "python/backend", "tests/install/wheel.py", "python/check_abi3.py",
           "python/check_python_reach.py"]

mypy = shutil.which("mypy")
if mypy is None:
    print("skipped: mypy is not installed (Debian: apt install mypy)")
    sys.exit(77)
sys.exit(subprocess.run([mypy, "--config-file", "pyproject.toml", "--cache-dir", sys.argv[1], "--exclude", "test_examples", *CHECKED],
                        env={**os.environ, "MYPYPATH": sys.argv[2]}).returncode)
