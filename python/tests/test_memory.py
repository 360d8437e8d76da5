# SPDX-License-Identifier: Apache-2.0
"""Objects that are created and dropped leave no memory behind.

The short form creates and drops some thousand objects; HEFT_FULL=1 makes 10^5 of each kind:
    HEFT_FULL=1 PYTHONPATH=build/ci/python HEFT_SOURCE_DIR=. python3 -m pytest python/tests/test_memory.py
"""

import ctypes
import gc
import os
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import heft

COUNT = 100_000 if os.environ.get("HEFT_FULL") else 2_000
PENDULUM = """<mujoco><worldbody><body name="rod"><joint name="pin" type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/></body></worldbody>
<actuator><motor name="motor" joint="pin"/></actuator></mujoco>"""


def resident() -> int:
    """Bytes of memory of this process, after the C library gave back what it holds free."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def create_world(model: heft.Model) -> None:
    heft.World(model).step()


def create_model(model: heft.Model) -> None:
    heft.loads(PENDULUM)


def create_views(model: heft.Model) -> None:
    """Views that outlive the name of their world, and a circle that only the collector finds."""
    world = heft.World(model)
    views = [world.q, world.v, world.controls]
    circle: list[object] = [world, views]
    circle.append(circle)


def create_batch(model: heft.Model) -> None:
    heft.Batch(model, 2).step()


def copy_by_pickle(model: heft.Model) -> None:
    pickle.loads(pickle.dumps(heft.World(model)))


def fail_to_load(model: heft.Model) -> None:
    with pytest.raises(heft.LoadError):
        heft.loads("<mujoco><worldbody><body><geom type='ball'/></body></worldbody></mujoco>")


def fail_to_set(model: heft.Model) -> None:
    world = heft.World(model)
    with pytest.raises((ValueError, TypeError)):
        world.controls[:] = np.zeros(7)
    with pytest.raises(KeyError):
        world.body("none")


CASES: list[Callable[[heft.Model], None]] = [
    create_world, create_model, create_views, create_batch, copy_by_pickle, fail_to_load, fail_to_set]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.__name__))
def test_memory_is_constant(case: Callable[[heft.Model], None]) -> None:
    if "LD_PRELOAD" in os.environ and "asan" in os.environ["LD_PRELOAD"]:
        count, allowed = 50, None  # the sanitizer keeps freed memory, and finds leaks itself
    else:
        count, allowed = COUNT, 500_000  # the interpreter moves by some pages
    model = heft.loads(PENDULUM)
    for _ in range(200):
        case(model)
    before = resident()
    for _ in range(count):
        case(model)
    grown = resident() - before
    print(f"{case.__name__}: {count} calls left {grown} bytes")
    assert allowed is None or grown < allowed, f"{count} calls left {grown} bytes: {grown / count:.1f} for each"
