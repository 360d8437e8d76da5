# SPDX-License-Identifier: Apache-2.0
"""Scenes and robots that come with the package.

>>> import heft.models
>>> "quadruped" in heft.models.names()
True
>>> heft.models.path("quadruped").rsplit("/", 1)[-1]
'quadruped.xml'
>>> heft.models.path("quadrupet")
Traceback (most recent call last):
    ...
KeyError: 'there is no model "quadrupet" in the package; did you mean "quadruped"?'
"""

from __future__ import annotations

import difflib
import os

from ._check import instance as _instance

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def _paths() -> dict[str, str]:
    """Paths by name. A scene goes before a robot of the same name."""
    found: dict[str, str] = {}
    for folder in ("models", "scenes"):
        place = os.path.join(_DATA, folder)
        for file in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            name, suffix = os.path.splitext(file)
            if suffix in (".xml", ".urdf"):
                found[name] = os.path.join(place, file)
    return found


def names() -> list[str]:
    """Names of all models of the package, sorted.

    >>> "quadruped" in heft.models.names()
    True
    """
    return sorted(_paths())


def path(name: str) -> str:
    """Path of the file of a model, for :func:`heft.load`. An unknown name raises ``KeyError``.

    >>> heft.models.path("quadruped").endswith("quadruped.xml")
    True
    """
    _instance("name", name, str)
    paths = _paths()
    if name not in paths:
        near = difflib.get_close_matches(name, paths, 1)
        hint = f"did you mean \"{near[0]}\"?" if near else f"there are {', '.join(sorted(paths))}"
        raise KeyError(f"there is no model \"{name}\" in the package; {hint}")
    return paths[name]
