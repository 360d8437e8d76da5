# SPDX-License-Identifier: Apache-2.0
"""Edits of a loaded model: attach, remove, replace, save. Every edited model has the same hash after it was written as
MJCF or in the compiled form and loaded again, and a world steps it."""
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import heft

SOURCE = Path(os.environ.get("HEFT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
ROBOT = heft.load(SOURCE / "scenes" / "quadruped.xml")
GRIPPER = heft.load(SOURCE / "examples" / "gripper.xml")
HAND = GRIPPER.remove("ball")
TIP = heft.loads("<mujoco><worldbody><body name='arm'><joint name='j'/><geom size='.1'/>"
                 "<site name='tip' pos='0 0 .5' quat='0 1 0 0'/></body></worldbody></mujoco>")

EDITS: dict[str, Callable[[], heft.Model]] = {
    "remove an object": lambda: GRIPPER.remove("ball"),
    "remove a finger": lambda: HAND.remove("left_finger"),
    "remove a leg": lambda: ROBOT.remove("lf_hip"),
    "remove two legs": lambda: ROBOT.remove("lf_hip", "rf_hip"),
    "attach a gripper to a trunk": lambda: ROBOT.attach(HAND, "trunk", pos=(0.3, 0, 0), prefix="hand/"),
    "attach two grippers": lambda: ROBOT.attach(HAND, "trunk", pos=(0.3, 0.1, 0), prefix="left/").attach(
        HAND, "trunk", pos=(0.3, -0.1, 0), prefix="right/"),
    "attach it turned": lambda: ROBOT.attach(HAND, "trunk", quat=(0, 1, 0, 0), prefix="hand/"),
    "attach it to a site": lambda: TIP.attach(HAND, "tip", prefix="hand/"),
    "attach it to a leg": lambda: ROBOT.attach(HAND, "lf_thigh", prefix="hand/"),
    "exchange a leg for a gripper": lambda: ROBOT.remove("lf_hip").attach(HAND, "trunk", prefix="hand/"),
    "put a second robot beside": lambda: ROBOT.attach(ROBOT, pos=(2, 0, 0), prefix="other/"),
    "put an arm on a free ball": lambda: GRIPPER.attach(TIP, "ball", prefix="arm/"),
    "a part with what is fixed to its world": lambda: TIP.attach(GRIPPER, prefix="table/", world=True),
    "another mass": lambda: GRIPPER.replace("body_mass", "ball", 0.5),
    "another centre of mass": lambda: GRIPPER.replace("body_com", "ball", (0, 0, 0.01)),
    "another place": lambda: GRIPPER.replace("body_pos", "palm", (0, 0, 0.6)),
    "more damping": lambda: GRIPPER.replace("dof_damping", "lift", 7.0),
    "another range": lambda: GRIPPER.replace("dof_range", "left", (-0.02, 0.02)),
    "another gain": lambda: GRIPPER.replace("actuator_gain", "lift", 123.0),
    "another size": lambda: GRIPPER.replace("shape_size", 0, GRIPPER.shape_size[0] * 1.25),
    "another colour": lambda: GRIPPER.replace("shape_color", 0, (1, 0, 0, 1)),
    "bouncy": lambda: GRIPPER.replace("material_restitution", 1, 0.3),
    "servos on all joints": lambda: ROBOT.servos(200, 5, force_max=80),
    "servos beside motors": lambda: GRIPPER.servos(100, [1, 2], ["left", "right"]),
    "all of it": lambda: ROBOT.remove("rh_hip").attach(HAND, "trunk", prefix="h/").replace("body_mass", "h/palm", 2.0),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_kept_by_files(name: str, tmp_path: Path) -> None:
    model = EDITS[name]()
    for ending in (".heft", ".xml"):
        model.write(tmp_path / f"edited{ending}")
        assert heft.load(tmp_path / f"edited{ending}").hash() == model.hash()
    assert np.isfinite(heft.World(model).step(2).time)


def test_edits_do_what_they_say() -> None:
    assert "lf_hip" not in EDITS["remove a leg"]().bodies and "rf_hip" in EDITS["remove a leg"]().bodies
    hand = EDITS["attach a gripper to a trunk"]()
    palm = hand.find("body", "hand/palm")
    assert hand.body_parent[palm] == hand.find("body", "trunk")
    np.testing.assert_allclose(hand.body_pos[palm], HAND.body_pos[HAND.find("body", "palm")] + [0.3, 0, 0])
    at_site = EDITS["attach it to a site"]()
    palm = at_site.find("body", "hand/palm")
    there = np.array(HAND.body_pos[HAND.find("body", "palm")]) * [1, -1, -1] + [0, 0, 0.5]
    np.testing.assert_allclose(at_site.body_pos[palm], there, atol=1e-15)
    assert EDITS["more damping"]().dof_damping[0] == 7.0
    assert ROBOT.hash() == heft.load(SOURCE / "scenes" / "quadruped.xml").hash()  # edits leave their model alone


WRIST = """<mujoco><option timestep="0.002"/><worldbody><body name="forearm"><joint name="elbow" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/><body pos=".3 0 0"><joint name="wrist" axis="1 0 0"/>
<geom type="capsule" fromto="0 0 0 .02 0 0" size=".005" mass="0.01"/></body></body></worldbody>
<actuator><motor name="elbow" joint="elbow"/><motor name="wrist" joint="wrist"/></actuator>
<keyframe><key name="bent" qpos=".3 .4"/></keyframe></mujoco>"""


def test_servos_hold_a_wrist_that_explicit_gains_throw_off() -> None:
    model, kp, kd, target = heft.loads(WRIST), 100.0, 2.0, np.array([0.3, 0.4])
    world = heft.World(model)
    assert world.mass_matrix()[1, 1] < 1e-6  # kd h is 30,000 times the inertia
    fastest = 0.0
    for _ in range(10):
        world.controls[:] = kp * (target - world.q) - kd * world.v
        world.step()
        fastest = max(fastest, np.abs(world.v).max())
    assert fastest > 1e5  # [rad/s]
    held = model.servos(kp, kd)
    assert held.actuators == ["elbow", "wrist", "elbow_servo", "wrist_servo"]
    weight = 0.15 * 1 * 9.81 + 0.31 * 0.01 * 9.81  # at the elbow, if the arm is level [N m]
    for step in (0.002, 0.02):
        world = heft.World(held, time_step=step, theta=0.55)
        world.controls[2:] = target
        world.step(round(2 / step))
        sag = (world.q[0] - target[0]) * kp / (weight * np.cos(world.q[0]))
        assert abs(sag - 1) < 1e-6 and abs(world.q[1] - target[1]) < 1e-9 and np.abs(world.v).max() < 1e-9
    world.reset("bent")
    assert world.controls.tolist() == [0, 0, *target]  # a keyframe holds its pose


def test_a_builder_adds_to_a_model() -> None:
    assert GRIPPER.builder().finish().hash() == GRIPPER.hash()


def test_wrong_edits_are_refused() -> None:
    with pytest.raises(heft.UnknownName):
        ROBOT.attach(HAND, "trnuk")
    with pytest.raises(heft.Error, match="name"):
        GRIPPER.attach(GRIPPER)  # the same names twice
    with pytest.raises(heft.Error, match="no array"):
        GRIPPER.replace("body_masses", 1, 1.0)
    with pytest.raises(heft.Error, match="real numbers"):
        GRIPPER.replace("body_parent", 1, 0)
    with pytest.raises(heft.Error, match="rows"):
        GRIPPER.replace("body_mass", 99, 1.0)
    with pytest.raises(heft.Error, match="default material"):
        GRIPPER.replace("material_friction", 0, 0.1)
    with pytest.raises(heft.Error, match="has 3 numbers"):
        GRIPPER.replace("body_pos", "palm", (1, 2))
    with pytest.raises(heft.Error):
        GRIPPER.replace("body_mass", "palm", -1.0)
    with pytest.raises(heft.UnknownName):
        ROBOT.remove("trnuk")
