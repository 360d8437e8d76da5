# SPDX-License-Identifier: Apache-2.0
"""Runs the examples in the docstrings of the package, and those of pages that are named as arguments.

The current folder is the root of the sources; ``heft`` and ``np`` are imported.
"""

import doctest
import importlib.util
import pkgutil
import sys

if importlib.util.find_spec("numpy") is None:
    print(f"skipped: {sys.executable} has no numpy; install python3-numpy")
    sys.exit(77)

import numpy as np  # noqa: E402

import heft  # noqa: E402

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
names = {"heft": heft, "np": np}
failed, tried = doctest.testmod(heft, extraglobs=names, optionflags=OPTIONS)
for module in pkgutil.iter_modules(heft.__path__):
    try:
        loaded = importlib.import_module(f"heft.{module.name}")
    except ImportError as error:  # the viewer, where its libraries are absent
        print(f"heft.{module.name} cannot be imported here: {error}")
        continue
    result = doctest.testmod(loaded, extraglobs=names, optionflags=OPTIONS)
    failed, tried = failed + result.failed, tried + result.attempted
for page in sys.argv[1:]:
    result = doctest.testfile(page, module_relative=False, globs=dict(names), optionflags=OPTIONS)
    failed, tried = failed + result.failed, tried + result.attempted
print(f"{tried} examples, {failed} failed")
sys.exit(failed > 0 or tried == 0)
