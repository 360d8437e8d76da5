# SPDX-License-Identifier: Apache-2.0
"""A world, and its parts by name."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._enums import Named
from ._model import Model

Array = NDArray[np.float64]


class _Part:
    """An object of a world, found by its name."""

    _kind: Named
    __slots__ = ("world", "index")

    def __init__(self, world: World, which: str | int) -> None:
        self.world = world
        model = world.model
        self.index = which if isinstance(which, int) else model.find(self._kind, which)
        model.name(self._kind, self.index)  # raises if there is no such object

    @property
    def name(self) -> str:
        """Its name, "" if it has none."""
        return self.world.model.name(self._kind, self.index)

    def __repr__(self) -> str:
        return f"<heft.{type(self).__name__} {self.index} {self.name!r}>"


class Body(_Part):
    """A body of a world: ``world.body("pelvis")``."""

    _kind = Named.BODY
    __slots__ = ()

    @property
    def position(self) -> Array:
        """Origin in the world [m]."""
        return self.world._body_pose(self.index)[:3]

    @property
    def rotation(self) -> Array:
        """Rotation matrix (3, 3)."""
        return self.world._body_pose(self.index)[3:].reshape(3, 3)

    @property
    def velocity(self) -> Array:
        """Velocity of the origin in world axes [m/s]."""
        return self.world._body_velocity(self.index)[3:]

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity in world axes [rad/s]."""
        return self.world._body_velocity(self.index)[:3]

    @property
    def contact_force(self) -> Array:
        """Sum of the contact forces on the body in the last step [N]."""
        return self.world._contact_wrench(self.index)[3:]

    def apply_force(self, force: ArrayLike, torque: ArrayLike = (0.0, 0.0, 0.0),
                    point: ArrayLike | None = None) -> None:
        """Applies a force [N] at a point of the world (default: the origin of the body) and a torque
        [N m] during the next step."""
        self.world._apply_wrench(self.index, self.position if point is None else point, force, torque)


class World(_core.World):
    """A world steps one model through time.

    >>> model = heft.loads("<mujoco><worldbody><body name='ball' pos='0 0 1'><freejoint/>"
    ...                    "<geom size='.1'/></body></worldbody></mujoco>")
    >>> world = heft.World(model, time_step=0.01)
    >>> report = world.step(10)
    >>> round(world.time, 3), round(float(world.body("ball").position[2]), 3)
    (0.1, 0.951)

    Settings are those of HeftWorldDef: time_step, integrator ("moreau", "rk4"), contact_model ("exact",
    "penalty", "lcp", ...), contact_options (a dict), tolerance, substeps, threads, seed, margin, ...

    A world is used by one thread at a time. The interpreter's lock is released during steps, so worlds of
    different threads step at the same time.
    """

    model: Model

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(model, **options)

    def body(self, which: str | int) -> Body:
        """A body by name or index."""
        return Body(self, which)

    def __enter__(self) -> World:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<heft.World, closed>" if self.closed else f"<heft.World at {self.time:g} s of {self.model!r}>"


__all__ = ["World", "Body"]
