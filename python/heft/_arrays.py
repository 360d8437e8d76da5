# SPDX-License-Identifier: Apache-2.0
"""Views of the library's memory that must not be written in place, and explain what to call instead."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Constant(np.ndarray[Any, Any]):
    """A read-only array. What is computed from it is an ordinary array.

    >>> world = heft.World(heft.load("examples/gripper.xml"))
    >>> try:
    ...     world.q[0] = 1
    ... except ValueError as error:
    ...     print(error)
    this array is read-only: a state is set as a whole and checked, as in world.q = q, or by world.joint(name).position = x
    >>> type(world.q + 1).__name__, type(world.q.copy()).__name__
    ('ndarray', 'ndarray')
    """

    def _refuse(self) -> None:
        if self.flags.writeable:
            return
        source: Any = self
        while isinstance(source, np.ndarray):
            source = source.base
        source = getattr(source, "obj", source)  # behind a memoryview
        raise ValueError(f"this array is read-only: {getattr(source, 'remedy', 'copy() gives one to change')}")

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array.view(np.ndarray) if array.ndim else array[()]

    def copy(self, order: Any = "C") -> NDArray[Any]:  # type: ignore[override]
        """An ordinary array, to change."""
        return np.array(self, order=order)

    def __reduce__(self) -> Any:
        return np.array(self).__reduce__()

    def __repr__(self) -> str:
        return repr(np.asarray(self))


def _checked(name: str) -> Any:
    plain = getattr(np.ndarray, name)

    def call(self: Constant, *given: Any) -> Any:
        self._refuse()
        return plain(self, *given)

    return call


for _name in ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"):
    setattr(Constant, _name, _checked(_name))


def constant(view: object) -> NDArray[Any]:
    """The array of a view."""
    return np.asarray(view).view(Constant)
