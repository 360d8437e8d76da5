# SPDX-License-Identifier: Apache-2.0
"""Models, worlds and batches: views share memory, errors are exceptions, bits are those of C."""

import os
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import heft

ROOT = os.environ["HEFT_SOURCE_DIR"]


def scene(name: str) -> heft.Model:
    return heft.load(os.path.join(ROOT, "scenes", name + ".xml"))


PENDULUM = """<mujoco><worldbody><body name="rod"><joint name="pin" type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/></body></worldbody>
<actuator><motor name="motor" joint="pin"/></actuator>
<keyframe><key name="home" qpos="0.3"/></keyframe></mujoco>"""


@pytest.fixture
def model() -> heft.Model:
    return heft.loads(PENDULUM)


def test_views_share_memory(model: heft.Model) -> None:
    world = heft.World(model, time_step=1e-3)
    q = world.q
    world.controls[:] = 5
    world.step(10)
    assert q[0] != 0 and q is world.q
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1
    del world
    assert np.isfinite(q).all()


def test_reset_snapshot_clone_pickle(model: heft.Model) -> None:
    world = heft.World(model, time_step=1e-3)
    world.reset("home")
    assert world.q[0] == 0.3
    saved, before = world.snapshot(), world.hash()
    other = world.clone()
    world.step(7)
    after = world.hash()
    world.restore(saved)
    assert world.hash() == before
    assert world.step(7).status == heft.StepStatus.SOLVED and world.hash() == after
    other.step(7)
    assert other.hash() == after
    again = pickle.loads(pickle.dumps(model))
    assert again.hash() == model.hash()


def test_batch_has_the_bits_of_worlds() -> None:
    model = scene("quadruped")
    world = heft.World(model, time_step=1e-3)
    world.step(50)
    for threads in (1, 2):
        batch = heft.Batch(model, 5, threads, time_step=1e-3)
        batch.step(50)
        assert {batch.hash(i) for i in range(5)} == {world.hash()}
        assert (batch.q == world.q).all()


def test_names_have_suggestions(model: heft.Model) -> None:
    world = heft.World(model)
    with pytest.raises(KeyError, match="did you mean 'rod'"):
        world.body("rd")
    with pytest.raises(heft.UnknownName, match="these exist: home"):
        world.reset("start")


def test_load_errors_have_a_place(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "bad.xml")
    with open(path, "w") as file:
        file.write("<mujoco>\n  <worldbody>\n    <geom size='x'/>\n</worldbody></mujoco>")
    with pytest.raises(heft.LoadError) as caught:
        heft.load(path)
    assert caught.value.file == path and caught.value.line == 3 and caught.value.column > 0


def test_closed_world_raises(model: heft.Model) -> None:
    with heft.World(model) as world:
        q = world.q
    uses: list[Callable[[], object]] = [
        lambda: world.step(), lambda: world.q, lambda: world.hash(), lambda: world.contacts]
    for use in uses:
        with pytest.raises(heft.ClosedError):
            use()
    assert q.shape == (1,)
