# SPDX-License-Identifier: Apache-2.0
"""Logs of a run in MCAP."""
from __future__ import annotations

import os

from . import _core
from ._model import Model


class Log(_core.Log):
    """The log of a run, for `heft view`, Foxglove and PlotJuggler::

        with heft.Log("run.mcap", model) as log:
            log.write(world)
            for _ in range(1000):
                log.write(world, world.step())
    """

    def __init__(self, path: str | os.PathLike[str], model: Model,
                 model_path: str | os.PathLike[str] | None = None) -> None:
        """model_path: file of the model, for the images of its textures."""
        super().__init__(os.fspath(path), model, None if model_path is None else os.fspath(model_path))

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


__all__ = ["Log"]
