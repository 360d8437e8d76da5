# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the package with AddressSanitizer and UndefinedBehaviorSanitizer in the interpreter.

The sanitizer is loaded before Python, which is not built with it, and Python takes its memory from malloc.
Python and NumPy keep some memory until the end. Leaks therefore count only if Heft's libraries or modules
allocated the memory, that is, if one of the first frames of the allocation is theirs.

usage: sanitized.py <libasan.so> <argument of pytest>...
"""

import os
import re
import signal
import subprocess
import sys
import tempfile

FRAMES = 4  # malloc, perhaps an allocator of Python, and two callers
# Functions whose memory lives as long as the process, with the reason.
KEPT = {"start_one": "tables of the types that the module makes once", "make_type": "names of such types",
        "core_sign_class": "docstrings of such types, made once"}
OURS = re.compile(r"/(libheft[^/]*\.so|_core\.abi3\.so|_view\.abi3\.so)")

environment = {
    **os.environ,
    "LD_PRELOAD": sys.argv[1],
    "PYTHONMALLOC": "malloc",
    "ASAN_OPTIONS": "detect_leaks=1:stack_trace_format='    #%n %f %S %m'",  # with the module of each frame
    "LSAN_OPTIONS": "exitcode=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
command = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "run.py"), *sys.argv[2:]]
# The program that names functions for the sanitizer of clang may outlive Python, and would keep a pipe open.
with tempfile.TemporaryFile("w+", errors="replace") as report:
    process = subprocess.Popen(command, env=environment, stderr=report, start_new_session=True)
    code = process.wait()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    report.seek(0)
    said = report.read()
if code == 77:
    sys.exit(77)

parts = re.split(r"\n\n", said)


def is_ours(leak: str) -> bool:
    """Whether Heft allocated the memory of a leak and has no reason to keep it."""
    first = leak.strip().splitlines()[1:1 + FRAMES]
    functions = {frame.split()[1] for frame in first}
    return any(OURS.search(frame) for frame in first) and not functions & KEPT.keys()


leaks = [part for part in parts if re.match(r"\s*(Direct|Indirect) leak of ", part)]
ours = [leak for leak in leaks if is_ours(leak)]
found = re.search(r"ERROR: AddressSanitizer|runtime error:", said)
if code != 0 or found:
    print("\n\n".join(part for part in parts if part not in leaks))
    print(f"sanitized: the tests ended with {code}")
    sys.exit(1)
if ours:
    print("\n\n".join(ours))
    print(f"sanitized: {len(ours)} leaks of Heft")
    sys.exit(1)
print(f"sanitized: nothing found; {len(leaks)} blocks are kept until the end by Python, NumPy and KEPT")
