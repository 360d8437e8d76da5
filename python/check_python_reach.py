#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that Python users miss no function of the C interface without a reason.

A function that a shared library exports is either called by an extension module of the package, or stands
in python/unreachable.txt with the reason: NAME | REASON, where NAME may be a pattern (heft_device_*). A line of
that file that is no longer needed is a mistake, too.

usage: check_python_reach.py <list> <folder of the libraries> <folder of the modules>
"""

from __future__ import annotations

import fnmatch
import glob
import os
import subprocess
import sys


def names(path: str, which: str) -> set[str]:
    """Names of Heft in the dynamic symbol table of a file."""
    done = subprocess.run(["nm", "-D", which, path], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        sys.exit(f"check_python_reach: nm {path} failed: {done.stderr.strip()}")
    found = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}
    return {name for name in found if name.startswith("heft_")}


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__)
        return 1
    table, libraries, modules = sys.argv[1:]
    public: set[str] = set()
    reached: set[str] = set()
    for path in glob.glob(f"{libraries}/libheft*.so"):
        public |= names(path, "--defined-only")
    for path in glob.glob(f"{modules}/*.abi3.so"):
        reached |= names(path, "--undefined-only")
    if not public or not reached:
        print(f"check_python_reach: no libraries in {libraries} or no modules in {modules}")
        return 1
    # A macro heft_x() may pass the caller's version to heft_x_for().
    reached |= {name.removesuffix("_for") for name in reached}
    missed = public - reached
    bad = 0
    listed: set[str] = set()
    with open(table) as file:
        for number, line in enumerate(file, 1):
            pattern, _, reason = (part.strip() for part in line.partition("|"))
            if not pattern or pattern.startswith("#"):
                continue
            matches = set(fnmatch.filter(missed, pattern))
            if not reason:
                print(f"{table}:{number}: \"{pattern}\" gives no reason; write \"{pattern} | why Python does without\"")
                bad += 1
            if not matches:
                print(f"{table}:{number}: \"{pattern}\" is not needed: Python reaches all functions of this name")
                bad += 1
            listed |= matches
    for name in sorted(missed - listed):
        print(f"{name}: not reached from Python; call it in python/src, or list it in {table} with the reason")
        bad += 1
    if bad:
        print(f"reach: {bad} mistakes")
        return 1
    print(f"reach: Python calls {len(public & reached)} of {len(public)} public functions; {len(missed)} are listed "
          "with a reason")
    return 0


if __name__ == "__main__":
    sys.exit(main())
