# SPDX-License-Identifier: Apache-2.0
"""Environments for learning, with the interface of Gymnasium 1.1 and later.

>>> env = heft.gym.make("hopper")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> observation.shape, observation.dtype.name, terminated
((12,), 'float32', False)

If Gymnasium is installed, Env is a gymnasium.Env, VectorEnv a gymnasium.vector.VectorEnv, and
gymnasium.make("heft/hopper-v0") makes the tasks, too. Without it the calls are the same.

A Task describes an episode by arrays with one row per world. An environment runs it: Env in one world,
VectorEnv in a Batch of many. World i of VectorEnv.reset(seed=s) has the bits of Env.reset(seed=s + i), for
every number of threads and worlds.
"""
from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ._check import instance as _instance
from ._env import Env as Env, Range, Task as Task, VectorEnv as VectorEnv
from ._gymnasium import AutoresetMode as AutoresetMode, Box as Box, register
from ._tasks import TASKS


def names() -> list[str]:
    """Names of the tasks that make() knows.

    >>> heft.gym.names()[:3]
    ['ant', 'cheetah', 'cube']
    """
    return sorted(TASKS)


def _task(name: str, changes: Mapping[str, Any]) -> Task:
    _instance("name", name, str)
    if name not in TASKS:
        near = difflib.get_close_matches(name, TASKS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names())}"
        raise KeyError(f"there is no task {name!r}; {hint}")
    return TASKS[name](**changes)


def make(name: str, *, dtype: DTypeLike = np.float32, randomize: Mapping[str, Range] | None = None,
         render_mode: str | None = None, **changes: Any) -> Env:
    """The environment of a task, by its name. changes: arguments of Task, instead of its own.

    >>> heft.gym.make("hopper", steps_max=200).task.steps_max
    200
    """
    return Env(_task(name, changes), dtype=dtype, randomize=randomize, render_mode=render_mode)


def make_vec(name: str, num_envs: int = 1, *, threads: int | None = None,
             autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, dtype: DTypeLike = np.float32,
             randomize: Mapping[str, Range] | None = None, copy: bool = True, render_mode: str | None = None,
             **changes: Any) -> VectorEnv:
    """As make(), of many worlds: see VectorEnv.

    >>> env = heft.gym.make_vec("hopper", 64, randomize={"gain_scale": (0.8, 1.2)})
    >>> env.reset(seed=1, options={"gain_scale": np.ones(64)})[0].shape
    (64, 12)
    """
    return VectorEnv(_task(name, changes), num_envs, threads=threads, autoreset_mode=autoreset_mode, dtype=dtype,
                     randomize=randomize, copy=copy, render_mode=render_mode)


for _name in TASKS if register else ():
    register(id=f"heft/{_name}-v0", entry_point="heft.gym:make", vector_entry_point="heft.gym:make_vec",
             kwargs={"name": _name})

__all__ = ["AutoresetMode", "Box", "Env", "Task", "VectorEnv", "make", "make_vec", "names"]
