# SPDX-License-Identifier: Apache-2.0
"""Episodes of a task in one world or in many, with the interface of Gymnasium."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._batch import Batch, End
from ._check import instance, whole
from ._functions import q_integrate
from ._gymnasium import AutoresetMode, Box, EnvBase, VectorBase
from ._model import Model
from ._world import World

Array = NDArray[np.float64]
Reward = Callable[[Batch, Array, Array], ArrayLike]
#: How a parameter varies: (low, high) of a uniform distribution, or a function of a generator.
Range = tuple[ArrayLike, ArrayLike] | Callable[[np.random.Generator], ArrayLike]


class Task:
    """What an episode is: model, start, observation, reward and end, for many worlds at once.

    Subclasses replace start(), observe(), reward() and terminated(). batch.q, batch.v and batch.sensors have
    one row per world.

    >>> model = heft.loads("<mujoco><worldbody><body><joint name='pin' type='hinge' axis='0 1 0'/>"
    ...     "<geom type='capsule' fromto='0 0 0 0 0 -1' size='.05'/></body></worldbody>"
    ...     "<actuator><motor joint='pin' ctrlrange='-2 2' ctrllimited='true'/></actuator></mujoco>")
    >>> class Swing(heft.gym.Task):
    ...     def reward(self, batch, before, action):
    ...         return -np.cos(batch.q[:, 0])
    >>> env = heft.gym.VectorEnv(Swing(model, frame_skip=5, noise=0.1), 3)
    >>> env.reset(seed=0)[0].shape, env.step(env.action_space.sample())[1].shape
    ((3, 2), (3,))
    """

    def __init__(self, model: Model, *, key: str | int | None = None, frame_skip: int = 1, noise: float = 0.0,
                 steps_max: int = 1000, ends: Iterable[End] = (), reward: Reward | None = None,
                 **options: Any) -> None:
        """key: keyframe of the start. frame_skip: steps of the world for each action. noise: of coordinates and
        velocities at the start [m, rad, m/s, rad/s]. steps_max: actions until an episode is truncated. ends:
        conditions that terminate it. reward(batch, q_before, action): instead of a subclass. options: as World."""
        instance("model", model, Model)
        whole("frame_skip", frame_skip, 1)
        whole("steps_max", steps_max, 1)
        self.model, self.key, self.frame_skip, self.noise = model, key, frame_skip, noise
        self.steps_max, self.ends, self.options, self._reward = steps_max, tuple(ends), options, reward

    @property
    def dt(self) -> float:
        """Time between two actions [s]."""
        return self.frame_skip * float(self.options.get("time_step") or self.model.time_step)

    def start(self, random: np.random.Generator, q: Array, v: Array) -> tuple[Array, Array]:
        """State (nq) and (nv) at which an episode of one world starts. q, v: those of the keyframe.

        >>> task = heft.gym.make("hopper").task
        >>> q, v = task.start(np.random.default_rng(1), np.array(task.model.q_default), np.zeros(task.model.nv))
        >>> q.shape == (task.model.nq,)
        True
        """
        if self.noise:
            change = random.standard_normal((2, v.size))
            q, v = q_integrate(self.model, q, change[0], self.noise), v + self.noise * change[1]
        return q, v

    def observe(self, batch: Batch) -> Sequence[Array]:
        """Arrays (count, numbers) that make the observation, side by side.

        >>> batch = heft.Batch(heft.gym.make("hopper").task.model, 2)
        >>> task = heft.gym.make("hopper").task
        >>> len(task.observe(batch)) > 0
        True
        """
        return batch.q, batch.v, batch.sensors

    def reward(self, batch: Batch, before: Array, action: Array) -> ArrayLike:
        """Rewards (count) of an action. before: batch.q before the action.

        >>> batch = heft.Batch(heft.gym.make("hopper").task.model, 2)
        >>> task = heft.gym.make("hopper").task
        >>> np.shape(task.reward(batch, np.array(batch.q), np.zeros((2, 3))))
        (2,)
        """
        return self._reward(batch, before, action) if self._reward else np.zeros(batch.count)

    def terminated(self, batch: Batch) -> ArrayLike:
        """Whether each episode has ended (count), besides `ends` and steps that were not taken.

        >>> batch = heft.Batch(heft.gym.make("hopper").task.model, 2)
        >>> task = heft.gym.make("hopper").task
        >>> bool(np.any(task.terminated(batch)))
        False
        """
        return False

    def __repr__(self) -> str:
        return f"<heft.gym task {type(self).__name__}: {self.model.nv} degrees of freedom, {self.model.nactuator} actuators>"


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    for mode in AutoresetMode:
        if given in (mode, mode.value, mode.name):
            return mode
    raise ValueError(f"autoreset_mode: expected one of {[m.value for m in AutoresetMode]}, got {given!r}")


class VectorEnv(VectorBase):
    """Many worlds of one task, a gymnasium.vector.VectorEnv over heft.Batch.

    >>> env = heft.gym.make_vec("hopper", 4, autoreset_mode="SameStep", steps_max=2,
    ...                         randomize={"friction_scale": (0.5, 1.5), "mass_scale": (0.9, 1.1)})
    >>> observations, infos = env.reset(seed=7)
    >>> for _ in range(2):
    ...     observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    >>> observations.shape, truncated.tolist(), infos["_final_obs"].tolist()
    ((4, 12), [True, True, True, True], [True, True, True, True])
    """

    def __init__(self, task: Task | Model, num_envs: int = 1, *, threads: int | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, dtype: DTypeLike = np.float32,
                 randomize: Mapping[str, Range] | None = None, copy: bool = True,
                 render_mode: str | None = None) -> None:
        """task: a Task, or a model, which has no reward. threads: by default as many as there are cores.
        autoreset_mode: "NextStep", "SameStep" or "Disabled". dtype: of observations and actions. randomize:
        parameters that get other values in each episode, by the names of the variations of Batch; a range (low,
        high), of numbers or of arrays with a number per object, or a function of a generator. copy: False gives
        the same array of observations in each step. render_mode: None or "rgb_array"."""
        instance("task", task, Task, Model)
        whole("num_envs", num_envs, 1)
        if threads is not None:
            whole("threads", threads, 1, 64)
        self.task = task if isinstance(task, Task) else Task(task)
        self.num_envs, self.copy, self.render_mode = num_envs, copy, render_mode
        self.autoreset_mode = _mode(autoreset_mode)
        self._dtype = np.dtype(dtype)
        if self._dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype: expected float32 or float64, got {self._dtype}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected None or 'rgb_array', got {render_mode!r}")
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": max(1, round(1 / self.task.dt)),
                         "autoreset_mode": self.autoreset_mode}
        model = self.task.model
        self.randomize = dict(randomize or {})
        for name, how in self.randomize.items():
            if not callable(how) and not (isinstance(how, (tuple, list)) and len(how) == 2):
                raise TypeError(f"randomize: {name}: expected (low, high) or a function of a generator, got {how!r}")
        if (model.sensor_noise > 0).any():  # otherwise all episodes of all worlds have one noise
            self.randomize.setdefault("seed", _any_seed)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.threads = threads or min(num_envs, cores, 64)
        self._make_batch({name: _of_model(model, name, num_envs) for name in self.randomize})
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._steps, self._done = np.zeros(num_envs, np.int64), np.zeros(num_envs, bool)
        self._start = (np.array(model.q_default), np.zeros(model.nv))
        if self.task.key is not None:
            with World(model, **self.task.options) as world:
                world.reset(self.task.key)
                self._start = world.q.copy(), world.v.copy()
        self._make_spaces()

    def _make_batch(self, variations: dict[str, Any]) -> None:
        task = self.task
        self.batch = Batch(task.model, self.num_envs, self.threads, ends=task.ends, **variations, **task.options)

    def _make_spaces(self) -> None:
        model, n = self.task.model, self.num_envs
        limited = model.actuator_control_limited.astype(bool)
        low = np.where(limited, model.actuator_control_range[:, 0], -np.inf).astype(self._dtype)
        high = np.where(limited, model.actuator_control_range[:, 1], np.inf).astype(self._dtype)
        self._observations = self._observe(True)
        many = np.full(self._observations.shape[1], np.inf, self._dtype)
        self.single_action_space = Box(low, high, low.shape, self._dtype)
        self.single_observation_space = Box(-many, many, many.shape, self._dtype)
        self.action_space = Box(np.tile(low, (n, 1)), np.tile(high, (n, 1)), (n, low.size), self._dtype)
        self.observation_space = Box(np.tile(-many, (n, 1)), np.tile(many, (n, 1)), (n, many.size), self._dtype)

    def _observe(self, copy: bool) -> NDArray[Any]:
        parts = self.task.observe(self.batch)
        if copy:
            return np.concatenate(parts, axis=1, dtype=self._dtype, casting="same_kind")
        return np.concatenate(parts, axis=1, out=self._observations, casting="same_kind")

    def _begin(self, which: NDArray[np.bool_], given: Mapping[str, Any]) -> None:
        """Starts episodes in some worlds. given: parameters, instead of random ones."""
        worlds = np.flatnonzero(which)
        rows: dict[str, Any] = {}
        for name, how in self.randomize.items():
            rows[name] = self.batch._variations[name].copy()
            for i in worlds:
                rows[name][i] = how(self._random[i]) if callable(how) else self._random[i].uniform(*how)
        self.batch.reset(self.task.key, which, **{**rows, **given})
        q, v = np.array(self.batch.q), np.array(self.batch.v)
        for i in worlds:
            q[i], v[i] = self.task.start(self._random[i], *self._start)
        self.batch.set_states(q, v, which)
        self.batch.controls[which] = 0
        self._steps[which], self._done[which] = 0, False

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode in every world: (observations, infos).

        seed: world i gets seed + i, or the seed i of a list. options: "reset_mask" (num_envs) marks the worlds to
        reset; names of parameters in `randomize` give rows for this episode instead of random ones.

        >>> envs = heft.gym.make_vec("hopper", 2)
        >>> observations, info = envs.reset(seed=1)
        >>> len(observations)
        2
        """
        if seed is not None:
            given_seeds = np.asarray(seed, object)  # a list, an array or one number
            first = 0 if given_seeds.ndim else whole("seed", given_seeds.item(), 0)
            seeds = [*given_seeds] if given_seeds.ndim else [first + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected a whole number or {self.num_envs} of them, got {len(seeds)}")
            self._random = [r if s is None else np.random.default_rng(whole("seed", s, 0)) for r, s in zip(self._random, seeds)]
        given = dict(options or {})
        which = np.asarray(given.pop("reset_mask", np.ones(self.num_envs, bool)))
        if which.shape != (self.num_envs,) or which.dtype != np.bool_:
            raise ValueError(f"options['reset_mask']: expected {self.num_envs} truths (dtype bool), got shape "
                             f"{which.shape} of {which.dtype}")
        unknown = sorted(set(given) - set(self.randomize))
        if unknown:
            raise ValueError(f"options: expected 'reset_mask' or a parameter that `randomize` has "
                             f"({', '.join(self.randomize) or 'there is none'}), got {unknown[0]!r}")
        self._begin(which, given)
        return self._observe(self.copy), {}

    def step(self, actions: ArrayLike) -> tuple[NDArray[Any], Array, NDArray[np.bool_], NDArray[np.bool_],
                                                dict[str, Any]]:
        """One action in every world: (observations, rewards, terminated, truncated, infos).

        Both autoreset modes are those of Gymnasium. "NextStep": the step after the end of an episode ignores the
        action, gives the first observation of the next episode and the reward 0. "SameStep": the step that ends
        an episode gives the first observation of the next one; infos["final_obs"] has the last one. "Disabled": a
        world that has terminated rests, with the reward 0, until it is reset.

        >>> envs = heft.gym.make_vec("hopper", 2)
        >>> _ = envs.reset(seed=1)
        >>> observations, rewards, terminated, truncated, info = envs.step(np.zeros((2, 3)))
        >>> rewards.shape
        (2,)
        """
        batch, task, mode = self.batch, self.task, self.autoreset_mode
        again, late = self._done.copy(), self._done & ~batch.ended
        if mode is AutoresetMode.DISABLED and (again.all() or late.any()):
            raise RuntimeError(f"world {(late if late.any() else again).argmax()}: its episode has ended; call reset(), "
                               "or choose another autoreset_mode")
        batch.controls = np.asarray(actions)
        before = batch.q.copy()
        batch.step(task.frame_skip)
        self._steps += 1
        rewards = np.zeros(self.num_envs)
        rewards += np.asarray(task.reward(batch, before, batch.controls), float)
        terminated = np.logical_or(batch.ended, task.terminated(batch))
        truncated = np.asarray(self._steps >= task.steps_max)
        rewards[again] = 0
        if mode is AutoresetMode.NEXT_STEP and again.any():
            self._begin(again, {})
            terminated[again] = truncated[again] = False
        self._done = terminated | truncated
        infos: dict[str, Any] = {}
        if mode is AutoresetMode.SAME_STEP and self._done.any():
            infos = self._final(self._done.copy())
            self._begin(infos["_final_obs"], {})
        return self._observe(self.copy), rewards, terminated, truncated, infos

    def _final(self, done: NDArray[np.bool_]) -> dict[str, Any]:
        """Last observations of the worlds whose episode has ended, as Gymnasium's vector environments give them."""
        last, final = self._observe(True), np.full(self.num_envs, None, object)
        for i in np.flatnonzero(done):
            final[i] = last[i]
        return {"final_obs": final, "_final_obs": done, "final_info": {}, "_final_info": done}

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """A picture of each world, or None without render_mode.

        >>> envs = heft.gym.make_vec("hopper", 2)
        >>> envs.render()  # doctest: +SKIP
        """
        from ._picture import render
        if self.render_mode is None:
            return None
        return tuple(render(self.batch.world(i)) for i in range(self.num_envs))

    def close_extras(self, **unused: Any) -> None:
        """Releases the worlds; close() calls it.

        >>> envs = heft.gym.make_vec("hopper", 2)
        >>> envs.close_extras()
        """
        self.batch.close()

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        batch = state.pop("batch")
        state["_saved"] = ([batch.world(i).snapshot() for i in range(self.num_envs)], batch.controls.copy(),
                           batch._variations)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshots, controls, variations = state.pop("_saved")
        self.__dict__.update(state)
        self._make_batch(variations)
        for i, snapshot in enumerate(snapshots):
            self.batch.world(i).restore(snapshot)
            self.batch.store()
        self.batch.controls = controls

    def __repr__(self) -> str:
        return f"<heft.gym.VectorEnv of {self.num_envs} worlds: {type(self.task).__name__}>"


class Env(EnvBase):
    """One world of a task, a gymnasium.Env.

    >>> model = heft.load(heft.models.path("quadruped"))
    >>> env = heft.gym.Env(heft.gym.Task(model, frame_skip=4, reward=lambda batch, before, action: batch.v[:, 0]))
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step([])
    >>> env.observation_space.contains(observation), truncated
    (True, False)
    """

    def __init__(self, task: Task | Model, *, dtype: DTypeLike = np.float32,
                 randomize: Mapping[str, Range] | None = None, render_mode: str | None = None) -> None:
        """As VectorEnv."""
        self._one = VectorEnv(task, 1, threads=1, autoreset_mode=AutoresetMode.DISABLED, dtype=dtype,
                              randomize=randomize, render_mode=render_mode)
        self.task, self.render_mode = self._one.task, render_mode
        self.metadata = {name: self._one.metadata[name] for name in ("render_modes", "render_fps")}
        self.action_space = self._one.single_action_space
        self.observation_space = self._one.single_observation_space

    @property
    def world(self) -> World:
        """The world, to read it, until the next call of the environment."""
        world: World = self._one.batch.world(0)
        return world

    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode: (observation, info). options: parameters for it, by the names in `randomize`.

        >>> env = heft.gym.make("hopper")
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape == env.observation_space.shape
        True
        """
        super().reset(seed=None if seed is None else whole("seed", seed, 0))
        self._one._random = [self.np_random]
        observations, infos = self._one.reset(options=options)
        return observations[0], infos

    def step(self, action: ArrayLike) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """One action: (observation, reward, terminated, truncated, info).

        >>> env = heft.gym.make("hopper")
        >>> _ = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(np.zeros(3))
        >>> bool(terminated)
        False
        """
        shape, given = self.action_space.shape, np.asarray(action)
        if given.shape != shape:
            raise ValueError(f"action: expected an array of shape {shape}, got shape {given.shape}")
        observations, rewards, terminated, truncated, infos = self._one.step(given[None])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), infos

    def render(self) -> NDArray[np.uint8] | None:
        """A picture (height, width, 3), or None without render_mode.

        >>> env = heft.gym.make("hopper")
        >>> env.render()  # doctest: +SKIP
        """
        pictures = self._one.render()
        return pictures[0] if pictures else None

    def close(self) -> None:
        """Releases the world.

        >>> env = heft.gym.make("hopper")
        >>> env.close()
        """
        self._one.close()

    def __repr__(self) -> str:
        return f"<heft.gym.Env: {type(self.task).__name__}>"


def _any_seed(random: np.random.Generator) -> int:
    return int(random.integers(2**53))


def _of_model(model: Model, name: str, count: int) -> ArrayLike:
    """The value of a variation that changes nothing."""
    rows: dict[str, Any] = {"gravity": model.gravity, "restitution": model.material_restitution, "seed": [0]}
    known = ("friction_scale", "mass_scale", "gain_scale", *rows)
    if name not in known:
        raise ValueError(f"randomize: expected names of {', '.join(known)}, got {name!r}")
    return np.tile(rows[name], (count, 1)) if name in rows else 1.0


__all__ = ["Env", "Task", "VectorEnv"]
