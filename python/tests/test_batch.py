# SPDX-License-Identifier: Apache-2.0
"""Batches: variations and ends without calls of Python, callbacks, interruption, threads."""

import _thread
import os
import threading
import time

import numpy as np
import pytest

import heft

ROOT = os.environ["HEFT_SOURCE_DIR"]
BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
SLIDER = """<mujoco><option gravity="0 0 0"/><worldbody><body name="cart"><joint name="rail" type="slide" axis="1 0 0"/>
<geom size=".1" mass="2"/></body></worldbody><actuator><motor name="pull" joint="rail"/></actuator>
<sensor><jointpos name="place" joint="rail" noise="0.1"/></sensor></mujoco>"""


def test_variations() -> None:
    model = heft.loads(SLIDER)
    batch = heft.Batch(model, 3, 2, time_step=0.01, mass_scale=[1, 2, 4], gain_scale=[1, 1, 8])
    batch.controls[:] = 1
    batch.step(100)
    np.testing.assert_allclose(batch.v[:, 0], [0.5, 0.25, 1.0], rtol=1e-9)
    falls = heft.Batch(heft.loads(BALL), 2, gravity=[[0, 0, -1], [0, 0, 0]], time_step=0.01)
    falls.step(10)
    np.testing.assert_allclose(falls.v[:, 2], [-0.1, 0], atol=1e-12)


def test_seeds_make_the_noise() -> None:
    model = heft.loads(SLIDER)
    one, two = (heft.Batch(model, 2, seed=seeds, time_step=0.01) for seeds in ([1, 2], [1, 1]))
    one.step(3)
    two.step(3)
    assert one.sensors[0, 0] != one.sensors[1, 0] and two.sensors[0, 0] == two.sensors[1, 0] == one.sensors[0, 0]


def test_friction_of_each_world() -> None:
    model = heft.loads(BALL.replace('size=".1"/></body>', 'size=".1" type="box" /></body>').replace(
        'size=".1" type="box"', 'size=".1 .1 .1" type="box"'))
    batch = heft.Batch(model, 2, friction_scale=[0.0, 1.0], time_step=0.002)
    q = batch.q.copy()
    q[:, 2] = 0.1
    batch.set_states(q, [[1, 0, 0, 0, 0, 0]] * 2)
    batch.step(400)
    assert abs(batch.v[0, 0] - 1) < 1e-6 and abs(batch.v[1, 0]) < 1e-6


def test_ends_without_python() -> None:
    model = heft.loads(BALL)
    batch = heft.Batch(model, 2, 2, ends=[heft.End("height", "ball", min=0.5)], time_step=0.01)
    q = batch.q.copy()
    q[1, 2] = 100
    batch.set_states(q)
    rows = batch.rollout(steps=60)
    assert rows.ended.tolist() == [True, False] and batch.steps.tolist()[1] == 60
    first = int(batch.steps[0])
    assert (rows.q[0, first - 1:, 2] == rows.q[0, -1, 2]).all() and rows.q[0, first - 2, 2] >= 0.5
    batch.reset(which=[True, False])
    assert batch.ended.tolist() == [False, False] and batch.steps.tolist() == [0, 60]


def test_callables_act_and_end() -> None:
    seen = []

    def before(index: int, world: heft.World) -> None:
        world.controls[0] = index
        seen.append(world)

    batch = heft.Batch(heft.loads(SLIDER), 3, 2, before=before, after=lambda i, w, r: w.time > 0.495, time_step=0.01)
    batch.step(100)
    np.testing.assert_allclose(batch.v[:, 0], np.arange(3) * 0.5 / 2, rtol=1e-9)
    assert batch.ended.all() and all(world.closed for world in seen)


def test_one_world_of_a_batch() -> None:
    batch = heft.Batch(heft.loads(BALL), 2, time_step=0.01)
    world = batch.world(1)
    world.v = np.array([0, 0, 5, 0, 0, 0])
    batch.store()
    batch.step()
    assert world.closed and batch.v[1, 2] > 4 and batch.v[0, 2] < 0


def test_rollout_is_the_same_for_all_threads() -> None:
    model = heft.load(os.path.join(ROOT, "scenes/quadruped.xml"))
    world = heft.World(model)
    q = np.tile(world.q, (6, 1))
    q[:, 2] += np.linspace(0, 0.1, 6)
    rows = [heft.rollout(model, (q, np.zeros((6, model.nv))), steps=40, threads=n) for n in (1, 2, 3)]
    assert all((r.q == rows[0].q).all() and (r.v == rows[0].v).all() for r in rows)
    assert rows[0].reports["time"].shape == (6,)


def interrupt_when(busy: "heft.Batch | heft.World") -> threading.Thread:
    """Sends SIGINT once the other thread is in a step."""

    def wait() -> None:
        while True:
            try:
                busy.hash(0) if isinstance(busy, heft.Batch) else busy.hash()
            except RuntimeError:  # another thread uses it: the step has begun
                break
            time.sleep(0.001)
        _thread.interrupt_main()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", ["step", "rollout", "world"])
def test_interrupt_ends_a_long_run(kind: str) -> None:
    model = heft.loads(SLIDER)
    batch, world = heft.Batch(model, 2, 2), heft.World(model)
    thread = interrupt_when(world if kind == "world" else batch)
    with pytest.raises(KeyboardInterrupt):
        if kind == "step":
            batch.step(10**12)
        elif kind == "rollout":
            batch.rollout(steps=2 * 10**7)
        else:
            world.step(10**12)
    thread.join()
    batch.step(2)  # it can go on
    world.step(2)


def test_stop_from_another_thread() -> None:
    batch = heft.Batch(heft.loads(SLIDER), 2)

    def stop() -> None:
        while not done.is_set():
            batch.stop()
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(heft.Stopped):
        batch.step(10**12)
    done.set()
    thread.join()


def test_a_busy_world_is_refused() -> None:
    world = heft.World(heft.loads(SLIDER))
    errors: list[str] = []

    def use() -> None:
        while not errors:
            try:
                world.step(1000)
            except RuntimeError as error:
                errors.append(str(error))

    thread = threading.Thread(target=use)
    thread.start()
    use()
    thread.join()
    assert "another thread uses this object" in errors[0]


def test_worlds_step_in_threads_of_their_own() -> None:
    model = heft.load(os.path.join(ROOT, "scenes/quadruped.xml"))
    worlds = [heft.World(model) for _ in range(3)]
    threads = [threading.Thread(target=world.step, args=(60,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({world.hash() for world in worlds}) == 1 and worlds[0].time > 0
