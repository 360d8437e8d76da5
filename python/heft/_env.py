# SPDX-License-Identifier: Apache-2.0
"""Environments with the interface of Gymnasium, without depending on it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._functions import q_integrate, step_taken
from ._model import Model
from ._world import World

Array = NDArray[np.float64]


class Box:
    """A box of vectors, as gymnasium.spaces.Box: low, high, shape, dtype, sample(), contains()."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low, self.high = np.asarray(low, float), np.asarray(high, float)
        self.shape, self.dtype = self.low.shape, np.dtype(np.float64)
        self._random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Seeds sample()."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> Array:
        """A random vector; unbounded numbers are normally distributed."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0), np.where(bounded, self.high, 1)
        return np.where(bounded, self._random.uniform(low, high), self._random.standard_normal(self.shape))

    def contains(self, x: Array) -> bool:
        """Whether a vector lies in the box."""
        x = np.asarray(x)
        return x.shape == self.shape and bool((x >= self.low).all() and (x <= self.high).all())


class Env:
    """An environment: reset() and step(action), as Gymnasium defines them.

    Subclasses replace observe(), reward() and terminated(); all get the world after the steps of an action.

    >>> model = heft.loads("<mujoco><worldbody><body><joint name='pin' type='hinge' axis='0 1 0'/>"
    ...     "<geom type='capsule' fromto='0 0 0 0 0 -1' size='.05'/></body></worldbody>"
    ...     "<actuator><motor joint='pin' ctrlrange='-2 2' ctrllimited='true'/></actuator></mujoco>")
    >>> env = heft.Env(model, frame_skip=5, steps_max=3)
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> observation.shape, terminated, truncated
    ((2,), False, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}  #: what Gymnasium asks about pictures
    render_mode: str | None = "rgb_array"  #: pictures are arrays (height, width, 3)
    spec = None  #: set by Gymnasium if it made the environment

    def __init__(self, model: Model, *, key: str | int | None = None, frame_skip: int = 1, noise: float = 0.0,
                 steps_max: int = 1000, reward: Callable[[World, Array], float] | None = None,
                 **options: Any) -> None:
        """key: keyframe of reset(). frame_skip: steps of the world for each action. noise: of the coordinates
        after reset() [m, rad]. steps_max: actions until the episode is truncated. options: as World."""
        self.world = World(model, **options)
        self.key, self.frame_skip, self.noise, self.steps_max = key, frame_skip, noise, steps_max
        self._reward, self._steps = reward, 0
        self.np_random = np.random.default_rng()
        limited = model.actuator_control_limited.astype(bool)
        low = np.where(limited, model.actuator_control_range[:, 0], -np.inf)
        high = np.where(limited, model.actuator_control_range[:, 1], np.inf)
        self.action_space = Box(low, high)
        many = np.full(self.observe().shape, np.inf)
        self.observation_space = Box(-many, many)

    @property
    def unwrapped(self) -> Env:
        """The environment itself."""
        return self

    def observe(self) -> Array:
        """Observation: q, v and the sensors."""
        return np.concatenate([self.world.q, self.world.v, self.world.sensors])

    def reward(self, action: Array) -> float:
        """Reward of an action."""
        return self._reward(self.world, action) if self._reward else 0.0

    def terminated(self) -> bool:
        """Whether the episode has ended."""
        return False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Starts an episode."""
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
            self.action_space.seed(seed)
        self.world.reset(self.key)
        if self.noise:
            kick = self.np_random.standard_normal(self.world.model.nv)
            self.world.q = q_integrate(self.world.model, self.world.q, kick, self.noise)
        self._steps = 0
        return self.observe(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """One action: (observation, reward, terminated, truncated, info)."""
        self.world.controls = action
        report = self.world.step(self.frame_skip)
        self._steps += 1
        failed = not step_taken(report.status)
        return (self.observe(), self.reward(np.asarray(action, float)), self.terminated() or failed,
                self._steps >= self.steps_max, {"report": report})

    def render(self) -> NDArray[np.uint8]:
        """A picture."""
        from ._picture import render
        return render(self.world)

    def close(self) -> None:
        """Releases the world."""
        self.world.close()


__all__ = ["Box", "Env"]
