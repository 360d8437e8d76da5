# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments, whose messages name the argument, what it should be and what was given."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def numbers(name: str, given: ArrayLike, *, finite: bool = True) -> NDArray[np.float64]:
    """An array of real numbers."""
    try:
        array = np.asarray(given, float)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected numbers, got {str(given)[:60]}") from None
    bad = ~np.isfinite(array)
    if finite and bad.any():
        raise ValueError(f"{name}: number {bad.argmax()} is {array[bad][0]}; all numbers must be finite")
    return array


def vector(name: str, given: ArrayLike, count: int) -> NDArray[np.float64]:
    """A vector of so many numbers."""
    array = numbers(name, given)
    if array.shape != (count,):
        raise ValueError(f"{name}: expected an array of shape ({count},), got shape {array.shape}")
    return array


def instance(name: str, given: Any, kind: type, *others: type) -> None:
    """An object of one of these classes."""
    if not isinstance(given, (kind, *others)):
        own = {"heft._env": "heft.gym.", "builtins": ""}
        wanted = " or ".join(own.get(k.__module__, "heft.") + k.__name__ for k in (kind, *others))
        raise TypeError(f"{name}: expected a {wanted}, got {type(given).__name__}")


def whole(name: str, given: Any, low: int, high: int | None = None) -> int:
    """A whole number from low to high."""
    number = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if not number or given < low or (high is not None and given > high):
        limits = f"of {low} or more" if high is None else f"from {low} to {high}"
        raise (ValueError if number else TypeError)(f"{name}: expected a whole number {limits}, got {given!r}")
    return int(given)
