#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that extension modules keep to the limited API of one Python version, so that they run with it and
with every later one: what abi3audit does, from nm and Python's own headers.

A module FILE.abi3.so may import of Python only the functions and variables that the headers declare for
that version (Py_LIMITED_API), must be independent of a certain libpython, and must export its init function
and nothing else.

usage: check_abi3.py [--api 3.11] [--include folder of Python.h] FILE...
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig

_EXPORTED = re.compile(r'__attribute__\s*\(\(visibility\s*\("default"\)\)\)([^;{]*)')
_PYTHON_NAME = re.compile(r"^_?Py")


def _run(*command: str, text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0:
        sys.exit(f"check_abi3: {' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def limited_names(include: str, api: tuple[int, int]) -> set[str]:
    """Names that Python.h declares for a module with the limited API of version ``api``."""
    names: set[str] = set()
    compiler = os.environ.get("CC", "cc").split()
    version = f"-DPy_LIMITED_API=0x{api[0]:02x}{api[1]:02x}0000"
    for clean in ("", "#define PY_SSIZE_T_CLEAN\n"):  # gives functions of arguments another name
        source = _run(*compiler, "-E", "-P", version, f"-I{include}", "-xc", "-", text=clean + "#include <Python.h>\n")
        for declaration in _EXPORTED.findall(source):
            declaration = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", declaration)
            name = re.search(r"(\w+)\s*\(", declaration) or re.search(r"(\w+)\s*(?:\[\])?\s*$", declaration)
            if name:
                names.add(name[1])
    if "PyModule_Create2" not in names or "Py_BuildValue" not in names:
        sys.exit(f"check_abi3: the headers in {include} are not understood: {len(names)} names found")
    return names


def dynamic_names(path: str, which: str) -> list[str]:
    """Names of the dynamic symbol table, without their versions."""
    lines = _run("nm", "-D", which, path).splitlines()
    return [line.split()[-1].split("@")[0] for line in lines]


def faults(path: str, allowed: set[str], api: str) -> list[str]:
    """What is wrong with one module."""
    found = []
    base = os.path.basename(path)
    if not base.endswith(".abi3.so"):
        found.append("its name does not end in .abi3.so, so that Python would load it in one version only")
    for name in dynamic_names(path, "--undefined-only"):
        if _PYTHON_NAME.match(name) and name not in allowed:
            found.append(f"uses {name}, which is not in the limited API of {api}; compile with Py_LIMITED_API")
    init = "PyInit_" + base.split(".")[0]
    exported = dynamic_names(path, "--defined-only")
    if init not in exported:
        found.append(f"does not export {init}")
    found += [f"exports {name}; hide it (static, or hidden visibility)" for name in exported if name != init]
    for library in re.findall(r"\(NEEDED\).*\[(libpython.*)\]", _run("readelf", "-d", path)):
        found.append(f"is linked with {library}; leave Python's names to the interpreter")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks extension modules against Python's limited API.")
    parser.add_argument("--api", default="3.11", help="oldest version of Python that the modules run with")
    parser.add_argument("--include", default=sysconfig.get_path("include"), help="folder of Python.h")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    if not os.path.exists(f"{arguments.include}/Python.h"):
        sys.exit(f"check_abi3: there is no Python.h in {arguments.include} (Debian: apt install python3-dev)")
    major, _, minor = arguments.api.partition(".")
    allowed = limited_names(arguments.include, (int(major), int(minor)))
    bad = 0
    for path in arguments.files:
        for fault in faults(path, allowed, arguments.api):
            print(f"{path}: {fault}")
            bad += 1
    if bad:
        print(f"abi3: {bad} faults")
        return 1
    print(f"abi3: {len(arguments.files)} modules use nothing but the {len(allowed)} names of the limited API "
          f"{arguments.api}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
