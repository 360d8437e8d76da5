# SPDX-License-Identifier: Apache-2.0
"""Many worlds of one model at once."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._check import instance
from ._enums import Named
from ._model import Model
from ._sight import Sees
from ._world import World

Array = NDArray[np.float64]
_REPORT = np.dtype(_core.dtype("StepReport"))
_END_KINDS = {"q": 0, "v": 1, "height": 2, "sensor": 3, "time": 4}


class End(NamedTuple):
    """Ends a world when a number leaves [min, max]: ``End("height", "torso", min=0.7)``.

    quantity: "q" or "v" (of: number of a coordinate, or name of a joint), "height" (of: a body), "sensor"
    (of: number of a value, or name of a sensor, whose first value counts), "time".

    >>> heft.End("time", max=2.0).max
    2.0
    """

    quantity: str  #: what is watched
    of: str | int = 0  #: of which coordinate, joint, body or sensor
    min: float = -math.inf  #: smallest value that goes on, in the unit of the quantity
    max: float = math.inf  #: largest value that goes on

    def _row(self, model: Model) -> tuple[float, float, float, float]:
        if self.quantity not in _END_KINDS:
            raise ValueError(f"quantity: expected one of {list(_END_KINDS)}, got {self.quantity!r}")
        if not self.min <= self.max:  # NaN, too
            raise ValueError(f"End: expected min <= max, got min={self.min} and max={self.max}")
        index = self.of
        if isinstance(index, str):
            if self.quantity == "height":
                index = model.find(Named.BODY, index)
            elif self.quantity == "sensor":
                index = int(model.sensor_address[model.find(Named.SENSOR, index)])
            else:
                joint = model.find(Named.JOINT, index)
                index = int((model.joint_q if self.quantity == "q" else model.joint_dof)[joint])
        sizes = {"q": model.nq, "v": model.nv, "height": model.nbody, "sensor": model.nsensordata, "time": 1}
        if not 0 <= index < sizes[self.quantity]:
            raise ValueError(f"End: expected the number of a {self.quantity} from 0 to {sizes[self.quantity] - 1}, got {index}")
        return float(_END_KINDS[self.quantity]), float(index), self.min, self.max


class Rollout(NamedTuple):
    """Rows of a rollout: (count, steps, numbers).

    >>> heft.Batch(heft.load("examples/gripper.xml"), 2).rollout(steps=5).q.shape
    (2, 5, 10)
    """

    q: Array  #: coordinates after each step (count, steps, nq) [m, rad]
    v: Array  #: velocities after each step (count, steps, nv) [m/s, rad/s]
    sensors: Array  #: values of the sensors after each step (count, steps, nsensordata)
    ended: NDArray[np.bool_]  #: whether each world ended (count)
    reports: NDArray[Any]  #: of the last steps, a structured array

    def __repr__(self) -> str:
        count, steps, _ = self.q.shape
        return f"<heft.Rollout: {count} worlds, {steps} steps, {int(self.ended.sum())} ended>"


class Batch(_core.Batch, Sees):
    """Many worlds of one model, stepped in threads; each moves bit for bit as a single World.

    >>> model = heft.loads("<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
    ...                    "<geom size='.1'/></body></worldbody></mujoco>")
    >>> batch = heft.Batch(model, 4, gravity=[[0, 0, -1], [0, 0, -2], [0, 0, -3], [0, 0, -4]])
    >>> batch.step(100)
    >>> batch.q.shape, bool((batch.q[:-1, 2] > batch.q[1:, 2]).all())
    ((4, 7), True)

    Variations, one row per world, are applied without a call of Python: gravity (count, 3);
    friction_scale, restitution (count, nmaterial); mass_scale (count, nbody); gain_scale (count,
    nactuator); seed (count). A vector (count) applies one number to all objects of a world, and a number
    to all worlds. reset() can give other rows to the worlds that it resets.

    ends: conditions that end a world (End). before(index, world) and after(index, world, report) -> bool
    are called around every step, with the interpreter's lock: a policy in Python, at the speed of Python.
    options: as World.
    """

    __slots__ = ("_variations", "_options", "__weakref__")
    model: Model

    def __init__(self, model: Model, count: int, threads: int = 1, *, gravity: ArrayLike | None = None,
                 friction_scale: ArrayLike | None = None, restitution: ArrayLike | None = None,
                 mass_scale: ArrayLike | None = None, gain_scale: ArrayLike | None = None,
                 seed: ArrayLike | None = None, ends: Iterable[End] = (),
                 before: Callable[[int, World], Any] | None = None,
                 after: Callable[[int, World, _core.StepReport], bool] | None = None,
                 **options: Any) -> None:
        ends = tuple(ends)
        given = {"gravity": gravity, "friction_scale": friction_scale, "restitution": restitution,
                 "mass_scale": mass_scale, "gain_scale": gain_scale, "seed": seed}
        for end in ends:
            instance("ends", end, End)
        rows = [end._row(model) for end in ends]
        self._variations = {k: _per_world(model, k, v, count) for k, v in given.items() if v is not None}
        self._options = options
        super().__init__(model, count, threads, options, self._variations, np.array(rows) if rows else None,
                         before, after, World)

    @property
    def reports(self) -> NDArray[Any]:
        """Reports of the last steps (count), a structured array: ``batch.reports["residual"]``."""
        return self._reports.view(_REPORT)[:, 0]

    def world(self, index: int) -> World:
        """One world, until the next call of a method of the batch; store() keeps what was changed in it.

        >>> model = heft.load("scenes/quadruped.xml")
        >>> batch = heft.Batch(model, 3)
        >>> batch.step(400)
        >>> batch.world(1).body("trunk").position[2].round(2)
        0.54
        """
        world: World = super().world(index)
        world._options = self._options
        return world

    def reset(self, key: str | int | None = None, which: ArrayLike | None = None, **variations: ArrayLike) -> None:
        """Resets all worlds, or those that `which` (count) marks, to the start or to a keyframe.

        variations: other parameters for the worlds that are reset, in arrays with a row for each world of the
        batch. The kinds are those that Batch() got; it can get 1.0 for a scale that is to vary later.

        >>> model = heft.loads("<mujoco><worldbody><body pos='0 0 1'><freejoint/>"
        ...                    "<geom size='.1'/></body></worldbody></mujoco>")
        >>> batch = heft.Batch(model, 2, gravity=[[0, 0, -9.81]] * 2)
        >>> batch.reset(which=[False, True], gravity=[[0, 0, -1]] * 2)
        >>> batch.step()
        >>> (batch.v[:, 2] / batch.time).round(2).tolist()
        [-9.81, -1.0]
        """
        index = -1 if key is None else self.model.find(Named.KEY, key) if isinstance(key, str) else key
        marks = None if which is None else np.asarray(which).astype(bool)
        if marks is not None and marks.shape != (self.count,):
            raise ValueError(f"which: expected an array of shape ({self.count},), got shape {marks.shape}")
        former = {}
        for name, rows in variations.items():
            if name not in self._variations:
                raise ValueError(f"{name}: this batch does not vary it; name it in Batch(..., {name}=...) "
                                 f"(this one varies: {', '.join(self._variations) or 'nothing'})")
            kept = self._variations[name]
            former[name] = kept.copy()
            kept[marks if marks is not None else ...] = _per_world(self.model, name, rows, self.count)[
                marks if marks is not None else ...]
        try:
            self._reset(marks, index)
        except Exception:
            for name, rows in former.items():
                self._variations[name][:] = rows
            raise

    def set_states(self, q: ArrayLike | None = None, v: ArrayLike | None = None,
                   which: ArrayLike | None = None) -> None:
        """Sets coordinates (count, nq) and velocities (count, nv) of all worlds, or of those that `which`
        (count) marks.

        >>> batch = heft.Batch(heft.load("scenes/quadruped.xml"), 2)
        >>> higher = batch.q + np.eye(19)[2]
        >>> batch.set_states(higher, which=[False, True])
        >>> batch.q[:, 2].round(2).tolist()
        [0.57, 1.57]
        """
        self._set_states(q, v, which)

    def rollout(self, controls: ArrayLike | None = None, steps: int | None = None) -> Rollout:
        """Steps all worlds with a control for each step: controls (count, steps, nactuator), or with the
        controls of the batch for a number of steps. Returns states and sensors after each step.

        >>> batch = heft.Batch(heft.load("examples/gripper.xml"), 2)
        >>> batch.rollout(steps=5)
        <heft.Rollout: 2 worlds, 5 steps, 0 ended>
        """
        q, v, sensors = self._rollout(steps, controls, True, True, True)
        return Rollout(q, v, sensors, self.ended.copy(), self.reports.copy())

    def _rows(self, array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        return array.reshape(self.count, *shape)

    def __len__(self) -> int:
        return self.count

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<heft.Batch, closed>" if self.closed else f"<heft.Batch of {self.count} worlds of {self.model!r}>"


def _per_world(model: Model, name: str, given: ArrayLike, count: int) -> Array:
    """Rows of a variation: its own array (count, width), which the threads of the batch read."""
    widths = {"gravity": 3, "friction_scale": model.nmaterial, "restitution": model.nmaterial,
              "mass_scale": model.nbody, "gain_scale": model.nactuator, "seed": 1}
    numbers, shape = np.asarray(given), (count, widths[name])
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{name}: expected numbers (float64), got dtype {numbers.dtype}")
    if numbers.ndim == 0 or numbers.shape == (count,) and name != "gravity":
        numbers = np.broadcast_to(numbers[..., None], shape)
    if numbers.shape != shape:
        raise ValueError(f"{name}: expected an array of shape {shape}, got shape {numbers.shape}")
    bad = ~np.isfinite(numbers)
    if bad.any():
        raise ValueError(f"{name}: number {bad.argmax()} is {numbers[bad][0]}")
    if name == "seed" and (numbers < 0).any():
        raise ValueError(f"seed: expected whole numbers of 0 or more, got {numbers.min()}")
    return np.array(numbers, np.float64, order="C")


def rollout(model: Model, states: ArrayLike | tuple[ArrayLike, ArrayLike], controls: ArrayLike | None = None,
            threads: int = 1, steps: int | None = None, **options: Any) -> Rollout:
    """Steps one world from each state: states (n, nq + nv) or a pair (q, v); controls (n, steps,
    nactuator). Further arguments are those of Batch.

    >>> model = heft.load("examples/gripper.xml")
    >>> heft.rollout(model, np.tile(np.concatenate([model.q_default, np.zeros(model.nv)]), (3, 1)), steps=5)
    <heft.Rollout: 3 worlds, 5 steps, 0 ended>
    """
    if isinstance(states, tuple):
        q, v = np.asarray(states[0]), np.asarray(states[1])
    else:
        both = np.asarray(states)
        if both.ndim != 2 or both.shape[1] != model.nq + model.nv:
            raise ValueError(f"states: expected an array of shape (n, {model.nq + model.nv}), q and v of each world, "
                             f"got shape {both.shape}")
        q, v = both[:, :model.nq], both[:, model.nq:]
    with Batch(model, len(q), threads, **options) as batch:
        batch.set_states(q, v)
        return batch.rollout(controls, steps)


__all__ = ["Batch", "End", "Rollout", "rollout"]
