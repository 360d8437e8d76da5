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
