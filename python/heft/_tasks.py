# SPDX-License-Identifier: Apache-2.0
"""Tasks of robots that come with the package (models/tasks/*.xml)."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._batch import Batch, End
from ._env import Task
from ._model import Model, load
from .models import _DATA

Array = NDArray[np.float64]


class Forward(Task):
    """Goes forward along x: reward = alive + speed - effort * sum(action**2). Observes everything but the place.

    >>> task = heft.gym.make("hopper").task
    >>> task.alive, round(task.dt, 6)
    (1.0, 0.02)
    """

    def __init__(self, model: Model, *, place: int, alive: float, effort: float, **settings: Any) -> None:
        """place: coordinates that are not observed. alive, effort: of the reward. settings: as Task."""
        super().__init__(model, **settings)
        self.place, self.alive, self.effort = place, alive, effort
        self._weight = self.model.mass * float(np.linalg.norm(self.model.gravity))

    def observe(self, batch: Batch) -> Sequence[Array]:
        """Posture, velocities, and the forces at the soles as parts of the weight."""
        return batch.q[:, self.place:], batch.v, batch.sensors / self._weight

    def reward(self, batch: Batch, before: Array, action: Array) -> Array:
        """alive + speed - effort."""
        speed = (batch.q[:, 0] - before[:, 0]) / self.dt
        reward: Array = self.alive + speed - self.effort * (action**2).sum(1)
        return reward


class Reach(Task):
    """Brings the hand to a target that is elsewhere in each episode; reward = -distance - effort.

    >>> env = heft.gym.make("reach")
    >>> first, _ = env.reset(seed=0)
    >>> env.step(np.zeros(6))[1] < 0
    True
    """

    def start(self, random: np.random.Generator, q: Array, v: Array) -> tuple[Array, Array]:
        """The target is 0.3 to 0.6 m from the shoulder, in front of the arm and above the table."""
        q, v = super().start(random, q, v)
        angle, rise = random.uniform(-1.2, 1.2), random.uniform(0.0, 1.0)
        distance = random.uniform(0.3, 0.6)
        q[-3:] = distance * np.array([np.cos(angle) * np.cos(rise), np.sin(angle) * np.cos(rise), np.sin(rise)])
        v[-3:] = 0
        return q, v

    def reward(self, batch: Batch, before: Array, action: Array) -> Array:
        """-distance - 0.01 * sum(action**2); the sensor is the place of the hand beside the target."""
        distance = np.linalg.norm(batch.sensors[:, :3], axis=1)
        reward: Array = -distance - 0.01 * (action**2).sum(1)
        return reward


class Turn(Task):
    """Turns a cube in the hand about the vertical: reward = its angular speed - effort.

    >>> heft.gym.make("cube").action_space.shape
    (9,)
    """

    def reward(self, batch: Batch, before: Array, action: Array) -> Array:
        """Speed of the turn [rad/s], at most 2, less 0.05 * sum(action**2)."""
        reward: Array = np.clip(batch.v[:, -1], -2, 2) - 0.05 * (action**2).sum(1)
        return reward


def _task(kind: Callable[..., Task], name: str, **own: Any) -> Callable[..., Task]:
    """A function that makes a task; its arguments go before those that are given here."""
    path = os.path.join(_DATA, "models", "tasks", f"{name}.xml")
    return lambda **changes: kind(load(path), **{"frame_skip": 5, **own, **changes})


TASKS: dict[str, Callable[..., Task]] = {
    "hopper": _task(Forward, "hopper", place=1, alive=1.0, effort=1e-3, noise=0.005,
                    ends=[End("height", "torso", min=0.7), End("q", "pitch", -0.4, 0.4)]),
    "walker": _task(Forward, "walker", place=1, alive=1.0, effort=1e-3, noise=0.005,
                    ends=[End("height", "torso", min=0.8), End("q", "pitch", -1.0, 1.0)]),
    "cheetah": _task(Forward, "cheetah", place=1, alive=0.0, effort=0.1, noise=0.05),
    "ant": _task(Forward, "ant", place=2, alive=1.0, effort=0.5, noise=0.05,
                 ends=[End("height", "torso", 0.2, 1.0)]),
    "quadruped": _task(Forward, "quadruped", place=2, alive=1.0, effort=0.05, noise=0.01,
                       ends=[End("height", "torso", min=0.3)]),
    "humanoid": _task(Forward, "humanoid", place=2, alive=5.0, effort=0.1, noise=0.005,
                      ends=[End("height", "torso", min=0.9)]),
    "reach": _task(Reach, "reach", noise=0.05, steps_max=100),
    "cube": _task(Turn, "cube", noise=0.002, steps_max=500,
                  ends=[End("height", "cube", 0.02, 0.1), End("q", "cube", -0.08, 0.08)]),
}
