# SPDX-License-Identifier: Apache-2.0
"""The classes of Gymnasium that environments need: its own where it is installed, otherwise these, with the
same calls. So an environment is a gymnasium.Env if there is a Gymnasium, and needs none."""
from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


class Box:
    """Vectors between two bounds, as gymnasium.spaces.Box.

    >>> from heft._gymnasium import Box
    >>> space = Box(-1, 1, (2,), np.float64)
    >>> space.contains(np.zeros(2)), np.full(2, 3.0) in space
    (True, False)
    """

    def __init__(self, low: ArrayLike, high: ArrayLike, shape: tuple[int, ...] | None = None,
                 dtype: DTypeLike = np.float32, seed: int | None = None) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.shape = np.broadcast_shapes(np.shape(low), np.shape(high)) if shape is None else shape
        self.low: NDArray[Any] = np.broadcast_to(low, self.shape).astype(self.dtype)
        self.high: NDArray[Any] = np.broadcast_to(high, self.shape).astype(self.dtype)
        self.np_random = np.random.default_rng(seed)

    def seed(self, seed: int | None = None) -> int | None:
        """Seeds sample().

        >>> env = heft.gym.make("hopper")
        >>> _ = env.action_space.seed(1)
        """
        self.np_random = np.random.default_rng(seed)
        return seed

    def sample(self) -> NDArray[Any]:
        """A random vector: uniform between two finite bounds, exponential from one, normal without any.

        >>> env = heft.gym.make("hopper")
        >>> env.action_space.sample().shape
        (3,)
        """
        below, above = np.isfinite(self.low), np.isfinite(self.high)
        low, high = np.where(below, self.low, 0.0), np.where(above, self.high, 0.0)
        uniform = self.np_random.uniform(low, np.where(below & above, high, low + 1))
        tail = self.np_random.exponential(size=self.shape)
        found = np.where(below & above, uniform, np.where(below, low + tail, high - tail))
        found = np.where(below | above, found, self.np_random.standard_normal(self.shape))
        return np.clip(found.astype(self.dtype), self.low, self.high)

    def contains(self, x: Any) -> bool:
        """Whether a vector has the shape of the space, a type that fits it, and lies in it.

        >>> env = heft.gym.make("hopper")
        >>> bool(env.action_space.contains(env.action_space.sample()))
        True
        """
        x = np.asarray(x)
        return (np.can_cast(x.dtype, self.dtype) and x.shape == self.shape
                and bool((x >= self.low).all() and (x <= self.high).all()))

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and bool((self.low == other.low).all() and (self.high == other.high).all()))

    def __repr__(self) -> str:
        low, high = (str(b.flat[0]) if b.size and (b == b.flat[0]).all() else str(b) for b in (self.low, self.high))
        return f"Box({low}, {high}, {self.shape}, {self.dtype})"


class AutoresetMode(Enum):
    """When a vector environment resets a world whose episode has ended.

    >>> heft.gym.AutoresetMode("SameStep").name
    'SAME_STEP'
    """

    NEXT_STEP = "NextStep"  #: the next step() resets it, whatever the action, and gives the reward 0
    SAME_STEP = "SameStep"  #: the step that ends it; infos["final_obs"] has the last observation
    DISABLED = "Disabled"  #: reset(options={"reset_mask": done}) does


class _Seeded:
    metadata: dict[str, Any] = {}
    render_mode: str | None = None
    spec: Any = None
    _np_random: np.random.Generator | None = None

    @property
    def unwrapped(self) -> Any:
        """The environment itself: nothing is wrapped around it."""
        return self

    @property
    def np_random(self) -> np.random.Generator:
        """The generator of random numbers that reset(seed=) seeds."""
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """Seeds np_random."""
        if seed is not None:
            self._np_random = np.random.default_rng(seed)


class EnvBase(_Seeded):
    """What a gymnasium.Env inherits."""

    action_space: Box
    observation_space: Box

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases what the environment holds."""


class VectorBase(_Seeded):
    """What a gymnasium.vector.VectorEnv inherits."""

    num_envs: int
    closed = False
    action_space: Box
    observation_space: Box
    single_action_space: Box
    single_observation_space: Box

    def close(self, **unused: Any) -> None:
        """Releases what the environment holds; may be called twice.

        >>> heft.gym.make_vec("hopper", 2).close()
        """
        if not self.closed:
            self.close_extras(**unused)
        self.closed = True

    def close_extras(self, **unused: Any) -> None:
        """Releases what a subclass holds."""


register: Any = None  #: gymnasium.register, or None
if not TYPE_CHECKING:
    try:
        from gymnasium import Env as EnvBase, register
        from gymnasium.spaces import Box
        from gymnasium.vector import AutoresetMode, VectorEnv as VectorBase
    except ImportError:  # not installed; or older than 1.1, whose vector environments have no modes
        pass

__all__ = ["AutoresetMode", "Box", "EnvBase", "VectorBase", "register"]
