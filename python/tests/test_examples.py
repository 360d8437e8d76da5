# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/python, in a short form."""
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(os.environ.get("HEFT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
EXAMPLES = SOURCE / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))

import heft  # noqa: E402


def run(name, *arguments):
    """What an example prints."""
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *arguments], cwd=SOURCE, check=True,
                          capture_output=True, text=True)
    return done.stdout


def model(name):
    return heft.load(SOURCE / "examples" / name)


def test_drop_carries_the_weight():
    forces = [float(line.split()[1]) for line in run("drop.py").splitlines()]
    weight = 9.81 * model("quadruped.xml").body_mass.sum()
    assert len(forces) == 4
    assert sum(forces) == pytest.approx(weight, abs=0.3)  # rounded to 0.1 N each


def test_hold_and_push_comes_back():
    heights = [float(x) for x in re.findall(r"y = ([+-][0-9.]+) m", run("hold_and_push.py"))]
    assert max(heights) == pytest.approx(0.0094, abs=1e-4)  # as examples/hold_and_push.c
    assert abs(heights[-1]) < 1e-4


def test_grasp_map_follows_coulomb():
    import grasp_map
    friction = np.array([0.2, 0.2, 0.6, 0.6])
    edge = grasp_map.WEIGHT / (2 * friction)
    height = grasp_map.lift(model("gripper.xml"), edge * [0.9, 1.15, 0.9, 1.15], friction, 1)
    assert ((height > 0.1) == [False, True, False, True]).all()


def test_identification_finds_friction():
    import identify_friction as identify
    block = heft.loads(identify.BLOCK)
    log = identify.record(block, 0.37, 2.0, 0.0005, seed=4)
    (friction, speed), (friction_off, speed_off) = identify.fit(block, log)
    assert abs(friction - 0.37) < 4 * friction_off < 0.01
    assert abs(speed - 2.0) < 4 * speed_off < 0.02


def test_trot_goes_forward():
    import trot
    robot = model("quadruped.xml")
    path, _ = trot.trot(robot, seconds=0.6, threads=1)
    alone, _ = trot.trot(robot, seconds=0.6, threads=1, planning=False)
    assert path[-1, 1] > 0.1 and path[-1, 3] > 0.45
    assert abs(alone[-1, 1]) < 0.02


def test_learning_gets_better():
    import learn
    first, before, _ = learn.learn("reach", seed=0, generations=1, say=lambda text: None)
    _, after, _ = learn.learn("reach", seed=0, generations=8, say=lambda text: None)
    assert first.shape == (1, 6, 7)
    assert after > before + 10


def test_the_stored_policies_reach_their_goals():
    import learn
    assert sorted(learn.LESSONS) == heft.gym.names()
    for name in learn.LESSONS if os.environ.get("HEFT_FULL") else ("cube", "reach", "walker"):
        result, words = learn.judge(name, learn.stored(name))
        assert result >= learn.LESSONS[name].goal, f"{name}: {words}"


def test_the_regulator_balances():
    lines = run("balance.py").splitlines()
    assert lines[0] == "<heft.Linearization over 0.005 s: 6 states, 1 controls, 0 sensor values>"
    assert sum("comes back" in line for line in lines) == 3 and "falls" in lines[-1]


def test_the_pole_swings_up():
    import swing_up
    cart = heft.loads(swing_up.CART)
    start = np.array([0.1, -0.2, 0.0, 0.3])
    problem, x, u, gains, _ = swing_up.optimise(cart, start, iterations=15)
    assert np.abs(x[-1] - swing_up.GOAL).max() < 0.3
    assert swing_up.follow(cart, start, x, u, gains, push=20.0) < 0.01


def test_the_derivative_replaces_differences():
    """The same steps of iLQR; a tenth of the simulated steps for linear models."""
    import swing_up
    cart = heft.loads(swing_up.CART)
    exact, differences = (swing_up.optimise(cart, np.zeros(4), iterations=3, differences=d) for d in (False, True))
    np.testing.assert_allclose(exact[1], differences[1], atol=1e-4)
    assert differences[0].simulated["linear"] == 10 * exact[0].simulated["linear"]


def test_the_hopper_hops():
    import hop
    model = heft.gym.make("hopper").task.model
    problem, path, sole = hop.hop(model, 1.2)
    assert path[-1, 0] > 0.6 and np.abs(path[:, 2]).max() < 0.4
    assert (sole[20:] == 0).any() and (sole[20:] > 0).any()


def test_the_humanoid_holds_pushes():
    import stand
    world = heft.World(heft.gym.make("humanoid").task.model, rest=0)
    stand.pose(world)
    gain, rest = stand.regulator(world)
    assert not world.derivative().flags
    stand.pose(world)
    other, _ = stand.regulator(world, differences=True)
    assert abs(gain - other).max() < 1e-5 * abs(gain).max()
    for impulse in ([7.0, 0.0], [0.0, -7.0]):
        lowest, off = stand.push(world, gain, rest, impulse, 2.5)
        assert lowest > 1.1 and off < 0.02
    assert stand.push(world, 0 * gain, rest, [0.0, 0.0], 2.5)[0] < 1.0  # without the regulator it falls


def test_a_gradient_through_a_hundred_steps():
    """Of a humanoid on its feet by its motors, backwards through every step, against a central difference."""
    import stand
    world = heft.World(heft.gym.make("humanoid").task.model, rest=0, sleep=0, tolerance=1e-12)
    stand.pose(world)
    _, rest = stand.regulator(world)
    stand.pose(world)
    start, random = world.q.copy(), np.random.default_rng(0)
    end, change = random.standard_normal(2 * world.model.nv), random.standard_normal(rest.size)
    end[:6] = 0  # of the joints and all velocities: q is a vector there

    def at_the_end(u, states=None):
        world.q, world.v, world.controls = start, np.zeros(world.model.nv), u
        for _ in range(100):
            if states is not None:
                states.append((world.q.copy(), world.v.copy()))
            world.step()
        return end @ np.concatenate([heft.q_difference(world.model, start, world.q), world.v])

    states, slope, gradient = [], end, 0.0
    at_the_end(rest, states)
    for world.q, world.v in reversed(states):
        world.controls = rest
        world.step()
        back = world.derivative_transposed(slope)
        assert not back.flags
        slope, gradient = back.state, gradient + back.control @ change
    eps = 1e-8  # a larger change lets corners of the feet slip
    assert gradient == pytest.approx((at_the_end(rest + eps * change) - at_the_end(rest - eps * change)) / (2 * eps), rel=1e-4)
