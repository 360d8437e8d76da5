# SPDX-License-Identifier: Apache-2.0
"""Recorded sessions, repeated step by step."""
from __future__ import annotations

import json
import os
import warnings
from typing import Any

from . import _core
from ._world import World


class Replay(_core.Replay):
    """A recorded session, repeated with the same bits; replay() opens one.

    It is an iterator of the world after each step. `steps` is the number of steps, `done` of those that were
    repeated, and `different` of the states whose bits are not those of the session. `complete` is False if the
    session was interrupted.

    >>> issubclass(heft.Replay, object)
    True
    """

    report: _core.StepReport | None  #: of the last step

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """path: a file of `heft run --record`, `heft view`, `heft feel` or the browser."""
        super().__init__(os.fspath(path))
        start = json.loads(_core._read_log(os.fspath(path), "/session")[0][0][1])
        self._options: dict[str, Any] = {**start.get("world", {}), "time_step": start["time_step"]}
        self.report = None

    @property
    def world(self) -> World:
        """The world at this moment, to read it; world.clone() is one to step. If the session added or removed an
        object, the world is another one after that step."""
        world: World = self._world
        if not hasattr(world, "_options"):
            world._options, world._own_dynamics = self._options, None
        return world

    def __iter__(self) -> Replay:
        return self

    def __next__(self) -> World:
        if self.done == self.steps:
            raise StopIteration
        self.report, differs = self._step()
        if differs and self.different == 1:
            warnings.warn(f"{differs}: another version of Heft or another machine may have recorded the session",
                          RuntimeWarning, stacklevel=2)
        return self.world

    def __len__(self) -> int:
        return self.steps

    def __repr__(self) -> str:
        bits = f"{self.different} with other bits" if self.different else "the same bits"
        return f"<heft.Replay: {self.done} of {self.steps} steps, {bits}>"


def replay(path: str | os.PathLike[str]) -> Replay:
    """Repeats a session that `heft run --record session.mcap`, `heft view`, `heft feel` or the browser recorded.

    The recording holds the model, and what users did. Each step compares the bits of the state where the session has
    their hash. A file that is damaged, is no session, or needs plug-ins raises DataError.

    >>> for world in heft.replay("session.mcap"):  # doctest: +SKIP
    ...     print(world.time, world.body("trunk").position)
    """
    return Replay(path)


__all__ = ["Replay", "replay"]
