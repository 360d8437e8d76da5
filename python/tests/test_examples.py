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


def test_learning_to_hop_gets_better():
    import learn
    first, normal, _ = learn.learn("hopper", seed=3, generations=1, steps=100, threads=1)
    last, seen, _ = learn.learn("hopper", seed=3, generations=25, steps=100, threads=1, say=lambda text: None)
    assert last.shape == (3, 12)
    assert learn.judge("hopper", last, seen, 100) > 1.5 * learn.judge("hopper", first, normal, 100)


def test_the_regulator_balances():
    lines = run("balance.py").splitlines()
    assert lines[0] == "<heft.Linearization over 0.005 s: 6 states, 1 controls, 0 sensor values>"
    assert sum("comes back" in line for line in lines) == 3 and "falls" in lines[-1]


def test_the_pole_swings_up():
    import swing_up
    cart = heft.loads(swing_up.CART)
    start = np.array([0.1, -0.2, 0.0, 0.3])
    plan = swing_up.optimise(cart, start, iterations=15, say=lambda text: None)
    assert np.abs(plan[0][-1] - swing_up.GOAL).max() < 0.3
    assert swing_up.follow(cart, start, *plan, push=20.0) < 0.01
