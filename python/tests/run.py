# SPDX-License-Identifier: Apache-2.0
"""Runs pytest on the given files. Exit code 77 means skipped: a library of the tests is not installed."""

import importlib.util
import sys

missing = [name for name in ("numpy", "pytest") if importlib.util.find_spec(name) is None]
if missing:
    packages = " ".join("python3-" + name for name in missing)
    print(f"skipped: {sys.executable} has no {' and no '.join(missing)}; install {packages}")
    sys.exit(77)

import pytest  # noqa: E402

code = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]])
sys.exit(77 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code))
